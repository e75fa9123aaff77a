// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// C3D: markers, model outputs, analog channels, events and parameters of a capture, as gait laboratories
/// store them.

#include <filesystem>
#include <string>

#include "sinew/io/io.h"

namespace sinew::io {

/// Reads a trial in the number formats of all three processors, as integers or reals. Points keep the numbers
/// of the file; Trial::to_world maps them to metres with +Y up, from POINT:UNITS and POINT:X_SCREEN /
/// Y_SCREEN, or from the data where these are missing (Asset::guesses), or from ReadOptions::units and up.
/// Samples that were not measured are NaN with a negative residual.
///
/// In real files the header and the parameters often contradict each other. The combination that fills the
/// file to its last block is used; if there is none, the parameters. Each kind of contradiction or repair
/// gives one warning (`c3d-...`) with the first location. A truncated trial keeps its complete frames.
/// \throws Error with file and byte when there is no C3D header
Asset read_c3d(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Number format of a C3D file, by processor.
enum class C3dProcessor { intel, dec, mips };

struct C3dOptions {
    C3dProcessor processor = C3dProcessor::intel;
    bool integers = false;  ///< 16-bit integers instead of reals: half the size, rounded
};

/// Writes the trial. Its groups and parameters are kept; those that describe the data are updated where they
/// are no longer correct. Reading gives the same trial: real files exactly, integer files within half a
/// POINT:SCALE and half a step of each analog channel, and exactly when the trial came from an integer file.
///
/// Warnings: `c3d-residual` and `c3d-clipped` (a value out of range was clamped), `c3d-hidden-event`. \throws
/// Error when there is no trial, or it exceeds the limits of the format
std::string encode_c3d(const Asset& asset, const std::filesystem::path& path, const C3dOptions& options,
                       Monitor& monitor);

/// The same with reals in the format of this machine's processor.
std::string write_c3d(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

}  // namespace sinew::io
