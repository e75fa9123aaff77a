// SPDX-License-Identifier: MIT
#include "sinew/model/trial.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <type_traits>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/text.h"

namespace sinew::model {
namespace {

void validate(const Points& points, std::size_t frames, std::string_view what, std::string_view location) {
    const std::size_t samples = points.count() * frames;
    if (points.positions.size() != samples || points.residuals.size() != samples ||
        (!points.cameras.empty() && points.cameras.size() != samples)) {
        fail(location, "{} {} over {} frames have {} positions and {} residuals", points.count(), what,
             frames, points.positions.size(), points.residuals.size());
    }
    std::set<std::pair<std::string_view, std::string_view>> labels;
    for (const PointInfo& info : points.info) {
        if (!labels.insert({info.subject, info.label}).second) {
            fail(location, "the label \"{}\" is given twice", info.label);
        }
    }
    for (std::size_t i = 0; i < samples; ++i) {
        if (points.residuals[i] >= 0 && !points.positions[i].allFinite()) {
            fail(location, "\"{}\" is not finite in frame {}", points.info[i % points.count()].label,
                 i / points.count());
        }
    }
}

void validate(const Analog& analog, std::size_t frames, std::string_view location) {
    if (analog.values.size() != analog.count() * analog.samples_per_frame * frames) {
        fail(location, "{} analog channels of {} samples per frame over {} frames have {} values",
             analog.count(), analog.samples_per_frame, frames, analog.values.size());
    }
}

void validate(const SegmentRotations& rotations, std::size_t frames, std::string_view location) {
    const std::size_t samples = rotations.samples();
    if (rotations.matrices.size() != samples * rotations.labels.size() ||
        rotations.reliability.size() != rotations.matrices.size() ||
        samples > frames * rotations.samples_per_frame) {
        fail(location, "{} segments over {} frames have {} matrices and {} reliabilities",
             rotations.labels.size(), frames, rotations.matrices.size(), rotations.reliability.size());
    }
}

}  // namespace

std::string_view name_of(PointKind kind) {
    constexpr std::string_view names[] = {"marker", "angle", "force", "moment", "power", "scalar"};
    return names[static_cast<std::size_t>(kind)];
}

int Points::find(std::string_view label) const {
    const auto found = std::find_if(info.begin(), info.end(), [&](const PointInfo& each) {
        if (equal_ignoring_case(each.label, label)) return true;
        const std::size_t colon = each.subject.size();
        return colon > 0 && label.size() > colon && label[colon] == ':' &&
               equal_ignoring_case(each.subject, label.substr(0, colon)) &&
               equal_ignoring_case(each.label, label.substr(colon + 1));
    });
    return found == info.end() ? -1 : static_cast<int>(found - info.begin());
}

math::Vec3d world_position(const Trial& trial, std::size_t frame, std::size_t marker) {
    return trial.to_world * trial.markers.at(frame, marker).cast<double>();
}

void validate(const Trial& trial, std::string_view location) {
    validate(trial.markers, trial.frames, "markers", location);
    validate(trial.outputs, trial.frames, "model outputs", location);
    validate(trial.analog, trial.frames, location);
    validate(trial.rotations, trial.frames, location);
    const auto by_time = [](const Event& a, const Event& b) { return a.time < b.time; };
    if (!std::is_sorted(trial.events.begin(), trial.events.end(), by_time)) {
        fail(location, "the events are not in the order of their times");
    }
    for (std::size_t i = 0; i < trial.platforms.size(); ++i) {
        for (const int channel : trial.platforms[i].channels) {
            if (channel < 0 || static_cast<std::size_t>(channel) >= trial.analog.count()) {
                fail(location, "force platform {} names analog channel {} of {}", i + 1, channel + 1,
                     trial.analog.count());
            }
        }
    }
}

namespace {

template <class List>
auto find_named(List& list, std::string_view name) -> decltype(list.data()) {
    const auto found = std::find_if(list.begin(), list.end(),
                                    [&](const auto& each) { return equal_ignoring_case(each.name, name); });
    return found == list.end() ? nullptr : &*found;
}

}  // namespace

std::size_t Parameter::size() const {
    return std::visit([](const auto& list) { return list.size(); }, values);
}

double Parameter::number(std::size_t i) const {
    return std::visit(
        [&](const auto& list) -> double {
            if constexpr (std::is_same_v<std::decay_t<decltype(list)>, std::vector<std::string>>) {
                return 0;
            } else {
                return static_cast<double>(list[i]);
            }
        },
        values);
}

const ParameterGroup* Parameters::group(std::string_view name) const {
    return find_named(groups, name);
}

const Parameter* Parameters::find(std::string_view group_name, std::string_view name) const {
    const ParameterGroup* const found = group(group_name);
    return found == nullptr ? nullptr : find_named(found->parameters, name);
}

Parameter* Parameters::find(std::string_view group_name, std::string_view name) {
    return const_cast<Parameter*>(std::as_const(*this).find(group_name, name));
}

Parameter& Parameters::set(std::string_view group_name, Parameter parameter) {
    ParameterGroup* there = find_named(groups, group_name);
    if (there == nullptr) {
        groups.push_back({std::string(group_name), "", false, {}});
        there = &groups.back();
    }
    Parameter* const old = find_named(there->parameters, parameter.name);
    if (old == nullptr) return there->parameters.emplace_back(std::move(parameter));
    old->dimensions = std::move(parameter.dimensions);
    old->values = std::move(parameter.values);
    return *old;
}

void Parameters::remove(std::string_view group_name, std::string_view name) {
    ParameterGroup* const there = find_named(groups, group_name);
    if (there == nullptr) return;
    std::erase_if(there->parameters,
                  [&](const Parameter& each) { return equal_ignoring_case(each.name, name); });
}

const GaitVariable* GaitCycle::find(Side side, std::string_view name) const {
    for (const Side wanted : {side, Side::none}) {
        const auto found = std::find_if(variables.begin(), variables.end(), [&](const GaitVariable& each) {
            return each.side == wanted && equal_ignoring_case(each.name, name);
        });
        if (found != variables.end()) return &*found;
    }
    return nullptr;
}

std::optional<double> GaitCycle::value(Side side, std::string_view name) const {
    const GaitVariable* const found = find(side, name);
    if (found == nullptr || found->values.empty()) return std::nullopt;
    return found->values[0];
}

double sample(const GaitVariable& curve, double phase, bool closed) {
    const std::size_t rows = curve.rows();
    if (rows == 0) return 0;
    if (rows == 1) return curve.at(0);
    phase -= std::floor(phase);
    const double location = phase * static_cast<double>(rows - 1);
    const std::size_t row = std::min(static_cast<std::size_t>(location), rows - 2);
    const double t = location - static_cast<double>(row);
    const double value = (1 - t) * curve.at(row) + t * curve.at(row + 1);
    const double step = curve.at(rows - 1) - curve.at(0);
    return closed ? value - (phase - 0.5) * step : value;
}

void validate(const GaitCycle& cycle, std::string_view location) {
    for (const GaitVariable& variable : cycle.variables) {
        if (variable.columns == 0 || variable.values.size() % variable.columns != 0) {
            fail(location, "\"{}\" has {} numbers in {} columns", variable.name, variable.values.size(),
                 variable.columns);
        }
        for (const double value : variable.values) {
            if (!std::isfinite(value))
                fail(location, "\"{}\" has a number that is not finite", variable.name);
        }
    }
}

Character markers_as_joints(const Trial& trial) {
    Character character;
    character.name = trial.name;
    Clip clip;
    clip.name = trial.name.empty() ? "trial" : trial.name;
    const double step = trial.rate > 0 ? 1 / trial.rate : 1.0 / 30;
    for (std::size_t m = 0; m < trial.markers.count(); ++m) {
        std::vector<float> times;
        Track track;
        for (std::size_t f = 0; f < trial.frames; ++f) {
            if (!trial.markers.valid(f, m)) continue;
            times.push_back(static_cast<float>(static_cast<double>(f) * step));
            track.translation.values.push_back(world_position(trial, f, m).cast<float>());
        }
        if (times.empty()) continue;
        track.joint = static_cast<int>(character.skeleton.size());
        track.translation.times = times.size() == trial.frames ? KeyTimes::even(0, step, trial.frames)
                                                               : KeyTimes::listed(std::move(times));
        Joint joint;
        joint.name = trial.markers.info[m].label;
        joint.rest.translation = track.translation.values.front().cast<double>();
        character.skeleton.joints.push_back(std::move(joint));
        clip.tracks.push_back(std::move(track));
    }
    make_names_unique(character.skeleton);
    if (!clip.tracks.empty()) character.clips.push_back(std::move(clip));
    return character;
}

}  // namespace sinew::model
