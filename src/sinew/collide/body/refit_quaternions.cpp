// SPDX-License-Identifier: MIT
// Refits of influence sets whose quaternions are blended: dual quaternion and spherical blending.

#include <cmath>

#include "sinew/collide/body/refit.h"

namespace sinew::collide {
namespace {

/// Blended corners of a set_bound: quaternions, then the values that are blended with them.
struct Corners4 {
    const Point4* q = nullptr;
    const Point4* other = nullptr;
    std::uint32_t count = 0;
    float min_length = 1;  ///< smallest <q_k, s>, s the mean direction
    float factor = 1;      ///< largest |q_k|^2 / <q_k, s>^2
};

/// Smallest <q_k, s> and largest |q_k|^2 / <q_k, s>^2 over the corners.
void measure(Corners4& corners) {
    Float4 sum = load4(corners.q[0].at);
    for (std::uint32_t k = 1; k < corners.count; ++k) sum = sum + load4(corners.q[k].at);
    const float length = std::sqrt(dot4(sum, sum));
    if (corners.count == 1) {
        corners.min_length = std::min(1.0f, length);
        return;
    }
    for (std::uint32_t k = 0; k < corners.count; ++k) {
        const Float4 q = load4(corners.q[k].at);
        const float along = dot4(q, sum) / length;
        if (!(along >= corners.min_length)) corners.min_length = along;
        corners.factor = std::max(corners.factor, dot4(q, q) / (along * along));
    }
}

/// Mean of some points, and the largest squared distance from it.
Float4 mean_of(const Point4* points, std::uint32_t count, float& distance2) {
    distance2 = 0;
    Float4 mean = load4(points[0].at);
    if (count == 1) return mean;
    for (std::uint32_t k = 1; k < count; ++k) mean = mean + load4(points[k].at);
    mean = mean * all4(1.0f / static_cast<float>(count));
    for (std::uint32_t k = 0; k < count; ++k) {
        const Float4 off = load4(points[k].at) - mean;
        distance2 = std::max(distance2, dot4(off, off));
    }
    return mean;
}

/// Half the chord between the images of two corners that are less than a right angle apart; else infinite.
float chord_of(const Corners4& corners, const Point4* images) {
    if (corners.count != 2 || !(dot4(load4(corners.q[0].at), load4(corners.q[1].at)) >= 0)) return infinite;
    const Float4 chord = load4(images[0].at) - load4(images[1].at);
    return std::sqrt(dot4(chord, chord)) / 2;
}

/// One point.
void add_bound(std::vector<PointsBound>& bounds, RefitScratch& scratch, Float4 center, double radius) {
    bounds.push_back({static_cast<std::uint32_t>(scratch.points.size()), 1, static_cast<float>(radius)});
    scratch.points.push_back(stored4(first3(center)));
}

}  // namespace

/// sum c_ki q_i for every corner k of a set_bound, and sum c_ki d_i of the duals or of the moved centres.
/// They are followed by the same number of slots for images.
template <bool spherical>
Point4* NodeRefit::blend_corners(const SetBound& set_bound, Float4 center, RefitScratch& scratch) {
    const TreeSet& set = tree_->sets[set_bound.set];
    BlendPose::PlayedJoint few[BlendPose::few_joints];
    const BlendPose::PlayedJoint* const joints = blends_.played_joints<spherical>(set_bound.set, center, few);
    const float* corner = tree_->corners.data() + set_bound.first_corner;
    const std::uint32_t count = set_bound.corner_count;
    if (scratch.blends.size() < 3 * count) scratch.blends.resize(3 * count);
    Point4* const out = scratch.blends.data();
    for (std::uint32_t k = 0; k < count; ++k) {
        const BlendPose::PlayedBlend blend = BlendPose::sum_of(joints, corner, set.joint_count);
        corner += set.joint_count;
        store4(out[k].at, blend.q);
        store4(out[count + k].at, blend.other);
    }
    return out;
}

/// By the quotient lemma with E_k = Y_k b_k, where Y_k is the image of p under corner k and its fourth number
/// the scalar part: |y - h| <= max |Y_k - h| |b_k| / <b_k, s>. Two corners of two joints: the path is part of
/// a screw, inside the sphere on its chord.
void NodeRefit::add_dual_bound(const SetBound& set_bound, const StoredSphere& sphere, const StoredSphere* own,
                               RefitScratch& scratch) {
    const std::uint32_t count = set_bound.corner_count, joints = tree_->sets[set_bound.set].joint_count;
    Point4* const blends = blend_corners<false>(set_bound, all4(0), scratch);
    Corners4 corners{blends, blends + count, count};
    measure(corners);
    const bool bounded = corners.min_length >= static_cast<float>(min_blend),
               chord = joints == 2 && count == 2;
    const double slack =
        bounded ? joints_.dual_slack(joints, static_cast<double>(corners.min_length)) : infinite;
    Point4* const images = blends + 2 * count;
    const auto add = [&](const StoredSphere& around, std::vector<PointsBound>& bounds) {
        const Float4 center = center_of(around);
        for (std::uint32_t k = 0; k < count; ++k) {
            const Float4 real = load4(corners.q[k].at), dual = load4(corners.other[k].at);
            const float squared = dot4(real, real);
            Float4 y = moved_by(real, dual, squared, center);
            if (!chord) {
                const Float4 scalar = all4(2 * dot4(real, dual) / squared);
                y = y + (scalar - first3(scalar));
            }
            store4(images[k].at, y);
        }
        float spread2 = 0;
        const Float4 mean = mean_of(images, count, spread2);
        const float spread = std::sqrt(chord ? spread2 : spread2 * corners.factor);
        add_bound(bounds, scratch, mean,
                  static_cast<double>(spread * (1 + 0x1p-19f) + around.radius) + slack);
    };
    add(sphere, scratch.bounds);
    if (own != nullptr) add(*own, scratch.own_bounds);
}

/// As for dual quaternions with Y_k = R(q_k) g + L_k. Rotation and translation are not one quotient, which
/// adds 2 max |q_k - b| |L_k - L|. Two corners: rotation along an arc of at most 180 degrees, inside the
/// sphere on its chord, and translation along a segment.
void NodeRefit::add_spherical_bound(const SetBound& set_bound, const StoredSphere& sphere,
                                    const StoredSphere* own, RefitScratch& scratch) {
    const std::uint32_t count = set_bound.corner_count, joints = tree_->sets[set_bound.set].joint_count;
    const BlendPose::Center pivot = blends_.rest_center(set_bound.set);
    Point4* const blends = blend_corners<true>(set_bound, load4(pivot.rest.at), scratch);
    Corners4 corners{blends, blends + count, count};
    measure(corners);
    float away2 = 0, apart2 = 0;
    mean_of(corners.q, count, away2);
    const Float4 middle = mean_of(corners.other, count, apart2);
    const float apart = std::sqrt(apart2), extra = 2 * std::sqrt(away2) * apart / corners.min_length;
    Point4* const images = blends + 2 * count;
    const auto add = [&](const StoredSphere& around, std::vector<PointsBound>& bounds) {
        const Float4 g = center_of(around) - load4(pivot.rest.at);
        for (std::uint32_t k = 0; k < count; ++k) {
            const Float4 q = load4(corners.q[k].at);
            store4(images[k].at, rotated4(q, dot4(q, q), g));
        }
        const float chord = chord_of(corners, images) + apart;
        for (std::uint32_t k = 0; k < count; ++k)
            store4(images[k].at, load4(images[k].at) + load4(corners.other[k].at));
        float spread2 = 0, min_length = corners.min_length;
        Float4 mean = mean_of(images, count, spread2);
        float radius = std::min(chord, std::sqrt(spread2 * corners.factor) + extra);
        const float from_center = std::sqrt(dot4(g, g));
        if (!(min_length > static_cast<float>(min_blend)) || !(radius <= from_center + apart)) {
            // Any rotation keeps |g|: the whole sphere about the moved centres.
            mean = middle;
            radius = from_center + apart;
            min_length = 1;
        }
        const double slack =
            joints_.spherical_slack(joints, static_cast<double>(from_center + around.radius),
                                    static_cast<double>(pivot.size()), static_cast<double>(min_length)) +
            static_cast<double>(pivot.gap);
        add_bound(bounds, scratch, mean,
                  static_cast<double>(radius * (1 + 0x1p-19f) + around.radius) + slack);
    };
    add(sphere, scratch.bounds);
    if (own != nullptr) add(*own, scratch.own_bounds);
}

}  // namespace sinew::collide
