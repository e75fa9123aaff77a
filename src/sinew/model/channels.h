// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Channels that drive what surrounds a figure in a film: camera, lights, colours.
///
/// \code
/// const model::ChannelCurve curve = model::prepare(channel);
/// const double angle = model::evaluate(curve, 0.25);
/// \endcode

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/math/quaternion.h"
#include "sinew/model/clip.h"

namespace sinew::model {

/// What a channel drives, by the name that it has in a .clip file. Camera angles and zoom are relative to the
/// camera that the film would have had; eye and target are positions that replace its own.
enum class StageValue : std::uint8_t {
    camera_azimuth,    ///< camera.azimuth: degrees around the figure, to the camera's right
    camera_elevation,  ///< camera.elevation: degrees upwards
    camera_roll,       ///< camera.roll: degrees, clockwise in the picture
    camera_zoom,       ///< camera.zoom: 2 brings the figure twice as near
    camera_fov,        ///< camera.fov: degrees from the lower to the upper border
    camera_eye_x,      ///< camera.eye.x and so on: position of the camera
    camera_eye_y,
    camera_eye_z,
    camera_target_x,  ///< camera.target.x and so on: what it looks at
    camera_target_y,
    camera_target_z,
    light_azimuth,    ///< light.azimuth: degrees by which the lights rotate
    light_elevation,  ///< light.elevation: degrees by which the key light rises
    light_exposure,   ///< light.exposure: 2 is twice as bright
    color_red,        ///< color.red, .green, .blue: of the figure, 0 to 1 on the screen
    color_green,
    color_blue,
    background_red,  ///< background.red, .green, .blue: 0 to 1 on the screen
    background_green,
    background_blue,
};

/// All names, in the order of the values.
std::span<const std::string_view> stage_value_names();
std::string_view name_of(StageValue value);
/// In any case; none when there is no such name.
std::optional<StageValue> stage_value_from_name(std::string_view name);

/// How the slope at a key is found, separately for the curve that arrives and the one that leaves.
enum class Tangent : std::uint8_t {
    flat,    ///< 0
    linear,  ///< towards the neighbour on that side
    smooth,  ///< from neighbour to neighbour; linear where one is missing
    fixed,   ///< as given
};

struct TangentRule {
    Tangent kind = Tangent::smooth;
    double slope = 0;  ///< of a fixed tangent, value per second
    bool operator==(const TangentRule&) const = default;
};

/// What a channel does outside its keys. With T from the first to the last key, n = floor((t - first) / T)
/// and r = t - first - n T.
enum class Extrapolation : std::uint8_t {
    constant,       ///< holds the value of the end
    linear,         ///< goes on with the slope of the end
    cyclic,         ///< f(first + r)
    cyclic_offset,  ///< the same, raised by n (f_last - f_first)
    bounce,         ///< forwards when n is even, backwards when it is odd
};

struct ChannelKey {
    double time = 0;
    double value = 0;
    TangentRule in = {};
    TangentRule out = {};
    bool operator==(const ChannelKey&) const = default;
};

/// A channel to edit. Times do not fall; two keys at one time are a cut: the later one holds from that time
/// on, and tangents do not look across it.
struct Channel {
    int id = 0;
    Extrapolation before = Extrapolation::constant;
    Extrapolation after = Extrapolation::constant;
    std::vector<ChannelKey> keys;
    bool operator==(const Channel&) const = default;
};

/// A channel that drives the camera, the lights or a colour; the number of its curve is not used.
struct StageChannel {
    StageValue value = StageValue::camera_azimuth;
    Channel curve;
    bool operator==(const StageChannel&) const = default;
};

/// All channels of a motion. With J joints, numbered depth first, channel 3 j + axis is an angle of joint j
/// in degrees, and 3 J to 3 J + 5 are the mover, which places the whole figure: x y z, then angles about
/// x y z. A channel that is missing is 0.
struct ChannelSet {
    std::string name;
    double start = 0;  ///< playback interval in seconds; need not be that of the keys
    double end = 0;
    std::vector<Channel> channels;
    std::vector<StageChannel> stage = {};  ///< of what surrounds the figure; each value at most once

    bool empty() const { return channels.empty() && stage.empty(); }
    const Channel* find(int id) const;
    bool operator==(const ChannelSet&) const = default;
};

/// \throws Error when times fall, a number is not finite, an id is negative or doubled, or the interval is
/// reversed.
void validate(const ChannelSet& set, std::string_view location);

/// A channel to play: tangents resolved, one cubic for each span between two keys.
struct ChannelCurve {
    /// f(u) = d + u (c + u (b + u a)) with u from 0 to 1 over the span.
    using Cubic = std::array<double, 4>;

    Extrapolation before = Extrapolation::constant;
    Extrapolation after = Extrapolation::constant;
    std::vector<double> times;
    std::vector<double> values;
    std::vector<Cubic> spans;  ///< a, b, c, d; one fewer than keys
    double first_slope = 0;    ///< in-slope of the first key
    double last_slope = 0;     ///< out-slope of the last key

    bool empty() const { return times.empty(); }
    double duration() const { return empty() ? 0 : times.back() - times.front(); }
};
ChannelCurve prepare(const Channel& channel);

/// The span that was found last. It belongs to whoever plays, so that one curve can be played by several.
struct ChannelCursor {
    std::size_t span = 0;
};

/// The value at a time: 0 for a channel without keys, the key's own value exactly at a key. The span of the
/// cursor and the one behind it are tried first, then a binary search.
double evaluate(const ChannelCurve& curve, double time, ChannelCursor& cursor);
double evaluate(const ChannelCurve& curve, double time);

/// The stage channels of a set, ready to play.
class StagePlayer {
  public:
    StagePlayer() = default;
    explicit StagePlayer(const ChannelSet& set);

    bool empty() const { return played_.empty(); }
    /// None when no channel drives it.
    std::optional<double> value(StageValue value, double time);

  private:
    struct Played {
        StageValue value;
        ChannelCurve curve;
        ChannelCursor cursor;
    };
    std::vector<Played> played_;
};

/// What channels mean: joint j rotates by Q = R_z(c) R_y(b) R_x(a) (x first, about fixed axes; other orders
/// by choice) in the frame F of its limits, or in its rest frame when it has none, and the mover (T, M)
/// stands above every root:
///
///     rotation_j = rest_j F Q F^-1           rotation_root    = M rest F Q F^-1
///                                            translation_root = T + M rest_translation
struct ChannelOptions {
    math::EulerOrder order = {2, 1, 0};  ///< factors from left to right: the last rotates first
    double rotation_tolerance = 1e-4;    ///< radians
    double translation_tolerance = 1e-5;
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
/// \throws Error when it needs more than two million keys. Warns about channels that belong to no joint
/// (`channel-without-joint`).
ChannelClip clip_of(const ChannelSet& set, const Skeleton& skeleton, const ChannelOptions& options = {},
                    Monitor& monitor = silent());

struct ClipChannels {
    ChannelSet set;
    ConversionError error;
};
/// The inverse: angles unwrapped, linear tangents, keys where the clip has them and where a straight line
/// between angles is too far from the rotation between rotations. The root's translation goes to the mover.
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
    std::vector<int> of_channel_;  ///< position in played_ of each channel number, or -1
};

}  // namespace sinew::model
