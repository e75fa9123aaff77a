#include "sinew/deform/player.h"

#include <cmath>

#include "sinew/base/error.h"

namespace sinew::deform {

using model::PackedClip;

FramePosition locate(const PackedClip& clip, double time, Playback playback) {
    if (!std::isfinite(time)) fail(clip.name, "cannot be played at the time {}", time);
    if (clip.frame_count == 0) fail(clip.name, "a clip without frames cannot be played");
    const auto last = static_cast<double>(clip.frame_count - 1);
    if (last == 0) return {};
    double position = (time - clip.start) * clip.rate;
    if (playback == Playback::loop && (position < 0 || position >= last)) {
        position -= last * std::floor(position / last);
    }
    position = std::clamp(position, 0.0, last);
    const double nearest = std::round(position);
    if (std::abs(position - nearest) < 1e-6) {
        const bool next_round = playback == Playback::loop && nearest == last;
        return {next_round ? 0 : static_cast<std::size_t>(nearest), 0};
    }
    const double frame = std::floor(position);
    return {static_cast<std::size_t>(frame), static_cast<float>(position - frame)};
}

void sample(const PackedClip& clip, double time, Playback playback, LocalPose& pose) {
    if (clip.joint_count != pose.joint_count || clip.pose_size() != pose.data.size()) {
        fail(clip.name, "the clip has {} joints, the pose {}", clip.joint_count, pose.joint_count);
    }
    simd::sample(clip, locate(clip, time, playback), pose.data.data());
}

}  // namespace sinew::deform
