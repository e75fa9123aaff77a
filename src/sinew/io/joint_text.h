#pragma once
/// \file
/// Raw joint text: three numbers a line, one joint a line, all joints of a frame after each other.

#include <filesystem>
#include <string>

#include "sinew/io/io.h"

namespace sinew::io {

/// Reads joints as the markers joint_1, joint_2, ... of Asset::trial. The file does not say how many there
/// are: ReadOptions::joints does. The rate is ReadOptions::rate, else the guess "fps" of 30; unit and axis
/// are guesses, too. NaN is a joint that is missing; lines behind the last whole frame are left out
/// (`joint-text-partial`).
/// \throws Error with file and line; without a joint count, one that lists the counts that would fit.
Asset read_joint_text(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options,
                      Monitor& monitor);

/// Writes the markers of a trial, missing ones as NaN.
std::string write_joint_text(const Asset& asset, const std::filesystem::path& path,
                             const WriteOptions& options, Monitor& monitor);

}  // namespace sinew::io
