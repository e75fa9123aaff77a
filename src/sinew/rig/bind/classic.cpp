#include "sinew/rig/bind/classic.h"

#include <algorithm>
#include <cmath>

#include "sinew/rig/bind/inner_sight.h"

namespace sinew::rig {
namespace {

/// Nearer than this, in diagonals of the mesh, a vertex lies on the bone.
constexpr double on_bone = 1e-9;

/// Weights of the joints by `falloff(distance, least distance)`; joints on which the point lies share it.
template <class Falloff>
void fall_off(const std::vector<double>& distances, const Falloff& falloff, std::vector<JointWeight>& row) {
    const double least = *std::min_element(distances.begin(), distances.end());
    for (std::size_t j = 0; j < distances.size(); ++j) {
        const double weight =
            least < on_bone ? static_cast<double>(distances[j] < on_bone) : falloff(distances[j], least);
        if (weight > 0) row.push_back({static_cast<int>(j), weight});
    }
}

/// Keeps the heaviest, of equal ones the lower joints, and scales to the sum 1.
void keep_heaviest(std::vector<JointWeight>& row, int count, double drop_below) {
    std::stable_sort(row.begin(), row.end(),
                     [](const JointWeight& a, const JointWeight& b) { return a.weight > b.weight; });
    if (count > 0 && row.size() > static_cast<std::size_t>(count))
        row.resize(static_cast<std::size_t>(count));
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

WeightTable distance_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                             const DistanceOptions& options, Monitor& monitor) {
    const BindInput input = bind_input(mesh, skeleton);
    step(monitor, "weights", 0);
    const double rate = std::log(options.base);
    return table_by_point(input, [&](std::size_t p, std::vector<JointWeight>& row) {
        thread_local std::vector<double> distances;
        joint_distances(input, input.points[p], distances);
        fall_off(distances, [&](double d, double least) { return std::exp(-rate * (d / least - 1)); }, row);
        keep_heaviest(row, options.max_influences, options.drop_below);
    });
}

WeightTable nearest_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                            const NearestOptions& options, Monitor& monitor) {
    const BindInput input = bind_input(mesh, skeleton);
    step(monitor, "weights", 0);
    return table_by_point(input, [&](std::size_t p, std::vector<JointWeight>& row) {
        thread_local std::vector<double> distances;
        joint_distances(input, input.points[p], distances);
        fall_off(distances, [&](double d, double least) { return std::pow(least / d, options.power); }, row);
        keep_heaviest(row, options.max_influences, 0);
    });
}

WeightTable visible_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                            const VisibleOptions& options, Monitor& monitor) {
    const BindInput input = bind_input(mesh, skeleton);
    const InnerSight sight(input);
    step(monitor, "weights", 0);
    return table_by_point(input, [&](std::size_t p, std::vector<JointWeight>& row) {
        std::vector<double> ratio(input.joints(), 0);
        for (const BoneSegment& bone : input.bones) {
            if (!sight.reaches(p, bone)) continue;
            const double away = std::max(distance(bone, input.points[p]), on_bone);
            ratio[static_cast<std::size_t>(bone.joint)] += (bone.end - bone.start).norm() / away;
        }
        for (std::size_t j = 0; j < ratio.size(); ++j)
            if (ratio[j] > 0) row.push_back({static_cast<int>(j), ratio[j]});
        if (!row.empty()) keep_heaviest(row, options.max_influences, 0);
    });
}

WeightTable rigid_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton, const RigidOptions&,
                          Monitor& monitor) {
    const BindInput input = bind_input(mesh, skeleton);
    step(monitor, "weights", 0);
    return table_by_point(input, [&](std::size_t p, std::vector<JointWeight>& row) {
        thread_local std::vector<double> distances;
        joint_distances(input, input.points[p], distances);
        const auto least = std::min_element(distances.begin(), distances.end());
        row.push_back({static_cast<int>(least - distances.begin()), 1});
    });
}

}  // namespace sinew::rig
