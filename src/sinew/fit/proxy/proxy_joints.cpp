// SPDX-License-Identifier: MIT
#include "sinew/fit/proxy/proxy_joints.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "sinew/base/error.h"
#include "sinew/fit/decomposition/bone_seeds.h"

namespace sinew::fit {

using geometry::Mesh;
using geometry::Rows;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

std::vector<double> straight_distances(const Mesh& mesh, std::uint32_t from) {
    std::vector<double> distances(mesh.positions.size());
    const Vec3d center = mesh.positions[from].cast<double>();
    for (std::size_t v = 0; v < distances.size(); ++v)
        distances[v] = (mesh.positions[v].cast<double>() - center).norm();
    return distances;
}

std::vector<double> walked_distances(const Mesh& mesh, const Rows& neighbors, std::uint32_t from,
                                     double limit) {
    std::vector<double> distances(mesh.positions.size(), infinite);
    using Entry = std::pair<double, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    distances[from] = 0;
    open.push({0, from});
    while (!open.empty()) {
        const auto [distance, v] = open.top();
        open.pop();
        if (distance > distances[v]) continue;
        for (const std::uint32_t other : neighbors[v]) {
            const double next = distance + (mesh.positions[other] - mesh.positions[v]).cast<double>().norm();
            if (next >= distances[other] || next > limit) continue;
            distances[other] = next;
            open.push({next, other});
        }
    }
    return distances;
}

/// Distances from single vertices, one after the other, in one metric.
class Distances {
  public:
    Distances(const Mesh& mesh, JointMetric metric) : mesh_(mesh), metric_(metric) {
        if (metric == JointMetric::surface) neighbors_ = fit_neighbors(mesh);
    }
    std::vector<double> from(std::uint32_t vertex, double limit = infinite) const {
        if (metric_ == JointMetric::straight) return straight_distances(mesh_, vertex);
        return walked_distances(mesh_, neighbors_, vertex, limit);
    }

  private:
    const Mesh& mesh_;
    JointMetric metric_;
    Rows neighbors_;
};

std::uint32_t farthest_from_centroid(const Mesh& mesh) {
    Vec3d center = Vec3d::Zero();
    for (const auto& p : mesh.positions) center += p.cast<double>();
    center /= static_cast<double>(mesh.positions.size());
    std::uint32_t best = 0;
    double distance = -1;
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
        const double d = (mesh.positions[v].cast<double>() - center).squaredNorm();
        if (d <= distance) continue;
        distance = d;
        best = v;
    }
    return best;
}

/// Joint nearest to every vertex, and its distance.
struct Nearest {
    std::vector<std::uint32_t> joint;
    std::vector<double> distance;
};

Nearest nearest_joints(const Distances& distances, const ProxyJoints& joints, std::size_t vertices) {
    Nearest nearest{std::vector<std::uint32_t>(vertices, 0), std::vector<double>(vertices, infinite)};
    for (std::uint32_t j = 0; j < joints.vertices.size(); ++j) {
        const std::vector<double> d = distances.from(joints.vertices[j]);
        for (std::size_t v = 0; v < vertices; ++v) {
            if (d[v] >= nearest.distance[v]) continue;
            nearest.distance[v] = d[v];
            nearest.joint[v] = j;
        }
    }
    return nearest;
}

double density_of(const ProxyJoints& joints, std::size_t vertex) {
    return joints.density.empty() ? 1 : joints.density[vertex];
}

/// A third of the area of the triangles around each vertex, so that a finer mesh does not attract more
/// joints; equal for all vertices where there are no triangles.
std::vector<double> vertex_areas(const Mesh& mesh) {
    std::vector<double> areas(mesh.positions.size(), mesh.triangles.empty() ? 1.0 : 0.0);
    for (const geometry::Triangle& t : mesh.triangles) {
        const Vec3d a = mesh.positions[t[0]].cast<double>();
        const double area =
            (mesh.positions[t[1]].cast<double>() - a).cross(mesh.positions[t[2]].cast<double>() - a).norm();
        for (const std::uint32_t v : t) areas[v] += area / 6;
    }
    return areas;
}

/// Moves every joint to the vertex nearest to the mean of its own part of the surface (Lloyd 1982). The mean
/// is weighted by density squared, because joints are closer by that factor.
void relax(const Mesh& mesh, const Distances& distances, std::span<const double> areas, ProxyJoints& joints) {
    const Nearest nearest = nearest_joints(distances, joints, mesh.positions.size());
    std::vector<Vec3d> mean(joints.vertices.size(), Vec3d::Zero());
    std::vector<double> mass(mean.size(), 0), best(mean.size(), infinite);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        if (!std::isfinite(nearest.distance[v])) continue;
        const double density = density_of(joints, v), weight = areas[v] * density * density;
        mean[nearest.joint[v]] += weight * mesh.positions[v].cast<double>();
        mass[nearest.joint[v]] += weight;
    }
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
        const std::uint32_t j = nearest.joint[v];
        if (!std::isfinite(nearest.distance[v]) || !(mass[j] > 0)) continue;
        const double d = (mesh.positions[v].cast<double>() - mean[j] / mass[j]).squaredNorm();
        if (d >= best[j]) continue;
        best[j] = d;
        joints.vertices[j] = v;
    }
}

}  // namespace

ProxyJoints set_joint_positions(const Mesh& rest, int count, const PlacementOptions& options,
                                Monitor& monitor) {
    if (count < 1) fail("fit", "{} joints were requested: at least 1 is needed", count);
    if (rest.positions.empty()) fail("fit", "the rest pose has no vertices");
    ProxyJoints joints;
    joints.metric = options.metric;
    const Distances distances(rest, options.metric);
    if (!options.density.empty() && options.density.size() != rest.positions.size())
        fail("fit", "{} densities are given for {} vertices", options.density.size(), rest.positions.size());
    joints.density = options.density;
    std::vector<double> nearest(rest.positions.size(), infinite), wanted(nearest);
    std::uint32_t next = options.first.value_or(farthest_from_centroid(rest));
    while (static_cast<int>(joints.vertices.size()) < count) {
        joints.vertices.push_back(next);
        const std::vector<double> d = distances.from(next);
        for (std::size_t v = 0; v < d.size(); ++v) nearest[v] = std::min(nearest[v], d[v]);
        for (std::size_t v = 0; v < d.size(); ++v) wanted[v] = nearest[v] * density_of(joints, v);
        next = static_cast<std::uint32_t>(std::max_element(wanted.begin(), wanted.end()) - wanted.begin());
        joints.radii.push_back(wanted[next]);
        if (nearest[next] == 0) break;
    }
    if (static_cast<int>(joints.vertices.size()) < count)
        warn(monitor, "fit-fewer-bones",
             "{} joints were requested, but the rest pose has only {} different positions", count,
             joints.vertices.size());
    if (options.relaxations <= 0) return joints;
    const std::vector<double> areas = vertex_areas(rest);
    for (int r = 0; r < options.relaxations; ++r) relax(rest, distances, areas, joints);
    const Nearest after = nearest_joints(distances, joints, rest.positions.size());
    joints.radii.back() = 0;
    for (std::size_t v = 0; v < rest.positions.size(); ++v)
        joints.radii.back() = std::max(joints.radii.back(), after.distance[v] * density_of(joints, v));
    return joints;
}

namespace {

/// Means over neighbours, repeated.
void smooth(const Rows& neighbors, int rounds, std::vector<double>& values) {
    std::vector<double> next(values.size());
    for (int r = 0; r < rounds; ++r) {
        for (std::size_t v = 0; v < values.size(); ++v) {
            double sum = values[v];
            for (const std::uint32_t other : neighbors[v]) sum += values[other];
            next[v] = sum / static_cast<double>(neighbors[v].size() + 1);
        }
        values.swap(next);
    }
}

}  // namespace

std::vector<double> bending_density(const model::MeshSequence& sequence, double strength) {
    const Mesh& rest = sequence.rest;
    std::vector<double> bend(rest.positions.size(), 0);
    // How far the normals of the triangles around a vertex spread, against the rest pose: the mean of unit
    // normals is shorter the more they differ.
    const auto spread = [&](const std::vector<math::Vec3f>& points) {
        std::vector<Vec3d> sum(points.size(), Vec3d::Zero());
        std::vector<double> count(points.size(), 0);
        for (const geometry::Triangle& t : rest.triangles) {
            const Vec3d a = points[t[0]].cast<double>(), b = points[t[1]].cast<double>();
            const Vec3d normal = (b - a).cross(points[t[2]].cast<double>() - a).normalized();
            for (const std::uint32_t v : t) {
                sum[v] += normal;
                count[v] += 1;
            }
        }
        std::vector<double> angles(points.size(), 0);
        for (std::size_t v = 0; v < angles.size(); ++v)
            angles[v] = count[v] > 0 ? std::acos(std::clamp(sum[v].norm() / count[v], 0.0, 1.0)) : 0;
        return angles;
    };
    const std::vector<double> still = spread(rest.positions);
    for (const auto& frame : sequence.frames) {
        const std::vector<double> now = spread(frame);
        for (std::size_t v = 0; v < bend.size(); ++v) bend[v] += (now[v] - still[v]) * (now[v] - still[v]);
    }
    double mean = 0;
    for (double& b : bend) {
        b = std::sqrt(b / static_cast<double>(std::max<std::size_t>(1, sequence.frames.size())));
        mean += b / static_cast<double>(bend.size());
    }
    // A joint influences more than one vertex, and weights should not jump between them.
    smooth(fit_neighbors(rest), static_cast<int>(std::sqrt(static_cast<double>(bend.size())) / 4), bend);
    for (double& b : bend) b = std::sqrt(1 + (mean > 0 ? strength * b / mean : 0));
    return bend;
}

namespace {

/// Hat functions from the distances of all vertices to each joint in order.
template <class DistancesFrom>
BlendWeights hats(std::size_t vertices, std::size_t joints, double reach, std::size_t influences,
                  const DistancesFrom& distances_from) {
    std::vector<std::vector<BoneWeight>> lists(vertices);
    std::vector<std::pair<double, std::uint32_t>> nearest(vertices, {infinite, 0});
    for (std::uint32_t j = 0; j < joints; ++j) {
        const std::vector<double> d = distances_from(j);
        for (std::size_t v = 0; v < vertices; ++v) {
            nearest[v] = std::min(nearest[v], {d[v], j});
            const double weight = reach > 0 ? 1 - d[v] / reach : (d[v] == 0 ? 1.0 : 0.0);
            if (weight > 0 && std::isfinite(d[v])) lists[v].push_back({j, weight});
        }
    }
    std::size_t limit = 1;
    for (std::size_t v = 0; v < vertices; ++v) {
        if (lists[v].empty()) lists[v] = {{nearest[v].second, 1}};
        double sum = 0;
        for (const BoneWeight& w : lists[v]) sum += w.weight;
        for (BoneWeight& w : lists[v]) w.weight /= sum;
        limit = std::max(limit, lists[v].size());
    }
    BlendWeights weights(vertices, limit);
    for (std::size_t v = 0; v < vertices; ++v) weights.set(v, lists[v]);
    return limited(weights, influences);
}

}  // namespace

BlendWeights hat_weights(const Mesh& rest, const ProxyJoints& joints, const HatOptions& options) {
    const Distances distances(rest, joints.metric);
    const double reach = hat_radius(joints, options);
    double smallest = 1;
    for (const double d : joints.density) smallest = std::min(smallest, d);
    return hats(rest.positions.size(), joints.vertices.size(), reach, options.influences,
                [&](std::uint32_t j) {
                    std::vector<double> d = distances.from(joints.vertices[j], reach / smallest);
                    for (std::size_t v = 0; v < d.size(); ++v) d[v] *= density_of(joints, v);
                    return d;
                });
}

double hat_radius(const ProxyJoints& joints, const HatOptions& options) {
    return std::max(options.reach, 1.05) * joints.radius();
}

BlendWeights hat_weights_at(std::span<const math::Vec3f> points, std::span<const Vec3d> centers, double reach,
                            std::size_t influences) {
    return hats(points.size(), centers.size(), reach, influences, [&](std::uint32_t j) {
        std::vector<double> distances(points.size());
        for (std::size_t v = 0; v < points.size(); ++v)
            distances[v] = (points[v].cast<double>() - centers[j]).norm();
        return distances;
    });
}

}  // namespace sinew::fit
