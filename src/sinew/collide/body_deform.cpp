// Vertices of leaves in single precision, set by set: what a set needs is looked up once.

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/collide/body.h"
#include "sinew/collide/body_blend.h"

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

/// sum w_i C_i p. `fixed` joints, or as many as the set has when that is 0.
template <std::uint32_t fixed>
Float4 Body::linear_blend(const TreeSet& set, const float* weights, const Vec3f& p) const {
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
void Body::deform_linear(const TreeSet& set, const float* weights, std::uint32_t v, std::uint32_t end) {
    for (; v < end; ++v, weights += set.joint_count)
        store4(vertices_[v].at, linear_blend<fixed>(set, weights, tree_->positions[v]));
}

/// R(b) (p - r) + sum w_i C_i r, or R(b) p + 2 vec(e b*) / |b|^2. `length2` becomes the smaller of itself and
/// the squared length of the blended quaternion.
template <bool spherical>
Float4 Body::quaternion_blend(std::uint32_t index, const float* weights, const Vec3f& rest, Float4 center,
                              float& length2) {
    const TreeSet& set = tree_->sets[index];
    const PlayedJoint* const played = played_joints_.data() + set.first_joint;
    Float4 real = all4(0), other = all4(0);
    for (std::uint32_t i = 0; i < set.joint_count; ++i) {
        const Float4 w = all4(weights[i]);
        real = real + w * load4(played[i].q.at);
        other = other + w * load4(spherical ? played[i].moved.at : played[i].dual.at);
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

/// The same for four vertices that follow each other; false, and nothing done, where one is degenerate.
template <bool spherical>
bool Body::deform_four(const TreeSet& set, const float* weights, std::uint32_t v, const Point4& center,
                       float& length2) {
    const PlayedJoint* const played = played_joints_.data() + set.first_joint;
    const std::uint32_t n = set.joint_count;
    Three4 real{all4(0), all4(0), all4(0)}, other = real;
    Float4 real_w = all4(0), other_w = all4(0);
    for (std::uint32_t i = 0; i < n; ++i) {
        const Float4 w = make4(weights[i], weights[n + i], weights[2 * n + i], weights[3 * n + i]);
        const float* const q = played[i].q.at;
        const float* const o = spherical ? played[i].moved.at : played[i].dual.at;
        real = real + w * Three4{all4(q[0]), all4(q[1]), all4(q[2])};
        real_w = real_w + w * all4(q[3]);
        other = other + w * Three4{all4(o[0]), all4(o[1]), all4(o[2])};
        if constexpr (!spherical) other_w = other_w + w * all4(o[3]);
    }
    const Float4 squared = dot(real, real) + real_w * real_w;
    constexpr auto degenerate = static_cast<float>(deform::degenerate_length * deform::degenerate_length);
    if (bits_above(squared, all4(degenerate)) != 0xf) return false;
    length2 = std::min(length2, -largest_of(all4(0) - squared));
    const Vec3f* const p = tree_->positions.data() + v;
    const Three4 rest{make4(p[0].x(), p[1].x(), p[2].x(), p[3].x()) - all4(center.at[0]),
                      make4(p[0].y(), p[1].y(), p[2].y(), p[3].y()) - all4(center.at[1]),
                      make4(p[0].z(), p[1].z(), p[2].z(), p[3].z()) - all4(center.at[2])};
    const Three4 inner = cross(real, rest) + real_w * rest;
    const Float4 twice = all4(2) / squared;
    Three4 out;
    if constexpr (spherical) {
        out = rest + twice * cross(real, inner) + other;
    } else {
        out = rest + twice * (cross(real, inner + other) + real_w * other - other_w * real);
    }
    Float4 last = all4(0);
    transpose4(out.x, out.y, out.z, last);
    for (const Float4 row : {out.x, out.y, out.z, last}) store4(vertices_[v++].at, row);
    return true;
}

template <bool spherical>
void Body::deform_quaternions(std::uint32_t index, const float* weights, std::uint32_t v, std::uint32_t end,
                              LeafBlend& blend) {
    prepare_set(index);
    blend.center2 = std::max(blend.center2, sets_[index].center.squaredNorm());
    blend.gap = std::max(blend.gap, sets_[index].gap);
    const Float4 center = load4(sets_[index].pivot.at);
    float length2 = blend.length2;
    const TreeSet& set = tree_->sets[index];
    while (v + 4 <= end && !stretch_ &&
           deform_four<spherical>(set, weights, v, sets_[index].pivot, length2)) {
        v += 4;
        weights += 4 * set.joint_count;
    }
    for (; v < end; ++v, weights += set.joint_count) {
        store4(vertices_[v].at,
               quaternion_blend<spherical>(index, weights, tree_->positions[v], center, length2));
    }
    blend.length2 = length2;
}

/// One point under the weights of a vertex.
Point4 Body::blended(std::uint32_t index, const float* weights, const Vec3f& rest, float& length2) {
    const TreeSet& set = tree_->sets[index];
    if (method_ == Method::lbs || set.joint_count == 1) return stored4(linear_blend<0>(set, weights, rest));
    if (method_ == Method::dqs)
        return stored4(quaternion_blend<false>(index, weights, rest, all4(0), length2));
    const Float4 center = load4(sets_[index].pivot.at);
    return stored4(quaternion_blend<true>(index, weights, rest, center, length2));
}

/// A run of vertices of one set.
void Body::deform_run(std::uint32_t index, std::uint32_t v, std::uint32_t end, LeafBlend& blend) {
    const TreeSet& set = tree_->sets[index];
    const float* const weights = tree_->weights.data() + tree_->vertex_weights[v];  // they follow each other
    if (set.joint_count == 1) return deform_linear<1>(set, weights, v, end);
    if (method_ == Method::sbs) return deform_quaternions<true>(index, weights, v, end, blend);
    if (method_ == Method::dqs) return deform_quaternions<false>(index, weights, v, end, blend);
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

Body::LeafBlend Body::deform_leaf(const Node& leaf) {
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

}  // namespace sinew::collide
