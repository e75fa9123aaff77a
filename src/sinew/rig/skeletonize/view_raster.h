#pragma once
/// \file
/// The shadow of a surface on a grid of pixels.

#include "sinew/rig/skeletonize/silhouette_surface.h"

namespace sinew::rig {

/// Pixels whose centre a triangle covers; one empty pixel is left around the shadow.
struct Mask {
    int width = 0, height = 0;
    double pixel = 1;              ///< side of a pixel
    Vec2d origin = Vec2d::Zero();  ///< centre of pixel (0, 0)
    std::vector<std::uint8_t> covered;
    std::vector<float> low, high;  ///< depths of the covered pixels, when asked for

    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
    Vec2d center(int x, int y) const { return origin + pixel * Vec2d(x, y); }
    double area() const;
};

/// `size` pixels along the longer side.
Mask rasterize(const Projection& projection, const std::vector<Triangle>& triangles, int size,
               bool with_depth = false);

/// Connected groups of equal pixels. Covered ones join over sides and corners, empty ones over sides.
struct MaskRegions {
    struct Region {
        bool covered = false;
        bool at_border = false;  ///< touches the edge of the grid
        std::size_t pixels = 0;
        std::array<int, 2> deepest{};  ///< the pixel farthest from other regions, about
    };
    std::vector<Region> regions;
    std::vector<int> of_pixel;
};
MaskRegions regions_of(const Mask& mask);

}  // namespace sinew::rig
