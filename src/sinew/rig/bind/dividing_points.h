#pragma once
/// \file
/// Where the skin is nearest to a joint on four sides of it (Xie 2009, 4.2.1).

#include <array>
#include <span>
#include <vector>

#include "sinew/rig/bind/regions_surface.h"

namespace sinew::rig {

/// Rays in a plane: cos(t) start + sin(t) turn for 0 < t < sweep. They begin on the bone to the parent, so
/// that both sides of a symmetric joint are searched in the same order.
struct Sector {
    Vec3d start = Vec3d::UnitX();
    Vec3d turn = Vec3d::UnitY();
    double sweep = 0;
};

/// What a joint looks like to the search.
struct JointShape {
    Vec3d at = Vec3d::Zero();
    Vec3d incoming = Vec3d::UnitX();  ///< unit: from the parent to the joint, the frame's +X
    std::vector<Vec3d> links;         ///< from the joint to its children, tip or virtual child
    double parent_length = 0;         ///< of the link to the parent
    bool leaf = false;
    Vec3d side = Vec3d::UnitY();  ///< +Y where the links are in one line
};

/// Four sectors around the joint in the order +Y, +Z, -Y, -Z, and the axis that they go around.
struct SearchPlan {
    Vec3d at = Vec3d::Zero();
    Vec3d axis = Vec3d::UnitX();  ///< between the bone that comes and those that go
    std::array<Sector, 4> sectors;
    std::vector<Vec3d> bones;  ///< unit directions, along which a ray stays within the limb
    bool leaf = false;
    bool crowded = false;  ///< two links lie within 10 degrees of each other in the plane
};

/// First and last of the children by the angle in the plane with normal z, counted anticlockwise from the
/// direction to the parent, -x.
struct BorderChildren {
    std::size_t first = 0;
    std::size_t last = 0;
    double first_angle = 0;
    double last_angle = 0;
};
BorderChildren border_children(const Vec3d& x, const Vec3d& z, std::span<const Vec3d> links);

/// Single-linkage joints look along the plane of their bones and square to it; multi-linkage ones along the
/// plane that fits parent and children best (total least squares).
SearchPlan search_plan(const JointShape& shape);

/// The smaller principal axis of the section of the body through a point, square to `x`; `side`, made square,
/// where the section is round.
Vec3d section_side(const RegionSurface& surface, const Vec3d& at, const Vec3d& x, const Vec3d& side);

struct DividingPoint {
    Vec3d position = Vec3d::Zero();
    std::uint32_t triangle = 0;  ///< of the welded surface
    double distance = 0;
    int ray = -1;  ///< of its fan, -1 when no ray met the skin
    Vec3d barycentric = Vec3d::Zero();
    Vec3d from = Vec3d::Zero();    ///< where the rays start: the joint, or a place near it within the body
    Sector fan;                    ///< the rays
    std::vector<double> profile;   ///< distance over ray index; infinite where a ray meets nothing
    std::vector<double> smoothed;  ///< the same over neighbouring rays
    std::vector<double> judged;    ///< smoothed, slanting rays made longer: what the decision was taken on
};

/// Direction of ray `i` of a fan of `rays`: they stand evenly, strictly within the sector.
Vec3d ray_direction(const Sector& fan, std::size_t i, std::size_t rays);

struct DividingOptions {
    int rays = 100;
    double sigma = 2;
    double least_turn = 10;  ///< degrees: rays nearer to a bone than this are not looked at
    double most_lean = 80;   ///< degrees: how far a ray may lean out of the plane square to the axis
    double leaf_lean = 60;   ///< the same at a leaf, where the tip would be nearest
    /// Distances count as D / cos(lean)^straightness: on a limb that tapers the nearest skin is always
    /// further on, although the joint is here. 0 takes the nearest skin, as the source does.
    double straightness = 0;
};

DividingPoint dividing_point(const RegionSurface& surface, const SearchPlan& plan, const Sector& sector,
                             const DividingOptions& options);

/// One for each sector; where neighbours are further apart around the axis than 170 degrees, or one is
/// missing, a fan half-way between gives another.
std::vector<DividingPoint> dividing_points(const RegionSurface& surface, const SearchPlan& plan,
                                           const DividingOptions& options);

}  // namespace sinew::rig
