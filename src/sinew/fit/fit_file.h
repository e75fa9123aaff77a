#pragma once
/// \file
/// Fits on disk (.fit): layers that can be played as soon as they are there. Rest mesh, weights and poses
/// come first, then one correction after the other, so that a file that is cut off, or read only in part,
/// plays with fewer corrections.

#include "sinew/fit/pose_code.h"

namespace sinew::fit {

struct FitFileOptions {
    FitPrecision precision = FitPrecision::single;
    int bits = 16;                                           ///< of quantised poses
    std::size_t corrections = static_cast<std::size_t>(-1);  ///< at most so many
};

/// The bytes of a file. The rest mesh keeps positions, normals and triangles; other properties are left out.
/// With `exact` reading gives back every bit.
std::string write_fit(const FitResult& fit, const FitFileOptions& options = {});

/// `corrections` limits what is read. A file that ends within or before its corrections gives those that are
/// whole, with the warning `fit-cut-off`. \throws Error naming the byte.
FitResult read_fit(Bytes bytes, std::string_view place, Monitor& monitor = silent(),
                   std::size_t corrections = static_cast<std::size_t>(-1));

/// The fewest bits of quantised poses whose error, measured over the sequence, is at most `share` above that
/// of the fit itself: 8 to 24. The number of bytes is then the size of the file.
int bits_for(const model::MeshSequence& sequence, const FitResult& fit, double share = 0.1);

}  // namespace sinew::fit
