// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A motion-capture trial: markers, analog channels, events, force platforms, and the named parameters of C3D
/// files. Unknown parameter groups are kept, so that writing loses nothing.
///
/// \code
/// const model::Trial trial = io::read("walk.c3d").trial;
/// if (const int heel = trial.markers.find("LHEE"); heel >= 0) use(trial.markers.at(0, heel));
/// \endcode

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/math/types.h"
#include "sinew/model/character.h"
#include "sinew/model/roles.h"

namespace sinew::model {

/// A parameter of a C3D file: a single value or an array whose first index varies fastest. C3D stores strings
/// as arrays of characters, so `dimensions` also includes their width. Strings keep the bytes of the file,
/// which need not be UTF-8, without trailing spaces.
struct Parameter {
    using Values = std::variant<std::vector<std::string>, std::vector<std::int8_t>, std::vector<std::int16_t>,
                                std::vector<float>>;
    std::string name;
    std::string description;
    bool locked = false;
    std::vector<std::uint8_t> dimensions;  ///< empty for a single value
    Values values;

    /// Number of values; a string counts as one.
    std::size_t size() const;
    bool empty() const { return size() == 0; }
    bool is_text() const { return std::holds_alternative<std::vector<std::string>>(values); }
    /// Value `i` as a number; 0 for text.
    double number(std::size_t i) const;

    bool operator==(const Parameter&) const = default;
};

struct ParameterGroup {
    std::string name;
    std::string description;
    bool locked = false;
    std::vector<Parameter> parameters;

    bool operator==(const ParameterGroup&) const = default;
};

struct Parameters {
    std::vector<ParameterGroup> groups;

    /// Finds a group or parameter by name, ignoring case; null when there is none.
    const ParameterGroup* group(std::string_view name) const;
    const Parameter* find(std::string_view group, std::string_view name) const;
    Parameter* find(std::string_view group, std::string_view name);
    /// Replaces the values of a parameter, or adds the parameter and, if necessary, its group. An existing
    /// parameter keeps its position, spelling, description and lock.
    Parameter& set(std::string_view group, Parameter parameter);
    void remove(std::string_view group, std::string_view name);

    bool operator==(const Parameters&) const = default;
};

/// A table of numbers. A curve has one row for each of its evenly spaced samples, both ends of the gait cycle
/// included (usually 51: every 2 %). A single value has one row.
struct GaitVariable {
    std::string name;  ///< without the side: "HipFlexExt", "StrideTime"
    Side side = Side::none;
    std::size_t columns = 1;     ///< usually 2 for a mean: the second column is the standard deviation
    std::vector<double> values;  ///< indexed by row * columns + column

    std::size_t rows() const { return columns == 0 ? 0 : values.size() / columns; }
    double at(std::size_t row, std::size_t column = 0) const { return values[row * columns + column]; }
    bool operator==(const GaitVariable&) const = default;
};

/// Text about the cycle, such as "SUBJECT".
struct GaitText {
    std::string name;
    std::vector<std::string> lines;
    bool operator==(const GaitText&) const = default;
};

struct GaitCycle {
    std::string source;  ///< content of the first line after "#!"
    std::vector<GaitText> texts;
    std::vector<GaitVariable> variables;

    bool empty() const { return texts.empty() && variables.empty(); }
    /// The variable of the given side, else the one without a side; names ignore case. Null when there is
    /// none.
    const GaitVariable* find(Side side, std::string_view name) const;
    /// The first number of a variable; empty when there is no such variable.
    std::optional<double> value(Side side, std::string_view name) const;
};

/// Column 0 of a curve at a phase of the cycle, interpolated linearly; the phase wraps around after 1.
/// \param curve the curve
/// \param phase 0 to 1
/// \param closed distributes the difference between the end and the start of the cycle evenly over the curve,
/// so that it loops without a jump
double sample(const GaitVariable& curve, double phase, bool closed);

/// \throws Error when a table is incomplete or a number is not finite
void validate(const GaitCycle& cycle, std::string_view location);

/// The quantity of a point. Only markers are positions in space; the others are outputs of a biomechanical
/// model that C3D files store as points.
enum class PointKind : std::uint8_t { marker, angle, force, moment, power, scalar };
std::string_view name_of(PointKind kind);

struct PointInfo {
    std::string label;    ///< without the subject; unique within its set and subject
    std::string subject;  ///< the part of the label before ":"; empty when there is none
    std::string description;
    PointKind kind = PointKind::marker;
    std::string unit;  ///< unit of a model output: "deg", "Nmm"; markers have the unit of the trial

    bool operator==(const PointInfo&) const = default;
};

/// Points over time, frame by frame. A sample that was not measured is NaN and has a negative residual; it is
/// never a position.
struct Points {
    static constexpr float missing = -1;

    std::vector<PointInfo> info;
    std::vector<Vec3f> positions;  ///< indexed by frame * count + point; in the unit of the file
    std::vector<float> residuals;  ///< same index; `missing` where there is no sample, 0 for interpolated or
                                   ///< computed samples
    std::vector<std::uint8_t>
        cameras;  ///< same index; bit mask of the cameras that saw the point; empty when unknown

    std::size_t count() const { return info.size(); }
    bool empty() const { return info.empty(); }
    std::size_t frames() const { return info.empty() ? 0 : positions.size() / info.size(); }
    bool valid(std::size_t frame, std::size_t point) const { return residuals[frame * count() + point] >= 0; }
    const Vec3f& at(std::size_t frame, std::size_t point) const { return positions[frame * count() + point]; }
    /// Index of the point with this label, or "subject:label", ignoring case; -1 when there is none. Of
    /// several subjects the first is taken.
    int find(std::string_view label) const;
};

struct AnalogChannel {
    std::string label;
    std::string description;
    std::string unit;
    double scale = 1;   ///< factor for the raw numbers of the file; includes the file's general scale
    double offset = 0;  ///< raw number of the value zero

    bool operator==(const AnalogChannel&) const = default;
};

/// Analog channels in physical units: value = (raw - offset) * scale.
struct Analog {
    std::vector<AnalogChannel> channels;
    std::size_t samples_per_frame = 1;
    std::vector<float> values;  ///< indexed by sample * channels + channel

    std::size_t count() const { return channels.size(); }
    bool empty() const { return channels.empty(); }
    std::size_t samples() const { return channels.empty() ? 0 : values.size() / channels.size(); }
    float at(std::size_t sample, std::size_t channel) const { return values[sample * count() + channel]; }
};

/// An event, such as "Foot Strike" of the "Left" side.
struct Event {
    std::string label;
    std::string context;  ///< "Left", "Right", "General", or empty
    double time = 0;      ///< seconds from the first frame of the trial
    std::string subject;
    std::string description;
    bool hidden = false;

    bool operator==(const Event&) const = default;
};

/// A force platform, in the units of the file. See forces().
struct ForcePlatform {
    int type = 2;  ///< number of the type in C3D; forces() supports 1 to 4
    std::array<Vec3f, 4>
        corners{};  ///< corners at +x+y, -x+y, -x-y, +x-y of the plate's axes, in laboratory coordinates
    Vec3f origin = Vec3f::Zero();    ///< origin of the transducers, in the plate's axes
    std::vector<int> channels;       ///< indices into Analog::channels
    std::vector<float> calibration;  ///< 6 x 6 matrix, column by column; type 4 only
    std::array<int, 2> zero_frames = {
        0, 0};  ///< range of frames (from 1) without load, for zeroing; 0 0 means no zeroing

    bool operator==(const ForcePlatform&) const = default;
};

/// Orientation and position of segments over time (ROTATION group), from local to laboratory coordinates.
struct SegmentRotations {
    std::vector<std::string> labels;
    std::size_t samples_per_frame = 1;
    std::vector<math::Mat4f>
        matrices;  ///< indexed by sample * labels + label; a truncated file has fewer samples
    std::vector<float> reliability;  ///< same index; negative where there is no sample

    bool empty() const { return labels.empty(); }
    std::size_t samples() const { return labels.empty() ? 0 : matrices.size() / labels.size(); }
};

/// A trial. Points keep the units and axes of the file, so that writing loses nothing; `to_world` converts
/// marker positions to metres with +Y up.
struct Trial {
    std::string name;
    double rate = 0;               ///< frames per second
    std::int64_t first_frame = 1;  ///< number of the trial's first frame in the original recording
    std::size_t frames = 0;
    std::string unit = "mm";  ///< unit of the markers, as spelled in the file
    Similarity to_world;
    Points markers;
    Points outputs;  ///< model outputs: angles, forces, moments, powers, scalars
    Analog analog;
    std::vector<Event> events;  ///< sorted by time
    std::vector<ForcePlatform> platforms;
    SegmentRotations rotations;
    Parameters parameters;  ///< all other parameters of the file

    bool empty() const {
        return frames == 0 && markers.empty() && outputs.empty() && analog.empty() && rotations.empty();
    }
    double duration() const { return rate > 0 && frames > 0 ? static_cast<double>(frames - 1) / rate : 0; }
};

/// Position of a marker in metres, +Y up; NaN where it was not measured.
math::Vec3d world_position(const Trial& trial, std::size_t frame, std::size_t marker);

/// \throws Error when counts are inconsistent, labels are duplicated, events are not sorted, or a platform
/// refers to a missing channel
void validate(const Trial& trial, std::string_view location);

/// Force and moment of one analog sample, in the units of the trial's channels (N, and Nmm where points are
/// in mm). Signs are those of the file: most laboratories store the action of the plate on the foot.
struct Wrench {
    Vec3d force = Vec3d::Zero();
    Vec3d moment = Vec3d::Zero();  ///< about the centre of the plate's surface
    Vec3d center = Vec3d::Zero();  ///< centre of pressure in the trial's unit; NaN for less than 10 N along
                                   ///< the plate's z
    double free_moment = 0;        ///< about the z axis of the plate, through the centre of pressure
};

struct ForceOptions {
    bool zero = true;  ///< subtract the mean over ForcePlatform::zero_frames
};

/// The centre of the plate's surface and the axes of the plate in laboratory coordinates, from its corners.
/// Columns are x, y and z = x cross y, which points down in most laboratories.
struct PlateFrame {
    math::Mat3d axes = math::Mat3d::Identity();
    Vec3d center = Vec3d::Zero();
};
/// \throws Error when the corners are collinear
PlateFrame plate_frame(const ForcePlatform& platform);

/// Computes one wrench per analog sample. Let r be the vector from the transducers' origin to the centre of
/// the surface, in the plate's axes. The channels give force F and moment M about that origin; then
///
///     M_surface = M + F x r,   x = -M_surface.y / F.z,   y = M_surface.x / F.z        (C3D user guide)
///
/// Type 1 stores F, x, y and the free moment; type 2 F and M; type 3 eight forces (Kistler): M = (b (z1 + z2
/// - z3 - z4), a (-z1 + z2 + z3 - z4), b (-x12 + x34) + a (y14 - y23)) with (a, b, r.z) as its origin; type 4
///   is type 2 after a calibration matrix. The surface is above the transducers, so r.z is negative in the
///   plate's axes. Where a file has it positive, the vector is reversed (warning `platform-origin`).
/// \throws Error for an unsupported type, missing channels or a missing calibration matrix
std::vector<Wrench> forces(const Trial& trial, const ForcePlatform& platform,
                           const ForceOptions& options = {}, Monitor& monitor = silent());

/// Converts markers to a character with one root joint per marker that has any sample. The joint has a
/// translation key for every measured frame, in metres, +Y up; over a gap the keys on both sides are
/// interpolated.
Character markers_as_joints(const Trial& trial);

}  // namespace sinew::model
