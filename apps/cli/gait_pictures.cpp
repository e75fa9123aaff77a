#include "gait_pictures.h"

#include <algorithm>
#include <memory>

#include "sinew/motion/cycle_playback.h"
#include "sinew/motion/gait_partial.h"
#include "sinew/motion/retarget.h"
#include "sinew/render/character.h"
#include "sinew/sample/samples.h"

namespace sinew::cli {
namespace {

/// The man with the clip of the mean cycle, walking on the spot.
model::Character walking_man(const motion::GaitAnalysis& analysis, Monitor& monitor) {
    const model::Character body = motion::play_cycle(motion::to_cycle(analysis), {}, monitor);
    model::Character man = sample::make("man");
    motion::RetargetOptions options;
    options.foot_contacts = false;  // feet slide by nature on the spot
    man.clips = {motion::retarget(body.skeleton, body.clips[0], man.skeleton, options, monitor).clip};
    return man;
}

/// The arms of a T-pose would be in the way.
void lower_arms(model::Character& man) {
    const double angle = math::radians(72);
    for (const model::Side side : {model::Side::left, model::Side::right}) {
        const int arm = model::find_role(model::find_roles(man.skeleton), model::Role::upper_arm, side);
        if (arm < 0) continue;
        const math::Quatd down =
            math::axis_angle<double>(math::Vec3d::UnitZ(), side == model::Side::left ? -angle : angle);
        model::Track track;
        track.joint = arm;
        track.rotation.times = model::KeyTimes::even(0, 1, 1);
        track.rotation.values = {
            (down * man.skeleton.joints[static_cast<std::size_t>(arm)].rest.rotation).cast<float>()};
        man.clips[0].tracks.push_back(std::move(track));
    }
    std::ranges::sort(man.clips[0].tracks, {}, &model::Track::joint);
}

}  // namespace

std::vector<PhasePicture> phase_pictures(const motion::GaitAnalysis& analysis, Unmeasured unmeasured,
                                         Monitor& monitor) {
    std::vector<PhasePicture> pictures;
    if (analysis.curve(model::Side::right, motion::GaitAngle::knee_flexion).empty()) return pictures;
    model::Character man = walking_man(analysis, monitor);
    lower_arms(man);
    const std::vector<bool> lower = motion::lower_body_joints(man.skeleton);
    const model::Character measured =
        unmeasured == Unmeasured::hold ? man : motion::part_of(man, lower, true);
    const model::Character rest = motion::part_of(man, lower, false);
    render::RenderOptions options;
    options.width = 200;
    options.height = 300;
    options.samples = 2;
    options.lighting.shadows = false;  // on the body itself: too small to see, half of the time
    options.view = render::View::right;
    render::Renderer renderer;
    render::CharacterStage stage(renderer, measured, options, monitor);
    std::unique_ptr<render::CharacterStage> ghost;
    if (unmeasured == Unmeasured::ghost) {
        ghost = std::make_unique<render::CharacterStage>(renderer, rest, options, monitor);
        render::Drawable drawable = ghost->scene().drawables.front();
        drawable.opacity = 0.25f;
        drawable.casts_shadow = false;
        stage.scene().drawables.push_back(drawable);
    }
    const model::Clip& clip = man.clips[0];
    const double seconds = model::time_range(clip).duration();
    // The clip begins at left contact; the right leg is OppositeFootContact behind.
    const double shift = analysis.phases[0][3] / 100;
    std::optional<render::Camera> camera;
    for (std::size_t p = 0; p < motion::phase_count; ++p) {
        const double percent = (analysis.phases[1][p] + analysis.phases[1][p + 1]) / 2;
        const double phase = percent / 100 + shift, time = (phase - std::floor(phase)) * seconds;
        stage.pose(&clip, time);
        if (ghost) {
            ghost->pose(&clip, time);
            render::Drawable& drawn = stage.scene().drawables.back();
            drawn.positions = ghost->scene().drawables.front().positions;
            drawn.normals = ghost->scene().drawables.front().normals;
        }
        if (!camera) {
            stage.place_ground(stage.bounds());
            camera = stage.camera();
        }
        pictures.push_back({std::string(motion::long_name(static_cast<motion::GaitPhase>(p))), percent,
                            stage.picture(*camera)});
    }
    return pictures;
}

}  // namespace sinew::cli
