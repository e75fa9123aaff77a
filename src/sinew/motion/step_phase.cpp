#include "sinew/motion/step_phase.h"

#include <algorithm>

#include "sinew/model/roles.h"
#include "sinew/gait/gait.h"

namespace sinew::motion {
namespace {

/// The broken line through (x, y), with its first and last pieces drawn on.
double on_broken_line(const std::vector<double>& x, const std::vector<double>& y, double at) {
    const auto above = std::upper_bound(x.begin() + 1, x.end() - 1, at);
    const auto i = static_cast<std::size_t>(above - x.begin());
    return y[i - 1] + (at - x[i - 1]) * (y[i] - y[i - 1]) / (x[i] - x[i - 1]);
}

bool has_legs(const model::Skeleton& skeleton) {
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    return model::find_role(roles, model::Role::hips) >= 0 &&
           model::find_role(roles, model::Role::thigh, model::Side::left) >= 0;
}

}  // namespace

double StepPhase::phase_at(double time) const {
    return on_broken_line(times, phases, time);
}

double StepPhase::time_at(double phase) const {
    return on_broken_line(phases, times, phase);
}

std::optional<StepPhase> find_step_phase(const model::Skeleton& skeleton, const model::Clip& clip) {
    if (clip.empty() || !has_legs(skeleton)) return std::nullopt;
    const GaitMotion motion = gait_motion(skeleton, clip);
    const double start = model::time_range(clip).start;
    StepPhase result;
    model::Side last = model::Side::none;
    for (const GaitEvent& event : find_events({}, motion).events) {
        if (event.kind != GaitEventKind::strike) continue;
        const double time = start + event.time;
        if (!result.times.empty() && time <= result.times.back()) continue;
        // The same foot twice: the step of the other between them was not seen.
        const double phase = result.phases.empty() ? (event.side == model::Side::left ? 0 : 1)
                                                   : result.phases.back() + (event.side == last ? 2 : 1);
        result.times.push_back(time);
        result.phases.push_back(phase);
        last = event.side;
    }
    if (result.times.size() < 2) return std::nullopt;
    return result;
}

}  // namespace sinew::motion
