#pragma once
/// \file
/// One way in to every skeletonizer, one result, and the choice between them.

#include <optional>
#include <string>
#include <string_view>

#include "sinew/rig/segment.h"
#include "sinew/rig/skeleton_quality.h"
#include "sinew/rig/skeletonize/contraction.h"
#include "sinew/rig/skeletonize/pinocchio.h"
#include "sinew/rig/skeletonize/reeb_skeleton.h"
#include "sinew/rig/skeletonize/silhouette_skeleton.h"
#include "sinew/rig/skeletonize/template_fit.h"
#include "sinew/rig/skeletonize/thinning_skeleton.h"
#include "sinew/rig/skeletonize/voxel_skeleton.h"

namespace sinew::rig {

enum class SkeletonMethod {
    automatic,
    silhouette,   ///< outline in the best view, its chordal axis, depth by rays (Xie 2009)
    contraction,  ///< mean-curvature flow (Tagliasacchi et al. 2012)
    voxel,        ///< deepest ways inside the solid, from the tips inwards
    reeb,         ///< levels of the distance inside the body (Lazarus and Verroust 1999); for comparison
    thinning,     ///< the solid layer by layer (Palagyi and Kuba 1998); for comparison
    fitted,       ///< a given skeleton placed inside the body
    pinocchio,    ///< the same as Baran and Popovic (2007) published it; for comparison
    /// From the parts of the mesh, or the parts that it is cut into (Vasilakis 2008):
    opening,         ///< openings joined
    centroid,        ///< openings to the middles of the parts
    principal_axis,  ///< openings to the axes of the parts
    parts,           ///< for each part the best of these three
};
std::string_view name_of(SkeletonMethod method);

struct SkeletonizeOptions {
    SkeletonMethod method = SkeletonMethod::automatic;
    const model::Skeleton* pattern =
        nullptr;  ///< to be fitted; needed by `fitted` and `pinocchio`, preferred by `automatic`
    SilhouetteOptions silhouette;
    ContractionOptions contraction;
    VoxelSkeletonOptions voxel;
    ReebOptions reeb;
    ThinningOptions thinning;
    TemplateOptions fit;
    PinocchioOptions pinocchio;
    PartSkeletonOptions parts;  ///< its method is taken from `method`
    PartBodyOptions part_body;
    JointOptions joints;
    bool middle_joints =
        true;  ///< elbows, wrists, knees and ankles where limbs show none (segment_template.h)
    /// A curve is good enough when it is centred and inside at least so well, and connected; and that of a
    /// silhouette when it ends in every limb of the body and nowhere else.
    double max_center_offset = 0.15;
    double least_inside = 0.99;
    double least_confidence = 0.4;  ///< of a fitted or embedded pattern
};

struct SkeletonizeResult {
    model::Skeleton skeleton;
    CurveSkeleton curve;
    SkeletonMethod method = SkeletonMethod::automatic;  ///< the one that was taken
    std::string reason;                                 ///< why it was taken
    SkeletonQuality quality;
    std::optional<SilhouetteResult> stages;  ///< of the silhouette method
    std::optional<TemplateFit> fit;          ///< of a fitted or embedded pattern
    std::optional<PartSkeleton> parts;       ///< of the methods by parts
    std::optional<PartBody> body;            ///< that they worked on
};

/// `automatic` takes the first of these whose curve is good enough: a given pattern, the silhouette (only for
/// one closed shell), contraction, voxels; when none is, the one that is most inside, then the best centred.
/// Joints get canonical names where their roles are known.
/// \throws Error when the mesh has no extent, or the asked method cannot do it.
SkeletonizeResult skeletonize(const geometry::Mesh& mesh, const SkeletonizeOptions& options = {},
                              Monitor& monitor = silent());

}  // namespace sinew::rig
