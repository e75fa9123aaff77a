#include "sinew/model/roles.h"

namespace sinew::model {

std::string_view name_of(Side side) {
    constexpr std::string_view names[] = {"", "Left", "Right"};
    return names[static_cast<std::size_t>(side)];
}

}  // namespace sinew::model
