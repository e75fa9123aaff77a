#include "sinew/rig/skeleton_quality.h"

#include <algorithm>
#include <cmath>

#include "sinew/geometry/topology.h"

namespace sinew::rig {
namespace {

using geometry::SurfaceQueries;

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

/// Codes of the pieces. A piece is coded from each of its junctions, and the least code counts.
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

SkeletonQuality skeleton_quality(const CurveSkeleton& curve, const geometry::Mesh& mesh,
                                 const QualityOptions& options, Monitor& monitor) {
    const auto solid = geometry::voxel_solid(mesh, {.resolution = options.resolution}, monitor);
    SkeletonQuality quality;
    quality.centredness = centredness(curve, surface_to_hit(mesh, solid), options.rays);
    quality.inside_fraction = inside_fraction(curve, solid);
    quality.turning = turning(curve, static_cast<double>(geometry::bounds(mesh.positions).diagonal()));
    quality.topology = topology_of(curve);
    return quality;
}

}  // namespace sinew::rig
