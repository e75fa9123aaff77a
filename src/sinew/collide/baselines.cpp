// What on-demand refits are measured against: all balls at once, from the vertices.

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/collide/body.h"
#include "sinew/collide/miniball.h"

namespace sinew::collide {

/// Leaves around their vertices, parents around their children (Brown et al. 2001). Children follow their
/// parents in the list, so one pass from the end does it.
void Body::fill_bottom_up(RefitRoom& room, std::span<const Vec3f> vertices) {
    fill_vertices(room, vertices);
    for (std::size_t n = tree_->nodes.size(); n-- > 0;) {
        const Node& node = tree_->nodes[n];
        ++room.counts.refits;
        if (node.leaf()) {
            keep(n, stored(leaf_ball(node, room)));
            continue;
        }
        room.balls.clear();
        for (std::uint32_t c = 0; c < node.child_count; ++c)
            room.balls.push_back(balls_[node.first_child + c].widen());
        keep(n, stored(ball_of_balls(room.balls)));
    }
}

void Body::fill_best(RefitRoom& room, std::span<const Vec3f> vertices) {
    fill_vertices(room, vertices);
    std::vector<std::uint32_t> used;
    for (std::size_t n = 0; n < tree_->nodes.size(); ++n) {
        const Node& node = tree_->nodes[n];
        used.clear();
        for (std::uint32_t t = 0; t < node.triangle_count; ++t) {
            const auto& triangle = tree_->triangles[node.first_triangle + t];
            used.insert(used.end(), triangle.begin(), triangle.end());
        }
        std::ranges::sort(used);
        used.erase(std::unique(used.begin(), used.end()), used.end());
        room.images.clear();
        for (const std::uint32_t v : used) room.images.push_back(vertices_[v].cast<double>());
        keep(n, smallest_stored_ball(room.images));
    }
}

}  // namespace sinew::collide
