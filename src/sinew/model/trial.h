#pragma once
/// \file
/// A capture as a laboratory records it: points over time (markers, and curves that a model computed), analog
/// channels, events, force platforms, segment rotations, and the parameters that came with them.

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/math/types.h"
#include "sinew/model/character.h"

namespace sinew::model {

/// What a point stands for. Only markers are places in the room; the others are curves of a biomechanical
/// model that a file keeps as points.
enum class PointKind : std::uint8_t { marker, angle, force, moment, power, scalar };
std::string_view name_of(PointKind kind);

struct PointInfo {
    std::string label;    ///< without the subject; unique among the points of its set and subject
    std::string subject;  ///< what stood before ":" in the label; empty when nothing did
    std::string description;
    PointKind kind = PointKind::marker;
    std::string unit;  ///< of a model output: "deg", "Nmm"; markers are in the trial's unit

    bool operator==(const PointInfo&) const = default;
};

/// Points over time, frame after frame. A sample that was not measured is NaN and has a negative residual:
/// never a place.
struct Points {
    static constexpr float missing = -1;

    std::vector<PointInfo> info;
    std::vector<Vec3f> positions;  ///< frame * count + point, in the numbers of the file
    std::vector<float> residuals;  ///< as positions; `missing` where there is no sample, 0 for modelled ones
    std::vector<std::uint8_t>
        cameras;  ///< as positions: mask of the cameras that saw it; may be empty: unknown

    std::size_t count() const { return info.size(); }
    bool empty() const { return info.empty(); }
    std::size_t frames() const { return info.empty() ? 0 : positions.size() / info.size(); }
    bool valid(std::size_t frame, std::size_t point) const { return residuals[frame * count() + point] >= 0; }
    const Vec3f& at(std::size_t frame, std::size_t point) const { return positions[frame * count() + point]; }
    /// Index of a label, or of "subject:label", ignoring case, or -1; the first of several subjects.
    int find(std::string_view label) const;
};

struct AnalogChannel {
    std::string label;
    std::string description;
    std::string unit;
    double scale = 1;   ///< of the raw numbers in the file, the general scale included
    double offset = 0;  ///< raw number that means zero

    bool operator==(const AnalogChannel&) const = default;
};

/// Analog channels in their real units: value = (raw - offset) * scale.
struct Analog {
    std::vector<AnalogChannel> channels;
    std::size_t samples_per_frame = 1;
    std::vector<float> values;  ///< sample * channels + channel

    std::size_t count() const { return channels.size(); }
    bool empty() const { return channels.empty(); }
    std::size_t samples() const { return channels.empty() ? 0 : values.size() / channels.size(); }
    float at(std::size_t sample, std::size_t channel) const { return values[sample * count() + channel]; }
};

/// Something that happened: "Foot Strike" of the "Left" side.
struct Event {
    std::string label;
    std::string context;  ///< "Left", "Right", "General", or empty
    double time = 0;      ///< seconds from the first frame of the trial
    std::string subject;
    std::string description;
    bool hidden = false;

    bool operator==(const Event&) const = default;
};

/// A force platform, in the numbers of the file. See forces() in force_platform.h.
struct ForcePlatform {
    int type = 2;                             ///< as C3D numbers them; forces() knows 1 to 4
    std::array<Vec3f, 4> corners{};           ///< +x+y, -x+y, -x-y, +x-y of the plate's own axes
    Vec3f origin = Vec3f::Zero();             ///< of the transducer, in the plate's axes
    std::vector<int> channels;                ///< indices into Analog::channels
    std::vector<float> calibration;           ///< 6 x 6, column after column; type 4 only
    std::array<int, 2> zero_frames = {0, 0};  ///< frames (from 1) without load; 0 0: no correction

    bool operator==(const ForcePlatform&) const = default;
};

/// Orientation and place of segments over time (ROTATION group): local to lab.
struct SegmentRotations {
    std::vector<std::string> labels;
    std::size_t samples_per_frame = 1;
    std::vector<math::Mat4f> matrices;  ///< sample * labels + label; a file cut short has fewer samples
    std::vector<float> reliability;     ///< as matrices; negative where there is no sample

    bool empty() const { return labels.empty(); }
    std::size_t samples() const { return labels.empty() ? 0 : matrices.size() / labels.size(); }
};

/// Points keep the numbers of their file, so that writing loses nothing; `to_world` maps a marker to metres
/// with +Y up.
struct Trial {
    std::string name;
    double rate = 0;               ///< frames a second
    std::int64_t first_frame = 1;  ///< number of the first frame in the capture it was cut from
    std::size_t frames = 0;
    std::string unit = "mm";  ///< of the markers, as the file spells it
    Similarity to_world;
    Points markers;
    Points outputs;  ///< model outputs: angles, forces, moments, powers, scalars
    Analog analog;
    std::vector<Event> events;  ///< by time
    std::vector<ForcePlatform> platforms;
    SegmentRotations rotations;
    Parameters parameters;  ///< everything else that the file said about itself

    bool empty() const {
        return frames == 0 && markers.empty() && outputs.empty() && analog.empty() && rotations.empty();
    }
    double duration() const { return rate > 0 && frames > 0 ? static_cast<double>(frames - 1) / rate : 0; }
};

/// A marker in metres, +Y up; NaN where it was not measured.
math::Vec3d world_position(const Trial& trial, std::size_t frame, std::size_t marker);

/// \throws Error when counts do not match, labels are doubled, events are not in order, or a platform names a
/// missing channel.
void validate(const Trial& trial, std::string_view place);

}  // namespace sinew::model
