// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// What an ASF file says: a skeleton, and how the numbers of an AMC line move each of its joints.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/io/io.h"
#include "sinew/io/text/tokens.h"
#include "sinew/model/skeleton.h"

namespace sinew::io::asf {

/// One number of an AMC line.
struct Dof {
    enum class Kind : std::uint8_t { translation, rotation, length };
    Kind kind = Kind::rotation;
    int axis = 0;  ///< of a translation or a rotation
    bool operator==(const Dof&) const = default;
};

/// How a joint moves: its rotations are applied in the order of `dofs` about the fixed axes of `axes`.
struct Moves {
    std::vector<Dof> dofs;
    math::Quatd axes = math::Quatd::Identity();    ///< C
    math::Vec3d direction = math::Vec3d::UnitY();  ///< of the bone at rest, in the world
    double length = 0;                             ///< of the bone at rest
    math::Vec3d end() const { return direction * length; }
};

struct Figure {
    model::Skeleton skeleton;
    std::vector<Moves> moves;  ///< of every joint
    double unit = 1;           ///< the number behind "length": one number is 0.0254 / unit metres
    bool degrees = true;
};

/// \throws Error with file and line.
Figure read_figure(std::string_view text, std::string_view file, bvh::Tally& tally);

/// How long a number of the file is: 0.0254 / unit metres.
Guess unit_guess(const Figure& figure);

}  // namespace sinew::io::asf
