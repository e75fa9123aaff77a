#pragma once
/// \file
/// The first block of a C3D file.

#include <string>
#include <vector>

#include "sinew/io/c3d/numbers.h"

namespace sinew::io::c3d {

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
    std::uint16_t gap = 0;  ///< greatest gap that was interpolated, in frames
    float scale = 0;
    std::size_t data_start = 0;  ///< block, from 1
    std::size_t samples = 0;     ///< analog samples in a frame
    float rate = 0;
    std::vector<HeaderEvent> events;
};

/// Finds the header (zeros may stand before it) and the processor. \throws Error when this is not C3D.
Source find_header(Bytes bytes, Tally& tally);
Header read_header(const Source& source, Tally& tally);

}  // namespace sinew::io::c3d
