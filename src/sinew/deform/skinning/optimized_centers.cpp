// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/deform/skinner.h"

namespace sinew::deform {

using geometry::Mesh;
using math::Vec3d;
using model::Influence;
using model::Skin;

namespace {

/// A triangle with its weights for one pair of joints.
struct PairTriangle {
    std::uint64_t pair;
    double first;  ///< mean weight of the lower joint
    double second;
    double area;
    Vec3d centroid;
};

std::uint64_t pair_of(std::uint32_t lower, std::uint32_t upper) {
    return (static_cast<std::uint64_t>(lower) << 32) | upper;
}

/// Mean weights of the three corners, in increasing order of joints.
std::vector<Influence> mean_weights(const Skin& skin, const geometry::Triangle& triangle) {
    std::vector<Influence> mean;
    for (const std::uint32_t corner : triangle) {
        for (const Influence& influence : skin.of(corner))
            mean.push_back({influence.joint, influence.weight / 3});
    }
    std::ranges::stable_sort(mean, {}, &Influence::joint);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < mean.size(); ++i) {
        if (kept > 0 && mean[kept - 1].joint == mean[i].joint) {
            mean[kept - 1].weight += mean[i].weight;
        } else {
            mean[kept++] = mean[i];
        }
    }
    mean.resize(kept);
    return mean;
}

/// Every triangle once for each pair of joints that influences it, grouped by pair.
std::vector<PairTriangle> triangles_by_pair(const Mesh& mesh, const Skin& skin) {
    std::vector<PairTriangle> list;
    for (const geometry::Triangle& t : mesh.triangles) {
        const Vec3d a = mesh.positions[t[0]].cast<double>(), b = mesh.positions[t[1]].cast<double>(),
                    c = mesh.positions[t[2]].cast<double>();
        const double area = (b - a).cross(c - a).norm() / 2;
        const std::vector<Influence> mean = mean_weights(skin, t);
        for (std::size_t j = 0; j < mean.size(); ++j) {
            for (std::size_t l = j + 1; l < mean.size(); ++l) {
                list.push_back({pair_of(mean[j].joint, mean[l].joint), mean[j].weight, mean[l].weight, area,
                                (a + b + c) / 3});
            }
        }
    }
    std::ranges::stable_sort(list, {}, &PairTriangle::pair);
    return list;
}

struct WeightedSum {
    Vec3d points = Vec3d::Zero();
    double weight = 0;
};

/// Adds the triangles of one pair of joints, whose weights at the vertex are p and q.
void add_pair(WeightedSum& sum, std::span<const PairTriangle> triangles, double p, double q, double width) {
    for (const PairTriangle& t : triangles) {
        const double difference = (p * t.second - q * t.first) / width;
        const double exponent = difference * difference;
        if (exponent > 40) continue;
        const double likeness = p * q * t.first * t.second * std::exp(-exponent) * t.area;
        sum.points += likeness * t.centroid;
        sum.weight += likeness;
    }
}

}  // namespace

std::vector<math::Vec3f> optimized_centers(const Mesh& mesh, const Skin& skin, const CenterOptions& options) {
    if (skin.vertex_count() != mesh.vertex_count()) {
        fail("deform", "the skin has {} vertices, the mesh {}", skin.vertex_count(), mesh.vertex_count());
    }
    const std::vector<PairTriangle> triangles = triangles_by_pair(mesh, skin);
    std::vector<math::Vec3f> centers = mesh.positions;
    parallel_for(mesh.vertex_count(), 256, [&](std::size_t v) {
        const std::span<const Influence> own = skin.of(v);
        WeightedSum sum;
        for (std::size_t j = 0; j < own.size(); ++j) {
            for (std::size_t l = j + 1; l < own.size(); ++l) {
                const auto range = std::ranges::equal_range(triangles, pair_of(own[j].joint, own[l].joint),
                                                            {}, &PairTriangle::pair);
                add_pair(sum, {range.begin(), range.end()}, own[j].weight, own[l].weight, options.width);
            }
        }
        if (sum.weight > 1e-30) centers[v] = (sum.points / sum.weight).cast<float>();
    });
    return centers;
}

std::vector<math::Vec3f> centers_for(Method method, const Mesh& mesh, const Skin& skin) {
    return method == Method::cor && !skin.empty() ? optimized_centers(mesh, skin)
                                                  : std::vector<math::Vec3f>{};
}

}  // namespace sinew::deform
