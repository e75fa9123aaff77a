// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Updates the parameters of a trial to match its data before writing. Correct parameters are not changed, so
/// that a file that was only read keeps them.

#include "sinew/io/c3d/data.h"
#include "sinew/io/c3d/layout.h"

namespace sinew::io::c3d {

/// Source of a point's samples.
struct PointSource {
    const model::Points* set = nullptr;
    std::size_t index = 0;
};

/// Points in the order of writing: that of the labels in the parameters if they describe the same points,
/// otherwise markers before outputs, with new labels.
std::vector<PointSource> describe_points(const model::Trial& trial, Parameters& parameters);

/// Units and axes.
void describe_world(const model::Trial& trial, Parameters& parameters, std::string_view location,
                    Monitor& monitor);

/// Scales and offsets for storing the values of `trial`, and the matching parameters. Returns the channels as
/// a reader will see them.
Channels describe_analog(const model::Trial& trial, bool integers, Parameters& parameters);

void describe_platforms(const model::Trial& trial, Parameters& parameters);

/// Events for the header; the others are described in the EVENT group.
std::vector<HeaderEvent> describe_events(const model::Trial& trial, Parameters& parameters,
                                         std::string_view location, Monitor& monitor);

void describe_rotations(const model::Trial& trial, Parameters& parameters);

/// Frame counts and rate.
void describe_frames(const model::Trial& trial, Parameters& parameters);

/// Sets a number, in the existing type if there is one.
void set_word(Parameters& parameters, std::string_view group, std::string_view name, std::size_t value);
void set_real(Parameters& parameters, std::string_view group, std::string_view name, double value);
void set_text(Parameters& parameters, std::string_view group, std::string_view name,
              const std::string& value);
/// Sets lists, continued in NAME2, NAME3 after 255 rows. A row of numbers has the given dimensions.
void set_texts(Parameters& parameters, std::string_view group, std::string_view name,
               const std::vector<std::string>& values);
template <class Number>
void set_numbers(Parameters& parameters, std::string_view group, std::string_view name,
                 const std::vector<Number>& values, const std::vector<std::uint8_t>& row = {});

}  // namespace sinew::io::c3d
