// SPDX-License-Identifier: MIT
#include "gait_pictures.h"

#include <algorithm>
#include <array>
#include <optional>

#include "sinew/gait/gait.h"
#include "sinew/io/interchange.h"
#include "sinew/model/roles.h"
#include "sinew/motion/retarget.h"
#include "sinew/render/film.h"
#include "sinew/render/view.h"
#include "sinew/sample/samples.h"

namespace sinew::cli {
namespace {

using model::Side;

/// The character with a clip, the times of the pictures, and the measured joints.
struct Walker {
    model::Character man;
    std::vector<bool> measured;
    std::vector<double> times;
    double start = 0;  ///< start of the clip in the trial, seconds
    double scale = 0;  ///< size of the character relative to the subject; 0: the clip is not from a trial
};

/// The character stays at the origin, so feet slide.
motion::RetargetResult move_man(const model::Skeleton& skeleton, const model::Clip& clip, Walker& walker,
                                Monitor& monitor) {
    motion::RetargetOptions options;
    options.foot_contacts = false;
    options.in_place = true;
    motion::RetargetResult result = motion::retarget(skeleton, clip, walker.man.skeleton, options, monitor);
    walker.man.clips = {result.clip};
    return result;
}

/// A moment of the cycle of the right leg.
struct Moment {
    std::string_view phase;  ///< empty if it was not measured
    double percent = 0;
};

/// The middle of each phase; equal steps if phases were not measured.
/// \pre the right side has phases.
std::vector<Moment> moments(const gait::GaitAnalysis& analysis) {
    std::vector<Moment> result;
    const gait::PhaseBoundaries& percent = *analysis.phases[1];
    for (const gait::PhaseSpan& span : gait::measured_spans(percent)) {
        const double step =
            (percent[span.last] - percent[span.first]) / static_cast<double>(span.last - span.first);
        for (std::size_t p = span.first; p < span.last; ++p)
            result.push_back(
                {span.is_phase() ? gait::long_name(static_cast<gait::GaitPhase>(p)) : std::string_view(),
                 percent[span.first] + step * (static_cast<double>(p - span.first) + 0.5)});
    }
    return result;
}

/// Uses the clip of the mean cycle.
Walker by_curves(const gait::GaitAnalysis& analysis, Monitor& monitor) {
    Walker walker;
    walker.man = sample::make("man");
    const model::Character body = gait::play_cycle(gait::to_cycle(analysis), {}, monitor);
    move_man(body.skeleton, body.clips[0], walker, monitor);
    walker.measured = gait::lower_body_joints(walker.man.skeleton);
    gait::relax_unmeasured_arms(walker.man.skeleton, walker.measured, walker.man.clips[0]);
    // The clip starts at left contact; the right leg is later by OppositeFootContact. If the left side does
    // not give this value, the right side is used. If neither does, they are half a cycle apart, as in the
    // clip.
    double shift = 0.5;
    if (analysis.phases[0] && std::isfinite((*analysis.phases[0])[3]))
        shift = (*analysis.phases[0])[3] / 100;
    else if (std::isfinite((*analysis.phases[1])[3]))
        shift = 1 - (*analysis.phases[1])[3] / 100;
    const double seconds = model::time_range(body.clips[0]).duration();
    for (const Moment& moment : moments(analysis)) {
        const double phase = moment.percent / 100 + shift;
        walker.times.push_back((phase - std::floor(phase)) * seconds);
    }
    return walker;
}

math::Quatd towards_z(const math::Vec3d& forward) {
    return math::rotation_between<double>(forward.normalized(), math::Vec3d::UnitZ());
}

/// From the hip to the ankle at rest.
double leg_length(const model::Skeleton& skeleton) {
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    const std::vector<math::Vec3d> joints = model::joint_positions(model::rest_world_matrices(skeleton));
    const int hip = model::find_role(roles, model::Role::thigh, Side::left),
              ankle = model::find_role(roles, model::Role::foot, Side::left);
    if (hip < 0 || ankle < 0) return 0;
    return (joints[static_cast<std::size_t>(hip)] - joints[static_cast<std::size_t>(ankle)]).norm();
}

/// The frames of one cycle, rotated so that the body walks towards +z.
model::Clip cycle_of(const SolvedMotion& solved, const gait::GaitCycleSpan& cycle,
                     const math::Vec3d& forward) {
    model::Clip clip = model::trimmed(solved.character.clips[0], cycle.start, cycle.end);
    const math::Quatf rotation = towards_z(forward).cast<float>();
    for (model::Track& track : clip.tracks) {
        if (solved.character.skeleton.joints[static_cast<std::size_t>(track.joint)].parent >= 0) continue;
        for (math::Quatf& key : track.rotation.values) key = (rotation * key).normalized();
        for (math::Vec3f& key : track.translation.values) key = rotation * key;
    }
    return clip;
}

/// The motion with its travel.
Walker by_motion(const gait::GaitAnalysis& analysis, const SolvedMotion& solved,
                 const gait::GaitCycleSpan& cycle, Monitor& monitor) {
    Walker walker;
    walker.man = sample::make("man");
    const model::Skeleton& skeleton = solved.character.skeleton;
    const motion::RetargetResult moved =
        move_man(skeleton, cycle_of(solved, cycle, analysis.motion.forward), walker, monitor);
    walker.measured = gait::measured_joints(walker.man.skeleton, skeleton, solved.measured, moved.mapped);
    for (const Moment& moment : moments(analysis))
        walker.times.push_back(moment.percent / 100 * cycle.duration());
    walker.start = cycle.start;
    walker.scale = leg_length(walker.man.skeleton) / leg_length(skeleton);
    return walker;
}

/// The force of the ground on each foot that is alone on a platform, at the corresponding foot of the
/// character.
render::Overlay ground_forces(const gait::GaitAnalysis& analysis, const Walker& walker, double time) {
    render::Overlay overlay;
    overlay.layer = render::Layer::top;  // otherwise legs hide the forces along them
    if (!(walker.scale > 0)) return overlay;
    const auto frame = static_cast<std::size_t>(std::lround((walker.start + time) * analysis.rate));
    const math::Mat3d rotation = towards_z(analysis.motion.forward).toRotationMatrix();
    const std::vector<model::JointRole> roles = model::find_roles(walker.man.skeleton);
    const std::vector<math::Vec3d> joints =
        model::joint_positions(model::world_matrices(walker.man, &walker.man.clips[0], time));
    for (const Side side : {Side::left, Side::right}) {
        const auto& foot = analysis.ground.feet[side == Side::left ? 0 : 1];
        const auto& ankle = analysis.motion.leg(side).ankle;
        const int joint = model::find_role(roles, model::Role::foot, side);
        if (frame >= std::min(foot.size(), ankle.size()) || joint < 0) continue;
        const math::Vec3d from = joints[static_cast<std::size_t>(joint)] +
                                 walker.scale * (rotation * (foot[frame].center - ankle[frame]));
        const math::Vec3d to = from + render::ForceStyle().metres_per_newton * (rotation * foot[frame].force);
        if (foot[frame].force.y() > 0 && from.allFinite())
            render::add_arrow(overlay, from.cast<float>(), to.cast<float>(),
                              render::ForceStyle().arrow_color);
    }
    return overlay;
}

/// The right cycle with the most forces in the first trial, or the first one.
const gait::GaitCycleSpan* shown_cycle(const gait::GaitAnalysis& analysis) {
    const gait::GaitCycleSpan* best = nullptr;
    std::ptrdiff_t most = -1;
    for (const gait::GaitCycleSpan& cycle : analysis.cycles) {
        if (cycle.side != Side::right || cycle.trial != 0) continue;
        std::ptrdiff_t loaded = 0;
        for (std::size_t f = 0; f < analysis.ground.feet[1].size(); ++f) {
            const double time = static_cast<double>(f) / analysis.rate;
            loaded += time >= cycle.start && time < cycle.end && analysis.ground.feet[1][f].force.y() > 0;
        }
        if (loaded > most) most = loaded, best = &cycle;
    }
    return best;
}

render::RenderOptions look() {
    render::RenderOptions options;
    options.width = 200;
    options.height = 300;
    options.samples = 2;
    options.lighting.shadows = false;  // on the body itself: too small to see, half of the time
    options.view = render::View::right;
    return options;
}

}  // namespace

std::vector<gait::PhasePicture> phase_pictures(const gait::GaitAnalysis& analysis, const SolvedMotion* solved,
                                               gait::Unmeasured unmeasured, Monitor& monitor) {
    std::vector<gait::PhasePicture> pictures;
    if (!analysis.phases[1]) return pictures;  // without a cycle the times of the phases are unknown
    const gait::GaitCycleSpan* const cycle = shown_cycle(analysis);
    const bool moving = solved != nullptr && cycle != nullptr;
    if (!moving && analysis.curve(Side::right, gait::GaitCurve::knee_flexion).empty()) return pictures;
    Walker walker = moving ? by_motion(analysis, *solved, *cycle, monitor) : by_curves(analysis, monitor);
    gait::show_unmeasured(walker.man, walker.measured, unmeasured);
    render::Renderer renderer;
    render::RenderOptions options = look();
    options.beside = [&](double time) { return ground_forces(analysis, walker, time); };
    render::CharacterRenderer stage(renderer, walker.man, options, monitor);
    stage.scene().ground.axes = false;  // red lines are forces here
    std::optional<render::Camera> camera;
    const std::vector<Moment> shown = moments(analysis);
    for (std::size_t p = 0; p < shown.size(); ++p) {
        stage.pose(&walker.man.clips[0], walker.times[p]);
        if (!camera) {
            stage.set_ground(stage.bounds());
            camera = stage.camera();
        }
        pictures.push_back({std::string(shown[p].phase), shown[p].percent,
                            "data:image/png;base64," +
                                io::encode_base64(as_bytes(render::encode_png(stage.picture(*camera))))});
    }
    return pictures;
}

}  // namespace sinew::cli
