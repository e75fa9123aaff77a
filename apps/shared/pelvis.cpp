#include "pelvis.h"

#include <algorithm>

#include "sinew/model/roles.h"

namespace sinew::app {

int pelvis_of(const model::Skeleton& skeleton) {
    if (skeleton.empty()) return -1;
    return std::max(model::find_role(model::find_roles(skeleton), model::Role::hips), 0);
}

}  // namespace sinew::app
