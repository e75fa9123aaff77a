// SPDX-License-Identifier: MIT
// Curves by frame: what a file stores, and the angles of segments.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "sinew/base/array.h"
#include "sinew/gait/analysis/marker_paths.h"
#include "sinew/math/quaternion.h"

namespace sinew::gait {

using math::Mat3d;
using math::Vec3d;
using model::Side;

namespace {

constexpr std::array<CurveInfo, curve_count> infos = {{
    {"pelvic_tilt", "Pelvic tilt", "sagittal", "anterior", "posterior", "°", "PelvisAngles", 0, "PelvicTilt"},
    {"pelvic_obliquity", "Pelvic obliquity", "coronal", "up", "down", "°", "PelvisAngles", 1,
     "PelvicObliquity"},
    {"pelvic_rotation", "Pelvic rotation", "transverse", "internal", "external", "°", "PelvisAngles", 2,
     "PelvicRotation"},
    {"hip_flexion", "Hip flexion", "sagittal", "flexion", "extension", "°", "HipAngles", 0, "HipFlexExt"},
    {"hip_adduction", "Hip ab/adduction", "coronal", "adduction", "abduction", "°", "HipAngles", 1,
     "HipAbAdduct"},
    {"hip_rotation", "Hip rotation", "transverse", "internal", "external", "°", "HipAngles", 2,
     "HipRotation"},
    {"knee_flexion", "Knee flexion", "sagittal", "flexion", "extension", "°", "KneeAngles", 0, "KneeFlexExt"},
    {"ankle_dorsiflexion", "Ankle dorsiflexion", "sagittal", "dorsiflexion", "plantar flexion", "°",
     "AnkleAngles", 0, "DorsiPlanFlex"},
    {"foot_progression", "Foot progression", "transverse", "internal", "external", "°", "FootProgressAngles",
     2, "FootProgression"},
    {"knee_adduction", "Knee varus/valgus", "coronal", "varus", "valgus", "°", "KneeAngles", 1,
     "KneeValgVar"},
    {"knee_rotation", "Knee rotation", "transverse", "internal", "external", "°", "KneeAngles", 2,
     "KneeRotation"},
    {"ankle_rotation", "Ankle rotation", "transverse", "internal", "external", "°", "AnkleAngles", 2,
     "FootRotation"},
    {"trunk_tilt", "Trunk tilt", "sagittal", "forward", "backward", "°", "ThoraxAngles", 0, ""},
    {"trunk_obliquity", "Trunk obliquity", "coronal", "up", "down", "°", "ThoraxAngles", 1, ""},
    {"trunk_rotation", "Trunk rotation", "transverse", "forward", "back", "°", "ThoraxAngles", 2, ""},
    {"shoulder_flexion", "Shoulder flexion", "sagittal", "flexion", "extension", "°", "ShoulderAngles", 0,
     ""},
    {"shoulder_abduction", "Shoulder abduction", "coronal", "abduction", "adduction", "°", "ShoulderAngles",
     1, ""},
    {"elbow_flexion", "Elbow flexion", "sagittal", "flexion", "extension", "°", "ElbowAngles", 0, ""},
    {"hip_moment", "Hip moment", "sagittal", "extensor", "flexor", "Nm/kg", "HipMoment", 0, ""},
    {"knee_moment", "Knee moment", "sagittal", "extensor", "flexor", "Nm/kg", "KneeMoment", 0, ""},
    {"ankle_moment", "Ankle moment", "sagittal", "plantar flexor", "dorsiflexor", "Nm/kg", "AnkleMoment", 0,
     ""},
    {"hip_side_moment", "Hip moment", "coronal", "abductor", "adductor", "Nm/kg", "HipMoment", 1, ""},
    {"knee_side_moment", "Knee moment", "coronal", "abductor", "adductor", "Nm/kg", "KneeMoment", 1, ""},
    {"hip_twist_moment", "Hip moment", "transverse", "external", "internal", "Nm/kg", "HipMoment", 2, ""},
    {"hip_power", "Hip power", "", "generated", "absorbed", "W/kg", "HipPower", 2, ""},
    {"knee_power", "Knee power", "", "generated", "absorbed", "W/kg", "KneePower", 2, ""},
    {"ankle_power", "Ankle power", "", "generated", "absorbed", "W/kg", "AnklePower", 2, ""},
    {"ground_forward", "Ground reaction", "forward", "forward", "backward", "N/kg", "", 0, ""},
    {"ground_medial", "Ground reaction", "sideways", "medial", "lateral", "N/kg", "", 0, ""},
    {"ground_up", "Ground reaction", "vertical", "up", "", "N/kg", "", 0, ""},
}};

/// True for "HipAngles" and for variants with a letter as suffix ("HipAnglesV").
int find_output(const model::Trial& trial, const std::string& name) {
    const int exact = trial.outputs.find(name);
    if (exact >= 0) return exact;
    for (const char* const suffix : {"V", "_V", "1"}) {
        const int found = trial.outputs.find(name + suffix);
        if (found >= 0) return found;
    }
    return -1;
}

/// Files store moments in Nmm, most of them per kilogram. No joint reaches 10 Nm/kg, so larger values are not
/// per kilogram. Empty when the mass is needed but unknown.
std::optional<double> factor_of(const CurveInfo& info, const std::vector<double>& trace,
                                const std::string& unit, std::optional<double> mass) {
    if (info.unit == "°") return 1;
    double factor = info.unit == "Nm/kg" && unit.find("mm") != std::string::npos ? 0.001 : 1;
    double largest = 0;
    for (const double value : trace)
        if (std::isfinite(value)) largest = std::max(largest, std::abs(factor * value));
    if (largest < (info.unit == "Nm/kg" ? 10 : 30)) return factor;
    if (!mass) return std::nullopt;
    return factor / *mass;
}

/// Removes jumps of 360 degrees between frames; a trace without any value is emptied.
void unwrap(std::vector<double>& trace) {
    for (std::size_t f = 1; f < trace.size(); ++f) {
        if (std::isfinite(trace[f]) && std::isfinite(trace[f - 1]))
            trace[f] -= 360 * std::round((trace[f] - trace[f - 1]) / 360);
    }
    if (std::ranges::none_of(trace, [](double value) { return std::isfinite(value); })) trace.clear();
}

/// Degrees of (flexion, adduction, rotation), with the signs of one side; NaN where one of the segments is
/// unknown.
Vec3d clinical(const Mat3d& proximal, const Mat3d& distal, bool foot, const Vec3d& signs) {
    const Mat3d relative = proximal.transpose() * distal;
    if (!relative.allFinite()) return Vec3d::Constant(math::nan);
    const math::Quatd rotation = math::from_matrix<double>(relative);
    if (foot) {
        const Vec3d a = math::to_euler({1, 2, 0}, rotation);
        return math::degrees(1) * signs.cwiseProduct(Vec3d(a[0], a[2], a[1]));
    }
    return math::degrees(1) * signs.cwiseProduct(math::to_euler({1, 0, 2}, rotation));
}

}  // namespace

const CurveInfo& info(GaitCurve curve) {
    return infos[static_cast<std::size_t>(curve)];
}

bool GaitTraces::empty() const {
    return std::ranges::all_of(traces, [](const auto& side) {
        return std::all_of(side.begin(), side.begin() + angle_count,
                           [](const auto& trace) { return trace.empty(); });
    });
}

GaitTraces traces_from_outputs(const model::Trial& trial, std::optional<double> mass) {
    GaitTraces stored;
    stored.source = stored_angles;
    for (const Side side : {Side::left, Side::right}) {
        for (std::size_t c = 0; c < curve_count; ++c) {
            if (infos[c].output.empty()) continue;
            const int output =
                find_output(trial, (side == Side::left ? "L" : "R") + std::string(infos[c].output));
            if (output < 0) continue;
            std::vector<double>& trace = stored.of(side, curve_at(c));
            bool seen = false;
            for (std::size_t f = 0; f < trial.frames; ++f) {
                const double value = trial.outputs.at(f, at(output))[infos[c].component];
                const bool valid = trial.outputs.valid(f, at(output));
                seen =
                    seen ||
                    (valid && value != 0);  // 0 in all frames: the model of the file does not have this angle
                trace.push_back(valid ? value : math::nan);
            }
            const auto factor = factor_of(infos[c], trace, trial.outputs.info[at(output)].unit, mass);
            if (!seen || !factor) trace.clear();
            for (double& value : trace) value *= *factor;
        }
    }
    return stored;
}

GaitTraces angles_of(std::span<const BodyFrame> frames, const Vec3d& forward) {
    using enum GaitCurve;
    static const std::array<Vec3d, 2> pelvis_signs = {Vec3d(1, 1, -1), Vec3d(1, -1, 1)};
    static const std::array<Vec3d, 2> hip_signs = {Vec3d(-1, -1, -1), Vec3d(-1, 1, 1)};
    static const std::array<Vec3d, 2> knee_signs = {Vec3d(1, -1, -1), Vec3d(1, 1, 1)};
    static const std::array<Vec3d, 2> shoulder_signs = {Vec3d(-1, 1, -1), Vec3d(-1, -1, 1)};
    Mat3d lab;
    lab << forward, Vec3d::UnitY().cross(forward), Vec3d::UnitY();
    GaitTraces angles;
    for (const BodyFrame& body : frames) {
        for (const std::size_t s : {0u, 1u}) {
            const auto put = [&](std::initializer_list<GaitCurve> which, const Mat3d& above,
                                 const Mat3d& below, bool foot, const Vec3d& signs) {
                const Vec3d values = clinical(above, below, foot, signs);
                for (const GaitCurve curve : which)
                    angles.traces[s][static_cast<std::size_t>(curve)].push_back(
                        values[info(curve).component]);
            };
            const LegFrame& leg = body.legs[s];
            put({pelvic_tilt, pelvic_obliquity, pelvic_rotation}, lab, body.pelvis, false, pelvis_signs[s]);
            put({trunk_tilt, trunk_obliquity, trunk_rotation}, lab, body.trunk, false, pelvis_signs[s]);
            put({hip_flexion, hip_adduction, hip_rotation}, body.pelvis, leg.thigh, false, hip_signs[s]);
            put({knee_flexion, knee_adduction, knee_rotation}, leg.thigh, leg.shank, false, knee_signs[s]);
            put({ankle_dorsiflexion, ankle_rotation}, leg.ankle_axes, leg.foot, true, hip_signs[s]);
            put({foot_progression}, lab, leg.foot, true, hip_signs[s]);
            put({shoulder_flexion, shoulder_abduction}, body.trunk, body.upper_arms[s], false,
                shoulder_signs[s]);
            // Angle between the long axes: an elbow is a hinge, and its axis was not measured.
            const double bend = body.upper_arms[s].col(2).dot(body.forearms[s].col(2));
            angles.traces[s][static_cast<std::size_t>(elbow_flexion)].push_back(
                math::degrees(std::acos(std::clamp(bend, -1.0, 1.0))));
        }
    }
    for (auto& side : angles.traces)
        for (auto& trace : side) unwrap(trace);
    return angles;
}

}  // namespace sinew::gait
