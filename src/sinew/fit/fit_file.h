// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Fits on disk (.fit): layers that can be played as soon as they are there. Rest mesh, weights and poses
/// come first, then one correction after the other, so that a file that is cut off, or read only in part,
/// plays with fewer corrections.
///
/// \code
/// write_file("flag.fit", fit::write_fit(fitted.fit, {.precision = fit::FitPrecision::quantised}));
/// const fit::FitResult again = fit::read_fit(FileView("flag.fit").bytes(), "flag.fit");
/// \endcode

#include <string>
#include <string_view>

#include "sinew/base/file.h"
#include "sinew/fit/fit.h"

namespace sinew::fit {

/// How numbers are kept.
enum class FitPrecision : std::uint8_t {
    exact,      ///< as they are solved: to go on from
    single,     ///< 32 bits
    quantised,  ///< `bits` over the range of each number over time, differences from frame to frame
};

struct FitFileOptions {
    FitPrecision precision = FitPrecision::single;
    int bits = 16;                                           ///< of quantised poses, 4 to 24
    std::size_t corrections = static_cast<std::size_t>(-1);  ///< at most so many
};

/// \param fit any fit. The rest mesh keeps positions, normals and triangles; other properties are left out.
/// \param options how numbers are kept. With `exact` reading gives back every bit.
/// \return the bytes of a file.
std::string write_fit(const FitResult& fit, const FitFileOptions& options = {});

/// A file that ends within or before its corrections gives those that are whole, with the warning
/// `fit-cut-off`.
/// \param bytes of a file.
/// \param name of the file, for errors.
/// \param monitor warnings.
/// \param corrections limits what is read.
/// \return the fit.
/// \throws Error naming the byte.
FitResult read_fit(Bytes bytes, std::string_view name, Monitor& monitor = silent(),
                   std::size_t corrections = static_cast<std::size_t>(-1));

/// \param sums of weights, to be added up by another machine.
/// \return the bytes of a file (.sums), which keeps every bit.
std::string write_sums(const WeightSums& sums);
/// \param bytes of a file.
/// \param name of the file, for errors.
/// \return the sums.
/// \throws Error naming the byte.
WeightSums read_sums(Bytes bytes, std::string_view name);

/// \param sequence that was fitted.
/// \param fit of it.
/// \param share how much larger the error may become.
/// \return the fewest bits of quantised poses whose error, measured over the sequence, is at most `share`
/// above that of the fit itself: 8 to 24. The number of bytes is then the size of the file.
int bits_for(const model::MeshSequence& sequence, const FitResult& fit, double share = 0.1);

}  // namespace sinew::fit
