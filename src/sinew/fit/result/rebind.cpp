// SPDX-License-Identifier: MIT

#include <algorithm>
#include <map>

#include <Eigen/LU>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/fit/decomposition/corrections.h"
#include "sinew/fit/decomposition/transforms.h"
#include "sinew/fit/fit.h"
#include "sinew/fit/proxy/proxy_joints.h"
#include "sinew/geometry/surface_queries.h"
#include "sinew/math/transform.h"

namespace sinew::fit {

using Eigen::Index;

namespace {

/// A position on the old mesh: up to three vertices and their barycentric weights.
struct SurfacePoint {
    std::array<std::uint32_t, 3> vertex{};
    std::array<double, 3> share{};
    int count = 0;

    void add(std::uint32_t v, double part) {
        vertex[static_cast<std::size_t>(count)] = v;
        share[static_cast<std::size_t>(count++)] = part;
    }
};

/// Barycentric weights of a point of a triangle. At a corner only that corner is used.
SurfacePoint point_on(const geometry::Mesh& mesh, const geometry::Triangle& t, const Vec3d& point) {
    math::Mat3d corners;
    for (int c = 0; c < 3; ++c)
        corners.col(c) = mesh.positions[t[static_cast<std::size_t>(c)]].cast<double>();
    const Vec3d ab = corners.col(1) - corners.col(0), ac = corners.col(2) - corners.col(0);
    const Vec3d ap = point - corners.col(0);
    const double dab = ab.squaredNorm(), dac = ac.squaredNorm(), cross = ab.dot(ac);
    const double area = dab * dac - cross * cross;
    const double v = area > 0 ? (dac * ab.dot(ap) - cross * ac.dot(ap)) / area : 0;
    const double w = area > 0 ? (dab * ac.dot(ap) - cross * ab.dot(ap)) / area : 0;
    const double shares[] = {1 - v - w, v, w};
    SurfacePoint on_surface;
    double sum = 0;
    for (std::size_t c = 0; c < 3; ++c) {
        if (shares[c] <= 1e-6) continue;
        on_surface.add(t[c], shares[c]);
        sum += shares[c];
    }
    for (double& s : on_surface.share) s /= sum;
    return on_surface;
}

std::vector<SurfacePoint> points_on(const geometry::Mesh& old, const geometry::Mesh& rest) {
    if (old.triangles.empty())
        fail("fit", "the old rest mesh has no triangles, so there are no weights to transfer");
    const geometry::SurfaceQueries queries(old);
    std::vector<SurfacePoint> surface_points(rest.positions.size());
    parallel_for(surface_points.size(), 256, [&](std::size_t v) {
        if (v < old.positions.size() && rest.positions[v] == old.positions[v]) {
            surface_points[v].add(static_cast<std::uint32_t>(v), 1);
            return;
        }
        const auto nearest = queries.nearest(rest.positions[v]);
        surface_points[v] = point_on(old, old.triangles[nearest->triangle], nearest->position.cast<double>());
    });
    return surface_points;
}

BlendWeights interpolated(const BlendWeights& weights, const std::vector<SurfacePoint>& surface_points) {
    BlendWeights all(surface_points.size(), 3 * weights.limit());
    std::vector<BoneWeight> list;
    for (std::size_t v = 0; v < surface_points.size(); ++v) {
        const SurfacePoint& on_surface = surface_points[v];
        if (on_surface.count == 1) {
            all.set(v, weights.of(on_surface.vertex[0]));
            continue;
        }
        std::map<std::uint32_t, double> sum;
        for (std::size_t c = 0; c < static_cast<std::size_t>(on_surface.count); ++c) {
            for (const BoneWeight& w : weights.of(on_surface.vertex[c]))
                sum[w.bone] += on_surface.share[c] * w.weight;
        }
        list.clear();
        for (const auto& [bone, weight] : sum) list.push_back({bone, weight});
        all.set(v, list);
    }
    // `limited` sorts and scales; complete lists that are short enough do not change.
    BlendWeights result(surface_points.size(), weights.limit());
    const BlendWeights short_lists = limited(all, weights.limit());
    for (std::size_t v = 0; v < surface_points.size(); ++v)
        result.set(v, all.of(v).size() <= weights.limit() ? all.of(v) : short_lists.of(v));
    return result;
}

void interpolate(const std::vector<SurfacePoint>& surface_points, Corrections& corrections) {
    if (corrections.count() == 0) return;
    Eigen::MatrixXd shapes =
        Eigen::MatrixXd::Zero(3 * static_cast<Index>(surface_points.size()), corrections.shapes.cols());
    for (std::size_t v = 0; v < surface_points.size(); ++v) {
        for (std::size_t c = 0; c < static_cast<std::size_t>(surface_points[v].count); ++c)
            shapes.middleRows<3>(3 * static_cast<Index>(v)) +=
                surface_points[v].share[c] *
                corrections.shapes.middleRows<3>(3 * static_cast<Index>(surface_points[v].vertex[c]));
    }
    corrections.shapes = std::move(shapes);
}

}  // namespace

FitResult rebound(const FitResult& fit, const geometry::Mesh& rest) {
    FitResult result = fit;
    result.rest = rest;
    if (rest.normals.empty() && !fit.rest.normals.empty())
        result.rest.normals = geometry::vertex_normals(rest.positions, rest.triangles);
    const bool hats = fit.hat_reach > 0;
    const bool corrected = fit.corrections.count() + fit.normal_corrections.count() > 0;
    const std::vector<SurfacePoint> surface_points =
        hats && !corrected ? std::vector<SurfacePoint>{} : points_on(fit.rest, rest);
    result.weights = hats ? hat_weights_at(rest.positions, fit.centers, fit.hat_reach, fit.weights.limit())
                          : interpolated(fit.weights, surface_points);
    interpolate(surface_points, result.corrections);
    interpolate(surface_points, result.normal_corrections);
    return result;
}

FitResult at_level(const FitResult& fit, const DetailLevel& level, const model::MeshSequence* sequence,
                   Monitor& monitor) {
    FitResult result = fit;
    const bool fewer = level.influences > 0 && level.influences < fit.weights.limit();
    result.weights = limited(fit.weights, level.influences);
    if (!level.normals) result.normals.clear();
    for (Corrections* c : {&result.corrections, &result.normal_corrections}) {
        const auto kept = static_cast<Index>(std::min(c->count(), level.corrections));
        c->shapes.conservativeResize(Eigen::NoChange, kept);
        c->amounts.conservativeResize(kept, Eigen::NoChange);
    }
    if (sequence == nullptr) return result;
    if (fewer) result.frames = fit_transforms(*sequence, result, {}, monitor);
    if (result.corrections.count() > 0)
        result.corrections.amounts = correction_amounts(result, *sequence, result.corrections.shapes);
    return result;
}

}  // namespace sinew::fit
