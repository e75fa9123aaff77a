// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Named values in groups, as C3D files carry them: what a trial says about itself beyond its data. Groups
/// that the library does not know are kept, so that writing loses nothing.
///
/// \code
/// const model::Trial trial = io::read("walk.c3d").trial;
/// if (const int heel = trial.points.find("LHEE"); heel >= 0) use(trial.points.at(0, heel));
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

/// One value or an array; the first index runs fastest. Strings are an array of characters in the file, so
/// their first dimension, the width, is kept in `dimensions` too. Strings hold the bytes of the file, which
/// need not be UTF-8, without the spaces at their ends.
struct Parameter {
    using Values = std::variant<std::vector<std::string>, std::vector<std::int8_t>, std::vector<std::int16_t>,
                                std::vector<float>>;
    std::string name;
    std::string description;
    bool locked = false;
    std::vector<std::uint8_t> dimensions;  ///< empty for a single value
    Values values;

    /// Number of values; strings count as one each.
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

    /// Group or parameter by name, ignoring case, or null.
    const ParameterGroup* group(std::string_view name) const;
    const Parameter* find(std::string_view group, std::string_view name) const;
    Parameter* find(std::string_view group, std::string_view name);
    /// Replaces the values of a parameter, or adds it, and its group when that is missing too. What is there
    /// keeps its position, its spelling, its description and its lock.
    Parameter& set(std::string_view group, Parameter parameter);
    void remove(std::string_view group, std::string_view name);

    bool operator==(const Parameters&) const = default;
};

/// A table of numbers. A curve has a row for each of its even samples, both ends of the cycle included
/// (usually 51: every 2 %); a single value has one row.
struct GaitVariable {
    std::string name;  ///< without the side: "HipFlexExt", "StrideTime"
    Side side = Side::none;
    std::size_t columns = 1;     ///< usually 2 of a mean: the second is the standard deviation
    std::vector<double> values;  ///< row * columns + column

    std::size_t rows() const { return columns == 0 ? 0 : values.size() / columns; }
    double at(std::size_t row, std::size_t column = 0) const { return values[row * columns + column]; }
    bool operator==(const GaitVariable&) const = default;
};

/// Words about the cycle: "SUBJECT".
struct GaitText {
    std::string name;
    std::vector<std::string> lines;
    bool operator==(const GaitText&) const = default;
};

struct GaitCycle {
    std::string source;  ///< what the first line says behind "#!"
    std::vector<GaitText> texts;
    std::vector<GaitVariable> variables;

    bool empty() const { return texts.empty() && variables.empty(); }
    /// The variable of a side, else the one of no side; names ignore case. Null when there is none.
    const GaitVariable* find(Side side, std::string_view name) const;
    /// The first number of a variable.
    std::optional<double> value(Side side, std::string_view name) const;
};

/// Column 0 of a curve at a phase from 0 to 1, linear between its rows; the phase goes round. With `closed`,
/// the step from the end of the cycle to its start is spread evenly over the curve, so that it loops.
double sample(const GaitVariable& curve, double phase, bool closed);

/// \throws Error when a table is not filled, or a number is not finite.
void validate(const GaitCycle& cycle, std::string_view location);

/// What a point stands for. Only markers are positions in space; the others are curves of a biomechanical
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
/// never a position.
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

/// Orientation and position of segments over time (ROTATION group): local to lab.
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
    double rate = 0;               ///< frames per second
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
void validate(const Trial& trial, std::string_view location);

/// Force and moment of one analog sample, in the units of the trial's channels (N, and Nmm where the points
/// are in mm), with the signs of the file: most laboratories store what the plate does to the foot.
struct Wrench {
    Vec3d force = Vec3d::Zero();
    Vec3d moment = Vec3d::Zero();  ///< about the centre of the plate's surface
    Vec3d center =
        Vec3d::Zero();       ///< centre of pressure in the trial's unit; NaN where the load is too small
    double free_moment = 0;  ///< about the plate's own z axis through the centre of pressure
};

struct ForceOptions {
    bool zero = true;  ///< subtract the mean of ForcePlatform::zero_frames
};

/// The plate's axes in the laboratory, from its corners: columns x, y, z = x cross y, which points down in
/// most laboratories; and the centre of its surface.
struct PlateFrame {
    math::Mat3d axes = math::Mat3d::Identity();
    Vec3d center = Vec3d::Zero();
};
/// \throws Error when the corners lie on a line.
PlateFrame plate_frame(const ForcePlatform& platform);

/// One wrench for each analog sample. With r the vector from the transducers' origin to the centre of the
/// surface, in the plate's axes, the channels give force F and moment M about that origin, and
///
///     M_surface = M + F x r,   x = -M_surface.y / F.z,   y = M_surface.x / F.z        (C3D user guide)
///
/// Type 1 stores F, x, y and the free moment; type 2 F and M; type 3 eight forces (Kistler):
/// M = (b (z1 + z2 - z3 - z4), a (-z1 + z2 + z3 - z4), b (-x12 + x34) + a (y14 - y23)) with (a, b, r.z) as
/// its origin; type 4 is type 2 after a calibration matrix. The surface is above the transducers, so r.z is
/// negative in the plate's axes; files in which it is positive have the origin reversed (warning
/// `platform-origin`).
/// \throws Error for another type, missing channels or a missing calibration matrix.
std::vector<Wrench> forces(const Trial& trial, const ForcePlatform& platform,
                           const ForceOptions& options = {}, Monitor& monitor = silent());

/// One root joint for every marker that was seen at all, with a translation key for every frame in which it
/// was: in metres, +Y up. Over a gap the keys around it are joined.
Character markers_as_joints(const Trial& trial);

}  // namespace sinew::model
