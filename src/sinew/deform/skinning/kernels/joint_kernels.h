// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Per-frame computations for each joint and each influence set, vectorised over several of them, with the
/// same steps as the scalar code in set_coefficients.cpp. On machines without double vectors they do nothing,
/// and the scalar code is used.

#include <cstddef>
#include <cstdint>

namespace sinew::deform::kernels {

/// Doubles per joint: its unit quaternion x y z w, then the dual part or, with `rows`, the matrix in rows of
/// four.
inline constexpr std::size_t joint_doubles = 16;

/// Palette entries to decompose.
struct MotionJob {
    const float* palette = nullptr;  ///< twelve floats per joint, three rows of four
    std::size_t count = 0;
    double tolerance = 0;          ///< a matrix that deviates more from orthonormal is not rigid
    bool rows = false;             ///< store the matrix after the quaternion instead of the dual part
    double* out = nullptr;         ///< `joint_doubles` per joint
    std::uint8_t* done = nullptr;  ///< 1 for each joint that is rigid
};

/// Consecutive influence sets with the same number of joints, for spherical blending.
struct CenterJob {
    const double* joints = nullptr;       ///< output of a MotionJob with `rows`
    const std::uint32_t* list = nullptr;  ///< joints of the sets
    std::size_t joint_count = 0;          ///< of a set, from two to `most_joints`
    std::size_t sets = 0;
    double cut = 0;                ///< equations with eigenvalues below this are solved separately
    float* centers = nullptr;      ///< three floats per set
    float* moved = nullptr;        ///< of the first joint: the moved centre; of others the difference to it
    std::size_t stride = 0;        ///< distance between joints in floats
    std::uint8_t* done = nullptr;  ///< 1 for each set whose equations are well posed
};
inline constexpr std::size_t most_joints = 8;

/// Joints and sets not marked as done must be computed by the caller; their output is undefined.
void split_motions(const MotionJob& job);
void solve_centers(const CenterJob& job);

}  // namespace sinew::deform::kernels
