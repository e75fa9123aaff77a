// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Animation channels, edited as curves: angles of joints, and the camera, lights and colours of a film.
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

/// What a channel drives, by its name in a .clip file. Camera angles and zoom are relative to the automatic
/// camera of the film; eye and target are positions that replace those of the automatic camera.
enum class StageValue : std::uint8_t {
    camera_azimuth,    ///< camera.azimuth: degrees around the figure, to the camera's right
    camera_elevation,  ///< camera.elevation: degrees upwards
    camera_roll,       ///< camera.roll: degrees, clockwise in the picture
    camera_zoom,       ///< camera.zoom: a factor; 2 shows the figure at twice the size
    camera_fov,        ///< camera.fov: vertical field of view in degrees
    camera_eye_x,      ///< camera.eye.x and so on: position of the camera
    camera_eye_y,
    camera_eye_z,
    camera_target_x,  ///< camera.target.x and so on: the point that the camera faces
    camera_target_y,
    camera_target_z,
    light_azimuth,    ///< light.azimuth: rotation of all lights in degrees
    light_elevation,  ///< light.elevation: rise of the key light in degrees
    light_exposure,   ///< light.exposure: a factor; 2 is twice as bright
    color_red,        ///< color.red, .green, .blue: colour of the figure, 0 to 1 on the screen
    color_green,
    color_blue,
    background_red,  ///< background.red, .green, .blue: colour of the background, 0 to 1 on the screen
    background_green,
    background_blue,
};

/// All names, in the order of StageValue.
std::span<const std::string_view> stage_value_names();
std::string_view name_of(StageValue value);
/// Finds a value by name, ignoring case; empty when the name is unknown.
std::optional<StageValue> stage_value_from_name(std::string_view name);

/// How the slope of the curve at a key is computed, separately for the incoming and the outgoing side.
enum class Tangent : std::uint8_t {
    flat,    ///< slope 0
    linear,  ///< towards the neighbouring key on that side
    smooth,  ///< from the previous to the next key; linear where one is missing
    fixed,   ///< the given slope
};

struct TangentRule {
    Tangent kind = Tangent::smooth;
    double slope = 0;  ///< slope of a fixed tangent, in value per second
    bool operator==(const TangentRule&) const = default;
};

/// Value of a channel outside its keys. Let T be the time from the first to the last key, n = floor((t -
/// first) / T) and r = t - first - n T.
enum class Extrapolation : std::uint8_t {
    constant,       ///< the value of the nearest key
    linear,         ///< continues with the slope at the end
    cyclic,         ///< f(first + r)
    cyclic_offset,  ///< as cyclic, plus n (f_last - f_first)
    bounce,         ///< forwards when n is even, backwards when n is odd
};

struct ChannelKey {
    double time = 0;
    double value = 0;
    TangentRule in = {};
    TangentRule out = {};
    bool operator==(const ChannelKey&) const = default;
};

/// An editable channel. Key times must not decrease. Two keys at the same time are a cut: the later one
/// applies from that time on, and tangents are computed separately on both sides.
struct Channel {
    int id = 0;
    Extrapolation before = Extrapolation::constant;
    Extrapolation after = Extrapolation::constant;
    std::vector<ChannelKey> keys;
    bool operator==(const Channel&) const = default;
};

/// A channel that drives the camera, the lights or a colour; `curve.id` is not used.
struct StageChannel {
    StageValue value = StageValue::camera_azimuth;
    Channel curve;
    bool operator==(const StageChannel&) const = default;
};

/// All channels of a motion. With J joints, numbered depth first, channel 3 j + axis is an angle of joint j
/// in degrees. Channels 3 J to 3 J + 5 are the mover, which moves the whole figure: translation x y z, then
/// angles about x y z. A missing channel has the value 0.
struct ChannelSet {
    std::string name;
    double start = 0;  ///< playback interval in seconds; may differ from the range of the keys
    double end = 0;
    std::vector<Channel> channels;
    std::vector<StageChannel> stage = {};  ///< camera, lights and colours; each value at most once

    bool empty() const { return channels.empty() && stage.empty(); }
    const Channel* find(int id) const;
    bool operator==(const ChannelSet&) const = default;
};

/// \throws Error when key times decrease, a number is not finite, an id is negative or duplicated, or the
/// interval is reversed
void validate(const ChannelSet& set, std::string_view location);

/// A channel prepared for playback: tangents are resolved to one cubic per span between two keys.
struct ChannelCurve {
    /// f(u) = d + u (c + u (b + u a)) with u from 0 to 1 over the span.
    using Cubic = std::array<double, 4>;

    Extrapolation before = Extrapolation::constant;
    Extrapolation after = Extrapolation::constant;
    std::vector<double> times;
    std::vector<double> values;
    std::vector<Cubic> spans;  ///< coefficients a, b, c, d; one span fewer than keys
    double first_slope = 0;    ///< incoming slope of the first key
    double last_slope = 0;     ///< outgoing slope of the last key

    bool empty() const { return times.empty(); }
    double duration() const { return empty() ? 0 : times.back() - times.front(); }
};
ChannelCurve prepare(const Channel& channel);

/// The span that was found last. Each player has its own cursor, so that several can share a curve.
struct ChannelCursor {
    std::size_t span = 0;
};

/// The value at a time: 0 for a channel without keys; exactly the key's value at a key. The search tries the
/// span of the cursor and the next one first, then searches by bisection.
double evaluate(const ChannelCurve& curve, double time, ChannelCursor& cursor);
double evaluate(const ChannelCurve& curve, double time);

/// The stage channels of a set, prepared for playback.
class StagePlayer {
  public:
    StagePlayer() = default;
    explicit StagePlayer(const ChannelSet& set);

    bool empty() const { return played_.empty(); }
    /// The value at a time; empty when no channel drives it.
    std::optional<double> value(StageValue value, double time);

  private:
    struct Played {
        StageValue value;
        ChannelCurve curve;
        ChannelCursor cursor;
    };
    std::vector<Played> played_;
};

/// How channels define a pose. Joint j rotates by Q = R_z(c) R_y(b) R_x(a) (x first, about fixed axes;
/// ChannelOptions::order changes this) in the frame F of its limits, or in its rest frame when it has none,
/// and the mover (T, M) is applied to every root:
///
///     rotation_j = rest_j F Q F^-1           rotation_root    = M rest F Q F^-1
///                                            translation_root = T + M rest_translation
struct ChannelOptions {
    math::EulerOrder order = {2, 1, 0};  ///< factors from left to right: the last is applied first
    double rotation_tolerance = 1e-4;    ///< radians; largest deviation between keys
    double translation_tolerance = 1e-5;
};

/// The largest difference between channels and clip, measured at the keys and between them.
struct ConversionError {
    double rotation = 0;     ///< radians
    double translation = 0;  ///< in the skeleton's unit
};

struct ChannelClip {
    Clip clip;
    ConversionError error;
};
/// Converts channels to a clip with linear keys over the range of the channels. The clip has a key at every
/// key of a channel, cycles included, and as many between them as the tolerances require. A jump becomes two
/// keys that are one step of single precision apart; the error bound does not cover the time between these
/// two.
/// \param set the channels
/// \param skeleton the joints that the channels refer to
/// \param options rotation order and tolerances
/// \param monitor receives the warning `channel-without-joint` for channels that belong to no joint
/// \throws Error when more than two million keys are needed
ChannelClip clip_of(const ChannelSet& set, const Skeleton& skeleton, const ChannelOptions& options = {},
                    Monitor& monitor = silent());

struct ClipChannels {
    ChannelSet set;
    ConversionError error;
};
/// The inverse of clip_of: unwrapped angles with linear tangents. Keys are set where the clip has them, and
/// where linear interpolation of the angles deviates too far from that of the rotations. The translation of
/// the root becomes the mover.
/// \param clip the motion
/// \param skeleton its skeleton
/// \param options rotation order and tolerances
/// \param monitor receives warnings about what channels cannot store: `channels-translation`,
/// `channels-scale`, `channels-morphs`
ClipChannels channels_of(const Clip& clip, const Skeleton& skeleton, const ChannelOptions& options = {},
                         Monitor& monitor = silent());

/// Number of each joint in depth-first order; children in the order of the skeleton.
std::vector<int> depth_first_numbers(const Skeleton& skeleton);

/// Plays the poses of a channel set on one skeleton. Several players may share a set; each has its own
/// cursors.
class ChannelPlayer {
  public:
    ChannelPlayer(const ChannelSet& set, const Skeleton& skeleton, const ChannelOptions& options = {});

    /// Local transforms of all joints at a time.
    std::vector<Transform> pose(double time);
    /// Local transform of one joint.
    Transform local(std::size_t joint, double time);

    /// Curves that move a joint: its own three, and for a root also those of the mover.
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
