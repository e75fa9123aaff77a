#include "sinew/deform/parts/articulated_figure.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/math/quaternion.h"

namespace sinew::deform {
namespace {

using math::Quatd;
using math::Rigidd;

Quatd rotation_of(const math::EulerOrder& order, const Vec3d& angles) {
    Vec3d factors;
    for (int i = 0; i < 3; ++i) factors[i] = angles[order[static_cast<std::size_t>(i)]];
    return math::from_euler(order, factors);
}

Vec3d angles_of(const math::EulerOrder& order, const Quatd& rotation, const Vec3d& near) {
    Vec3d before;
    for (int i = 0; i < 3; ++i) before[i] = near[order[static_cast<std::size_t>(i)]];
    const Vec3d factors = math::unwrap_euler(order, math::to_euler(order, rotation), before);
    Vec3d angles;
    for (int i = 0; i < 3; ++i) angles[order[static_cast<std::size_t>(i)]] = factors[i];
    return angles;
}

}  // namespace

ArticulatedFigure::ArticulatedFigure(const geometry::CutMesh& cut, const geometry::PartTree& tree,
                                     std::span<const geometry::PartFeatures> features,
                                     const FigureOptions& options)
    : options_(options), order_(tree.order), collision_(cut, tree, features, options.exact) {
    geometry::Box box;
    for (const Vec3d& p : cut.points) box.include(p.cast<float>());
    for (std::size_t p = 0; p < tree.parent.size(); ++p) {
        FigureJoint joint;
        joint.parent = tree.parent[p];
        joint.position = features[p].centre;
        if (joint.parent >= 0) {
            joint.position = tree.openings[p].centre;
            const Vec3d axis = features[static_cast<std::size_t>(joint.parent)].centre - joint.position;
            if (axis.norm() >= 1e-9 * static_cast<double>(box.diagonal()))
                joint.align = math::align_to_z(axis);
        }
        joints_.push_back(joint);
    }
    reset();
}

void ArticulatedFigure::reset() {
    angles_.assign(joints_.size(), Vec3d::Zero());
    rotations_.assign(joints_.size(), Quatd::Identity());
    world_.assign(joints_.size(), {});
    mover_ = {};
}

void ArticulatedFigure::place(std::size_t j) {
    const FigureJoint& joint = joints_[j];
    const Rigidd above = joint.parent < 0 ? mover_ : world_[static_cast<std::size_t>(joint.parent)];
    if (rotations_[j].vec().isZero(0)) {
        world_[j] = above;  // exactly, so that rest gives the input back
        return;
    }
    // T_q = A^-1 Q A turns about J: T_t = J - R(T_q) J.
    const Quatd turn = joint.align.conjugate() * rotations_[j] * joint.align;
    world_[j] = above * Rigidd{turn, joint.position - turn * joint.position};
    world_[j].rotation.normalize();
}

void ArticulatedFigure::place_subtree(int joint) {
    for (const int p : order_)
        if (std::ranges::binary_search(collision_.subtree(joint), p)) place(static_cast<std::size_t>(p));
}

void ArticulatedFigure::set(std::size_t joint, const Wish& wish) {
    angles_[joint] = wish.angles;
    rotations_[joint] = wish.rotation;
}

bool ArticulatedFigure::within_limits(std::size_t j, Wish& wish, FigureReport& report) const {
    const FigureJoint& joint = joints_[j];
    constexpr double slack = 1e-9;
    bool within = true;
    for (int axis = 0; axis < 3; ++axis) {
        const double wanted = wish.angles[axis];
        if (wanted >= joint.low[axis] - slack && wanted <= joint.high[axis] + slack) continue;
        report.limited.push_back({static_cast<int>(j), axis, wanted});
        wish.angles[axis] = std::clamp(wanted, joint.low[axis], joint.high[axis]);
        within = false;
    }
    return within;
}

int ArticulatedFigure::steps_of(std::size_t j, double angle) const {
    const Vec3d pivot = world_[j] * joints_[j].position;
    double reach = 0, thinnest = std::numeric_limits<double>::infinity();
    for (const int p : collision_.subtree(static_cast<int>(j))) {
        const geometry::OrientedBox& box = collision_.box(p);
        reach =
            std::max(reach, (world_[static_cast<std::size_t>(p)] * box.centre - pivot).norm() + box.radius());
    }
    for (std::size_t p = 0; p < joints_.size(); ++p)
        thinnest = std::min(thinnest, 2 * collision_.box(static_cast<int>(p)).half.minCoeff());
    if (!(thinnest > 0)) return 256;
    return std::clamp(static_cast<int>(std::ceil(angle * reach / thinnest)), 1, 256);
}

void ArticulatedFigure::avoid_collision(std::size_t j, const Wish& from, const Wish& to,
                                        FigureReport& report) {
    const auto at = [&](double t) {
        set(j, {from.angles + t * (to.angles - from.angles), math::slerp(t, from.rotation, to.rotation)});
        place_subtree(static_cast<int>(j));
        return collision_.first_hit(static_cast<int>(j), world_);
    };
    const int steps =
        options_.continuous ? steps_of(j, math::angle_between<double>(from.rotation, to.rotation)) : 1;
    std::optional<PartPair> hit;
    double before = 0, invalid = 1;
    for (int i = 1; i <= steps && !hit; ++i) {
        invalid = static_cast<double>(i) / steps;
        hit = at(invalid);
        if (!hit) before = invalid;
    }
    if (!hit) return set(j, to);
    double valid = 1;
    if (options_.collisions == Veto::reject) valid = 0;
    if (options_.collisions == Veto::clamp) {
        valid = before;
        for (int i = 0; i < options_.bisections; ++i) {
            const double middle = (valid + invalid) / 2;
            (at(middle) ? invalid : valid) = middle;
        }
    }
    report.collided.push_back({static_cast<int>(j), *hit, valid});
    at(valid);
    if (valid == 0) set(j, from);
    if (valid == 1) set(j, to);
    place_subtree(static_cast<int>(j));
}

FigureReport ArticulatedFigure::apply(std::span<const Wish> wishes, const FigureMover& mover,
                                      Monitor& monitor) {
    if (wishes.size() != joints_.size())
        fail("", "{} joints are given for a figure of {}", wishes.size(), joints_.size());
    FigureReport report;
    mover_ = {rotation_of({2, 1, 0}, mover.angles), mover.translation};
    for (const int p : order_) place(static_cast<std::size_t>(p));
    for (const int p : order_) {
        const auto j = static_cast<std::size_t>(p);
        const Wish before{angles_[j], rotations_[j]};
        Wish wish = wishes[j];
        place(j);
        if (wish.rotation.coeffs() == before.rotation.coeffs() && wish.angles == before.angles) continue;
        Wish clamped = wish;
        if (options_.limits != Veto::off && !within_limits(j, clamped, report)) {
            if (options_.limits == Veto::reject) continue;
            if (options_.limits == Veto::clamp)
                wish = {clamped.angles, rotation_of(options_.order, clamped.angles)};
        }
        set(j, wish);
        place(j);
        if (options_.collisions != Veto::off) avoid_collision(j, before, wish, report);
    }
    for (const int p : order_) {
        place(static_cast<std::size_t>(p));
        // Half a turn and more: the way between two parts is not defined by where they are.
        if (math::angle_between<double>(Quatd::Identity(), rotations_[static_cast<std::size_t>(p)]) > 0 &&
            angles_[static_cast<std::size_t>(p)].cwiseAbs().maxCoeff() >= math::pi)
            warn(monitor, "joint-half-turn",
                 "joint {} turns by {:.0f} degrees: gaps are closed the shorter way", p,
                 math::degrees(angles_[static_cast<std::size_t>(p)].cwiseAbs().maxCoeff()));
    }
    return report;
}

FigureReport ArticulatedFigure::pose(std::span<const Vec3d> angles, const FigureMover& mover,
                                     Monitor& monitor) {
    std::vector<Wish> wishes;
    for (const Vec3d& a : angles) wishes.push_back({a, rotation_of(options_.order, a)});
    return apply(wishes, mover, monitor);
}

FigureReport ArticulatedFigure::pose(std::span<const Quatd> rotations, const FigureMover& mover,
                                     Monitor& monitor) {
    std::vector<Wish> wishes;
    for (std::size_t j = 0; j < rotations.size(); ++j) {
        const Vec3d near = j < angles_.size() ? angles_[j] : Vec3d(Vec3d::Zero());
        wishes.push_back({angles_of(options_.order, rotations[j], near), rotations[j].normalized()});
    }
    return apply(wishes, mover, monitor);
}

FigureReport ArticulatedFigure::turn(std::span<const Vec3d> deltas, const FigureMover& mover,
                                     Monitor& monitor) {
    std::vector<Wish> wishes;
    for (std::size_t j = 0; j < deltas.size() && j < joints_.size(); ++j) {
        Quatd rotation = rotation_of(options_.order, deltas[j]) * rotations_[j];
        rotation.normalize();
        wishes.push_back({angles_[j] + deltas[j], deltas[j].isZero(0) ? rotations_[j] : rotation});
    }
    return apply(wishes, mover, monitor);
}

model::Skeleton figure_skeleton(const ArticulatedFigure& figure, const std::vector<std::string>& names) {
    model::Skeleton skeleton;
    std::vector<int> number(figure.joints().size(), -1);
    for (const int p : figure.order()) {
        const auto j = static_cast<std::size_t>(p);
        const FigureJoint& from = figure.joints()[j];
        number[j] = static_cast<int>(skeleton.size());
        model::Joint joint;
        joint.name = names[j];
        joint.rest.translation = from.position;
        if (from.parent >= 0) {
            joint.parent = number[static_cast<std::size_t>(from.parent)];
            joint.rest.translation -= figure.joints()[static_cast<std::size_t>(from.parent)].position;
        }
        joint.limits = model::JointLimits{from.align.conjugate(), from.low, from.high};
        skeleton.joints.push_back(std::move(joint));
    }
    return skeleton;
}

void warn_about(const FigureReport& report, const std::vector<std::string>& names, Monitor& monitor) {
    for (const FigureReport::Limited& l : report.limited)
        warn(monitor, "joint-limit", "\"{}\" may not turn by {:.1f} degrees about {}",
             names[static_cast<std::size_t>(l.joint)], math::degrees(l.wanted), "xyz"[l.axis]);
    for (const FigureReport::Collided& c : report.collided)
        warn(monitor, "part-collision", "\"{}\" runs into \"{}\" when \"{}\" turns",
             names[static_cast<std::size_t>(c.pair.a)], names[static_cast<std::size_t>(c.pair.b)],
             names[static_cast<std::size_t>(c.joint)]);
}

}  // namespace sinew::deform
