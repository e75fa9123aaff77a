// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Files of fits (.fit) for progressive playback. Rest mesh, weights and poses come first, then one
/// correction after the other: a file that is truncated, or only read in part, plays with fewer corrections.
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

/// How numbers are stored.
enum class FitPrecision : std::uint8_t {
    exact,      ///< as solved, without loss
    single,     ///< 32 bits
    quantised,  ///< `bits` over the range of each number over time, as differences between frames
};

struct FitFileOptions {
    FitPrecision precision = FitPrecision::single;
    int bits = 16;                                           ///< for quantised poses, 4 to 24
    std::size_t corrections = static_cast<std::size_t>(-1);  ///< largest number of corrections to store
};

/// \param fit a fit; of its rest mesh positions, normals and triangles are stored
/// \param options precision. With `exact` reading restores every bit.
/// \return the content of a file
std::string write_fit(const FitResult& fit, const FitFileOptions& options = {});

/// Reads a fit. A file that ends within or before its corrections gives the complete ones, with the warning
/// `fit-cut-off`.
/// \param bytes content of a file
/// \param name name of the file in errors
/// \param monitor receives warnings
/// \param corrections largest number of corrections to read
/// \return the fit
/// \throws Error naming the byte of the problem
FitResult read_fit(Bytes bytes, std::string_view name, Monitor& monitor = silent(),
                   std::size_t corrections = static_cast<std::size_t>(-1));

/// \param sums normal equations of weights, to be added up by another machine
/// \return the content of a file (.sums), without loss
std::string write_sums(const WeightSums& sums);
/// \param bytes content of a file
/// \param name name of the file in errors
/// \return the sums
/// \throws Error naming the byte of the problem
WeightSums read_sums(Bytes bytes, std::string_view name);

/// \param sequence the sequence that was fitted
/// \param fit its fit
/// \param share accepted relative increase of the error
/// \return the smallest number of bits of quantised poses, 8 to 24, for which the error measured over the
/// sequence grows by at most `share`
int bits_for(const model::MeshSequence& sequence, const FitResult& fit, double share = 0.1);

}  // namespace sinew::fit
