#pragma once
/// \file
/// What a fit costs to store: the published ratio, and every byte counted.

#include "sinew/fit/result.h"

namespace sinew::fit {

/// 6 m n / (6 m + 12 p n): floats of positions and normals of m vertices over n frames, against the rest pose
/// and a dual quaternion and a quaternion for each of p joints (Kavan et al. 2007, tables 1 and 2). Weights
/// and corrections are not counted.
double published_ratio(std::size_t vertices, std::size_t frames, std::size_t joints);

/// Bytes of a fit in single precision.
struct FitSize {
    std::size_t rest = 0;         ///< positions and normals
    std::size_t weights = 0;      ///< 8 bits a weight, 8 or 16 an index
    std::size_t joints = 0;       ///< their places
    std::size_t motions = 0;      ///< transformations of positions and normals
    std::size_t corrections = 0;  ///< shapes and amounts

    std::size_t total() const { return rest + weights + joints + motions + corrections; }
};
FitSize size_of(const FitResult& fit);

/// Bytes of positions and normals of the sequence itself.
std::size_t sequence_bytes(std::size_t vertices, std::size_t frames);

}  // namespace sinew::fit
