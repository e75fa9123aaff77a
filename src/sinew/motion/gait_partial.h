#pragma once
/// \file
/// Characters of which only a part was measured: the rest is hidden or drawn as a ghost, not as if it stood
/// still.

#include <string>
#include <utility>
#include <vector>

#include "sinew/model/character.h"
#include "sinew/model/roles.h"

namespace sinew::motion {

/// What is done with parts of the body that were not measured.
enum class Unmeasured { ghost, hide, hold };

/// Joints of hips and legs, with what hangs on them without a role of its own.
std::vector<bool> lower_body_joints(const model::Skeleton& skeleton);

/// The triangles whose heaviest joint was measured (or, with `measured` false, was not); vertices and skin
/// stay whole, so that both parts pose alike.
model::Character part_of(const model::Character& character, const std::vector<bool>& joints, bool measured);

/// Joints that were measured, given the names of those that a solver held (SolveResult::held). Hands, toes,
/// fingers and joints without a role go with what carries them.
std::vector<bool> measured_joints(const model::Skeleton& skeleton, const std::vector<std::string>& held);

/// The same of a skeleton that follows another, by the pairs (source, target) of RetargetResult::mapped;
/// joints that follow none go with their parent.
std::vector<bool> measured_joints(const model::Skeleton& target, const model::Skeleton& source,
                                  const std::vector<bool>& measured,
                                  const std::vector<std::pair<std::string, std::string>>& mapped);

/// Lets upper arms that were not measured hang at the sides, whatever the rest pose.
void hang_arms(const model::Skeleton& skeleton, const std::vector<bool>& measured, model::Clip& clip);

/// Hides what was not measured, or makes it a ghost: parts of its own with materials that are seen through.
void show_unmeasured(model::Character& character, const std::vector<bool>& measured, Unmeasured how);

}  // namespace sinew::motion
