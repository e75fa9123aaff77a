#pragma once
/// \file
/// The classic ways of binding, by the straight distance to the bones: they see no surface, and so let an
/// arm move the flank beside it. They are here to be compared with. A joint is as near as the nearest of its
/// bones.

#include "sinew/base/monitor.h"
#include "sinew/rig/bind/bind_input.h"
#include "sinew/rig/bind/weight_table.h"

namespace sinew::rig {

struct DistanceOptions {
    double base = 100;          ///< weight falls by this factor when the distance doubles
    double drop_below = 0.005;  ///< of a row with sum 1
    int max_influences = 4;     ///< keep the heaviest so many; 0 keeps all
};

/// w_j ~ base^(-d_j / d_min) (Nar 2008), evaluated as exp(-ln base (d_j / d_min - 1)). A vertex that lies on
/// bones follows them in equal parts.
/// \throws Error when there is nothing to bind or a number is not finite; so do the others.
WeightTable distance_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                             const DistanceOptions& options = {}, Monitor& monitor = silent());

struct NearestOptions {
    double power = 4;        ///< w_j ~ d_j^-power
    int max_influences = 5;  ///< so many joints that are nearest
};

/// The smooth bind of modelling tools, as Yang and Zhang (2006) deduced it: Shepard's weights of the nearest
/// joints.
WeightTable nearest_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                            const NearestOptions& options = {}, Monitor& monitor = silent());

struct VisibleOptions {
    int max_influences = 4;  ///< keep the heaviest so many; 0 keeps all
};

/// w_b ~ length / distance over the bones that a vertex sees through the inside of the mesh (after Rohmer et
/// al. 2008); a joint has the sum over its bones. A vertex that sees none has an empty row.
WeightTable visible_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                            const VisibleOptions& options = {}, Monitor& monitor = silent());

struct RigidOptions {};

/// Every vertex follows the joint of the nearest bone alone; of several at the same distance the lowest.
WeightTable rigid_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                          const RigidOptions& options = {}, Monitor& monitor = silent());

}  // namespace sinew::rig
