// SPDX-License-Identifier: MIT
#include "sinew/rig/curve/skeleton_quality.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/geometry/topology.h"

namespace sinew::rig {

namespace {

const CurveNode& node_at(const CurveSkeleton& curve, int n) {
    return curve.nodes[static_cast<std::size_t>(n)];
}

/// Directions of the curve at its nodes, zero at junctions and lone nodes.
std::vector<Vec3d> tangents(const CurveSkeleton& curve) {
    const std::vector<int> degree = degrees(curve);
    std::vector<Vec3d> out(curve.nodes.size(), Vec3d::Zero());
    for (const auto& [a, b] : curve.edges) {
        const Vec3d along = (node_at(curve, b).position - node_at(curve, a).position).normalized();
        // The two edges of a node may have the same or opposite directions.
        for (const int n : {a, b}) {
            Vec3d& tangent = out[static_cast<std::size_t>(n)];
            tangent += tangent.dot(along) < 0 ? Vec3d(-along) : along;
        }
    }
    for (std::size_t n = 0; n < out.size(); ++n) {
        if (degree[n] < 1 || degree[n] > 2) out[n].setZero();
        if (out[n].norm() > 0) out[n].normalize();
    }
    return out;
}

/// |mean of the hits - node| / mean ray length, or -1 when more than a quarter of the rays has no hit.
double off_center(const geometry::SurfaceQueries& surface, const Vec3d& node, const Vec3d& tangent,
                  int rays) {
    const Vec3d u = tangent.unitOrthogonal(), v = tangent.cross(u);
    Vec3d sum = Vec3d::Zero();
    double length = 0;
    int hits = 0;
    for (int i = 0; i < rays; ++i) {
        const double angle = 2 * math::pi * i / rays;
        const Vec3d direction = std::cos(angle) * u + std::sin(angle) * v;
        const auto hit = surface.first_hit(node.cast<float>(), direction.cast<float>());
        if (!hit) continue;
        ++hits;
        sum += static_cast<double>(hit->distance) * direction;
        length += static_cast<double>(hit->distance);
    }
    if (hits * 4 < rays * 3 || !(length > 0)) return -1;
    return sum.norm() / length;
}

/// Nodes in the sphere of a junction.
std::vector<char> in_junctions(const CurveSkeleton& curve) {
    const std::vector<int> degree = degrees(curve);
    std::vector<char> out(curve.nodes.size());
    for (std::size_t j = 0; j < degree.size(); ++j) {
        if (degree[j] < 3) continue;
        for (std::size_t n = 0; n < out.size(); ++n) {
            if ((curve.nodes[n].position - curve.nodes[j].position).norm() < curve.nodes[j].radius)
                out[n] = 1;
        }
    }
    return out;
}

}  // namespace

Centredness centredness(const CurveSkeleton& curve, const geometry::SurfaceQueries& surface, int rays) {
    Centredness result;
    const std::vector<Vec3d> tangent = tangents(curve);
    result.of_node.assign(curve.nodes.size(), -1);
    parallel_for(curve.nodes.size(), 16, [&](std::size_t n) {
        if (tangent[n].norm() > 0) {
            result.of_node[n] = off_center(surface, curve.nodes[n].position, tangent[n], std::max(rays, 4));
        }
    });
    const std::vector<char> at_junction = in_junctions(curve);
    std::vector<double> values;
    std::size_t limb_nodes = 0;
    for (std::size_t n = 0; n < result.of_node.size(); ++n) {
        const double value = result.of_node[n];
        if (value < 0) continue;
        values.push_back(value);
        result.mean += value;
        if (at_junction[n] != 0) continue;
        result.limb_mean += value;
        ++limb_nodes;
    }
    result.nodes = values.size();
    if (values.empty()) return result;
    std::sort(values.begin(), values.end());
    result.mean /= static_cast<double>(values.size());
    if (limb_nodes > 0) result.limb_mean /= static_cast<double>(limb_nodes);
    result.p95 = values[static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(values.size()))) - 1];
    result.max = values.back();
    return result;
}

namespace {

using geometry::SurfaceQueries;

constexpr int measured_resolution = 128;  // cells of the interior along its longest side

SurfaceQueries surface_to_hit(const geometry::Mesh& mesh, const geometry::VoxelSolid& solid) {
    const geometry::Topology topology = geometry::topology(mesh);
    if (topology.closed && topology.components == 1) return SurfaceQueries(mesh);
    return SurfaceQueries(geometry::surface_of(solid, false));
}

/// Sum of the angles between following edges of the branches, in radians per diagonal.
double turning(const CurveSkeleton& curve, double diagonal) {
    double angles = 0, length = 0;
    for (const CurveBranch& branch : branches(curve)) {
        length += branch.length;
        const auto along = [&](std::size_t i) {
            return Vec3d(curve.nodes[static_cast<std::size_t>(branch.nodes[i + 1])].position -
                         curve.nodes[static_cast<std::size_t>(branch.nodes[i])].position);
        };
        for (std::size_t i = 0; i + 2 < branch.nodes.size(); ++i) {
            angles += std::atan2(along(i).cross(along(i + 1)).norm(), along(i).dot(along(i + 1)));
        }
    }
    return length > 0 ? angles * diagonal / length : 0;
}

/// A tree of branches: only nodes whose degree is not 2.
struct BranchTree {
    std::vector<std::vector<int>> around;

    explicit BranchTree(const CurveSkeleton& curve) : around(curve.nodes.size()) {
        for (const CurveBranch& branch : branches(curve)) {
            around[static_cast<std::size_t>(branch.nodes.front())].push_back(branch.nodes.back());
            around[static_cast<std::size_t>(branch.nodes.back())].push_back(branch.nodes.front());
        }
    }
    /// Nested brackets, children sorted.
    std::string code(int node, int parent) const {
        std::vector<std::string> children;
        for (const int other : around[static_cast<std::size_t>(node)]) {
            if (other != parent) children.push_back(code(other, node));
        }
        std::sort(children.begin(), children.end());
        std::string text = "(";
        for (const std::string& child : children) text += child;
        return text + ")";
    }
};

/// Codes of the pieces. A piece is coded from each of its junctions, and the smallest code is used.
std::string shape_of(const CurveSkeleton& curve) {
    const std::vector<int> degree = degrees(curve);
    const BranchTree tree(curve);
    std::vector<char> seen(curve.nodes.size());
    std::vector<std::string> codes;
    for (std::size_t start = 0; start < seen.size(); ++start) {
        if (seen[start] != 0 || degree[start] == 2) continue;
        std::vector<int> piece = {static_cast<int>(start)};
        seen[start] = 1;
        std::string least;
        for (std::size_t i = 0; i < piece.size(); ++i) {
            const std::string code = tree.code(piece[i], -1);
            if (least.empty() || code < least) least = code;
            for (const int other : tree.around[static_cast<std::size_t>(piece[i])]) {
                if (seen[static_cast<std::size_t>(other)] == 0) piece.push_back(other);
                seen[static_cast<std::size_t>(other)] = 1;
            }
        }
        codes.push_back(least);
    }
    std::sort(codes.begin(), codes.end());
    std::string all;
    for (const std::string& code : codes) all += code;
    return all;
}

}  // namespace

CurveTopology topology_of(const CurveSkeleton& curve) {
    CurveTopology out;
    for (const int degree : degrees(curve)) {
        if (degree == 1) ++out.ends;
        if (degree > 2) ++out.junctions;
    }
    out.branches = static_cast<int>(branches(curve).size());
    out.pieces = piece_count(curve);
    out.rings = static_cast<int>(curve.edges.size()) - static_cast<int>(curve.nodes.size()) + out.pieces;
    if (out.rings == 0) out.shape = shape_of(curve);
    return out;
}

double inside_fraction(const CurveSkeleton& curve, const geometry::VoxelSolid& solid) {
    if (curve.empty()) return 0;
    const auto inside = std::count_if(curve.nodes.begin(), curve.nodes.end(),
                                      [&](const CurveNode& node) { return solid.contains(node.position); });
    return static_cast<double>(inside) / static_cast<double>(curve.nodes.size());
}

QualityMeter::QualityMeter(const geometry::Mesh& mesh, Monitor& monitor)
    : solid_(geometry::voxel_solid(mesh, {.resolution = measured_resolution}, monitor)),
      surface_(surface_to_hit(mesh, solid_)),
      diagonal_(static_cast<double>(geometry::bounds(mesh.positions).diagonal())) {}

SkeletonQuality QualityMeter::operator()(const CurveSkeleton& curve) const {
    SkeletonQuality quality;
    quality.centredness = centredness(curve, surface_);
    quality.inside_fraction = inside_fraction(curve, solid_);
    quality.turning = turning(curve, diagonal_);
    quality.topology = topology_of(curve);
    return quality;
}

SkeletonQuality skeleton_quality(const CurveSkeleton& curve, const geometry::Mesh& mesh, Monitor& monitor) {
    return QualityMeter(mesh, monitor)(curve);
}

}  // namespace sinew::rig
