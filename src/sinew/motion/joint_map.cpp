#include "sinew/motion/joint_map.h"

#include <algorithm>
#include <map>
#include <set>
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

JointMap match_by_role(const model::Skeleton& source, const model::Skeleton& target) {
    std::map<std::string, int> joints;
    const std::vector<model::JointRole> from = model::find_roles(source), to = model::find_roles(target);
    for (std::size_t j = 0; j < from.size(); ++j)
        if (from[j]) joints.try_emplace(model::canonical_name(from[j]), static_cast<int>(j));
    JointMap map;
    for (const model::JointRole& role : to) {
        const auto found = role ? joints.find(model::canonical_name(role)) : joints.end();
        map.push_back(found == joints.end() ? -1 : found->second);
    }
    return map;
}

JointMap match_joints(const model::Skeleton& source, const model::Skeleton& target) {
    const JointMap named = match_by_name(source, target);
    const auto known = std::count_if(named.begin(), named.end(), [](int j) { return j >= 0; });
    if (5 * static_cast<std::size_t>(known) >= 4 * target.size()) return named;
    JointMap map = match_by_role(source, target);
    std::set<int> used(map.begin(), map.end());
    for (std::size_t j = 0; j < map.size(); ++j)
        if (map[j] < 0 && named[j] >= 0 && used.insert(named[j]).second) map[j] = named[j];
    return map;
}

}  // namespace sinew::motion
