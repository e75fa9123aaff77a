// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Transformations of bones over time as few numbers: quaternion and position of the bone's centre, matrix,
/// or dual quaternion; in double or single precision, or rounded to a number of bits and coded as
/// differences.

#include "sinew/fit/codec/byte_stream.h"
#include "sinew/fit/fit_file.h"

namespace sinew::fit {

struct PoseCode {
    FitPrecision precision = FitPrecision::single;
    int bits = 16;  ///< 4 to 24
};

/// What a bone's numbers are.
enum class PoseKind : std::uint8_t {
    matrix,      ///< 12: linear part, then the image of the bone's centre
    rigid,       ///< 7: unit quaternion, image of the centre
    dual,        ///< 8: dual quaternion of any length, about the centre
    dual_rigid,  ///< 7: the same for unit dual quaternions, whose signs against each other matter
    rotation,    ///< 4: quaternion alone, of normals
    linear,      ///< 9: linear part alone, of normals
};
int numbers_of(PoseKind kind);

/// The kind that holds the poses of a fit.
PoseKind pose_kind(const FitResult& fit, const std::vector<BonePose>& poses, bool normals);

void write_poses(const std::vector<BonePose>& poses, const std::vector<Vec3d>& centers, PoseKind kind,
                 const PoseCode& code, ByteWriter& out);
std::vector<BonePose> read_poses(std::size_t frames, const std::vector<Vec3d>& centers, PoseKind kind,
                                 const PoseCode& code, ByteReader& in);

}  // namespace sinew::fit
