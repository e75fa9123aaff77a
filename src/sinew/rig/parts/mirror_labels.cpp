// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "sinew/base/array.h"
#include "sinew/base/parallel.h"
#include "sinew/geometry/surface_queries.h"
#include "sinew/model/roles.h"
#include "sinew/rig/parts/labels.h"
#include "sinew/rig/templates/symmetry.h"

namespace sinew::rig {
namespace {

/// Fraction of a label that may lie beyond the plane when it belongs to one side.
constexpr double beyond = 0.1;
/// Fraction of a limb that must be the image of another one, its twin.
constexpr double alike_areas = 0.3;
/// Fraction of a label that must have an image: a limb in another pose than its twin has little.
constexpr double imaged = 0.8;

std::size_t count_of(const std::vector<int>& labels) {
    return labels.empty() ? 0 : sinew::at(*std::max_element(labels.begin(), labels.end())) + 1;
}

/// The side of each label: +1, -1, or 0 in the middle.
std::vector<int> sides_of(const FaceGraph& graph, const FaceMirror& mirror, const std::vector<int>& labels) {
    std::vector<std::array<double, 2>> areas(count_of(labels), {0, 0});
    for (std::size_t f = 0; f < labels.size(); ++f)
        areas[sinew::at(labels[f])][mirror.side[f] > 0 ? 1 : 0] += graph.areas[f];
    std::vector<int> sides;
    for (const auto& [low, high] : areas)
        sides.push_back(std::min(low, high) > beyond * (low + high) ? 0 : high > low ? 1 : -1);
    return sides;
}

/// Whether most of each label has an image.
std::vector<char> have_images(const FaceGraph& graph, const FaceMirror& mirror,
                              const std::vector<int>& labels) {
    std::vector<std::array<double, 2>> areas(count_of(labels), {0, 0});
    for (std::size_t f = 0; f < labels.size(); ++f)
        areas[sinew::at(labels[f])][mirror.image[f] >= 0 ? 1 : 0] += graph.areas[f];
    std::vector<char> have;
    for (const auto& [without, with] : areas) have.push_back(with >= imaged * (without + with) ? 1 : 0);
    return have;
}

class Groups {
  public:
    explicit Groups(std::size_t count) : up_(count) { std::iota(up_.begin(), up_.end(), 0); }
    int top(int item) {
        while (up_[sinew::at(item)] != item)
            item = up_[sinew::at(item)] = up_[sinew::at(up_[sinew::at(item)])];
        return item;
    }
    void join(int a, int b) { up_[sinew::at(std::max(top(a), top(b)))] = std::min(top(a), top(b)); }

  private:
    std::vector<int> up_;
};

using Overlap = std::map<std::array<int, 2>, double>;  ///< area of one that has its image in the other

/// Of any grouping of faces.
Overlap overlaps(const FaceGraph& graph, const FaceMirror& mirror, const std::vector<int>& groups) {
    Overlap area;
    for (std::size_t f = 0; f < groups.size(); ++f)
        if (mirror.image[f] >= 0) area[{groups[f], groups[sinew::at(mirror.image[f])]}] += graph.areas[f];
    return area;
}

/// Limbs, connected on one side, together with their twins: one group each. Each label in the middle is a
/// separate group.
Groups limb_groups(const FaceGraph& graph, const FaceMirror& mirror, const std::vector<int>& labels,
                   const std::vector<int>& sides) {
    Groups groups(sides.size());
    for (const FaceLink& link : graph.links) {
        const int a = labels[link.a], b = labels[link.b];
        if (a != b && sides[sinew::at(a)] != 0 && sides[sinew::at(a)] == sides[sinew::at(b)])
            groups.join(a, b);
    }
    std::vector<int> limbs;
    std::vector<double> areas(sides.size(), 0);
    for (std::size_t f = 0; f < labels.size(); ++f) {
        limbs.push_back(groups.top(labels[f]));
        areas[sinew::at(limbs.back())] += graph.areas[f];
    }
    for (const auto& [pair, area] : overlaps(graph, mirror, limbs))
        if (sides[sinew::at(pair[0])] * sides[sinew::at(pair[1])] < 0 &&
            area > alike_areas * areas[sinew::at(pair[0])])
            groups.join(pair[0], pair[1]);
    return groups;
}

/// Copies labels across the plane: a copy gets the label of the twin, or a new one.
class Copier {
  public:
    Copier(const FaceGraph& graph, const FaceMirror& mirror, std::vector<int>& labels, std::vector<int> sides)
        : mirror_(mirror), labels_(labels), sides_(std::move(sides)), twin_(sides_.size(), -1) {
        std::vector<std::pair<double, std::array<int, 2>>> order;
        for (const auto& [pair, area] : overlaps(graph, mirror, labels))
            if (sides_[sinew::at(pair[0])] * sides_[sinew::at(pair[1])] < 0) order.emplace_back(-area, pair);
        std::sort(order.begin(), order.end());
        for (const auto& [area, pair] : order) {
            if (twin_[sinew::at(pair[0])] >= 0 || twin_[sinew::at(pair[1])] >= 0) continue;
            twin_[sinew::at(pair[0])] = pair[1];
            twin_[sinew::at(pair[1])] = pair[0];
        }
    }

    /// Faces on one side for which `wanted(own label, label of the image)` holds.
    template <class Wanted>
    void copy_to(int side, const Wanted& wanted) {
        const std::vector<int> before = labels_;
        for (std::size_t f = 0; f < labels_.size(); ++f) {
            if (mirror_.side[f] != side || mirror_.image[f] < 0) continue;
            const int from = before[sinew::at(mirror_.image[f])];
            if (wanted(before[f], from)) labels_[f] = twin_of(from, side);
        }
    }

  private:
    int twin_of(int label, int side) {
        // In the middle, or a few faces of a limb that reach over the plane.
        if (sides_[sinew::at(label)] != -side) return label;
        if (twin_[sinew::at(label)] < 0) {
            twin_[sinew::at(label)] = static_cast<int>(sides_.size());
            sides_.push_back(side);
            twin_.push_back(label);
        }
        return twin_[sinew::at(label)];
    }

    const FaceMirror& mirror_;
    std::vector<int>& labels_;
    std::vector<int> sides_, twin_;
};

}  // namespace

std::optional<FaceMirror> face_mirror(const geometry::Mesh& mesh, const FaceGraph& graph) {
    constexpr double residual =
        0.3;                        // percent: less similar halves, as of posed bodies, have no mirror plane
    constexpr double reach = 0.01;  // of the size: how far an image may be from its face
    // An error of the plane below the size of a face has no effect here: fewer samples than for a skeleton.
    const auto plane = mirror_plane(mesh, {.tolerance = residual, .samples = 500, .rounds = 12});
    if (!plane) return std::nullopt;
    FaceMirror mirror{*plane, std::vector<int>(graph.size(), -1), std::vector<int>(graph.size(), 1)};
    const geometry::SurfaceQueries surface(mesh);
    const double away = reach * static_cast<double>(geometry::bounds(mesh.positions).diagonal());
    parallel_for(graph.size(), 256, [&](std::size_t f) {
        if (plane->side(graph.middles[f]) < 0) mirror.side[f] = -1;
        const Vec3d image = plane->reflect(graph.middles[f]);
        const auto found = surface.nearest(image.cast<float>(), static_cast<float>(away));
        if (!found) return;
        // The other wall of a thin ear is also near, but faces the opposite direction.
        const Vec3d normal = graph.normals[f] - 2 * plane->normal.dot(graph.normals[f]) * plane->normal;
        if (normal.dot(graph.normals[found->triangle]) > 0)
            mirror.image[f] = static_cast<int>(found->triangle);
    });
    return mirror;
}

std::vector<int> twin_labels(const FaceGraph& graph, const FaceMirror& mirror,
                             const std::vector<int>& labels) {
    std::vector<int> twin(count_of(labels), -1);
    std::vector<double> max(twin.size(), 0);
    for (const auto& [pair, area] : overlaps(graph, mirror, labels)) {
        if (area <= max[sinew::at(pair[0])]) continue;
        max[sinew::at(pair[0])] = area;
        twin[sinew::at(pair[0])] = pair[1];
    }
    for (std::size_t l = 0; l < twin.size(); ++l)
        if (twin[l] >= 0 && twin[sinew::at(twin[l])] != static_cast<int>(l)) twin[l] = -1;
    return twin;
}

void mirror_labels(const FaceGraph& graph, const FaceMirror& mirror, std::vector<int>& labels) {
    const std::vector<int> sides = sides_of(graph, mirror, labels);
    Groups groups = limb_groups(graph, mirror, labels, sides);
    std::vector<int> more(sides.size(), 0);  // of each group: parts on the positive side minus the others
    for (std::size_t l = 0; l < sides.size(); ++l)
        more[sinew::at(groups.top(static_cast<int>(l)))] += sides[l];
    std::vector<char> good(sides.size(), 1);  // of each group
    const std::vector<char> have = have_images(graph, mirror, labels);
    for (std::size_t l = 0; l < sides.size(); ++l)
        if (have[l] == 0) good[sinew::at(groups.top(static_cast<int>(l)))] = 0;
    const auto is_good = [&](int label) {
        return sinew::at(label) >= sides.size() || good[sinew::at(groups.top(label))] != 0;
    };
    const auto loses = [&](int label) {
        return sides[sinew::at(label)] != 0 && more[sinew::at(groups.top(label))] < 0;
    };
    Copier copier(graph, mirror, labels, sides);
    copier.copy_to(1, [&](int own, int image) {
        return is_good(own) && is_good(image) && (loses(own) || loses(image));
    });
    copier.copy_to(-1, [&](int own, int image) { return is_good(own) && is_good(image); });
}

namespace {

using geometry::CutMesh;
using geometry::PartTree;
using math::Vec3d;

/// The first part of the limb that each part belongs to: up to where the tree branches.
std::vector<int> limb_starts(const PartTree& tree) {
    std::vector<int> children(tree.parent.size(), 0), first(tree.parent.size());
    for (const int parent : tree.parent)
        if (parent >= 0) ++children[at(parent)];
    for (const int part : tree.order) {
        const int up = tree.parent[at(part)];
        const bool goes_on = up >= 0 && up != tree.root() && children[at(up)] == 1;
        first[at(part)] = goes_on ? first[at(up)] : part;
    }
    return first;
}

/// The point of each part that is farthest from where its limb starts, which does not depend on the cuts.
std::vector<Vec3d> ends_of(const CutMesh& cut, const PartTree& tree, const std::vector<Vec3d>& starts) {
    std::vector<Vec3d> ends = starts, from;
    for (const int part : limb_starts(tree)) from.push_back(starts[at(part)]);
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
    if (count > 0) starts[at(tree.root())] = sum / count;
    return starts;
}

}  // namespace

std::vector<std::string> names_by_shape(const CutMesh& cut, const PartTree& tree) {
    const std::vector<Vec3d> starts = starts_of(tree), ends = ends_of(cut, tree, starts);
    std::vector<int> joint_of(tree.parent.size(), -1);
    std::vector<char> leaf(tree.parent.size(), 1);
    for (const int parent : tree.parent)
        if (parent >= 0) leaf[at(parent)] = 0;
    model::Skeleton skeleton;
    for (const int part : tree.order) {
        const auto p = static_cast<std::size_t>(part);
        const int up = tree.parent[p];
        model::Joint joint;
        joint.parent = up < 0 ? -1 : joint_of[at(up)];
        joint.rest.translation = up < 0 ? starts[p] : Vec3d(starts[p] - starts[at(up)]);
        if (leaf[p] != 0) joint.tip = ends[p] - starts[p];
        joint_of[p] = static_cast<int>(skeleton.size());
        skeleton.joints.push_back(std::move(joint));
    }
    const std::vector<model::JointRole> roles = model::roles_from_shape(skeleton);
    std::vector<std::string> names;
    for (const int joint : joint_of) {
        names.push_back(model::canonical_name(roles[at(joint)]));
        if (std::count(names.begin(), names.end(), names.back()) > 1) names.back().clear();
    }
    return names;
}

void name_twins(const std::vector<int>& twins, std::vector<std::string>& names) {
    for (std::size_t p = 0; p < twins.size(); ++p) {
        if (twins[p] <= static_cast<int>(p)) continue;
        const auto q = static_cast<std::size_t>(twins[p]);
        const model::Role a = model::role_from_name(names[p]).role, b = model::role_from_name(names[q]).role;
        // Roles increase from the trunk outwards: the part nearer to it is more certain.
        const bool first = b == model::Role::none || (a != model::Role::none && a <= b);
        const std::string wanted = mirrored_name(names[first ? p : q]);
        if (wanted.empty() || std::count(names.begin(), names.end(), wanted) > 0) continue;
        names[first ? q : p] = wanted;
    }
}

}  // namespace sinew::rig
