#include "sinew/deform/parts/figure_player.h"

#include <cmath>

#include "sinew/model/clip.h"

namespace sinew::deform {

FigurePlayer::FigurePlayer(ArticulatedFigure& figure, const model::ChannelSet& set, Monitor& monitor,
                           std::vector<int> part_of_number)
    : figure_(&figure), part_of_number_(std::move(part_of_number)) {
    if (part_of_number_.empty()) part_of_number_ = figure.order();
    load(set, monitor);
}

void FigurePlayer::load(const model::ChannelSet& set, Monitor& monitor) {
    const std::size_t joints = figure_->joints().size();
    channels_.assign(3 * joints + 6, {});
    start_ = set.start;
    end_ = set.end;
    for (const model::Channel& channel : set.channels) {
        if (channel.id < 0 || static_cast<std::size_t>(channel.id) >= channels_.size()) {
            warn(monitor, "channel-without-joint", "channel {} belongs to no joint: the figure has {}",
                 channel.id, joints);
            continue;
        }
        channels_[static_cast<std::size_t>(channel.id)].curve = model::prepare(channel);
    }
}

FigureReport FigurePlayer::play(double time, Monitor& monitor) {
    const auto three = [&](std::size_t first) {
        Vec3d values;
        for (std::size_t i = 0; i < 3; ++i) {
            Played& played = channels_[first + i];
            values[static_cast<int>(i)] = model::evaluate(played.curve, time, played.cursor);
        }
        return values;
    };
    const std::size_t joints = figure_->joints().size();
    std::vector<Vec3d> angles(joints, Vec3d::Zero());
    for (std::size_t n = 0; n < joints; ++n)
        angles[static_cast<std::size_t>(part_of_number_[n])] = math::radians(1) * three(3 * n);
    FigureMover mover;
    mover.translation = three(3 * joints);
    mover.angles = math::radians(1) * three(3 * joints + 3);
    return figure_->pose(angles, mover, monitor);
}

std::size_t FigurePlayer::frame_count(double rate) const {
    return model::sample_count({start_, end_}, rate);
}

}  // namespace sinew::deform
