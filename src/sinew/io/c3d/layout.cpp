// SPDX-License-Identifier: MIT

#include "sinew/io/c3d/layout.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "sinew/base/text.h"
#include "sinew/io/c3d/parameters.h"

namespace sinew::io::c3d {
namespace {

/// Channels and samples per frame.
struct AnalogShape {
    std::size_t channels = 0;
    std::size_t samples = 1;
    bool operator==(const AnalogShape&) const = default;
};

/// The candidate values, in the order of preference.
struct Candidates {
    std::vector<std::size_t> points;
    std::vector<AnalogShape> analog;
    std::vector<float> scales;  ///< signed as in the file
    std::vector<std::size_t> starts;
    std::vector<std::size_t> frames;
};

/// In one word, this value means "too large to store"; it is rarely the true value.
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
    // ANALOG:USED = 0, but the header has analog values: the header is correct.
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
    // Only the header mentions analog values: it may be wrong.
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
            note("c3d-scale", field::scale, "there is no scale: 1 is used");
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
                note("c3d-rate", field::rate, "POINT:RATE is {}, the header says {}: the first is used",
                     by_parameter, by_header);
            }
            return by_parameter;
        }
        if (usable(by_header)) return by_header;
        const double camera = number_of(section_.parameters, "TRIAL", "CAMERA_RATE").value_or(0);
        return usable(camera) ? camera : 0;
    }

    /// Bytes for frames: up to the rotations, or to the end of the file.
    std::size_t capacity_of(const Layout& layout) const {
        const std::size_t rotations = rotation_start(source_, section_.parameters).value_or(source_.size());
        const std::size_t end = rotations > layout.start ? rotations : source_.size();
        return end > layout.start ? end - layout.start : 0;
    }

    /// The frame count that fills the file up to the padding of its last block, or 0.
    std::size_t filling(const Layout& layout) const {
        const std::size_t bytes = layout.frame_bytes();
        if (bytes == 0) return 0;
        for (const std::size_t frames : candidates_.frames) {
            if (frames > capacity_of(layout) / bytes) continue;
            if (capacity_of(layout) - frames * bytes < block_size) return frames;
        }
        return 0;
    }

    /// The candidate that fills the file and is highest in the order of preference; if none does, the most
    /// preferred one.
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
            note("c3d-points", field::points, "POINT:USED is {}, the header says {}; {} is used",
                 candidates_.points[0], candidates_.points[1], layout.points);
        }
        if (layout.channels * layout.samples % 65536 != header_.analog ||
            count_of(section_.parameters, "ANALOG", "USED").value_or(layout.channels) != layout.channels ||
            (layout.channels > 0 && header_.samples != layout.samples)) {
            note("c3d-analog", field::analog,
                 "ANALOG:USED and the header ({} values, {} samples per frame) disagree; {} channels of {} "
                 "samples are used",
                 header_.analog, header_.samples, layout.channels, layout.samples);
        }
        if (candidates_.scales.size() > 1) {
            note("c3d-scale", field::scale, "POINT:SCALE is {}, the header says {}; {} is used",
                 candidates_.scales[0], candidates_.scales[1], layout.reals ? -layout.scale : layout.scale);
        }
        const std::size_t block = layout.start / block_size + 1;
        const std::size_t stated = count_of(section_.parameters, "POINT", "DATA_START").value_or(block);
        if (stated != block || header_.data_start != block) {
            note("c3d-data-start", field::data_start,
                 "the data start at block {} by POINT:DATA_START and {} by the header; {} is used", stated,
                 header_.data_start, block);
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
        const std::size_t capacity = capacity_of(layout) / bytes;
        const auto fits = std::find_if(stated.begin(), stated.end(),
                                       [&](std::size_t frames) { return frames <= capacity; });
        const std::size_t full = filling(layout);
        layout.frames = full > 0 ? full : fits != stated.end() && *fits != unsayable ? *fits : capacity;
        if (full == 0 && fits == stated.end() && !stated.empty()) {
            note("c3d-truncated", source_.size(), "the file ends after {} of {} frames", capacity,
                 stated.front());
        } else if (stated.size() > 1 || stated.empty() || stated.front() != layout.frames) {
            note("c3d-frames", field::first, "the frame count is {}; {} is used",
                 stated.empty() ? std::string("not given") : fmt::format("{}", fmt::join(stated, " or ")),
                 layout.frames);
        }
    }

    void number_frames(Layout& layout) {
        const auto start = long_count_of(section_.parameters, "TRIAL", "ACTUAL_START_FIELD");
        layout.first_frame = start && *start > 0 && header_.first == *start % 65536 ? *start : header_.first;
        if (layout.first_frame == 0 && start && *start > 0) layout.first_frame = *start;
        if (layout.first_frame == 0) {
            note("c3d-first-frame", field::first, "the first frame has the number 0: 1 is used");
            layout.first_frame = 1;
        } else if (start && *start != layout.first_frame) {
            note("c3d-first-frame", field::first,
                 "the first frame is {} by TRIAL:ACTUAL_START_FIELD and {} by the header; {} is used", *start,
                 header_.first, layout.first_frame);
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

namespace {

using model::PointInfo;
using model::PointKind;

/// The `i`-th value; the last one if the list is too short, `fallback` if it is empty.
double value_or_last(const std::vector<double>& list, std::size_t i, double fallback) {
    if (list.empty()) return fallback;
    return list[std::min(i, list.size() - 1)];
}

std::string text_at(const std::vector<std::string>& list, std::size_t i) {
    return i < list.size() ? list[i] : std::string();
}

struct Output {
    PointKind kind;
    std::string unit;
};
/// By label in lower case.
using Outputs = std::unordered_map<std::string, Output>;

/// The kind of the points in a type group of this name; markers when it is not one of the model's curves.
PointKind kind_of(std::string_view name) {
    constexpr std::pair<std::string_view, PointKind> kinds[] = {
        {"angle", PointKind::angle},   {"force", PointKind::force}, {"reaction", PointKind::force},
        {"moment", PointKind::moment}, {"power", PointKind::power}, {"scalar", PointKind::scalar}};
    const std::string lower = to_lower(name);
    for (const auto& [start, kind] : kinds) {
        if (lower.starts_with(start)) return kind;
    }
    return PointKind::marker;
}

/// All labels in the type groups. TYPE_GROUPS holds pairs: the list and the prefix of its _UNITS. The five
/// usual lists count without it too.
Outputs find_outputs(const Parameters& parameters) {
    std::vector<std::string> groups = texts_of(parameters, "POINT", "TYPE_GROUPS");
    if (groups.size() % 2 != 0) groups.pop_back();
    groups.insert(groups.end(), {"ANGLES", "ANGLE", "FORCES", "FORCE", "MOMENTS", "MOMENT", "POWERS", "POWER",
                                 "SCALARS", "SCALAR", "REACTIONS", "REACTION"});
    Outputs outputs;
    for (std::size_t g = 0; g + 1 < groups.size(); g += 2) {
        const PointKind kind = kind_of(groups[g]);
        if (kind == PointKind::marker || groups[g].empty()) continue;
        const std::string unit = text_of(parameters, "POINT", groups[g + 1] + "_UNITS");
        for (const std::string& label : texts_of(parameters, "POINT", groups[g])) {
            if (!label.empty()) outputs.try_emplace(to_lower(label), Output{kind, unit});
        }
    }
    return outputs;
}

/// "Takeo:LFHD" is LFHD of the subject Takeo.
void split_subject(PointInfo& info) {
    const std::size_t colon = info.label.find(':');
    if (colon == std::string::npos || colon + 1 == info.label.size()) return;
    info.subject = info.label.substr(0, colon);
    info.label = info.label.substr(colon + 1);
}

/// Makes labels unique.
class LabelSet {
  public:
    /// True when the label was changed.
    bool add(PointInfo& info) {
        const std::string wanted = info.label;
        for (std::size_t n = 2; !taken_.insert({info.subject, info.label}).second; ++n) {
            std::size_t& next = numbers_[{info.subject, wanted}];
            n = std::max(n, next);
            info.label = fmt::format("{}_{}", wanted, n);
            next = n + 1;
        }
        return info.label != wanted;
    }

  private:
    using Key = std::pair<std::string, std::string>;
    std::set<Key> taken_;
    std::map<Key, std::size_t> numbers_;  ///< the next to try, so that a thousand equal labels are fast
};

std::size_t channels_of_type(int type) {
    return type == 3 ? 8 : 6;
}

/// `count` values of platform `index` from a list of `stride` values each.
template <class Take>
void slice(const std::vector<double>& list, std::size_t stride, std::size_t index, std::size_t count,
           const Take& take) {
    for (std::size_t i = 0; i < count && index * stride + i < list.size(); ++i) {
        take(i, list[index * stride + i]);
    }
}

/// Size of the first dimension of a parameter, or `fallback`.
std::size_t first_dimension(const Parameters& parameters, std::string_view name, std::size_t fallback) {
    const model::Parameter* const found = parameters.find("FORCE_PLATFORM", name);
    return found == nullptr || found->dimensions.empty() ? fallback : found->dimensions[0];
}

}  // namespace

std::vector<PointInfo> point_infos(const Parameters& parameters, std::size_t count, Tally& tally) {
    const std::vector<std::string> labels = texts_of(parameters, "POINT", "LABELS");
    const std::vector<std::string> descriptions = texts_of(parameters, "POINT", "DESCRIPTIONS");
    const Outputs outputs = find_outputs(parameters);
    std::vector<PointInfo> infos(count);
    LabelSet markers, curves;
    for (std::size_t i = 0; i < count; ++i) {
        PointInfo& info = infos[i];
        info.description = text_at(descriptions, i);
        info.label = text_at(labels, i);
        const std::string whole = to_lower(info.label);
        if (info.label.empty()) {
            info.label = fmt::format("*{}", i + 1);
            tally.note("c3d-labels", 0, "point {} has no label: it is called {}", i + 1, info.label);
        }
        split_subject(info);
        auto output = outputs.find(whole);
        if (output == outputs.end()) output = outputs.find(to_lower(info.label));
        if (output != outputs.end()) {
            info.kind = output->second.kind;
            info.unit = output->second.unit;
        }
        const std::string wanted = info.label;
        if ((info.kind == PointKind::marker ? markers : curves).add(info)) {
            tally.note("c3d-duplicate-label", 0, "the label \"{}\" is given twice: point {} is called \"{}\"",
                       wanted, i + 1, info.label);
        }
    }
    return infos;
}

Channels analog_channels(const Parameters& parameters, std::size_t count, Tally& tally) {
    const std::vector<std::string> labels = texts_of(parameters, "ANALOG", "LABELS");
    const std::vector<std::string> descriptions = texts_of(parameters, "ANALOG", "DESCRIPTIONS");
    const std::vector<std::string> units = texts_of(parameters, "ANALOG", "UNITS");
    const std::vector<double> scales = numbers_of(parameters, "ANALOG", "SCALE");
    const std::vector<double> offsets = numbers_of(parameters, "ANALOG", "OFFSET");
    const double general = number_of(parameters, "ANALOG", "GEN_SCALE").value_or(1);
    const std::string format = text_of(parameters, "ANALOG", "FORMAT");
    Channels channels;
    channels.is_unsigned = equal_ignoring_case(format, "UNSIGNED");
    if (format.empty() && std::count(offsets.begin(), offsets.end(), -32768.0) > 0) {
        // The middle of the unsigned range; as a signed number it would be the end of the range.
        channels.is_unsigned = true;
        tally.note("c3d-analog-format", 0, "ANALOG:FORMAT is missing; OFFSET -32768 means UNSIGNED");
    }
    if (count > 0 && (scales.size() < count || offsets.size() < count)) {
        tally.note("c3d-analog-scale", 0,
                   "{} analog channels have {} scales and {} offsets: the last one is used", count,
                   scales.size(), offsets.size());
    }
    channels.list.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        model::AnalogChannel& channel = channels.list[i];
        channel.label = text_at(labels, i);
        channel.description = text_at(descriptions, i);
        channel.unit = text_at(units, i);
        channel.scale = value_or_last(scales, i, 1) * general;
        channel.offset = value_or_last(offsets, i, 0);
        if (channels.is_unsigned && channel.offset < 0) channel.offset += 65536;
        if (channel.label.empty()) channel.label = fmt::format("*{}", i + 1);
        if (std::isfinite(channel.scale) && std::isfinite(channel.offset)) continue;
        tally.note("c3d-analog-scale", 0, "scale or offset of channel {} is not a number: 1 and 0 are used",
                   i + 1);
        channel.scale = 1;
        channel.offset = 0;
    }
    return channels;
}

std::vector<model::ForcePlatform> force_platforms(const Parameters& parameters, std::size_t channels,
                                                  Tally& tally) {
    std::vector<model::ForcePlatform> platforms;
    const std::vector<double> types = numbers_of(parameters, "FORCE_PLATFORM", "TYPE");
    const std::vector<double> corners = numbers_of(parameters, "FORCE_PLATFORM", "CORNERS");
    const std::vector<double> origins = numbers_of(parameters, "FORCE_PLATFORM", "ORIGIN");
    const std::vector<double> channel_list = numbers_of(parameters, "FORCE_PLATFORM", "CHANNEL");
    const std::vector<double> matrices = numbers_of(parameters, "FORCE_PLATFORM", "CAL_MATRIX");
    const std::vector<double> zeros = numbers_of(parameters, "FORCE_PLATFORM", "ZERO");
    const std::size_t stride = first_dimension(parameters, "CHANNEL", 6);
    const std::size_t matrix_side = first_dimension(parameters, "CAL_MATRIX", 6);
    const std::size_t used = count_of(parameters, "FORCE_PLATFORM", "USED").value_or(0);
    for (std::size_t p = 0; p < used; ++p) {
        model::ForcePlatform platform;
        const double type = p < types.size() ? types[p] : 0;
        platform.type = std::abs(type) < 1000 ? static_cast<int>(type) : 0;
        slice(corners, 12, p, 12, [&](std::size_t i, double value) {
            platform.corners[i / 3][static_cast<Eigen::Index>(i % 3)] = static_cast<float>(value);
        });
        slice(origins, 3, p, 3, [&](std::size_t i, double value) {
            platform.origin[static_cast<Eigen::Index>(i)] = static_cast<float>(value);
        });
        bool there = (p + 1) * 12 <= corners.size();
        slice(channel_list, stride, p, std::min(stride, channels_of_type(platform.type)),
              [&](std::size_t, double value) {
                  there = there && value >= 1 && value <= static_cast<double>(channels);
                  platform.channels.push_back(there ? static_cast<int>(value) - 1 : 0);
              });
        if (!there || platform.channels.size() < channels_of_type(platform.type)) {
            tally.note("c3d-platform", 0, "force platform {} lacks channels or corners: it is left out",
                       p + 1);
            if (p >= types.size() && p >= 255) break;  // the count has no data
            continue;
        }
        if (platform.type == 4 && matrix_side == 6) {
            slice(matrices, 36, p, 36, [&](std::size_t, double value) {
                platform.calibration.push_back(static_cast<float>(value));
            });
        }
        if (platform.type < 1 || platform.type > 4) {
            tally.note("c3d-platform", 0, "force platform {} is of the unknown type {}", p + 1,
                       platform.type);
        }
        if (zeros.size() >= 2 && zeros[0] >= 1 && zeros[1] >= zeros[0] && zeros[1] < 65536) {
            platform.zero_frames = {static_cast<int>(zeros[0]), static_cast<int>(zeros[1])};
        }
        platforms.push_back(std::move(platform));
    }
    return platforms;
}

std::vector<std::string> rotation_labels(const Parameters& parameters) {
    std::vector<std::string> labels = texts_of(parameters, "ROTATION", "LABELS");
    const std::size_t stated = labels.size();
    labels.resize(count_of(parameters, "ROTATION", "USED").value_or(0));
    for (std::size_t i = 0; i < labels.size(); ++i) {
        if (i >= stated || labels[i].empty()) labels[i] = fmt::format("*{}", i + 1);
    }
    return labels;
}

}  // namespace sinew::io::c3d
