#include "sinew/deform/parts/part_collision.h"

#include <algorithm>

#include "sinew/geometry/cut_mesh.h"

namespace sinew::deform {
namespace {

using geometry::OrientedBox;
using geometry::Vec3d;

OrientedBox moved(const OrientedBox& box, const math::Rigidd& by) {
    OrientedBox result = box;
    result.centre = by * box.centre;
    result.axes = math::to_matrix(by.rotation) * box.axes;
    return result;
}

}  // namespace

PartCollision::PartCollision(const geometry::CutMesh& cut, const geometry::PartTree& tree,
                             std::span<const geometry::PartFeatures> features, bool exact)
    : exact_(exact) {
    const std::size_t count = tree.parent.size();
    for (const geometry::PartFeatures& feature : features) boxes_.push_back(feature.box);
    if (exact) {
        triangles_.resize(count);
        for (std::size_t t = 0; t < cut.triangles.size(); ++t) {
            const geometry::Triangle& c = cut.triangles[t];
            triangles_[static_cast<std::size_t>(cut.part_of[t])].push_back(
                {cut.points[c[0]], cut.points[c[1]], cut.points[c[2]]});
        }
    }
    subtrees_.resize(count);
    others_.resize(count);
    for (int p = 0; p < static_cast<int>(count); ++p) {
        for (int up = p; up >= 0; up = tree.parent[static_cast<std::size_t>(up)])
            subtrees_[static_cast<std::size_t>(up)].push_back(p);
    }
    for (std::size_t p = 0; p < count; ++p)
        for (int q = 0; q < static_cast<int>(count); ++q)
            if (!std::ranges::binary_search(subtrees_[p], q)) others_[p].push_back(q);
    counted_.assign(count * count, 1);
    const auto leave_out = [&](int a, int b) { counted_[index(a, b)] = counted_[index(b, a)] = 0; };
    for (const geometry::PartContact& contact : geometry::part_contacts(cut)) leave_out(contact.a, contact.b);
    const std::vector<math::Rigidd> rest(count);
    for (int a = 0; a < static_cast<int>(count); ++a)
        for (int b = a; b < static_cast<int>(count); ++b)
            if (a == b || (counts(a, b) && collide(a, b, rest))) leave_out(a, b);
}

bool PartCollision::triangles_collide(int a, int b, std::span<const math::Rigidd> world) const {
    const auto ia = static_cast<std::size_t>(a), ib = static_cast<std::size_t>(b);
    const math::Rigidd to_a = world[ia].inverse() * world[ib];
    std::vector<geometry::TriangleCorners> seen = triangles_[ib];
    for (geometry::TriangleCorners& corners : seen)
        for (Vec3d& corner : corners) corner = to_a * corner;
    return geometry::surfaces_cross(triangles_[ia], seen);
}

bool PartCollision::collide(int a, int b, std::span<const math::Rigidd> world) const {
    const auto ia = static_cast<std::size_t>(a), ib = static_cast<std::size_t>(b);
    if (!geometry::overlap(moved(boxes_[ia], world[ia]), moved(boxes_[ib], world[ib]))) return false;
    return !exact_ || triangles_collide(a, b, world);
}

std::optional<PartPair> PartCollision::first_hit(int part, std::span<const math::Rigidd> world) const {
    struct Near {
        double w;
        PartPair pair;
    };
    std::vector<Near> near;
    for (const int a : subtree(part)) {
        const auto ia = static_cast<std::size_t>(a);
        const Vec3d centre = world[ia] * boxes_[ia].centre;
        for (const int b : others(part)) {
            if (!counts(a, b)) continue;
            const auto ib = static_cast<std::size_t>(b);
            const double reach = boxes_[ia].radius() + boxes_[ib].radius();
            const double w = (world[ib] * boxes_[ib].centre - centre).squaredNorm() / (reach * reach);
            if (w <= 1) near.push_back({w, {a, b}});
        }
    }
    std::ranges::stable_sort(near, {}, &Near::w);
    for (const Near& n : near)
        if (collide(n.pair.a, n.pair.b, world)) return n.pair;
    return std::nullopt;
}

}  // namespace sinew::deform
