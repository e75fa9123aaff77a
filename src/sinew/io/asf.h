#pragma once
/// \file
/// ASF (Acclaim skeleton file): the skeleton of AMC motions. amc.h reads and writes the motions.

#include <filesystem>
#include <string>

#include "sinew/io/io.h"

namespace sinew::io {

/// Reads a skeleton: one joint for the root and one for each bone, where the bone starts, without rest
/// rotations; tips at the ends of leaves; limits from dof, limits and axis. With C the rotation of a bone's
/// axis angles and M that of its values, it turns by C M C^-1 (see amc.h).
///
/// Numbers keep the file's units: the guess "units" says how long one is, 0.0254 / length metres, because
/// files divide inches by the number behind `length` of :units.
///
/// What breaks the grammar is read by rule, with one warning for each kind (`asf-...`) that names the first
/// place. \throws Error with file and line for the rest; a cycle in the hierarchy is such a case.
Asset read_asf(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Writes the skeleton that write_amc needs for the first clip: bones upright in the rest pose, dof from the
/// joint limits and from what the clip does. An ASF bone has one end, where all of its children start; a
/// child elsewhere is reached by a connecting bone without dof, and a root that is one of several by one from
/// the origin (`asf-connector`). The length unit says how long a number is: Character::unit
/// metres, or as WriteOptions::units says.
std::string write_asf(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

}  // namespace sinew::io
