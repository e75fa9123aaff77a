// Vertices of leaves in single precision, set by set: what a set needs is looked up once.

#include "sinew/collide/vertex_pose.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/deform/blend.h"

namespace sinew::collide {

using deform::Method;

namespace {

/// Shorter quaternions are blended in double; squared.
constexpr auto degenerate = static_cast<float>(deform::degenerate_length * deform::degenerate_length);

/// Under a joint: three columns and the translation. The fourth number is 0.
Float4 image_of(const Point4 (&columns)[4], const Vec3f& p) {
    return load4(columns[0].at) * all4(p.x()) + load4(columns[1].at) * all4(p.y()) +
           load4(columns[2].at) * all4(p.z()) + load4(columns[3].at);
}

Float4 point_of(const Vec3f& p) {
    return make4(p.x(), p.y(), p.z(), 0);
}

}  // namespace

VertexPose::VertexPose(const SphereTree& tree, Method method)
    : BlendPose(tree, method), vertices_(tree.positions.size()) {}

/// sum w_i C_i p. `fixed` joints, or as many as the set has when that is 0.
template <std::uint32_t fixed>
Float4 VertexPose::linear_blend(const TreeSet& set, const float* weights, const Vec3f& p) const {
    const std::uint32_t* const joints = tree_->set_joints.data() + set.first_joint;
    const std::uint32_t count = fixed > 0 ? fixed : set.joint_count;
    if (count == 1) return image_of(columns_[joints[0]].at, p);
    Float4 sum = all4(weights[0]) * image_of(columns_[joints[0]].at, p);
#pragma GCC unroll 4
    for (std::uint32_t i = 1; i < count; ++i)
        sum = sum + all4(weights[i]) * image_of(columns_[joints[i]].at, p);
    return sum;
}

template <std::uint32_t fixed>
void VertexPose::deform_linear(const TreeSet& set, const float* weights, std::uint32_t v, std::uint32_t end) {
    for (; v < end; ++v, weights += set.joint_count)
        store4(vertices_[v].at, linear_blend<fixed>(set, weights, tree_->positions[v]));
}

/// In double, for the degenerate.
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
    PlayedJoint few[few_joints];
    Float4 center = all4(0);
    if constexpr (spherical) center = load4(rest_center(index).rest.at);
    const auto [real, other] = sum_of(played_joints<spherical>(index, center, few), weights, set.joint_count);
    const float squared = dot4(real, real);
    length2 = std::min(length2, squared);
    if (stretch_ || !(squared >= degenerate)) {
        const Vec3d exact = deformed(index, {weights, set.joint_count}, rest.cast<double>());
        return point_of(exact.cast<float>());
    }
    if constexpr (spherical) {
        return turned(real, squared, point_of(rest) - center) + other;
    } else {
        return moved_by(real, other, squared, point_of(rest));
    }
}

/// Four that wait, at once: the formulas of quaternion_blend().
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
    const Three4 real{q[0], q[1], q[2]}, other{o[0], o[1], o[2]}, rest{p[0], p[1], p[2]};
    const Float4 squared = dot(real, real) + q[3] * q[3];
    waiting.length2 = min4(waiting.length2, squared);
    const Three4 inner = cross(real, rest) + q[3] * rest;
    const Float4 twice = all4(2) / squared;
    Three4 moved;
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
    if (plain == 0xf && !stretch_) return;
    for (int i = 0; i < 4; ++i) {
        if (stretch_ || (plain >> i & 1) == 0)
            store4(vertices_[waiting.vertices[i]].at, exact_blend(waiting.vertices[i]));
    }
}

/// The last, with the first of them in the empty places.
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

/// Quaternions of a run of vertices of one set, which are played when there are four. `fixed` joints, or as
/// many as the set has when that is 0.
template <bool spherical, std::uint32_t fixed>
void VertexPose::blend_run(std::uint32_t index, const float* weights, std::uint32_t v, std::uint32_t end,
                           Waiting& waiting, LeafBlend& blend) {
    const std::uint32_t n = fixed > 0 ? fixed : tree_->sets[index].joint_count;
    Float4 center = all4(0);
    if constexpr (spherical) {
        const Center pivot = rest_center(index);
        blend.center2 = std::max(blend.center2, pivot.size2);
        blend.gap = std::max(blend.gap, pivot.gap);
        center = load4(pivot.rest.at);
    }
    PlayedJoint few[few_joints];
    const PlayedJoint* const played = played_joints<spherical>(index, center, few);
    for (; v < end; ++v, weights += n) {
        const PlayedBlend sum = sum_of(played, weights, n);
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
    const float* const weights = tree_->weights.data() + tree_->vertex_weights[v];  // they follow each other
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
    if (!displacements_.vectors.empty()) displace(leaf);
    return blend;
}

void VertexPose::displace(const Node& leaf) {
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

void VertexPose::copy_leaf(const Node& leaf, std::span<const Vec3f> vertices) {
    for (std::uint32_t v = leaf.first_vertex; v < leaf.first_vertex + leaf.vertex_count; ++v) {
        const Vec3f& from = vertices[tree_->vertex_ids[v]];
        vertices_[v] = {{from.x(), from.y(), from.z(), 0}};
    }
}

}  // namespace sinew::collide
