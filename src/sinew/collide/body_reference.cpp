// Refits by the formulas as they stand, in double: the variants to compare with, and what stretched joints
// need.

#include <algorithm>
#include <cmath>

#include "sinew/collide/body.h"

namespace sinew::collide {

using deform::Method;

namespace {

Quatd times_pure(const Quatd& q, const Vec3d& p) {
    return q * Quatd(0, p.x(), p.y(), p.z());
}

/// Grows a ball by what rounding can do to its own numbers.
Ball grown(const Ball& ball, double slack) {
    return {ball.center, ball.radius * (1 + 16 * 0x1p-53) + slack};
}

}  // namespace

Ball Body::reference_refit(const Node& node, QueryScratch& room) {
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
        if (!room.balls.back().bounded()) return unbounded();
    }
    return ball_of_balls(room.balls);
}

/// Hull of the ball under every joint of the set, whatever the weights.
void Body::add_plain_hull(const Record& record, const Ball& ball, QueryScratch& room) {
    const auto joints = tree_->joints_of(record.set);
    for (const std::uint32_t j : joints) {
        const Joint& joint = joints_[j];
        room.balls.push_back(grown({joint.linear * ball.center + joint.move, joint.stretch * ball.radius},
                                   linear_slack(joints.size())));
    }
}

/// sum c_ki C_i p for every corner k (Kavan 2007, Algorithm 5.2); the radius is the largest that a joint
/// gives, because a corner of a simplex may have a weight below zero, though no vertex has.
void Body::add_linear(const Record& record, const Ball& ball, QueryScratch& room) {
    const auto joints = tree_->joints_of(record.set);
    room.exact_images.clear();
    double stretch = 0;
    for (const std::uint32_t j : joints) {
        const Joint& joint = joints_[j];
        room.exact_images.push_back(joint.linear * ball.center + joint.move);
        stretch = std::max(stretch, joint.stretch);
    }
    const double radius = stretch * ball.radius * (1 + 16 * 0x1p-53) + linear_slack(joints.size());
    if (joints.size() == 1) {
        room.balls.push_back({room.exact_images[0], radius});
        return;
    }
    const float* corner = tree_->corners.data() + record.first_corner;
    for (std::uint32_t k = 0; k < record.corner_count; ++k) {
        Vec3d sum = Vec3d::Zero();
        for (const Vec3d& image : room.exact_images) sum += static_cast<double>(*corner++) * image;
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

void Body::add_spherical(const Record& record, Ball ball, QueryScratch& room) {
    prepare_exact(record.set);
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
    const Center center = rest_center(record.set);
    const Vec3d g = ball.center - center.point();
    double least = 1;
    const auto bound = refit_ == Refit::weighted_hull ? SphericalBound::cap : SphericalBound::smallest;
    const Ball path = spherical_ball(room.spherical, g, bound, least);
    room.balls.push_back(
        grown({path.center, path.radius + ball.radius},
              spherical_slack(set.joint_count, g.norm() + ball.radius, center.point().norm(), least) +
                  static_cast<double>(center.gap)));
}

void Body::add_dual(const Record& record, Ball ball, QueryScratch& room) {
    prepare_exact(record.set);
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
