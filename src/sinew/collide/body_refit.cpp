// Refits: the ball of a node from the joints alone.

#include <algorithm>
#include <cmath>

#include "sinew/collide/body.h"

namespace sinew::collide {

using deform::Method;

namespace {

/// Unit roundoff of the skinning that balls must contain: single precision.
constexpr double u = 0x1p-24;

Quatd times_pure(const Quatd& q, const Vec3d& p) {
    return q * Quatd(0, p.x(), p.y(), p.z());
}

/// Grows a ball by what rounding can do to its own numbers.
Ball grown(const Ball& ball, double slack) {
    return {ball.center, ball.radius * (1 + 16 * 0x1p-53) + slack};
}

}  // namespace

/// How far a vertex as computed in single precision can be from the exact one, twice: A v + t has an error of
/// gamma_4 per component, blending adds gamma_n; weights off the corners move it too.
double Body::linear_slack(std::size_t joints) const {
    return ((4 * static_cast<double>(joints) + 16) * u + 2 * tree_->weight_slack) * size_ +
           displacements_.bound;
}

/// Dual quaternions lose more when their sum is short; `farther` is how far from the origin they reach
/// besides.
double Body::dual_slack(std::size_t joints, double least, double farther) const {
    const double factor = (8 * static_cast<double>(joints) + 64) * u + 2 * tree_->weight_slack;
    return factor * (size_ + farther) / (least * least) + displacements_.bound;
}

Ball Body::refit(const Node& node, RefitRoom& room) {
    if (node.record_count == 0) return leaf_ball(node, room);
    const bool joint_by_joint = node.joint_ball_count > 0 && refit_ == Refit::automatic;
    if (joint_by_joint && !(method_ != Method::lbs && stretch_)) return joint_hull(node, room);
    room.balls.clear();
    const bool node_ball = refit_ == Refit::plain_hull || refit_ == Refit::weighted_hull;
    for (const Record& record : tree_->records_of(node)) {
        const Ball ball = (node_ball ? node.ball : record.ball).widen();
        if (refit_ == Refit::plain_hull && method_ == Method::lbs) {
            add_plain_hull(record, ball, room);
        } else if (method_ == Method::lbs || tree_->sets[record.set].joint_count == 1) {
            add_linear(record, ball, room);
        } else if (method_ == Method::sbs) {
            add_spherical(record, ball, room);
        } else {
            add_dual(record, ball, room);
        }
        if (!room.balls.back().bounded()) return node.leaf() ? leaf_ball(node, room) : unbounded();
    }
    return ball_of_balls(room.balls);
}

/// Around the deformed vertices themselves, which the triangles need anyway.
Ball Body::leaf_ball(const Node& node, RefitRoom& room) {
    Vec3d low = Vec3d::Constant(std::numeric_limits<double>::max()), high = -low;
    room.images.clear();
    for (std::uint32_t t = 0; t < node.triangle_count; ++t) {
        for (const std::uint32_t v : tree_->triangles[node.first_triangle + t]) {
            const Vec3d p = vertex(v, room).cast<double>();
            low = low.cwiseMin(p);
            high = high.cwiseMax(p);
            room.images.push_back(p);
        }
    }
    const Vec3d center = (low + high) / 2;
    double radius2 = 0;
    for (const Vec3d& p : room.images) radius2 = std::max(radius2, (p - center).squaredNorm());
    const std::size_t n = tree_->max_set_joints;
    const double slack = method_ == Method::lbs ? linear_slack(n) : dual_slack(n, 0.5);
    return grown({center, std::sqrt(radius2)}, slack - displacements_.bound);
}

/// Every vertex is a blend of its images under its joints, and those lie in the joints' balls. Linear: in
/// their hull. Dual quaternions: no farther from any point h than max |y_i - h| / <q_i, s> (the quotient
/// lemma with E_i = y_i q_i); spherical: the same with the spread of the moved centre added.
Ball Body::joint_hull(const Node& node, RefitRoom& room) {
    room.balls.clear();
    for (const JointBall& entry : tree_->joint_balls_of(node)) {
        const Joint& joint = joints_[entry.joint];
        const Ball ball = entry.ball.widen();
        room.balls.push_back(
            {joint.linear * ball.center + joint.move, joint.stretch * ball.radius + joint.bend});
    }
    const Ball hull = ball_of_balls(room.balls);
    if (method_ == Method::lbs) return grown(hull, linear_slack(tree_->max_set_joints));
    double least = 1, spread = 0, centers = 0;
    for (const Record& record : tree_->records_of(node)) {
        if (tree_->sets[record.set].joint_count == 1) continue;
        prepare_set(record.set);
        least = std::min(least, sets_[record.set].least);
        spread = std::max(spread, sets_[record.set].spread);
        centers = std::max(centers, sets_[record.set].center.squaredNorm());
    }
    if (!(least >= least_blend)) return unbounded();
    const double slack = dual_slack(tree_->max_set_joints, least, 2 * std::sqrt(centers));
    return grown({hull.center, (hull.radius + spread) / least}, slack);
}

/// Hull of the ball under every joint of the set, whatever the weights.
void Body::add_plain_hull(const Record& record, const Ball& ball, RefitRoom& room) {
    const auto joints = tree_->joints_of(record.set);
    for (const std::uint32_t j : joints) {
        const Joint& joint = joints_[j];
        room.balls.push_back(grown({joint.linear * ball.center + joint.move, joint.stretch * ball.radius},
                                   linear_slack(joints.size())));
    }
}

/// sum c_ki C_i p for every corner k (Kavan 2007, Algorithm 5.2); the radius is the largest that a joint
/// gives, because a corner of a simplex may have a weight below zero, though no vertex has.
void Body::add_linear(const Record& record, const Ball& ball, RefitRoom& room) {
    const auto joints = tree_->joints_of(record.set);
    room.images.clear();
    double stretch = 0;
    for (const std::uint32_t j : joints) {
        const Joint& joint = joints_[j];
        room.images.push_back(joint.linear * ball.center + joint.move);
        stretch = std::max(stretch, joint.stretch);
    }
    const double radius = stretch * ball.radius * (1 + 16 * 0x1p-53) + linear_slack(joints.size());
    if (joints.size() == 1) {
        room.balls.push_back({room.images[0], radius});
        return;
    }
    const float* corner = tree_->corners.data() + record.first_corner;
    for (std::uint32_t k = 0; k < record.corner_count; ++k) {
        Vec3d sum = Vec3d::Zero();
        for (const Vec3d& image : room.images) sum += static_cast<double>(*corner++) * image;
        room.balls.push_back({sum, radius});
    }
}

/// The ball after the stretches alone: linear blending of b_i + P_i (v - b_i).
Ball Body::stretched(const Record& record, const Ball& ball) const {
    const auto joints = tree_->joints_of(record.set);
    double stretch = 0;
    Vec3d mean = Vec3d::Zero();
    Ball sum{Vec3d::Zero(), 0};
    for (const bool centered : {false, true}) {
        for (const std::uint32_t j : joints) {
            const Vec3d& b = tree_->joint_centers[j];
            const Vec3d image = b + motions_[j].stretch * (ball.center - b);
            if (!centered) mean += image / static_cast<double>(joints.size());
            if (centered) sum.radius = std::max(sum.radius, (image - mean).norm());
            stretch = std::max(stretch, joints_[j].stretch);
        }
    }
    return {mean, sum.radius + stretch * ball.radius * (1 + 1e-6)};
}

void Body::add_spherical(const Record& record, Ball ball, RefitRoom& room) {
    prepare_set(record.set);
    if (stretch_) ball = stretched(record, ball);
    const TreeSet& set = tree_->sets[record.set];
    const SetJoint* const joints = set_joints_.data() + set.first_joint;
    const Set& shared = sets_[record.set];
    if (stretch_ && shared.least < least_blend) {
        room.balls.push_back(unbounded());
        return;
    }
    const float* corner = tree_->corners.data() + record.first_corner;
    room.spherical.clear();
    for (std::uint32_t k = 0; k < record.corner_count; ++k) {
        SphericalCorner sum{Quatd(0, 0, 0, 0), Vec3d::Zero()};
        for (std::uint32_t i = 0; i < set.joint_count; ++i) {
            const auto c = static_cast<double>(*corner++);
            sum.q.coeffs() += c * joints[i].q.coeffs();
            sum.l += c * joints[i].moved;
        }
        room.spherical.push_back(sum);
    }
    const Vec3d g = ball.center - shared.center;
    double least = 1;
    const auto bound = refit_ == Refit::weighted_hull ? SphericalBound::cap : SphericalBound::smallest;
    const Ball path = spherical_ball(room.spherical, g, bound, least);
    const double n = static_cast<double>(set.joint_count), kappa = 2 * tree_->weight_slack;
    const double slack = ((4 * n + 80) * u + kappa) * (g.norm() + ball.radius) +
                         ((4 * n + 32) * u + kappa) * (std::sqrt(3.0) * shared.center.norm() + moved_);
    room.balls.push_back(
        grown({path.center, path.radius + ball.radius}, slack / least + displacements_.bound));
}

void Body::add_dual(const Record& record, Ball ball, RefitRoom& room) {
    prepare_set(record.set);
    if (stretch_) ball = stretched(record, ball);
    const TreeSet& set = tree_->sets[record.set];
    const SetJoint* const joints = set_joints_.data() + set.first_joint;
    const float* corner = tree_->corners.data() + record.first_corner;
    room.dual.clear();
    for (std::uint32_t k = 0; k < record.corner_count; ++k) {
        Quatd real(0, 0, 0, 0), dual(0, 0, 0, 0);
        for (std::uint32_t i = 0; i < set.joint_count; ++i) {
            const auto c = static_cast<double>(*corner++);
            real.coeffs() += c * joints[i].q.coeffs();
            dual.coeffs() += c * joints[i].dual.coeffs();
        }
        Quatd e = times_pure(real, ball.center);
        e.coeffs() += 2 * dual.coeffs();
        room.dual.push_back({e, real});
    }
    double least = 1;
    const Ball path = dual_ball(room.dual, set.joint_count == 2, least);
    if (!path.bounded()) {
        room.balls.push_back(unbounded());
        return;
    }
    room.balls.push_back(grown({path.center, path.radius + ball.radius}, dual_slack(set.joint_count, least)));
}

}  // namespace sinew::collide
