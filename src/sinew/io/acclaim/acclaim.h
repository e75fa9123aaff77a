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
/// Reads a skeleton: one joint for the root, and one at the start of each bone, without rest rotations; tips
/// at the ends of leaf bones; limits from dof, limits and axis. With C the rotation of a bone's axis angles
/// and M that of its values, it rotates by C M C^-1 (see read_amc).
///
/// Numbers keep the file's unit. The guess "units" states it: 0.0254 / length metres, because files divide
/// inches by the number after `length` in :units.
///
/// Repairable errors give one warning per kind (`asf-...`) with the first location. \throws Error with file
/// and line for other errors, such as a cycle in the hierarchy
Asset read_asf(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Writes the skeleton for the motion of write_amc: bones upright in the rest pose, dof from the joint limits
/// and from the first clip. An ASF bone has one end, where all of its children start. A child elsewhere is
/// connected by an additional bone without dof, and each of several roots by one from the origin
/// (`asf-connector`). The length unit is Character::unit metres, or WriteOptions::units.
std::string write_asf(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

/// AMC (Acclaim motion capture): the motion of an ASF skeleton, which is another file.
///
/// Reads a motion and its skeleton. The skeleton is ReadOptions::skeleton, else the .asf of the same name,
/// else of the part of the name before the first "_" (01_01.amc: 01.asf), else the only .asf in the folder.
///
/// With C the rotation of a bone's axis angles and M that of its values, applied in dof order about fixed
/// axes ("rx ry rz": M = R_z R_y R_x), a joint rotates by C M C^-1. Translation dofs move a bone's start
/// along the axes C, the root's along the world's; a length dof moves the start of the bone's children. The
/// unit of angles is stated by :DEGREES or :RADIANS, otherwise by the skeleton's file.
///
/// The format has no rate: ReadOptions::rate is used, else the guess "fps" of 120. Numbers keep the file's
/// units, with the guess "units" of read_asf. A bone missing in a frame keeps its last values (initially 0),
/// as do missing or invalid numbers; missing frames are interpolated. Each kind of problem gives one warning
/// (`amc-...`, `asf-...`) with the first location.
/// \throws Error with file and line.
Asset read_amc(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Writes the first clip, sampled at its own rate or at WriteOptions::rate (without a clip, the rest pose as
/// one frame). Its skeleton is written as by write_asf into the .asf file of the same name beside it, unless
/// that has the same content already; a different content is replaced, with the warning
/// `amc-skeleton-replaced`. The motion of the joints is preserved; connecting bones are joints without
/// motion.
std::string write_amc(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

}  // namespace sinew::io
