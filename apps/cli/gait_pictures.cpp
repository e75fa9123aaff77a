// SPDX-License-Identifier: MIT
#include "gait_pictures.h"

#include <algorithm>
#include <array>
#include <optional>

#include "sinew/gait/gait.h"
#include "sinew/io/interchange.h"
#include "sinew/motion/retarget.h"
#include "sinew/render/film.h"
#include "sinew/sample/samples.h"

namespace sinew::cli {
namespace {

using model::Side;

/// The man with a clip, the times at which he is looked at, and what of him was measured.
struct Walker {
    model::Character man;
    std::vector<bool> measured;
    std::array<double, gait::phase_count> times{};
};

/// On the spot: feet slide by nature.
motion::RetargetResult move_man(const model::Skeleton& skeleton, const model::Clip& clip, Walker& walker,
                                Monitor& monitor) {
    motion::RetargetOptions options;
    options.foot_contacts = false;
    options.in_place = true;
    motion::RetargetResult result = motion::retarget(skeleton, clip, walker.man.skeleton, options, monitor);
    walker.man.clips = {result.clip};
    return result;
}

/// \pre the right side has phases.
double middle(const gait::GaitAnalysis& analysis, std::size_t phase) {
    const auto& percent = analysis.phases[1]->percent;
    return (percent[phase] + percent[phase + 1]) / 2;
}

bool measured(const gait::GaitAnalysis& analysis, std::size_t phase) {
    return analysis.phases[1]->measured[phase] && analysis.phases[1]->measured[phase + 1];
}

/// By the clip of the mean cycle.
Walker by_curves(const gait::GaitAnalysis& analysis, Monitor& monitor) {
    Walker walker{sample::make("man"), {}, {}};
    const model::Character body = gait::play_cycle(gait::to_cycle(analysis), {}, monitor);
    move_man(body.skeleton, body.clips[0], walker, monitor);
    walker.measured = gait::lower_body_joints(walker.man.skeleton);
    gait::relax_unmeasured_arms(walker.man.skeleton, walker.measured, walker.man.clips[0]);
    // The clip begins at left contact; the right leg is OppositeFootContact behind.
    // Where the left side does not tell when that is, the right one does.
    const double shift = (analysis.phases[0] ? analysis.phases[0]->percent[3]
                                             : 100 - analysis.phases[1]->percent[3]) /
                         100,
                 seconds = model::time_range(body.clips[0]).duration();
    for (std::size_t p = 0; p < gait::phase_count; ++p) {
        const double phase = middle(analysis, p) / 100 + shift;
        walker.times[p] = (phase - std::floor(phase)) * seconds;
    }
    return walker;
}

/// The frames of one cycle, turned so that the body walks towards +z.
model::Clip cycle_of(const SolvedMotion& solved, const gait::GaitCycleSpan& cycle,
                     const math::Vec3d& forward) {
    model::Clip clip = model::trimmed(solved.character.clips[0], cycle.start, cycle.end);
    const math::Quatf rotation =
        math::Quatd::FromTwoVectors(forward, math::Vec3d::UnitZ()).normalized().cast<float>();
    for (model::Track& track : clip.tracks) {
        if (solved.character.skeleton.joints[static_cast<std::size_t>(track.joint)].parent >= 0) continue;
        for (math::Quatf& key : track.rotation.values) key = (rotation * key).normalized();
        for (math::Vec3f& key : track.translation.values) key = rotation * key;
    }
    return clip;
}

/// As the body went.
Walker by_motion(const gait::GaitAnalysis& analysis, const SolvedMotion& solved,
                 const gait::GaitCycleSpan& cycle, Monitor& monitor) {
    Walker walker{sample::make("man"), {}, {}};
    const model::Skeleton& skeleton = solved.character.skeleton;
    const motion::RetargetResult moved =
        move_man(skeleton, cycle_of(solved, cycle, analysis.motion.forward), walker, monitor);
    walker.measured = gait::measured_joints(walker.man.skeleton, skeleton, solved.measured, moved.mapped);
    for (std::size_t p = 0; p < gait::phase_count; ++p)
        walker.times[p] = middle(analysis, p) / 100 * cycle.duration();
    return walker;
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
    if (!analysis.phases[1]) return pictures;  // without a cycle nobody knows when a phase was
    const auto cycle = std::ranges::find(analysis.cycles, Side::right, &gait::GaitCycleSpan::side);
    const bool moving = solved != nullptr && cycle != analysis.cycles.end();
    if (!moving && analysis.curve(Side::right, gait::GaitCurve::knee_flexion).empty()) return pictures;
    Walker walker = moving ? by_motion(analysis, *solved, *cycle, monitor) : by_curves(analysis, monitor);
    gait::show_unmeasured(walker.man, walker.measured, unmeasured);
    render::Renderer renderer;
    render::CharacterRenderer stage(renderer, walker.man, look(), monitor);
    std::optional<render::Camera> camera;
    for (std::size_t p = 0; p < gait::phase_count; ++p) {
        stage.pose(&walker.man.clips[0], walker.times[p]);
        if (!camera) {
            stage.set_ground(stage.bounds());
            camera = stage.camera();
        }
        pictures.push_back({std::string(gait::long_name(static_cast<gait::GaitPhase>(p))),
                            measured(analysis, p) ? std::optional(middle(analysis, p)) : std::nullopt,
                            "data:image/png;base64," +
                                io::encode_base64(as_bytes(render::encode_png(stage.picture(*camera))))});
    }
    return pictures;
}

}  // namespace sinew::cli
