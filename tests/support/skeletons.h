// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Random skeletons.

#include <algorithm>
#include <string>

#include "support/random.h"

#include "sinew/model/skeleton.h"

namespace sinew::test {

/// A chain that branches now and then: each joint is attached to one of the two before it, 0.3 away.
inline model::Skeleton random_tree(Random& random, int joints) {
    model::Skeleton skeleton;
    for (int j = 0; j < joints; ++j) {
        model::Joint joint;
        joint.name = "j" + std::to_string(j);
        joint.parent = j == 0 ? -1 : random.integer(std::max(0, j - 2), j - 1);
        joint.rest.translation = 0.3 * random.unit_vector();
        skeleton.joints.push_back(joint);
    }
    return skeleton;
}

}  // namespace sinew::test
