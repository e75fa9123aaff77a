#include "sinew/io/c3d/describe.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/text.h"

namespace sinew::io::c3d {
namespace {

using model::PointInfo;
using model::PointKind;

Tally ignored() {
    return Tally("");
}

std::string full_label(const PointInfo& info) {
    return info.subject.empty() ? info.label : info.subject + ":" + info.label;
}

/// The order of the file, when the parameters describe these very points.
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

/// Which points are outputs of which kind, and their units: one unit for each kind is what the format knows.
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

/// "+X" of an axis, empty for a direction that is none.
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

void describe_world(const model::Trial& trial, Parameters& parameters, std::string_view place,
                    Monitor& monitor) {
    set_text(parameters, "POINT", "UNITS", trial.unit);
    const math::Mat3d rows = trial.to_world.rotation.toRotationMatrix();
    const std::string right = axis_text(rows.row(0)), up = axis_text(rows.row(1));
    if (right.empty() || up.empty()) {
        warn(monitor, "c3d-axes",
             "{}: the axes are turned by an angle that X_SCREEN and Y_SCREEN cannot tell", place);
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
