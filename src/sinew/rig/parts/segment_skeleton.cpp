#include "sinew/rig/parts/segment_skeleton.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/array.h"
#include "sinew/rig/skeletonize/skeletonize.h"

namespace sinew::rig {
namespace {

int majority(int a, int b, int c) {
    return b == c ? b : a;
}

/// By contraction, whose curves keep the proportions that roles are told by, where that is connected and
/// inside; otherwise from the solid, which every mesh has.
SkeletonizeResult guide_of(const geometry::Mesh& mesh, Monitor& monitor) {
    SkeletonizeOptions options;
    options.method = SkeletonMethod::contraction;
    try {
        SkeletonizeResult result = skeletonize(mesh, options, monitor);
        const bool mapped = result.curve.node_of_vertex.size() == mesh.vertex_count();
        if (mapped && result.quality.topology.pieces == 1 &&
            result.quality.inside_fraction >= options.least_inside)
            return result;
    } catch (const Error&) {  // the other way remains
    }
    options.method = SkeletonMethod::voxel;
    return skeletonize(mesh, options, monitor);
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
    // Over a node and its neighbours, because few vertices belong to each; never less than the ball.
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
    SkeletonizeResult found = guide_of(mesh, monitor);
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
