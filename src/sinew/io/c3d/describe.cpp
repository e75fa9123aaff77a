// SPDX-License-Identifier: MIT

#include "sinew/io/c3d/describe.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "sinew/base/text.h"

namespace sinew::io::c3d {
namespace {

using model::Parameter;

constexpr std::size_t max_rows = 255;

Parameter make(std::string name, std::vector<std::uint8_t> dimensions, Parameter::Values values) {
    Parameter parameter;
    parameter.name = std::move(name);
    parameter.dimensions = std::move(dimensions);
    parameter.values = std::move(values);
    return parameter;
}

/// Writes `count` rows in parts of 255, and removes the further parts of an older list.
template <class MakePart>
void set_parts(Parameters& parameters, std::string_view group, std::string_view name, std::size_t count,
               const MakePart& make_part) {
    std::size_t part = 0;
    for (std::size_t first = 0; first < count || part == 0; first += max_rows, ++part) {
        parameters.set(group, make_part(continuation(name, part), first, std::min(max_rows, count - first)));
    }
    for (; parameters.find(group, continuation(name, part)) != nullptr; ++part) {
        parameters.remove(group, continuation(name, part));
    }
}

}  // namespace

void set_word(Parameters& parameters, std::string_view group, std::string_view name, std::size_t value) {
    if (Parameter* const old = parameters.find(group, name); old != nullptr && old->size() == 1) {
        if (auto* reals = std::get_if<std::vector<float>>(&old->values)) {
            (*reals)[0] = static_cast<float>(value);
            return;
        }
        if (auto* words = std::get_if<std::vector<std::int16_t>>(&old->values)) {
            (*words)[0] =
                static_cast<std::int16_t>(static_cast<std::uint16_t>(std::min<std::size_t>(value, 65535)));
            return;
        }
    }
    const auto word = static_cast<std::uint16_t>(std::min<std::size_t>(value, 65535));
    parameters.set(group, make(std::string(name), {}, std::vector{static_cast<std::int16_t>(word)}));
}

void set_real(Parameters& parameters, std::string_view group, std::string_view name, double value) {
    Parameter* const old = parameters.find(group, name);
    if (old != nullptr && old->size() == 1 && !old->is_text() && old->number(0) == value) return;
    parameters.set(group, make(std::string(name), {}, std::vector{static_cast<float>(value)}));
}

void set_text(Parameters& parameters, std::string_view group, std::string_view name,
              const std::string& value) {
    if (text_of(parameters, group, name) == value && parameters.find(group, name) != nullptr) return;
    const auto width = static_cast<std::uint8_t>(std::min<std::size_t>(value.size(), 255));
    std::vector<std::string> texts;
    if (width > 0) texts.push_back(value.substr(0, width));
    parameters.set(group, make(std::string(name), {width}, std::move(texts)));
}

void set_texts(Parameters& parameters, std::string_view group, std::string_view name,
               const std::vector<std::string>& values) {
    if (texts_of(parameters, group, name) == values && parameters.find(group, name) != nullptr) return;
    std::size_t width = 1;
    for (const std::string& value : values) width = std::max(width, std::min<std::size_t>(value.size(), 255));
    set_parts(
        parameters, group, name, values.size(), [&](std::string part, std::size_t first, std::size_t count) {
            std::vector<std::string> texts;
            for (std::size_t i = first; i < first + count; ++i) texts.push_back(values[i].substr(0, 255));
            return make(std::move(part), {static_cast<std::uint8_t>(width), static_cast<std::uint8_t>(count)},
                        std::move(texts));
        });
}

template <class Number>
void set_numbers(Parameters& parameters, std::string_view group, std::string_view name,
                 const std::vector<Number>& values, const std::vector<std::uint8_t>& row) {
    const std::size_t size = std::accumulate(row.begin(), row.end(), std::size_t{1}, std::multiplies<>());
    set_parts(parameters, group, name, values.size() / size,
              [&](std::string part, std::size_t first, std::size_t count) {
                  std::vector<std::uint8_t> dimensions = row;
                  dimensions.push_back(static_cast<std::uint8_t>(count));
                  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first * size);
                  return make(std::move(part), std::move(dimensions),
                              std::vector<Number>(begin, begin + static_cast<std::ptrdiff_t>(count * size)));
              });
}

template void set_numbers(Parameters&, std::string_view, std::string_view, const std::vector<float>&,
                          const std::vector<std::uint8_t>&);
template void set_numbers(Parameters&, std::string_view, std::string_view, const std::vector<std::int16_t>&,
                          const std::vector<std::uint8_t>&);

namespace {

using model::Event;

/// Minutes and seconds; a whole number of seconds in one value if that is exact.
void add_time(double time, std::vector<float>& times) {
    const auto seconds = static_cast<float>(time);
    const bool exact = std::abs(static_cast<double>(seconds) - time) < 1e-9;
    const double minutes = exact ? 0 : std::floor(time / 60);
    times.push_back(static_cast<float>(minutes));
    times.push_back(exact ? seconds : static_cast<float>(time - 60 * minutes));
}

/// The header can only store a short label and a flag, and a reader must not mistake its events for those of
/// the group.
bool fits_header(const Event& event, const std::vector<Event>& events, double half_frame) {
    if (!event.context.empty() || !event.subject.empty() || !event.description.empty() ||
        event.label.size() > 4) {
        return false;
    }
    return std::none_of(events.begin(), events.end(), [&](const Event& other) {
        return &other != &event && !other.context.empty() &&
               std::abs(other.time - event.time) <= 1.01 * half_frame;
    });
}

void set_group(const std::vector<Event>& events, const Clock& clock, Parameters& parameters) {
    std::vector<std::string> labels, contexts, subjects, descriptions;
    std::vector<float> times;
    for (const Event& event : events) {
        labels.push_back(event.label);
        contexts.push_back(event.context);
        subjects.push_back(event.subject);
        descriptions.push_back(event.description);
        add_time(event.time + clock.start(), times);
    }
    set_word(parameters, "EVENT", "USED", events.size());
    set_texts(parameters, "EVENT", "LABELS", labels);
    set_texts(parameters, "EVENT", "CONTEXTS", contexts);
    set_texts(parameters, "EVENT", "SUBJECTS", subjects);
    set_texts(parameters, "EVENT", "DESCRIPTIONS", descriptions);
    set_numbers(parameters, "EVENT", "TIMES", times, {2});
    // These have one value for each of the old events.
    parameters.remove("EVENT", "ICON_IDS");
    parameters.remove("EVENT", "GENERIC_FLAGS");
}

}  // namespace

std::vector<HeaderEvent> describe_events(const model::Trial& trial, Parameters& parameters,
                                         std::string_view location, Monitor& monitor) {
    const Clock clock{trial.rate, static_cast<std::size_t>(std::max<std::int64_t>(trial.first_frame, 1)),
                      trial.frames};
    std::vector<HeaderEvent> header;
    std::vector<Event> group;
    for (const Event& event : trial.events) {
        if (header.size() < max_header_events && fits_header(event, trial.events, clock.half_frame())) {
            header.push_back({event.label, event.time, event.hidden});
            continue;
        }
        if (event.hidden) {
            warn(monitor, "c3d-hidden-event", "{}: only events of the header can be hidden, not \"{}\"",
                 location, event.label);
        }
        group.push_back(event);
    }
    Tally tally("");
    std::vector<Event> known = group_events(parameters, clock, tally);
    if (merge_events(known, header, clock) == trial.events) return header;
    if (merge_events(known, {}, clock) == trial.events) return {};
    if (!group.empty() || parameters.group("EVENT") != nullptr) set_group(group, clock, parameters);
    return header;
}

namespace {

using model::AnalogChannel;

/// Whether the values of a channel can be stored with its scale and offset. As integers only when the source
/// had integers, because another scale would round them.
bool holds(const model::Analog& analog, std::size_t channel, bool integers, bool is_unsigned) {
    const AnalogChannel& info = analog.channels[channel];
    const double low = is_unsigned ? 0 : -32768, high = is_unsigned ? 65535 : 32767;
    for (std::size_t s = 0; s < analog.samples(); ++s) {
        const double value = static_cast<double>(analog.at(s, channel));
        if (info.scale == 0) {
            if (value != 0) return false;
            continue;
        }
        if (!integers) continue;
        const double raw = value / info.scale + info.offset;
        if (!(raw > low - 0.5 && raw < high + 0.5 && std::abs(raw - std::round(raw)) < 0.02)) return false;
    }
    return true;
}

AnalogChannel rescaled(const model::Analog& analog, std::size_t channel, bool integers) {
    AnalogChannel info = analog.channels[channel];
    info.scale = 1;
    info.offset = 0;
    if (!integers) return info;
    float greatest = 0;
    for (std::size_t s = 0; s < analog.samples(); ++s) {
        const float size = std::abs(analog.at(s, channel));
        if (size > greatest && std::isfinite(size)) greatest = size;
    }
    if (greatest > 0) info.scale = static_cast<double>(greatest) / 32000;
    return info;
}

void set_channels(const std::vector<AnalogChannel>& channels, Parameters& parameters) {
    std::vector<std::string> labels, descriptions, units;
    std::vector<float> scales, offsets;
    bool whole = true;
    for (const AnalogChannel& channel : channels) {
        labels.push_back(channel.label);
        descriptions.push_back(channel.description);
        units.push_back(channel.unit);
        scales.push_back(static_cast<float>(channel.scale));
        offsets.push_back(static_cast<float>(channel.offset));
        whole = whole && std::abs(channel.offset) < 32768 && channel.offset == std::round(channel.offset);
    }
    set_texts(parameters, "ANALOG", "LABELS", labels);
    set_texts(parameters, "ANALOG", "DESCRIPTIONS", descriptions);
    set_texts(parameters, "ANALOG", "UNITS", units);
    set_real(parameters, "ANALOG", "GEN_SCALE", 1);
    set_numbers(parameters, "ANALOG", "SCALE", scales);
    if (whole) {
        set_numbers(parameters, "ANALOG", "OFFSET",
                    std::vector<std::int16_t>(offsets.begin(), offsets.end()));
    } else {
        set_numbers(parameters, "ANALOG", "OFFSET", offsets);
    }
}

}  // namespace

Channels describe_analog(const model::Trial& trial, bool integers, Parameters& parameters) {
    const model::Analog& analog = trial.analog;
    Tally tally("");
    set_word(parameters, "ANALOG", "USED", analog.count());
    set_real(parameters, "ANALOG", "RATE", trial.rate * static_cast<double>(analog.samples_per_frame));
    Channels known = analog_channels(parameters, analog.count(), tally);
    std::vector<AnalogChannel> wanted = analog.channels;
    for (std::size_t c = 0; c < wanted.size(); ++c) {
        if (!holds(analog, c, integers, known.is_unsigned)) wanted[c] = rescaled(analog, c, integers);
    }
    if (known.list == wanted && parameters.find("ANALOG", "SCALE") != nullptr) return known;
    if (known.is_unsigned) {
        // Without FORMAT, a reader must not infer UNSIGNED from the offsets again.
        set_text(parameters, "ANALOG", "FORMAT", "UNSIGNED");
        const bool fits = std::all_of(wanted.begin(), wanted.end(),
                                      [](const AnalogChannel& c) { return c.offset >= 16384; });
        if (!fits && integers) {
            for (std::size_t c = 0; c < wanted.size(); ++c) wanted[c] = rescaled(analog, c, integers);
            set_text(parameters, "ANALOG", "FORMAT", "SIGNED");
        }
    }
    set_channels(wanted, parameters);
    return analog_channels(parameters, analog.count(), tally);
}

namespace {

using model::PointInfo;
using model::PointKind;

Tally ignored() {
    return Tally("");
}

std::string full_label(const PointInfo& info) {
    return info.subject.empty() ? info.label : info.subject + ":" + info.label;
}

/// The order of the file, if the parameters describe exactly these points.
std::vector<PointSource> known_order(const model::Trial& trial, const Parameters& parameters) {
    Tally tally = ignored();
    const std::size_t count = trial.markers.count() + trial.outputs.count();
    std::vector<PointSource> order;
    std::size_t marker = 0, output = 0;
    for (const PointInfo& info : point_infos(parameters, count, tally)) {
        const bool is_marker = info.kind == PointKind::marker;
        const model::Points& set = is_marker ? trial.markers : trial.outputs;
        std::size_t& index = is_marker ? marker : output;
        if (index >= set.count() || set.info[index] != info) return {};
        order.push_back({&set, index++});
    }
    return order;
}

struct TypeGroup {
    PointKind kind;
    std::string_view list, prefix;
};
constexpr TypeGroup type_groups[] = {{PointKind::angle, "ANGLES", "ANGLE"},
                                     {PointKind::force, "FORCES", "FORCE"},
                                     {PointKind::moment, "MOMENTS", "MOMENT"},
                                     {PointKind::power, "POWERS", "POWER"},
                                     {PointKind::scalar, "SCALARS", "SCALAR"}};

/// Determines which points are outputs of which kind, and their units: the format has one unit per kind.
void describe_kinds(const model::Trial& trial, Parameters& parameters) {
    std::vector<std::string> pairs;
    parameters.remove("POINT", "REACTIONS");
    for (const TypeGroup& group : type_groups) {
        std::vector<std::string> labels;
        std::string unit;
        for (const PointInfo& info : trial.outputs.info) {
            if (info.kind != group.kind) continue;
            labels.push_back(full_label(info));
            if (unit.empty()) unit = info.unit;
        }
        for (std::size_t part = 0; parameters.find("POINT", continuation(group.list, part)) != nullptr;
             ++part) {
            parameters.remove("POINT", continuation(group.list, part));
        }
        if (labels.empty()) continue;
        set_texts(parameters, "POINT", group.list, labels);
        set_text(parameters, "POINT", std::string(group.prefix) + "_UNITS", unit);
        pairs.insert(pairs.end(), {std::string(group.list), std::string(group.prefix)});
    }
    parameters.remove("POINT", "TYPE_GROUPS");
    if (pairs.empty()) return;
    model::Parameter table;
    table.name = "TYPE_GROUPS";
    table.dimensions = {7, 2, static_cast<std::uint8_t>(pairs.size() / 2)};
    table.values = pairs;
    parameters.set("POINT", table);
}

/// "+X" of an axis; empty for any other direction.
std::string axis_text(const math::Vec3d& direction) {
    for (Eigen::Index i = 0; i < 3; ++i) {
        if (std::abs(std::abs(direction[i]) - 1) > 1e-6) continue;
        return std::string(direction[i] < 0 ? "-" : "+") + "XYZ"[i];
    }
    return {};
}

}  // namespace

std::vector<PointSource> describe_points(const model::Trial& trial, Parameters& parameters) {
    const std::size_t count = trial.markers.count() + trial.outputs.count();
    set_word(parameters, "POINT", "USED", count);
    std::vector<PointSource> order = known_order(trial, parameters);
    if (order.size() == count && count > 0) return order;
    order.clear();
    std::vector<std::string> labels, descriptions;
    for (const model::Points* set : {&trial.markers, &trial.outputs}) {
        for (std::size_t i = 0; i < set->count(); ++i) {
            order.push_back({set, i});
            labels.push_back(full_label(set->info[i]));
            descriptions.push_back(set->info[i].description);
        }
    }
    set_texts(parameters, "POINT", "LABELS", labels);
    set_texts(parameters, "POINT", "DESCRIPTIONS", descriptions);
    describe_kinds(trial, parameters);
    return order;
}

void describe_world(const model::Trial& trial, Parameters& parameters, std::string_view location,
                    Monitor& monitor) {
    set_text(parameters, "POINT", "UNITS", trial.unit);
    const math::Mat3d rows = trial.to_world.rotation.toRotationMatrix();
    const std::string right = axis_text(rows.row(0)), up = axis_text(rows.row(1));
    if (right.empty() || up.empty()) {
        warn(monitor, "c3d-axes",
             "{}: the axes are rotated by an angle that X_SCREEN and Y_SCREEN cannot express", location);
        return;
    }
    set_text(parameters, "POINT", "X_SCREEN", right);
    set_text(parameters, "POINT", "Y_SCREEN", up);
}

void describe_frames(const model::Trial& trial, Parameters& parameters) {
    const std::size_t first = static_cast<std::size_t>(std::max<std::int64_t>(trial.first_frame, 1));
    const std::size_t last = first + std::max<std::size_t>(trial.frames, 1) - 1;
    set_real(parameters, "POINT", "RATE", trial.rate);
    set_word(parameters, "POINT", "FRAMES", std::min<std::size_t>(trial.frames, 65535));
    if (parameters.find("POINT", "LONG_FRAMES") != nullptr) {
        set_real(parameters, "POINT", "LONG_FRAMES", static_cast<double>(trial.frames));
    }
    const auto set_field = [&](std::string_view name, std::size_t value) {
        if (long_count_of(parameters, "TRIAL", name) == value) return;
        const auto word = [](std::size_t v) {
            return static_cast<std::int16_t>(static_cast<std::uint16_t>(v));
        };
        parameters.remove("TRIAL", name);
        set_numbers(parameters, "TRIAL", name, std::vector<std::int16_t>{word(value), word(value >> 16)});
    };
    if (last > 65534 || trial.frames > 65534 || parameters.find("TRIAL", "ACTUAL_START_FIELD") != nullptr) {
        set_field("ACTUAL_START_FIELD", first);
        set_field("ACTUAL_END_FIELD", last);
    }
}

void describe_rotations(const model::Trial& trial, Parameters& parameters) {
    const model::SegmentRotations& rotations = trial.rotations;
    if (rotations.empty()) {
        if (parameters.group("ROTATION") != nullptr) set_word(parameters, "ROTATION", "USED", 0);
        return;
    }
    set_word(parameters, "ROTATION", "USED", rotations.labels.size());
    set_word(parameters, "ROTATION", "RATIO", rotations.samples_per_frame);
    set_real(parameters, "ROTATION", "RATE", trial.rate * static_cast<double>(rotations.samples_per_frame));
    if (rotation_labels(parameters) != rotations.labels) {
        set_texts(parameters, "ROTATION", "LABELS", rotations.labels);
    }
}

void describe_platforms(const model::Trial& trial, Parameters& parameters) {
    Tally tally = ignored();
    if (force_platforms(parameters, trial.analog.count(), tally) == trial.platforms) return;
    std::vector<std::int16_t> types, channels;
    std::vector<float> corners, origins, matrices;
    std::size_t rows = 6;
    bool calibrated = false;
    for (const model::ForcePlatform& platform : trial.platforms) {
        rows = std::max(rows, platform.channels.size());
        calibrated = calibrated || !platform.calibration.empty();
    }
    for (const model::ForcePlatform& platform : trial.platforms) {
        types.push_back(static_cast<std::int16_t>(platform.type));
        for (const math::Vec3f& corner : platform.corners)
            corners.insert(corners.end(), corner.begin(), corner.end());
        origins.insert(origins.end(), platform.origin.begin(), platform.origin.end());
        for (std::size_t i = 0; i < rows; ++i) {
            const bool there = i < platform.channels.size();
            channels.push_back(there ? static_cast<std::int16_t>(platform.channels[i] + 1) : std::int16_t{0});
        }
        std::vector<float> matrix = platform.calibration;
        matrix.resize(36);
        matrices.insert(matrices.end(), matrix.begin(), matrix.end());
    }
    set_word(parameters, "FORCE_PLATFORM", "USED", trial.platforms.size());
    set_numbers(parameters, "FORCE_PLATFORM", "TYPE", types);
    set_numbers(parameters, "FORCE_PLATFORM", "CORNERS", corners, {3, 4});
    set_numbers(parameters, "FORCE_PLATFORM", "ORIGIN", origins, {3});
    set_numbers(parameters, "FORCE_PLATFORM", "CHANNEL", channels, {static_cast<std::uint8_t>(rows)});
    if (calibrated) set_numbers(parameters, "FORCE_PLATFORM", "CAL_MATRIX", matrices, {6, 6});
    const std::array<int, 2> zero =
        trial.platforms.empty() ? std::array{0, 0} : trial.platforms[0].zero_frames;
    set_numbers(parameters, "FORCE_PLATFORM", "ZERO",
                std::vector{static_cast<std::int16_t>(zero[0]), static_cast<std::int16_t>(zero[1])});
}

}  // namespace sinew::io::c3d
