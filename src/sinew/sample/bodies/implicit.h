// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Bodies as signed fields: lofts, sweeps, round cones and ellipsoids, joined smoothly. Symmetric about x = 0
/// unless a piece is not.

#include <functional>
#include <limits>
#include <variant>
#include <vector>

#include "sinew/math/types.h"

namespace sinew::sample {

using math::Vec3d;

/// Where the curve of a sweep passes. The section there is an ellipse: `radius` across the curve, `radius *
/// width` along x.
struct Station {
    Vec3d at = Vec3d::Zero();
    double radius = 0;
    double width = 1;
};

/// Stations joined by a smooth curve (Catmull and Rom 1974), along which the section changes smoothly. The
/// curve should lie near a plane x = constant, because the flattening is measured along x.
struct Sweep {
    std::vector<Station> stations;
    std::vector<Station> curve;  ///< finely sampled; filled in by `prepare`
};

/// A station in a plane of constant x, as read from a side view.
struct SideStation {
    double z = 0;
    double y = 0;
    double radius = 0;
    double width = 1;
};
Sweep in_plane(double x, const std::vector<SideStation>& stations);

/// Computes the data that evaluation needs.
void prepare(Sweep& sweep);

/// First-order distance to the tube. The sweep must have been prepared.
double distance_to(const Sweep& sweep, const Vec3d& point);

// Bodies as signed fields: lofts, sweeps, round cones and ellipsoids, joined smoothly. Symmetric about x = 0
// unless a piece is not.

using math::Mat3d;
using math::Vec3d;

/// Sphere swept from `start` to `end` while its radius changes (exact distance).
struct RoundCone {
    Vec3d start = Vec3d::Zero();
    Vec3d end = Vec3d::Zero();
    double start_radius = 0;
    double end_radius = 0;
};

/// Half-axes along the columns of `axes`.
struct Ellipsoid {
    Vec3d center = Vec3d::Zero();
    Vec3d radii = Vec3d::Ones();
    Mat3d axes = Mat3d::Identity();
};

/// Cross-section of a loft at height `at` along its axis. Front is +v, back is -v; the two halves are half
/// ellipses of one width, so that a calf or a chest can bulge to one side.
struct Section {
    double at = 0;
    double width = 0;  ///< half of it, along u
    double front = 0;  ///< depth from the middle, along +v
    double back = 0;
    double shift_u = 0;  ///< middle of the section
    double shift_v = 0;
    double square = 0;  ///< 0 ellipse, 1 superellipse of degree 4
};

/// Sections along an axis with smooth (monotone cubic) profiles between them, and elliptic caps of the given
/// lengths.
struct Loft {
    Vec3d origin = Vec3d::Zero();
    Mat3d axes = Mat3d::Identity();  ///< columns u, v, w; sections follow each other along w
    std::vector<Section> sections;   ///< by increasing `at`
    double start_cap = 0.01;
    double end_cap = 0.01;
    std::vector<Section> slopes;  ///< of the profiles at the sections; filled in by `prepare`
};

/// Computes the data that evaluation needs. ImplicitBody calls it for its shapes.
void prepare(Loft& loft);

/// Everything on the side of a plane that `normal` (unit) points away from.
struct HalfSpace {
    Vec3d point = Vec3d::Zero();
    Vec3d normal = Vec3d::UnitY();
};

using Shape = std::variant<RoundCone, Ellipsoid, Loft, HalfSpace, Sweep>;

/// Field value; close to the distance near the surface. Lofts and sweeps must have been prepared.
double evaluate(const Shape& shape, const Vec3d& point);

enum class Combine {
    add,    ///< smooth union
    carve,  ///< smooth difference
};

/// A shape, and how it joins the shapes before it.
struct Piece {
    Shape shape;
    double blend = 0;  ///< width of the smooth transition
    Combine combine = Combine::add;
    bool paired = true;  ///< its mirror image is there, too
};

/// Pieces in the order in which they are joined.
class ImplicitBody {
  public:
    void add(Shape shape, double blend, bool paired = true);
    void carve(Shape shape, double blend, bool paired = true);
    /// Thickens the body (cloth, hair) where `side` is above 0; the step at the edge is `ramp` wide.
    void cover(std::function<double(const Vec3d&)> side, double thickness, double ramp);

    /// Negative inside; no more than `horizon` outside. Bit for bit the same at (x, y, z) and (-x, y, z).
    double operator()(const Vec3d& point) const;
    /// Value and gradient (by forward differences: four evaluations).
    struct Slope {
        double value;
        Vec3d gradient;
    };
    Slope slope(const Vec3d& point) const;
    /// Direction of steepest ascent, unit (by central differences).
    Vec3d normal(const Vec3d& point) const;
    /// The point moved onto the surface along the gradient, in at most `steps` Newton steps of at most
    /// `reach` each.
    Vec3d project(const Vec3d& point, int steps = 3, double reach = 0.02) const;

    /// Pieces farther away than this are skipped.
    static constexpr double horizon = 0.045;

  private:
    /// A piece and a capsule that contains its shape.
    struct Entry {
        Piece piece;
        Vec3d start;
        Vec3d along;
        double along_squared;
        double radius;
    };
    void push(Piece piece);
    static double piece_value(const Entry& entry, const Vec3d& point, double limit);

    struct Cover {
        std::function<double(const Vec3d&)> side;
        double thickness;
        double ramp;
    };
    std::vector<Entry> entries_;
    std::vector<Cover> covers_;
};

/// Smooth minimum of width k (the quadratic one: Quilez 2013): C1, never above min, lower by k/4 at most.
double smooth_min(double a, double b, double k);

/// 0 below `low`, 1 above `high`, C1 between.
double smooth_step(double low, double high, double x);

}  // namespace sinew::sample
