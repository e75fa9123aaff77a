// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Left and right: the plane that a body is its own mirror image in, and joints that are each other's twins.

#include <optional>
#include <span>

#include "sinew/geometry/mesh.h"
#include "sinew/model/roles.h"

namespace sinew::rig {

using math::Vec3d;

/// Points x with normal . x = offset; the normal has unit length.
struct MirrorPlane {
    Vec3d normal = Vec3d::UnitX();
    double offset = 0;
    double residual = 0;  ///< mean distance of images from their targets, in percent of the size

    double side(const Vec3d& point) const { return normal.dot(point) - offset; }
    Vec3d reflect(const Vec3d& point) const { return point - 2 * side(point) * normal; }
    Vec3d onto(const Vec3d& point) const { return point - side(point) * normal; }
};

struct MirrorOptions {
    double tolerance = 1;        ///< percent: a plane with a larger residual is rejected
    std::size_t samples = 4000;  ///< of the surface
    int rounds = 20;             ///< of the iterated fit
};

/// The best plane of a mesh, if it is good enough: the axes of the box and the principal axes are tried, each
/// improved by moving to the plane between every sample and the surface point nearest to its image.
std::optional<MirrorPlane> mirror_plane(const geometry::Mesh& mesh, const MirrorOptions& options = {});

/// The plane between pairs of points, and through the points that are their own twins (`twin[i]` = i). None
/// without a pair.
std::optional<MirrorPlane> mirror_plane(std::span<const Vec3d> points, std::span<const int> twin);

/// Twins by role where roles are known; other joints with the position of their image within `reach` percent
/// of the size. A joint near the plane is its own twin; one without any has -1.
std::vector<int> pair_joints(const model::Skeleton& skeleton, const std::vector<model::JointRole>& roles,
                             const MirrorPlane& plane, double reach = 3);

/// The plane of a skeleton at rest from its roles or, without roles, from its shape.
std::optional<MirrorPlane> mirror_plane(const model::Skeleton& skeleton);

/// One side becomes the image of the other: twins of the joints on the side `from` move to their images, and
/// joints that have no twin get one, with the mirrored name and below the twin of their parent. Joints that
/// are their own twins do not move.
model::Skeleton mirror_side(const model::Skeleton& skeleton, const MirrorPlane& plane, model::Side from);

/// The same name for the other side ("LeftArm" and "RightArm", "arm.L", "l_arm", "lfemur"); empty when the
/// name has no side.
std::string mirrored_name(const std::string& name);

}  // namespace sinew::rig
