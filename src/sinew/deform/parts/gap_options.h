#pragma once
/// \file
/// Choices in closing the gaps between rigid parts (Vasilakis 2008; section 3.7 of the specification).

#include <cstdint>
#include <optional>

#include "sinew/math/types.h"

namespace sinew::deform {

/// What counts as inside the other part, behind its opening.
enum class InsideTest : std::uint8_t {
    box,    ///< its oriented box and the plane of the opening: seven planes
    hull,   ///< its convex hull and the plane
    exact,  ///< the part itself, its openings closed
};

/// How a point moves from where one part carries it to where the other does.
enum class ArcRule : std::uint8_t {
    slerp,  ///< at constant speed
    qlerp,  ///< normalised linear blend: the same way, up to 7 degrees off in speed
};

/// The plane in which the inner side is bent.
enum class BendPlane : std::uint8_t {
    axis,     ///< across the axis about which the joint swings
    centres,  ///< through the joint and the centres of both parts; the axis where these are in line
};

/// Directions in which blending curves leave the parts.
enum class TangentRule : std::uint8_t {
    surface,   ///< along the surface, across the opening
    openings,  ///< normals of the opening as each part carries it
    centres,   ///< from the joint to the centres of the parts
};

/// How the two ends of an inner curve are found.
enum class TripletRule : std::uint8_t {
    fast,     ///< near the slice through the middle point: |offset| + 0.1 distance
    literal,  ///< least angle between the plane of the three points and that of the bend, over all pairs
};

enum class Triangulation : std::uint8_t {
    ribs,       ///< strips between neighbouring curves: closed and oriented by construction
    scattered,  ///< from the points alone, by their Delaunay tetrahedra (Cocone type); where that leaves
                ///< holes, as on coarse or uneven meshes it does, strips
};

struct GapOptions {
    InsideTest inside = InsideTest::exact;  ///< boxes are the published way, and cut away too much
    ArcRule arcs = ArcRule::slerp;
    BendPlane plane = BendPlane::axis;
    TangentRule tangents = TangentRule::surface;
    TripletRule triplets = TripletRule::fast;
    Triangulation triangulation = Triangulation::ribs;
    /// V_m = (1 - lambda) I + lambda Middle: 0 keeps the tangents of both limbs, 1 takes the middle point.
    double lambda = 0.5;
    /// Shoulder of the blending curve between chord (0) and control point (1); an arc of a circle when none.
    std::optional<double> sharpness = {};
    double still = 1e-4;  ///< radians below which a joint has not moved
    /// Copies of a point of the seam that come apart by less than this part of the spacing stay together in
    /// the middle between them: a little of the rigid part for no slivers.
    double weld = 0.3;
    /// Rounds in which patches that run through themselves are smoothed where they do.
    int untangling = 16;
    /// Where that does not help, the joint is cut wider, which costs as much time again: up to this bend, in
    /// radians, a right angle and a little.
    double widest = math::radians(91);
    double least_quality = 0.05;  ///< of triangles below which diagonals are turned (1 is equilateral)
    /// Edges around points that may not be cut, because another seam is too near, over which skin follows the
    /// parts on both sides; 0 keeps every part rigid.
    int softness = 4;
    int fairing = 0;  ///< steps of smoothing of the new points, ends kept
    /// Spreads twists: where a joint turns about its limb by more than a third of an edge, a ring of
    /// triangles on either side is made anew, so that nothing is sheared.
    bool twist_bands = true;
    /// The same triangles in every frame: nothing is removed, every curve has `constant_pieces` pieces.
    bool constant_topology = false;
    int constant_pieces = 4;
    bool area_normals = false;  ///< weight facets by their area
    bool parallel = true;       ///< joints at the same time
};

}  // namespace sinew::deform
