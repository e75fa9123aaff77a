// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/collide/query/screw_motion.h"

namespace sinew::collide {

using deform::Mat34f;

namespace {

Corners blend(const Corners& a, const Corners& b, double time) {
    Corners result;
    for (std::size_t i = 0; i < 3; ++i) result[i] = (1 - time) * a[i] + time * b[i];
    return result;
}

/// Triangles whose corners move along straight lines.
class StraightPair {
  public:
    StraightPair(const PosedMotion& a, const PosedMotion& b, double tolerance)
        : a_(a), b_(b), tolerance_(tolerance) {}

    double reach(std::uint32_t, std::uint32_t) const { return tolerance_; }
    std::optional<double> touch(const NodePair&, std::uint32_t i, std::uint32_t k, double latest) const {
        return first_touch(made_corners(*a_.start, i), made_corners(*a_.end, i), made_corners(*b_.start, k),
                           made_corners(*b_.end, k), latest, tolerance_);
    }

  private:
    const PosedMotion& a_;
    const PosedMotion& b_;
    double tolerance_;
};

/// Do boxes around complete paths, grown by the tolerance, overlap?
bool paths_meet(const Corners& a0, const Corners& a1, const Corners& b0, const Corners& b1,
                double tolerance) {
    Vec3d low[2]{a0[0], b0[0]}, high[2]{a0[0], b0[0]};
    for (std::size_t i = 0; i < 3; ++i) {
        low[0] = low[0].cwiseMin(a0[i]).cwiseMin(a1[i]);
        high[0] = high[0].cwiseMax(a0[i]).cwiseMax(a1[i]);
        low[1] = low[1].cwiseMin(b0[i]).cwiseMin(b1[i]);
        high[1] = high[1].cwiseMax(b0[i]).cwiseMax(b1[i]);
    }
    return (low[0].array() <= high[1].array() + tolerance).all() &&
           (low[1].array() <= high[0].array() + tolerance).all();
}

}  // namespace

/// (|D1|^2 - s1^2) t^2 + 2 (<D0, D1> - s0 s1) t + |D0|^2 - s0^2 <= 0 with D the difference of the centres and
/// s the sum of the radii, slightly grown against rounding.
std::optional<double> first_overlap(const Sphere& a0, const Sphere& a1, const Sphere& b0, const Sphere& b1,
                                    double latest) {
    if (!a0.bounded() || !a1.bounded() || !b0.bounded() || !b1.bounded()) return 0.0;
    const Vec3d from = a0.center - b0.center, change = (a1.center - b1.center) - from;
    const double size = from.norm() + change.norm();
    const double grown = 1e-12 * size, reach = a0.radius + b0.radius + grown,
                 grows = a1.radius + b1.radius + grown - reach;
    const double c = from.squaredNorm() - reach * reach;
    if (!(c > 0)) return 0.0;
    const double a = change.squaredNorm() - grows * grows, b = from.dot(change) - reach * grows;
    const double discriminant = b * b - a * c;
    // c > 0: for a > 0 the first root is the smaller one if it lies ahead; for a < 0 the positive one.
    if (discriminant < 0 || (a > 0 && b >= 0)) return std::nullopt;
    const double time = c / (-b + std::sqrt(discriminant));
    if (!(time >= 0) || time > latest) return std::nullopt;
    return std::max(0.0, time * (1 - 1e-9));
}

std::optional<double> first_touch(const Corners& a0, const Corners& a1, const Corners& b0, const Corners& b1,
                                  double latest, double tolerance) {
    if (!paths_meet(a0, a1, b0, b1, tolerance)) return std::nullopt;
    return advance(
        0, latest, fastest(a0, a1, b0, b1), tolerance, [&](double t) { return blend(a0, a1, t); },
        [&](double t) { return blend(b0, b1, t); });
}

namespace {

void check_tolerance(double tolerance) {
    if (!(tolerance > 0))
        fail("collide", "the tolerance of a first touch must be positive, not {}", tolerance);
}

}  // namespace

FirstTouch find_first_touch(const Motion& motion_a, const Motion& motion_b, QueryScratch& scratch,
                            double tolerance) {
    const PosedMotion a{&motion_a.start->posed(), &motion_a.end->posed()},
        b{&motion_b.start->posed(), &motion_b.end->posed()};
    if (&a.start->tree() != &a.end->tree() || &b.start->tree() != &b.end->tree())
        fail("collide", "start and end of a motion have different trees");
    check_tolerance(tolerance);
    StraightPair pair(a, b, tolerance);
    return TouchSearch(a, b, scratch.buffers(), pair).run();
}

namespace {

/// Triangles whose corners move along screws, during one part of a step; times run from 0 to 1 in it.
class ScrewPair {
  public:
    ScrewPair(ScrewStep& a, ScrewStep& b, double tolerance)
        : a_(a.path()), b_(b.path()), tolerance_(tolerance + 2 * (a_.slack() + b_.slack())) {}

    void set_part(const PosedMotion& a, const PosedMotion& b, double from, double to) {
        motion_a_ = a;
        motion_b_ = b;
        from_ = from;
        length_ = to - from;
    }

    /// The distance of a vertex from its chord is at most h^2 / 8 of its acceleration.
    double reach(std::uint32_t n, std::uint32_t m) {
        return tolerance_ + length_ * length_ / 8 * (a_.acceleration(n) + b_.acceleration(m));
    }

    /// First along chords, which need no screws, with twice the distance by which they may be wrong, because
    /// advancement continues to half of it. From the time when those come near, on the paths themselves.
    std::optional<double> touch(const NodePair& nodes, std::uint32_t i, std::uint32_t k, double latest) {
        const Corners a0 = made_corners(*motion_a_.start, i), a1 = made_corners(*motion_a_.end, i),
                      b0 = made_corners(*motion_b_.start, k), b1 = made_corners(*motion_b_.end, k);
        const auto early = first_touch(a0, a1, b0, b1, latest, 2 * reach(nodes.a, nodes.b));
        if (!early) return std::nullopt;
        const double speed = fastest(a0, a1, b0, b1) + 2 * (a_.slack() + b_.slack()) +
                             length_ * length_ / 2 * (a_.acceleration(nodes.a) + b_.acceleration(nodes.b));
        return advance(
            *early, latest, speed, tolerance_, [&](double t) { return corners(a_, i, t); },
            [&](double t) { return corners(b_, k, t); });
    }

  private:
    Corners corners(ScrewPath& path, std::uint32_t triangle, double time) const {
        Corners result;
        for (std::size_t c = 0; c < 3; ++c)
            result[c] = path.vertex(path.tree().triangles[triangle][c], from_ + time * length_);
        return result;
    }

    ScrewPath& a_;
    ScrewPath& b_;
    double tolerance_;
    PosedMotion motion_a_, motion_b_;
    double from_ = 0, length_ = 1;
};

}  // namespace

ScrewStep::ScrewStep(const TreeData& tree)
    : path_(tree),
      bodies_{PosedBody(tree, nullptr, deform::Method::lbs), PosedBody(tree, nullptr, deform::Method::lbs)} {}

void ScrewStep::set(std::span<const Mat34f> start, std::span<const Mat34f> end) {
    path_.set_ends(start, end);
    end_time_ = -1;
}

void ScrewStep::pose(PosedBody& body, double time) {
    path_.palette(time, palette_);
    body.set_pose(palette_, {});
}

PosedMotion ScrewStep::part(double from, double to) {
    if (end_time_ == from) {
        start_ = 1 - start_;
    } else {
        pose(bodies_[start_], from);
    }
    pose(bodies_[1 - start_], to);
    end_time_ = to;
    return {&bodies_[start_], &bodies_[1 - start_]};
}

int parts_of(ScrewStep& body, SearchScratch& scratch, double deviation) {
    constexpr int max_parts =
        64;  // even if that is not enough: then spheres are larger, results are the same
    if (body.path().tree().nodes.empty()) return 1;
    const auto radius = static_cast<double>(body.part(0, 1).start->sphere(0, scratch.refit).radius);
    const double parts = std::ceil(std::sqrt(body.path().acceleration(0) / 8 / (deviation * radius)));
    return parts < max_parts ? std::max(1, static_cast<int>(parts)) : max_parts;
}

FirstTouch first_screw_touch(ScrewStep& a, ScrewStep& b, SearchScratch& scratch, double tolerance,
                             double deviation) {
    check_tolerance(tolerance);
    const int parts = std::max(parts_of(a, scratch, deviation), parts_of(b, scratch, deviation));
    ScrewPair pair(a, b, tolerance);
    for (int k = 0; k < parts; ++k) {
        const double from = static_cast<double>(k) / parts, to = static_cast<double>(k + 1) / parts;
        const PosedMotion motion_a = a.part(from, to), motion_b = b.part(from, to);
        pair.set_part(motion_a, motion_b, from, to);
        FirstTouch found = TouchSearch(motion_a, motion_b, scratch, pair).run();
        if (!found.touching) continue;
        found.time = from + found.time * (to - from);
        return found;
    }
    return {};
}

ScrewBody::ScrewBody(const SphereTree& tree)
    : tree_(tree), step_(std::make_unique<ScrewStep>(tree_.data())) {}
ScrewBody::~ScrewBody() = default;
ScrewBody::ScrewBody(ScrewBody&&) noexcept = default;
ScrewBody& ScrewBody::operator=(ScrewBody&&) noexcept = default;

void ScrewBody::set_step(std::span<const Mat34f> start, std::span<const Mat34f> end) {
    step_->set(start, end);
}

FirstTouch find_first_touch(ScrewBody& a, ScrewBody& b, QueryScratch& scratch, double tolerance) {
    return first_screw_touch(a.step(), b.step(), scratch.buffers(), tolerance);
}

}  // namespace sinew::collide
