// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/model/roles.h"
#include "sinew/motion/retarget.h"
#include "sinew/motion/retarget/plan.h"

namespace sinew::motion {
namespace {

/// Joints of one role group, in the order of the tree; and the joint that it is attached to, or -1.
struct Chain {
    std::vector<int> joints;
    int base = -1;
};

template <class Belongs>
Chain chain_of(const model::Skeleton& skeleton, const std::vector<model::JointRole>& roles,
               const Belongs& belongs) {
    Chain chain;
    for (std::size_t j = 0; j < roles.size(); ++j) {
        if (belongs(roles[j].role)) chain.joints.push_back(static_cast<int>(j));
    }
    if (chain.joints.empty()) return chain;
    chain.base = skeleton.joints[static_cast<std::size_t>(chain.joints[0])].parent;
    // Joints without a role of their own are skipped on the path to the root.
    while (chain.base >= 0 && !roles[static_cast<std::size_t>(chain.base)])
        chain.base = skeleton.joints[static_cast<std::size_t>(chain.base)].parent;
    return chain;
}

void link(const Chain& source, const Chain& target, std::vector<ChainLink>& links) {
    const std::size_t m = source.joints.size(), n = target.joints.size();
    if (m == 0 || n == 0) return;
    const auto at = [&](std::size_t i) { return i == 0 ? source.base : source.joints[i - 1]; };
    for (std::size_t i = 1; i <= n; ++i) {
        const std::size_t whole = i * m / n, rest = i * m % n;
        const int joint = target.joints[i - 1];
        if (rest == 0)
            links.push_back({joint, at(whole), at(whole), 1});
        else
            links.push_back(
                {joint, at(whole), at(whole + 1), static_cast<double>(rest) / static_cast<double>(n)});
    }
}

}  // namespace

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

std::vector<ChainLink> link_chains(const model::Skeleton& source, const model::Skeleton& target) {
    using model::Role;
    const std::vector<model::JointRole> from = model::find_roles(source), to = model::find_roles(target);
    std::vector<ChainLink> links;
    const auto add = [&](const auto& belongs) {
        const Chain a = chain_of(source, from, belongs), b = chain_of(target, to, belongs);
        if (a.joints.size() != b.joints.size()) link(a, b, links);
    };
    add([](Role role) { return role == Role::spine || role == Role::chest || role == Role::upper_chest; });
    add([](Role role) { return role == Role::neck; });
    add([](Role role) { return role == Role::tail; });
    return links;
}

std::string to_text(const JointMap& map, const model::Skeleton& source, const model::Skeleton& target) {
    std::string text = "# joint of the character = joint of the motion\n";
    for (std::size_t j = 0; j < map.size(); ++j) {
        text += target.joints[j].name + " = ";
        if (map[j] >= 0) text += source.joints[static_cast<std::size_t>(map[j])].name;
        text += '\n';
    }
    return text;
}

JointMap parse_joint_map(std::string_view text, std::string_view name, const model::Skeleton& source,
                         const model::Skeleton& target) {
    JointMap map(target.size(), -1);
    std::vector<bool> given(target.size(), false);
    for (TextCursor cursor(text, name); cursor.skip_space();) {
        const std::string position = cursor.location();
        std::string_view line = cursor.rest_of_line();
        line = trim(line.substr(0, line.find('#')));
        if (line.empty()) continue;
        const std::size_t equals = line.rfind(" =");
        if (equals == std::string_view::npos)
            fail(position, "expected \"target = source\", found \"{}\"", line);
        const std::string_view left = trim(line.substr(0, equals)), right = trim(line.substr(equals + 2));
        const int to = target.find(left), from = source.find(right);
        if (to < 0) fail(position, "the character has no joint \"{}\"", left);
        if (from < 0 && !right.empty()) fail(position, "the motion has no joint \"{}\"", right);
        if (given[static_cast<std::size_t>(to)]) fail(position, "the joint \"{}\" is given twice", left);
        given[static_cast<std::size_t>(to)] = true;
        map[static_cast<std::size_t>(to)] = from;
    }
    return map;
}

}  // namespace sinew::motion
