#pragma once
/// \file
/// Which joint of one skeleton stands for which joint of another.

#include <vector>

#include "sinew/model/roles.h"

namespace sinew::motion {

using model::plain_name;

/// For each joint of the target skeleton the joint of the source that moves it, or -1.
using JointMap = std::vector<int>;

/// Joints with the same plain name. A source joint is used once: when several target joints ask for it, the
/// first has it.
JointMap match_by_name(const model::Skeleton& source, const model::Skeleton& target);

/// Joints with the same role, whatever they are called: roles come from names, and from the shape where names
/// say nothing.
JointMap match_by_role(const model::Skeleton& source, const model::Skeleton& target);

/// By name when that explains four fifths of the target's joints; otherwise by role first, then by name for
/// what is left.
JointMap match_joints(const model::Skeleton& source, const model::Skeleton& target);

}  // namespace sinew::motion
