#pragma once
/// \file
/// True weights of a made body: at each joint a smooth share of the surface is handed from parent to child.

#include <vector>

#include "sinew/model/skin.h"
#include "sinew/sample/bodies/implicit.h"

namespace sinew::sample {

/// Rises from 0 to 1 across a plane: 0 at `before` below it, 1 at `after` above it, C1.
struct Gate {
    Vec3d point = Vec3d::Zero();
    Vec3d normal = Vec3d::UnitY();  ///< of any length
    double before = 0;
    double after = 0;
};

/// What joint `joint` takes of what its parent has: the product of its gates. A mirrored share looks at (-x,
/// y, z). A late one takes only from what its sisters leave.
struct JointShare {
    int joint = 0;
    bool mirrored = false;
    bool late = false;
    std::vector<Gate> gates;
    /// Takes from the whole body before all others do, and not only from where its parent reaches: a folded
    /// wing lies beside joints that it does not hang on.
    bool apart = false;
};

/// w_j = reach_j (1 - sum of the children's shares), with reach_j = reach_parent share_j and reach 1 at the
/// root. The weights are at least 0 and sum to 1 when the shares of no joint's children sum to more than 1.
/// Joints without a share take nothing.
std::vector<double> tree_weights(const model::Skeleton& skeleton, const std::vector<JointShare>& shares,
                                 const Vec3d& point);

/// Skin of a symmetric body: computed on the side x >= 0, copied to the other with `other_joint` (the joint
/// of the same name on the other side), so that it is symmetric bit for bit.
model::Skin symmetric_skin(const model::Skeleton& skeleton, const std::vector<JointShare>& shares,
                           const std::vector<Vec3d>& positions, const std::vector<std::uint32_t>& twin,
                           const std::vector<int>& other_joint);

/// For each joint the one whose name has Left and Right exchanged, or itself.
std::vector<int> opposite_joints(const model::Skeleton& skeleton);

}  // namespace sinew::sample
