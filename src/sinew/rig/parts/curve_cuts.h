#pragma once
/// \file
/// Where a curve skeleton is cut into the stretches that parts belong to.

#include "sinew/geometry/mesh.h"
#include "sinew/rig/curve_skeleton.h"

namespace sinew::rig {

struct CurveCutOptions {
    /// A branch between two junctions is trunk, and not cut, when its ball nowhere shrinks below this part of
    /// the larger of theirs.
    double trunk = 0.6;
    /// Unless what lies behind it is less than this part of the surface, and its branches are shorter than
    /// this part of the longest: then it is a head or the like, and cut where the branch is thinnest.
    double head = 0.25;
    double head_branch = 0.45;
    double legs = 0.7;   ///< of what lies behind it: when twins have more, it is a pelvis with short legs
    double leave = 1;    ///< radii of a junction's ball after which a limb is outside
    double apart = 2;    ///< girth radii between two cuts of a limb
    double end = 1.5;    ///< girth radii from a cut to the end of its limb
    double bulge = 1.3;  ///< times the girth before and behind a joint: there it is no joint but a head
    double bulge_ball = 1.1;  ///< when also the ball is so many times as large as before and behind
    double swell = 1.1;      ///< times the ball of a junction: a way that gets so thick has not left the body
    double swell_reach = 4;  ///< of its largest balls: and must have left after so many
    double shrink = 0.8;     ///< of its largest ball: there it has
    double flat = 3;         ///< times its ball: a girth so large is that of something flat, as a palm
    double narrow = 0.5;     ///< of the girth where it leaves: so much narrower within that girth is outside
};

/// What the surface says about the nodes of a curve.
struct CurveShape {
    std::vector<double> girth;  ///< the radius of a tube, and half the width of a flat ear
    std::vector<double> area;   ///< of the surface that belongs to a node
};
CurveShape curve_shape(const geometry::Mesh& mesh, const CurveSkeleton& curve);

/// The stretches into which cuts divide a curve: a limb is cut where it leaves the ball of its junction and
/// at the joints along it.
struct CurveCuts {
    std::vector<int> of_node;  ///< stretch of each node
    int count = 0;
    std::vector<int> joint;  ///< of each stretch the joint it is named after, or -1
    std::vector<int> twins;  ///< of each stretch the first of those that are alike, or -1
};
CurveCuts cut_curve(const CurveSkeleton& curve, const CurveShape& shape, const model::Skeleton& joints,
                    const CurveCutOptions& options = {});

}  // namespace sinew::rig
