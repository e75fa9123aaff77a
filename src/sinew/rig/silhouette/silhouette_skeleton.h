// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A skeleton from the outline of a body (Xie 2009), with every stage kept.

#include "sinew/rig/joints/joints.h"
#include "sinew/rig/silhouette/decompose.h"
#include "sinew/rig/silhouette/view.h"

namespace sinew::rig {

/// One shadow: its outline as it was triangulated, and the axis that came out.
struct SilhouetteStage {
    SilhouettePiece outline;
    Triangulation2 triangulation;
    std::vector<TriangleClass> classes;
    int raw_branches = 0;  ///< before pruning and clustering
    MedialAxis axis;
};

struct SilhouetteResult {
    View view;
    Silhouette silhouette;                ///< as traced
    std::vector<SilhouetteStage> stages;  ///< one a shadow
    MedialGraph coarse;                   ///< centred in the view
    MedialGraph refined;                  ///< centred in the body
    std::vector<SilhouettePiece> second;  ///< outlines of the parts, when depth came from them
    Decomposition parts;
    CurveSkeleton curve;  ///< of `refined`, with radii in space and vertices
    JointSet joints;
    model::Skeleton skeleton;
    double inside_fraction = 0;  ///< of the nodes of the curve
    SilhouetteTimes seconds;

    SilhouetteCounts counts() const;
};

/// Stages that another module may use to replace those of the product.
struct SilhouetteStages {
    /// Traces the outline, when SilhouetteOptions::outline is `other`.
    OutlineTracer trace;
    /// Moves the nodes of a graph to their depth along the view; returns outlines to be kept in `second`.
    /// Instead of rays, when SilhouetteOptions::depth is not off.
    std::function<std::vector<SilhouettePiece>(MedialGraph& graph, const WeldedSurface& surface,
                                               const Decomposition& parts, const Vec3d& view)>
        depth;
};

/// \throws Error when the mesh has no area, or no outline can be found.
SilhouetteResult silhouette_skeleton(const geometry::Mesh& mesh, const SilhouetteOptions& options = {},
                                     const JointOptions& joints = {}, Monitor& monitor = silent(),
                                     const SilhouetteStages& stages = {});

}  // namespace sinew::rig
