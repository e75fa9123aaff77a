// SPDX-License-Identifier: MIT
#include "sinew/articulated/figure.h"

#include <algorithm>
#include <cmath>

#include "sinew/articulated/body/part_collision.h"
#include "sinew/base/error.h"
#include "sinew/geometry/cut_mesh.h"
#include "sinew/math/quaternion.h"
#include "sinew/model/clip.h"

namespace sinew::articulated {

using geometry::OrientedBox;
using math::Quatd;
using math::Rigidd;
using math::Vec3d;

namespace {

OrientedBox moved(const OrientedBox& box, const math::Rigidd& by) {
    OrientedBox result = box;
    result.centre = by * box.centre;
    result.axes = math::to_matrix(by.rotation) * box.axes;
    return result;
}

}  // namespace

PartCollision::PartCollision(const geometry::CutMesh& cut, const geometry::PartTree& tree,
                             std::span<const geometry::PartFeatures> features, bool exact)
    : exact_(exact) {
    const std::size_t count = tree.parent.size();
    for (const geometry::PartFeatures& feature : features) boxes_.push_back(feature.box);
    if (exact) {
        triangles_.resize(count);
        for (std::size_t t = 0; t < cut.triangles.size(); ++t) {
            const geometry::Triangle& c = cut.triangles[t];
            triangles_[static_cast<std::size_t>(cut.part_of[t])].push_back(
                {cut.points[c[0]], cut.points[c[1]], cut.points[c[2]]});
        }
    }
    subtrees_.resize(count);
    others_.resize(count);
    for (int p = 0; p < static_cast<int>(count); ++p) {
        for (int up = p; up >= 0; up = tree.parent[static_cast<std::size_t>(up)])
            subtrees_[static_cast<std::size_t>(up)].push_back(p);
    }
    for (std::size_t p = 0; p < count; ++p)
        for (int q = 0; q < static_cast<int>(count); ++q)
            if (!std::ranges::binary_search(subtrees_[p], q)) others_[p].push_back(q);
    counted_.assign(count * count, 1);
    const auto leave_out = [&](int a, int b) { counted_[index(a, b)] = counted_[index(b, a)] = 0; };
    for (const geometry::PartContact& contact : geometry::part_contacts(cut)) leave_out(contact.a, contact.b);
    const std::vector<math::Rigidd> rest(count);
    for (int a = 0; a < static_cast<int>(count); ++a)
        for (int b = a; b < static_cast<int>(count); ++b)
            if (a == b || (counts(a, b) && collide(a, b, rest))) leave_out(a, b);
}

bool PartCollision::triangles_collide(int a, int b, std::span<const math::Rigidd> world) const {
    const auto ia = static_cast<std::size_t>(a), ib = static_cast<std::size_t>(b);
    const math::Rigidd to_a = world[ia].inverse() * world[ib];
    std::vector<geometry::TriangleCorners> seen = triangles_[ib];
    for (geometry::TriangleCorners& corners : seen)
        for (Vec3d& corner : corners) corner = to_a * corner;
    return geometry::surfaces_cross(triangles_[ia], seen);
}

bool PartCollision::collide(int a, int b, std::span<const math::Rigidd> world) const {
    const auto ia = static_cast<std::size_t>(a), ib = static_cast<std::size_t>(b);
    if (!geometry::overlap(moved(boxes_[ia], world[ia]), moved(boxes_[ib], world[ib]))) return false;
    return !exact_ || triangles_collide(a, b, world);
}

std::optional<PartPair> PartCollision::first_hit(int part, std::span<const math::Rigidd> world) const {
    struct Near {
        double w;
        PartPair pair;
    };
    std::vector<Near> near;
    for (const int a : subtree(part)) {
        const auto ia = static_cast<std::size_t>(a);
        const Vec3d centre = world[ia] * boxes_[ia].centre;
        for (const int b : others(part)) {
            if (!counts(a, b)) continue;
            const auto ib = static_cast<std::size_t>(b);
            const double reach = boxes_[ia].radius() + boxes_[ib].radius();
            const double w = (world[ib] * boxes_[ib].centre - centre).squaredNorm() / (reach * reach);
            if (w <= 1) near.push_back({w, {a, b}});
        }
    }
    std::ranges::stable_sort(near, {}, &Near::w);
    for (const Near& n : near)
        if (collide(n.pair.a, n.pair.b, world)) return n.pair;
    return std::nullopt;
}

namespace {

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
    : options_(options),
      order_(tree.order),
      collision_(std::make_shared<const PartCollision>(cut, tree, features, options.exact)) {
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

void ArticulatedFigure::pose_part(std::size_t j) {
    const FigureJoint& joint = joints_[j];
    const Rigidd above = joint.parent < 0 ? mover_ : world_[static_cast<std::size_t>(joint.parent)];
    if (rotations_[j].vec().isZero(0)) {
        world_[j] = above;  // exact, so that the rest pose reproduces the input
        return;
    }
    // T_q = A^-1 Q A rotates about J: T_t = J - R(T_q) J.
    const Quatd rotation = joint.align.conjugate() * rotations_[j] * joint.align;
    world_[j] = above * Rigidd{rotation, joint.position - rotation * joint.position};
    world_[j].rotation.normalize();
}

void ArticulatedFigure::pose_subtree(int joint) {
    for (const int p : order_)
        if (std::ranges::binary_search(collision_->subtree(joint), p)) pose_part(static_cast<std::size_t>(p));
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
    for (const int p : collision_->subtree(static_cast<int>(j))) {
        const geometry::OrientedBox& box = collision_->box(p);
        reach =
            std::max(reach, (world_[static_cast<std::size_t>(p)] * box.centre - pivot).norm() + box.radius());
    }
    for (std::size_t p = 0; p < joints_.size(); ++p)
        thinnest = std::min(thinnest, 2 * collision_->box(static_cast<int>(p)).half.minCoeff());
    if (!(thinnest > 0)) return 256;
    return std::clamp(static_cast<int>(std::ceil(angle * reach / thinnest)), 1, 256);
}

void ArticulatedFigure::avoid_collision(std::size_t j, const Wish& from, const Wish& to,
                                        FigureReport& report) {
    const auto at = [&](double t) {
        set(j, {from.angles + t * (to.angles - from.angles), math::slerp(t, from.rotation, to.rotation)});
        pose_subtree(static_cast<int>(j));
        return collision_->first_hit(static_cast<int>(j), world_);
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
    pose_subtree(static_cast<int>(j));
}

FigureReport ArticulatedFigure::apply(std::span<const Wish> wishes, const FigureMover& mover,
                                      Monitor& monitor) {
    if (wishes.size() != joints_.size())
        fail("", "{} joints are given for a figure of {}", wishes.size(), joints_.size());
    FigureReport report;
    mover_ = {rotation_of({2, 1, 0}, mover.angles), mover.translation};
    for (const int p : order_) pose_part(static_cast<std::size_t>(p));
    for (const int p : order_) {
        const auto j = static_cast<std::size_t>(p);
        const Wish before{angles_[j], rotations_[j]};
        Wish wish = wishes[j];
        pose_part(j);
        if (wish.rotation.coeffs() == before.rotation.coeffs() && wish.angles == before.angles) continue;
        Wish clamped = wish;
        if (options_.limits != Veto::off && !within_limits(j, clamped, report)) {
            if (options_.limits == Veto::reject) continue;
            if (options_.limits == Veto::clamp)
                wish = {clamped.angles, rotation_of(options_.order, clamped.angles)};
        }
        set(j, wish);
        pose_part(j);
        if (options_.collisions != Veto::off) avoid_collision(j, before, wish, report);
    }
    for (const int p : order_) {
        pose_part(static_cast<std::size_t>(p));
        // 180 degrees and more: the path between two parts is not defined by their positions.
        if (math::angle_between<double>(Quatd::Identity(), rotations_[static_cast<std::size_t>(p)]) > 0 &&
            angles_[static_cast<std::size_t>(p)].cwiseAbs().maxCoeff() >= math::pi)
            warn(monitor, "joint-half-turn",
                 "joint {} rotates by {:.0f} degrees: gaps are closed along the shorter arc", p,
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

FigureReport ArticulatedFigure::rotate(std::span<const Vec3d> deltas, const FigureMover& mover,
                                       Monitor& monitor) {
    std::vector<Wish> wishes;
    for (std::size_t j = 0; j < deltas.size() && j < joints_.size(); ++j) {
        Quatd rotation = rotation_of(options_.order, deltas[j]) * rotations_[j];
        rotation.normalize();
        wishes.push_back({angles_[j] + deltas[j], deltas[j].isZero(0) ? rotations_[j] : rotation});
    }
    return apply(wishes, mover, monitor);
}

void warn_about(const FigureReport& report, const std::vector<std::string>& names, Monitor& monitor) {
    for (const FigureReport::Limited& l : report.limited)
        warn(monitor, "joint-limit", "\"{}\" must not rotate by {:.1f} degrees about {}",
             names[static_cast<std::size_t>(l.joint)], math::degrees(l.wanted), "xyz"[l.axis]);
    for (const FigureReport::Collided& c : report.collided)
        warn(monitor, "part-collision", "\"{}\" collides with \"{}\" when \"{}\" rotates",
             names[static_cast<std::size_t>(c.pair.a)], names[static_cast<std::size_t>(c.pair.b)],
             names[static_cast<std::size_t>(c.joint)]);
}

FigurePlayer::FigurePlayer(ArticulatedFigure& figure, const model::ChannelSet& set, Monitor& monitor,
                           std::vector<int> part_of_number)
    : figure_(&figure), part_of_number_(std::move(part_of_number)) {
    if (part_of_number_.empty()) part_of_number_ = figure.order();
    load(set, monitor);
}

void FigurePlayer::load(const model::ChannelSet& set, Monitor& monitor) {
    const std::size_t joints = figure_->joints().size();
    channels_.assign(3 * joints + 6, {});
    start_ = set.start;
    end_ = set.end;
    for (const model::Channel& channel : set.channels) {
        if (channel.id < 0 || static_cast<std::size_t>(channel.id) >= channels_.size()) {
            warn(monitor, "channel-without-joint", "channel {} belongs to no joint: the figure has {}",
                 channel.id, joints);
            continue;
        }
        channels_[static_cast<std::size_t>(channel.id)].curve = model::prepare(channel);
    }
}

FigureReport FigurePlayer::play(double time, Monitor& monitor) {
    const auto three = [&](std::size_t first) {
        Vec3d values;
        for (std::size_t i = 0; i < 3; ++i) {
            Played& played = channels_[first + i];
            values[static_cast<int>(i)] = model::evaluate(played.curve, time, played.cursor);
        }
        return values;
    };
    const std::size_t joints = figure_->joints().size();
    std::vector<Vec3d> angles(joints, Vec3d::Zero());
    for (std::size_t n = 0; n < joints; ++n)
        angles[static_cast<std::size_t>(part_of_number_[n])] = math::radians(1) * three(3 * n);
    FigureMover mover;
    mover.translation = three(3 * joints);
    mover.angles = math::radians(1) * three(3 * joints + 3);
    return figure_->pose(angles, mover, monitor);
}

std::size_t FigurePlayer::frame_count(double rate) const {
    return model::sample_count({start_, end_}, rate);
}

}  // namespace sinew::articulated
