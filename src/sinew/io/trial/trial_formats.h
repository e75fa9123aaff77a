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
/// Reads markers into Asset::trial, in the unit of the file. A blank cell or NaN in any spelling means that
/// the marker is missing in that frame. The unit is that of Units; the up axis is a guess ("up"), because the
/// format does not state it. The rate is DataRate, else ReadOptions::rate, else it comes from the median step
/// of the times ("fps"). Rows that are missing according to the times become frames without markers.
///
/// Repairable errors give one warning per kind (`trc-...`) with the first location: wrong counts, labels in
/// other columns, commas or spaces or doubled tabs between cells, short and long rows. \throws Error with
/// file and line.
Asset read_trc(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Writes the markers of a trial in their own unit, without loss; a missing marker is three blank cells. What
/// TRC cannot store (model outputs, analog channels, events, platforms) is dropped with the warning
/// `trc-markers-only`.
std::string write_trc(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

/// MOT and STO (motion and storage files of OpenSim): columns over time.
///
/// Reads every column into a channel of Asset::trial, one sample per frame, angles in degrees; coordinates of
/// OpenSim's gait models (hip_flexion_l, knee_angle_r, pelvis_tilt ...) also into model outputs (LHipAngles
/// ...), with the signs of gait reports: knee flexion is positive in all models (`mot-knee`). Rows at uneven
/// times are resampled evenly (`mot-uneven`). \throws Error with file and line when there is no header, a
/// cell is not a number, or a row does not have one cell per name.
Asset read_mot(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Writes the joint angles among the model outputs as coordinates, and channels with one sample per frame;
/// everything else is dropped with the warning `mot-angles-only`. \throws Error when there is neither
std::string write_mot(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

/// GCD (gait cycle data, of the DST family): curves and values of a gait cycle.
///
/// Reads curves, values and texts into Asset::cycle. A name starts with its side (LeftHipFlexExt); where
/// $PREFIXES lists sides, names without one belong to them: all to a single side, or the first of several
/// equal names to the first side, and so on. Numbers keep the file's units; angles are degrees.
///
/// Repairable errors give one warning per kind (`gcd-...`) with the first location. \throws Error with file
/// and line when there is no variable
Asset read_gcd(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Writes Asset::cycle without loss.
std::string write_gcd(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

/// Raw joint text: three numbers per line, one joint per line, all joints of a frame in consecutive lines.
///
/// Reads joints as the markers joint_1, joint_2, ... of Asset::trial. The file does not say how many there
/// are: ReadOptions::joints does. The rate is ReadOptions::rate, else the guess "fps" of 30; unit and axis
/// are guesses, too. NaN is a missing joint; lines after the last complete frame are ignored
/// (`joint-text-partial`).
/// \throws Error with file and line; without a joint count, one that lists the counts that would fit.
Asset read_joint_text(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options,
                      Monitor& monitor);

/// Writes the markers of a trial, missing ones as NaN.
std::string write_joint_text(const Asset& asset, const std::filesystem::path& path,
                             const WriteOptions& options, Monitor& monitor);

}  // namespace sinew::io
