#include <chrono>

#include "sinew/base/parallel.h"
#include "sinew/deform/parts/gap_output.h"

namespace sinew::deform {
namespace {

using geometry::Triangle;

/// First output vertex of the new points of each moved patch, in order.
std::vector<std::size_t> first_new_vertices(const SplitVertices& split, const GapFrame& frame) {
    std::vector<std::size_t> first;
    std::size_t at = split.source.size();
    for (const GapPatch& patch : frame.patches) {
        first.push_back(at);
        if (patch.moved) at += patch.new_points();
    }
    return first;
}

Vec3d facet_normal(const Vec3d& a, const Vec3d& b, const Vec3d& c, bool by_area) {
    const Vec3d normal = (b - a).cross(c - a);
    return by_area || normal.norm() == 0 ? normal : Vec3d(normal.normalized());
}

/// Sums of facet normals at the points of a patch, in the parent's rest frame: of the patch and, at its ends,
/// of the facets of the parts that were not removed.
std::vector<Vec3d> sum_normals(const PartBody& body, const Gap& gap, const SplitVertices& split,
                               const GapOptions& options, const GapFrame& frame, const GapPatch& patch) {
    const StripPatch& strip = patch.strip;
    std::vector<Vec3d> sums(strip.points.size(), Vec3d::Zero());
    for (const Triangle& t : strip.triangles) {
        const Vec3d normal =
            facet_normal(strip.points[t[0]], strip.points[t[1]], strip.points[t[2]], options.area_normals);
        for (const std::uint32_t corner : t) sums[corner] += normal;
    }
    const geometry::CutMesh& cut = body.cut;
    for (std::size_t i = 0; i < strip.loop_points(); ++i) {
        const int s = i < strip.parent_count ? 0 : 1;
        const std::uint32_t local = patch.cut.sides[s].loop[s == 0 ? i : i - strip.parent_count];
        const std::uint32_t point = gap.sides[s].points[local];
        Vec3d own = Vec3d::Zero();
        for (const std::uint32_t t : split.triangles_of[point]) {
            if (cut.part_of[t] != gap.sides[s].part || frame.removed_triangles[t]) continue;
            const Triangle& c = split.triangles[t];
            const auto place = [&](std::uint32_t v) { return Vec3d(frame.mesh.positions[v].cast<double>()); };
            own += facet_normal(place(c[0]), place(c[1]), place(c[2]), options.area_normals);
        }
        sums[i] += patch.world.rotation.conjugate() * own;
    }
    // Welded points are on both loops and have one normal.
    for (const Rib& rib : patch.ribs.ribs) {
        if (!rib.welded) continue;
        const std::size_t a = rib.from % strip.parent_count,
                          b = strip.parent_count + rib.to % strip.child_count;
        sums[a] += sums[b];
        sums[b] = sums[a];
    }
    return sums;
}

}  // namespace

void patch_normals(const PartBody& body, const std::vector<Gap>& gaps, const SplitVertices& split,
                   const SoftSeams& soft, const GapOptions& options, GapFrame& frame) {
    const std::vector<std::size_t> first = first_new_vertices(split, frame);
    const auto one = [&](std::size_t i) {
        GapPatch& patch = frame.patches[i];
        if (!patch.moved) return;
        const auto start = std::chrono::steady_clock::now();
        const Gap& gap = gaps[patch.gap];
        const std::vector<Vec3d> sums = sum_normals(body, gap, split, options, frame, patch);
        const math::Quatd& turn = patch.world.rotation;
        const auto unit = [&](const Vec3d& sum, const geometry::Vec3f& fallback) {
            return sum.norm() > 0 ? geometry::Vec3f(Vec3d(turn * sum.normalized()).cast<float>()) : fallback;
        };
        for (std::size_t p = 0; p < sums.size(); ++p) {
            if (p >= patch.strip.loop_points()) {
                geometry::Vec3f& normal = frame.mesh.normals[first[i] + p - patch.strip.loop_points()];
                normal = unit(sums[p], normal);
                continue;
            }
            const std::size_t s = p < patch.strip.parent_count ? 0 : 1;
            const std::uint32_t local = patch.cut.sides[s].loop[s == 0 ? p : p - patch.strip.parent_count];
            if (soft.whole(gap.sides[s].points[local])) continue;
            for (const std::uint32_t v : split.sides[2 * patch.gap + s][local])
                frame.mesh.normals[v] = unit(sums[p], frame.mesh.normals[v]);
        }
        patch.seconds.normals =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    if (options.parallel) {
        parallel_for(frame.patches.size(), 1, one);
    } else {
        for (std::size_t i = 0; i < frame.patches.size(); ++i) one(i);
    }
}

}  // namespace sinew::deform
