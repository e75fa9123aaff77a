// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Content of an ASF file: a skeleton, and how the numbers of an AMC line move each of its joints.

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
    int axis = 0;  ///< axis index, for a translation or a rotation
    bool operator==(const Dof&) const = default;
};

/// The motion of a joint: its rotations are applied in the order of `dofs` about the fixed axes of `axes`.
struct Moves {
    std::vector<Dof> dofs;
    math::Quatd axes = math::Quatd::Identity();    ///< C
    math::Vec3d direction = math::Vec3d::UnitY();  ///< of the bone at rest, in the world
    double length = 0;                             ///< of the bone at rest
    math::Vec3d end() const { return direction * length; }
};

struct Figure {
    model::Skeleton skeleton;
    std::vector<Moves> moves;  ///< per joint
    double unit = 1;           ///< the number after "length": one unit of the file is 0.0254 / unit metres
    bool degrees = true;
};

/// \throws Error with file and line
Figure read_figure(std::string_view text, std::string_view file, bvh::Tally& tally);

/// Length of one unit of the file: 0.0254 / unit metres.
Guess unit_guess(const Figure& figure);

}  // namespace sinew::io::asf
