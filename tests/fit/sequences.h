// SPDX-License-Identifier: MIT
#pragma once
// Small sequences with known answers for the fits.

#include <cmath>

#include "support/random.h"
#include "support/shapes.h"

#include "sinew/fit/fit.h"

namespace sinew::fit::test {

using sinew::test::Random;

/// A sheet of side 1 with n x n vertices, bulging by `bulge`.
inline geometry::Mesh sheet(std::uint32_t n, double bulge = 0) {
    geometry::Mesh mesh;
    for (std::uint32_t i = 0; i < n; ++i) {
        for (std::uint32_t j = 0; j < n; ++j) {
            const double x = i / (n - 1.0), y = j / (n - 1.0);
            const double z = bulge * std::sin(math::pi * x) * std::sin(math::pi * y);
            mesh.positions.push_back(math::Vec3d(x, y, z).cast<float>());
        }
    }
    mesh.triangles = sinew::test::grid(n, n, false, false);
    return mesh;
}

/// A bar of 1 x 0.25 x 0.25 along x, its surface as `slices` rings of `around` vertices.
inline geometry::Mesh bar(std::uint32_t slices, std::uint32_t around = 8) {
    geometry::Mesh mesh;
    for (std::uint32_t i = 0; i < slices; ++i) {
        for (std::uint32_t j = 0; j < around; ++j) {
            const double a = 2 * math::pi * j / around, x = i / (slices - 1.0);
            mesh.positions.push_back(math::Vec3d(x, 0.125 * std::cos(a), 0.125 * std::sin(a)).cast<float>());
        }
    }
    mesh.triangles = sinew::test::grid(slices, around, false, true);
    return mesh;
}

/// A sequence from a function of rest position and time in 0 .. 1.
template <class Motion>
model::MeshSequence played(const geometry::Mesh& rest, std::size_t frames, const Motion& motion) {
    model::MeshSequence sequence;
    sequence.rest = rest;
    for (std::size_t f = 0; f < frames; ++f) {
        auto& frame = sequence.frames.emplace_back();
        const double time = frames > 1 ? static_cast<double>(f) / static_cast<double>(frames - 1) : 1;
        for (const auto& p : rest.positions)
            frame.push_back(math::Vec3d(motion(math::Vec3d(p.cast<double>()), time)).template cast<float>());
    }
    return sequence;
}

inline std::vector<math::Vec3d> doubles(const std::vector<math::Vec3f>& points) {
    std::vector<math::Vec3d> result;
    for (const auto& p : points) result.push_back(p.cast<double>());
    return result;
}

/// The half x > 0.5 of a bar turns about the middle, up to 60 degrees, with weights that blend over a fifth.
inline double hinge_weight(double x) {
    return std::clamp((x - 0.4) / 0.2, 0.0, 1.0);
}
inline math::Vec3d hinged(const math::Vec3d& p, double time) {
    const math::Vec3d pivot(0.5, 0, 0);
    const math::Vec3d rotated =
        pivot + Eigen::AngleAxisd(time * math::pi / 3, math::Vec3d::UnitZ()) * (p - pivot);
    const double w = hinge_weight(p.x());
    return (1 - w) * p + w * rotated;
}

/// A sheet that rolls up and ripples.
inline math::Vec3d rolled(const math::Vec3d& p, double time) {
    const double k = 2 * time + 1e-6;
    return {std::sin(k * p.x()) / k, p.y() + 0.02 * time * std::sin(9 * p.x()),
            p.z() + (1 - std::cos(k * p.x())) / k + 0.02 * std::sin(7 * p.y() + 6 * time)};
}

inline double diagonal(const geometry::Mesh& mesh) {
    return static_cast<double>(geometry::bounds(mesh.positions).diagonal());
}

}  // namespace sinew::fit::test
