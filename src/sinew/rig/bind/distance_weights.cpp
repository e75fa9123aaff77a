// SPDX-License-Identifier: MIT
// Weights by the straight distance to the bones.

#include <algorithm>
#include <cmath>

#include "sinew/rig/bind/bind_input.h"
#include "sinew/rig/bind/methods.h"

namespace sinew::rig {
namespace {

/// Nearer than this, in diagonals of the mesh, a vertex lies on the bone.
constexpr double on_bone = 1e-9;

/// Weights of the joints by `falloff(distance, smallest distance)`; joints at distance 0 share the point.
template <class Falloff>
void fall_off(const std::vector<double>& distances, const Falloff& falloff, std::vector<JointWeight>& row) {
    const double min = *std::min_element(distances.begin(), distances.end());
    for (std::size_t j = 0; j < distances.size(); ++j) {
        const double weight =
            min < on_bone ? static_cast<double>(distances[j] < on_bone) : falloff(distances[j], min);
        if (weight > 0) row.push_back({static_cast<int>(j), weight});
    }
}

/// Keeps the largest weights, of equal ones those of lower joints, and scales them to the sum 1.
void keep_heaviest(std::vector<JointWeight>& row, std::size_t count, double drop_below) {
    std::stable_sort(row.begin(), row.end(),
                     [](const JointWeight& a, const JointWeight& b) { return a.weight > b.weight; });
    if (row.size() > count) row.resize(count);
    const auto scale = [&] {
        double sum = 0;
        for (const JointWeight& entry : row) sum += entry.weight;
        for (JointWeight& entry : row) entry.weight /= sum;
    };
    scale();
    while (row.size() > 1 && row.back().weight < drop_below) row.pop_back();
    scale();
}

}  // namespace

WeightTable distance_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton, Monitor& monitor) {
    const BindInput input = bind_input(mesh, skeleton);
    step(monitor, "weights", 0);
    const double rate = std::log(100.0);
    return table_by_point(input, [&](std::size_t p, std::vector<JointWeight>& row) {
        thread_local std::vector<double> distances;
        joint_distances(input, input.points[p], distances);
        fall_off(distances, [&](double d, double min) { return std::exp(-rate * (d / min - 1)); }, row);
        keep_heaviest(row, 4, 0.005);
    });
}

WeightTable nearest_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton, Monitor& monitor) {
    const BindInput input = bind_input(mesh, skeleton);
    step(monitor, "weights", 0);
    return table_by_point(input, [&](std::size_t p, std::vector<JointWeight>& row) {
        thread_local std::vector<double> distances;
        joint_distances(input, input.points[p], distances);
        fall_off(distances, [&](double d, double min) { return std::pow(min / d, 4.0); }, row);
        keep_heaviest(row, 5, 0);
    });
}

WeightTable rigid_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton, Monitor& monitor) {
    const BindInput input = bind_input(mesh, skeleton);
    step(monitor, "weights", 0);
    return table_by_point(input, [&](std::size_t p, std::vector<JointWeight>& row) {
        thread_local std::vector<double> distances;
        joint_distances(input, input.points[p], distances);
        const auto min = std::min_element(distances.begin(), distances.end());
        row.push_back({static_cast<int>(min - distances.begin()), 1});
    });
}

}  // namespace sinew::rig
