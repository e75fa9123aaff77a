// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Editable motion: each joint has separate lists of translation, rotation and scale keys, each with its own
/// times.
///
/// \code
/// const std::vector<math::Transform> pose = model::sample(clip, skeleton, 0.5);
/// const model::Clip half = model::trimmed(clip, 0, model::time_range(clip).duration() / 2);
/// \endcode

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/math/types.h"
#include "sinew/model/skeleton.h"

namespace sinew::model {

using math::Quatf;
using math::Vec3f;

/// Increasing key times: evenly spaced (start, step, count), as captured motion has them, without memory per
/// key; or a list.
class KeyTimes {
  public:
    KeyTimes() = default;
    static KeyTimes even(double start, double step, std::size_t count);
    /// Times must increase strictly. Evenly spaced times are detected and stored as such.
    static KeyTimes listed(std::vector<float> times);

    std::size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    bool is_even() const { return times_.empty(); }
    double step() const { return step_; }
    double operator[](std::size_t i) const {
        return times_.empty() ? start_ + step_ * static_cast<double>(i) : static_cast<double>(times_[i]);
    }
    double front() const { return (*this)[0]; }
    double back() const { return (*this)[count_ - 1]; }
    /// Index i and fraction t with time = (1-t) times[i] + t times[i+1], clamped to the ends.
    struct Span {
        std::size_t index = 0;
        double fraction = 0;
    };
    Span span(double time) const;
    bool operator==(const KeyTimes&) const = default;

  private:
    double start_ = 0;
    double step_ = 0;
    std::size_t count_ = 0;
    std::vector<float> times_;
};

enum class Interpolation : std::uint8_t {
    step,    ///< the value of the previous key
    linear,  ///< linear; slerp for rotations
    cubic,   ///< Hermite spline with tangents, as CUBICSPLINE in glTF
};

/// Keys of one property. In cubic mode each key has three values: in-tangent, value, out-tangent.
template <class Value>
struct Keys {
    KeyTimes times;
    std::vector<Value> values;
    Interpolation mode = Interpolation::linear;

    bool empty() const { return times.empty(); }
    std::size_t stride() const { return mode == Interpolation::cubic ? 3 : 1; }
    /// The value at key i, without its tangents.
    const Value& at_key(std::size_t i) const { return values[i * stride() + (stride() == 3 ? 1 : 0)]; }
};

/// Keys of one joint. Where a list is empty the rest value applies.
struct Track {
    int joint = 0;
    Keys<Vec3f> translation;
    Keys<Quatf> rotation;
    Keys<Vec3f> scale;
};

/// Weight of one morph target over time.
struct MorphTrack {
    int morph = 0;
    Keys<float> weight;
};

struct Clip {
    std::string name;
    std::vector<Track> tracks;  ///< at most one per joint, in joint order
    std::vector<MorphTrack> morph_tracks;

    bool empty() const { return tracks.empty() && morph_tracks.empty(); }
};

/// First and last key time; 0 and 0 when there are no keys.
struct TimeRange {
    double start = 0;
    double end = 0;
    double duration() const { return end - start; }
};
TimeRange time_range(const Clip& clip);

/// Keys per second of the densest key list; `fallback` when no list has two keys.
double frame_rate(const Clip& clip, double fallback = 30);
/// Number of frames at the clip's own rate, both ends included; 0 for an empty clip.
std::size_t frame_count(const Clip& clip);
/// Time of frame `frame` at the clip's own rate, in seconds.
double frame_time(const Clip& clip, std::size_t frame);

/// Number of evenly spaced samples of a time range, both ends included.
/// \throws Error for more than ten million samples: the times are corrupt, or the rate does not fit the
/// motion
std::size_t sample_count(const TimeRange& range, double rate);

/// Value of one key list at a time; outside the keys, the value of the nearest end.
Vec3d sample(const Keys<Vec3f>& keys, double time);
Quatd sample(const Keys<Quatf>& keys, double time);
double sample(const Keys<float>& keys, double time);

/// Local transforms of all joints at a time. Joints without keys have their rest transforms.
std::vector<Transform> sample(const Clip& clip, const Skeleton& skeleton, double time);
/// Writes the morph weights at a time into `weights`, which holds the weights of the mesh on entry.
void sample_morphs(const Clip& clip, double time, std::span<float> weights);

/// Keeps the keys between two times, moves the start to 0 and adds keys at both ends, so that the motion is
/// unchanged there.
Clip trimmed(const Clip& clip, double start, double end);
/// Samples the clip evenly at `rate` frames per second; the ends are kept to within half a frame.
Clip resampled(const Clip& clip, double rate);

/// \throws Error when a track refers to a missing joint or morph, times do not increase, or counts are
/// inconsistent
void validate(const Clip& clip, std::size_t joint_count, std::size_t morph_count, std::string_view location);

}  // namespace sinew::model
