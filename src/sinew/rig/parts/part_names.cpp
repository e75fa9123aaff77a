#include "sinew/rig/parts/part_names.h"

#include <algorithm>

#include "sinew/model/roles.h"
#include "sinew/rig/symmetry.h"

namespace sinew::rig {
namespace {

using geometry::CutMesh;
using geometry::PartTree;
using geometry::Vec3d;

/// The first part of the limb that each part belongs to: up to where the tree branches.
std::vector<int> limb_starts(const PartTree& tree) {
    std::vector<int> children(tree.parent.size(), 0), first(tree.parent.size());
    for (const int parent : tree.parent)
        if (parent >= 0) ++children[static_cast<std::size_t>(parent)];
    for (const int part : tree.order) {
        const int up = tree.parent[static_cast<std::size_t>(part)];
        const bool goes_on = up >= 0 && up != tree.root() && children[static_cast<std::size_t>(up)] == 1;
        first[static_cast<std::size_t>(part)] = goes_on ? first[static_cast<std::size_t>(up)] : part;
    }
    return first;
}

/// The point of each part that is farthest from where its limb starts, which does not depend on the cuts.
std::vector<Vec3d> ends_of(const CutMesh& cut, const PartTree& tree, const std::vector<Vec3d>& starts) {
    std::vector<Vec3d> ends = starts, from;
    for (const int part : limb_starts(tree)) from.push_back(starts[static_cast<std::size_t>(part)]);
    for (std::size_t t = 0; t < cut.triangles.size(); ++t) {
        const auto p = static_cast<std::size_t>(cut.part_of[t]);
        for (const std::uint32_t corner : cut.triangles[t])
            if ((cut.points[corner] - from[p]).squaredNorm() > (ends[p] - from[p]).squaredNorm())
                ends[p] = cut.points[corner];
    }
    return ends;
}

/// Openings of the parts; the root stands between those of its children.
std::vector<Vec3d> starts_of(const PartTree& tree) {
    std::vector<Vec3d> starts;
    Vec3d sum = Vec3d::Zero();
    double count = 0;
    for (std::size_t p = 0; p < tree.parent.size(); ++p) {
        starts.push_back(tree.openings[p].centre);
        if (tree.parent[p] != tree.root()) continue;
        sum += starts[p];
        ++count;
    }
    if (count > 0) starts[static_cast<std::size_t>(tree.root())] = sum / count;
    return starts;
}

}  // namespace

std::vector<std::string> names_by_shape(const CutMesh& cut, const PartTree& tree) {
    const std::vector<Vec3d> starts = starts_of(tree), ends = ends_of(cut, tree, starts);
    std::vector<int> joint_of(tree.parent.size(), -1);
    std::vector<char> leaf(tree.parent.size(), 1);
    for (const int parent : tree.parent)
        if (parent >= 0) leaf[static_cast<std::size_t>(parent)] = 0;
    model::Skeleton skeleton;
    for (const int part : tree.order) {
        const auto p = static_cast<std::size_t>(part);
        const int up = tree.parent[p];
        model::Joint joint;
        joint.parent = up < 0 ? -1 : joint_of[static_cast<std::size_t>(up)];
        joint.rest.translation = up < 0 ? starts[p] : Vec3d(starts[p] - starts[static_cast<std::size_t>(up)]);
        if (leaf[p] != 0) joint.tip = ends[p] - starts[p];
        joint_of[p] = static_cast<int>(skeleton.size());
        skeleton.joints.push_back(std::move(joint));
    }
    const std::vector<model::JointRole> roles = model::roles_from_shape(skeleton);
    std::vector<std::string> names;
    for (const int joint : joint_of) {
        names.push_back(model::canonical_name(roles[static_cast<std::size_t>(joint)]));
        if (std::count(names.begin(), names.end(), names.back()) > 1) names.back().clear();
    }
    return names;
}

void name_twins(const std::vector<int>& twins, std::vector<std::string>& names) {
    for (std::size_t p = 0; p < twins.size(); ++p) {
        if (twins[p] <= static_cast<int>(p)) continue;
        const auto q = static_cast<std::size_t>(twins[p]);
        const model::Role a = model::role_from_name(names[p]).role, b = model::role_from_name(names[q]).role;
        // Roles rise from the trunk outwards: the part nearer to it is the surer one.
        const bool first = b == model::Role::none || (a != model::Role::none && a <= b);
        const std::string wanted = mirrored_name(names[first ? p : q]);
        if (wanted.empty() || std::count(names.begin(), names.end(), wanted) > 0) continue;
        names[first ? q : p] = wanted;
    }
}

}  // namespace sinew::rig
