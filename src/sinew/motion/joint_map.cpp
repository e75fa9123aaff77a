#include "sinew/motion/joint_map.h"

#include <unordered_map>

#include "sinew/base/text.h"

namespace sinew::motion {

std::string plain_name(std::string_view name) {
    const std::size_t separator = name.find_last_of(":|");
    // A name that ends in the separator would be left empty: then the separator belongs to it.
    if (separator != std::string_view::npos && separator + 1 < name.size()) name.remove_prefix(separator + 1);
    std::string plain = to_lower(trim(name));
    constexpr std::string_view rest_of_namespace = "mixamorig";
    if (!plain.starts_with(rest_of_namespace)) return plain;
    std::size_t end = plain.find_first_not_of("0123456789", rest_of_namespace.size());
    if (end != std::string::npos && plain[end] == '_') ++end;
    return end >= plain.size() ? plain : plain.substr(end);
}

JointMap match_by_name(const model::Skeleton& source, const model::Skeleton& target) {
    std::unordered_map<std::string, int> joints;
    for (std::size_t j = 0; j < source.size(); ++j) {
        joints.try_emplace(plain_name(source.joints[j].name), static_cast<int>(j));
    }
    JointMap map;
    map.reserve(target.size());
    for (const model::Joint& joint : target.joints) {
        const auto found = joints.find(plain_name(joint.name));
        map.push_back(found == joints.end() ? -1 : found->second);
        if (found != joints.end()) joints.erase(found);
    }
    return map;
}

}  // namespace sinew::motion
