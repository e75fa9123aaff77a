// SPDX-License-Identifier: MIT
// Changing the joints of a character: weights and clips follow.

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/rig/edit/skeleton_edit.h"
#include "sinew/rig/edit/weight_edit.h"
#include "sinew/rig/joints/orientation.h"

namespace sinew::rig {
namespace {

using math::Mat4d;
using model::Character;
using model::SkinJoint;

constexpr std::string_view edited = "skeleton";

/// Number of single-letter changes between two words (Levenshtein 1966), case ignored.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    const std::string x = to_lower(a), y = to_lower(b);
    std::vector<std::size_t> row(y.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= x.size(); ++i) {
        std::size_t corner = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= y.size(); ++j) {
            const std::size_t changed = corner + (x[i - 1] == y[j - 1] ? 0 : 1);
            corner = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
        }
    }
    return row.back();
}

/// The names most similar to one, best first: few letters differ, or one contains the other.
std::string near_names(const Skeleton& skeleton, std::string_view name) {
    std::vector<std::pair<std::size_t, std::string>> list;
    for (const model::Joint& joint : skeleton.joints) {
        const bool within = to_lower(joint.name).find(to_lower(name)) != std::string::npos;
        list.emplace_back(within ? 1 : edit_distance(joint.name, name), joint.name);
    }
    std::stable_sort(list.begin(), list.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(list.size(), 3); ++i)
        text += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", list[i].second);
    return text;
}

/// The palette entry of a joint that maps the mesh at rest to the same position as another entry; a new one
/// when there is none.
std::uint32_t entry_with(std::vector<SkinJoint>& palette, int joint, const Mat4d& inverse_bind) {
    for (std::uint32_t i = 0; i < palette.size(); ++i) {
        const Mat4d difference = palette[i].inverse_bind - inverse_bind;
        if (palette[i].joint == joint && difference.norm() <= 1e-6 * (1 + inverse_bind.norm())) return i;
    }
    palette.push_back({joint, inverse_bind});
    return static_cast<std::uint32_t>(palette.size() - 1);
}

/// The skin on a changed skeleton, the same at rest. `target[j]` is the new joint that moves what j moved.
model::Skin followed_skin(const model::Skin& skin, const Skeleton& before, const Skeleton& after,
                          const std::vector<int>& target) {
    if (skin.empty()) return skin;
    const auto old_world = model::rest_world_matrices(before), new_world = model::rest_world_matrices(after);
    model::Skin result = skin;
    result.joints.clear();
    std::vector<std::uint32_t> entry_of;
    for (const SkinJoint& entry : skin.joints) {
        const int joint = target[at(entry.joint)];
        const Mat4d &from = old_world[at(entry.joint)], &to = new_world[at(joint)];
        const bool same = (from - to).norm() <= 1e-9 * (1 + from.norm());
        const Mat4d bind =
            same ? entry.inverse_bind : Mat4d(math::inverse_affine(to) * from * entry.inverse_bind);
        entry_of.push_back(entry_with(result.joints, joint, bind));
    }
    for (model::Influence& influence : result.influences) influence.joint = entry_of[influence.joint];
    model::clean(result);
    return result;
}

/// A character with another skeleton whose joints match by name and keep their positions; `heirs` are pairs
/// of names: the second joint moves the vertices that the first moved. New joints move with the joint that
/// `leader` names.
Character followed(const Character& character, Skeleton after,
                   const std::vector<std::pair<std::string, std::string>>& heirs = {},
                   const std::string& leader = {}) {
    const Skeleton& before = character.skeleton;
    std::vector<int> target, source;
    for (const model::Joint& joint : before.joints) {
        int now = after.find(joint.name);
        for (const auto& [gone, heir] : heirs)
            if (gone == joint.name) now = after.find(heir);
        target.push_back(now);
    }
    for (const model::Joint& joint : after.joints) {
        const int old = before.find(joint.name);
        source.push_back(old >= 0 ? old : before.find(leader));
    }
    Character result = character;
    result.skin = followed_skin(character.skin, before, after, target);
    for (model::Clip& clip : result.clips) clip = followed_clip(clip, before, after, source);
    result.skeleton = std::move(after);
    return result;
}

/// A character with the same joints at other rest positions, and possibly additional joints.
Character moved(const Character& character, Skeleton after) {
    std::vector<int> target;
    for (const model::Joint& joint : character.skeleton.joints) target.push_back(after.find(joint.name));
    Character result = character;
    result.skin = followed_skin(character.skin, character.skeleton, after, target);
    for (model::Clip& clip : result.clips) clip = adapted_clip(clip, character.skeleton, after);
    result.skeleton = std::move(after);
    return result;
}

}  // namespace

void check_skin(const Character& character) {
    if (!character.has_skin()) fail(character.name, "has no skin weights");
    if (character.skin.vertex_count() != character.mesh.vertex_count())
        fail(character.name, "weights of {} vertices for a mesh of {}", character.skin.vertex_count(),
             character.mesh.vertex_count());
}

void set_weights(Character& character, const WeightTable& table) {
    const auto world = model::rest_world_matrices(character.skeleton);
    std::vector<int> entry_of(character.skeleton.size(), -1);
    auto& palette = character.skin.joints;
    for (std::size_t i = palette.size(); i-- > 0;) entry_of[at(palette[i].joint)] = static_cast<int>(i);
    const auto entry = [&](int joint) {
        if (entry_of[at(joint)] >= 0) return entry_of[at(joint)];
        int relative = joint;
        while (relative >= 0 && entry_of[at(relative)] < 0)
            relative = character.skeleton.joints[at(relative)].parent;
        const Mat4d to_rest =
            relative < 0 ? Mat4d(Mat4d::Identity())
                         : Mat4d(world[at(relative)] * palette[at(entry_of[at(relative)])].inverse_bind);
        palette.push_back({joint, math::inverse_affine(world[at(joint)]) * to_rest});
        return entry_of[at(joint)] = static_cast<int>(palette.size()) - 1;
    };
    model::Skin skin;
    std::vector<model::Influence> list;
    for (std::size_t v = 0; v < table.size(); ++v) {
        list.clear();
        for (const JointWeight& part : table[v])
            list.push_back({static_cast<std::uint32_t>(entry(part.joint)), static_cast<float>(part.weight)});
        if (list.empty())  // unspecified: unchanged
            list.assign(character.skin.of(v).begin(), character.skin.of(v).end());
        skin.push_vertex(list);
    }
    skin.joints = palette;
    model::clean(skin, {0, 1e-6f});
    character.skin = std::move(skin);
}

namespace {

MirrorPlane plane_of(const Character& character) {
    const auto plane = character.has_mesh() ? mirror_plane(character.mesh) : mirror_plane(character.skeleton);
    if (!plane) fail(character.name, "has no plane of symmetry to mirror in");
    return *plane;
}

void mirror_table(Character& character, const MirrorPlane& plane, model::Side from) {
    const auto twin = pair_joints(character.skeleton, model::find_roles(character.skeleton), plane);
    const bool positive = is_positive_side(character.skeleton, plane, from);
    set_weights(character, mirror_weights(character.mesh, table_of(character.skin), plane, twin, positive));
}

const std::string& name_of_joint(const Character& character, int joint) {
    if (joint < 0 || at(joint) >= character.skeleton.size())
        fail(edited, "there is no joint {}; the skeleton has {}", joint, character.skeleton.size());
    return character.skeleton.joints[at(joint)].name;
}

}  // namespace

int joint_named(const model::Skeleton& skeleton, std::string_view name) {
    if (const int joint = skeleton.find(name); joint >= 0) return joint;
    int found = -1, count = 0;
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        if (!equal_ignoring_case(skeleton.joints[j].name, name)) continue;
        found = static_cast<int>(j);
        ++count;
    }
    if (count == 1) return found;
    if (skeleton.empty()) fail(edited, "there is no joint \"{}\": the skeleton is empty", name);
    fail(edited, "there is no joint \"{}\"; the nearest names are {}", name, near_names(skeleton, name));
}

Character rename_joint(const Character& character, int joint, const std::string& name) {
    Character result = character;
    result.skeleton = rename_joint(character.skeleton, joint, name);
    return result;
}

Character reparent_joint(const Character& character, int joint, int parent) {
    return followed(character, reparent(character.skeleton, joint, parent));
}

Character insert_joint(const Character& character, int joint, double t, const std::string& name) {
    Skeleton after = insert_joint(character.skeleton, joint, t, name);
    const int parent = character.skeleton.joints[at(joint)].parent;
    return followed(character, std::move(after), {}, name_of_joint(character, parent));
}

Character delete_joint(const Character& character, int joint) {
    Skeleton after = delete_joint(character.skeleton, joint);
    if (after.empty()) fail(edited, "\"{}\" is the only joint", name_of_joint(character, joint));
    const int parent = character.skeleton.joints[at(joint)].parent;
    const std::string& heir =
        parent >= 0 ? name_of_joint(character, parent)
                    : name_of_joint(character, model::children(character.skeleton)[at(joint)].front());
    return followed(character, std::move(after), {{name_of_joint(character, joint), heir}});
}

Character merge_joints(const Character& character, int gone, int into) {
    Skeleton after = merge_joints(character.skeleton, into, gone);
    return followed(character, std::move(after),
                    {{name_of_joint(character, gone), name_of_joint(character, into)}});
}

Character split_joint(const Character& character, int joint, double t) {
    const Skeleton& before = character.skeleton;
    const std::string own = name_of_joint(character, joint);
    if (!(t > 0 && t < 1))
        fail(edited, "\"{}\" is split at a part of its bone between 0 and 1, not {}", own, t);
    const auto world = model::rest_world_matrices(before);
    const std::vector<int> below = model::children(before)[at(joint)];
    const auto& tip = before.joints[at(joint)].tip;
    if (below.size() > 1)
        fail(edited, "\"{}\" has {} bones; insert a joint on one of them instead", own, below.size());
    if (below.empty() && !tip) fail(edited, "\"{}\" has no bone to split: no child and no tip", own);
    std::string name;
    for (int number = 2; name.empty() || before.find(name) >= 0; ++number)
        name = fmt::format("{}_{}", own, number);
    const Vec3d start = world[at(joint)].topRightCorner<3, 1>();
    const Vec3d end = below.empty() ? math::transform_point(world[at(joint)], *tip)
                                    : Vec3d(world[at(below[0])].topRightCorner<3, 1>());
    Skeleton after;
    if (below.empty()) {
        after = add_joint(before, joint, start + t * (end - start), name);
        after.joints[at(after.find(name))].tip = (1 - t) * *tip;
    } else {
        after = insert_joint(before, below[0], t, name);
    }
    Character result = followed(character, std::move(after), {}, own);
    if (!result.has_skin()) return result;
    check_skin(result);
    const int first = result.skeleton.find(own), second = result.skeleton.find(name);
    const double soft = std::min(t, 1 - t) / 2, length2 = (end - start).squaredNorm();
    const WeightTable table = table_of(result.skin);
    WeightTable shared;
    for (std::size_t v = 0; v < table.size(); ++v) {
        const Vec3d from = result.mesh.positions[v].cast<double>() - start;
        const double along = length2 > 0 ? from.dot(end - start) / length2 : 0;
        const double x = std::clamp((along - t) / (2 * soft) + 0.5, 0.0, 1.0), part = x * x * (3 - 2 * x);
        WeightRow row;
        for (const JointWeight& entry : table[v]) {
            if (entry.joint != first) row.push_back(entry);
            if (entry.joint != first) continue;
            row.push_back({first, (1 - part) * entry.weight});
            row.push_back({second, part * entry.weight});
        }
        shared.push_row(row);
    }
    set_weights(result, shared);
    return result;
}

Character reroot(const Character& character, int joint) {
    return followed(character, reroot(character.skeleton, joint));
}

Character move_joint(const Character& character, int joint, const Vec3d& position, MoveMode mode) {
    return moved(character, move_joint(character.skeleton, joint, position, mode));
}

Character mirror_joints(const Character& character, model::Side from) {
    const MirrorPlane plane = plane_of(character);
    Character result = moved(character, mirror_side(character.skeleton, plane, from));
    if (result.has_skin() && result.has_mesh()) mirror_table(result, plane, from);
    return result;
}

std::optional<JointMirror> joint_mirror(const Character& character) {
    auto plane = character.has_mesh() ? mirror_plane(character.mesh) : std::nullopt;
    if (!plane) plane = mirror_plane(character.skeleton);
    if (!plane) return std::nullopt;
    return JointMirror{plane->normal, plane->offset,
                       pair_joints(character.skeleton, model::find_roles(character.skeleton), *plane)};
}

Character orient_joints(const Character& character, JointFrames frames) {
    if (frames == JointFrames::bone) return followed(character, orient_joints(character.skeleton).skeleton);
    const auto world = model::rest_world_matrices(character.skeleton);
    const std::vector<Vec3d> positions = model::joint_positions(world);
    Skeleton after = character.skeleton;
    for (std::size_t j = 0; j < after.size(); ++j) {
        model::Joint& joint = after.joints[j];
        const Vec3d origin = joint.parent < 0 ? Vec3d(Vec3d::Zero()) : positions[at(joint.parent)];
        joint.rest = {positions[j] - origin, math::Quatd::Identity(), Vec3d::Ones()};
        if (joint.tip) joint.tip = math::transform_point(world[j], *joint.tip) - positions[j];
        const math::Quatd old(math::nearest_rotation(world[j].topLeftCorner<3, 3>()));
        if (joint.limits) joint.limits->frame = old * joint.limits->frame;
    }
    return followed(character, std::move(after));
}

Character limit_influences(const Character& character, int max_influences, double prune_below) {
    check_skin(character);
    Character result = character;
    model::clean(result.skin, {max_influences, static_cast<float>(prune_below)});
    return result;
}

Character smooth_weights(const Character& character, const SmoothOptions& options) {
    check_skin(character);
    Character result = character;
    WeightTable table = table_of(character.skin);
    smooth_weights(table, character.mesh, character.skeleton, options);
    set_weights(result, table);
    return result;
}

Character limit_slopes(const Character& character, double max) {
    check_skin(character);
    Character result = character;
    WeightTable table = table_of(character.skin);
    limit_slopes(table, character.mesh, character.skeleton, max);
    set_weights(result, table);
    return result;
}

Character mirror_weights(const Character& character, model::Side from) {
    check_skin(character);
    Character result = character;
    mirror_table(result, plane_of(character), from);
    return result;
}

Character gradient_weights(const Character& character, int joint, std::span<const std::uint32_t> vertices,
                           const Vec3d& from, const Vec3d& to, const JointLocks& locks) {
    check_skin(character);
    name_of_joint(character, joint);
    for (const std::uint32_t v : vertices)
        if (v >= character.mesh.vertex_count()) fail("weights", "there is no vertex {}", v);
    Character result = character;
    WeightTable table = table_of(character.skin);
    gradient(table, character.mesh, vertices, joint, from, to, locks);
    set_weights(result, table);
    return result;
}

}  // namespace sinew::rig
