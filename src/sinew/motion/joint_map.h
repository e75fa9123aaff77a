#pragma once
/// \file
/// Which joint of one skeleton stands for which joint of another.

#include <string>
#include <string_view>
#include <vector>

#include "sinew/model/skeleton.h"

namespace sinew::motion {

/// For each joint of the target skeleton the joint of the source that moves it, or -1.
using JointMap = std::vector<int>;

/// A joint name without what exporters put around it, in lower case: namespaces ("mixamorig:Hips",
/// "Armature|Hips") and the remains of one whose colon was lost ("mixamorigHips", "mixamorig1_Hips").
std::string plain_name(std::string_view name);

/// Joints with the same plain name. A source joint is used once: when several target joints ask for it, the
/// first has it.
JointMap match_by_name(const model::Skeleton& source, const model::Skeleton& target);

}  // namespace sinew::motion
