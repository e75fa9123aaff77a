// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Readers and writers of Acclaim skeletons (ASF) and motions (AMC).

#include <filesystem>
#include <string>

#include "sinew/io/io.h"

namespace sinew::io {

/// ASF (Acclaim skeleton file): the skeleton of AMC motions.
///
/// Reads a skeleton: one joint for the root and one for each bone, where the bone starts, without rest
/// rotations; tips at the ends of leaves; limits from dof, limits and axis. With C the rotation of a bone's
/// axis angles and M that of its values, it turns by C M C^-1 (see read_amc).
///
/// Numbers keep the file's units: the guess "units" says how long one is, 0.0254 / length metres, because
/// files divide inches by the number behind `length` of :units.
///
/// What breaks the grammar is read by rule, with one warning for each kind (`asf-...`) that names the first
/// position. \throws Error with file and line for the rest; a cycle in the hierarchy is such a case.
Asset read_asf(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Writes the skeleton that write_amc needs for the first clip: bones upright in the rest pose, dof from the
/// joint limits and from what the clip does. An ASF bone has one end, where all of its children start; a
/// child elsewhere is reached by a connecting bone without dof, and a root that is one of several by one from
/// the origin (`asf-connector`). The length unit says how long a number is: Character::unit
/// metres, or as WriteOptions::units says.
std::string write_asf(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

/// AMC (Acclaim motion capture): the motion of an ASF skeleton, which is another file.
///
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
