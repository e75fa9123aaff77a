// SPDX-License-Identifier: MIT
// Axes of parts that follow openings and parents.

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/SVD>

#include "sinew/base/parallel.h"
#include "sinew/rig/parts/part_piece.h"

namespace sinew::rig {
namespace {

/// Angle between a line and a direction, 0 .. 90 degrees; exact near 0, where the cosine is inaccurate.
double line_angle(const Vec3d& line, const Vec3d& direction) {
    return std::atan2(line.cross(direction).norm(), std::abs(line.dot(direction)));
}

struct NearestAxis {
    int axis = 0;
    double angle = 0;
};
NearestAxis nearest_axis(const Mat3d& axes, const Vec3d& direction) {
    NearestAxis best{0, line_angle(axes.col(0), direction)};
    for (int i = 1; i < 3; ++i) {
        const double angle = line_angle(axes.col(i), direction);
        if (angle < best.angle) best = {i, angle};
    }
    return best;
}

/// Orthonormal again after rounding.
Mat3d orthonormal(const Mat3d& axes) {
    Mat3d result;
    result.col(0) = axes.col(0).normalized();
    result.col(1) = (axes.col(1) - axes.col(1).dot(result.col(0)) * result.col(0)).normalized();
    result.col(2) = result.col(0).cross(result.col(1));
    return result;
}

/// Rotates the frame by `angle` along the shortest arc from one of its directions, with either sign, to
/// `towards`.
Mat3d turned(const Mat3d& axes, int axis, const Vec3d& towards, double angle) {
    Vec3d from = axes.col(axis);
    if (from.dot(towards) < 0) from = -from;
    const Vec3d about = from.cross(towards);
    if (about.norm() <= 1e-15) return axes;
    return orthonormal(Eigen::AngleAxisd(angle, about.normalized()) * axes);
}

/// Sums the weights of the openings for each direction.
struct AxisVotes {
    std::array<double, 3> weight{0, 0, 0};
    bool any = false;

    void add(int axis, double w) {
        weight[static_cast<std::size_t>(axis)] += w;
        any = true;
    }
    int choice(int current) const {
        int best = current;
        for (int i = 0; i < 3; ++i)
            if (weight[static_cast<std::size_t>(i)] > weight[static_cast<std::size_t>(best)] + 1e-9) best = i;
        return best;
    }
};

/// The rotation R that makes R s_i PD_k(i) fit the directions u_i best; undetermined components do not
/// change.
PartFrame procrustes(PartFrame frame, std::span<const Vec3d> towards, const std::vector<double>& weights,
                     double min, const PartRefineOptions& options) {
    AxisVotes votes;
    Mat3d sum = 1e-6 * Mat3d::Identity();  // of the frame with itself: sum of PD PD^T
    for (std::size_t i = 0; i < towards.size(); ++i) {
        if (towards[i].norm() <= min) continue;
        const Vec3d u = towards[i].normalized();
        const NearestAxis near = nearest_axis(frame.axes, u);
        if (near.angle > options.max) continue;
        votes.add(near.axis, weights[i]);
        const Vec3d axis = frame.axes.col(near.axis);
        sum += weights[i] * u * (axis.dot(u) < 0 ? Vec3d(-axis) : axis).transpose();
    }
    const Eigen::JacobiSVD<Mat3d> svd(sum, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Mat3d sign = Mat3d::Identity();
    if ((svd.matrixU() * svd.matrixV().transpose()).determinant() < 0) sign(2, 2) = -1;
    if (votes.any) frame.axes = orthonormal(svd.matrixU() * sign * svd.matrixV().transpose() * frame.axes);
    frame.main_axis = votes.choice(frame.main_axis);
    return frame;
}

/// The direction along which a box reaches farthest away from where `towards` points.
int farthest_axis(const geometry::OrientedBox& box, const Vec3d& towards) {
    const Vec3d reach = (box.axes.transpose() * towards).cwiseAbs().cwiseProduct(box.half);
    Eigen::Index axis = 0;
    reach.maxCoeff(&axis);
    return static_cast<int>(axis);
}

}  // namespace

std::vector<double> opening_weights(std::size_t count, bool has_parent) {
    if (count == 0) return {};
    const auto n = static_cast<double>(count);
    if (count == 1 || !has_parent) return std::vector<double>(count, 1 / n);
    std::vector<double> weights(count, 1 / (n + 1));
    weights.front() = 2 / (n + 1);
    return weights;
}

PartFrame refine_locally(const PartFrame& frame, std::span<const Vec3d> towards, bool has_parent, double min,
                         const PartRefineOptions& options) {
    const std::vector<double> weights = opening_weights(towards.size(), has_parent);
    if (options.local == LocalRefinement::off) return frame;
    if (options.local == LocalRefinement::procrustes)
        return procrustes(frame, towards, weights, min, options);
    PartFrame result = frame;
    AxisVotes votes;
    for (std::size_t i = 0; i < towards.size(); ++i) {
        if (towards[i].norm() <= min) continue;
        const Vec3d u = towards[i].normalized();
        const NearestAxis near = nearest_axis(result.axes, u);
        if (near.angle > options.max) continue;
        result.axes = turned(result.axes, near.axis, u, near.angle * weights[i]);
        votes.add(near.axis, weights[i]);
    }
    result.main_axis = votes.choice(result.main_axis);
    return result;
}

PartFrame refine_by_parent(const PartFrame& child, const PartFrame& parent, double max) {
    PartFrame result = child;
    const int main = child.main_axis;
    const NearestAxis near = nearest_axis(parent.axes, child.axes.col(main));
    if (near.angle <= max) {
        const Vec3d goal = parent.axes.col(near.axis);
        result.axes =
            turned(child.axes, main, goal.dot(child.axes.col(main)) < 0 ? Vec3d(-goal) : goal, near.angle);
    }
    const Vec3d about = result.axes.col(main);
    double min = std::numeric_limits<double>::infinity();
    Vec3d from = Vec3d::Zero(), to = Vec3d::Zero();
    for (int c = 0; c < 3; ++c) {
        for (int p = 0; p < 3; ++p) {
            if (c == main || p == near.axis) continue;
            const Vec3d direction = parent.axes.col(p);
            const Vec3d flat = direction - direction.dot(about) * about;
            if (flat.norm() <= 1e-9) continue;
            const double angle = line_angle(result.axes.col(c), flat.normalized());
            if (angle >= min) continue;
            min = angle;
            from = result.axes.col(c);
            to = flat.normalized();
        }
    }
    if (min > max) return result;
    if (from.dot(to) < 0) to = -to;
    const double sign = about.dot(from.cross(to)) < 0 ? -1 : 1;
    result.axes = orthonormal(Eigen::AngleAxisd(sign * min, about) * result.axes);
    return result;
}

std::vector<geometry::PartFeatures> refined(const std::vector<geometry::PartFeatures>& features,
                                            const std::vector<geometry::PartShape>& shapes,
                                            const geometry::PartTree& tree,
                                            const PartRefineOptions& options) {
    std::vector<geometry::PartFeatures> result = features;
    const std::vector<PartOpenings> openings = openings_of_parts(tree);
    for (const int part : tree.order) {
        const auto p = static_cast<std::size_t>(part);
        std::vector<Vec3d> towards;
        for (const Vec3d& at : openings[p].at) towards.push_back(at - features[p].centre);
        PartFrame frame{features[p].box.axes, features[p].main_axis};
        frame = refine_locally(frame, towards, tree.parent[p] >= 0, 1e-6 * features[p].box.radius(), options);
        const bool leaf = towards.size() == 1 && options.local != LocalRefinement::off;
        if (leaf && nearest_axis(frame.axes, towards.front()).angle > options.max)
            frame.main_axis = farthest_axis(features[p].box, towards.front());
        if (options.parent && tree.parent[p] >= 0) {
            const auto& up = result[static_cast<std::size_t>(tree.parent[p])];
            frame = refine_by_parent(frame, {up.box.axes, up.main_axis}, options.max_parent);
        }
        result[p].box.axes = frame.axes;
        result[p].main_axis = frame.main_axis;
    }
    parallel_for(result.size(), 1, [&](std::size_t p) { geometry::update_extents(shapes[p], result[p]); });
    return result;
}

}  // namespace sinew::rig
