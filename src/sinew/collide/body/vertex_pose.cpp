// SPDX-License-Identifier: MIT
// Vertices of leaves in single precision, set by set: the data of a set is read once.

#include "sinew/collide/body/vertex_pose.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/collide/body/blend_bounds.h"
#include "sinew/deform/blend.h"

namespace sinew::collide {

using deform::Method;

namespace {

/// Shorter quaternions are blended in double precision; squared.
constexpr auto degenerate = static_cast<float>(deform::degenerate_length * deform::degenerate_length);

/// Under a joint: three columns and the translation. The fourth number is 0.
Float4 image_of(const Point4 (&columns)[4], const Vec3f& p) {
    return load4(columns[0].at) * all4(p.x()) + load4(columns[1].at) * all4(p.y()) +
           load4(columns[2].at) * all4(p.z()) + load4(columns[3].at);
}

Float4 point_of(const Vec3f& p) {
    return make3(p.x(), p.y(), p.z());
}

}  // namespace

VertexPose::VertexPose(JointPose& joints, BlendPose& blends, MorphedTree* shape)
    : joints_(joints),
      blends_(blends),
      shape_(shape),
      tree_(joints.tree),
      method_(joints.method),
      leaf_cache_(tree_->nodes.size()),
      vertices_(tree_->positions.size()),
      leaf_boxes_(tree_->nodes.size()),
      leaf_blends_(method_ == Method::lbs ? 0 : tree_->nodes.size()),
      block_boxes_(tree_->block_count) {}

std::size_t VertexPose::bytes() const {
    return bytes_of(vertices_) + bytes_of(leaf_boxes_) + bytes_of(leaf_blends_) + bytes_of(block_boxes_) +
           leaf_cache_.bytes();
}

void VertexPose::make_leaf(std::uint32_t leaf, QueryCounts& counts) {
    leaf_cache_.fill(leaf, joints_.number, [&] {
        if (shape_ != nullptr) shape_->prepare_leaf(leaf);
        const Node& made = tree_->nodes[leaf];
        const LeafBlend blend = deform_leaf(made);
        if (!leaf_blends_.empty()) leaf_blends_[leaf] = blend;
        fill_boxes(leaf);
        counts.vertices += made.vertex_count;
    });
}

/// sum w_i C_i p. `fixed` joints, or as many as the set has when that is 0.
template <std::uint32_t fixed>
Float4 VertexPose::linear_blend(const TreeSet& set, const float* weights, const Vec3f& p) const {
    const std::uint32_t* const joints = tree_->set_joints.data() + set.first_joint;
    const std::uint32_t count = fixed > 0 ? fixed : set.joint_count;
    if (count == 1) return image_of(joints_.columns[joints[0]].at, p);
    Float4 sum = all4(weights[0]) * image_of(joints_.columns[joints[0]].at, p);
#pragma GCC unroll 4
    for (std::uint32_t i = 1; i < count; ++i)
        sum = sum + all4(weights[i]) * image_of(joints_.columns[joints[i]].at, p);
    return sum;
}

template <std::uint32_t fixed>
void VertexPose::deform_linear(const TreeSet& set, const float* weights, std::uint32_t v, std::uint32_t end) {
    for (; v < end; ++v, weights += set.joint_count)
        store4(vertices_[v].at, linear_blend<fixed>(set, weights, tree_->positions[v]));
}

/// In double precision, for degenerate blends.
Float4 VertexPose::exact_blend(std::uint32_t v) {
    const std::uint32_t set = tree_->vertex_sets[v];
    const float* const weights = tree_->weights.data() + tree_->vertex_weights[v];
    const Vec3d exact =
        deformed(set, {weights, tree_->sets[set].joint_count}, tree_->positions[v].cast<double>());
    return point_of(exact.cast<float>());
}

/// R(b) (p - r) + sum w_i C_i r, or R(b) p + 2 vec(e b*) / |b|^2. `length2` becomes the smaller of itself and
/// the squared length of the blended quaternion.
template <bool spherical>
Float4 VertexPose::quaternion_blend(std::uint32_t index, const float* weights, const Vec3f& rest,
                                    float& length2) {
    const TreeSet& set = tree_->sets[index];
    BlendPose::PlayedJoint few[BlendPose::few_joints];
    Float4 center = all4(0);
    if constexpr (spherical) center = load4(blends_.rest_center(index).rest.at);
    const auto [real, other] =
        BlendPose::sum_of(blends_.played_joints<spherical>(index, center, few), weights, set.joint_count);
    const float squared = dot4(real, real);
    length2 = std::min(length2, squared);
    if (joints_.stretches || !(squared >= degenerate)) {
        const Vec3d exact = deformed(index, {weights, set.joint_count}, rest.cast<double>());
        return point_of(exact.cast<float>());
    }
    if constexpr (spherical) {
        return rotated4(real, squared, point_of(rest) - center) + other;
    } else {
        return moved_by(real, other, squared, point_of(rest));
    }
}

/// Processes four collected blends at once: the formulas of quaternion_blend().
template <bool spherical>
void VertexPose::play(Waiting& waiting) {
    waiting.count = 0;
    Float4 q[4], o[4], p[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        q[i] = load4(waiting.q[i]);
        o[i] = load4(waiting.other[i]);
        p[i] = load4(waiting.rest[i]);
    }
    transpose4(q[0], q[1], q[2], q[3]);
    transpose4(o[0], o[1], o[2], o[3]);
    transpose4(p[0], p[1], p[2], p[3]);
    const Vec3x4 real{q[0], q[1], q[2]}, other{o[0], o[1], o[2]}, rest{p[0], p[1], p[2]};
    const Float4 squared = dot(real, real) + q[3] * q[3];
    waiting.length2 = min4(waiting.length2, squared);
    const Vec3x4 inner = cross(real, rest) + q[3] * rest;
    const Float4 twice = all4(2) / squared;
    Vec3x4 moved;
    if constexpr (spherical) {
        moved = rest + twice * cross(real, inner) + other;
    } else {
        moved = rest + twice * (cross(real, inner + other) + q[3] * other - o[3] * real);
    }
    Float4 out[4] = {moved.x, moved.y, moved.z, all4(0)};
    transpose4(out[0], out[1], out[2], out[3]);
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) store4(vertices_[waiting.vertices[i]].at, out[i]);
    const std::uint32_t plain = bits_above(squared, all4(degenerate));
    if (plain == 0xf && !joints_.stretches) return;
    for (int i = 0; i < 4; ++i) {
        if (joints_.stretches || (plain >> i & 1) == 0)
            store4(vertices_[waiting.vertices[i]].at, exact_blend(waiting.vertices[i]));
    }
}

/// Processes the remaining blends; the first of them fills the empty lanes.
template <bool spherical>
void VertexPose::play_last(Waiting& waiting) {
    if (waiting.count == 0) return;
    for (std::uint32_t i = waiting.count; i < 4; ++i) {
        std::ranges::copy(waiting.q[0], waiting.q[i]);
        std::ranges::copy(waiting.other[0], waiting.other[i]);
        std::ranges::copy(waiting.rest[0], waiting.rest[i]);
        waiting.vertices[i] = waiting.vertices[0];
    }
    play<spherical>(waiting);
}

/// Quaternions of a run of vertices of one set, which are processed in groups of four. `fixed` joints, or as
/// many as the set has when that is 0.
template <bool spherical, std::uint32_t fixed>
void VertexPose::blend_run(std::uint32_t index, const float* weights, std::uint32_t v, std::uint32_t end,
                           Waiting& waiting, LeafBlend& blend) {
    const std::uint32_t n = fixed > 0 ? fixed : tree_->sets[index].joint_count;
    Float4 center = all4(0);
    if constexpr (spherical) {
        const BlendPose::Center pivot = blends_.rest_center(index);
        blend.center2 = std::max(blend.center2, pivot.size2);
        blend.gap = std::max(blend.gap, pivot.gap);
        center = load4(pivot.rest.at);
    }
    BlendPose::PlayedJoint few[BlendPose::few_joints];
    const BlendPose::PlayedJoint* const played = blends_.played_joints<spherical>(index, center, few);
    for (; v < end; ++v, weights += n) {
        const BlendPose::PlayedBlend sum = BlendPose::sum_of(played, weights, n);
        const std::uint32_t i = waiting.count++;
        store4(waiting.q[i], sum.q);
        store4(waiting.other[i], sum.other);
        store4(waiting.rest[i], point_of(tree_->positions[v]) - center);
        waiting.vertices[i] = v;
        if (waiting.count == 4) play<spherical>(waiting);
    }
}

template <bool spherical>
void VertexPose::blend_set(std::uint32_t index, const float* weights, std::uint32_t first, std::uint32_t end,
                           Waiting& waiting, LeafBlend& blend) {
    switch (tree_->sets[index].joint_count) {
        case 2:
            return blend_run<spherical, 2>(index, weights, first, end, waiting, blend);
        case 3:
            return blend_run<spherical, 3>(index, weights, first, end, waiting, blend);
        case 4:
            return blend_run<spherical, 4>(index, weights, first, end, waiting, blend);
        default:
            return blend_run<spherical, 0>(index, weights, first, end, waiting, blend);
    }
}

/// One point under the weights of a vertex.
Point4 VertexPose::blended(std::uint32_t index, const float* weights, const Vec3f& rest, float& length2) {
    const TreeSet& set = tree_->sets[index];
    if (method_ == Method::lbs || set.joint_count == 1) return stored4(linear_blend<0>(set, weights, rest));
    return stored4(method_ == Method::dqs ? quaternion_blend<false>(index, weights, rest, length2)
                                          : quaternion_blend<true>(index, weights, rest, length2));
}

/// A run of vertices of one set.
void VertexPose::deform_run(std::uint32_t index, std::uint32_t v, std::uint32_t end, Waiting& waiting,
                            LeafBlend& blend) {
    const TreeSet& set = tree_->sets[index];
    const float* const weights = tree_->weights.data() + tree_->vertex_weights[v];  // consecutive
    if (set.joint_count == 1) return deform_linear<1>(set, weights, v, end);
    if (method_ == Method::sbs) return blend_set<true>(index, weights, v, end, waiting, blend);
    if (method_ == Method::dqs) return blend_set<false>(index, weights, v, end, waiting, blend);
    switch (set.joint_count) {
        case 2:
            return deform_linear<2>(set, weights, v, end);
        case 3:
            return deform_linear<3>(set, weights, v, end);
        case 4:
            return deform_linear<4>(set, weights, v, end);
        default:
            return deform_linear<0>(set, weights, v, end);
    }
}

VertexPose::LeafBlend VertexPose::deform_leaf(const Node& leaf) {
    LeafBlend blend;
    Waiting waiting;
    const std::uint32_t stop = leaf.first_vertex + leaf.vertex_count;
    for (std::uint32_t v = leaf.first_vertex; v < stop;) {
        const std::uint32_t set = tree_->vertex_sets[v];
        std::uint32_t end = v + 1;
        while (end < stop && tree_->vertex_sets[end] == set) ++end;
        deform_run(set, v, end, waiting, blend);
        v = end;
    }
    if (method_ == Method::sbs) play_last<true>(waiting);
    if (method_ == Method::dqs) play_last<false>(waiting);
    blend.length2 = -largest_of(all4(0) - waiting.length2);
    if (!joints_.displacements.vectors.empty()) displace(leaf);
    return blend;
}

void VertexPose::displace(const Node& leaf) {
    for (std::uint32_t v = leaf.first_vertex; v < leaf.first_vertex + leaf.vertex_count; ++v) {
        const Vec3f& offset = joints_.displacements.vectors[tree_->vertex_ids[v]];
        const double length = offset.cast<double>().norm();
        if (!(length <= joints_.displacements.bound)) {
            fail("displacements", "vertex {} moves by {}, more than the bound of {}", tree_->vertex_ids[v],
                 length, joints_.displacements.bound);
        }
        for (int k = 0; k < 3; ++k) vertices_[v].at[k] += offset[k];
    }
}

void VertexPose::take_leaf(std::uint32_t index, std::span<const Vec3f> vertices) {
    const Node& leaf = tree_->nodes[index];
    for (std::uint32_t v = leaf.first_vertex; v < leaf.first_vertex + leaf.vertex_count; ++v) {
        const Vec3f& from = vertices[tree_->vertex_ids[v]];
        vertices_[v] = {{from.x(), from.y(), from.z(), 0}};
    }
    fill_boxes(index);
    leaf_cache_.publish(index, joints_.number);
}

// Blending of one point in double precision: the formulas of deform's reference, for points where single
// precision is not enough.

namespace {

std::size_t heaviest(std::span<const float> weights) {
    return static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
}

}  // namespace

Vec3d VertexPose::deformed(std::uint32_t set, std::span<const float> weights, const Vec3d& rest) {
    blends_.prepare_exact(set);
    return method_ == Method::sbs ? deformed_spherical(set, weights, rest)
                                  : deformed_dual(set, weights, rest);
}

/// sum w_i (b_i + P_i (v - b_i)), or the rest position when nothing stretches.
Vec3d VertexPose::stretched_point(std::uint32_t set, std::span<const float> weights, const Vec3d& rest,
                                  bool degenerate) const {
    if (!joints_.stretches) return rest;
    const std::size_t heavy = heaviest(weights);
    const auto joints = tree_->joints_of(set);
    Vec3d sum = Vec3d::Zero();
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const double w = degenerate ? (i == heavy ? 1.0 : 0.0) : static_cast<double>(weights[i]);
        const Vec3d& b = tree_->joint_centers[joints[i]];
        sum += w * (b + joints_.motions[joints[i]].stretch * (rest - b));
    }
    return sum;
}

/// R(b) (v - r) + sum w_i C_i r (Kavan 2007, 3.2).
Vec3d VertexPose::deformed_spherical(std::uint32_t set, std::span<const float> weights, const Vec3d& rest) {
    const BlendPose::SetJoint* const joints = blends_.exact_joints_of(set);
    Quatd sum(0, 0, 0, 0);
    Vec3d moved = Vec3d::Zero();
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const auto w = static_cast<double>(weights[i]);
        sum.coeffs() += w * joints[i].q.coeffs();
        moved += w * joints[i].moved;
    }
    const bool degenerate = sum.norm() < deform::degenerate_length;
    if (degenerate) sum = joints[heaviest(weights)].q;
    return rotated(sum, stretched_point(set, weights, rest, degenerate) - blends_.rest_center(set).point()) +
           moved;
}

/// Sum of dual quaternions, normalised (Kavan 2007, 4.3).
Vec3d VertexPose::deformed_dual(std::uint32_t set, std::span<const float> weights, const Vec3d& rest) const {
    const BlendPose::SetJoint* const joints = blends_.exact_joints_of(set);
    Quatd real(0, 0, 0, 0), dual(0, 0, 0, 0);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const auto w = static_cast<double>(weights[i]);
        real.coeffs() += w * joints[i].q.coeffs();
        dual.coeffs() += w * joints[i].dual.coeffs();
    }
    const bool degenerate = real.norm() < deform::degenerate_length;
    if (degenerate) {
        const BlendPose::SetJoint& heavy = joints[heaviest(weights)];
        real = heavy.q;
        dual = heavy.dual;
    }
    const Vec3d shift = 2 * (dual * real.conjugate()).vec() / real.squaredNorm();
    return rotated(real, stretched_point(set, weights, rest, degenerate)) + shift;
}

// Leaves: their vertices in single precision, and their bounds.

/// Largest distance between the vertices of a leaf here and as computed by other code.
double VertexPose::leaf_slack(const LeafBlend& blend) const {
    const std::size_t n = tree_->max_set_joints;
    if (method_ == Method::lbs) return joints_.linear_slack(n) - joints_.displacements.bound;
    const double smallest = std::sqrt(static_cast<double>(blend.length2));
    return joints_.dual_slack(n, smallest, 2 * std::sqrt(static_cast<double>(blend.center2))) -
           joints_.displacements.bound + static_cast<double>(blend.gap);
}

/// Lanes without a triangle repeat the first, with a box that overlaps nothing.
void VertexPose::fill_block(const Node& leaf, std::uint32_t k, TriangleBlock& block) const {
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
    constexpr float largest = std::numeric_limits<float>::max();
    for (std::uint32_t i = count; i < block_size; ++i) {
        block.boxes.low[0][i] = largest;
        block.boxes.high[0][i] = -largest;
    }
}

/// Boxes of the blocks and of the whole leaf: exactly around the computed vertices.
void VertexPose::fill_boxes(std::uint32_t node) {
    const Node& leaf = tree_->nodes[node];
    const Float4 largest = all4(std::numeric_limits<float>::max()), smallest = all4(0) - largest;
    const std::uint32_t end = leaf.first_triangle + leaf.triangle_count;
    std::uint32_t t = leaf.first_triangle, block = leaf.first_block;
    Float4 lowest = largest, highest = smallest;
    while (t < end) {
        Float4 low = largest, high = smallest;
        for (const std::uint32_t stop = std::min(end, t + block_size); t < stop; ++t) {
            // Triangle by triangle, so that the steps of different triangles do not wait for each other.
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

/// Largest squared distance of points from a centre; NaN if one of them is.
float farthest2(std::span<const Point4> points, Float4 center) {
    Float4 largest = all4(0), sum = all4(0);
    for (std::size_t i = 0; i < points.size(); i += 4) {
        const auto squares = [&](std::size_t k) {
            const Float4 off = load4(points[std::min(k, points.size() - 1)].at) - center;
            return off * off;
        };
        Float4 x = squares(i), y = squares(i + 1), z = squares(i + 2), last = squares(i + 3);
        transpose4(x, y, z, last);
        const Float4 distance2 = x + y + z;
        largest = max4(largest, distance2);
        sum = sum + distance2;
    }
    return std::isfinite(sum4(sum)) ? largest_of(largest) : std::numeric_limits<float>::quiet_NaN();
}

}  // namespace

/// Of a leaf from its vertices. The centre is the image of the rest centre under the blend of the vertex
/// nearest to the middle: for a rigid leaf this is the smallest sphere.
StoredSphere VertexPose::leaf_sphere(std::uint32_t index) {
    const Node& leaf = tree_->nodes[index];
    LeafBlend blend = leaf_blends_.empty() ? LeafBlend{} : leaf_blends_[index];
    const std::uint32_t v = leaf.first_vertex;
    const Point4 center = blended(tree_->vertex_sets[v], tree_->weights.data() + tree_->vertex_weights[v],
                                  leaf.sphere.center, blend.length2);
    const float radius2 = farthest2({vertices_.data() + v, leaf.vertex_count}, load4(center.at));
    const double radius = std::sqrt(static_cast<double>(radius2)) * (1 + 1e-6) + leaf_slack(blend);
    return {center.point(), static_cast<float>(radius * (1 + 1e-7))};
}

}  // namespace sinew::collide
