// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sinew/articulated/closing/stages.h"

namespace sinew::articulated {
namespace {

using geometry::Triangle;

constexpr std::uint32_t no_point = 0xffffffff;

/// True for a point behind the opening of the other part and inside that part.
bool goes(const Gap& gap, const PartBody& body, const GapMotion& motion, const InsideOther& inside, int s,
          std::uint32_t point) {
    const GapSide& side = gap.sides[s];
    const Vec3d seen = motion.from_other(s, motion.rest(gap, body, s, point));
    const double height = gap.normal.dot(seen - gap.centre);
    const bool behind = s == 1 ? height < side.reference[point] : height > side.reference[point];
    return behind && inside(s, seen);
}

void flood(const Gap& gap, const PartBody& body, const GapMotion& motion, const InsideOther& inside, int s,
           int limit, const std::vector<std::uint8_t>& leaving, std::vector<std::uint8_t>& removed) {
    const GapSide& side = gap.sides[s];
    removed.assign(side.points.size(), 0);
    std::vector<std::uint8_t> visited(side.points.size(), 0);
    std::vector<std::uint32_t> queue;
    for (std::uint32_t i = 0; i < gap.loop_size; ++i) {
        visited[i] = 1;
        if (!leaving[i] || !side.removable[i]) continue;
        removed[i] = 1;
        queue.push_back(i);
    }
    for (std::size_t head = 0; head < queue.size(); ++head) {
        for (const std::uint32_t next : side.neighbours[queue[head]]) {
            if (visited[next]) continue;
            visited[next] = 1;
            if (!side.removable[next] || side.hops[next] > limit) continue;
            if (!goes(gap, body, motion, inside, s, next)) continue;
            removed[next] = 1;
            queue.push_back(next);
        }
    }
}

/// Triangles with a removed corner, and separate pieces of the remainder.
void remove_triangles(const GapSide& side, CutSide& cut) {
    const std::size_t count = side.triangles.size();
    cut.removed_triangles.assign(count, 0);
    for (std::size_t t = 0; t < count; ++t)
        for (const std::uint32_t corner : side.triangles[t])
            if (cut.removed[corner]) cut.removed_triangles[t] = 1;
    std::vector<int> piece(count, -1);
    std::vector<std::size_t> sizes, stack;
    std::vector<std::uint8_t> anchored;
    for (std::size_t seed = 0; seed < count; ++seed) {
        if (cut.removed_triangles[seed] || piece[seed] >= 0) continue;
        const int id = static_cast<int>(sizes.size());
        sizes.push_back(0);
        anchored.push_back(0);
        piece[seed] = id;
        stack.push_back(seed);
        while (!stack.empty()) {
            const std::size_t t = stack.back();
            stack.pop_back();
            ++sizes.back();
            for (const int next : side.across[t]) {
                if (next == GapSide::outside) anchored.back() = 1;
                if (next < 0) continue;
                const auto n = static_cast<std::size_t>(next);
                if (cut.removed_triangles[n] || piece[n] >= 0) continue;
                piece[n] = id;
                stack.push_back(n);
            }
        }
    }
    if (sizes.empty()) return;
    if (std::ranges::count(anchored, 1) == 0)
        anchored[static_cast<std::size_t>(std::ranges::max_element(sizes) - sizes.begin())] = 1;
    for (std::size_t t = 0; t < count; ++t)
        if (piece[t] >= 0 && !anchored[static_cast<std::size_t>(piece[t])]) cut.removed_triangles[t] = 1;
}

/// Borders of the remainder in the direction of its triangles: along the seam and around the removed region.
/// `pinch` is a point with two outgoing borders, or none.
struct Borders {
    std::vector<std::uint32_t> next;
    std::size_t count = 0;
    std::uint32_t start = no_point;
    std::uint32_t pinch = no_point;
};

Borders find_borders(const GapSide& side, const CutSide& cut) {
    Borders borders;
    borders.next.assign(side.points.size(), no_point);
    const auto add = [&](std::uint32_t from, std::uint32_t to) {
        if (borders.next[from] != no_point) borders.pinch = from;
        borders.next[from] = to;
        borders.start = std::min(borders.start, from);
        ++borders.count;
    };
    for (std::size_t t = 0; t < side.triangles.size(); ++t) {
        const Triangle& corners = side.triangles[t];
        for (std::size_t k = 0; k < 3; ++k) {
            const int across = side.across[t][k];
            const std::uint32_t a = corners[k], b = corners[(k + 1) % 3];
            if (!cut.removed_triangles[t]) {
                if (across == GapSide::seam) add(a, b);
            } else if (across == GapSide::outside ||
                       (across >= 0 && !cut.removed_triangles[static_cast<std::size_t>(across)])) {
                add(b, a);
            }
        }
    }
    return borders;
}

/// One loop through all borders; false when there are several, or one is not closed.
bool trace(const Borders& borders, std::vector<std::uint32_t>& loop) {
    loop.clear();
    if (borders.start == no_point) return false;
    std::uint32_t at = borders.start;
    do {
        loop.push_back(at);
        at = borders.next[at];
    } while (at != no_point && at != borders.start && loop.size() <= borders.count);
    return at == borders.start && loop.size() == borders.count;
}

bool find_loop(const GapSide& side, CutSide& cut) {
    for (int round = 0; round < 32; ++round) {
        remove_triangles(side, cut);
        const Borders borders = find_borders(side, cut);
        if (borders.pinch == no_point) return trace(borders, cut.loop);
        if (!side.removable[borders.pinch]) return false;
        cut.removed[borders.pinch] = 1;
    }
    return false;
}

/// True when the kept points of the seam have the same order on the loop as on the seam, once around.
bool in_order(const CutSide& cut, std::size_t loop_size) {
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t p : cut.loop)
        if (p < loop_size) kept.push_back(p);
    std::size_t falls = 0;
    for (std::size_t i = 0; i < kept.size(); ++i) falls += kept[i] > kept[(i + 1) % kept.size()] ? 1 : 0;
    return falls <= 1;
}

}  // namespace

GapMotion gap_motion(const Gap& gap, const math::Rigidd& relative, bool bands) {
    GapMotion motion;
    motion.relative = relative;
    motion.angle = math::angle_between<double>(math::Quatd::Identity(), relative.rotation);
    const math::Quatd q = relative.rotation.w() < 0 ? math::negated(relative.rotation) : relative.rotation;
    // Twist: the part of the rotation about the normal, applied first.
    const double along = q.vec().dot(gap.normal);
    const double size = std::hypot(q.w(), along);
    if (size > 1e-9) {
        motion.twist = math::Quatd(q.w() / size, 0, 0, 0);
        motion.twist.vec() = along / size * gap.normal;
    }
    motion.swing = q * motion.twist.conjugate();
    const Vec3d swing = math::rotation_vector(motion.swing);
    motion.axis = swing.norm() > 1e-6 ? Vec3d(swing.normalized()) : Vec3d(gap.normal.unitOrthogonal());
    motion.shift = relative * gap.pivot - gap.pivot;
    const double twist = math::rotation_vector(motion.twist).norm();
    motion.band = bands && gap.closed && twist * gap.radius > gap.spacing / 3;
    return motion;
}

std::vector<SeamPoint> judge_seam(const Gap& gap, const PartBody& body, const GapMotion& motion,
                                  double weld) {
    std::vector<SeamPoint> seam;
    const Vec3d up = gap.normal + motion.relative.rotation * gap.normal;
    for (std::size_t i = 0; i < gap.loop_size; ++i) {
        const auto point = static_cast<std::uint32_t>(i);
        const Vec3d own = motion.rest(gap, body, 0, point), other = motion.rest(gap, body, 1, point);
        const Vec3d rotated = motion.band ? Vec3d(gap.pivot + motion.twist * (own - gap.pivot)) : own;
        const Vec3d position = motion.relative * other;
        const Vec3d direction = position - rotated;
        const bool pressed = up.dot(direction) < 0;
        const bool stuck = !gap.sides[0].removable[i] && (position - own).norm() <= weld;
        seam.push_back(stuck || direction.norm() <= weld ? SeamPoint::together
                       : pressed                         ? SeamPoint::pressed
                                                         : SeamPoint::apart);
    }
    return seam;
}

bool cut_gap(const Gap& gap, const PartBody& body, const GapMotion& motion, const InsideOther& inside,
             int limit, Cut& cut) {
    std::vector<std::uint8_t> leaving;
    for (const SeamPoint point : cut.seam)
        leaving.push_back(motion.band || point == SeamPoint::pressed ? 1 : 0);
    for (int s = 0; s < 2; ++s) {
        CutSide& side = cut.sides[s];
        flood(gap, body, motion, inside, s, limit, leaving, side.removed);
        if (!find_loop(gap.sides[s], side)) return false;
        if (s == 0) std::ranges::reverse(side.loop);  // the parent's border runs in the opposite direction
        if (!in_order(side, gap.loop_size)) return false;
    }
    return true;
}

}  // namespace sinew::articulated
