// Vertices of leaves in single precision, set by set: what a set needs is looked up once.

#include "sinew/collide/vertex_pose.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/deform/blend.h"

namespace sinew::collide {

using deform::Method;

namespace {

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

/// R(b) (p - r) + sum w_i C_i r, or R(b) p + 2 vec(e b*) / |b|^2. `length2` becomes the smaller of itself and
/// the squared length of the blended quaternion.
template <bool spherical>
Float4 VertexPose::quaternion_blend(std::uint32_t index, const PlayedJoint* played, const float* weights,
                                    const Vec3f& rest, Float4 center, float& length2) {
    const TreeSet& set = tree_->sets[index];
    Float4 real = all4(0), other = all4(0);
    for (std::uint32_t i = 0; i < set.joint_count; ++i) {
        const Float4 w = all4(weights[i]);
        real = real + w * load4(played[i].q.at);
        other = other + w * load4(played[i].other.at);
    }
    const float squared = dot4(real, real);
    length2 = std::min(length2, squared);
    constexpr auto degenerate = static_cast<float>(deform::degenerate_length * deform::degenerate_length);
    if (stretch_ || !(squared >= degenerate)) {
        const Vec3d exact = deformed(index, {weights, set.joint_count}, rest.cast<double>());
        return point_of(exact.cast<float>());
    }
    if constexpr (spherical) return turned(real, squared, point_of(rest) - center) + other;
    return moved_by(real, other, squared, point_of(rest));
}

/// The same for four vertices that follow each other. `fixed` joints, or as many as the set has when that is
/// 0. False where one is degenerate.
template <bool spherical, std::uint32_t fixed>
bool VertexPose::blend_four(const PlayedJoint* played, std::uint32_t joints, const float* weights,
                            const Vec3f* positions, const Point4& center, Float4 (&out)[4], float& length2) {
    constexpr std::uint32_t known = fixed > 0 ? fixed : 2;
    const std::uint32_t n = fixed > 0 ? fixed : joints;
    Float4 columns[known];
    if constexpr (fixed > 0) columns4(weights, columns);
    Three4 real{all4(0), all4(0), all4(0)}, other = real;
    Float4 real_w = all4(0), other_w = all4(0);
#pragma GCC unroll 4
    for (std::uint32_t i = 0; i < n; ++i) {
        const Float4 w = fixed > 0
                             ? columns[i % known]
                             : make4(weights[i], weights[n + i], weights[2 * n + i], weights[3 * n + i]);
        const Float4 q = load4(played[i].q.at), o = load4(played[i].other.at);
        real = real + w * Three4{spread4<0>(q), spread4<1>(q), spread4<2>(q)};
        real_w = real_w + w * spread4<3>(q);
        other = other + w * Three4{spread4<0>(o), spread4<1>(o), spread4<2>(o)};
        if constexpr (!spherical) other_w = other_w + w * spread4<3>(o);
    }
    const Float4 squared = dot(real, real) + real_w * real_w;
    constexpr auto degenerate = static_cast<float>(deform::degenerate_length * deform::degenerate_length);
    if (bits_above(squared, all4(degenerate)) != 0xf) return false;
    length2 = std::min(length2, -largest_of(all4(0) - squared));
    Float4 at[3];
    columns4(positions->data(), at);
    const Three4 rest{at[0] - all4(center.at[0]), at[1] - all4(center.at[1]), at[2] - all4(center.at[2])};
    const Three4 inner = cross(real, rest) + real_w * rest;
    const Float4 twice = all4(2) / squared;
    Three4 moved;
    if constexpr (spherical) {
        moved = rest + twice * cross(real, inner) + other;
    } else {
        moved = rest + twice * (cross(real, inner + other) + real_w * other - other_w * real);
    }
    out[0] = moved.x, out[1] = moved.y, out[2] = moved.z, out[3] = all4(0);
    transpose4(out[0], out[1], out[2], out[3]);
    return true;
}

/// Four at once as far as they go; the last of a longer run are done with some before them.
template <bool spherical, std::uint32_t fixed>
void VertexPose::deform_quaternions(std::uint32_t index, const float* weights, std::uint32_t first,
                                    std::uint32_t end, LeafBlend& blend) {
    PlayedJoint few[few_joints];
    const PlayedJoint* const played = played_joints(index, few);
    blend.center2 = std::max(blend.center2, sets_[index].center2);
    blend.gap = std::max(blend.gap, sets_[index].gap);
    const Point4& center = sets_[index].pivot;
    const std::uint32_t n = tree_->sets[index].joint_count;
    const auto weights_of = [&](std::uint32_t v) { return weights + (v - first) * n; };
    std::uint32_t v = first;
    Float4 out[4];
    while (v < end && end - first >= 4 && !stretch_) {
        const std::uint32_t from = std::min(v, end - 4);
        if (!blend_four<spherical, fixed>(played, n, weights_of(from), &tree_->positions[from], center, out,
                                          blend.length2))
            break;
        for (std::uint32_t i = 0; i < 4; ++i) store4(vertices_[from + i].at, out[i]);
        v = from + 4;
    }
    for (; v < end; ++v) {
        store4(vertices_[v].at, quaternion_blend<spherical>(index, played, weights_of(v), tree_->positions[v],
                                                            load4(center.at), blend.length2));
    }
}

template <bool spherical>
void VertexPose::deform_blended(std::uint32_t index, const float* weights, std::uint32_t first,
                                std::uint32_t end, LeafBlend& blend) {
    switch (tree_->sets[index].joint_count) {
        case 2:
            return deform_quaternions<spherical, 2>(index, weights, first, end, blend);
        case 3:
            return deform_quaternions<spherical, 3>(index, weights, first, end, blend);
        case 4:
            return deform_quaternions<spherical, 4>(index, weights, first, end, blend);
        default:
            return deform_quaternions<spherical, 0>(index, weights, first, end, blend);
    }
}

/// One point under the weights of a vertex.
Point4 VertexPose::blended(std::uint32_t index, const float* weights, const Vec3f& rest, float& length2) {
    const TreeSet& set = tree_->sets[index];
    if (method_ == Method::lbs || set.joint_count == 1) return stored4(linear_blend<0>(set, weights, rest));
    PlayedJoint few[few_joints];
    const PlayedJoint* const played = played_joints(index, few);
    if (method_ == Method::dqs)
        return stored4(quaternion_blend<false>(index, played, weights, rest, all4(0), length2));
    const Float4 center = load4(sets_[index].pivot.at);
    return stored4(quaternion_blend<true>(index, played, weights, rest, center, length2));
}

/// A run of vertices of one set.
void VertexPose::deform_run(std::uint32_t index, std::uint32_t v, std::uint32_t end, LeafBlend& blend) {
    const TreeSet& set = tree_->sets[index];
    const float* const weights = tree_->weights.data() + tree_->vertex_weights[v];  // they follow each other
    if (set.joint_count == 1) return deform_linear<1>(set, weights, v, end);
    if (method_ == Method::sbs) return deform_blended<true>(index, weights, v, end, blend);
    if (method_ == Method::dqs) return deform_blended<false>(index, weights, v, end, blend);
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
    const std::uint32_t stop = leaf.first_vertex + leaf.vertex_count;
    for (std::uint32_t v = leaf.first_vertex; v < stop;) {
        const std::uint32_t set = tree_->vertex_sets[v];
        std::uint32_t end = v + 1;
        while (end < stop && tree_->vertex_sets[end] == set) ++end;
        deform_run(set, v, end, blend);
        v = end;
    }
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
