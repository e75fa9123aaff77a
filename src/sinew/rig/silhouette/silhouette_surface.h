// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A direction to look along, and the axes of the picture.

#include "sinew/geometry/polygon.h"
#include "sinew/geometry/topology.h"
#include "sinew/math/types.h"

namespace sinew::rig {

using math::Vec3d;

/// Right-handed and orthonormal; z is the direction of projection, towards the eye.
struct ViewFrame {
    Vec3d x = Vec3d::UnitX();
    Vec3d y = Vec3d::UnitY();
    Vec3d z = Vec3d::UnitZ();

    Vec3d to_view(const Vec3d& p) const { return {x.dot(p), y.dot(p), z.dot(p)}; }
    Vec3d to_world(double u, double v, double depth) const { return x * u + y * v + z * depth; }
};

/// Looks along `direction` with `up` upright in the picture; where they are parallel, with `fallback`, and
/// where that is parallel too, with any axis.
ViewFrame view_frame(const Vec3d& direction, const Vec3d& up, const Vec3d& fallback);

// The connected surface of a mesh, and its projection in a view.

using geometry::Triangle;
using geometry::Vec2d;

/// Triangles over welded vertices (indices are those of the mesh, always the lowest of twins), without the
/// ones that have a repeated corner.
struct WeldedSurface {
    std::vector<Vec3d> positions;  ///< of all vertices of the mesh
    std::vector<std::uint32_t> weld;
    std::vector<Triangle> triangles;
    geometry::EdgeTable edges;
    double diagonal = 0;  ///< of the sphere around the centre of area: the size of the body in any rotation
    /// For every edge, as many triangles have the same direction as the opposite one: crossings can be
    /// counted.
    bool closed = false;
};

/// \throws Error when there is no triangle with area.
WeldedSurface welded_surface(const geometry::Mesh& mesh);
/// The part of a surface with some of its triangles; vertices are renumbered.
WeldedSurface part_of(const WeldedSurface& surface, const std::vector<std::uint32_t>& triangles);

/// The vertices in the coordinates of a view.
struct Projection {
    ViewFrame frame;
    std::vector<Vec2d> xy;
    std::vector<double> z;

    Vec3d lifted(const Vec2d& at, double depth) const { return frame.to_world(at.x(), at.y(), depth); }
};
Projection project(const WeldedSurface& surface, const ViewFrame& frame);

// The shadow of a surface on a grid of pixels.

/// Pixels whose centre a triangle covers; one empty pixel is left around the shadow.
struct Mask {
    int width = 0, height = 0;
    double pixel = 1;              ///< side of a pixel
    Vec2d origin = Vec2d::Zero();  ///< centre of pixel (0, 0)
    std::vector<std::uint8_t> covered;
    std::vector<float> low, high;  ///< depths of the covered pixels, when requested

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
/// Holes of at least `min` pixels, in the order of their first pixel.
std::vector<MaskHole> holes_of(const Mask& mask, double min = 1);

}  // namespace sinew::rig
