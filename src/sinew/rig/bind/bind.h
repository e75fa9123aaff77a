#pragma once
/// \file
/// One way in to every method of binding, one result, and the choice between them.

#include <string>
#include <string_view>

#include "sinew/rig/bind/biharmonic.h"
#include "sinew/rig/bind/classic.h"
#include "sinew/rig/bind/heat.h"
#include "sinew/rig/bind/regions.h"
#include "sinew/rig/bind/voxel_bind.h"
#include "sinew/rig/bind/weight_edit.h"

namespace sinew::rig {

enum class BindMethod {
    automatic,
    regions,     ///< every joint the skin beyond it, cut where the body is thinnest (Xie 2009)
    distance,    ///< by the distance to the bones, base 100 (Nar 2008)
    nearest,     ///< smooth bind of the nearest joints (Yang and Zhang 2006)
    rigid,       ///< the nearest bone alone
    heat,        ///< warmth of the nearest visible bone, spread over the skin (Baran and Popović 2007)
    voxel,       ///< ways inside the solid (Dionne and de Lasa 2013)
    biharmonic,  ///< smoothest bounded weights in the solid (Jacobson et al. 2011)
};
std::string_view name_of(BindMethod method);

/// All methods but `automatic`, in the order in which they are compared.
std::span<const BindMethod> bind_methods();

struct BindOptions {
    BindMethod method = BindMethod::automatic;
    int max_influences = 4;
    double prune_below = 1e-3;
    double softness = 0.5;  ///< 0 rigid, 1 as soft as it gets; of regions and voxels
    int smoothing = 0;      ///< passes over the finished weights
    RegionOptions regions;
    DistanceOptions distance;
    NearestOptions nearest;
    HeatOptions heat;
    VoxelBindOptions voxel;
    BiharmonicOptions biharmonic;
};

struct BindResult {
    model::Skin skin;
    BindMethod method = BindMethod::automatic;  ///< the one that was taken
    std::string reason;                         ///< why it was taken
};

/// Every vertex gets weights of sum 1 on at most `max_influences` joints. The same for every thread count.
/// \throws Error when the mesh has no vertices or the skeleton no joints.
BindResult bind(const geometry::Mesh& mesh, const model::Skeleton& skeleton, const BindOptions& options = {},
                Monitor& monitor = silent());

}  // namespace sinew::rig
