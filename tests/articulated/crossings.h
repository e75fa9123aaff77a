// SPDX-License-Identifier: MIT
#pragma once
// Triangles of patches that cross others.

#include <algorithm>
#include <numeric>

#include "articulated/bodies.h"

#include "sinew/geometry/surface_queries.h"

namespace sinew::articulated {

/// Pairs of triangles without a common corner that cross, of which one is in a patch.
struct Crossings {
    std::size_t in_patch = 0;   ///< both in patches
    std::size_t with_kept = 0;  ///< the other is of a part
    std::size_t total() const { return in_patch + with_kept; }
};

/// Boxes are sorted along x and swept, so that few pairs are looked at.
inline Crossings crossings(const GapFrame& frame) {
    const Mesh& mesh = frame.mesh;
    struct Entry {
        geometry::TriangleCorners corners;
        Vec3d low, high;
        bool patch;
    };
    std::vector<Entry> entries;
    Vec3d low = Vec3d::Constant(1e30), high = Vec3d::Constant(-1e30);
    for (std::size_t t = mesh.triangles.size(); t-- > 0;) {
        Entry e;
        for (std::size_t k = 0; k < 3; ++k)
            e.corners[k] = mesh.positions[mesh.triangles[t][k]].cast<double>();
        e.low = e.corners[0].cwiseMin(e.corners[1]).cwiseMin(e.corners[2]);
        e.high = e.corners[0].cwiseMax(e.corners[1]).cwiseMax(e.corners[2]);
        e.patch = t >= first_patch_triangle(frame);
        if (e.patch) {
            low = low.cwiseMin(e.low);
            high = high.cwiseMax(e.high);
        } else if ((e.low.array() > high.array()).any() || (e.high.array() < low.array()).any()) {
            continue;  // patches come last, so that their box is known here
        }
        entries.push_back(e);
    }
    std::ranges::sort(entries, {}, [](const Entry& e) { return e.low.x(); });
    Crossings count;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Entry& a = entries[i];
        for (std::size_t j = i + 1; j < entries.size() && entries[j].low.x() <= a.high.x(); ++j) {
            const Entry& b = entries[j];
            if (!a.patch && !b.patch) continue;
            if ((a.low.array() > b.high.array()).any() || (b.low.array() > a.high.array()).any()) continue;
            bool near = false;
            for (const Vec3d& p : a.corners)
                for (const Vec3d& q : b.corners) near = near || p == q;
            if (near || !geometry::triangles_cross(a.corners, b.corners)) continue;
            ++(a.patch && b.patch ? count.in_patch : count.with_kept);
        }
    }
    return count;
}

}  // namespace sinew::articulated
