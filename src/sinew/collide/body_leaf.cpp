// Leaves: their vertices in single precision, and what bounds those.

#include <algorithm>
#include <cmath>

#include "sinew/collide/body.h"

namespace sinew::collide {

using deform::Method;

/// How far other code may have the vertices of a leaf.
double Body::leaf_slack(const LeafBlend& blend) const {
    const std::size_t n = tree_->max_set_joints;
    if (method_ == Method::lbs) return linear_slack(n) - displacements_.bound;
    const double least = std::sqrt(static_cast<double>(blend.length2));
    return dual_slack(n, least, 2 * std::sqrt(static_cast<double>(blend.center2))) - displacements_.bound +
           static_cast<double>(blend.gap);
}

/// Places without a triangle repeat the first, with a box that meets nothing.
void Body::fill_block(const Node& leaf, std::uint32_t k, TriangleBlock& block) const {
    const std::uint32_t first = leaf.first_triangle + k * block_size,
                        count = std::min(block_size, leaf.triangle_count - k * block_size);
    block.planes = block.slab = false;
    for (std::uint32_t group = 0; group < block_size; group += 4) {
        const geometry::Triangle* triangles[4];
        for (std::uint32_t i = 0; i < 4; ++i)
            triangles[i] = &tree_->triangles[first + (group + i < count ? group + i : 0)];
        Float4 low[3], high[3];
        for (std::size_t corner = 0; corner < 3; ++corner) {
            const auto at = [&](int i) { return load4(vertices_[(*triangles[i])[corner]].at); };
            Float4 rows[4]{at(0), at(1), at(2), at(3)};
            transpose4(rows[0], rows[1], rows[2], rows[3]);
            for (int axis = 0; axis < 3; ++axis) {
                store4(block.corners[corner][axis] + group, rows[axis]);
                low[axis] = corner == 0 ? rows[axis] : min4(low[axis], rows[axis]);
                high[axis] = corner == 0 ? rows[axis] : max4(high[axis], rows[axis]);
            }
        }
        for (int axis = 0; axis < 3; ++axis) {
            store4(block.boxes.low[axis] + group, low[axis]);
            store4(block.boxes.high[axis] + group, high[axis]);
        }
    }
    constexpr float most = std::numeric_limits<float>::max();
    for (std::uint32_t i = count; i < block_size; ++i) {
        block.boxes.low[0][i] = most;
        block.boxes.high[0][i] = -most;
    }
}

/// Boxes of the blocks and of the whole leaf: exactly around the vertices as they are.
void Body::fill_leaf_boxes(std::uint32_t node) {
    const Node& leaf = tree_->nodes[node];
    const Float4 most = all4(std::numeric_limits<float>::max()), least = all4(0) - most;
    const std::uint32_t end = leaf.first_triangle + leaf.triangle_count;
    std::uint32_t t = leaf.first_triangle, block = leaf.first_block;
    Float4 lowest = most, highest = least;
    while (t < end) {
        Float4 low = most, high = least;
        for (const std::uint32_t stop = std::min(end, t + block_size); t < stop; ++t) {
            // Triangle by triangle, so that only one step of each waits for the one before.
            const geometry::Triangle& triangle = tree_->triangles[t];
            const Float4 a = load4(vertices_[triangle[0]].at), b = load4(vertices_[triangle[1]].at),
                         c = load4(vertices_[triangle[2]].at);
            low = min4(low, min4(min4(a, b), c));
            high = max4(high, max4(max4(a, b), c));
        }
        block_boxes_[block++] = {stored4(low), stored4(high)};
        lowest = min4(lowest, low);
        highest = max4(highest, high);
    }
    leaf_boxes_[node] = {stored4(lowest), stored4(highest)};
}

namespace {

/// Largest squared distance of points from a centre; not a number when one is.
float farthest2(std::span<const Point4> points, Float4 center) {
    Float4 most = all4(0), sum = all4(0);
    for (std::size_t i = 0; i < points.size(); i += 4) {
        const auto squares = [&](std::size_t k) {
            const Float4 off = load4(points[std::min(k, points.size() - 1)].at) - center;
            return off * off;
        };
        Float4 x = squares(i), y = squares(i + 1), z = squares(i + 2), last = squares(i + 3);
        transpose4(x, y, z, last);
        const Float4 distance2 = x + y + z;
        most = max4(most, distance2);
        sum = sum + distance2;
    }
    return std::isfinite(sum4(sum)) ? largest_of(most) : std::numeric_limits<float>::quiet_NaN();
}

}  // namespace

/// Of a leaf from its vertices, centred where the blend of the middlemost takes the rest centre: of a rigid
/// leaf that is the smallest.
StoredBall Body::leaf_ball(std::uint32_t index, QueryScratch& room) {
    need_leaf(index, room);
    const Node& leaf = tree_->nodes[index];
    LeafBlend blend = leaf_blends_.empty() ? LeafBlend{} : leaf_blends_[index];
    const std::uint32_t v = leaf.first_vertex;
    const Point4 center = blended(tree_->vertex_sets[v], tree_->weights.data() + tree_->vertex_weights[v],
                                  leaf.ball.center, blend.length2);
    const float radius2 = farthest2({vertices_.data() + v, leaf.vertex_count}, load4(center.at));
    const double radius = std::sqrt(static_cast<double>(radius2)) * (1 + 1e-6) + leaf_slack(blend);
    return {center.point(), static_cast<float>(radius * (1 + 1e-7))};
}

}  // namespace sinew::collide
