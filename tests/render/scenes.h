// SPDX-License-Identifier: MIT
#pragma once
// Small scenes with known answers.

#include "sinew/model/character.h"
#include "sinew/render/renderer.h"

namespace sinew::test {}

namespace sinew::render::test {

using namespace sinew::test;  // `test::` finds the names of both

/// One renderer for all tests of the program.
Renderer& renderer();

/// Rectangle facing +Z, upper left corner at uv (0, 0).
geometry::Mesh quad(float left, float bottom, float right, float top, float z = 0);

/// Orthographic, along -Z: x and y from -1 to 1 fill a square picture.
Camera square_camera();

/// Nothing but what is added: black background, no ground, no shadows.
Scene bare_scene();
Drawable unlit(MeshId mesh, const math::Vec4f& color);

/// A closed tube along +Y from 0 to 2, radius 0.2, bent by two joints at 0 and 1 with smooth weights; the
/// clip "bend" turns the upper joint by 90 degrees about Z within one second and moves the root by 1 along x.
model::Character bent_tube();

/// How many pixels satisfy a condition.
template <class Condition>
int count_pixels(const Picture& picture, const Condition& condition) {
    int count = 0;
    for (const Pixel& pixel : picture.pixels)
        if (condition(pixel)) ++count;
    return count;
}

}  // namespace sinew::render::test
