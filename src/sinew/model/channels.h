#pragma once
/// \file
/// Keyframe channels: curves of single numbers (joint angles, positions of the whole figure), each a list of
/// keys with rules for its tangents and for what lies before the first and behind the last key.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>


namespace sinew::model {

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
/// turned round.
void validate(const ChannelSet& set, std::string_view place);

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

}  // namespace sinew::model
