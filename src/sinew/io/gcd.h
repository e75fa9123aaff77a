#pragma once
/// \file
/// GCD (gait cycle data, of the DST family): curves and values of a gait cycle.

#include <filesystem>
#include <string>

#include "sinew/io/io.h"

namespace sinew::io {

/// Reads curves, values and texts into Asset::cycle. A name starts with its side (LeftHipFlexExt); where
/// $PREFIXES lists sides, names without one belong to them: all to a single side, or the first of several
/// equal names to the first side, and so on. Numbers keep the file's units; angles are degrees.
///
/// What breaks the format is read by rule, with one warning for each kind (`gcd-...`) that names the first
/// place. \throws Error with file and line when no variable is there.
Asset read_gcd(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Writes Asset::cycle so that it reads back exactly.
std::string write_gcd(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

}  // namespace sinew::io
