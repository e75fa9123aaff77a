#include "sinew/rig/skeletonize/view_raster.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::rig {
namespace {

Mask empty_mask(const Projection& projection, const std::vector<Triangle>& triangles, int size) {
    Vec2d low = Vec2d::Constant(std::numeric_limits<double>::max()), high = -low;
    for (const Triangle& t : triangles) {
        for (const std::uint32_t v : t) {
            low = low.cwiseMin(projection.xy[v]);
            high = high.cwiseMax(projection.xy[v]);
        }
    }
    Mask mask;
    if (triangles.empty()) return mask;
    mask.pixel = (high - low).maxCoeff() / (size - 2);
    if (!(mask.pixel > 0)) mask.pixel = 1;
    const Vec2d extent = (high - low) / mask.pixel;
    mask.width = static_cast<int>(extent.x()) + 3;
    mask.height = static_cast<int>(extent.y()) + 3;
    mask.origin = (low + high) / 2 - mask.pixel * Vec2d(mask.width - 1, mask.height - 1) / 2;
    mask.covered.assign(static_cast<std::size_t>(mask.width) * static_cast<std::size_t>(mask.height), 0);
    return mask;
}

/// Pixel coordinates are never negative, because a pixel is left free around the shadow.
int floor_of(double x) {
    return static_cast<int>(x);
}
int ceil_of(double x) {
    const int down = static_cast<int>(x);
    return down + (x > down ? 1 : 0);
}

/// Calls `body(pixel, weights of the corners, their sum)` for the pixel centres in a triangle of pixel
/// coordinates, but where `skip(pixel)`.
template <class Skip, class Body>
void cover(const Mask& mask, const std::array<Vec2d, 3>& p, const Skip& skip, const Body& body) {
    const Vec2d low = p[0].cwiseMin(p[1]).cwiseMin(p[2]), high = p[0].cwiseMax(p[1]).cwiseMax(p[2]);
    const int x0 = ceil_of(low.x()), x1 = floor_of(high.x());
    const int y0 = ceil_of(low.y()), y1 = floor_of(high.y());
    if (x0 > x1 || y0 > y1) return;
    const double twice = geometry::cross2(p[1] - p[0], p[2] - p[0]);
    if (twice == 0) return;
    const double sign = twice > 0 ? 1 : -1;
    for (int y = y0; y <= y1; ++y) {
        for (int x = x0; x <= x1; ++x) {
            if (skip(mask.index(x, y))) continue;
            const Vec2d at(x, y);
            const double a = sign * geometry::cross2(p[1] - at, p[2] - at);
            const double b = sign * geometry::cross2(p[2] - at, p[0] - at);
            const double c = sign * twice - a - b;
            if (a >= 0 && b >= 0 && c >= 0) body(mask.index(x, y), Vec3d(a, b, c), sign * twice);
        }
    }
}

}  // namespace

double Mask::area() const {
    const auto count = std::count(covered.begin(), covered.end(), std::uint8_t{1});
    return static_cast<double>(count) * pixel * pixel;
}

Mask rasterize(const Projection& projection, const std::vector<Triangle>& triangles, int size,
               bool with_depth) {
    Mask mask = empty_mask(projection, triangles, size);
    if (with_depth) {
        mask.low.assign(mask.covered.size(), std::numeric_limits<float>::max());
        mask.high.assign(mask.covered.size(), std::numeric_limits<float>::lowest());
    }
    std::vector<Vec2d> pixels(projection.xy.size());
    for (std::size_t v = 0; v < pixels.size(); ++v) {
        pixels[v] = (projection.xy[v] - mask.origin) / mask.pixel;
    }
    for (const Triangle& t : triangles) {
        const std::array<Vec2d, 3> p{pixels[t[0]], pixels[t[1]], pixels[t[2]]};
        if (!with_depth) {
            cover(
                mask, p, [&](std::size_t pixel) { return mask.covered[pixel] != 0; },
                [&](std::size_t pixel, const Vec3d&, double) { mask.covered[pixel] = 1; });
            continue;
        }
        const Vec3d depths(projection.z[t[0]], projection.z[t[1]], projection.z[t[2]]);
        cover(
            mask, p, [](std::size_t) { return false; },
            [&](std::size_t pixel, const Vec3d& weights, double sum) {
                const auto depth = static_cast<float>(weights.dot(depths) / sum);
                mask.covered[pixel] = 1;
                mask.low[pixel] = std::min(mask.low[pixel], depth);
                mask.high[pixel] = std::max(mask.high[pixel], depth);
            });
    }
    return mask;
}

MaskRegions regions_of(const Mask& mask) {
    MaskRegions out;
    out.of_pixel.assign(mask.covered.size(), -1);
    std::vector<std::array<int, 2>> queue;
    for (int y = 0; y < mask.height; ++y) {
        for (int x = 0; x < mask.width; ++x) {
            if (out.of_pixel[mask.index(x, y)] >= 0) continue;
            const int label = static_cast<int>(out.regions.size());
            MaskRegions::Region region;
            region.covered = mask.covered[mask.index(x, y)] != 0;
            out.of_pixel[mask.index(x, y)] = label;
            queue.assign(1, {x, y});
            for (std::size_t next = 0; next < queue.size(); ++next) {
                const auto [px, py] = queue[next];
                ++region.pixels;
                region.at_border |= px == 0 || py == 0 || px == mask.width - 1 || py == mask.height - 1;
                for (int dy = -1; dy <= 1; ++dy) {
                    for (int dx = -1; dx <= 1; ++dx) {
                        if (!region.covered && dx != 0 && dy != 0) continue;
                        const int qx = px + dx, qy = py + dy;
                        if (qx < 0 || qy < 0 || qx >= mask.width || qy >= mask.height) continue;
                        const std::size_t q = mask.index(qx, qy);
                        if (out.of_pixel[q] >= 0 || (mask.covered[q] != 0) != region.covered) continue;
                        out.of_pixel[q] = label;
                        queue.push_back({qx, qy});
                    }
                }
            }
            out.regions.push_back(region);
        }
    }
    // How deep: steps from the nearest pixel of another region, by two sweeps over the grid.
    std::vector<int> depth(mask.covered.size(), 0), best(out.regions.size(), -1);
    const auto relax = [&](int x, int y, int dx, int dy) {
        const std::size_t p = mask.index(x, y);
        const int qx = x + dx, qy = y + dy;
        const bool same = qx >= 0 && qy >= 0 && qx < mask.width && qy < mask.height &&
                          out.of_pixel[mask.index(qx, qy)] == out.of_pixel[p];
        depth[p] = std::min(depth[p], same ? depth[mask.index(qx, qy)] + 1 : 1);
    };
    std::fill(depth.begin(), depth.end(), std::numeric_limits<int>::max() / 2);
    for (int y = 0; y < mask.height; ++y) {
        for (int x = 0; x < mask.width; ++x) {
            relax(x, y, -1, 0);
            relax(x, y, 0, -1);
        }
    }
    for (int y = mask.height - 1; y >= 0; --y) {
        for (int x = mask.width - 1; x >= 0; --x) {
            relax(x, y, 1, 0);
            relax(x, y, 0, 1);
            const std::size_t p = mask.index(x, y);
            const auto label = static_cast<std::size_t>(out.of_pixel[p]);
            if (depth[p] > best[label]) {
                best[label] = depth[p];
                out.regions[label].deepest = {x, y};
            }
        }
    }
    return out;
}

}  // namespace sinew::rig
