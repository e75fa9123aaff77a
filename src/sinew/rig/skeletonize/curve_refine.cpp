#include "sinew/rig/skeletonize/curve_refine.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/rig/skeletonize/curve_tidy.h"

namespace sinew::rig {
namespace {

constexpr int ray_count = 16;

/// Distance from an inner point to the surface along a direction, at most `most`: steps as long as the depth.
double march(const BodyField& field, const Vec3d& from, const Vec3d& direction, double most) {
    double t = 0;
    for (int i = 0; i < 48 && t < most; ++i) {
        const double depth = field.depth_at(from + t * direction);
        if (depth < 0.05 * field.cell()) break;
        t += std::max(depth, 0.1 * field.cell());
    }
    return std::min(t, most);
}

/// Mean of what the rays across the curve meet; long rays are cut, because they run along another limb.
Vec3d middle_across(const BodyField& field, const Vec3d& point, const Vec3d& tangent) {
    const Vec3d u = tangent.unitOrthogonal(), v = tangent.cross(u);
    const double most = 2.5 * std::max(field.depth_at(point), field.cell());
    Vec3d sum = Vec3d::Zero();
    for (int i = 0; i < ray_count; ++i) {
        const double angle = 2 * math::pi * i / ray_count;
        const Vec3d direction = std::cos(angle) * u + std::sin(angle) * v;
        sum += march(field, point, direction, most) * direction;
    }
    return point + sum / ray_count;
}

struct Neighbourhood {
    std::vector<std::vector<int>> around;

    explicit Neighbourhood(const CurveSkeleton& curve) : around(curve.nodes.size()) {
        for (const auto& [a, b] : curve.edges) {
            around[static_cast<std::size_t>(a)].push_back(b);
            around[static_cast<std::size_t>(b)].push_back(a);
        }
    }
    const std::vector<int>& of(int node) const { return around[static_cast<std::size_t>(node)]; }

    /// The node that lies `steps` away from `from` when one starts towards `to`; stops at ends and junctions.
    int walk(int from, int to, int steps) const {
        for (; steps > 1 && of(to).size() == 2; --steps) {
            const int next = of(to)[0] == from ? of(to)[1] : of(to)[0];
            from = to;
            to = next;
        }
        return to;
    }
};

class Centring {
  public:
    Centring(CurveSkeleton& curve, const BodyField& field, double spacing)
        : curve_(curve), field_(field), spacing_(spacing), links_(curve), moved_(curve.nodes.size()) {}

    /// Every node to the middle of its section, then towards its neighbours.
    void round() {
        each([&](int n) { return centred(n); });
        for (int pass = 0; pass < 2; ++pass) each([&](int n) { return smoothed(n); });
    }

  private:
    const Vec3d& at(int n) const { return curve_.nodes[static_cast<std::size_t>(n)].position; }

    /// A move counts only when the node does not lose much of its depth.
    template <class Target>
    void each(const Target& target) {
        parallel_for(curve_.nodes.size(), 16, [&](std::size_t n) {
            const Vec3d goal = target(static_cast<int>(n));
            const Vec3d& now = curve_.nodes[n].position;
            const double depth = field_.depth_at(now);
            moved_[n] =
                field_.depth_at(goal) >= std::min(0.7 * depth, depth - 0.2 * field_.cell()) ? goal : now;
        });
        for (std::size_t n = 0; n < moved_.size(); ++n) curve_.nodes[n].position = moved_[n];
    }

    Vec3d centred(int n) const {
        const auto& around = links_.of(n);
        if (around.empty() || around.size() > 2) return at(n);
        const int steps = std::clamp(static_cast<int>(field_.depth_at(at(n)) / spacing_), 1, 8);
        const Vec3d ahead = at(links_.walk(n, around[0], steps));
        const Vec3d behind = around.size() == 2 ? at(links_.walk(n, around[1], steps)) : at(n);
        const Vec3d tangent = ahead - behind;
        if (!(tangent.norm() > 1e-9 * field_.diagonal)) return at(n);
        return at(n) + 0.7 * (middle_across(field_, at(n), tangent.normalized()) - at(n));
    }

    Vec3d smoothed(int n) const {
        const auto& around = links_.of(n);
        if (around.size() < 2) return at(n);
        Vec3d sum = Vec3d::Zero();
        for (const int other : around) sum += at(other) / static_cast<double>(around.size());
        return (at(n) + sum) / 2;
    }

    CurveSkeleton& curve_;
    const BodyField& field_;
    double spacing_;
    Neighbourhood links_;
    std::vector<Vec3d> moved_;
};

void measure_radii(CurveSkeleton& curve, const BodyField& field) {
    for (CurveNode& node : curve.nodes) {
        node.radius = std::max(field.depth_at(node.position), 0.1 * field.cell());
    }
}

}  // namespace

CurveSkeleton refine_curve(CurveSkeleton curve, const BodyField& field, const RefineOptions& options) {
    const double spacing = options.spacing / 100 * field.diagonal;
    measure_radii(curve, field);
    curve = without_rings(curve);
    curve = evenly_spaced(without_spurs(curve, options.spur, options.junction), spacing);
    for (int round = 0; round < options.rounds; ++round) Centring(curve, field, spacing).round();
    measure_radii(curve, field);
    // Centred junctions have other radii.
    curve = evenly_spaced(without_spurs(curve, options.spur, options.junction), spacing);
    Centring(curve, field, spacing).round();
    measure_radii(curve, field);
    return curve;
}

std::vector<std::int32_t> assign_to_nodes(const CurveSkeleton& curve, const BodyField& field,
                                          const BodyGraph& graph,
                                          const std::vector<geometry::Vec3f>& points) {
    std::vector<std::uint32_t> sources;
    std::vector<float> starts;
    std::vector<std::int32_t> node_of_source;
    double largest = 0;
    for (const CurveNode& node : curve.nodes) largest = std::max(largest, node.radius);
    for (std::size_t n = 0; n < curve.nodes.size(); ++n) {
        const std::uint32_t source = graph.nearest(curve.nodes[n].position, 3);
        if (source == BodyGraph::none) continue;
        sources.push_back(source);
        // All balls are left at the same moment.
        starts.push_back(static_cast<float>((largest - curve.nodes[n].radius) / field.cell()));
        node_of_source.push_back(static_cast<std::int32_t>(n));
    }
    std::vector<std::uint32_t> label;
    graph.distances(sources, starts, &label);
    std::vector<std::int32_t> out(points.size(), -1);
    parallel_for(points.size(), 256, [&](std::size_t i) {
        const std::uint32_t at = graph.nearest(points[i].cast<double>(), 2);
        if (at != BodyGraph::none && label[at] != BodyGraph::none) out[i] = node_of_source[label[at]];
    });
    return out;
}

}  // namespace sinew::rig
