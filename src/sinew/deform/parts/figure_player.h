#pragma once
/// \file
/// Keyframe channels on a figure of parts.

#include "sinew/deform/parts/articulated_figure.h"
#include "sinew/model/channels.h"

namespace sinew::deform {

/// Channel 3 j + axis is an angle of the joint with number j, depth first; behind them six for the mover.
/// The clip can be changed at any time; the figure stays as it is until the next frame or a reset.
class FigurePlayer {
  public:
    /// `part_of_number` is the part of each joint number where a hierarchy file has an order of its own;
    /// empty takes that of the figure. Warns `channel-without-joint` about channels that belong to no joint.
    FigurePlayer(ArticulatedFigure& figure, const model::ChannelSet& set, Monitor& monitor = silent(),
                 std::vector<int> part_of_number = {});

    /// Loads another clip. The pose stays.
    void load(const model::ChannelSet& set, Monitor& monitor = silent());
    /// Poses the figure as at a time.
    FigureReport play(double time, Monitor& monitor = silent());

    double start() const { return start_; }
    double end() const { return end_; }
    /// Number of frames of the interval at a rate, both ends included.
    std::size_t frame_count(double rate) const;

  private:
    struct Played {
        model::ChannelCurve curve;
        model::ChannelCursor cursor;
    };
    ArticulatedFigure* figure_;
    std::vector<int> part_of_number_;
    std::vector<Played> channels_;  ///< by number; empty curves are 0
    double start_ = 0, end_ = 0;
};

}  // namespace sinew::deform
