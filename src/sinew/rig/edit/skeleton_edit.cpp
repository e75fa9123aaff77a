// SPDX-License-Identifier: MIT
#include "sinew/rig/edit/skeleton_edit.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "sinew/base/array.h"
#include "sinew/base/error.h"

namespace sinew::rig {
namespace {

using math::Mat3d;
using math::Mat4d;
using model::Joint;

constexpr std::string_view where_wrong = "skeleton";

/// A skeleton with its joints in world space, so that the tree can change freely.
struct Loose {
    struct Item {
        Joint joint;
        Mat4d world;
    };
    std::vector<Item> items;

    explicit Loose(const Skeleton& skeleton) {
        const std::vector<Mat4d> world = model::rest_world_matrices(skeleton);
        for (std::size_t j = 0; j < skeleton.size(); ++j) items.push_back({skeleton.joints[j], world[j]});
    }
    Vec3d position(int j) const { return items[at(j)].world.topRightCorner<3, 1>(); }
    void set_position(int j, const Vec3d& p) { items[at(j)].world.topRightCorner<3, 1>() = p; }
    int add(const std::string& name, int parent, const Vec3d& p, const Mat4d& frame) {
        Item item{{name, parent, {}, {}, {}}, frame};
        item.world.topRightCorner<3, 1>() = p;
        items.push_back(item);
        return static_cast<int>(items.size()) - 1;
    }

    /// Back to local transforms, parents first, without the joint `gone`.
    Skeleton tied(int gone = -1) const {
        std::vector<int> parents;
        for (const Item& item : items) parents.push_back(item.joint.parent);
        Skeleton result;
        std::vector<int> index(items.size(), -1);
        for (const int j : model::parents_first(parents, where_wrong)) {
            if (j == gone) continue;
            const Item& item = items[at(j)];
            index[at(j)] = static_cast<int>(result.size());
            Joint joint = item.joint;
            const bool root = joint.parent < 0;
            const Mat4d local =
                root ? item.world : Mat4d(math::inverse_affine(items[at(joint.parent)].world) * item.world);
            joint.rest = math::decompose(local).transform;
            joint.parent = root ? -1 : index[at(joint.parent)];
            result.joints.push_back(std::move(joint));
        }
        model::make_names_unique(result);
        return result;
    }
};

void check(const Skeleton& skeleton, int joint) {
    if (joint < 0 || at(joint) >= skeleton.size())
        fail(where_wrong, "there is no joint {}; the skeleton has {}", joint, skeleton.size());
}

bool is_below(const Skeleton& skeleton, int joint, int ancestor) {
    for (int j = joint; j >= 0; j = skeleton.joints[at(j)].parent) {
        if (j == ancestor) return true;
    }
    return false;
}

void check_new_name(const Skeleton& skeleton, const std::string& name) {
    if (name.empty()) fail(where_wrong, "a joint needs a name");
    if (skeleton.find(name) >= 0) fail(where_wrong, "there is a joint \"{}\" already", name);
}

}  // namespace

Skeleton insert_joint(const Skeleton& skeleton, int joint, double t, const std::string& name) {
    check(skeleton, joint);
    check_new_name(skeleton, name);
    const int parent = skeleton.joints[at(joint)].parent;
    if (parent < 0)
        fail(where_wrong, "the root \"{}\" has no bone to split", skeleton.joints[at(joint)].name);
    Loose loose(skeleton);
    const Vec3d where = loose.position(parent) + t * (loose.position(joint) - loose.position(parent));
    loose.items[at(joint)].joint.parent = loose.add(name, parent, where, loose.items[at(parent)].world);
    return loose.tied();
}

Skeleton add_joint(const Skeleton& skeleton, int parent, const Vec3d& where, const std::string& name) {
    if (parent != -1) check(skeleton, parent);
    check_new_name(skeleton, name);
    Loose loose(skeleton);
    loose.add(name, parent, where, parent < 0 ? Mat4d(Mat4d::Identity()) : loose.items[at(parent)].world);
    if (parent >= 0) loose.items[at(parent)].joint.tip.reset();
    return loose.tied();
}

Skeleton delete_joint(const Skeleton& skeleton, int joint) {
    check(skeleton, joint);
    const int parent = skeleton.joints[at(joint)].parent;
    const std::vector<int> below = model::children(skeleton)[at(joint)];
    if (parent < 0 && below.size() > 1)
        fail(where_wrong, "\"{}\" is the root of {} branches; choose another root first",
             skeleton.joints[at(joint)].name, below.size());
    Loose loose(skeleton);
    for (const int child : below) loose.items[at(child)].joint.parent = parent;
    return loose.tied(joint);
}

Skeleton move_joint(const Skeleton& skeleton, int joint, const Vec3d& where, MoveMode mode) {
    check(skeleton, joint);
    if (!where.allFinite()) fail(where_wrong, "a joint cannot move to a position that is not finite");
    Loose loose(skeleton);
    const Vec3d shift = where - loose.position(joint);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const int k = static_cast<int>(j);
        const bool moves = k == joint || (mode == MoveMode::with_children && is_below(skeleton, k, joint));
        if (moves) loose.set_position(k, k == joint ? where : Vec3d(loose.position(k) + shift));
    }
    return loose.tied();
}

Skeleton merge_joints(const Skeleton& skeleton, int into, int gone) {
    check(skeleton, into);
    check(skeleton, gone);
    const bool child = skeleton.joints[at(gone)].parent == into,
               parent = skeleton.joints[at(into)].parent == gone;
    if (!child && !parent)
        fail(where_wrong, "\"{}\" and \"{}\" are not neighbours", skeleton.joints[at(into)].name,
             skeleton.joints[at(gone)].name);
    Loose loose(skeleton);
    for (Loose::Item& item : loose.items) {
        if (item.joint.parent == gone) item.joint.parent = into;
    }
    if (parent) loose.items[at(into)].joint.parent = skeleton.joints[at(gone)].parent;
    return loose.tied(gone);
}

Skeleton reroot(const Skeleton& skeleton, int joint) {
    check(skeleton, joint);
    Loose loose(skeleton);
    int above = -1;
    for (int j = joint; j >= 0;) {
        const int next = skeleton.joints[at(j)].parent;
        loose.items[at(j)].joint.parent = above;
        above = j;
        j = next;
    }
    return loose.tied();
}

Skeleton reparent(const Skeleton& skeleton, int joint, int parent) {
    check(skeleton, joint);
    if (parent != -1) check(skeleton, parent);
    if (parent >= 0 && is_below(skeleton, parent, joint))
        fail(where_wrong, "\"{}\" cannot be a child of \"{}\", which is its descendant",
             skeleton.joints[at(joint)].name, skeleton.joints[at(parent)].name);
    Loose loose(skeleton);
    loose.items[at(joint)].joint.parent = parent;
    return loose.tied();
}

Skeleton rename_joint(const Skeleton& skeleton, int joint, const std::string& name) {
    check(skeleton, joint);
    Skeleton result = skeleton;
    if (skeleton.joints[at(joint)].name == name) return result;
    check_new_name(skeleton, name);
    result.joints[at(joint)].name = name;
    return result;
}

Skeleton keep_locked(const Skeleton& fresh, const Skeleton& old, const LockedJoints& locked) {
    const std::vector<Mat4d> world = model::rest_world_matrices(old);
    Loose loose(fresh);
    const auto find = [&](const std::string& name) {
        const auto found = std::find_if(loose.items.begin(), loose.items.end(),
                                        [&](const Loose::Item& item) { return item.joint.name == name; });
        return found == loose.items.end() ? -1 : static_cast<int>(found - loose.items.begin());
    };
    for (const std::string& name : locked) {
        if (old.find(name) < 0) fail(where_wrong, "locked joint \"{}\" is not in the old skeleton", name);
    }
    // In the order of the old skeleton, so that a locked ancestor exists before its descendants.
    for (std::size_t j = 0; j < old.size(); ++j) {
        const Joint& joint = old.joints[j];
        if (!locked.contains(joint.name)) continue;
        const Vec3d where = world[j].topRightCorner<3, 1>();
        int here = find(joint.name);
        if (here < 0) {
            int parent = -1;
            for (int a = joint.parent; a >= 0 && parent < 0; a = old.joints[at(a)].parent)
                parent = find(old.joints[at(a)].name);
            here = loose.add(joint.name, parent, where, world[j]);
            for (const Joint& child : old.joints) {
                const int below = child.parent == static_cast<int>(j) ? find(child.name) : -1;
                if (below >= 0 && loose.items[at(below)].joint.parent == parent)
                    loose.items[at(below)].joint.parent = here;
            }
        }
        loose.set_position(here, where);
    }
    return loose.tied();
}

namespace {

bool is_letter(const std::string& text, std::size_t i) {
    return i < text.size() && std::isalpha(static_cast<unsigned char>(text[i])) != 0;
}

/// A separate single letter, or one that starts the name before a capital: "l_arm", "arm.L", "rShldr".
bool stands_alone(const std::string& name, std::size_t i) {
    const bool before = i > 0 && is_letter(name, i - 1);
    if (before) return false;
    const bool hump = is_letter(name, i + 1) && std::isupper(static_cast<unsigned char>(name[i + 1])) != 0;
    return !is_letter(name, i + 1) || hump;
}

char other_letter(char c) {
    switch (c) {
        case 'l':
            return 'r';
        case 'r':
            return 'l';
        case 'L':
            return 'R';
        case 'R':
            return 'L';
        default:
            return c;
    }
}

}  // namespace

std::string mirrored_name(const std::string& name) {
    constexpr std::array<std::array<const char*, 2>, 6> words = {{{"Left", "Right"},
                                                                  {"Right", "Left"},
                                                                  {"left", "right"},
                                                                  {"right", "left"},
                                                                  {"LEFT", "RIGHT"},
                                                                  {"RIGHT", "LEFT"}}};
    for (const auto& [from, to] : words) {
        const std::size_t where = name.find(from);
        if (where == std::string::npos) continue;
        return name.substr(0, where) + to + name.substr(where + std::string_view(from).size());
    }
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (other_letter(name[i]) == name[i] || !stands_alone(name, i)) continue;
        std::string result = name;
        result[i] = other_letter(name[i]);
        return result;
    }
    // "lfemur": a side without a separator, which only the table of aliases recognises.
    if (name.empty() || model::role_from_name(name).side == model::Side::none) return {};
    std::string result = name;
    result[0] = other_letter(name[0]);
    return result == name ? std::string() : result;
}

bool is_positive_side(const Skeleton& skeleton, const MirrorPlane& plane, model::Side side) {
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    const std::vector<Vec3d> points = model::joint_positions(model::rest_world_matrices(skeleton));
    double lean = 0;
    for (std::size_t j = 0; j < points.size(); ++j) {
        if (roles[j].side == model::Side::left) lean += plane.side(points[j]);
        if (roles[j].side == model::Side::right) lean -= plane.side(points[j]);
    }
    return (lean < 0) != (side == model::Side::left);
}

model::Skeleton mirror_side(const model::Skeleton& skeleton, const MirrorPlane& plane, model::Side from) {
    if (from == model::Side::none) fail("skeleton", "the side to mirror is left or right");
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    std::vector<int> twin = pair_joints(skeleton, roles, plane);
    const std::vector<Vec3d> points = model::joint_positions(model::rest_world_matrices(skeleton));
    const double sign = is_positive_side(skeleton, plane, from) ? 1 : -1;
    model::Skeleton result = skeleton;
    for (std::size_t j = 0; j < points.size(); ++j) {
        const bool own = twin[j] == static_cast<int>(j);
        const bool on_side =
            roles[j].side == from || (roles[j].side == model::Side::none && sign * plane.side(points[j]) > 0);
        if (own || !on_side) continue;
        const Vec3d image = plane.reflect(points[j]);
        if (twin[j] >= 0) {
            const int target = result.find(skeleton.joints[at(twin[j])].name);
            result = move_joint(result, target, image);
            continue;
        }
        std::string name = mirrored_name(skeleton.joints[j].name);
        if (name.empty() || result.find(name) >= 0) name = skeleton.joints[j].name + "_mirrored";
        const int parent = skeleton.joints[j].parent;
        // The twin of a parent that was just created exists only in the result.
        std::string above = parent < 0 ? std::string() : skeleton.joints[at(parent)].name;
        if (parent >= 0 && twin[at(parent)] >= 0)
            above = skeleton.joints[at(twin[at(parent)])].name;
        else if (parent >= 0 && result.find(mirrored_name(above)) >= 0)
            above = mirrored_name(above);
        result = add_joint(result, parent < 0 ? -1 : result.find(above), image, name);
    }
    return result;
}

}  // namespace sinew::rig
