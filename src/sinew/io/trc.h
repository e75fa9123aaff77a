#pragma once
/// \file
/// TRC (Motion Analysis' track row column): markers over time as a table.

#include <filesystem>
#include <string>

#include "sinew/io/io.h"

namespace sinew::io {

/// Reads markers into Asset::trial, in the numbers of the file. A cell that is blank or says NaN in any
/// spelling makes its marker missing in that frame. The unit is what Units says; which axis points up is a
/// guess ("up"), because the format does not say. The rate is DataRate, else ReadOptions::rate, else it comes
/// from the median step of the times ("fps"). Rows that the times show to be missing become frames without
/// markers.
///
/// What breaks the format is read by rule, with one warning for each kind (`trc-...`) that names the first
/// place: counts that are wrong, labels in other columns, commas or spaces or doubled tabs between cells,
/// short and long rows. \throws Error with file and line.
Asset read_trc(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Writes the markers of a trial in their own numbers and unit, so that they read back exactly; a marker that
/// is missing is three blank cells. What TRC cannot hold (model outputs, analog channels, events, platforms)
/// is left out, and said (`trc-markers-only`).
std::string write_trc(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

}  // namespace sinew::io
