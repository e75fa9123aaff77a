#pragma once
/// \file
/// A skeleton from the outline of a body: the whole way of Xie 2009, with every stage kept.

#include "sinew/rig/skeletonize/decompose.h"
#include "sinew/rig/skeletonize/joints.h"
#include "sinew/rig/skeletonize/refine.h"
#include "sinew/rig/skeletonize/view.h"

namespace sinew::rig {

struct SilhouetteOptions {
    ViewOptions view;
    OutlineOptions outline;
    double spacing = 0;  ///< of the resampled outline; 0 by rule
    MedialOptions medial;
    DecomposeOptions decompose;
    DepthRefineOptions refine;
    bool recover_hidden = true;  ///< branches that run along the view, and limbs behind limbs
    double join_pieces = 0.05;   ///< shadows closer than this part of the diagonal get one skeleton
    JointOptions joints;
    int voxel_resolution = 128;  ///< for surfaces that are not closed
};

/// One shadow: its outline as it was triangulated, and the axis that came out.
struct SilhouetteStage {
    SilhouettePiece outline;
    Triangulation2 triangulation;
    std::vector<TriangleClass> classes;
    int raw_branches = 0;  ///< before pruning and clustering
    MedialAxis axis;
};

struct SilhouetteTimes {
    double view = 0, silhouette = 0, axis = 0, refine = 0, decompose = 0, joints = 0;
    double total() const { return view + silhouette + axis + refine + decompose + joints; }
};

struct SilhouetteResult {
    View view;
    Silhouette silhouette;                ///< as traced
    std::vector<SilhouetteStage> stages;  ///< one a shadow
    BranchGraph coarse;                   ///< centred in the view
    BranchGraph refined;                  ///< centred in the body
    std::vector<SilhouettePiece> second;  ///< outlines of the parts, when depth came from them
    Decomposition parts;
    CurveSkeleton curve;  ///< of `refined`, with radii in space and vertices
    JointSet joints;
    model::Skeleton skeleton;
    double inside_fraction = 0;  ///< of the nodes of the curve
    SilhouetteTimes seconds;
};

/// \throws Error when the mesh has no area, or no outline can be found.
SilhouetteResult silhouette_skeleton(const geometry::Mesh& mesh, const SilhouetteOptions& options = {},
                                     Monitor& monitor = silent());

}  // namespace sinew::rig
