#include "sinew/rig/clip_edit.h"

#include <algorithm>

namespace sinew::rig {
namespace {

using math::Quatf;
using math::Vec3d;

/// Adds an offset to places, not to their tangents.
void shift(model::Keys<math::Vec3f>& keys, const math::Vec3f& offset) {
    const std::size_t first = keys.stride() == 3 ? 1 : 0;
    for (std::size_t i = first; i < keys.values.size(); i += keys.stride()) keys.values[i] += offset;
}

/// Keys of a joint whose rest rotation changed by r: turns since rest stay, q0' q0^-1 q.
void turn(model::Keys<Quatf>& keys, const Quatf& by) {
    for (Quatf& value : keys.values) value = by * value;
}

}  // namespace

model::Clip adapted_clip(const model::Clip& clip, const model::Skeleton& before,
                         const model::Skeleton& after) {
    model::Clip result = clip;
    result.tracks.clear();
    for (model::Track track : clip.tracks) {
        const model::Joint& old = before.joints[static_cast<std::size_t>(track.joint)];
        track.joint = after.find(old.name);
        if (track.joint < 0) continue;
        const model::Joint& now = after.joints[static_cast<std::size_t>(track.joint)];
        const Vec3d moved = now.rest.translation - old.rest.translation;
        if (now.parent >= 0) shift(track.translation, moved.cast<float>());
        turn(track.rotation, (now.rest.rotation * old.rest.rotation.conjugate()).cast<float>());
        result.tracks.push_back(std::move(track));
    }
    std::stable_sort(result.tracks.begin(), result.tracks.end(),
                     [](const model::Track& a, const model::Track& b) { return a.joint < b.joint; });
    return result;
}

}  // namespace sinew::rig
