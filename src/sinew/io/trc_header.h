#pragma once
/// \file
/// What stands above the rows of a TRC file.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/io/text/tokens.h"

namespace sinew::io::trc {

struct Header {
    double rate = 0;                ///< DataRate; 0 when there is none
    std::optional<double> frames;   ///< NumFrames
    std::optional<double> markers;  ///< NumMarkers
    std::string unit;
    std::vector<std::string> labels;  ///< at least one
    std::size_t rows = 0;             ///< where the rows start
};

/// \throws Error when there is no line of labels.
Header read_header(std::string_view text, std::string_view file, bvh::Tally& tally);

/// The character that separates cells of a line: tab, else comma, else space.
char separator_of(std::string_view line);
/// Cells of a line, trimmed; runs of spaces are one separator.
std::vector<std::string_view> cells_of(std::string_view line, char separator);

}  // namespace sinew::io::trc
