// SPDX-License-Identifier: MIT
#include "sinew/collide/body/refit.h"

#include <cmath>

namespace sinew::collide {

using deform::Method;

namespace {

/// In nodes with more sets than this, the spheres of sets are so much smaller than the node's that only they
/// are tried.
constexpr std::uint32_t max_with_both = 40;
constexpr std::size_t few_set_bounds = 16;
/// A node's sphere that has grown by no more than this factor is not reduced further.
constexpr float close_enough = 1.12f;
/// Fraction of the radius that the difference between blends may have before quaternions are blended. It is
/// larger for nodes with many sets, of which few reach the surface of the sphere, but not for a set that
/// extends beyond the others because of it.
constexpr std::uint32_t many_set_bounds = 12;
constexpr float close_deviation = 0.03f, rough_deviation = 0.3f, deviation_beyond_others = 0.03f;

/// Largest distance of the points of a bound from a centre, plus its radius.
float extent(const PointsBound& bound, const std::vector<Point4>& points, Float4 center) {
    float farthest2 = 0;
    for (std::uint32_t k = bound.first; k < bound.first + bound.count; ++k) {
        const Float4 off = load4(points[k].at) - center;
        farthest2 = std::max(farthest2, dot4(off, off));
    }
    return std::sqrt(farthest2) + bound.radius;
}

/// Centre of the box around some bounds.
Float4 middle_of(std::span<const PointsBound> bounds, const std::vector<Point4>& points) {
    Float4 low = all4(std::numeric_limits<float>::max()), high = all4(-std::numeric_limits<float>::max());
    for (const PointsBound& bound : bounds) {
        const Float4 radius = all4(bound.radius);
        for (std::uint32_t k = bound.first; k < bound.first + bound.count; ++k) {
            const Float4 point = load4(points[k].at);
            low = min4(low, point - radius);
            high = max4(high, point + radius);
        }
    }
    return (low + high) * make4(0.5f, 0.5f, 0.5f, 0);
}

/// Radius about a centre that covers every bound.
float covering_radius(Float4 center, std::span<const PointsBound> bounds, const std::vector<Point4>& points) {
    float radius = 0;
    for (const PointsBound& bound : bounds) {
        const float own = extent(bound, points, center);
        if (!(own <= radius)) radius = own;
    }
    return radius;
}

/// With the radius increased by its rounding error.
StoredSphere sphere_about(Float4 center, float radius) {
    const Point4 point = stored4(center);
    radius *= 1 + 0x1p-20f;
    if (!(radius < infinite)) return {Vec3f::Zero(), infinite};
    return {point.point(), radius};
}

/// The same if every set has two bounds, of which the smaller is used. Above `limit` the exact value does not
/// matter.
float covering_radius(Float4 center, std::span<const PointsBound> first, std::span<const PointsBound> second,
                      const std::vector<Point4>& points, float limit) {
    float radius = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        float shorter = extent(first[i], points, center);
        if (shorter <= radius) continue;
        shorter = std::min(shorter, extent(second[i], points, center));
        if (!(shorter <= radius)) radius = shorter;
        if (radius >= limit) break;
    }
    return radius;
}

/// The best of the centres of both variants and of points between them; `best` and `radius` are the result of
/// the first alone.
StoredSphere better_of(Float4 best, float radius, std::span<const PointsBound> first,
                       std::span<const PointsBound> second, const std::vector<Point4>& points) {
    const Float4 one = best, other = middle_of(second, points);
    const auto take = [&](Float4 center) {
        const float tried = covering_radius(center, second, first, points, radius);
        if (!(tried < radius)) return;
        best = center;
        radius = tried;
    };
    take(other);
    take(one);
    if (first.size() > few_set_bounds) take((one + other) * all4(0.5f));
    return sphere_about(best, radius);
}

/// Largest difference between a blend of quaternions and the linear one, with its additional rounding error:
/// `moved` are the images of a centre.
float deviation_at(const SignTreePose::BlendDeviation& deviation, const Point4* moved, std::uint32_t joints) {
    float around = 0;
    if (joints == 2) {
        const Float4 off = load4(moved[0].at) - load4(moved[1].at);
        around = std::sqrt(dot4(off, off)) / 2;
    } else {
        Float4 mean = load4(moved[0].at);
        for (std::uint32_t i = 1; i < joints; ++i) mean = mean + load4(moved[i].at);
        mean = mean * all4(1.0f / static_cast<float>(joints));
        for (std::uint32_t i = 0; i < joints; ++i) {
            const Float4 off = load4(moved[i].at) - mean;
            around = std::max(around, dot4(off, off));
        }
        around = std::sqrt(around);
    }
    return deviation.rotation * (around + deviation.spread) + deviation.slack;
}

}  // namespace

NodeRefit::NodeRefit(JointPose& joints, SignTreePose& signs, BlendPose& blends)
    : joints_(joints), signs_(signs), blends_(blends), tree_(joints.tree), method_(joints.method) {}

StoredSphere NodeRefit::operator()(const Node& node, RefitScratch& scratch) {
    if (method_ != Method::lbs && joints_.stretches) return stored(exact(node, scratch));
    return node.joint_sphere_count > 0 ? from_joints(node, scratch) : from_sets(node, scratch);
}

StoredSphere NodeRefit::from_sets(const Node& node, RefitScratch& scratch) {
    const auto set_bounds = tree_->set_bounds_of(node);
    const TreeSet& first = tree_->sets[set_bounds[0].set];
    if (set_bounds.size() == 1 && first.joint_count == 1) {  // just moved
        const std::uint32_t joint = tree_->set_joints[first.first_joint];
        const float stretch = joints_.even ? joints_.max_stretch : joints_.joints[joint].stretch_up();
        return sphere_about(image(joints_.columns[joint].at, center_of(node.sphere)),
                            stretch * node.sphere.radius + joints_.max_linear_slack);
    }
    const float share =
        scratch.rough || set_bounds.size() > many_set_bounds ? rough_deviation : close_deviation;
    const float limit = share * node.sphere.radius;
    scratch.points.clear();
    scratch.bounds.clear();
    scratch.own_bounds.clear();
    scratch.images.start(tree_->palette_size);
    for (std::size_t i = 0; i < set_bounds.size(); ++i) {
        add_bounds(set_bounds[i], node, limit, scratch);
        if (!(scratch.bounds[i].radius < infinite)) return {Vec3f::Zero(), infinite};
    }
    Float4 center = middle_of(scratch.bounds, scratch.points);
    float radius = covering_radius(center, scratch.bounds, scratch.points);
    if (method_ != Method::lbs && !scratch.rough && set_bounds.size() > many_set_bounds &&
        tighten(node, center, radius, scratch)) {
        center = middle_of(scratch.bounds, scratch.points);
        radius = covering_radius(center, scratch.bounds, scratch.points);
    }
    // A single set has the node's sphere.
    if (set_bounds.size() == 1 || set_bounds.size() > max_with_both ||
        radius <= close_enough * node.sphere.radius)
        return sphere_about(center, radius);
    for (std::size_t i = 0; i < set_bounds.size(); ++i) {
        if (scratch.own_bounds[i].count == 0)
            scratch.own_bounds[i] =
                linear_bound(set_bounds[i], set_bounds[i].sphere, nullptr, infinite, scratch);
    }
    return better_of(center, radius, scratch.bounds, scratch.own_bounds, scratch.points);
}

/// Points near which the vertices of a set lie, from the node's sphere, or from the sets' own spheres if
/// there are many. If quaternions have to be blended, both are computed at once; otherwise the own bound has
/// no points yet, because it may not be needed.
void NodeRefit::add_bounds(const SetBound& set_bound, const Node& node, float limit, RefitScratch& scratch) {
    const bool many = node.set_bound_count > max_with_both;
    const StoredSphere& sphere = many ? set_bound.sphere : node.sphere;
    const PointsBound bound =
        linear_bound(set_bound, sphere, many ? nullptr : &scratch.images, limit, scratch);
    if (bound.count > 0) {
        scratch.bounds.push_back(bound);
        scratch.own_bounds.push_back({0, 0, 0});
        return;
    }
    const StoredSphere* const own = many || node.set_bound_count == 1 ? nullptr : &set_bound.sphere;
    // Joints move the centre of a set less far apart than that of the node.
    const PointsBound nearer =
        own == nullptr ? bound : linear_bound(set_bound, *own, nullptr, limit, scratch);
    if (nearer.count > 0) {
        scratch.bounds.push_back(nearer);
        scratch.own_bounds.push_back(nearer);
        return;
    }
    if (method_ == Method::sbs) {
        add_spherical_bound(set_bound, sphere, own, scratch);
    } else {
        add_dual_bound(set_bound, sphere, own, scratch);
    }
    if (own == nullptr) scratch.own_bounds.push_back({0, 0, 0});
}

/// Refines the sets that make the sphere larger than linear blending would; true when there are some.
bool NodeRefit::tighten(const Node& node, Float4 center, float radius, RefitScratch& scratch) {
    const float close = deviation_beyond_others * node.sphere.radius;
    float linear = 0;
    for (const PointsBound& bound : scratch.bounds)
        linear = std::max(linear, extent(bound, scratch.points, center) - bound.deviation);
    if (radius <= linear + close) return false;
    for (std::size_t i = 0; i < scratch.bounds.size(); ++i) {
        if (!(scratch.bounds[i].deviation > close &&
              extent(scratch.bounds[i], scratch.points, center) > linear + close))
            continue;
        add_bounds(tree_->set_bounds_of(node)[i], node, close, scratch);
        for (std::vector<PointsBound>* bounds : {&scratch.bounds, &scratch.own_bounds}) {
            (*bounds)[i] = bounds->back();
            bounds->pop_back();
        }
    }
    return true;
}

/// sum c_ki C_i p for every corner k (Kavan 2007, Algorithm 5.2); the radius is the largest that a joint
/// gives, because a corner of a simplex may have a negative weight, though no vertex has. Images of a centre
/// that several sets share are stored. For other blends the radius includes their largest difference from
/// this; if that exceeds `limit`, there are no points.
PointsBound NodeRefit::linear_bound(const SetBound& set_bound, const StoredSphere& sphere, KeptImages* images,
                                    float limit, RefitScratch& scratch) {
    const TreeSet& set = tree_->sets[set_bound.set];
    const std::uint32_t* const joints = tree_->set_joints.data() + set.first_joint;
    const Float4 center = center_of(sphere);
    const auto image_of = [&](std::uint32_t joint) {
        return images == nullptr
                   ? image(joints_.columns[joint].at, center)
                   : images->at(joint, [&] { return image(joints_.columns[joint].at, center); });
    };
    const auto first = static_cast<std::uint32_t>(scratch.points.size());
    float stretch = joints_.max_stretch, beyond = 0;
    if (!joints_.even) stretch = joints_.joints[joints[0]].stretch_up();
    if (set.joint_count == 1) {
        scratch.points.push_back(stored4(image_of(joints[0])));
    } else {
        if (scratch.blends.size() < set.joint_count) scratch.blends.resize(set.joint_count);
        Point4* const moved = scratch.blends.data();
        for (std::uint32_t i = 0; i < set.joint_count; ++i) {
            store4(moved[i].at, image_of(joints[i]));
            if (!joints_.even) stretch = std::max(stretch, joints_.joints[joints[i]].stretch_up());
        }
        if (method_ != Method::lbs) {
            const BlendDeviation& deviation = signs_.blend_deviation(set_bound.set);
            beyond = deviation.largest <= limit ? deviation.largest
                                                : deviation_at(deviation, moved, set.joint_count);
            if (!(beyond <= limit) && method_ == Method::sbs)
                beyond = deviation_at(blends_.tight_blend_deviation(set_bound.set), moved, set.joint_count);
            if (!(beyond <= limit)) return {first, 0, 0};
        }
        const float* corner = tree_->corners.data() + set_bound.first_corner;
        for (std::uint32_t k = 0; k < set_bound.corner_count; ++k) {
            Float4 sum = all4(*corner++) * load4(moved[0].at);
            for (std::uint32_t i = 1; i < set.joint_count; ++i)
                sum = sum + all4(*corner++) * load4(moved[i].at);
            scratch.points.push_back(stored4(sum));
        }
    }
    const auto count = static_cast<std::uint32_t>(scratch.points.size()) - first;
    return {first, count, stretch * sphere.radius + joints_.max_linear_slack + beyond, beyond};
}

// Nodes with many influence sets are bounded joint by joint.

/// Upper bound of the deviations over the sets of each joint: those of the node if they are few, otherwise
/// all.
std::span<const float> NodeRefit::joint_deviations(const Node& node, RefitScratch& scratch) {
    if (scratch.rough || 2 * node.set_bound_count >= tree_->sets.size()) return signs_.joint_deviations();
    scratch.joint_deviations.assign(tree_->palette_size, 0);
    for (const SetBound& set_bound : tree_->set_bounds_of(node)) {
        const auto joints = tree_->joints_of(set_bound.set);
        if (joints.size() < 2) continue;
        const float largest = signs_.blend_deviation(set_bound.set).largest;
        for (const std::uint32_t joint : joints)
            scratch.joint_deviations[joint] = std::max(scratch.joint_deviations[joint], largest);
    }
    return scratch.joint_deviations;
}

/// Every vertex is a blend of its images under its joints, and those lie in the joints' spheres. Linear: in
/// their hull; other blends are no farther from it than the bound from the edges of their sets
/// (sign_tree_pose.cpp).
StoredSphere NodeRefit::from_joints(const Node& node, RefitScratch& scratch) {
    if (method_ != Method::lbs) signs_.prepare_edges();
    const bool deviation = method_ != Method::lbs && signs_.bounds_all();
    const std::span<const float> deviations =
        deviation ? joint_deviations(node, scratch) : std::span<const float>();
    scratch.points.clear();
    scratch.bounds.clear();
    for (const JointSphere& entry : tree_->joint_spheres_of(node)) {
        const JointPose::Joint& joint = joints_.joints[entry.joint];
        double radius = joint.stretch * static_cast<double>(entry.sphere.radius) + joint.deviation;
        if (deviation) radius += static_cast<double>(deviations[entry.joint]);
        scratch.bounds.push_back(
            {static_cast<std::uint32_t>(scratch.points.size()), 1, static_cast<float>(radius * (1 + 1e-7))});
        scratch.points.push_back(stored4(image(joints_.columns[entry.joint].at, center_of(entry.sphere))));
    }
    const Float4 center = middle_of(scratch.bounds, scratch.points);
    Sphere hull = sphere_about(center, covering_radius(center, scratch.bounds, scratch.points)).widen();
    if (method_ != Method::lbs && !deviation) return stored(hull_by_sets(node, hull));
    hull.radius += joints_.linear_slack(tree_->max_set_joints);
    return stored(hull);
}

/// Dual quaternions: no farther from any point h than max |y_i - h| / <q_i, s> (the quotient lemma with
/// E_i = y_i q_i); spherical: the same with the spread of the moved centre added.
Sphere NodeRefit::hull_by_sets(const Node& node, const Sphere& hull) {
    double min_length = 1, spread = 0, centers = 0;
    for (const SetBound& set_bound : tree_->set_bounds_of(node)) {
        if (tree_->sets[set_bound.set].joint_count == 1) continue;
        blends_.prepare_exact(set_bound.set);
        min_length = std::min(min_length, blends_.exact_set(set_bound.set).min_length);
        if (method_ != Method::sbs) continue;
        const BlendPose::Center center = blends_.rest_center(set_bound.set);
        spread = std::max(spread, blends_.exact_set(set_bound.set).spread + static_cast<double>(center.gap));
        centers = std::max(centers, static_cast<double>(center.size2));
    }
    if (!(min_length >= min_blend)) return unbounded();
    const double slack = joints_.dual_slack(tree_->max_set_joints, min_length, 2 * std::sqrt(centers));
    return {hull.center, (hull.radius + spread) / min_length * (1 + 1e-9) + slack};
}

}  // namespace sinew::collide
