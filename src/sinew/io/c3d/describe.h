// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Brings the parameters of a trial in line with its data before it is written. What still holds is left
/// alone, so that a file that was only read keeps its parameters.

#include "sinew/io/c3d/data.h"
#include "sinew/io/c3d/layout.h"

namespace sinew::io::c3d {

/// A point of a frame: where its samples are.
struct PointSource {
    const model::Points* set = nullptr;
    std::size_t index = 0;
};

/// The points in the order in which they are written: that of the labels in the parameters when these tell
/// the same points, else markers before outputs, with labels written anew.
std::vector<PointSource> describe_points(const model::Trial& trial, Parameters& parameters);

/// Units and axes.
void describe_world(const model::Trial& trial, Parameters& parameters, std::string_view location,
                    Monitor& monitor);

/// Scales and offsets with which the values of `trial` can be stored, and the parameters that say so. Returns
/// what a reader will make of them.
Channels describe_analog(const model::Trial& trial, bool integers, Parameters& parameters);

void describe_platforms(const model::Trial& trial, Parameters& parameters);

/// Which events go into the header; the others are described by the EVENT group.
std::vector<HeaderEvent> describe_events(const model::Trial& trial, Parameters& parameters,
                                         std::string_view location, Monitor& monitor);

void describe_rotations(const model::Trial& trial, Parameters& parameters);

/// Frame counts and rate.
void describe_frames(const model::Trial& trial, Parameters& parameters);

/// Sets a number, in the type that is there already.
void set_word(Parameters& parameters, std::string_view group, std::string_view name, std::size_t value);
void set_real(Parameters& parameters, std::string_view group, std::string_view name, double value);
void set_text(Parameters& parameters, std::string_view group, std::string_view name,
              const std::string& value);
/// Lists, continued in NAME2, NAME3 behind 255 rows. A row of numbers has the given dimensions.
void set_texts(Parameters& parameters, std::string_view group, std::string_view name,
               const std::vector<std::string>& values);
template <class Number>
void set_numbers(Parameters& parameters, std::string_view group, std::string_view name,
                 const std::vector<Number>& values, const std::vector<std::uint8_t>& row = {});

}  // namespace sinew::io::c3d
