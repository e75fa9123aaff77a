#include "sinew/collide/query.h"

#include <cmath>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/collide/touch_search.h"

namespace sinew::collide {

using deform::Mat34f;

namespace {

/// Triangles whose corners move as screws take them, during one part of a step; times run from 0 to 1 in it.
class ScrewPair {
  public:
    ScrewPair(ScrewBody& a, ScrewBody& b, double tolerance)
        : a_(a.path()), b_(b.path()), tolerance_(tolerance + 2 * (a_.slack() + b_.slack())) {}

    void set_part(const Motion& a, const Motion& b, double from, double to) {
        motion_a_ = a;
        motion_b_ = b;
        from_ = from;
        length_ = to - from;
    }

    /// A vertex leaves its chord by h^2 / 8 of its acceleration at most.
    double reach(std::uint32_t n, std::uint32_t m) {
        return tolerance_ + length_ * length_ / 8 * (a_.acceleration(n) + b_.acceleration(m));
    }

    /// First along chords, which need no screws, with twice the room by which they may be wrong, because
    /// advancement passes by half of it; from where those come near, on the paths themselves.
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
    Motion motion_a_, motion_b_;
    double from_ = 0, length_ = 1;
};

}  // namespace

ScrewBody::ScrewBody(const SphereTree& tree) : path_(tree), start_(tree), end_(tree) {}

void ScrewBody::set_step(std::span<const Mat34f> start, std::span<const Mat34f> end) {
    path_.set_ends(start, end);
    end_time_ = -1;
}

void ScrewBody::pose(Body& body, double time) {
    path_.palette(time, palette_);
    body.set_pose(palette_);
}

Motion ScrewBody::part(double from, double to) {
    if (end_time_ == from) {
        std::swap(start_, end_);
    } else {
        pose(start_, from);
    }
    pose(end_, to);
    end_time_ = to;
    return {&start_, &end_};
}

int parts_of(ScrewBody& body, QueryScratch& room, const ScrewTouchOptions& options) {
    const SphereTree& tree = body.path().tree();
    if (tree.nodes.empty()) return 1;
    const double radius = body.part(0, 1).start->ball(0, room.refit).radius,
                 beyond = body.path().acceleration(0) / 8;
    const double parts = std::ceil(std::sqrt(beyond / (options.bend * radius)));
    return parts < options.most_parts ? std::max(1, static_cast<int>(parts)) : options.most_parts;
}

FirstTouch find_first_touch(ScrewBody& a, ScrewBody& b, QueryScratch& room, const ScrewTouchOptions& options) {
    if (!(options.tolerance > 0))
        fail("collide", "the tolerance of a first touch must be positive, not {}", options.tolerance);
    const int parts = std::max(parts_of(a, room, options), parts_of(b, room, options));
    ScrewPair pair(a, b, options.tolerance);
    for (int k = 0; k < parts; ++k) {
        const double from = static_cast<double>(k) / parts, to = static_cast<double>(k + 1) / parts;
        const Motion motion_a = a.part(from, to), motion_b = b.part(from, to);
        pair.set_part(motion_a, motion_b, from, to);
        FirstTouch found = TouchSearch(motion_a, motion_b, room, pair).run();
        if (!found.touching) continue;
        found.time = from + found.time * (to - from);
        return found;
    }
    return {};
}

}  // namespace sinew::collide
