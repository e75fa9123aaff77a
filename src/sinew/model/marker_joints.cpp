#include "sinew/model/trial.h"

namespace sinew::model {

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
