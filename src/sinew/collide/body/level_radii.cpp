// SPDX-License-Identifier: MIT
// The reference for on-demand refits: all spheres at once, from the vertices.

#include <algorithm>
#include <cmath>

#include "sinew/collide/body/posed_body.h"

namespace sinew::collide {
namespace {

/// A sphere about the centre of the bounding box of `count` spheres, which are `stride` floats apart.
StoredSphere about_the_middle(const float* spheres, std::size_t count, std::size_t stride, bool with_radius) {
    Float4 low = all4(std::numeric_limits<float>::max()), high = all4(-std::numeric_limits<float>::max());
    for (std::size_t i = 0; i < count; ++i) {
        const Float4 sphere = load4(spheres + i * stride);
        const Float4 radius = with_radius ? spread4<3>(sphere) : all4(0);
        low = min4(low, sphere - radius);
        high = max4(high, sphere + radius);
    }
    const Float4 center = (low + high) * make4(0.5f, 0.5f, 0.5f, 0);
    float radius = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Float4 sphere = load4(spheres + i * stride), off = first3(sphere) - center;
        const float squared = dot4(off, off);
        radius = std::max(radius, with_radius ? std::sqrt(squared) + spheres[i * stride + 3] : squared);
    }
    if (!with_radius) radius = std::sqrt(radius);
    return {stored4(center).point(), radius * (1 + 0x1p-20f)};
}

}  // namespace

/// Leaves around their vertices, parents around their children (Brown et al. 2001). Children come after their
/// parents in the list, so one backward pass is enough.
void PosedBody::refit_bottom_up(RefitScratch& scratch, std::span<const Vec3f> vertices) {
    static_assert(sizeof(StoredSphere) == sizeof(Point4));
    for (auto n = static_cast<std::uint32_t>(tree_->nodes.size()); n-- > 0;) {
        const Node& node = tree_->nodes[n];
        ++scratch.counts.refits;
        if (node.leaf()) {
            if (vertices.empty()) {
                vertices_.need_leaf(n, scratch.counts);
            } else {
                vertices_.take_leaf(n, vertices);
            }
            spheres_[n] =
                about_the_middle(vertices_.vertex(node.first_vertex).at, node.vertex_count, 4, false);
        } else {
            spheres_[n] =
                about_the_middle(spheres_[node.first_child].center.data(), node.child_count, 4, true);
        }
        cache_.publish(n, joints_.number);
    }
}

void PosedBody::refit_best(RefitScratch& scratch) {
    refit_bottom_up(scratch, {});
    std::vector<Vec3d> points;
    for (std::size_t n = 0; n < tree_->nodes.size(); ++n) {
        const Node& node = tree_->nodes[n];
        points.clear();
        for (std::uint32_t v = node.first_vertex; v < node.first_vertex + node.vertex_count; ++v)
            points.push_back(vertices_.vertex(v).point().cast<double>());
        spheres_[n] = smallest_stored_sphere(points);
    }
}

std::vector<LevelRadii> level_radii(const SphereTree& of, std::span<const deform::Mat34f> palette,
                                    deform::Method method) {
    const TreeData& tree = of.data();
    std::vector<LevelRadii> rows;
    PosedBody demand(tree, nullptr, method), bottom_up(tree, nullptr, method), best(tree, nullptr, method);
    RefitScratch scratch;
    for (PosedBody* body : {&demand, &bottom_up, &best}) body->set_pose(palette, {});
    bottom_up.refit_bottom_up(scratch, {});
    best.refit_best(scratch);
    for (std::uint32_t n = 0; n < tree.nodes.size(); ++n) {
        const Node& node = tree.nodes[n];
        if (node.level >= rows.size()) rows.resize(node.level + 1u);
        LevelRadii& row = rows[node.level];
        ++row.nodes;
        const Sphere sphere = demand.sphere(n, scratch).widen();
        if (!sphere.bounded()) {
            ++row.unbounded;
            continue;
        }
        row.rest += static_cast<double>(node.sphere.radius);
        row.on_demand += sphere.radius;
        row.bottom_up += static_cast<double>(bottom_up.sphere(n, scratch).radius);
        row.best += static_cast<double>(best.sphere(n, scratch).radius);
    }
    for (LevelRadii& row : rows) {
        const double count = static_cast<double>(std::max<std::size_t>(1, row.nodes - row.unbounded));
        for (double* sum : {&row.rest, &row.on_demand, &row.bottom_up, &row.best}) *sum /= count;
    }
    return rows;
}

}  // namespace sinew::collide
