// What on-demand refits are measured against: all balls at once, from the vertices.

#include <algorithm>
#include <cmath>

#include "sinew/collide/body.h"
#include "sinew/collide/miniball.h"
#include "sinew/collide/query.h"

namespace sinew::collide {
namespace {

/// About the middle of the box around `count` balls that lie `stride` floats apart.
StoredBall about_the_middle(const float* balls, std::size_t count, std::size_t stride, bool with_radius) {
    Float4 low = all4(std::numeric_limits<float>::max()), high = all4(-std::numeric_limits<float>::max());
    for (std::size_t i = 0; i < count; ++i) {
        const Float4 ball = load4(balls + i * stride);
        const Float4 radius = with_radius ? spread4<3>(ball) : all4(0);
        low = min4(low, ball - radius);
        high = max4(high, ball + radius);
    }
    const Float4 xyz = make4(1, 1, 1, 0), center = (low + high) * make4(0.5f, 0.5f, 0.5f, 0);
    float radius = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Float4 ball = load4(balls + i * stride), off = ball * xyz - center;
        const float squared = dot4(off, off);
        radius = std::max(radius, with_radius ? std::sqrt(squared) + balls[i * stride + 3] : squared);
    }
    if (!with_radius) radius = std::sqrt(radius);
    return {stored4(center).point(), radius * (1 + 0x1p-20f)};
}

}  // namespace

/// Leaves around their vertices, parents around their children (Brown et al. 2001). Children follow their
/// parents in the list, so one pass from the end does it.
void Body::fill_bottom_up(QueryScratch& room, std::span<const Vec3f> vertices) {
    static_assert(sizeof(StoredBall) == sizeof(Point4));
    for (auto n = static_cast<std::uint32_t>(tree_->nodes.size()); n-- > 0;) {
        const Node& node = tree_->nodes[n];
        ++room.counts.refits;
        if (node.leaf()) {
            if (vertices.empty()) {
                if (shape_ != nullptr) shape_->prepare_leaf(n);
                deform_leaf(node);
                room.counts.vertices += node.vertex_count;
            } else {
                copy_leaf(node, vertices);
            }
            fill_leaf_boxes(n);
            leaf_stamps_.publish(n, pose_);
            balls_[n] = about_the_middle(vertices_[node.first_vertex].at, node.vertex_count, 4, false);
        } else {
            balls_[n] = about_the_middle(balls_[node.first_child].center.data(), node.child_count, 4, true);
        }
        stamps_.publish(n, pose_);
    }
}

void Body::fill_best(QueryScratch& room, std::span<const Vec3f> vertices) {
    fill_bottom_up(room, vertices);
    for (std::size_t n = 0; n < tree_->nodes.size(); ++n) {
        const Node& node = tree_->nodes[n];
        room.exact_images.clear();
        for (std::uint32_t v = node.first_vertex; v < node.first_vertex + node.vertex_count; ++v)
            room.exact_images.push_back(vertices_[v].point().cast<double>());
        balls_[n] = smallest_stored_ball(room.exact_images);
    }
}

}  // namespace sinew::collide
