#pragma once
/// \file
/// Skeletons to be placed in other bodies: they stand on y = 0, face +z, and have canonical names.

#include <span>
#include <string_view>

#include "sinew/model/skeleton.h"

namespace sinew::sample {

struct SkeletonTemplate {
    std::string_view name;
    std::string_view what;  ///< one line for a person
};

/// biped, biped-hands, quadruped, hand.
std::span<const SkeletonTemplate> skeleton_templates();

/// \throws Error that lists the names.
model::Skeleton skeleton_template(std::string_view name);

}  // namespace sinew::sample
