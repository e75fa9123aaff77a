#include "gait_normal.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew::cli {
namespace {

using model::Side;
using gait::GaitAngle;

/// Means and standard deviations in degrees at 0, 5, ... 95 % of the cycle, to a whole and a half degree.
struct NormalRow {
    GaitAngle angle;
    std::array<double, 20> mean, deviation;
};

/// Typically developing children and adolescents at their own pace (Schwartz 2008, free speed).
constexpr std::array normal_rows = {
    NormalRow{GaitAngle::pelvic_tilt,
              {12, 12, 11, 11, 11, 11, 12, 12, 12, 12, 12, 12, 11, 11, 11, 11, 12, 12, 12, 12},
              {5, 5, 5, 5, 5, 5, 4.5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5}},
    NormalRow{GaitAngle::pelvic_obliquity,
              {1, 2, 3, 4, 3, 2, 0, 0, 0, 0, -1, -2, -3, -4, -3, -2, 0, 0, 0, 0},
              {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}},
    NormalRow{GaitAngle::hip_flexion,
              {36, 35, 33, 28, 23, 17, 11, 6, 2, -2, -5, -5, -1, 8, 18, 26, 32, 36, 37, 36},
              {5.5, 5.5, 6, 6, 6, 6, 6, 6.5, 6.5, 7, 7, 7, 7, 6.5, 6, 6, 5.5, 5.5, 5.5, 5.5}},
    NormalRow{GaitAngle::hip_adduction,
              {-2, 1, 4, 5, 5, 4, 3, 3, 2, 2, 1, -2, -5, -7, -6, -5, -3, -2, -2, -2},
              {3.5, 3.5, 3.5, 3.5, 3.5, 3, 3, 3, 3, 3, 3, 3, 3.5, 3, 3, 3, 3, 3, 3, 3.5}},
    NormalRow{GaitAngle::hip_rotation,
              {-3, -2, 1, 0, 0, -1, -1, -1, -2, -2, -3, -4, -5, -5, -3, -1, 1, 0, -2, -3},
              {9, 9, 9.5, 10, 10, 10, 9.5, 9.5, 9.5, 9.5, 9.5, 9.5, 9.5, 9.5, 9.5, 10, 10, 9.5, 9, 9}},
    NormalRow{GaitAngle::knee_flexion,
              {6, 13, 19, 19, 16, 13, 10, 8, 6, 7, 12, 20, 34, 49, 58, 58, 50, 36, 19, 6},
              {5.5, 5.5, 6.5, 6, 6, 5.5, 5.5, 5.5, 5.5, 5.5, 5.5, 6, 6.5, 6, 5.5, 6.5, 8, 8.5, 8.5, 7}},
    NormalRow{GaitAngle::ankle_dorsiflexion,
              {-2, -6, -2, 2, 5, 7, 9, 10, 11, 12, 10, 2, -14, -19, -11, -4, 1, 2, 1, -1},
              {5.5, 4.5, 4, 4, 4, 3.5, 4, 4, 4.5, 5, 5.5, 8, 9.5, 9, 7.5, 6, 5, 4, 4.5, 5}},
};

/// Through the values of a period, smooth (Catmull and Rom 1974).
double periodic(const std::array<double, 20>& values, double percent) {
    const double at = percent / 5, t = at - std::floor(at);
    const auto i = static_cast<std::size_t>(at) % values.size();
    const auto value = [&](std::size_t k) { return values[(i + k + values.size() - 1) % values.size()]; };
    const double a = value(0), b = value(1), c = value(2), d = value(3);
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

}  // namespace

NormalBand published_normal() {
    NormalBand band;
    band.citation =
        "Normal band: mean and one standard deviation of typically developing children and adolescents at "
        "their "
        "own pace, M. H. Schwartz, A. Rozumalski, J. P. Trost, The effect of walking speed on the gait of "
        "typically developing children, Journal of Biomechanics 41 (2008) 1639-1650, taken every 5 % and "
        "rounded. Pelvic and ankle rotation have none.";
    for (const NormalRow& row : normal_rows) {
        NormalCurve& curve = band.curves[static_cast<std::size_t>(row.angle)];
        for (std::size_t i = 0; i < gait::curve_samples; ++i) {
            curve.mean.push_back(periodic(row.mean, static_cast<double>(i)));
            curve.deviation.push_back(std::max(0.0, periodic(row.deviation, static_cast<double>(i))));
        }
    }
    return band;
}

NormalBand normal_from(const model::GaitCycle& cycle, const std::string& name) {
    NormalBand band;
    band.citation = "Normal band: mean and standard deviation of " + name;
    const gait::GaitAnalysis analysis = gait::analyse_gait(cycle);
    for (std::size_t a = 0; a < gait::angle_count; ++a) {
        const gait::CycleCurve &l = analysis.curve(Side::left, gait::angle_at(a)),
                                 &r = analysis.curve(Side::right, gait::angle_at(a));
        NormalCurve& normal = band.curves[a];
        for (std::size_t i = 0; i < gait::curve_samples; ++i) {
            if (l.empty() && r.empty()) break;
            const gait::CycleCurve &first = l.empty() ? r : l, &second = r.empty() ? l : r;
            normal.mean.push_back((first.mean[i] + second.mean[i]) / 2);
            normal.deviation.push_back((first.deviation[i] + second.deviation[i]) / 2);
        }
    }
    return band;
}

}  // namespace sinew::cli
