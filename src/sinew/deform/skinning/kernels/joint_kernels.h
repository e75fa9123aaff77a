// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// What a frame needs once for each joint and each influence set, several at a time, in the steps of the
/// plain code in set_coefficients.cpp. Where doubles have no vectors nothing is done, and the plain code does
/// it all.

#include <cstddef>
#include <cstdint>

namespace sinew::deform::kernels {

/// Doubles of a joint: its unit quaternion x y z w, then the dual part, or, of rows, the matrix by rows of
/// four.
inline constexpr std::size_t joint_doubles = 16;

/// Palette entries to be taken apart.
struct MotionJob {
    const float* palette = nullptr;  ///< twelve floats a joint, three rows of four
    std::size_t count = 0;
    double tolerance = 0;          ///< a matrix further than this from orthonormal is not rigid
    bool rows = false;             ///< a matrix follows the quaternion, not its dual part
    double* out = nullptr;         ///< `joint_doubles` a joint
    std::uint8_t* done = nullptr;  ///< 1 for each joint that is rigid
};

/// Influence sets of as many joints each, one behind the other, for spherical blending.
struct CenterJob {
    const double* joints = nullptr;       ///< what a MotionJob gives, with rows
    const std::uint32_t* list = nullptr;  ///< joints of the sets
    std::size_t joint_count = 0;          ///< of a set, from two to `most_joints`
    std::size_t sets = 0;
    double cut = 0;            ///< a system of equations this small is looked at by itself
    float* centers = nullptr;  ///< three floats a set
    float* moved = nullptr;    ///< of the first joint: where the centre goes; of others the difference to it
    std::size_t stride = 0;    ///< floats from one joint to the next
    std::uint8_t* done = nullptr;  ///< 1 for each set whose equations are well posed
};
inline constexpr std::size_t most_joints = 8;

/// Joints and sets that are not done are left to the caller, whatever has been written for them.
void split_motions(const MotionJob& job);
void solve_centers(const CenterJob& job);

}  // namespace sinew::deform::kernels
