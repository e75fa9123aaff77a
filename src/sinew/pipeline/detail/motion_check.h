// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Whether a motion suits a body, and whether the skin stays intact in it.

#include "sinew/motion/retarget.h"
#include "sinew/pipeline/motion.h"

namespace sinew::pipeline {

/// Fraction of matched roles below which a motion is refused, and below which there is a warning.
inline constexpr double min_matched = 0.3, min_well_matched = 0.6;
/// Edges that grow beyond this factor are visible as tears.
inline constexpr double max_stretch = 4;

/// Refuses a motion of another kind of body, and bodies whose joints have no roles; with `force` only warns.
/// \param source,target skeletons of the motion and of the character
/// \param known whether the joints of the target have roles
/// \param name name of the character in the error
/// \param force only warn
/// \param monitor receives warnings
/// \throws Error that states the problem and the remedy
void check_bodies(const model::Skeleton& source, const model::Skeleton& target, bool known,
                  const std::string& name, bool force, Monitor& monitor);

/// Fractions of the roles of the motion that the target follows.
void check_roles(const model::Skeleton& source, const model::Skeleton& target,
                 const motion::RetargetResult& result, const std::string& name, bool force, Monitor& monitor);

/// Measures twelve times of a clip.
/// \param character with a skin
/// \param clip of the character
/// \param source skeleton of the motion; may be empty
/// \param motion the clip of the source
MotionCheck check_motion(const model::Character& character, const model::Clip& clip,
                         const model::Skeleton& source, const model::Clip* motion);

/// Reports the problems of a motion. A torn skin that was bound here is refused, unless `force` is set.
void judge(const MotionCheck& check, const std::string& name, bool refuse, Monitor& monitor);

}  // namespace sinew::pipeline
