// SPDX-License-Identifier: MIT
// Variant E: the contour of a picture.

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "sinew/rig/silhouette/silhouette.h"
#include "sinew/rig/silhouette/silhouette_surface.h"

namespace sinew::rig {

namespace {

constexpr int mask_size = 1024;

/// A side between two neighbouring pixels of which one is covered: to the right of pixel (x, y), or above it.
struct Crack {
    int x = 0, y = 0;
    bool up = false;
    std::uint64_t key() const {
        return (static_cast<std::uint64_t>(y) << 33) | (static_cast<std::uint64_t>(x) << 1) | (up ? 1u : 0u);
    }
};

/// The four cracks of the square between pixels (x, y) and (x+1, y+1), anticlockwise from the lower one.
std::array<Crack, 4> cracks(int x, int y) {
    return {{{x, y, false}, {x + 1, y, true}, {x, y + 1, false}, {x, y, true}}};
}

SilhouetteNode node_at(const Mask& mask, const Crack& crack) {
    const int x = crack.x + (crack.up ? 0 : 1), y = crack.y + (crack.up ? 1 : 0);
    const std::size_t first = mask.index(crack.x, crack.y), second = mask.index(x, y);
    const std::size_t covered = mask.covered[first] != 0 ? first : second;
    SilhouetteNode node;
    node.xy = (mask.center(crack.x, crack.y) + mask.center(x, y)) / 2;
    node.z = (static_cast<double>(mask.low[covered]) + static_cast<double>(mask.high[covered])) / 2;
    return node;
}

/// Marching squares with the covered pixels to the left: from where the shadow ends, going round a square
/// anticlockwise, to where it begins again. Diagonal neighbours are joined.
std::vector<SilhouetteLoop> contours(const Mask& mask) {
    std::unordered_map<std::uint64_t, Crack> next;
    std::vector<Crack> starts;
    for (int y = 0; y + 1 < mask.height; ++y) {
        for (int x = 0; x + 1 < mask.width; ++x) {
            const std::array<bool, 4> on{
                mask.covered[mask.index(x, y)] != 0, mask.covered[mask.index(x + 1, y)] != 0,
                mask.covered[mask.index(x + 1, y + 1)] != 0, mask.covered[mask.index(x, y + 1)] != 0};
            for (std::size_t i = 0; i < 4; ++i) {
                if (!on[i] || on[(i + 1) % 4]) continue;
                std::size_t j = (i + 1) % 4;
                while (!(!on[j] && on[(j + 1) % 4])) j = (j + 1) % 4;
                next[cracks(x, y)[i].key()] = cracks(x, y)[j];
                starts.push_back(cracks(x, y)[i]);
            }
        }
    }
    std::vector<SilhouetteLoop> loops;
    for (const Crack& start : starts) {
        SilhouetteLoop loop;
        for (Crack at = start;;) {
            const auto link = next.find(at.key());
            if (link == next.end()) break;
            loop.push_back(node_at(mask, at));
            at = link->second;
            next.erase(link);
        }
        if (loop.size() >= 3) loops.push_back(std::move(loop));
    }
    return loops;
}

/// Douglas and Peucker 1973 between two nodes of a loop.
void simplify(const SilhouetteLoop& loop, std::size_t first, std::size_t last, double tolerance,
              std::vector<char>& keep) {
    std::vector<std::array<std::size_t, 2>> open{{first, last}};
    while (!open.empty()) {
        const auto [a, b] = open.back();
        open.pop_back();
        double worst = tolerance;
        std::size_t split = 0;
        for (std::size_t i = a + 1; i < b; ++i) {
            const double d = geometry::distance_to_segment(loop[i].xy, loop[a].xy, loop[b % loop.size()].xy);
            if (d > worst) {
                worst = d;
                split = i;
            }
        }
        if (split == 0) continue;
        keep[split] = 1;
        open.push_back({a, split});
        open.push_back({split, b});
    }
}

SilhouetteLoop simplified(const SilhouetteLoop& loop, double tolerance) {
    std::size_t far = 0;
    for (std::size_t i = 1; i < loop.size(); ++i) {
        if ((loop[i].xy - loop[0].xy).norm() > (loop[far].xy - loop[0].xy).norm()) far = i;
    }
    std::vector<char> keep(loop.size(), 0);
    keep[0] = keep[far] = 1;
    simplify(loop, 0, far, tolerance, keep);
    simplify(loop, far, loop.size(), tolerance, keep);
    SilhouetteLoop out;
    for (std::size_t i = 0; i < loop.size(); ++i) {
        if (keep[i] != 0) out.push_back(loop[i]);
    }
    const bool simple = out.size() >= 3 && geometry::PolygonIndex({points_of(out), {}}).simple();
    return simple ? out : loop;
}

}  // namespace

Silhouette trace_raster(const WeldedSurface& surface, const Projection& projection) {
    const Mask mask = rasterize(projection, surface.triangles, mask_size, true);
    std::vector<SilhouetteLoop> loops = contours(mask);
    for (SilhouetteLoop& loop : loops) loop = simplified(loop, mask.pixel);
    return {SilhouetteVariant::raster, sort_into_pieces(std::move(loops))};
}

}  // namespace sinew::rig
