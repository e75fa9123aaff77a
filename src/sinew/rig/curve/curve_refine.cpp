// SPDX-License-Identifier: MIT
#include "sinew/rig/curve/curve_refine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "sinew/base/parallel.h"
#include "sinew/rig/curve/curve_growth.h"
#include "sinew/rig/curve/curve_skeleton.h"

namespace sinew::rig {

namespace {

const CurveNode& node_of(const CurveSkeleton& curve, int node) {
    return curve.nodes[static_cast<std::size_t>(node)];
}

/// How far the spheres of a branch reach from its junction, in radii of the junction.
double branch_reach(const CurveSkeleton& curve, const CurveBranch& branch, int junction) {
    const CurveNode& from = node_of(curve, junction);
    double most = 0;
    for (const int n : branch.nodes) {
        const CurveNode& node = node_of(curve, n);
        most = std::max(most, (node.position - from.position).norm() + node.radius);
    }
    return from.radius > 0 ? most / from.radius : std::numeric_limits<double>::infinity();
}

/// The least significant branch, if one is to be removed; its nodes except the junction.
bool remove_spur(CurveSkeleton& curve, double spur) {
    const std::vector<int> degree = degrees(curve);
    const CurveBranch* worst = nullptr;
    double least = spur;
    const std::vector<CurveBranch> all = branches(curve);
    for (const CurveBranch& branch : all) {
        const int a = branch.nodes.front(), b = branch.nodes.back();
        const int degree_a = degree[static_cast<std::size_t>(a)],
                  degree_b = degree[static_cast<std::size_t>(b)];
        if (std::min(degree_a, degree_b) != 1 || std::max(degree_a, degree_b) < 3) continue;
        const double length = branch_reach(curve, branch, degree_a > 1 ? a : b);
        if (length >= least) continue;
        least = length;
        worst = &branch;
    }
    if (worst == nullptr) return false;
    CurveGraph graph(curve);
    for (const int n : worst->nodes) {
        if (degree[static_cast<std::size_t>(n)] < 3) graph.remove(n);
    }
    curve = graph.curve();
    return true;
}

/// The shortest link between junctions, relative to their radius, if it is too short.
bool merge_junctions(CurveSkeleton& curve, double junction) {
    const std::vector<int> degree = degrees(curve);
    const CurveBranch* shortest = nullptr;
    double least = junction;
    const std::vector<CurveBranch> all = branches(curve);
    for (const CurveBranch& branch : all) {
        const int a = branch.nodes.front(), b = branch.nodes.back();
        if (a == b || degree[static_cast<std::size_t>(a)] < 3 || degree[static_cast<std::size_t>(b)] < 3)
            continue;
        const double radius = std::max(node_of(curve, a).radius, node_of(curve, b).radius);
        const double length = radius > 0 ? branch.length / radius : std::numeric_limits<double>::infinity();
        if (length >= least) continue;
        least = length;
        shortest = &branch;
    }
    if (shortest == nullptr) return false;
    CurveGraph graph(curve);
    // The deepest of its nodes becomes the junction.
    const int into = *std::max_element(shortest->nodes.begin(), shortest->nodes.end(), [&](int a, int b) {
        return node_of(curve, a).radius < node_of(curve, b).radius;
    });
    for (const int n : shortest->nodes) {
        if (n != into) graph.merge(into, n);
    }
    curve = graph.curve();
    return true;
}

}  // namespace

CurveSkeleton without_rings(const CurveSkeleton& curve) {
    const auto thickness = [&](const std::array<int, 2>& edge) {
        return std::min(node_of(curve, edge[0]).radius, node_of(curve, edge[1]).radius);
    };
    std::vector<std::array<int, 2>> order = curve.edges;
    std::stable_sort(order.begin(), order.end(),
                     [&](const auto& a, const auto& b) { return thickness(a) > thickness(b); });
    std::vector<int> leader(curve.nodes.size());
    std::iota(leader.begin(), leader.end(), 0);
    const auto find = [&](int n) {
        while (leader[static_cast<std::size_t>(n)] != n) {
            int& up = leader[static_cast<std::size_t>(n)];
            n = up = leader[static_cast<std::size_t>(up)];
        }
        return n;
    };
    CurveSkeleton out;
    out.nodes = curve.nodes;
    for (const auto& edge : order) {
        const int a = find(edge[0]), b = find(edge[1]);
        if (a == b) continue;
        leader[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
        out.edges.push_back(edge);
    }
    std::sort(out.edges.begin(), out.edges.end());
    return out;
}

CurveSkeleton without_spurs(const CurveSkeleton& curve, double spur, double junction) {
    CurveSkeleton out = curve;
    while (remove_spur(out, spur) || merge_junctions(out, junction)) {
    }
    return out;
}

CurveSkeleton with_trimmed_ends(const CurveSkeleton& curve, double least, double tolerance) {
    const std::vector<int> degree = degrees(curve);
    CurveGraph graph(curve);
    const auto trim = [&](const std::vector<int>& nodes) {
        const CurveNode& tip = node_of(curve, nodes.front());
        std::size_t end = 0;
        const auto radius = [&](std::size_t i) { return node_of(curve, nodes[i]).radius; };
        while (end + 2 < nodes.size() && radius(end) < least && radius(end + 1) > radius(end)) ++end;
        // An end may lie in a cell that only touches the surface, and so may the next node.
        for (std::size_t next = end + 1; next + 1 < nodes.size() && next <= end + 3; ++next) {
            if (radius(end) < least / 2 && radius(next) >= least / 2) end = next;
        }
        if (radius(end) < least / 2 && end + 6 < nodes.size()) ++end;
        double best = -std::numeric_limits<double>::infinity();
        for (std::size_t i = end; i + 2 < nodes.size(); ++i) {
            const CurveNode& node = node_of(curve, nodes[i]);
            const double gain = node.radius - ((node.position - tip.position).norm() + tip.radius) / 2;
            if (gain < best - tolerance) break;
            if (gain <= best) continue;
            best = gain;
            end = i;
        }
        for (std::size_t i = 0; i < end; ++i) graph.remove(nodes[i]);
    };
    for (const CurveBranch& branch : branches(curve)) {
        std::vector<int> nodes = branch.nodes;
        if (degree[static_cast<std::size_t>(nodes.front())] == 1) trim(nodes);
        std::reverse(nodes.begin(), nodes.end());
        if (degree[static_cast<std::size_t>(nodes.front())] == 1 && graph.alive(nodes.back())) trim(nodes);
    }
    return graph.curve();
}

CurveSkeleton evenly_spaced(const CurveSkeleton& curve, double spacing) {
    const std::vector<int> degree = degrees(curve);
    CurveSkeleton out;
    std::vector<int> number(curve.nodes.size(), -1);
    const auto keep = [&](int n) {
        int& at = number[static_cast<std::size_t>(n)];
        if (at < 0) {
            at = static_cast<int>(out.nodes.size());
            out.nodes.push_back(node_of(curve, n));
        }
        return at;
    };
    for (std::size_t n = 0; n < degree.size(); ++n) {
        if (degree[n] != 2) keep(static_cast<int>(n));
    }
    for (const CurveBranch& branch : branches(curve)) {
        int last = keep(branch.nodes.front());
        const int end = keep(branch.nodes.back());
        const auto pieces = std::max(1.0, std::round(branch.length / spacing));
        const double step = branch.length / pieces;
        double walked = 0, next = step;
        for (std::size_t i = 1; i < branch.nodes.size(); ++i) {
            const CurveNode& a = node_of(curve, branch.nodes[i - 1]);
            const CurveNode& b = node_of(curve, branch.nodes[i]);
            const double length = (b.position - a.position).norm();
            for (; next < branch.length - step / 2 && next <= walked + length; next += step) {
                const double t = length > 0 ? (next - walked) / length : 0;
                out.nodes.push_back(
                    {a.position + t * (b.position - a.position), a.radius + t * (b.radius - a.radius)});
                const int added = static_cast<int>(out.nodes.size()) - 1;
                out.edges.push_back({std::min(last, added), std::max(last, added)});
                last = added;
            }
            walked += length;
        }
        if (last != end) out.edges.push_back({std::min(last, end), std::max(last, end)});
    }
    std::sort(out.edges.begin(), out.edges.end());
    return out;
}

namespace {

constexpr std::size_t ray_count = 16;

/// Directions of the rays across a curve.
const std::array<math::Vec2<double>, ray_count>& rays() {
    static const std::array<math::Vec2<double>, ray_count> list = [] {
        std::array<math::Vec2<double>, ray_count> made;
        for (std::size_t i = 0; i < ray_count; ++i) {
            const double angle = 2 * math::pi * static_cast<double>(i) / ray_count;
            made[i] = {std::cos(angle), std::sin(angle)};
        }
        return made;
    }();
    return list;
}

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

/// Centroid of the section across the curve, as the polygon of the hits of the rays. Rays are limited to
/// `most`.
Vec3d middle_across(const BodyField& field, const Vec3d& point, const Vec3d& tangent, double most) {
    const Vec3d u = tangent.unitOrthogonal(), v = tangent.cross(u);
    std::array<math::Vec2<double>, ray_count> corner;
    for (std::size_t i = 0; i < ray_count; ++i) {
        const math::Vec2<double>& ray = rays()[i];
        corner[i] = march(field, point, ray.x() * u + ray.y() * v, most) * ray;
    }
    math::Vec2<double> sum(0, 0);
    double area = 0;
    for (std::size_t i = 0; i < ray_count; ++i) {
        const auto& a = corner[i];
        const auto& b = corner[(i + 1) % ray_count];
        const double twice = a.x() * b.y() - a.y() * b.x();
        area += twice;
        sum += twice * (a + b) / 3;
    }
    if (!(area > 0)) return point;
    return point + (sum.x() * u + sum.y() * v) / area;
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
        : curve_(curve),
          field_(field),
          spacing_(spacing),
          links_(curve),
          moved_(curve.nodes.size()),
          range_(curve.nodes.size(), usual_range(curve, field)) {
        limit_near_junctions();
    }

    /// Moves every node to the middle of its section, then towards its neighbours.
    void round() {
        each([&](int n) { return centred(n); });
        for (int pass = 0; pass < 2; ++pass) each([&](int n) { return smoothed(n); });
    }

  private:
    /// Long rays run along another limb; only a sheet is everywhere much wider than thick.
    static double usual_range(const CurveSkeleton& curve, const BodyField& field) {
        const bool sheet = std::all_of(curve.nodes.begin(), curve.nodes.end(),
                                       [&](const CurveNode& node) { return node.radius < 2 * field.cell(); });
        return sheet ? 40 : 2.5;
    }

    const Vec3d& at(int n) const { return curve_.nodes[static_cast<std::size_t>(n)].position; }

    /// Sections near a junction cut through the other limbs as well: rays are shorter there.
    void limit_near_junctions() {
        for (const CurveBranch& branch : branches(curve_)) {
            const auto limit = [&](auto begin, auto end) {
                const CurveNode& junction = curve_.nodes[static_cast<std::size_t>(*begin)];
                if (links_.of(*begin).size() < 3) return;
                for (auto n = begin; n != end; ++n) {
                    if ((at(*n) - junction.position).norm() > 1.5 * junction.radius) break;
                    range_[static_cast<std::size_t>(*n)] = 2;
                }
            };
            limit(branch.nodes.begin(), branch.nodes.end());
            limit(branch.nodes.rbegin(), branch.nodes.rend());
        }
    }

    /// A move is accepted only when the node does not lose much of its depth.
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
        const double most =
            range_[static_cast<std::size_t>(n)] * std::max(field_.depth_at(at(n)), field_.cell());
        return at(n) + 0.7 * (middle_across(field_, at(n), tangent.normalized(), most) - at(n));
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
    std::vector<double> range_;  ///< of the rays, in depths
};

/// Moves the point towards greater depth until it lies a cell below the surface, or in the middle of a
/// thinner part.
Vec3d pulled_inside(const BodyField& field, Vec3d point) {
    double depth = field.depth_at(point);
    for (int i = 0; i < 64 && depth < field.cell(); ++i) {
        const Vec3d slope = field.gradient_at(point);
        if (!(slope.norm() > 1e-6)) break;
        const Vec3d next = point + 0.25 * field.cell() * slope.normalized();
        const double reached = field.depth_at(next);
        if (reached <= depth) break;
        point = next;
        depth = reached;
    }
    return point;
}

/// Nodes outside the body are moved back; edges that leave it, across the inside of a bend, get a node in
/// their middle.
CurveSkeleton kept_inside(const CurveSkeleton& curve, const BodyField& field) {
    CurveGraph graph(curve);
    for (CurveNode& node : graph.nodes) {
        if (field.depth_at(node.position) < 0.5 * field.cell())
            node.position = pulled_inside(field, node.position);
    }
    for (const auto& [a, b] : curve.edges) {
        const Vec3d middle = (graph.at(a).position + graph.at(b).position) / 2;
        if (field.depth_at(middle) > 0) continue;
        const int added = graph.add({pulled_inside(field, middle), 0});
        graph.unlink(a, b);
        graph.link(a, added);
        graph.link(added, b);
    }
    return graph.curve();
}

}  // namespace

void measure_radii(CurveSkeleton& curve, const BodyField& field) {
    for (CurveNode& node : curve.nodes) {
        node.radius = std::max(field.depth_at(node.position), 0.1 * field.cell());
    }
}

namespace {

constexpr double junction_radii = 1;  // junctions nearer than this are one (Xie 2009 merges at 0.75)
constexpr double node_spacing = 1.2;  // percent of the diagonal

}  // namespace

CurveSkeleton refine_curve(CurveSkeleton curve, const BodyField& field, const RefineOptions& options) {
    const double spacing = node_spacing / 100 * field.diagonal;
    curve = kept_inside(curve, field);
    measure_radii(curve, field);
    curve = without_rings(curve);
    curve = evenly_spaced(without_spurs(curve, options.spur, junction_radii), spacing);
    measure_radii(curve, field);
    for (int round = 0; round < options.rounds; ++round) Centring(curve, field, spacing).round();
    curve = kept_inside(curve, field);
    measure_radii(curve, field);
    curve = with_trimmed_ends(curve, 1.25 * field.cell(), options.trim * field.cell());
    // Centred junctions have other radii.
    curve = evenly_spaced(without_spurs(curve, options.spur, junction_radii), spacing);
    measure_radii(curve, field);
    Centring(curve, field, spacing).round();
    curve = kept_inside(curve, field);
    measure_radii(curve, field);
    return curve;
}

void finish_curve(CurveSkeleton& curve, const geometry::Mesh& mesh, const BodyField& field,
                  const BodyGraph& graph, Monitor& monitor) {
    const int tied = tie_loose_pieces(curve, field, graph);
    if (tied > 0)
        warn(monitor, "loose-parts", "{} loose parts were connected to the nearest part of the body", tied);
    const int bodies = piece_count(curve);
    if (bodies > 1) warn(monitor, "several-bodies", "{} bodies: each has a skeleton of its own", bodies);
    curve.node_of_vertex = assign_to_nodes(curve, field, graph, mesh.positions);
}

std::vector<std::int32_t> assign_to_nodes(const CurveSkeleton& curve, const BodyField& field,
                                          const BodyGraph& graph,
                                          const std::vector<geometry::Vec3f>& points) {
    const std::vector<std::uint32_t> label = node_of_cells(curve, field, graph);
    std::vector<std::int32_t> out(points.size(), -1);
    parallel_for(points.size(), 256, [&](std::size_t i) {
        const std::uint32_t at = graph.nearest(points[i].cast<double>(), 2);
        if (at != BodyGraph::none && label[at] != BodyGraph::none) {
            out[i] = static_cast<std::int32_t>(label[at]);
        }
    });
    return out;
}

}  // namespace sinew::rig
