#pragma once
/// \file
/// AMC (Acclaim motion capture): the motion of an ASF skeleton, which is another file.

#include <filesystem>
#include <string>

#include "sinew/io/io.h"

namespace sinew::io {

/// Reads a motion and its skeleton. The skeleton is ReadOptions::skeleton, else the .asf of the same name,
/// else of the part of the name before the first "_" (01_01.amc: 01.asf), else the only .asf in the folder.
///
/// With C the rotation of a bone's axis angles and M that of its values, applied in dof order about fixed
/// axes ("rx ry rz": M = R_z R_y R_x), a joint turns by C M C^-1. Translation dofs move a bone's start along
/// the axes C, the root's along the world's; a length dof moves the start of the bone's children. Angles are
/// what :DEGREES or :RADIANS says, else what the skeleton's file uses.
///
/// No rate is in the file: ReadOptions::rate, else the guess "fps" of 120. Numbers keep the file's units,
/// with the guess "units" of read_asf. A bone that a frame leaves out keeps its last values (0 at first), as
/// do numbers that are missing or broken; holes in the frame numbers are filled by interpolation. Each kind
/// of oddity is one warning (`amc-...`, `asf-...`) that names the first place.
/// \throws Error with file and line.
Asset read_amc(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Writes the first clip, sampled at its own rate or at WriteOptions::rate (the rest pose as one frame when
/// there is none), and its skeleton as write_asf does into the .asf of the same name beside it, unless that
/// holds the same already; another content is replaced, and said (`amc-skeleton-replaced`). Joints move as
/// they did; connecting bones are joints without motion.
std::string write_amc(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

}  // namespace sinew::io
