// SPDX-License-Identifier: MIT
#include "sinew/fit/decomposition/bone_seeds.h"

#include <algorithm>

#include <Eigen/Cholesky>

#include "sinew/base/parallel.h"

namespace sinew::fit {

using Eigen::Index;
using geometry::Rows;

Rows fit_neighbors(const geometry::Mesh& mesh) {
    const std::vector<std::uint32_t> map = geometry::weld_map(mesh.positions);
    std::vector<geometry::Triangle> triangles = geometry::welded(mesh.triangles, map);
    // A twin is connected to its first by a triangle that has no area.
    for (std::uint32_t v = 0; v < map.size(); ++v) {
        if (map[v] != v) triangles.push_back({map[v], v, v});
    }
    return geometry::vertex_neighbors(mesh.positions.size(), triangles);
}

std::vector<std::uint32_t> region_around(const Rows& neighbors, std::uint32_t vertex, std::size_t size) {
    std::vector<std::uint32_t> region{vertex};
    std::vector<bool> seen(neighbors.size(), false);
    seen[vertex] = true;
    for (std::size_t next = 0; next < region.size() && region.size() < size; ++next) {
        for (const std::uint32_t other : neighbors[region[next]]) {
            if (seen[other] || region.size() >= size) continue;
            seen[other] = true;
            region.push_back(other);
        }
    }
    return region;
}

Motions region_motion(const Target& target, std::span<const std::uint32_t> region) {
    math::Mat4d moments = math::Mat4d::Zero();
    for (const std::uint32_t v : region) moments += target.rest.col(v) * target.rest.col(v).transpose();
    Motions motions(3 * target.frames(), 4);
    parallel_for(static_cast<std::size_t>(target.frames()), 8, [&](std::size_t f) {
        Mat34d cross = Mat34d::Zero();
        for (const std::uint32_t v : region) cross += target.goal(f, v) * target.rest.col(v).transpose();
        motions.middleRows<3>(3 * static_cast<Index>(f)) = rigid_motion(cross, moments);
    });
    return motions;
}

Motions affine_region_motion(const Target& target, std::span<const std::uint32_t> region) {
    Motions motions = region_motion(target, region);
    math::Mat4d moments = math::Mat4d::Zero();
    for (const std::uint32_t v : region) moments += target.rest.col(v) * target.rest.col(v).transpose();
    math::Mat4d damped = moments;
    damped.diagonal().array() += 1e-6 * moments.trace();
    const Eigen::LDLT<math::Mat4d> factor(damped);
    for (Index f = 0; f < target.frames(); ++f) {
        Mat34d cross = Mat34d::Zero();
        for (const std::uint32_t v : region)
            cross += target.goal(static_cast<std::size_t>(f), v) * target.rest.col(v).transpose();
        auto motion = motions.middleRows<3>(3 * f);
        for (int round = 0; round < 3; ++round)
            motion += factor.solve(Mat34d(cross - motion * moments).transpose()).transpose();
    }
    return motions;
}

namespace {

std::vector<double> averaged(const Rows& neighbors, std::span<const double> errors, int rounds) {
    std::vector<double> now(errors.begin(), errors.end()), next(now.size());
    for (int r = 0; r < rounds; ++r) {
        for (std::size_t v = 0; v < now.size(); ++v) {
            double sum = now[v];
            for (const std::uint32_t other : neighbors[v]) sum += now[other];
            next[v] = sum / static_cast<double>(neighbors[v].size() + 1);
        }
        now.swap(next);
    }
    return now;
}

std::size_t hottest(const std::vector<double>& heat, std::mt19937* random) {
    const auto worst = static_cast<std::size_t>(std::max_element(heat.begin(), heat.end()) - heat.begin());
    if (random == nullptr || heat[worst] <= 0) return worst;
    double sum = 0;
    for (const double h : heat) sum += std::max(0.0, h);
    double left = sum * static_cast<double>((*random)()) * 0x1p-32;
    for (std::size_t v = 0; v < heat.size(); ++v) {
        left -= std::max(0.0, heat[v]);
        if (left < 0) return v;
    }
    return worst;
}

}  // namespace

Motions seed_motions(const Target& target, const Rows& neighbors, std::span<const double> errors,
                     std::size_t count, std::size_t size, std::mt19937* random) {
    std::vector<double> heat = averaged(neighbors, errors, 3);
    Motions motions(3 * target.frames(), 4 * static_cast<Index>(count));
    for (std::size_t b = 0; b < count; ++b) {
        const auto worst = static_cast<std::uint32_t>(hottest(heat, random));
        const std::vector<std::uint32_t> around = region_around(neighbors, worst, 3 * size);
        const std::span<const std::uint32_t> region(around.data(), std::min(size, around.size()));
        motions.middleCols<4>(4 * static_cast<Index>(b)) = region_motion(target, region);
        for (const std::uint32_t v : around) heat[v] = std::min(0.0, heat[v]) - 1e-30;
    }
    return motions;
}

}  // namespace sinew::fit
