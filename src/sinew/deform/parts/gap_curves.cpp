#include "sinew/deform/parts/gap_curves.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/math/planar.h"

namespace sinew::deform {
namespace {

/// The place on the seam that is nearest to a point: a twisted seam lies on itself only if it is a circle.
Vec3d nearest_on_seam(const Gap& gap, const PartBody& body, const GapMotion& motion, const Vec3d& point) {
    const auto at = [&](std::size_t i) {
        return motion.rest(gap, body, 0, static_cast<std::uint32_t>(i % gap.loop_size));
    };
    Vec3d best = at(0);
    for (std::size_t i = 0; i < gap.loop_size; ++i) {
        const Vec3d a = at(i), edge = at(i + 1) - a;
        const double t =
            edge.squaredNorm() > 0 ? std::clamp((point - a).dot(edge) / edge.squaredNorm(), 0.0, 1.0) : 0;
        const Vec3d place = a + t * edge;
        if ((place - point).squaredNorm() < (best - point).squaredNorm()) best = place;
    }
    return best;
}

}  // namespace

Vec3d SeamPath::at(double t) const {
    const math::Quatd identity = math::Quatd::Identity();
    const math::Quatd q =
        rule == ArcRule::slerp ? math::slerp(t, identity, turn) : math::nlerp(t, identity, turn);
    return pivot + t * shift + q * ((1 - t) * from + t * to - pivot);
}

double SeamPath::length() const {
    const Vec3d rotation = math::rotation_vector(turn);
    const double angle = rotation.norm();
    const double bend = angle > 0 ? rotation.cross(from - pivot).norm() : 0;  // angle times distance
    return std::max(bend, (at(1) - at(0)).norm());
}

SeamPath seam_path(const Gap& gap, const PartBody& body, const GapMotion& motion, std::size_t i,
                   ArcRule rule) {
    const auto point = static_cast<std::uint32_t>(i);
    SeamPath path{gap.pivot,
                  motion.rest(gap, body, 0, point),
                  motion.rest(gap, body, 1, point),
                  motion.relative.rotation,
                  motion.shift,
                  rule};
    if (motion.band) {
        path.turn = motion.swing;
        path.to = gap.pivot + motion.twist * (path.to - gap.pivot);
        // A little of the twisted point keeps the starts of neighbours apart at corners of the seam.
        path.from = 0.8 * nearest_on_seam(gap, body, motion, path.to) + 0.2 * path.to;
    }
    return path;
}

std::vector<Vec3d> arc_points(const SeamPath& path, double spacing) {
    const int pieces = math::pieces_of(path.length(), spacing);
    std::vector<Vec3d> points;
    for (int i = 1; i < pieces; ++i) points.push_back(path.at(static_cast<double>(i) / pieces));
    return points;
}

Vec3d bend_plane(const Gap& gap, const PartBody& body, const GapMotion& motion, BendPlane rule) {
    if (rule == BendPlane::axis) return motion.axis;
    const Vec3d to_child = motion.relative * body.centre[static_cast<std::size_t>(gap.child)] - gap.pivot;
    const Vec3d to_parent = body.centre[static_cast<std::size_t>(gap.parent)] - gap.pivot;
    const Vec3d normal = to_child.cross(to_parent);
    if (!(normal.norm() > 1e-6 * to_child.norm() * to_parent.norm())) return motion.axis;
    return normal.normalized();
}

InnerCurve inner_curve(const CurveEnd& child, const CurveEnd& parent, const Vec3d& middle, const Vec3d& plane,
                       const GapOptions& options) {
    const Vec3d x = plane.unitOrthogonal(), y = plane.cross(x);
    const auto flat = [&](const Vec3d& v) { return math::Vec2d(x.dot(v), y.dot(v)); };
    const auto tangent = [&](const CurveEnd& end) {
        if (options.tangents != TangentRule::surface) return end.inward;
        return Vec3d(end.inward - end.inward.dot(end.normal) * end.normal);
    };
    InnerCurve result;
    result.crossing = middle;
    const Vec3d child_way = tangent(child), parent_way = tangent(parent);
    const auto meet =
        math::cross_lines(flat(child.point), flat(child_way), flat(parent.point), flat(parent_way));
    // Both lines must run back to the joint to meet.
    if (meet && meet->t1 <= 0 && meet->t2 <= 0) {
        const math::Vec2d place = flat(child.point) + meet->t1 * flat(child_way);
        const double height = (plane.dot(child.point) + plane.dot(parent.point)) / 2;
        const Vec3d crossing = place.x() * x + place.y() * y + height * plane;
        const double reach = (child.point - parent.point).norm() + (child.point - middle).norm();
        if ((crossing - middle).norm() <= 2 * reach) result.crossing = crossing;
    }
    result.control = (1 - options.lambda) * result.crossing + options.lambda * middle;
    const double weight = options.sharpness
                              ? math::weight_of_sharpness(std::min(*options.sharpness, 0.99))
                              : math::circular_weight(child.point, result.control, parent.point);
    result.curve =
        math::conic_of_control(child.point, result.control, parent.point, std::clamp(weight, 0.05, 20.0));
    return result;
}

double slice_cost(const Vec3d& middle, const Vec3d& point, const Vec3d& plane) {
    return std::abs(plane.dot(point - middle)) + 0.1 * (point - middle).norm();
}

Triplet fast_triplet(const Vec3d& middle, std::span<const Vec3d> child, std::span<const Vec3d> parent,
                     const Vec3d& plane) {
    constexpr std::size_t few = 12;
    const auto best = [&](std::span<const Vec3d> points) {
        std::vector<std::pair<double, std::size_t>> costs;
        for (std::size_t i = 0; i < points.size(); ++i)
            costs.emplace_back(slice_cost(middle, points[i], plane), i);
        const std::size_t count = std::min(few, costs.size());
        std::partial_sort(costs.begin(), costs.begin() + static_cast<std::ptrdiff_t>(count), costs.end());
        costs.resize(count);
        return costs;
    };
    const auto of_child = best(child), of_parent = best(parent);
    std::vector<Vec3d> near_child, near_parent;
    for (const auto& [cost, i] : of_child) near_child.push_back(child[i]);
    for (const auto& [cost, i] : of_parent) near_parent.push_back(parent[i]);
    const Triplet found = literal_triplet(middle, near_child, near_parent, plane);
    return {of_child[found.child].second, of_parent[found.parent].second};
}

Triplet literal_triplet(const Vec3d& middle, std::span<const Vec3d> child, std::span<const Vec3d> parent,
                        const Vec3d& plane) {
    Triplet best;
    double best_angle = std::numeric_limits<double>::infinity(), best_way = best_angle;
    for (std::size_t c = 0; c < child.size(); ++c) {
        for (std::size_t p = 0; p < parent.size(); ++p) {
            const Vec3d a = child[c] - middle, b = parent[p] - middle, normal = a.cross(b);
            if (!(normal.norm() > 1e-9 * a.norm() * b.norm())) continue;
            const double angle = std::atan2(normal.cross(plane).norm(), std::abs(normal.dot(plane)));
            const double way = a.norm() + b.norm() + (child[c] - parent[p]).norm();
            const bool tie = std::abs(angle - best_angle) <= 1e-9;
            if (tie ? way >= best_way : angle > best_angle) continue;
            best = {c, p};
            best_angle = angle;
            best_way = way;
        }
    }
    return best;
}

}  // namespace sinew::deform
