#include "sinew/model/trial.h"

#include <algorithm>
#include <set>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/text.h"

namespace sinew::model {
namespace {

void validate(const Points& points, std::size_t frames, std::string_view what, std::string_view place) {
    const std::size_t samples = points.count() * frames;
    if (points.positions.size() != samples || points.residuals.size() != samples ||
        (!points.cameras.empty() && points.cameras.size() != samples)) {
        fail(place, "{} {} over {} frames have {} positions and {} residuals", points.count(), what, frames,
             points.positions.size(), points.residuals.size());
    }
    std::set<std::pair<std::string_view, std::string_view>> labels;
    for (const PointInfo& info : points.info) {
        if (!labels.insert({info.subject, info.label}).second) {
            fail(place, "the label \"{}\" is given twice", info.label);
        }
    }
    for (std::size_t i = 0; i < samples; ++i) {
        if (points.residuals[i] >= 0 && !points.positions[i].allFinite()) {
            fail(place, "\"{}\" is not finite in frame {}", points.info[i % points.count()].label,
                 i / points.count());
        }
    }
}

void validate(const Analog& analog, std::size_t frames, std::string_view place) {
    if (analog.values.size() != analog.count() * analog.samples_per_frame * frames) {
        fail(place, "{} analog channels of {} samples a frame over {} frames have {} values", analog.count(),
             analog.samples_per_frame, frames, analog.values.size());
    }
}

void validate(const SegmentRotations& rotations, std::size_t frames, std::string_view place) {
    const std::size_t samples = rotations.samples();
    if (rotations.matrices.size() != samples * rotations.labels.size() ||
        rotations.reliability.size() != rotations.matrices.size() ||
        samples > frames * rotations.samples_per_frame) {
        fail(place, "{} segments over {} frames have {} matrices and {} reliabilities",
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

void validate(const Trial& trial, std::string_view place) {
    validate(trial.markers, trial.frames, "markers", place);
    validate(trial.outputs, trial.frames, "model outputs", place);
    validate(trial.analog, trial.frames, place);
    validate(trial.rotations, trial.frames, place);
    const auto by_time = [](const Event& a, const Event& b) { return a.time < b.time; };
    if (!std::is_sorted(trial.events.begin(), trial.events.end(), by_time)) {
        fail(place, "the events are not in the order of their times");
    }
    for (std::size_t i = 0; i < trial.platforms.size(); ++i) {
        for (const int channel : trial.platforms[i].channels) {
            if (channel < 0 || static_cast<std::size_t>(channel) >= trial.analog.count()) {
                fail(place, "force platform {} names analog channel {} of {}", i + 1, channel + 1,
                     trial.analog.count());
            }
        }
    }
}

}  // namespace sinew::model
