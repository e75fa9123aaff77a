// SPDX-License-Identifier: MIT
#include "state.h"

#include <algorithm>

namespace sinew::studio {

Work work_of(const State& state) {
    return {state.document.character, state.document.gait, state.document.checklist, state.pose, state.cast};
}

std::string title_of(const State& state) {
    const std::filesystem::path& path = state.document.path;
    return (path.empty() ? state.character().name : path.filename().string()) +
           (is_unsaved(state) ? " *" : "");
}

bool is_unsaved(const State& state) {
    return !state.document.empty() && work_of(state) != state.saved;
}

std::vector<Transform> pose_below(const State& state) {
    const model::Skeleton& skeleton = state.character().skeleton;
    if (const model::Clip* clip = state.playing_clip())
        return model::sample(*clip, skeleton, state.timeline.time);
    std::vector<Transform> local;
    for (const model::Joint& joint : skeleton.joints) local.push_back(joint.rest);
    return local;
}

std::vector<Transform> pose_now(const State& state) {
    return with_layer(pose_below(state), state.pose);
}

float scene_size(const Document& document) {
    return document.box.empty() ? 2.0f : std::max(document.box.diagonal(), 1e-3f);
}

}  // namespace sinew::studio
