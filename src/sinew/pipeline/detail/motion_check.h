// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Whether a motion suits a body, and whether the skin stays whole in it.

#include "sinew/motion/retarget.h"
#include "sinew/pipeline/motion.h"

namespace sinew::pipeline {

/// Below the first share of matched roles a motion is refused, below the second there is a warning.
inline constexpr double min_matched = 0.3, min_well_matched = 0.6;
/// Edges of a skin that grow beyond this factor show as tears.
inline constexpr double max_stretch = 4;

/// Refuses, or with `force` warns of, a motion of another kind of body, and of bodies whose joints have no
/// roles.
/// \param known whether the joints of the target have roles
/// \param name of the character, for the error
/// \throws Error that says what is wrong and what to do
void check_bodies(const model::Skeleton& source, const model::Skeleton& target, bool known,
                  const std::string& name, bool force, Monitor& monitor);

/// Shares of the roles of the motion that the target follows.
void check_roles(const model::Skeleton& source, const model::Skeleton& target,
                 const motion::RetargetResult& result, const std::string& name, bool force, Monitor& monitor);

/// Looks at twelve moments of a clip.
/// \param character with a skin
/// \param clip of the character
/// \param source skeleton of the motion; empty where there is none
/// \param motion that the clip was made from
MotionCheck check_motion(const model::Character& character, const model::Clip& clip,
                         const model::Skeleton& source, const model::Clip* motion);

/// Says what is wrong with a motion. A torn skin that was bound here is refused, unless `force` is set.
void judge(const MotionCheck& check, const std::string& name, bool refuse, Monitor& monitor);

}  // namespace sinew::pipeline
