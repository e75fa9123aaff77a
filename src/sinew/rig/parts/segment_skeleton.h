#pragma once
/// \file
/// Labels of faces by the joints of a curve skeleton.

#include "sinew/base/monitor.h"
#include "sinew/geometry/mesh.h"
#include "sinew/model/skeleton.h"

namespace sinew::rig {

struct SkeletonLabels {
    std::vector<int> of_face;  ///< joint of the guide
    model::Skeleton guide;
};

/// Every branch of the curve skeleton has a joint of its own where it leaves its junction, and joints at its
/// bends and necks; elbows, wrists, knees and ankles also where a limb is straight. The skin beyond a joint
/// is its own, cut where the body is thinnest there.
SkeletonLabels skeleton_labels(const geometry::Mesh& mesh, Monitor& monitor);

/// The same for a skeleton that is given.
std::vector<int> labels_by(const geometry::Mesh& mesh, const model::Skeleton& skeleton, Monitor& monitor);

}  // namespace sinew::rig
