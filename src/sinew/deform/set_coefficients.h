#pragma once
/// \file
/// The work done once a frame, not once a vertex: palette entries to quaternions, signs, rotation centres,
/// and the coefficients that kernels blend.

#include <span>
#include <vector>

#include "sinew/deform/kernels/block_kernels.h"
#include "sinew/deform/method.h"
#include "sinew/deform/blend.h"
#include "sinew/math/dual_quaternion.h"

namespace sinew::deform {

/// The kernel rule of a method. `exact_normals` decides between cofactors and the linear part for linear
/// blending.
kernels::Rule rule_of(Method method, bool exact_normals);

/// A palette entry split into its rigid part and the stretch before it.
struct JointMotion {
    math::Rigidd rigid;
    math::DualQuatd dual;
    math::Mat3d stretch = math::Mat3d::Identity();
};

/// Splits C v = R (b + P (v - b)) + C b - R b with b the rest place of the joint; `rigid` says that P is 1.
JointMotion split_motion(const Mat34f& matrix, const math::Vec3d& center, bool& rigid);

/// Rest centre about which a set of two or more joints turns in spherical blending: the joint that two
/// neighbours share, or the least-squares solution. `centers` are the rest places of the joints.
math::Vec3d set_center(std::span<const math::Rigidd> motions, std::span<const math::Vec3d> centers);

/// What one pose of one instance needs; made once, reused every frame.
struct FrameData {
    static constexpr std::size_t most_coefficients = 25 + kernels::stretch_count;

    std::vector<JointMotion> motions;        ///< per palette entry
    std::vector<double> joint_coefficients;  ///< per palette entry, what does not depend on the set
    std::vector<double> signs;               ///< of the quaternions of the set at hand
    std::vector<math::Rigidd> set_rigids;    ///< of the set at hand
    std::vector<math::Vec3d> set_centers;    ///< of the set at hand
    std::vector<math::Vec3d> centers;        ///< rest place of each palette entry
    std::vector<float> coefficients;         ///< set by set
    std::vector<float> constants;            ///< three per set
    std::size_t shared_count = 0;            ///< of joint_coefficients under the rule
    bool stretch = false;
    std::size_t nonrigid_joints = 0;
    double size = 1;  ///< diagonal of the rest mesh, the yardstick of iterations
    kernels::Rule rule = kernels::Rule::affine;
};

/// Room for every rule on this layout; nothing is allocated afterwards.
FrameData make_frame_data(const SkinLayout& layout, std::span<const math::Vec3d> joint_centers, double size);

/// Fills the coefficients of all sets for a palette. \throws Error when the palette is too short or not
/// finite.
void fill(FrameData& frame, const SkinLayout& layout, std::span<const Mat34f> palette, Method method,
          bool exact_normals);

/// Floats that the coefficients of one joint of a set take; they lie in the order of SkinLayout::joints.
std::size_t coefficient_stride(const FrameData& frame);

}  // namespace sinew::deform
