// SPDX-License-Identifier: MIT
// Refits by the exact formulas in double precision, for joints with a stretch.

#include <cmath>

#include "sinew/collide/body/refit.h"

namespace sinew::collide {

using deform::Method;

namespace {

Quatd times_pure(const Quatd& q, const Vec3d& p) {
    return q * Quatd(0, p.x(), p.y(), p.z());
}

/// Increases the radius of a sphere by its own rounding error.
Sphere grown(const Sphere& sphere, double slack) {
    return {sphere.center, sphere.radius * (1 + 16 * 0x1p-53) + slack};
}

}  // namespace

Sphere NodeRefit::exact(const Node& node, RefitScratch& scratch) {
    scratch.spheres.clear();
    for (const SetBound& set_bound : tree_->set_bounds_of(node)) {
        const Sphere sphere = set_bound.sphere.widen();
        if (tree_->sets[set_bound.set].joint_count == 1) {
            add_linear(set_bound, sphere, scratch);
        } else if (method_ == Method::sbs) {
            add_spherical(set_bound, sphere, scratch);
        } else {
            add_dual(set_bound, sphere, scratch);
        }
        if (!scratch.spheres.back().bounded()) return unbounded();
    }
    return sphere_of_spheres(scratch.spheres);
}

/// Under the only joint of a set.
void NodeRefit::add_linear(const SetBound& set_bound, const Sphere& sphere, RefitScratch& scratch) {
    const JointPose::Joint& joint = joints_.joints[tree_->joints_of(set_bound.set)[0]];
    scratch.spheres.push_back({joint.linear * sphere.center + joint.move,
                               joint.stretch * sphere.radius * (1 + 16 * 0x1p-53) + joints_.linear_slack(1)});
}

/// The sphere after the stretches alone: linear blending of b_i + P_i (v - b_i).
Sphere NodeRefit::stretched(const SetBound& set_bound, const Sphere& sphere) const {
    const auto joints = tree_->joints_of(set_bound.set);
    double stretch = 0;
    Vec3d mean = Vec3d::Zero();
    Sphere sum{Vec3d::Zero(), 0};
    for (const bool centered : {false, true}) {
        for (const std::uint32_t j : joints) {
            const Vec3d& b = tree_->joint_centers[j];
            const Vec3d image = b + joints_.motions[j].stretch * (sphere.center - b);
            if (!centered) mean += image / static_cast<double>(joints.size());
            if (centered) sum.radius = std::max(sum.radius, (image - mean).norm());
            stretch = std::max(stretch, joints_.joints[j].stretch);
        }
    }
    return {mean, sum.radius + stretch * sphere.radius * (1 + 1e-6)};
}

void NodeRefit::add_spherical(const SetBound& set_bound, Sphere sphere, RefitScratch& scratch) {
    blends_.prepare_exact(set_bound.set);
    if (joints_.stretches) sphere = stretched(set_bound, sphere);
    const TreeSet& set = tree_->sets[set_bound.set];
    const BlendPose::SetJoint* const joints = blends_.exact_joints_of(set_bound.set);
    const BlendPose::Set& shared = blends_.exact_set(set_bound.set);
    if (joints_.stretches && shared.min_length < min_blend) {
        scratch.spheres.push_back(unbounded());
        return;
    }
    const float* corner = tree_->corners.data() + set_bound.first_corner;
    scratch.spherical.clear();
    for (std::uint32_t k = 0; k < set_bound.corner_count; ++k) {
        SphericalCorner sum{Quatd(0, 0, 0, 0), Vec3d::Zero()};
        for (std::uint32_t i = 0; i < set.joint_count; ++i) {
            const auto c = static_cast<double>(*corner++);
            sum.q.coeffs() += c * joints[i].q.coeffs();
            sum.l += c * joints[i].moved;
        }
        scratch.spherical.push_back(sum);
    }
    const BlendPose::Center center = blends_.rest_center(set_bound.set);
    const Vec3d g = sphere.center - center.point();
    double min_length = 1;
    const Sphere path = spherical_bound(scratch.spherical, g, min_length);
    scratch.spheres.push_back(grown({path.center, path.radius + sphere.radius},
                                    joints_.spherical_slack(set.joint_count, g.norm() + sphere.radius,
                                                            center.point().norm(), min_length) +
                                        static_cast<double>(center.gap)));
}

void NodeRefit::add_dual(const SetBound& set_bound, Sphere sphere, RefitScratch& scratch) {
    blends_.prepare_exact(set_bound.set);
    if (joints_.stretches) sphere = stretched(set_bound, sphere);
    const TreeSet& set = tree_->sets[set_bound.set];
    const BlendPose::SetJoint* const joints = blends_.exact_joints_of(set_bound.set);
    const float* corner = tree_->corners.data() + set_bound.first_corner;
    scratch.dual.clear();
    for (std::uint32_t k = 0; k < set_bound.corner_count; ++k) {
        Quatd real(0, 0, 0, 0), dual(0, 0, 0, 0);
        for (std::uint32_t i = 0; i < set.joint_count; ++i) {
            const auto c = static_cast<double>(*corner++);
            real.coeffs() += c * joints[i].q.coeffs();
            dual.coeffs() += c * joints[i].dual.coeffs();
        }
        Quatd e = times_pure(real, sphere.center);
        e.coeffs() += 2 * dual.coeffs();
        scratch.dual.push_back({e, real});
    }
    double min_length = 1;
    const Sphere path = dual_bound(scratch.dual, set.joint_count == 2, min_length);
    if (!path.bounded()) {
        scratch.spheres.push_back(unbounded());
        return;
    }
    scratch.spheres.push_back(
        grown({path.center, path.radius + sphere.radius}, joints_.dual_slack(set.joint_count, min_length)));
}

}  // namespace sinew::collide
