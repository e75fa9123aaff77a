// Editing one side and having the other follow.
#include <array>
#include <cctype>

#include "sinew/base/error.h"
#include "sinew/base/array.h"
#include "sinew/rig/skeleton_edit.h"
#include "sinew/rig/symmetry.h"

namespace sinew::rig {
namespace {

bool is_letter(const std::string& text, std::size_t i) {
    return i < text.size() && std::isalpha(static_cast<unsigned char>(text[i])) != 0;
}

/// A single letter that stands alone, or starts the name before a capital: "l_arm", "arm.L", "rShldr".
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
    // "lfemur": a side that is stuck to its word, which only the table of aliases can tell.
    if (name.empty() || model::role_from_name(name).side == model::Side::none) return {};
    std::string result = name;
    result[0] = other_letter(name[0]);
    return result == name ? std::string() : result;
}

model::Skeleton mirror_side(const model::Skeleton& skeleton, const MirrorPlane& plane, model::Side from) {
    if (from == model::Side::none) fail("skeleton", "the side to mirror is left or right");
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    std::vector<int> twin = pair_joints(skeleton, roles, plane);
    const std::vector<Vec3d> points = model::joint_positions(model::rest_world_matrices(skeleton));
    // Which side of the plane is meant follows from the joints whose names say so, else +normal is left.
    double lean = 0;
    for (std::size_t j = 0; j < points.size(); ++j) {
        if (roles[j].side == model::Side::left) lean += plane.side(points[j]);
        if (roles[j].side == model::Side::right) lean -= plane.side(points[j]);
    }
    const double sign = (lean < 0) == (from == model::Side::left) ? -1 : 1;
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
        // The twin of a parent that was only just made has its name in the result alone.
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
