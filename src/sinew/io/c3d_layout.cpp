#include "sinew/io/c3d/layout.h"

#include <algorithm>
#include <cmath>

#include "sinew/io/c3d/parameters.h"

namespace sinew::io::c3d {
namespace {

/// Channels and samples a frame.
struct AnalogShape {
    std::size_t channels = 0;
    std::size_t samples = 1;
    bool operator==(const AnalogShape&) const = default;
};

/// What may be true, in the order of preference.
struct Candidates {
    std::vector<std::size_t> points;
    std::vector<AnalogShape> analog;
    std::vector<float> scales;  ///< signed as in the file
    std::vector<std::size_t> starts;
    std::vector<std::size_t> frames;
};

/// In one word this means "more than I can say", and rarely itself.
constexpr std::size_t unsayable = 65535;

template <class Value>
void add(std::vector<Value>& list, const Value& value) {
    if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

std::vector<AnalogShape> analog_candidates(const Header& header, const Parameters& parameters, double rate) {
    std::vector<AnalogShape> shapes;
    const std::optional<std::size_t> used = count_of(parameters, "ANALOG", "USED");
    const double ratio = number_of(parameters, "ANALOG", "RATE").value_or(0) / (rate > 0 ? rate : 1);
    const std::size_t by_rate =
        ratio >= 0.5 && ratio < 65536 ? static_cast<std::size_t>(std::lround(ratio)) : 1;
    const std::size_t by_header = header.samples;
    const auto from_header = [&] {
        if (header.analog == 0) return add(shapes, AnalogShape{});
        if (by_header > 0 && header.analog % by_header == 0) {
            add(shapes, AnalogShape{header.analog / by_header, by_header});
        }
        if (header.analog % by_rate == 0) add(shapes, AnalogShape{header.analog / by_rate, by_rate});
        add(shapes, AnalogShape{header.analog, 1});
    };
    // ANALOG:USED = 0 beside values in the header: the header is right.
    if (!used || (*used == 0 && header.analog != 0)) from_header();
    if (used && *used > 0) {
        if (by_header > 0 && (*used * by_header) % 65536 == header.analog) {
            add(shapes, AnalogShape{*used, by_header});
        }
        if (by_rate > 1 || by_header == 0) add(shapes, AnalogShape{*used, by_rate});
        if (by_header > 0) add(shapes, AnalogShape{*used, by_header});
        if (header.analog % *used == 0 && header.analog > 0) {
            add(shapes, AnalogShape{*used, header.analog / *used});
        }
        add(shapes, AnalogShape{*used, by_rate});
    }
    if (used && *used == 0) add(shapes, AnalogShape{});
    from_header();
    // Nothing but the header speaks of analog values: it may be the one that is wrong.
    if (!used) add(shapes, AnalogShape{});
    return shapes;
}

std::vector<std::size_t> frame_candidates(const Header& header, const Parameters& parameters) {
    std::vector<std::size_t> frames;
    const auto offer = [&](std::size_t count) {
        if (count > 0) add(frames, count);
    };
    offer(count_of(parameters, "POINT", "LONG_FRAMES").value_or(0));
    const auto start = long_count_of(parameters, "TRIAL", "ACTUAL_START_FIELD");
    const auto end = long_count_of(parameters, "TRIAL", "ACTUAL_END_FIELD");
    if (start && end && *end >= *start) offer(*end - *start + 1);
    const std::size_t stated = count_of(parameters, "POINT", "FRAMES").value_or(0);
    if (stated != unsayable) offer(stated);
    if (header.last >= header.first && header.last > 0 && header.last != unsayable) {
        offer(header.last - header.first + 1);
        if (header.first == 0) offer(header.last);
    }
    if (stated == unsayable && frames.empty()) offer(unsayable);
    return frames;
}

Candidates find_candidates(const Header& header, const ParameterSection& section, double rate) {
    const Parameters& parameters = section.parameters;
    Candidates c;
    if (const auto used = count_of(parameters, "POINT", "USED")) add(c.points, *used);
    add(c.points, header.points);
    c.analog = analog_candidates(header, parameters, rate);
    const auto usable = [](double s) { return std::isfinite(s) && s != 0; };
    const double scale = number_of(parameters, "POINT", "SCALE").value_or(0);
    if (usable(scale)) add(c.scales, static_cast<float>(scale));
    if (usable(static_cast<double>(header.scale))) add(c.scales, header.scale);
    const auto start = [&](std::size_t block) {
        if (block > 1) add(c.starts, (block - 1) * block_size);
    };
    start(count_of(parameters, "POINT", "DATA_START").value_or(0));
    start(header.data_start);
    add(c.starts, (section.end + block_size - 1) / block_size * block_size);
    c.frames = frame_candidates(header, parameters);
    return c;
}

class Resolver {
  public:
    Resolver(const Source& source, const Header& header, const ParameterSection& section, Tally& tally)
        : source_(source), header_(header), section_(section), tally_(tally) {}

    Layout resolve() {
        Layout first;
        first.rate = find_rate();
        candidates_ = find_candidates(header_, section_, first.rate);
        if (candidates_.scales.empty()) {
            note("c3d-scale", field::scale, "there is no scale: 1 stands in");
            candidates_.scales.push_back(1);
        }
        Layout best = choose(first);
        warn_conflicts(best);
        count_frames(best);
        number_frames(best);
        return best;
    }

  private:
    template <class... Args>
    void note(std::string_view code, std::size_t at, fmt::format_string<Args...> text, Args&&... args) {
        tally_.note(code, source_.skipped + at, text, std::forward<Args>(args)...);
    }

    double find_rate() {
        const auto usable = [](double rate) { return std::isfinite(rate) && rate > 0 && rate <= 1e6; };
        const double by_parameter = number_of(section_.parameters, "POINT", "RATE").value_or(0);
        const double by_header = static_cast<double>(header_.rate);
        if (usable(by_parameter)) {
            if (std::abs(by_parameter - by_header) > 1e-4 * by_parameter) {
                note("c3d-rate", field::rate, "POINT:RATE is {}, the header says {}: the first is believed",
                     by_parameter, by_header);
            }
            return by_parameter;
        }
        if (usable(by_header)) return by_header;
        const double camera = number_of(section_.parameters, "TRIAL", "CAMERA_RATE").value_or(0);
        return usable(camera) ? camera : 0;
    }

    /// Room for frames: up to the rotations, or the end of the file.
    std::size_t room(const Layout& layout) const {
        const std::size_t rotations = rotation_start(source_, section_.parameters).value_or(source_.size());
        const std::size_t end = rotations > layout.start ? rotations : source_.size();
        return end > layout.start ? end - layout.start : 0;
    }

    /// The frame count that fills the file up to the padding of its last block, or 0.
    std::size_t filling(const Layout& layout) const {
        const std::size_t bytes = layout.frame_bytes();
        if (bytes == 0) return 0;
        for (const std::size_t frames : candidates_.frames) {
            if (frames > room(layout) / bytes) continue;
            if (room(layout) - frames * bytes < block_size) return frames;
        }
        return 0;
    }

    /// The filling layout that departs least from the order of preference, else the most preferred one.
    Layout choose(const Layout& first) const {
        Layout best, preferred;
        std::size_t best_cost = static_cast<std::size_t>(-1);
        const std::size_t sizes[] = {candidates_.points.size(), candidates_.analog.size(),
                                     candidates_.scales.size(), candidates_.starts.size()};
        for (std::size_t k = 0; k < sizes[0] * sizes[1] * sizes[2] * sizes[3]; ++k) {
            const std::size_t p = k % sizes[0], a = k / sizes[0] % sizes[1];
            const std::size_t c = k / (sizes[0] * sizes[1]) % sizes[2];
            const std::size_t s = k / (sizes[0] * sizes[1] * sizes[2]);
            const Layout layout = make(first, p, a, c, s);
            if (k == 0) preferred = layout;
            const std::size_t cost = p + a + c + s;
            if (cost >= best_cost || filling(layout) == 0) continue;
            best = layout;
            best_cost = cost;
        }
        return best_cost == static_cast<std::size_t>(-1) ? preferred : best;
    }

    Layout make(Layout layout, std::size_t p, std::size_t a, std::size_t c, std::size_t s) const {
        layout.points = candidates_.points[p];
        layout.channels = candidates_.analog[a].channels;
        layout.samples = candidates_.analog[a].samples;
        layout.reals = candidates_.scales[c] < 0;
        layout.scale = std::abs(candidates_.scales[c]);
        layout.start = candidates_.starts[s];
        return layout;
    }

    void warn_conflicts(const Layout& layout) {
        if (candidates_.points.size() > 1) {
            note("c3d-points", field::points, "POINT:USED is {}, the header says {}; {} is believed",
                 candidates_.points[0], candidates_.points[1], layout.points);
        }
        if (layout.channels * layout.samples % 65536 != header_.analog ||
            count_of(section_.parameters, "ANALOG", "USED").value_or(layout.channels) != layout.channels ||
            (layout.channels > 0 && header_.samples != layout.samples)) {
            note("c3d-analog", field::analog,
                 "ANALOG:USED and the header ({} values, {} samples a frame) disagree; {} channels of {} "
                 "samples are believed",
                 header_.analog, header_.samples, layout.channels, layout.samples);
        }
        if (candidates_.scales.size() > 1) {
            note("c3d-scale", field::scale, "POINT:SCALE is {}, the header says {}; {} is believed",
                 candidates_.scales[0], candidates_.scales[1], layout.reals ? -layout.scale : layout.scale);
        }
        const std::size_t block = layout.start / block_size + 1;
        const std::size_t stated = count_of(section_.parameters, "POINT", "DATA_START").value_or(block);
        if (stated != block || header_.data_start != block) {
            note("c3d-data-start", field::data_start,
                 "the data start at block {} by POINT:DATA_START and {} by the header; {} is believed",
                 stated, header_.data_start, block);
        }
        if (layout.start < section_.end) {
            note("c3d-overlap", layout.start, "the data start within the parameters");
        }
    }

    void count_frames(Layout& layout) {
        const std::size_t bytes = layout.frame_bytes();
        const std::vector<std::size_t>& stated = candidates_.frames;
        if (bytes == 0) {
            layout.frames = stated.empty() ? 0 : stated.front();
            return;
        }
        const std::size_t capacity = room(layout) / bytes;
        const auto fits = std::find_if(stated.begin(), stated.end(),
                                       [&](std::size_t frames) { return frames <= capacity; });
        const std::size_t full = filling(layout);
        layout.frames = full > 0 ? full : fits != stated.end() && *fits != unsayable ? *fits : capacity;
        if (full == 0 && fits == stated.end() && !stated.empty()) {
            note("c3d-truncated", source_.size(), "the file ends after {} of {} frames", capacity,
                 stated.front());
        } else if (stated.size() > 1 || stated.empty() || stated.front() != layout.frames) {
            note("c3d-frames", field::first, "the frame count is {}; {} is believed",
                 stated.empty() ? std::string("not given") : fmt::format("{}", fmt::join(stated, " or ")),
                 layout.frames);
        }
    }

    void number_frames(Layout& layout) {
        const auto start = long_count_of(section_.parameters, "TRIAL", "ACTUAL_START_FIELD");
        layout.first_frame = start && *start > 0 && header_.first == *start % 65536 ? *start : header_.first;
        if (layout.first_frame == 0 && start && *start > 0) layout.first_frame = *start;
        if (layout.first_frame == 0) {
            note("c3d-first-frame", field::first, "the first frame has the number 0: 1 stands in");
            layout.first_frame = 1;
        } else if (start && *start != layout.first_frame) {
            note("c3d-first-frame", field::first,
                 "the first frame is {} by TRIAL:ACTUAL_START_FIELD and {} by the header; {} is believed",
                 *start, header_.first, layout.first_frame);
        }
    }

    const Source& source_;
    const Header& header_;
    const ParameterSection& section_;
    Tally& tally_;
    Candidates candidates_;
};

}  // namespace

std::optional<std::size_t> rotation_start(const Source& source, const Parameters& parameters) {
    const std::size_t block = count_of(parameters, "ROTATION", "DATA_START").value_or(0);
    if (block < 2 || count_of(parameters, "ROTATION", "USED").value_or(0) == 0) return std::nullopt;
    const std::size_t start = (block - 1) * block_size;
    return start < source.size() ? std::optional(start) : std::nullopt;
}

Layout find_layout(const Source& source, const Header& header, const ParameterSection& section,
                   Tally& tally) {
    return Resolver(source, header, section, tally).resolve();
}

}  // namespace sinew::io::c3d
