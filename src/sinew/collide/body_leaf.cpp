// Leaves: their vertices in single precision, and what bounds those.

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/collide/body.h"
#include "sinew/collide/body_blend.h"

namespace sinew::collide {

using deform::Method;

/// sum w_i C_i p.
inline Float4 Body::blended_linear(const TreeSet& set, const float* weights, Float4 point) const {
    const std::uint32_t* const joints = tree_->set_joints.data() + set.first_joint;
    if (set.joint_count == 1) return image(columns_[joints[0]].at, point);
    Float4 sum = all4(weights[0]) * image(columns_[joints[0]].at, point);
    for (std::uint32_t i = 1; i < set.joint_count; ++i)
        sum = sum + all4(weights[i]) * image(columns_[joints[i]].at, point);
    return sum;
}

/// One point under the weights of a vertex. `length2` becomes the smaller of itself and the squared length of
/// the blended quaternion.
Point4 Body::blended(std::uint32_t index, const float* weights, const Vec3f& rest, float& length2) const {
    const TreeSet& set = tree_->sets[index];
    const Float4 point = make4(rest.x(), rest.y(), rest.z(), 0);
    if (method_ == Method::lbs || set.joint_count == 1) return stored4(blended_linear(set, weights, point));
    const PlayedJoint* const played = played_joints_.data() + set.first_joint;
    Float4 real = all4(0), other = all4(0);
    for (std::uint32_t i = 0; i < set.joint_count; ++i) {
        const Float4 w = all4(weights[i]);
        real = real + w * load4(played[i].q.at);
        other = other + w * load4(method_ == Method::sbs ? played[i].moved.at : played[i].dual.at);
    }
    const float squared = dot4(real, real);
    length2 = std::min(length2, squared);
    constexpr auto degenerate = static_cast<float>(deform::degenerate_length * deform::degenerate_length);
    if (stretch_ || !(squared >= degenerate)) {
        const Vec3d exact = deformed(index, {weights, set.joint_count}, rest.cast<double>());
        return stored4(make4(static_cast<float>(exact.x()), static_cast<float>(exact.y()),
                             static_cast<float>(exact.z()), 0));
    }
    if (method_ == Method::dqs) return stored4(moved_by(real, other, squared, point));
    const Vec3f center = sets_[index].center.cast<float>();
    return stored4(turned(real, squared, point - make4(center.x(), center.y(), center.z(), 0)) + other);
}

void Body::deform_leaf_linear(const Node& leaf) {
    const float* weights = tree_->weights.data() + tree_->vertex_weights[leaf.first_vertex];
    for (std::uint32_t v = leaf.first_vertex; v < leaf.first_vertex + leaf.vertex_count; ++v) {
        const TreeSet& set = tree_->sets[tree_->vertex_sets[v]];
        const Vec3f& rest = tree_->positions[v];
        store4(vertices_[v].at, blended_linear(set, weights, make4(rest.x(), rest.y(), rest.z(), 0)));
        weights += set.joint_count;  // vertices of a leaf follow each other
    }
    if (!displacements_.vectors.empty()) displace(leaf);
}

Body::LeafBlend Body::deform_leaf(const Node& leaf) {
    LeafBlend blend;
    if (method_ == Method::lbs) {
        deform_leaf_linear(leaf);
        return blend;
    }
    for (std::uint32_t v = leaf.first_vertex; v < leaf.first_vertex + leaf.vertex_count; ++v) {
        const std::uint32_t set = tree_->vertex_sets[v];
        if (tree_->sets[set].joint_count > 1) {
            prepare_set(set);
            blend.center2 = std::max(blend.center2, sets_[set].center.squaredNorm());
        }
        vertices_[v] = blended(set, tree_->weights.data() + tree_->vertex_weights[v], tree_->positions[v],
                               blend.length2);
    }
    if (!displacements_.vectors.empty()) displace(leaf);
    return blend;
}

/// How far other code may have the vertices of a leaf.
double Body::leaf_slack(const LeafBlend& blend) const {
    const std::size_t n = tree_->max_set_joints;
    if (method_ == Method::lbs) return linear_slack(n) - displacements_.bound;
    const double least = std::sqrt(static_cast<double>(blend.length2));
    return dual_slack(n, least, 2 * std::sqrt(blend.center2)) - displacements_.bound;
}

void Body::displace(const Node& leaf) {
    for (std::uint32_t v = leaf.first_vertex; v < leaf.first_vertex + leaf.vertex_count; ++v) {
        const Vec3f& offset = displacements_.vectors[tree_->vertex_ids[v]];
        const double length = offset.cast<double>().norm();
        if (!(length <= displacements_.bound)) {
            fail("displacements", "vertex {} moves by {}, more than the bound of {}", tree_->vertex_ids[v],
                 length, displacements_.bound);
        }
        for (int k = 0; k < 3; ++k) vertices_[v].at[k] += offset[k];
    }
}

void Body::copy_leaf(const Node& leaf, std::span<const Vec3f> vertices) {
    for (std::uint32_t v = leaf.first_vertex; v < leaf.first_vertex + leaf.vertex_count; ++v) {
        const Vec3f& from = vertices[tree_->vertex_ids[v]];
        vertices_[v] = {{from.x(), from.y(), from.z(), 0}};
    }
}

BoxBlock Body::triangle_boxes(const Node& leaf, std::uint32_t k) const {
    const Float4 most = all4(std::numeric_limits<float>::max()), least = all4(0) - most;
    const std::uint32_t first = leaf.first_triangle + k * block_size,
                        count = std::min(block_size, leaf.triangle_count - k * block_size);
    BoxBlock out;
    for (std::uint32_t group = 0; group < block_size; group += 4) {
        Float4 low[4], high[4];
        for (std::uint32_t i = 0; i < 4; ++i) {
            low[i] = most;
            high[i] = least;
            if (group + i >= count) continue;
            const geometry::Triangle& triangle = tree_->triangles[first + group + i];
            const Float4 a = load4(vertices_[triangle[0]].at), b = load4(vertices_[triangle[1]].at),
                         c = load4(vertices_[triangle[2]].at);
            low[i] = min4(min4(a, b), c);
            high[i] = max4(max4(a, b), c);
        }
        transpose4(low[0], low[1], low[2], low[3]);
        transpose4(high[0], high[1], high[2], high[3]);
        for (int axis = 0; axis < 3; ++axis) {
            store4(out.low[axis] + group, low[axis]);
            store4(out.high[axis] + group, high[axis]);
        }
    }
    return out;
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
            for (const std::uint32_t v : tree_->triangles[t]) {
                const Float4 point = load4(vertices_[v].at);
                low = min4(low, point);
                high = max4(high, point);
            }
        }
        block_boxes_[block++] = {stored4(low), stored4(high)};
        lowest = min4(lowest, low);
        highest = max4(highest, high);
    }
    leaf_boxes_[node] = {stored4(lowest), stored4(highest)};
}

/// Of a leaf from its vertices, centred where the blend of the middlemost takes the rest centre: of a rigid
/// leaf that is the smallest.
StoredBall Body::leaf_ball(std::uint32_t index, RefitRoom& room) {
    need_leaf(index, room);
    const Node& leaf = tree_->nodes[index];
    LeafBlend blend = leaf_blends_.empty() ? LeafBlend{} : leaf_blends_[index];
    const std::uint32_t v = leaf.first_vertex;
    const Point4 center = blended(tree_->vertex_sets[v], tree_->weights.data() + tree_->vertex_weights[v],
                                  leaf.ball.center, blend.length2);
    const Float4 middle = load4(center.at);
    float radius2 = 0;
    for (std::uint32_t k = v; k < v + leaf.vertex_count; ++k) {
        const Float4 off = load4(vertices_[k].at) - middle;
        const float distance2 = dot4(off, off);
        if (!(distance2 <= radius2)) radius2 = distance2;
    }
    const double radius = std::sqrt(static_cast<double>(radius2)) * (1 + 1e-6) + leaf_slack(blend);
    return {center.point(), static_cast<float>(radius * (1 + 1e-7))};
}

}  // namespace sinew::collide
