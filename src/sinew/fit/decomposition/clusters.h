// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Skinning mesh animations (James and Twigg 2005): triangles that turn alike become bones. The method that
/// proxy joints were published against.

#include "sinew/fit/fit.h"

namespace sinew::fit {

struct ClusterOptions {
    double bandwidth =
        0;           ///< of mean shift, in the root mean square of rotation entries; 0 looks for `bones`
    int bones = 20;  ///< wanted without a bandwidth: the nearest number that mean shift gives
    int min_triangles = 0;  ///< smaller clusters are no bones; 0: a two-hundredth of all
    bool rigid = true;
    int influences = 4;
};

/// Clusters of triangles by mean shift on their rotations over all frames; the number is an outcome.
struct RotationClusters {
    std::vector<int> of_triangle;  ///< -1 for triangles of clusters that are too small
    int count = 0;
    double bandwidth = 0;
};
RotationClusters cluster_rotations(const model::MeshSequence& sequence, const ClusterOptions& options,
                                   Monitor& monitor = silent());

/// Clusters, one motion for each from its own vertices, then non-negative weights. `fit-no-clusters` warns
/// when nothing moves like a rigid part, and the whole is one bone.
FitResult fit_clusters(const model::MeshSequence& sequence, const ClusterOptions& options,
                       Monitor& monitor = silent());

}  // namespace sinew::fit
