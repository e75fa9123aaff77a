#include "sinew/rig/centredness.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"

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
        // The two edges of a node may point the same way or against each other.
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

/// |mean of the hits - node| / mean ray length, or -1 when more than a quarter of the rays meets nothing.
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

/// Nodes in the ball of a junction.
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

}  // namespace sinew::rig
