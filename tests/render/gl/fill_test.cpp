// SPDX-License-Identifier: MIT
// Edges and vertices alone.

#include "render/scenes.h"
#include <gtest/gtest.h>

namespace sinew::render {
namespace {

using test::bare_scene;
using test::count_pixels;
using test::quad;
using test::renderer;
using test::square_camera;
using test::unlit;

const Vec4f red(1, 0, 0, 1);
const Vec4f green(0, 1, 0, 1);

Picture draw_with(Fill fill, MeshId front, MeshId behind) {
    Scene scene = bare_scene();
    Drawable drawable = unlit(front, red);
    drawable.fill = fill;
    drawable.wire_color = red;
    drawable.point_size = 5;
    scene.drawables = {unlit(behind, green), drawable};
    return renderer().render(scene, square_camera(), {64, 64, 1});
}

bool is_red(const Pixel& p) {
    return p[0] > 150 && p[1] < 120;
}
bool is_green(const Pixel& p) {
    return p[1] > 150 && p[0] < 120;
}

TEST(Fill, WireAndPointsLetTheInsideShow) {
    const MeshHold front(renderer(), quad(-0.5f, -0.5f, 0.5f, 0.5f, 1)),
        behind(renderer(), quad(-1, -1, 1, 1));
    const Picture surface = draw_with(Fill::surface, front.id(), behind.id());
    EXPECT_EQ(count_pixels(surface, is_red), 32 * 32);
    const Picture wire = draw_with(Fill::wire, front.id(), behind.id());
    EXPECT_TRUE(is_green(wire.at(28, 40))) << "between the edges";
    const int lines = count_pixels(wire, [](const Pixel& p) { return p[0] > 150 && p[0] > p[1]; });
    EXPECT_GT(lines, 4 * 30) << "four sides and a diagonal";
    EXPECT_LT(lines, 500);
    const Picture points = draw_with(Fill::points, front.id(), behind.id());
    EXPECT_EQ(count_pixels(points, is_red), 4 * 25) << "four vertices of five by five pixels";
    EXPECT_TRUE(is_red(points.at(16, 16)));
    EXPECT_TRUE(is_green(points.at(32, 32)));
}

TEST(Fill, ShadowsStayThoseOfTheSurface) {
    const MeshHold mesh(renderer(), quad(-0.3f, 0, 0.3f, 0.8f));
    Scene scene;
    scene.ground.grid = scene.ground.axes = false;
    Drawable drawable = unlit(mesh.id(), red);
    Camera camera;
    camera.eye = {0, 4, 3};
    std::vector<Picture> pictures;
    for (const Fill fill : {Fill::surface, Fill::points}) {
        drawable.fill = fill;
        scene.drawables = {drawable};
        pictures.push_back(renderer().render(scene, camera, {96, 96, 1}));
    }
    // Where nothing of the mesh itself is drawn, both are alike, shadow included.
    for (int i = 0; i < 96 * 96; ++i) {
        const int x = i % 96, y = i / 96;
        if (is_red(pictures[0].at(x, y)) || is_red(pictures[1].at(x, y))) continue;
        EXPECT_EQ(pictures[0].at(x, y), pictures[1].at(x, y)) << x << " " << y;
    }
}

}  // namespace
}  // namespace sinew::render
