#include "sinew/rig/parts/part_hierarchy.h"

#include <map>

#include <fmt/ranges.h>

#include "sinew/base/error.h"
#include "sinew/base/text.h"

namespace sinew::rig {
namespace {

using NameTable = std::map<std::string, int>;

/// Lower-case names to indices.
NameTable table_of(const std::vector<std::string>& names, std::string_view what) {
    NameTable table;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto [at, fresh] = table.try_emplace(to_lower(names[i]), static_cast<int>(i));
        if (!fresh)
            fail("", "the {} \"{}\" and \"{}\" have the same name but for its case: rename one of them", what,
                 names[static_cast<std::size_t>(at->second)], names[i]);
    }
    return table;
}

std::vector<std::string> missing(const std::vector<std::string>& names, const NameTable& table) {
    std::vector<std::string> list;
    for (const std::string& name : names)
        if (!table.contains(to_lower(name))) list.push_back(fmt::format("\"{}\"", name));
    return list;
}

void check_names(const std::vector<std::string>& parts, const std::vector<std::string>& joints,
                 const NameTable& part_table, const NameTable& joint_table) {
    const auto no_part = missing(joints, part_table), no_joint = missing(parts, joint_table);
    if (no_part.empty() && no_joint.empty()) return;
    std::string text;
    if (!no_part.empty())
        text = fmt::format("the hierarchy names {}, which the mesh does not have", fmt::join(no_part, ", "));
    if (!no_joint.empty())
        text += fmt::format("{}the mesh has {}, which the hierarchy does not name", text.empty() ? "" : "; ",
                            fmt::join(no_joint, ", "));
    fail("", "{}: rename them so that every part stands once in the hierarchy, or cut the mesh to match",
         text);
}

}  // namespace

PartHierarchy join_hierarchy(const geometry::CutMesh& cut, const model::Skeleton& hierarchy) {
    std::vector<std::string> joints;
    for (const model::Joint& joint : hierarchy.joints) joints.push_back(joint.name);
    const NameTable part_table = table_of(cut.names, "parts"), joint_table = table_of(joints, "joints");
    check_names(cut.names, joints, part_table, joint_table);
    PartHierarchy result;
    for (const std::string& name : cut.names) {
        const int joint = joint_table.at(to_lower(name));
        const model::Joint& own = hierarchy.joints[static_cast<std::size_t>(joint)];
        result.joint_of_part.push_back(joint);
        result.limits.push_back(own.limits);
        result.parents.push_back(
            own.parent < 0 ? -1 : part_table.at(to_lower(joints[static_cast<std::size_t>(own.parent)])));
    }
    return result;
}

}  // namespace sinew::rig
