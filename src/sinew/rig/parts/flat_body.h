#pragma once
/// \file
/// Figures that are cut out of a sheet, as bodies.

#include <optional>

#include "sinew/geometry/cut_mesh.h"

namespace sinew::rig {

struct PillowOptions {
    double flat = 0.02;  ///< of the size: how far points of a sheet may lie off its plane
    double rise = 0.6;   ///< of the distance to the border: half the thickness of the pillow
};

/// A flat surface with a border has no inside, but the pillow that has it as both sides does: as thick as it
/// is wide, closed along the border. Its first triangles are those of the surface, in their order; then the
/// same from the other side. None when the surface is closed or not flat.
std::optional<geometry::Mesh> pillow_of(const geometry::CutMesh& surface, const PillowOptions& options = {});

}  // namespace sinew::rig
