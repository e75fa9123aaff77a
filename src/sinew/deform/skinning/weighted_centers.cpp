// SPDX-License-Identifier: MIT
#include "sinew/deform/skinning/weighted_centers.h"

#include <algorithm>
#include <limits>

#include "sinew/math/blend.h"
#include "sinew/math/transform.h"

namespace sinew::deform {

using math::Mat3d;
using Mat3f = math::Mat3<float>;
using math::Mat4d;
using math::Quatd;
using math::Quatf;
using math::Rigidd;
using math::Vec3d;
using math::Vec3f;
using model::InfluenceSet;
using model::InfluenceSets;

namespace {

/// A palette entry: M = rigid about the rest position of the joint, after the stretch.
struct JointFrame {
    Rigidd motion;
    Mat3f stretch = Mat3f::Identity();
    Vec3f shift = Vec3f::Zero();  ///< keeps the rest position fixed under the stretch
    bool rigid = true;
};

JointFrame split(const Mat4d& matrix, const Vec3d& center) {
    JointFrame frame;
    const Mat3d linear = matrix.topLeftCorner<3, 3>();
    const Mat3d rotation = math::is_rigid(matrix, 1e-12) ? linear : math::nearest_rotation(linear);
    frame.motion = {math::from_matrix(rotation), math::transform_point(matrix, center) - rotation * center};
    frame.rigid = math::is_rigid(matrix, rigid_tolerance);
    if (!frame.rigid) {
        const Mat3d stretch = rotation.transpose() * linear;
        frame.stretch = stretch.cast<float>();
        frame.shift = (center - stretch * center).cast<float>();
    }
    return frame;
}

/// det(M) M^-T: how area vectors move.
Mat3f cofactor(const Mat3f& m) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) c.col(i) = m.col((i + 1) % 3).cross(m.col((i + 2) % 3));
    return c;
}

struct Blend {
    Mat3f linear, normals;
    Vec3f translation;
};

/// The joints of one influence set, with consistent signs.
class WeightedSet {
  public:
    WeightedSet(const InfluenceSets& sets, const InfluenceSet& set, std::span<const JointFrame> frames) {
        const auto parents = sets.sign_parents_of(set);
        std::vector<Quatd> rotations;
        for (const std::uint32_t joint : sets.joints_of(set)) {
            joints_.push_back(&frames[joint]);
            motions_.push_back(frames[joint].motion);
            rotations.push_back(frames[joint].motion.rotation);
            rigid_ = rigid_ && frames[joint].rigid;
        }
        for (const std::uint32_t i : model::sign_order(sets, set)) {
            if (parents[i] < 0) continue;
            const Quatd& leader = rotations[static_cast<std::size_t>(parents[i])];
            if (rotations[i].dot(leader) < 0) rotations[i].coeffs() = -rotations[i].coeffs();
        }
        for (const Quatd& q : rotations) rotations_.push_back(q.cast<float>());
    }

    /// v' = Q (v - c) + sum w_i C_i c with Q the linear blend of the quaternions (Kavan 2007, 3.2).
    Blend blend(std::span<const float> weights, std::size_t heaviest, DeformCounts& counts) const {
        Quatf sum(0, 0, 0, 0);
        for (std::size_t i = 0; i < weights.size(); ++i) sum.coeffs() += weights[i] * rotations_[i].coeffs();
        const bool degenerate = sum.norm() < static_cast<float>(degenerate_length);
        counts.degenerate_blends += degenerate;
        const Quatf rotation = (degenerate ? rotations_[heaviest] : sum).normalized();
        // Rounded first, so that the centre and its images under the joints refer to the same point.
        const Vec3f center = center_of(weights);
        Vec3f translation = -(rotation * center);
        for (std::size_t i = 0; i < weights.size(); ++i)
            translation += weights[i] * (motions_[i] * Vec3d(center.cast<double>())).cast<float>();
        Blend out{math::to_matrix(rotation), math::to_matrix(rotation), translation};
        if (!rigid_) stretch_first(out, weights, degenerate ? static_cast<int>(heaviest) : -1);
        return out;
    }

  private:
    Vec3f center_of(std::span<const float> weights) const {
        if (motions_.size() == 1) return Vec3f::Zero();
        const std::vector<double> exact(weights.begin(), weights.end());
        return math::rotation_center(exact, motions_, math::rank_threshold_float).center.cast<float>();
    }

    /// v1 = sum w_i (b_i + P_i (v - b_i)), then the rigid blend; `only` is the joint that is used for both
    /// when rotations cancelled.
    void stretch_first(Blend& rigid, std::span<const float> weights, int only) const {
        Mat3f linear = Mat3f::Zero();
        Vec3f shift = Vec3f::Zero();
        for (std::size_t i = 0; i < joints_.size(); ++i) {
            const float w = only < 0 ? weights[i] : static_cast<float>(static_cast<int>(i) == only);
            linear += w * joints_[i]->stretch;
            shift += w * joints_[i]->shift;
        }
        rigid.translation += rigid.linear * shift;
        rigid.normals = rigid.linear * cofactor(linear);
        rigid.linear = rigid.linear * linear;
    }

    std::vector<const JointFrame*> joints_;
    std::vector<Rigidd> motions_;
    std::vector<Quatf> rotations_;
    bool rigid_ = true;
};

/// normalize(N n); where that is zero by rounding, normalize(M n), then the normal as the heaviest joint
/// moves it.
Vec3f move_normal(const Blend& blend, const Vec3f& normal, const Mat4d& heaviest) {
    constexpr float tiny = 64 * std::numeric_limits<float>::epsilon();
    if (normal.squaredNorm() == 0) return normal;
    const Mat3f own = heaviest.topLeftCorner<3, 3>().cast<float>();
    const float size = own.norm() * normal.norm();
    Vec3f moved = blend.normals * normal;
    if (moved.norm() > tiny * own.norm() * size) return moved.normalized();
    moved = blend.linear * normal;
    if (moved.norm() > tiny * size) return moved.normalized();
    moved = own * normal;
    return moved.norm() > 0 ? Vec3f(moved.normalized()) : normal;
}

}  // namespace

DeformCounts deform_about_weighted_centers(const model::Skin& skin, const InfluenceSets& sets,
                                           std::span<const Mat4d> palette, std::span<Vec3f> positions,
                                           std::span<Vec3f> normals) {
    DeformCounts counts;
    std::vector<JointFrame> frames;
    for (std::size_t j = 0; j < palette.size(); ++j) {
        frames.push_back(split(palette[j], rest_center(skin.joints[j].inverse_bind)));
        counts.nonrigid_joints += !frames.back().rigid;
    }
    for (const InfluenceSet& set : sets.sets) {
        const WeightedSet joints(sets, set, frames);
        std::vector<float> weights(set.joint_count);
        for (std::size_t k = 0; k < set.vertex_count; ++k) {
            // Convex in single precision, too.
            float sum = 0;
            for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] = sets.weights_of(set, i)[k];
            for (float& w : weights) w /= sum;
            const auto heaviest =
                static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
            const Blend blend = joints.blend(weights, heaviest, counts);
            const std::uint32_t v = sets.vertices_of(set)[k];
            positions[v] = blend.linear * positions[v] + blend.translation;
            if (!normals.empty())
                normals[v] = move_normal(blend, normals[v], palette[sets.joints_of(set)[heaviest]]);
        }
    }
    return counts;
}

}  // namespace sinew::deform
