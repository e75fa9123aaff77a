// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Skinning mesh animations (James and Twigg 2005): triangles with similar rotations become bones. The
/// published method that proxy joints were compared with.

#include "sinew/fit/fit.h"

namespace sinew::fit {

struct ClusterOptions {
    double bandwidth =
        0;           ///< of mean shift, as the root mean square of rotation entries; 0 searches for `bones`
    int bones = 20;  ///< target without a bandwidth: the nearest number that mean shift gives
    int min_triangles = 0;  ///< smaller clusters are dropped; 0 means a two-hundredth of all
    bool rigid = true;
    int influences = 4;
};

/// Clusters of triangles by mean shift on their rotations over all frames; their number is a result.
struct RotationClusters {
    std::vector<int> of_triangle;  ///< -1 for triangles of dropped clusters
    int count = 0;
    double bandwidth = 0;
};
RotationClusters cluster_rotations(const model::MeshSequence& sequence, const ClusterOptions& options,
                                   Monitor& monitor = silent());

/// Clusters, one motion per cluster from its own vertices, then non-negative weights. Warns `fit-no-clusters`
/// when nothing moves like a rigid part; the whole mesh is then one bone.
FitResult fit_clusters(const model::MeshSequence& sequence, const ClusterOptions& options,
                       Monitor& monitor = silent());

}  // namespace sinew::fit
