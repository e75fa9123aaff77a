#pragma once
/// \file
/// Boxes as lines.

#include "sinew/geometry/part_shape.h"
#include "sinew/render/scene.h"

namespace sinew::render {

/// The twelve edges of a box.
void add_box(Overlay& overlay, const geometry::OrientedBox& box, const Vec4f& color, float width = 1.5f);

}  // namespace sinew::render
