// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Header and parameter section of a C3D file: records of groups and parameters; and access to parameters as
/// numbers, texts and lists (continued in LABELS2, LABELS3 ...), whatever type they have in the file.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/io/c3d/numbers.h"
#include "sinew/model/trial.h"

namespace sinew::io::c3d {

using model::Parameters;

/// Text as UTF-8 without spaces and zeros at its ends; bytes that are not UTF-8 are Latin-1.
std::string decoded(std::string_view bytes);

/// A count: 16-bit values are unsigned regardless of their type, reals are rounded. Empty when missing, text,
/// negative or not finite.
std::optional<std::size_t> count_of(const Parameters&, std::string_view group, std::string_view name);
/// A frame number in two words, low + 65536 high, or in one value.
std::optional<std::size_t> long_count_of(const Parameters&, std::string_view group, std::string_view name);
/// A finite number.
std::optional<double> number_of(const Parameters&, std::string_view group, std::string_view name);
/// The first string, decoded; empty when there is none.
std::string text_of(const Parameters&, std::string_view group, std::string_view name);

/// A list with its continuations.
std::vector<std::string> texts_of(const Parameters&, std::string_view group, std::string_view name);
std::vector<double> numbers_of(const Parameters&, std::string_view group, std::string_view name);
/// "LABELS", "LABELS2", "LABELS3" for 0, 1, 2.
std::string continuation(std::string_view name, std::size_t index);

/// Byte offsets of the fields.
namespace field {
inline constexpr std::size_t points = 2, analog = 4, first = 6, last = 8, gap = 10, scale = 12,
                             data_start = 16, samples = 18, rate = 20, event_key = 298, event_count = 300,
                             event_times = 304, event_flags = 376, event_labels = 396;
}
inline constexpr std::uint16_t key = 12345;
inline constexpr std::size_t max_header_events = 18;

struct HeaderEvent {
    std::string label;
    double time = 0;  ///< seconds from the first frame
    bool hidden = false;
};

struct Header {
    std::size_t parameter_start = 0;  ///< byte; 0 when there is no parameter section
    std::size_t points = 0;
    std::size_t analog = 0;  ///< values in a frame: channels times samples
    std::size_t first = 0, last = 0;
    std::uint16_t gap = 0;  ///< largest gap that was interpolated, in frames
    float scale = 0;
    std::size_t data_start = 0;  ///< block, from 1
    std::size_t samples = 0;     ///< analog samples in a frame
    float rate = 0;
    std::vector<HeaderEvent> events;
};

/// Finds the header (zeros may stand before it) and the processor. \throws Error when this is not C3D.
Source find_header(Bytes bytes, Tally& tally);
Header read_header(const Source& source, Tally& tally);

struct ParameterSection {
    model::Parameters parameters;
    std::size_t end = 0;  ///< byte after the last record, or after the stated blocks if that is later
};

/// Reads all valid records: a truncated record or an invalid offset ends the section with a warning.
ParameterSection read_parameters(const Source& source, const Header& header, Tally& tally);

/// The parameter section, padded to whole blocks.
std::string write_parameters(const model::Parameters& parameters, Processor processor,
                             std::string_view location);

}  // namespace sinew::io::c3d
