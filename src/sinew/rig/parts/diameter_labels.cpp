// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/array.h"
#include "sinew/base/parallel.h"
#include "sinew/geometry/surface_queries.h"
#include "sinew/math/quaternion.h"
#include "sinew/rig/parts/face_graph.h"

namespace sinew::rig {
namespace {

/// Directions in a cone about +z, even over the sphere, with the weight 1 / angle of the source.
struct Cone {
    std::vector<Vec3d> directions;
    std::vector<double> weights;
};
Cone cone_of(int rays) {
    Cone cone;
    const double min = std::cos(math::radians(60.0));
    for (int i = 0; i < rays; ++i) {
        const double z = 1 - (i + 0.5) / rays * (1 - min), rotation = 2.399963229728653 * i;
        const double r = std::sqrt(1 - z * z);
        cone.directions.emplace_back(r * std::cos(rotation), r * std::sin(rotation), z);
        cone.weights.push_back(1 / std::max(std::acos(z), 0.1));
    }
    return cone;
}

/// Weighted mean of the lengths within a deviation of their median; 0 without any.
double robust_mean(const std::vector<std::pair<double, double>>& hits) {
    if (hits.empty()) return 0;
    std::vector<double> lengths;
    for (const auto& [length, weight] : hits) lengths.push_back(length);
    const double middle = median(std::move(lengths));
    double squares = 0;
    for (const auto& [length, weight] : hits) squares += (length - middle) * (length - middle);
    const double deviation = std::sqrt(squares / static_cast<double>(hits.size()));
    double sum = 0, weights = 0;
    for (const auto& [length, weight] : hits) {
        if (std::abs(length - middle) > deviation + 1e-12) continue;
        sum += weight * length;
        weights += weight;
    }
    return weights > 0 ? sum / weights : middle;
}

/// Means over a face and its similar neighbours, a few times.
void smooth(const FaceGraph& graph, std::vector<double>& values) {
    for (int round = 0; round < 3; ++round) {
        std::vector<double> next(values.size());
        for (std::uint32_t f = 0; f < values.size(); ++f) {
            double sum = values[f], weights = 1;
            for (const std::uint32_t l : graph.around[f]) {
                const double other = values[graph.across(l, f)];
                const double alike = std::exp(-std::pow((other - values[f]) / 0.1, 2));
                sum += alike * other;
                weights += alike;
            }
            next[f] = sum / weights;
        }
        values.swap(next);
    }
}

struct Level {
    double mean = 0;
    double variance = 0;
    double part = 0;
};

double likelihood(const Level& level, double value) {
    return level.part / std::sqrt(2 * math::pi * level.variance) *
           std::exp(-(value - level.mean) * (value - level.mean) / (2 * level.variance));
}

/// Expectation maximisation from even quantiles, weighted by area.
std::vector<Level> fit_levels(const FaceGraph& graph, const std::vector<double>& values, int count) {
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    std::vector<Level> levels;
    for (int i = 0; i < count; ++i)
        levels.push_back(
            {sorted[static_cast<std::size_t>((i + 0.5) / count * static_cast<double>(sorted.size()))], 0.02,
             1.0 / count});
    for (int round = 0; round < 30; ++round) {
        std::vector<Level> next(levels.size());
        for (std::size_t f = 0; f < values.size(); ++f) {
            double total = 1e-300;
            std::vector<double> share;
            for (const Level& level : levels) share.push_back(likelihood(level, values[f]));
            for (const double s : share) total += s;
            for (std::size_t i = 0; i < levels.size(); ++i) {
                const double w = graph.areas[f] * share[i] / total;
                next[i].part += w;
                next[i].mean += w * values[f];
                next[i].variance += w * values[f] * values[f];
            }
        }
        for (Level& level : next) {
            level.mean /= std::max(level.part, 1e-300);
            level.variance =
                std::max(level.variance / std::max(level.part, 1e-300) - level.mean * level.mean, 1e-4);
            level.part = std::max(level.part / graph.area, 1e-6);
        }
        levels = next;
    }
    return levels;
}

double border_price(const FaceLink& link, double scale) {
    const double angle = std::abs(link.bend) / math::pi;
    const double weight = link.bend > 0 ? 1.0 : 0.08;  // only concave edges make a cut cheap
    return link.length / scale * std::min(3.0, -std::log(std::clamp(angle * weight, 0.002, 1.0)));
}

/// Expansion moves: each level in turn may gain faces from all others (Boykov et al. 2001).
std::vector<int> expand(const FaceGraph& graph, const std::vector<std::vector<double>>& costs, double scale) {
    const std::size_t levels = costs.size();
    std::vector<int> labels(graph.size(), 0);
    for (std::size_t f = 0; f < labels.size(); ++f)
        for (std::size_t i = 1; i < levels; ++i)
            if (costs[i][f] < costs[at(labels[f])][f]) labels[f] = static_cast<int>(i);
    for (int round = 0; round < 2; ++round) {
        for (std::size_t i = 0; i < levels; ++i) {
            // First side: keeps its label. Links whose ends differ already are charged for the pair, as a
            // bound from above.
            MinCut cut(graph.size());
            for (std::uint32_t f = 0; f < graph.size(); ++f) {
                const double keep = labels[f] == static_cast<int>(i) ? costs[i][f] : costs[at(labels[f])][f];
                cut.add_terminal(f, costs[i][f], keep);
            }
            for (const FaceLink& link : graph.links) {
                const double price = border_price(link, scale);
                if (labels[link.a] == labels[link.b]) {
                    cut.add_edge(link.a, link.b, price);
                } else {
                    cut.add_edge(link.a, link.b, price / 2);
                    cut.add_terminal(link.a, 0, price / 2);
                    cut.add_terminal(link.b, 0, price / 2);
                }
            }
            cut.solve();
            for (std::uint32_t f = 0; f < graph.size(); ++f)
                if (!cut.on_first_side(f)) labels[f] = static_cast<int>(i);
        }
    }
    return labels;
}

}  // namespace

std::vector<double> face_thickness(const geometry::Mesh& mesh, const FaceGraph& graph, int rays) {
    const geometry::SurfaceQueries surface(mesh);
    const Cone cone = cone_of(rays);
    const double size = static_cast<double>(geometry::bounds(mesh.positions).diagonal());
    std::vector<double> values(graph.size(), 0);
    parallel_for(graph.size(), 256, [&](std::size_t f) {
        const Vec3d inward = -graph.normals[f];
        if (inward.norm() < 0.5) return;
        const math::Quatd rotation = math::rotation_between<double>(Vec3d::UnitZ(), inward);
        const Vec3d origin = graph.middles[f] + 1e-5 * size * inward;
        std::vector<std::pair<double, double>> hits;
        for (std::size_t r = 0; r < cone.directions.size(); ++r) {
            const Vec3d direction = rotation * cone.directions[r];
            const auto hit = surface.first_hit(origin.cast<float>(), direction.cast<float>());
            // A surface that is hit from outside belongs to another part.
            if (hit && !hit->entering) hits.emplace_back(static_cast<double>(hit->distance), cone.weights[r]);
        }
        values[f] = robust_mean(hits) / size;
    });
    return values;
}

std::vector<double> shape_diameters(const geometry::Mesh& mesh, const FaceGraph& graph, int rays) {
    std::vector<double> values = face_thickness(mesh, graph, rays);
    for (double& v : values) v = std::log(1 + 40 * v) / std::log(41.0);
    smooth(graph, values);
    return values;
}

std::vector<int> diameter_labels(const geometry::Mesh& mesh, const FaceGraph& graph, int rays,
                                 int level_count, Monitor& monitor) {
    const std::vector<double> values = shape_diameters(mesh, graph, rays);
    step(monitor, "thickness", 0.5);
    const std::vector<Level> levels = fit_levels(graph, values, level_count);
    std::vector<std::vector<double>> costs(levels.size());
    const double mean_area = graph.area / static_cast<double>(graph.size());
    for (std::size_t i = 0; i < levels.size(); ++i)
        for (std::size_t f = 0; f < graph.size(); ++f)
            costs[i].push_back(graph.areas[f] / mean_area *
                               std::min(-std::log(likelihood(levels[i], values[f]) + 1e-6), 20.0));
    for (std::size_t f = 0; f < graph.size(); ++f) {
        double min = std::numeric_limits<double>::infinity();
        for (const auto& cost : costs) min = std::min(min, cost[f]);
        for (auto& cost : costs) cost[f] = 0.1 * (cost[f] - min);
    }
    const double edge = std::sqrt(mean_area);
    const LabelPieces pieces = label_pieces(graph, expand(graph, costs, edge));
    return pieces.of_face;
}

}  // namespace sinew::rig
