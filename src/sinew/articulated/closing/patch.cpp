// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <numeric>

#include "sinew/articulated/closing/stages.h"

namespace sinew::articulated {
namespace {

/// Copies of a seam point whose distance is below this fraction of the spacing stay together at their
/// midpoint. This moves rigid skin slightly but avoids slivers.
constexpr double weld_distance = 0.3;
/// Rounds of smoothing for patches that intersect themselves, at the intersections.
constexpr int untangling_rounds = 16;
/// If smoothing does not help, the joint is cut wider, which takes as much time again. Done up to this bend
/// in radians, slightly more than a right angle.
constexpr double widest_bend = math::radians(91);
/// Quality of triangles below which diagonals are flipped (1 is equilateral).
constexpr double min_quality = 0.05;

/// Adds the time since the last call.
class Stopwatch {
  public:
    void lap(double& seconds) {
        const auto now = std::chrono::steady_clock::now();
        seconds += std::chrono::duration<double>(now - last_).count();
        last_ = now;
    }

  private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Keeps all points: for chains on open meshes, and where nothing may be removed.
void keep_all(const Gap& gap, Cut& cut) {
    for (int s = 0; s < 2; ++s) {
        cut.sides[s].removed.assign(gap.sides[s].points.size(), 0);
        cut.sides[s].removed_triangles.assign(gap.sides[s].triangles.size(), 0);
        cut.sides[s].loop.resize(gap.loop_size);
        std::iota(cut.sides[s].loop.begin(), cut.sides[s].loop.end(), 0);
    }
}

std::vector<Vec3d> loop_points(const Gap& gap, const PartBody& body, const GapPatch& patch, int s) {
    std::vector<Vec3d> points;
    for (const std::uint32_t p : patch.cut.sides[s].loop)
        points.push_back(patch.motion.position(s, patch.motion.rest(gap, body, s, p)));
    return points;
}

/// Ribs and triangles over the removed region; false when the patch is not sound.
bool bridge(const Gap& gap, const PartBody& body, const GapOptions& options, GapPatch& patch,
            Stopwatch& watch) {
    patch.ribs = make_ribs(gap, body, patch.motion, patch.cut, options);
    watch.lap(patch.seconds.add);
    if (gap.closed && patch.ribs.ribs.size() < 3) return false;
    patch.strip = strip_between(patch.ribs.ribs, loop_points(gap, body, patch, 0),
                                loop_points(gap, body, patch, 1), gap.closed, options.constant_topology);
    watch.lap(patch.seconds.triangulate);
    return patch.strip.sound;
}

/// Cuts as deep as the patch remains sound.
bool cut_and_bridge(const Gap& gap, const PartBody& body, const InsideOther& inside,
                    const GapOptions& options, GapPatch& patch, Stopwatch& watch) {
    for (const int limit : {1 << 20, 8, 4, 2, 1, 0}) {
        patch.limit = limit;
        const bool cut = cut_gap(gap, body, patch.motion, inside, limit, patch.cut);
        watch.lap(patch.seconds.remove);
        if (cut && bridge(gap, body, options, patch, watch)) return true;
    }
    return false;
}

}  // namespace

void GapSeconds::include(const GapSeconds& other) {
    remove += other.remove;
    add += other.add;
    triangulate += other.triangulate;
    normals += other.normals;
}

std::size_t GapPatch::removed_points() const {
    return static_cast<std::size_t>(std::ranges::count(cut.sides[0].removed, 1) +
                                    std::ranges::count(cut.sides[1].removed, 1));
}

namespace {

GapPatch attempt(const Gap& gap, const PartBody& body, const JointMove& move, const InsideOther& inside,
                 const GapOptions& options) {
    GapPatch patch;
    patch.moved = true;
    Stopwatch watch;
    patch.motion = gap_motion(gap, move.relative, !options.constant_topology);
    for (int s = 0; s < 2; ++s) patch.motion.bent[s] = move.bent[s];
    const double weld = weld_distance * gap.spacing;
    patch.cut.seam = judge_seam(gap, body, patch.motion, weld);
    const bool may_cut = gap.closed && !options.constant_topology;
    if (!may_cut || !cut_and_bridge(gap, body, inside, options, patch, watch)) {
        patch.limit = -1;
        patch.motion.band = false;
        patch.cut.seam = judge_seam(gap, body, patch.motion, weld);
        keep_all(gap, patch.cut);
        bridge(gap, body, options, patch, watch);
    }
    patch.drawn = static_cast<std::size_t>(std::ranges::count_if(patch.ribs.ribs, [&](const Rib& rib) {
        return rib.welded && patch.cut.seam[rib.seam] == SeamPoint::pressed;
    }));
    watch.lap(patch.seconds.triangulate);
    fair(patch.strip, options.fairing);
    if (!options.constant_topology) {
        flip_diagonals(patch.strip, min_quality);
        patch.crossings = untangle(patch.strip, untangling_rounds);
        flip_diagonals(patch.strip, min_quality);
    }
    watch.lap(patch.seconds.add);
    return patch;
}

}  // namespace

GapPatch close_gap(const Gap& gap, const PartBody& body, const JointMove& move, const InsideOther& inside,
                   const GapOptions& options) {
    GapPatch patch = attempt(gap, body, move, inside, options);
    if (patch.crossings == 0 || math::rotation_vector(move.relative.rotation).norm() > widest_bend)
        return patch;
    // With too small a cut the loops intersect each other: remove everything behind the opening.
    GapPatch wider = attempt(gap, body, move, [](int, const Vec3d&) { return true; }, options);
    const double good =
        std::min(worst_quality(patch.strip), 0.02);  // fewer crossings must not be paid for with slivers
    if (wider.crossings >= patch.crossings || worst_quality(wider.strip) < good) {
        patch.seconds.include(wider.seconds);
        return patch;
    }
    wider.seconds.include(patch.seconds);
    return wider;
}

GapClasses classes_of(const Gap& gap, const GapPatch& patch, int s) {
    const GapSide& side = gap.sides[s];
    const CutSide& cut = patch.cut.sides[s];
    GapClasses classes;
    std::vector<std::uint8_t> end(side.points.size(), 0), extra(side.points.size(), 0);
    for (const std::uint32_t p : cut.loop) {
        end[p] = 1;
        (p < gap.loop_size ? classes.circle : classes.bezier).push_back(side.points[p]);
    }
    for (const std::uint32_t p : cut.loop)
        for (const std::uint32_t q : side.neighbours[p])
            if (!end[q] && !cut.removed[q]) extra[q] = 1;
    for (std::size_t p = 0; p < side.points.size(); ++p) {
        if (cut.removed[p]) classes.removed.push_back(side.points[p]);
        if (extra[p]) classes.extra.push_back(side.points[p]);
    }
    return classes;
}

void fair(StripPatch& patch, int steps) {
    if (steps <= 0) return;
    const geometry::Rows around = geometry::vertex_neighbors(patch.points.size(), patch.triangles);
    const std::size_t first = patch.loop_points(), count = patch.points.size();
    const auto laplacian = [&](const std::vector<Vec3d>& field, std::size_t i) {
        Vec3d sum = Vec3d::Zero();
        for (const std::uint32_t n : around[i]) sum += field[n] - field[i];
        return Vec3d(sum / static_cast<double>(std::max<std::size_t>(around[i].size(), 1)));
    };
    for (int step = 0; step < steps; ++step) {
        std::vector<Vec3d> once(count, Vec3d::Zero());
        for (std::size_t i = first; i < count; ++i) once[i] = laplacian(patch.points, i);
        std::vector<Vec3d> moved = patch.points;
        for (std::size_t i = first; i < count; ++i) moved[i] -= 0.25 * laplacian(once, i);
        patch.points = std::move(moved);
    }
}

}  // namespace sinew::articulated
