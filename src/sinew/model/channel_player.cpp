#include <algorithm>

#include "sinew/model/channels.h"

namespace sinew::model {

std::vector<int> depth_first_numbers(const Skeleton& skeleton) {
    const std::vector<std::vector<int>> below = children(skeleton);
    std::vector<int> numbers(skeleton.size(), -1);
    std::vector<int> stack;
    for (std::size_t j = skeleton.size(); j-- > 0;) {
        if (skeleton.joints[j].parent < 0) stack.push_back(static_cast<int>(j));
    }
    for (int next = 0; !stack.empty(); ++next) {
        const auto joint = static_cast<std::size_t>(stack.back());
        stack.pop_back();
        numbers[joint] = next;
        stack.insert(stack.end(), below[joint].rbegin(), below[joint].rend());
    }
    return numbers;
}

ChannelPlayer::ChannelPlayer(const ChannelSet& set, const Skeleton& skeleton, const ChannelOptions& options)
    : skeleton_(&skeleton),
      order_(options.order),
      numbers_(depth_first_numbers(skeleton)),
      of_channel_(3 * skeleton.size() + 6, -1) {
    for (const Channel& channel : set.channels) {
        if (channel.id < 0 || static_cast<std::size_t>(channel.id) >= of_channel_.size()) continue;
        if (channel.keys.empty()) continue;
        of_channel_[static_cast<std::size_t>(channel.id)] = static_cast<int>(played_.size());
        played_.push_back({prepare(channel), {}});
    }
}

std::vector<const ChannelCurve*> ChannelPlayer::curves_of(std::size_t joint) const {
    std::vector<const ChannelCurve*> curves;
    const auto add = [&](std::size_t first, std::size_t count) {
        for (std::size_t c = first; c < first + count; ++c) {
            if (of_channel_[c] >= 0)
                curves.push_back(&played_[static_cast<std::size_t>(of_channel_[c])].curve);
        }
    };
    add(3 * static_cast<std::size_t>(numbers_[joint]), 3);
    if (skeleton_->joints[joint].parent < 0) add(3 * numbers_.size(), 6);
    return curves;
}

double ChannelPlayer::value(std::size_t channel, double time) {
    if (of_channel_[channel] < 0) return 0;
    Played& played = played_[static_cast<std::size_t>(of_channel_[channel])];
    return evaluate(played.curve, time, played.cursor);
}

Quatd ChannelPlayer::rotation(std::size_t first, double time) {
    Vec3d angles;
    for (int i = 0; i < 3; ++i) {
        const int axis = order_[static_cast<std::size_t>(i)];
        angles[i] = math::radians(value(first + static_cast<std::size_t>(axis), time));
    }
    return math::from_euler(order_, angles);
}

Transform ChannelPlayer::local(std::size_t joint, double time) {
    const Joint& j = skeleton_->joints[joint];
    const Quatd frame = j.limits ? j.limits->frame : Quatd::Identity();
    Transform local = j.rest;
    local.rotation = j.rest.rotation * frame * rotation(3 * static_cast<std::size_t>(numbers_[joint]), time) *
                     frame.conjugate();
    if (j.parent < 0) {
        const std::size_t mover = 3 * numbers_.size();
        const Quatd turn = rotation(mover + 3, time);
        const Vec3d move(value(mover, time), value(mover + 1, time), value(mover + 2, time));
        local.rotation = turn * local.rotation;
        local.translation = move + turn * local.translation;
    }
    return local;
}

std::vector<Transform> ChannelPlayer::pose(double time) {
    std::vector<Transform> result;
    result.reserve(skeleton_->size());
    for (std::size_t j = 0; j < skeleton_->size(); ++j) result.push_back(local(j, time));
    return result;
}

}  // namespace sinew::model
