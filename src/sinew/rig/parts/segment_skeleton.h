#pragma once
/// \file
/// Labels of faces by the cuts of a curve skeleton.

#include "sinew/base/monitor.h"
#include "sinew/geometry/mesh.h"
#include "sinew/rig/curve_skeleton.h"

namespace sinew::rig {

struct CurveCutOptions {
    /// A branch between two junctions is trunk, and not cut, when its ball nowhere shrinks below this part of
    /// the larger of theirs.
    double trunk = 0.6;
    double leave = 1;    ///< radii of a junction's ball after which a limb is outside
    double apart = 1.2;  ///< radii between two cuts of a limb, and from a cut to its end
};

/// The stretches into which cuts divide a curve: a limb is cut where it leaves the ball of its junction and
/// at the joints along it.
struct CurveCuts {
    std::vector<int> of_node;  ///< stretch of each node
    int count = 0;
    std::vector<int> joint;  ///< of each stretch the joint it is named after, or -1
};
CurveCuts cut_curve(const CurveSkeleton& curve, const model::Skeleton& joints,
                    const CurveCutOptions& options = {});

struct SkeletonLabels {
    std::vector<int> of_face;  ///< stretch
    CurveCuts cuts;
    model::Skeleton guide;
};

/// Every face belongs to the stretch whose balls are nearest to its corners on ways inside the body. Joints
/// stand at bends and necks; elbows, wrists, knees and ankles also where a limb is straight.
SkeletonLabels skeleton_labels(const geometry::Mesh& mesh, Monitor& monitor);

}  // namespace sinew::rig
