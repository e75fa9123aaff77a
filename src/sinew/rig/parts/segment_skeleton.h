#pragma once
/// \file
/// Labels of faces by the cuts of a curve skeleton.

#include "sinew/base/monitor.h"
#include "sinew/rig/parts/curve_cuts.h"

namespace sinew::rig {

struct SkeletonLabels {
    std::vector<int> of_face;  ///< stretch
    CurveCuts cuts;
    model::Skeleton guide;
};

/// Every face belongs to the stretch whose balls are nearest to its corners on ways inside the body. Joints
/// stand at bends and necks; elbows, wrists, knees and ankles also where a limb is straight.
SkeletonLabels skeleton_labels(const geometry::Mesh& mesh, Monitor& monitor);

}  // namespace sinew::rig
