#pragma once
/// \file
/// A motion onto another skeleton.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/model/clip.h"
#include "sinew/motion/joint_map.h"

namespace sinew::motion {

struct RetargetOptions {
    std::optional<double> scale;  ///< of the way the root travels; without it the ratio of the hip heights
    double rate = 0;              ///< frames a second of the result; 0 keeps the motion's own
};

struct RetargetResult {
    model::Clip clip;                                         ///< for the target skeleton
    std::vector<std::pair<std::string, std::string>> mapped;  ///< source joint, target joint
    std::vector<std::string> unmapped;                        ///< target joints that keep their rest rotation
    std::vector<std::string> unused;                          ///< source joints whose own turn goes nowhere
    double scale = 1;                                         ///< factor of the root's way
};

/// Height of a joint at rest above the lowest point of its skeleton, tips included. +y is up.
double rest_height(const model::Skeleton& skeleton, int joint);

/// Makes `target` do what `motion` makes `source` do. With D = S S0^-1, the world rotation of a source joint
/// since rest, its target joint turns to T = D C T0; C is the smallest rotation that takes the target's bone
/// at rest to the source's, so that different rest poses (T and A) do not matter. A joint with several mapped
/// bones or none has no single direction and takes the C of its parent. World rotations absorb source joints
/// without a partner; target joints without one keep their rest rotation. The topmost mapped joint travels
/// p_T0 + k (p_S - p_S0). A joint whose frames at rest agree in both skeletons gets the keys of its source as
/// they are, so that equal skeletons give back the motion itself.
/// \throws Error when no joint is mapped, naming joints of both skeletons.
RetargetResult retarget(const model::Skeleton& source, const model::Clip& motion,
                        const model::Skeleton& target, const JointMap& map,
                        const RetargetOptions& options = {}, Monitor& monitor = silent());

/// The same with joints matched by name or role (match_joints).
RetargetResult retarget(const model::Skeleton& source, const model::Clip& motion,
                        const model::Skeleton& target, const RetargetOptions& options = {},
                        Monitor& monitor = silent());

}  // namespace sinew::motion
