#include "sinew/deform/parts/gap_clip_tracks.h"

namespace sinew::deform {

model::Track moving_track(int joint, const PartMotion& motion,
                          const std::function<math::Rigidd(const std::vector<math::Rigidd>&)>& place) {
    model::Track track;
    track.joint = joint;
    track.translation.times = track.rotation.times =
        model::KeyTimes::even(0, 1 / motion.rate, motion.frames.size());
    for (const std::vector<math::Rigidd>& frame : motion.frames) {
        const math::Rigidd here = place(frame);
        track.translation.values.push_back(here.translation.cast<float>());
        const math::Quatf rotation = here.rotation.cast<float>().normalized();
        const auto& values = track.rotation.values;
        track.rotation.values.push_back(values.empty() ? rotation : math::aligned(rotation, values.back()));
    }
    return track;
}

model::Track shown_track(int joint, const std::vector<std::uint32_t>& shown, std::size_t frames,
                         double rate) {
    model::Track track;
    track.joint = joint;
    track.scale.mode = model::Interpolation::step;
    std::vector<float> times;
    const auto key = [&](double at, float scale) {
        times.push_back(static_cast<float>(at / rate));
        track.scale.values.push_back(math::Vec3f::Constant(scale));
    };
    if (shown.empty() || shown.front() > 0) key(0, 0);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const double frame = shown[i];
        if (i == 0 || shown[i - 1] + 1 < shown[i]) key(shown[i] > 0 ? frame - 0.5 : 0, 1);
        const bool last = i + 1 == shown.size() || shown[i + 1] > shown[i] + 1;
        if (last && shown[i] + 1 < frames) key(frame + 0.5, 0);
    }
    track.scale.times = model::KeyTimes::listed(times);
    return track;
}

void add_joint(model::Character& character, const std::string& name, int parent, const math::Rigidd& place,
               bool shown) {
    model::Joint joint;
    joint.name = name;
    joint.parent = parent;
    joint.rest.translation = place.translation;
    joint.rest.rotation = place.rotation;
    if (!shown) joint.rest.scale.setZero();
    character.skeleton.joints.push_back(joint);
    // Vertices keep the places that they have without any motion.
    character.skin.joints.push_back(
        {static_cast<int>(character.skeleton.size()) - 1, math::Mat4d::Identity()});
}

}  // namespace sinew::deform
