// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Readers and writers of laboratory trials and gait cycles.

#include <filesystem>
#include <string>

#include "sinew/io/io.h"

namespace sinew::io {

/// TRC (Motion Analysis' track row column): markers over time as a table.
///
/// Reads markers into Asset::trial, in the numbers of the file. A cell that is blank or says NaN in any
/// spelling makes its marker missing in that frame. The unit is what Units says; which axis points up is a
/// guess ("up"), because the format does not say. The rate is DataRate, else ReadOptions::rate, else it comes
/// from the median step of the times ("fps"). Rows that the times show to be missing become frames without
/// markers.
///
/// What breaks the format is read by rule, with one warning for each kind (`trc-...`) that names the first
/// location: counts that are wrong, labels in other columns, commas or spaces or doubled tabs between cells,
/// short and long rows. \throws Error with file and line.
Asset read_trc(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Writes the markers of a trial in their own numbers and unit, so that they read back exactly; a marker that
/// is missing is three blank cells. What TRC cannot hold (model outputs, analog channels, events, platforms)
/// is left out, and said (`trc-markers-only`).
std::string write_trc(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

/// MOT and STO (motion and storage files of OpenSim): columns over time.
///
/// Reads every column into a channel of Asset::trial, one sample a frame, angles in degrees; coordinates of
/// OpenSim's gait models (hip_flexion_l, knee_angle_r, pelvis_tilt ...) also into model outputs (LHipAngles
/// ...), with their signs: knees bend by positive angles whatever the model has (`mot-knee`). Rows at uneven
/// times are read at even ones (`mot-uneven`). \throws Error with file and line when there is no header, a
/// cell is no number, or a row has other than one cell for each name.
Asset read_mot(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Writes the joint angles among the model outputs as coordinates, and channels that have one sample a frame;
/// anything else is left out, and said (`mot-angles-only`). \throws Error when there is neither.
std::string write_mot(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

/// GCD (gait cycle data, of the DST family): curves and values of a gait cycle.
///
/// Reads curves, values and texts into Asset::cycle. A name starts with its side (LeftHipFlexExt); where
/// $PREFIXES lists sides, names without one belong to them: all to a single side, or the first of several
/// equal names to the first side, and so on. Numbers keep the file's units; angles are degrees.
///
/// What breaks the format is read by rule, with one warning for each kind (`gcd-...`) that names the first
/// location. \throws Error with file and line when no variable is there.
Asset read_gcd(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Writes Asset::cycle so that it reads back exactly.
std::string write_gcd(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

/// Raw joint text: three numbers a line, one joint a line, all joints of a frame after each other.
///
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
