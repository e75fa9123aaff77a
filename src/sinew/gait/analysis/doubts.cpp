// SPDX-License-Identifier: MIT
// Checks for curves that contradict themselves.

#include <cmath>

#include <fmt/format.h>

#include "sinew/gait/gait.h"

namespace sinew::gait {

using model::Side;

namespace {

constexpr std::size_t few = 20;  // frames below which no check is done

/// Knee angles of a side in frames in which all of them are known, in degrees.
struct Knee {
    std::vector<double> flexion, varus, rotation;

    Knee(const GaitTraces& traces, Side side) {
        const auto &f = traces.of(side, GaitCurve::knee_flexion),
                   &v = traces.of(side, GaitCurve::knee_adduction),
                   &r = traces.of(side, GaitCurve::knee_rotation);
        for (std::size_t i = 0; i < std::min({f.size(), v.size(), r.size()}); ++i) {
            if (!std::isfinite(f[i] + v[i] + r[i])) continue;
            flexion.push_back(f[i]), varus.push_back(v[i]), rotation.push_back(r[i]);
        }
    }
};

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double each : values) sum += each;
    return sum / static_cast<double>(values.size());
}

double covariance(const std::vector<double>& a, const std::vector<double>& b) {
    const double x = mean(a), y = mean(b);
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - x) * (b[i] - y);
    return sum / static_cast<double>(a.size());
}

struct AxisError {
    double degrees = 0;    ///< rotation of the thigh that minimises the sideways motion of the knee
    double explained = 0;  ///< part of the variance of the sideways motion that this rotation removes
};

/// When a thigh is rotated by d about its long axis, flexion f and varus v give the varus asin(cos d sin v +
/// sin d sin f cos v): the direction of least variance of two numbers.
AxisError knee_axis_error(const Knee& knee) {
    std::vector<double> sideways, bent;
    for (std::size_t i = 0; i < knee.flexion.size(); ++i) {
        const double v = math::radians(knee.varus[i]), f = math::radians(knee.flexion[i]);
        sideways.push_back(std::sin(v)), bent.push_back(std::sin(f) * std::cos(v));
    }
    const double s = covariance(sideways, sideways), b = covariance(bent, bent),
                 both = covariance(sideways, bent);
    if (b < 0.01 || !(s > 0)) return {};  // a knee that does not bend enough does not determine its axis
    const double d = std::atan2(-2 * both, b - s) / 2;
    const double least =
        std::cos(d) * std::cos(d) * s + 2 * std::cos(d) * std::sin(d) * both + std::sin(d) * std::sin(d) * b;
    return {math::degrees(d), 1 - least / s};
}

}  // namespace

CurveDoubts doubts_of(const GaitTraces& traces) {
    using enum GaitCurve;
    CurveDoubts doubts;
    for (const Side side : {Side::left, Side::right}) {
        const Knee knee(traces, side);
        if (knee.flexion.size() < few) continue;
        const auto doubt = [&](std::initializer_list<GaitCurve> curves, const std::string& reason) {
            for (const GaitCurve curve : curves) {
                std::string& own = doubts[side == Side::left ? 0 : 1][static_cast<std::size_t>(curve)];
                if (own.empty()) own = reason;
            }
        };
        const auto of_thigh = {hip_rotation, knee_adduction, knee_rotation, knee_side_moment,
                               hip_twist_moment};
        const AxisError axis = knee_axis_error(knee);
        if (std::abs(axis.degrees) > 10 && axis.explained > 0.5)
            doubt(of_thigh,
                  fmt::format("the knee bends about an axis {:.0f}° from that of the model ({:.0f} % of its "
                              "sideways motion follows flexion): the markers of thigh and knee are not where "
                              "the model expects them",
                              std::abs(axis.degrees), 100 * axis.explained));
        if (const double varus = mean(knee.varus); std::abs(varus) > 8)
            doubt(of_thigh, fmt::format("the knee is {:.0f}° in {} on average: a deformity, or markers of "
                                        "thigh and knee that are not where the model expects them",
                                        std::abs(varus), varus > 0 ? "varus" : "valgus"));
        if (const double turned = mean(knee.rotation); std::abs(turned) > 25)
            doubt({knee_rotation, ankle_rotation},
                  fmt::format("the knee is turned by {:.0f}° on average, which no knee is: the markers of "
                              "thigh or shank are not where the model expects them, or the torsion of the "
                              "tibia is not known",
                              std::abs(turned)));
    }
    return doubts;
}

}  // namespace sinew::gait
