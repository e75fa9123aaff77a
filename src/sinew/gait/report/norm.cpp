// SPDX-License-Identifier: MIT
// Norms, and the distance of a gait from a norm.

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/gait/report.h"
#include "sinew/gait/report/age.h"

namespace sinew::gait {

using model::Side;

namespace {

constexpr std::size_t score_step = 2;  // percent of the cycle between the samples of a score
constexpr std::size_t score_samples = 51;
constexpr std::size_t max_features = 15, min_cycles = 16;
constexpr double adult = 18;  // years

/// Means and standard deviations in degrees at 0, 5, ... 95 % of the cycle, rounded to 1 and 0.5 degrees.
struct NormalRow {
    GaitCurve angle;
    std::array<double, 20> mean, deviation;
};

/// Typically developing children and adolescents at self-selected speed (Schwartz 2008, free speed).
constexpr std::array normal_rows = {
    NormalRow{GaitCurve::pelvic_tilt,
              {12, 12, 11, 11, 11, 11, 12, 12, 12, 12, 12, 12, 11, 11, 11, 11, 12, 12, 12, 12},
              {5, 5, 5, 5, 5, 5, 4.5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5}},
    NormalRow{GaitCurve::pelvic_obliquity,
              {1, 2, 3, 4, 3, 2, 0, 0, 0, 0, -1, -2, -3, -4, -3, -2, 0, 0, 0, 0},
              {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}},
    NormalRow{GaitCurve::pelvic_rotation,
              {4, 4, 3, 4, 3, 2, 1, 0, -2, -3, -4, -4, -3, -4, -3, -2, -1, 0, 2, 3},
              {4, 4, 4, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5, 4, 4, 3.5, 4, 4, 3.5, 3.5, 3.5, 3.5, 3.5, 4}},
    NormalRow{GaitCurve::hip_flexion,
              {36, 35, 33, 28, 23, 17, 11, 6, 2, -2, -5, -5, -1, 8, 18, 26, 32, 36, 37, 36},
              {5.5, 5.5, 6, 6, 6, 6, 6, 6.5, 6.5, 7, 7, 7, 7, 6.5, 6, 6, 5.5, 5.5, 5.5, 5.5}},
    NormalRow{GaitCurve::hip_adduction,
              {-2, 1, 4, 5, 5, 4, 3, 3, 2, 2, 1, -2, -5, -7, -6, -5, -3, -2, -2, -2},
              {3.5, 3.5, 3.5, 3.5, 3.5, 3, 3, 3, 3, 3, 3, 3, 3.5, 3, 3, 3, 3, 3, 3, 3.5}},
    NormalRow{GaitCurve::hip_rotation,
              {-3, -2, 1, 0, 0, -1, -1, -1, -2, -2, -3, -4, -5, -5, -3, -1, 1, 0, -2, -3},
              {9, 9, 9.5, 10, 10, 10, 9.5, 9.5, 9.5, 9.5, 9.5, 9.5, 9.5, 9.5, 9.5, 10, 10, 9.5, 9, 9}},
    NormalRow{GaitCurve::knee_flexion,
              {6, 13, 19, 19, 16, 13, 10, 8, 6, 7, 12, 20, 34, 49, 58, 58, 50, 36, 19, 6},
              {5.5, 5.5, 6.5, 6, 6, 5.5, 5.5, 5.5, 5.5, 5.5, 5.5, 6, 6.5, 6, 5.5, 6.5, 8, 8.5, 8.5, 7}},
    NormalRow{GaitCurve::ankle_dorsiflexion,
              {-2, -6, -2, 2, 5, 7, 9, 10, 11, 12, 10, 2, -14, -19, -11, -4, 1, 2, 1, -1},
              {5.5, 4.5, 4, 4, 4, 3.5, 4, 4, 4.5, 5, 5.5, 8, 9.5, 9, 7.5, 6, 5, 4, 4.5, 5}},
    NormalRow{GaitCurve::foot_progression,
              {-8, -6, -4, -5, -5, -5, -6, -7, -8, -8, -6, -4, -2, -4, -9, -12, -14, -14, -12, -10},
              {6.5, 6.5, 6.5, 6.5, 7, 7, 7, 7, 7, 7, 7.5, 7.5, 8, 9, 9, 8, 7, 6.5, 7, 7}},
    NormalRow{GaitCurve::knee_adduction,
              {0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, -1, -1, -2, -1, 2, 5, 4, 1, 0},
              {3, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5, 4, 5, 6.5, 7.5, 8, 7, 5.5, 4, 3}},
};

/// Smooth periodic curve through the values of one period (Catmull and Rom 1974).
double periodic(const std::array<double, 20>& values, double percent) {
    const double at = percent / 5, t = at - std::floor(at);
    const auto i = static_cast<std::size_t>(at) % values.size();
    const auto value = [&](std::size_t k) { return values[(i + k + values.size() - 1) % values.size()]; };
    const double a = value(0), b = value(1), c = value(2), d = value(3);
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

/// Mean and sample deviation, sample by sample.
NormalCurve spread(const std::vector<std::vector<double>>& curves) {
    CycleCurve all = summarise(curves);
    return {std::move(all.mean), std::move(all.deviation)};
}

/// The nine angles of one cycle at every 2 %, concatenated; empty when one is missing.
std::vector<std::vector<double>> feature_vectors(const GaitAnalysis& a, std::size_t side) {
    std::vector<std::vector<double>> vectors;
    const std::size_t cycles = a.curves[side][0].each.size();
    for (std::size_t c = 0; c < cycles; ++c) {
        std::vector<double> all;
        for (std::size_t i = 0; i < sheet_angles; ++i) {
            const CycleCurve& curve = a.curves[side][i];
            if (curve.each.size() != cycles) return {};
            for (std::size_t k = 0; k < curve_samples; k += score_step) all.push_back(curve.each[c][k]);
        }
        vectors.push_back(std::move(all));
    }
    return vectors;
}

double log_distance(const GaitFeatures& f, const std::vector<double>& vector) {
    double squares = 0;
    for (std::size_t k = 0; k < f.features.size(); ++k) {
        double along = -f.mean[k];
        for (std::size_t i = 0; i < vector.size(); ++i) along += f.features[k][i] * vector[i];
        squares += along * along;
    }
    return std::log(std::sqrt(squares));
}

/// Left singular vectors of the matrix of cycles, from the eigenvectors of its small Gram matrix.
std::optional<GaitFeatures> find_features(const std::vector<std::vector<double>>& cycles) {
    if (cycles.size() < min_cycles) return std::nullopt;
    const auto n = static_cast<Eigen::Index>(cycles.size()), m = static_cast<Eigen::Index>(cycles[0].size());
    Eigen::MatrixXd matrix(m, n);
    for (Eigen::Index c = 0; c < n; ++c)
        for (Eigen::Index i = 0; i < m; ++i)
            matrix(i, c) = cycles[static_cast<std::size_t>(c)][static_cast<std::size_t>(i)];
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix.transpose() * matrix);
    GaitFeatures f;
    for (Eigen::Index k = n; k-- > 0 && f.features.size() < max_features;) {
        if (solver.eigenvalues()[k] < 1e-9 * solver.eigenvalues()[n - 1]) break;
        const Eigen::VectorXd u = (matrix * solver.eigenvectors().col(k)).normalized();
        f.features.emplace_back(u.data(), u.data() + m);
        f.mean.push_back((u.transpose() * matrix).mean());
    }
    std::vector<std::vector<double>> logs;
    for (const auto& cycle : cycles) logs.push_back({log_distance(f, cycle)});
    const CycleCurve all = summarise(logs);
    f.log_mean = all.mean[0], f.log_deviation = all.deviation[0];
    if (!(f.log_deviation > 0)) return std::nullopt;
    return f;
}

std::optional<double> mean_of(const std::vector<double>& values) {
    if (values.empty()) return std::nullopt;
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

/// Root mean square; empty when one of the values is missing.
std::optional<double> root_mean_square(const std::vector<std::optional<double>>& values) {
    double squares = 0;
    for (const auto& value : values) {
        if (!value) return std::nullopt;
        squares += *value * *value;
    }
    return std::sqrt(squares / static_cast<double>(values.size()));
}

}  // namespace

NormalBand published_normal(const BodyMeasures& subject) {
    NormalBand band;
    band.citation =
        "Normal band: mean and one standard deviation of typically developing children at their own pace, "
        "M. H. Schwartz, A. Rozumalski, J. P. Trost, The effect of walking speed on the gait of typically "
        "developing children, Journal of Biomechanics 41 (2008) 1639-1650, taken every 5 % and rounded; the "
        "paper gives their number and ages. ";
    band.citation +=
        subject.age && *subject.age >= adult
            ? fmt::format("The subject is {:.0f} years old: the band is not of this age. ", *subject.age)
            : "It is not of adults. ";
    band.citation += "No table of adults is built in, but a norm of your own can be given.";
    const std::string values = add_values_of_age(subject, band.values);
    if (!values.empty()) band.citation += " Times and lengths: " + values;
    for (const NormalRow& row : normal_rows) {
        NormalCurve& curve = band.curves[static_cast<std::size_t>(row.angle)];
        for (std::size_t i = 0; i < curve_samples; ++i) {
            curve.mean.push_back(periodic(row.mean, static_cast<double>(i)));
            curve.deviation.push_back(std::max(0.0, periodic(row.deviation, static_cast<double>(i))));
        }
    }
    return band;
}

NormalBand normal_from(const model::GaitCycle& cycle, const std::string& name) {
    NormalBand band;
    band.citation = "Normal band: mean and standard deviation of " + name;
    const GaitAnalysis analysis = analyse_gait(cycle);
    for (std::size_t a = 0; a < angle_count; ++a) {
        const CycleCurve &l = analysis.curve(Side::left, curve_at(a)),
                         &r = analysis.curve(Side::right, curve_at(a));
        NormalCurve& normal = band.curves[a];
        for (std::size_t i = 0; i < curve_samples; ++i) {
            if (l.empty() && r.empty()) break;
            const CycleCurve &first = l.empty() ? r : l, &second = r.empty() ? l : r;
            normal.mean.push_back((first.mean[i] + second.mean[i]) / 2);
            normal.deviation.push_back((first.deviation[i] + second.deviation[i]) / 2);
        }
    }
    return band;
}

NormalBand make_norm(std::span<const GaitAnalysis> controls, const std::string& source) {
    NormalBand norm;
    std::size_t used = 0;
    std::vector<std::vector<double>> cycles;
    for (const GaitAnalysis& control : controls) {
        used += control.cycles.empty() ? 0 : 1;
        for (const std::size_t s : {0u, 1u})
            for (auto& each : feature_vectors(control, s)) cycles.push_back(std::move(each));
    }
    if (used == 0) fail("", "no control has a complete cycle");
    for (std::size_t i = 0; i < curve_count; ++i) {
        std::vector<std::vector<double>> means;
        for (const GaitAnalysis& control : controls)
            for (const std::size_t s : {0u, 1u})
                if (!control.curves[s][i].empty()) means.push_back(control.curves[s][i].mean);
        if (!means.empty()) norm.curves[i] = spread(means);
    }
    for (const SpatioTemporalRow& row : spatiotemporal_rows()) {
        std::vector<std::vector<double>> all;
        for (const GaitAnalysis& control : controls)
            for (const SpatioTemporal& side : control.sides)
                if (side.*row.value) all.push_back({*(side.*row.value)});
        if (all.empty()) continue;
        const NormalCurve value = spread(all);
        norm.values[std::string(row.key)] = {value.mean[0], value.deviation[0]};
    }
    norm.features = find_features(cycles);
    norm.citation = fmt::format("Normal band: mean and one standard deviation of {} trials, both legs{}{}",
                                used, source.empty() ? "" : ": ", source);
    return norm;
}

std::string to_csv(const NormalBand& norm) {
    std::string csv = fmt::format("# source: {}\nkind,name,at,mean,deviation\n", norm.citation);
    for (std::size_t i = 0; i < curve_count; ++i) {
        const NormalCurve& curve = norm.curves[i];
        for (std::size_t k = 0; k < curve.mean.size(); ++k)
            csv += fmt::format("curve,{},{},{:.5g},{}\n", info(curve_at(i)).key, k, curve.mean[k],
                               curve.deviation.empty() ? "" : fmt::format("{:.5g}", curve.deviation[k]));
    }
    for (const auto& [key, value] : norm.values)
        csv += fmt::format("value,{},,{:.6g},{}\n", key, value.first,
                           std::isnan(value.second) ? "" : fmt::format("{:.6g}", value.second));
    if (norm.features) {
        const GaitFeatures& f = *norm.features;
        csv += fmt::format("log distance,,,{:.9g},{:.9g}\n", f.log_mean, f.log_deviation);
        for (std::size_t k = 0; k < f.features.size(); ++k) {
            csv += fmt::format("feature mean,{},,{:.9g},\n", k, f.mean[k]);
            for (std::size_t i = 0; i < f.features[k].size(); ++i)
                csv += fmt::format("feature,{},{},{:.9g},\n", k, i, f.features[k][i]);
        }
    }
    return csv;
}

NormalBand parse_norm(std::string_view csv, std::string_view name) {
    NormalBand norm;
    norm.citation = fmt::format("Normal band of {}", name);
    GaitFeatures features;
    bool indexed = false;
    std::size_t line = 0;
    while (!csv.empty()) {
        const std::size_t end = csv.find('\n');
        const std::string_view text = trim(csv.substr(0, end));
        csv = end == std::string_view::npos ? std::string_view() : csv.substr(end + 1);
        ++line;
        if (text.starts_with("# source:")) norm.citation = trim(text.substr(9));
        if (text.empty() || text.front() == '#' || text.starts_with("kind,")) continue;
        std::vector<std::string_view> cells;
        for (std::size_t from = 0; from <= text.size();) {
            const std::size_t comma = std::min(text.find(',', from), text.size());
            cells.push_back(trim(text.substr(from, comma - from)));
            from = comma + 1;
        }
        const std::string position = fmt::format("{}:{}", name, line);
        if (cells.size() != 5) fail(position, "expected kind,name,at,mean,deviation, found \"{}\"", text);
        double at = 0, mean = 0, deviation = 0;
        if ((!cells[2].empty() && !parse_exact(cells[2], at)) || !parse_exact(cells[3], mean) ||
            (!cells[4].empty() && !parse_exact(cells[4], deviation)) || !(at >= 0 && at <= 1000))
            fail(position, "expected numbers, found \"{}\"", text);
        const auto index = static_cast<std::size_t>(at);
        if (cells[0] == "curve") {
            std::size_t i = 0;
            while (i < curve_count && info(curve_at(i)).key != cells[1]) ++i;
            if (i == curve_count) fail(position, "there is no curve \"{}\"", cells[1]);
            NormalCurve& curve = norm.curves[i];
            if (index != curve.mean.size() || index >= curve_samples)
                fail(position, "expected {} % of the cycle next", curve.mean.size());
            curve.mean.push_back(mean);
            if (!cells[4].empty()) curve.deviation.push_back(deviation);
        } else if (cells[0] == "value") {
            norm.values[std::string(cells[1])] = {mean, cells[4].empty() ? math::nan : deviation};
        } else if (cells[0] == "log distance") {
            features.log_mean = mean, features.log_deviation = deviation, indexed = true;
        } else if (cells[0] == "feature mean") {
            features.mean.push_back(mean);
            features.features.emplace_back();
        } else if (cells[0] == "feature" && !features.features.empty()) {
            features.features.back().push_back(mean);
        } else {
            fail(position, "there is no kind \"{}\"", cells[0]);
        }
    }
    for (std::size_t i = 0; i < curve_count; ++i) {
        const NormalCurve& curve = norm.curves[i];
        if (!curve.empty() && (curve.mean.size() != curve_samples ||
                               (!curve.deviation.empty() && curve.deviation.size() != curve_samples)))
            fail(name, "the curve {} has {} of {} samples", info(curve_at(i)).key, curve.mean.size(),
                 curve_samples);
    }
    for (const auto& feature : features.features)
        if (feature.size() != sheet_angles * score_samples)
            fail(name, "a feature has {} of {} numbers", feature.size(), sheet_angles * score_samples);
    if (indexed && !features.features.empty()) norm.features = std::move(features);
    return norm;
}

GaitScores score(const GaitAnalysis& a, const NormalBand& norm) {
    GaitScores scores;
    for (const std::size_t s : {0u, 1u}) {
        for (std::size_t i = 0; i < sheet_angles; ++i) {
            if (norm.curves[i].empty()) continue;
            std::vector<double> each;
            for (const auto& cycle : a.curves[s][i].each) {
                double squares = 0;
                for (std::size_t k = 0; k < curve_samples; k += score_step)
                    squares += (cycle[k] - norm.curves[i].mean[k]) * (cycle[k] - norm.curves[i].mean[k]);
                each.push_back(std::sqrt(squares / score_samples));
            }
            scores.map[s][i] = mean_of(each);
        }
        scores.gps[s] = root_mean_square({scores.map[s].begin(), scores.map[s].end()});
        if (!norm.features) continue;
        std::vector<double> index;
        for (const auto& vector : feature_vectors(a, s))
            index.push_back(100 - 10 * (log_distance(*norm.features, vector) - norm.features->log_mean) /
                                      norm.features->log_deviation);
        scores.gdi[s] = mean_of(index);
    }
    // The pelvis is common to both sides, so it counts once.
    std::vector<std::optional<double>> all(scores.map[0].begin(), scores.map[0].end());
    all.insert(all.end(), scores.map[1].begin() + 3, scores.map[1].end());
    scores.gps_overall = root_mean_square(all);
    return scores;
}

}  // namespace sinew::gait
