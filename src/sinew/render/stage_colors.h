#pragma once
/// \file
/// Colours that the pictures of stages share. Inside the room only.

#include "sinew/render/renderer.h"

namespace sinew::render::step_colors {

inline const Vec4f red(0.75f, 0.02f, 0.02f, 1);
inline const Vec4f yellow(0.85f, 0.60f, 0.0f, 1);
inline const Vec4f green(0.02f, 0.45f, 0.08f, 1);
inline const Vec4f blue(0.02f, 0.10f, 0.75f, 1);
inline const Vec4f ink(0.01f, 0.01f, 0.02f, 1);

}  // namespace sinew::render::step_colors
