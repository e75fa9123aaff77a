#pragma once
/// \file
/// Between keyframe channels and clips, with a bound on what the conversion changes.

#include <span>

#include "sinew/base/monitor.h"
#include "sinew/math/quaternion.h"
#include "sinew/model/channels.h"
#include "sinew/model/clip.h"

namespace sinew::model {

/// What channels mean: joint j turns by Q = R_z(c) R_y(b) R_x(a) (x first, about fixed axes; other orders by
/// choice) in the frame F of its limits, or in its rest frame when it has none, and the mover (T, M) stands
/// above every root:
///
///     rotation_j = rest_j F Q F^-1           rotation_root    = M rest F Q F^-1
///                                            translation_root = T + M rest_translation
struct ChannelOptions {
    math::EulerOrder order = {2, 1, 0};  ///< factors from left to right: the last turns first
    double rotation_tolerance = 1e-4;    ///< radians
    double translation_tolerance = 1e-5;
    std::size_t max_keys = 2'000'000;  ///< of a whole clip; cycles of a short channel over a long range
};

/// The largest difference between the two forms, looked for between the keys as well.
struct ConversionError {
    double rotation = 0;     ///< radians
    double translation = 0;  ///< in the skeleton's unit
};

struct ChannelClip {
    Clip clip;
    ConversionError error;
};
/// Linear keys over the channels' range: at every key of a channel, repeated ones included, and as many
/// between them as the tolerance asks for. A jump becomes two keys that are one step of single precision
/// apart; what is between these two is no part of the bound.
/// \throws Error when it needs more than `max_keys`. Warns about channels that belong to no joint
/// (`channel-without-joint`).
ChannelClip clip_of(const ChannelSet& set, const Skeleton& skeleton, const ChannelOptions& options = {},
                    Monitor& monitor = silent());

struct ClipChannels {
    ChannelSet set;
    ConversionError error;
};
/// The way back: angles unwrapped, linear tangents, keys where the clip has them and where a straight line
/// between angles is too far from the turn between rotations. The root's translation goes to the mover.
/// Warns about what channels cannot hold: `channels-translation`, `channels-scale`, `channels-morphs`.
ClipChannels channels_of(const Clip& clip, const Skeleton& skeleton, const ChannelOptions& options = {},
                         Monitor& monitor = silent());

/// Number of each joint in depth-first order, children in the order of the skeleton.
std::vector<int> depth_first_numbers(const Skeleton& skeleton);

/// The pose that channels give, for one set and one skeleton. Curves are shared; the cursors are this
/// player's own.
class ChannelPlayer {
  public:
    ChannelPlayer(const ChannelSet& set, const Skeleton& skeleton, const ChannelOptions& options = {});

    /// Local transforms of all joints at a time.
    std::vector<Transform> pose(double time);
    /// Local transform of one joint.
    Transform local(std::size_t joint, double time);

    /// Curves that move a joint: its own three, and the mover's for a root.
    std::vector<const ChannelCurve*> curves_of(std::size_t joint) const;
    bool moves(std::size_t joint) const { return !curves_of(joint).empty(); }

  private:
    struct Played {
        ChannelCurve curve;
        ChannelCursor cursor;
    };
    Quatd rotation(std::size_t first, double time);
    double value(std::size_t channel, double time);

    const Skeleton* skeleton_;
    math::EulerOrder order_;
    std::vector<int> numbers_;  ///< depth-first number of each joint
    std::vector<Played> played_;
    std::vector<int> of_channel_;  ///< place in played_ of each channel number, or -1
};

}  // namespace sinew::model
