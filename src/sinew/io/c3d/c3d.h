// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// C3D: markers, model outputs, analog channels, events and parameters of a capture, as gait laboratories
/// keep them.

#include <filesystem>
#include <string>

#include "sinew/io/io.h"

namespace sinew::io {

/// Reads a trial of any of the three processors, as integers or reals. Points keep the numbers of the file;
/// Trial::to_world maps them to metres with +Y up, from POINT:UNITS and POINT:X_SCREEN / Y_SCREEN, or from
/// the data where these are silent (Asset::guesses), or as ReadOptions::units and up say. Samples that were
/// not measured are NaN with a negative residual.
///
/// The header and the parameters of real files contradict each other. Of all that they say, what fills the
/// file to the last block is believed; failing that, the parameters. Each contradiction and each repair is
/// one warning (`c3d-...`) that names the first place. A trial that was cut keeps its whole frames.
/// \throws Error with file and byte when there is no C3D header.
Asset read_c3d(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Whose numbers a C3D file holds.
enum class C3dProcessor { intel, dec, mips };

struct C3dOptions {
    C3dProcessor processor = C3dProcessor::intel;
    bool integers = false;  ///< 16-bit integers instead of reals: half the size, rounded
};

/// Writes the trial. Groups and parameters that the trial came with are kept;
/// those that describe the data are kept where they still hold and written anew where they do not. Reading
/// gives the same trial: real files exactly, integer files within half a POINT:SCALE and half a step of each
/// analog channel, and exactly when the trial came from an integer file.
///
/// Warnings: `c3d-residual` and `c3d-clipped` (a value that the file cannot hold was moved to its limit),
/// `c3d-hidden-event`. \throws Error when there is no trial, or it has more than the format can count.
std::string encode_c3d(const Asset& asset, const std::filesystem::path& path, const C3dOptions& options,
                       Monitor& monitor);

/// The same with reals of this processor.
std::string write_c3d(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

}  // namespace sinew::io
