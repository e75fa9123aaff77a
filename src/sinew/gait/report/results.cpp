// SPDX-License-Identifier: MIT
// Results for other programs: in the trial itself, and as forces for OpenSim.

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/gait/report.h"

namespace sinew::gait {

using model::Side;

namespace {

/// Curves that share a point with three components: "LHipAngles" has flexion, adduction and rotation.
void put_output(const GaitAnalysis& a, Side side, std::size_t curve, model::Points& outputs) {
    const CurveInfo& what = info(curve_at(curve));
    const std::vector<double>& trace = a.traces.of(side, curve_at(curve));
    if (what.output.empty() || trace.empty()) return;
    const std::string label = (side == Side::left ? "L" : "R") + std::string(what.output);
    int at = outputs.find(label);
    const std::size_t frames = trace.size(), before = outputs.count();
    if (at < 0) {
        model::PointInfo point;
        point.label = label;
        const bool moment = what.unit == "Nm/kg";
        point.kind = moment                ? model::PointKind::moment
                     : what.unit == "W/kg" ? model::PointKind::power
                                           : model::PointKind::angle;
        point.unit = moment ? "Nmm" : what.unit == "W/kg" ? "W" : "deg";
        std::vector<math::Vec3f> positions;
        std::vector<float> residuals;
        for (std::size_t f = 0; f < frames; ++f) {
            for (std::size_t p = 0; p < before; ++p) {
                positions.push_back(outputs.positions[f * before + p]);
                residuals.push_back(outputs.residuals[f * before + p]);
            }
            positions.emplace_back(math::Vec3f::Constant(std::numeric_limits<float>::quiet_NaN()));
            residuals.push_back(model::Points::missing);
        }
        outputs.info.push_back(point);
        outputs.positions = std::move(positions);
        outputs.residuals = std::move(residuals);
        outputs.cameras.clear();
        at = static_cast<int>(before);
    }
    const double unit = what.unit == "Nm/kg" ? 1000 : 1;
    for (std::size_t f = 0; f < frames; ++f) {
        if (!std::isfinite(trace[f])) continue;
        const std::size_t i = f * outputs.count() + static_cast<std::size_t>(at);
        if (outputs.residuals[i] < 0) outputs.positions[i].setZero();
        outputs.positions[i][what.component] = static_cast<float>(unit * trace[f]);
        outputs.residuals[i] = 0;
    }
}

}  // namespace

model::Trial with_results(const model::Trial& trial, const GaitAnalysis& a) {
    model::Trial result = trial;
    std::erase_if(result.events, [](const model::Event& event) {
        model::Trial one;
        one.events = {event};
        return !events_from_file(one).empty();
    });
    for (const GaitEvent& event : a.events.events) {
        model::Event out;
        out.label = name_of(event.kind);
        out.context = event.side == Side::left ? "Left" : "Right";
        out.time = event.time;
        result.events.push_back(std::move(out));
    }
    std::ranges::stable_sort(result.events, {}, &model::Event::time);
    for (const Side side : {Side::left, Side::right})
        for (std::size_t c = 0; c < curve_count; ++c) put_output(a, side, c, result.outputs);
    return result;
}

std::string to_mot(const GaitAnalysis& a) {
    if (std::ranges::none_of(a.ground.hits, &PlateHit::clean))
        fail("", "no foot hit a force platform cleanly: there are no forces to write");
    std::string text = fmt::format(
        "ground reactions\nversion=1\nnRows={}\nnColumns=19\ninDegrees=yes\nendheader\ntime", a.frames);
    for (const char* const foot : {"l", "r"})
        for (const char* const what : {"ground_force_{}_v", "ground_force_{}_p", "ground_torque_{}_"})
            for (const char axis : {'x', 'y', 'z'})
                text += fmt::format("\t{}{}", fmt::format(fmt::runtime(what), foot), axis);
    text += "\n";
    for (std::size_t f = 0; f < a.frames; ++f) {
        text += fmt::format("{:.6f}", static_cast<double>(f) / a.rate);
        for (const std::vector<GroundReaction>& foot : a.ground.feet)
            for (const math::Vec3d& each : {foot[f].force, foot[f].center, foot[f].moment})
                text += fmt::format("\t{:.6f}\t{:.6f}\t{:.6f}", each.x(), each.y(), each.z());
        text += "\n";
    }
    return text;
}

model::Trial with_axes_of_mot(model::Trial trial) {
    const Eigen::Quaternionf rotation = trial.to_world.rotation.cast<float>();
    for (math::Vec3f& position : trial.markers.positions) position = rotation * position;
    trial.to_world.rotation.setIdentity();
    trial.first_frame = 1;
    return trial;
}

}  // namespace sinew::gait
