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

/// A group of empty pixels, joined over their sides, that does not reach the edge of the picture.
struct MaskHole {
    std::size_t pixels = 0;
    std::array<int, 2> deepest{};  ///< the pixel farthest from what is covered, in steps over sides
};
/// Holes of at least so many pixels, in the order of their first pixel.
std::vector<MaskHole> holes_of(const Mask& mask, double least = 1);

}  // namespace sinew::rig
