// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include <Eigen/Eigenvalues>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/geometry/topology.h"
#include "sinew/math/types.h"
#include "sinew/model/roles.h"
#include "sinew/rig/contraction/contraction.h"
#include "sinew/rig/curve/skeleton_quality.h"
#include "sinew/rig/curve/voxel_skeleton.h"
#include "sinew/rig/joints/joints.h"
#include "sinew/rig/joints/segment_template.h"
#include "sinew/rig/parts/labels.h"

namespace sinew::rig {
namespace {

using geometry::CutMesh;
using math::Vec3d;

/// The plane of a surface, if all its points are near it.
std::optional<Vec3d> sheet_normal(const CutMesh& surface, double flat) {
    Vec3d mean = Vec3d::Zero();
    for (const Vec3d& p : surface.points) mean += p / static_cast<double>(surface.points.size());
    math::Mat3d spread = math::Mat3d::Zero();
    for (const Vec3d& p : surface.points) spread += (p - mean) * (p - mean).transpose();
    const Vec3d normal = Eigen::SelfAdjointEigenSolver<math::Mat3d>(spread).eigenvectors().col(0);
    double off = 0, size = 0;
    for (const Vec3d& p : surface.points) {
        off = std::max(off, std::abs(normal.dot(p - mean)));
        size = std::max(size, (p - mean).norm());
    }
    if (!(size > 0) || off > flat * size) return std::nullopt;
    return normal;
}

/// For each point along edges; 0 on the border, infinite without a border.
std::vector<double> distances_to_border(const CutMesh& surface, const geometry::EdgeTable& table) {
    std::vector<std::vector<std::uint32_t>> around(surface.points.size());
    std::vector<double> distance(surface.points.size(), std::numeric_limits<double>::infinity());
    using Entry = std::pair<double, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    for (const geometry::Edge& edge : table.edges) {
        around[edge.a].push_back(edge.b);
        around[edge.b].push_back(edge.a);
        if (table.around(edge).size() != 1) continue;
        for (const std::uint32_t p : {edge.a, edge.b}) {
            if (distance[p] > 0) queue.emplace(0, p);
            distance[p] = 0;
        }
    }
    while (!queue.empty()) {
        const auto [d, p] = queue.top();
        queue.pop();
        if (d > distance[p]) continue;
        for (const std::uint32_t next : around[p]) {
            const double there = d + (surface.points[next] - surface.points[p]).norm();
            if (there >= distance[next]) continue;
            distance[next] = there;
            queue.emplace(there, next);
        }
    }
    return distance;
}

}  // namespace

std::optional<geometry::Mesh> pillow_of(const CutMesh& surface) {
    constexpr double flat = 0.02;  // of the size: how far points of a sheet may lie off its plane
    constexpr double rise = 0.6;   // of the distance to the border: half the thickness of the pillow
    const auto normal = sheet_normal(surface, flat);
    if (!normal) return std::nullopt;
    const geometry::EdgeTable table = geometry::edge_table(surface.triangles);
    const std::vector<double> distance = distances_to_border(surface, table);
    geometry::Mesh pillow;
    std::vector<std::uint32_t> other(surface.points.size());  // on the other side
    for (std::uint32_t p = 0; p < surface.points.size(); ++p) {
        if (distance[p] == std::numeric_limits<double>::infinity()) return std::nullopt;
        other[p] = p;
        pillow.positions.push_back((surface.points[p] + rise * distance[p] * *normal).cast<float>());
    }
    for (std::uint32_t p = 0; p < surface.points.size(); ++p) {
        if (distance[p] == 0) continue;
        other[p] = static_cast<std::uint32_t>(pillow.positions.size());
        pillow.positions.push_back((surface.points[p] - rise * distance[p] * *normal).cast<float>());
    }
    // The front must face along the normal.
    double facing = 0;
    for (const auto& [a, b, c] : surface.triangles)
        facing +=
            normal->dot((surface.points[b] - surface.points[a]).cross(surface.points[c] - surface.points[a]));
    for (const auto& [a, b, c] : surface.triangles)
        pillow.triangles.push_back(facing < 0 ? geometry::Triangle{a, c, b} : geometry::Triangle{a, b, c});
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        const auto [a, b, c] = pillow.triangles[t];
        pillow.triangles.push_back({other[a], other[c], other[b]});
    }
    return pillow;
}

namespace {

int majority(int a, int b, int c) {
    return b == c ? b : a;
}

/// The curve and the joints by which a mesh is cut.
struct Guide {
    CurveSkeleton curve;
    model::Skeleton skeleton;
};

Guide with_joints(CurveSkeleton curve, const geometry::Mesh& mesh) {
    JointBody body;
    body.diagonal = static_cast<double>(geometry::bounds(mesh.positions).diagonal());
    JointOptions joints;
    joints.longest = std::numeric_limits<double>::infinity();  // a long limb is one part
    model::Skeleton skeleton = with_middle_joints(skeleton_of(curve, joints, body), curve);
    model::use_canonical_names(skeleton, model::find_roles(skeleton));
    model::make_names_unique(skeleton);
    return {std::move(curve), std::move(skeleton)};
}

/// By contraction, whose curves keep the proportions by which roles are recognised, if the curve is connected
/// and inside; otherwise from the interior, which works for every mesh.
Guide guide_of(const geometry::Mesh& mesh, Monitor& monitor) {
    const UnitBody body(mesh, monitor);
    try {
        CurveSkeleton curve = contraction_skeleton(mesh, body, monitor).curve;
        const SkeletonQuality quality = skeleton_quality(curve, mesh, monitor);
        const bool mapped = curve.node_of_vertex.size() == mesh.vertex_count();
        if (mapped && quality.topology.pieces == 1 && quality.inside_fraction >= min_inside)
            return with_joints(std::move(curve), mesh);
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {  // the other method remains
    }
    return with_joints(voxel_skeleton(body, monitor).curve, mesh);
}

}  // namespace

CurveShape curve_shape(const geometry::Mesh& mesh, const CurveSkeleton& curve) {
    const std::size_t count = curve.nodes.size();
    CurveShape shape{std::vector<double>(count, 0), std::vector<double>(count, 0)};
    std::vector<Vec3d> sums(count, Vec3d::Zero());  // of area, of distance, of its square
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3d p = mesh.positions[a].cast<double>(), q = mesh.positions[b].cast<double>(),
                    r = mesh.positions[c].cast<double>();
        const double third = (q - p).cross(r - p).norm() / 6;
        for (const std::uint32_t v : {a, b, c}) {
            const int node = curve.node_of_vertex[v];
            if (node < 0) continue;
            const double away =
                (mesh.positions[v].cast<double>() - curve.nodes[sinew::at(node)].position).norm();
            shape.area[sinew::at(node)] += third;
            sums[sinew::at(node)] += third * Vec3d(1, away, away * away);
        }
    }
    // Over a node and its neighbours, because few vertices belong to each; never less than the sphere.
    std::vector<Vec3d> wide = sums;
    for (const auto& [a, b] : curve.edges) {
        wide[sinew::at(a)] += sums[sinew::at(b)];
        wide[sinew::at(b)] += sums[sinew::at(a)];
    }
    for (std::size_t n = 0; n < count; ++n) {
        const double mean = wide[n].x() > 0 ? wide[n].y() / wide[n].x() : 0;
        const double square = wide[n].x() > 0 ? wide[n].z() / wide[n].x() : 0;
        // A sheet of half width w has the mean w / 2 and the deviation w / sqrt(12): together w.
        const double reach = mean + std::sqrt(3 * std::max(square - mean * mean, 0.0));
        shape.girth[n] = std::max(curve.nodes[n].radius, reach);
    }
    return shape;
}

SkeletonLabels skeleton_labels(const geometry::Mesh& mesh, Monitor& monitor) {
    Guide found = guide_of(mesh, monitor);
    SkeletonLabels result;
    result.guide = std::move(found.skeleton);
    result.cuts = cut_curve(found.curve, curve_shape(mesh, found.curve), result.guide);
    const auto of_vertex = [&](std::uint32_t v) {
        const int node = found.curve.node_of_vertex[v];
        return node < 0 ? -1 : result.cuts.of_node[sinew::at(node)];
    };
    for (const auto& [a, b, c] : mesh.triangles)
        result.of_face.push_back(majority(of_vertex(a), of_vertex(b), of_vertex(c)));
    return result;
}

}  // namespace sinew::rig
