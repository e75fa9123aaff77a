// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Built-in skeletons that can be fitted into a body: they stand on y = 0, face +z, and have canonical names.
/// \code
/// const model::Skeleton biped = rig::skeleton_template("biped");
/// \endcode

#include <span>
#include <string_view>

#include "sinew/model/skeleton.h"

namespace sinew::rig {

struct SkeletonTemplate {
    std::string_view name;
    std::string_view what;  ///< one line for a person
};

/// \return all templates: biped, biped-hands, quadruped, hand.
std::span<const SkeletonTemplate> skeleton_templates();

/// \param name one of `skeleton_templates()`
/// \return the skeleton in its rest pose, in metres
/// \throws Error that lists the names when there is no such template.
model::Skeleton skeleton_template(std::string_view name);

}  // namespace sinew::rig
