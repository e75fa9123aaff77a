// SPDX-License-Identifier: MIT
#include <map>

#include <fmt/ranges.h>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/geometry/cut_mesh.h"
#include "sinew/rig/segment.h"

namespace sinew::rig {
namespace {

using NameIndex = std::map<std::string, int>;

/// Lower-case names to indices.
NameIndex index_of_names(const std::vector<std::string>& names, std::string_view what) {
    NameIndex table;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto [at, fresh] = table.try_emplace(to_lower(names[i]), static_cast<int>(i));
        if (!fresh)
            fail("", "the {} \"{}\" and \"{}\" have the same name but for its case: rename one of them", what,
                 names[static_cast<std::size_t>(at->second)], names[i]);
    }
    return table;
}

std::vector<std::string> names_not_in(const std::vector<std::string>& names, const NameIndex& table) {
    std::vector<std::string> list;
    for (const std::string& name : names)
        if (!table.contains(to_lower(name))) list.push_back(name);
    return list;
}

std::string quoted(const std::vector<std::string>& names) {
    std::vector<std::string> list;
    for (const std::string& name : names) list.push_back(fmt::format("\"{}\"", name));
    return fmt::format("{}", fmt::join(list, ", "));
}

/// Readers number a name that occurs twice: "Arm_2" is the second "Arm".
std::string without_number(const std::string& name) {
    const std::size_t bar = name.find_last_of('_');
    const bool numbered = bar != std::string::npos && bar + 1 < name.size() &&
                          name.find_first_not_of("0123456789", bar + 1) == std::string::npos;
    return numbered ? name.substr(0, bar) : name;
}

/// A part that the hierarchy names again: below itself, this is a cycle.
void check_repeats(const model::Skeleton& hierarchy, const NameIndex& parts, const NameIndex& joints) {
    for (const model::Joint& joint : hierarchy.joints) {
        const std::string name = without_number(joint.name);
        if (parts.contains(to_lower(joint.name)) || name == joint.name || !joints.contains(to_lower(name)))
            continue;
        const std::string above =
            joint.parent < 0 ? "" : hierarchy.joints[static_cast<std::size_t>(joint.parent)].name;
        for (int up = joint.parent; up >= 0; up = hierarchy.joints[static_cast<std::size_t>(up)].parent)
            if (equal_ignoring_case(hierarchy.joints[static_cast<std::size_t>(up)].name, name))
                fail("",
                     "part \"{}\" is its own ancestor in the hierarchy, as a child of \"{}\": remove the "
                     "second \"{}\"",
                     name, above, name);
        fail("", "part \"{}\" is defined twice in the hierarchy, the second time {}: remove one of them",
             name, above.empty() ? "as a root" : fmt::format("below \"{}\"", above));
    }
}

void check_names(const std::vector<std::string>& parts, const std::vector<std::string>& joints,
                 const NameIndex& part_table, const NameIndex& joint_table) {
    const auto no_part = names_not_in(joints, part_table), no_joint = names_not_in(parts, joint_table);
    if (no_part.empty() && no_joint.empty()) return;
    if (no_joint.empty())
        fail("",
             "the hierarchy names {}, which the mesh does not have; it has {}. Remove {} from the hierarchy, "
             "or "
             "give the triangles that belong to it a group of this name",
             quoted(no_part), quoted(parts), no_part.size() > 1 ? "them" : "it");
    if (no_part.empty())
        fail("",
             "the mesh has {}, which the hierarchy does not name; it names {}. Add {} to the hierarchy "
             "below a "
             "part that it touches",
             quoted(no_joint), quoted(joints), no_joint.size() > 1 ? "them" : "it");
    fail("",
         "the hierarchy names {}, which the mesh does not have, and the mesh has {}, which the hierarchy "
         "does not "
         "name: if they are the same, give them the same name",
         quoted(no_part), quoted(no_joint));
}

}  // namespace

PartHierarchy join_hierarchy(const geometry::CutMesh& cut, const model::Skeleton& hierarchy) {
    std::vector<std::string> joints;
    for (const model::Joint& joint : hierarchy.joints) joints.push_back(joint.name);
    const NameIndex part_table = index_of_names(cut.names, "parts"),
                    joint_table = index_of_names(joints, "joints");
    check_repeats(hierarchy, part_table, joint_table);
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

namespace {

PartBody given_body(const geometry::Mesh& mesh, const model::Skeleton& hierarchy, Monitor& monitor) {
    PartBody body;
    body.cut = geometry::cut_mesh(mesh);
    PartHierarchy joined = join_hierarchy(body.cut, hierarchy);
    body.tree = geometry::part_tree(body.cut, std::move(joined.parents), monitor);
    body.limits = std::move(joined.limits);
    return body;
}

/// The tree of the mesh's own parts, if it has several connected ones.
std::optional<PartBody> own_body(const geometry::Mesh& mesh, Monitor& monitor) {
    PartBody body;
    body.cut = geometry::cut_mesh(mesh);
    if (body.cut.part_count() < 2) return std::nullopt;
    try {
        body.tree = geometry::part_tree(body.cut, monitor);
        return body;
    } catch (const Error& error) {
        warn(monitor, "parts-automatic", "the mesh is cut automatically, because {}", error.reason());
        return std::nullopt;
    }
}

}  // namespace

PartBody part_body(const geometry::Mesh& mesh, const PartBodyOptions& options, Monitor& monitor) {
    if (mesh.triangles.empty()) fail(mesh.name, "there are no triangles to make parts of");
    if (options.hierarchy != nullptr) {
        PartBody body = given_body(mesh, *options.hierarchy, monitor);
        geometry::check_surface(mesh, body.cut, monitor);
        return body;
    }
    if (auto body = own_body(mesh, monitor)) {
        geometry::check_surface(mesh, body->cut, monitor);
        return *std::move(body);
    }
    PartBody body;
    Segmentation cut = segment(mesh, options.segmentation, monitor);
    body.cut = geometry::cut_mesh(mesh, std::move(cut.part_of), std::move(cut.names));
    body.tree = geometry::part_tree(body.cut, monitor);
    body.automatic = true;
    return body;
}

}  // namespace sinew::rig
