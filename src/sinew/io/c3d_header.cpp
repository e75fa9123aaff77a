#include "sinew/io/c3d/parameters.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "sinew/base/error.h"

namespace sinew::io::c3d {
namespace {

bool is_processor(std::uint8_t byte) {
    return byte >= 84 && byte <= 86;
}

/// Whether the header makes sense when its words are of this processor.
bool plausible(const Source& source) {
    const float rate = source.real(field::rate);
    const float scale = std::abs(source.real(field::scale));
    const std::size_t start = source.word(field::data_start);
    return rate > 0 && rate <= 1e5f && scale >= 1e-9f && scale <= 1e4f && start > 1 &&
           (start - 1) * block_size <= source.size();
}

/// Byte of the parameter section, or 0 when there is none.
std::size_t parameter_start(const Source& source) {
    const std::size_t start = (static_cast<std::size_t>(source.byte(0)) - 1) * block_size;
    return start == 0 || start + 4 > source.size() ? 0 : start;
}

Processor find_processor(Source source, Tally& tally) {
    const std::size_t start = parameter_start(source);
    const std::uint8_t stated = start == 0 ? std::uint8_t{0} : source.byte(start + 3);
    if (is_processor(stated)) return static_cast<Processor>(stated);
    constexpr Processor all[] = {Processor::intel, Processor::dec, Processor::mips};
    const auto found = std::find_if(std::begin(all), std::end(all), [&](Processor processor) {
        source.processor = processor;
        return plausible(source);
    });
    const std::size_t place = source.skipped + (start == 0 ? 0 : start + 3);
    if (found == std::end(all)) {
        fail(tally.place(place), "the processor is {}, not 84 to 86, and the header fits none of them",
             stated);
    }
    constexpr std::string_view names[] = {"Intel", "DEC", "MIPS"};
    tally.note("c3d-processor", place, "the processor is {}, not 84 to 86; the header reads as {}", stated,
               names[found - std::begin(all)]);
    return *found;
}

std::vector<HeaderEvent> read_events(const Source& source, Tally& tally) {
    std::vector<HeaderEvent> events;
    std::size_t count = source.word(field::event_count);
    if (count > max_header_events) {
        tally.note("c3d-header-events", source.skipped + field::event_count,
                   "the header has room for 18 events, not for {}: they are left out", count);
        count = 0;
    }
    // Before the key was introduced labels had two characters.
    const std::size_t width = source.word(field::event_key) == key ? 4 : 2;
    for (std::size_t i = 0; i < count; ++i) {
        const double time = static_cast<double>(source.real(field::event_times + 4 * i));
        const std::string label = decoded(source.text(field::event_labels + width * i, width));
        if (!std::isfinite(time)) {
            tally.note("c3d-header-events", source.skipped + field::event_times + 4 * i,
                       "the time of event \"{}\" is no number: it is left out", label);
            continue;
        }
        events.push_back({label, time, source.byte(field::event_flags + i) == 1});
    }
    return events;
}

}  // namespace

Source find_header(Bytes bytes, Tally& tally) {
    if (bytes.empty()) fail(tally.place(0), "the file is empty");
    const auto start = static_cast<std::size_t>(
        std::find_if(bytes.begin(), bytes.end(), [](std::byte b) { return b != std::byte{0}; }) -
        bytes.begin());
    if (start + 1 >= bytes.size() || bytes[start + 1] != std::byte{0x50}) {
        fail(tally.place(start), "this is not C3D: the mark 0x50 is missing");
    }
    Source source{bytes.subspan(start), start, Processor::intel};
    if (source.size() < block_size) {
        fail(tally.place(bytes.size()), "the file ends within its header of 512 bytes");
    }
    if (start > 0) tally.note("c3d-leading-zeros", 0, "{} zeros stand before the header", start);
    source.processor = find_processor(source, tally);
    return source;
}

Header read_header(const Source& source, Tally& tally) {
    Header header;
    header.parameter_start = parameter_start(source);
    header.points = source.word(field::points);
    header.analog = source.word(field::analog);
    header.first = source.word(field::first);
    header.last = source.word(field::last);
    header.gap = source.word(field::gap);
    header.scale = source.real(field::scale);
    header.data_start = source.word(field::data_start);
    header.samples = source.word(field::samples);
    header.rate = source.real(field::rate);
    header.events = read_events(source, tally);
    return header;
}

}  // namespace sinew::io::c3d
