#pragma once
/// \file
/// The shaders that deform.

#include "sinew/render/gl/objects.h"
#include "sinew/render/gl/skin.h"

namespace sinew::render::gl {

/// One program for each.
struct SkinProgramKind {
    GpuEntry entry = GpuEntry::matrix;
    bool stretch = false;
    int influences = 4;  ///< 4 or 8
    bool depth = false;  ///< draws depth alone
    auto operator<=>(const SkinProgramKind&) const = default;
};

/// Attributes of the programs.
enum SkinAttribute : GLuint {
    skin_position = 0,
    skin_normal = 1,
    skin_joints = 2,   ///< and the next, for influences 5 to 8
    skin_weights = 4,  ///< likewise
    skin_set = 6,      ///< number of the influence set, and its first palette entry
    skin_color = 7,
    skin_placement = 8,  ///< of an instance: four columns
    skin_frame = 12,     ///< of an instance
};

/// Deforms and draws instances; positions and normals in the world are captured by transform feedback.
Program make_skin_program(const SkinProgramKind& kind);

}  // namespace sinew::render::gl
