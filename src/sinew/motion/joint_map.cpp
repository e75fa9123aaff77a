#include "sinew/motion/joint_map.h"

#include <unordered_map>

#include "sinew/model/roles.h"

namespace sinew::motion {

JointMap match_by_name(const model::Skeleton& source, const model::Skeleton& target) {
    std::unordered_map<std::string, int> joints;
    for (std::size_t j = 0; j < source.size(); ++j) {
        joints.try_emplace(model::plain_name(source.joints[j].name), static_cast<int>(j));
    }
    JointMap map;
    map.reserve(target.size());
    for (const model::Joint& joint : target.joints) {
        const auto found = joints.find(model::plain_name(joint.name));
        map.push_back(found == joints.end() ? -1 : found->second);
        if (found != joints.end()) joints.erase(found);
    }
    return map;
}

}  // namespace sinew::motion
