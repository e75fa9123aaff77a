// SPDX-License-Identifier: MIT
#include "sinew/render/renderer.h"

#include <cstdlib>
#include <thread>

#include "render/scenes.h"
#include "support/data.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::render {
namespace renderer_test {

using test::bare_scene;
using test::quad;
using test::renderer;
using test::square_camera;
using test::unlit;

const Vec4f red(1, 0, 0, 1);
const Vec4f green(0, 1, 0, 1);
const Pixel red_pixel = {255, 0, 0, 255};
const Pixel green_pixel = {0, 255, 0, 255};
const Pixel black_pixel = {0, 0, 0, 255};

Picture draw(const Scene& scene, int side = 64, int samples = 4) {
    return renderer().render(scene, square_camera(), {side, side, samples});
}

TEST(Renderer, WorksWithoutADisplay) {
    ::unsetenv("DISPLAY");
    ::unsetenv("WAYLAND_DISPLAY");
    Renderer own;
    EXPECT_FALSE(own.driver().empty());
    EXPECT_EQ(own.render(Scene{}, Camera{}, {32, 16, 4}).pixels.size(), 512u);
}

TEST(Renderer, AnUnlitQuadHasItsColour) {
    const MeshHold mesh(renderer(), quad(-0.5f, -0.5f, 0.5f, 0.5f));
    Scene scene = bare_scene();
    scene.drawables = {unlit(mesh.id(), red)};
    for (const int samples : {1, 4}) {
        const Picture picture = draw(scene, 64, samples);
        EXPECT_EQ(picture.at(32, 32), red_pixel);
        EXPECT_EQ(picture.at(4, 32), black_pixel);
        EXPECT_EQ(test::count_pixels(picture, [](const Pixel& p) { return p == red_pixel; }), 32 * 32);
    }
}

TEST(Renderer, MiddleGreyKeepsItsValue) {
    const MeshHold mesh(renderer(), quad(-1, -1, 1, 1));
    Scene scene = bare_scene();
    const float linear = linear_from_srgb(128 / 255.0f);
    scene.drawables = {unlit(mesh.id(), {linear, linear, linear, 1})};
    const Pixel pixel = draw(scene).at(10, 10);
    EXPECT_NEAR(pixel[0], 128, 1);
    EXPECT_EQ(pixel[3], 255);
}

TEST(Renderer, XIsRightAndYIsUp) {
    const MeshHold right(renderer(), quad(0.5f, -0.25f, 1, 0.25f));
    const MeshHold top(renderer(), quad(-0.25f, 0.5f, 0.25f, 1));
    Scene scene = bare_scene();
    scene.drawables = {unlit(right.id(), red), unlit(top.id(), green)};
    const Picture picture = draw(scene);
    EXPECT_EQ(picture.at(60, 32), red_pixel);
    EXPECT_EQ(picture.at(3, 32), black_pixel);
    EXPECT_EQ(picture.at(32, 3), green_pixel);
    EXPECT_EQ(picture.at(32, 60), black_pixel);
}

TEST(Renderer, NearerHidesFartherInEitherOrder) {
    const MeshHold near(renderer(), quad(-0.5f, -0.5f, 0.5f, 0.5f, 0.5f));
    const MeshHold far(renderer(), quad(-0.8f, -0.8f, 0.8f, 0.8f, -0.5f));
    for (const bool swapped : {false, true}) {
        Scene scene = bare_scene();
        scene.drawables = {unlit(near.id(), red), unlit(far.id(), green)};
        if (swapped) std::swap(scene.drawables[0], scene.drawables[1]);
        const Picture picture = draw(scene);
        EXPECT_EQ(picture.at(32, 32), red_pixel) << swapped;
        EXPECT_EQ(picture.at(10, 32), green_pixel) << swapped;
    }
}

/// A quad with a picture of four colours: red upper left, green upper right, blue lower left, half clear
/// lower right.
geometry::Mesh textured_quad(geometry::AlphaMode mode) {
    Picture picture(2, 2);
    picture.at(0, 0) = {255, 0, 0, 255};
    picture.at(1, 0) = {0, 255, 0, 255};
    picture.at(0, 1) = {0, 0, 255, 255};
    picture.at(1, 1) = {255, 255, 255, 100};
    const std::string png = encode_png(picture);
    geometry::Mesh mesh = quad(-1, -1, 1, 1);
    geometry::Image image;
    image.bytes.assign(as_bytes(png).begin(), as_bytes(png).end());
    mesh.images.push_back(image);
    geometry::Material material;
    material.base_color_texture.image = 0;
    material.base_color_texture.nearest = true;
    material.alpha_mode = mode;
    mesh.materials.push_back(material);
    mesh.parts.push_back({"quad", 0, 2, 0});
    return mesh;
}

Picture draw_textured(geometry::AlphaMode mode) {
    const MeshHold mesh(renderer(), textured_quad(mode));
    Scene scene = bare_scene();
    Drawable drawable;
    drawable.mesh = mesh.id();
    drawable.shading = Shading::unlit;
    scene.drawables = {drawable};
    return draw(scene);
}

TEST(Renderer, UvZeroIsTheUpperLeftCornerOfThePicture) {
    const Picture picture = draw_textured(geometry::AlphaMode::opaque);
    EXPECT_EQ(picture.at(16, 16), (Pixel{255, 0, 0, 255}));
    EXPECT_EQ(picture.at(48, 16), (Pixel{0, 255, 0, 255}));
    EXPECT_EQ(picture.at(16, 48), (Pixel{0, 0, 255, 255}));
    EXPECT_EQ(picture.at(48, 48), (Pixel{255, 255, 255, 255})) << "opaque ignores alpha";
}

TEST(Renderer, AlphaModesMaskAndBlend) {
    EXPECT_EQ(draw_textured(geometry::AlphaMode::mask).at(48, 48), black_pixel);
    const Picture blended = draw_textured(geometry::AlphaMode::blend);
    EXPECT_EQ(blended.at(16, 16), (Pixel{255, 0, 0, 255}));
    // 100/255 of white in linear light.
    EXPECT_NEAR(blended.at(48, 48)[0], 255 * srgb_from_linear(100 / 255.0f), 2);
    EXPECT_EQ(blended.at(48, 48)[3], 255);
}

TEST(Renderer, ABrokenTextureIsAWarningAndThePlainColour) {
    geometry::Mesh mesh = textured_quad(geometry::AlphaMode::opaque);
    mesh.images[0].bytes.resize(10);
    mesh.materials[0].base_color = green;
    Collector collector;
    const MeshHold hold(renderer(), mesh, collector);
    EXPECT_TRUE(collector.has("texture-unreadable"));
    Scene scene = bare_scene();
    Drawable drawable;
    drawable.mesh = hold.id();
    drawable.shading = Shading::unlit;
    scene.drawables = {drawable};
    EXPECT_EQ(draw(scene).at(32, 32), green_pixel);
}

TEST(Renderer, VertexColoursMultiplyTheMaterial) {
    geometry::Mesh mesh = quad(-1, -1, 1, 1);
    mesh.colors.assign(4, green);
    const MeshHold hold(renderer(), mesh);
    Scene scene = bare_scene();
    Drawable drawable;
    drawable.mesh = hold.id();
    drawable.shading = Shading::unlit;
    scene.drawables = {drawable};
    EXPECT_EQ(draw(scene).at(32, 32), green_pixel);
    const std::vector<Vec4f> colors(4, red);
    scene.drawables[0].colors = colors;
    scene.drawables[0].surface = Surface::colors;
    EXPECT_EQ(draw(scene).at(32, 32), red_pixel);
    scene.drawables[0].colors = {};
    EXPECT_EQ(draw(scene).at(32, 32), red_pixel) << "what the card holds stays";
    scene.drawables[0].surface = Surface::material;
    EXPECT_EQ(draw(scene).at(32, 32), green_pixel);
}

TEST(Renderer, NewPositionsMoveTheMesh) {
    const MeshHold mesh(renderer(), quad(-1, -1, 0, 1));
    Scene scene = bare_scene();
    scene.drawables = {unlit(mesh.id(), red)};
    EXPECT_EQ(draw(scene).at(10, 32), red_pixel);
    const std::vector<Vec3f> moved = quad(0, -1, 1, 1).positions;
    scene.drawables[0].positions = moved;
    const Picture picture = draw(scene);
    EXPECT_EQ(picture.at(10, 32), black_pixel);
    EXPECT_EQ(picture.at(50, 32), red_pixel);
}

TEST(Renderer, BothSidesOfAnOpenMeshAreLitAlike) {
    geometry::Mesh turned = quad(-1, -1, 1, 1);
    for (geometry::Triangle& triangle : turned.triangles) std::swap(triangle[1], triangle[2]);
    std::vector<Picture> pictures;
    for (const geometry::Mesh& mesh : {quad(-1, -1, 1, 1), turned}) {
        const MeshHold hold(renderer(), mesh);
        Scene scene = bare_scene();
        Drawable drawable;
        drawable.mesh = hold.id();
        scene.drawables = {drawable};
        pictures.push_back(draw(scene));
    }
    EXPECT_GT(pictures[0].at(32, 32)[0], 100);
    EXPECT_LE(mean_difference(pictures[0], pictures[1]), 0.01);
}

TEST(Renderer, EdgesAreSmoothAndDoNotDarken) {
    geometry::Mesh slanted;
    slanted.positions = {{-1, -1, 0}, {1, -0.7f, 0}, {-1, 1, 0}};
    slanted.triangles = {{0, 1, 2}};
    const MeshHold mesh(renderer(), slanted);
    Scene scene = bare_scene();
    scene.background.transparent = true;
    scene.drawables = {unlit(mesh.id(), Vec4f::Ones())};
    const Picture picture = draw(scene);
    const auto partial = [](const Pixel& p) { return p[3] > 0 && p[3] < 255; };
    EXPECT_GT(test::count_pixels(picture, partial), 40);
    const auto grey = [](const Pixel& p) { return p[3] > 0 && p[0] < 250; };
    EXPECT_EQ(test::count_pixels(picture, grey), 0) << "white stays white where it covers half a pixel";
    EXPECT_EQ(test::count_pixels(draw(scene, 64, 1), partial), 0);
}

TEST(Renderer, GridAxesAndShadowLieOnTheGround) {
    const MeshHold mesh(renderer(), quad(-0.5f, 0, 0.5f, 1));
    Scene scene;
    scene.background.center = scene.background.edge = Vec3f::Ones();
    Drawable drawable;
    drawable.mesh = mesh.id();
    scene.drawables = {drawable};
    const Camera camera = fit(View::three_quarter, {Vec3f(-1, 0, -1), Vec3f(1, 1, 1)}, 1);
    const auto red_ones = [](const Pixel& p) { return p[0] > p[1] + 60 && p[0] > p[2] + 60; };
    const auto blue_ones = [](const Pixel& p) { return p[2] > p[0] + 60 && p[2] > p[1] + 40; };
    const auto dark_ones = [](const Pixel& p) { return p[0] < 250; };
    const auto draw_it = [&] { return renderer().render(scene, camera, {256, 256, 4}); };
    const Picture all = draw_it();
    EXPECT_GT(test::count_pixels(all, red_ones), 100);
    EXPECT_GT(test::count_pixels(all, blue_ones), 100);
    scene.ground.axes = false;
    EXPECT_EQ(test::count_pixels(draw_it(), red_ones), 0);
    const int with_grid = test::count_pixels(draw_it(), dark_ones);
    scene.ground.grid = false;
    const int with_shadow = test::count_pixels(draw_it(), dark_ones);
    EXPECT_LT(with_shadow, with_grid - 1000);
    scene.ground.shadow = false;
    const int bare = test::count_pixels(draw_it(), dark_ones);
    EXPECT_LT(bare, with_shadow - 200);
    scene.ground.visible = false;
    EXPECT_EQ(test::count_pixels(draw_it(), dark_ones), bare);
}

TEST(Renderer, TheGroundIsNotSeenFromBelow) {
    Scene scene;
    scene.background.center = scene.background.edge = Vec3f::Ones();
    const Camera camera = fit(axes_of(0.5f, -0.5f), {Vec3f(-1, 0, -1), Vec3f(1, 1, 1)}, 1);
    const Picture picture = renderer().render(scene, camera, {64, 64, 4});
    EXPECT_EQ(test::count_pixels(picture, [](const Pixel& p) { return p != Pixel{255, 255, 255, 255}; }), 0);
}

TEST(Renderer, PointsAndSegmentsObeyTheirLayer) {
    const MeshHold wall(renderer(), quad(-1, -1, 1, 1, 0.5f));
    Scene scene = bare_scene();
    scene.drawables = {unlit(wall.id(), red)};
    Overlay overlay;
    overlay.points = {{Vec3f(0.5f, 0.5f, 0), green, 4}};
    overlay.segments = {{Vec3f(-0.8f, -0.5f, 0), Vec3f(0.8f, -0.5f, 0), green, 3}};
    overlay.layer = Layer::top;
    scene.overlays = {overlay};
    const Picture over = draw(scene);
    EXPECT_EQ(over.at(48, 16), green_pixel);
    EXPECT_EQ(over.at(32, 47)[1], 255);
    scene.overlays[0].layer = Layer::scene;
    EXPECT_EQ(test::count_pixels(draw(scene), [](const Pixel& p) { return p != red_pixel; }), 0)
        << "behind the wall";
}

TEST(Renderer, WireframeShowsEdgesOnly) {
    const MeshHold mesh(renderer(), quad(-0.9f, -0.9f, 0.9f, 0.9f));
    Scene scene = bare_scene();
    scene.drawables = {unlit(mesh.id(), red)};
    scene.drawables[0].wireframe = true;
    const Picture picture = draw(scene);
    EXPECT_LT(picture.at(32, 31)[0], 250) << "the diagonal";
    EXPECT_EQ(picture.at(16, 40), red_pixel) << "inside a triangle";
}

TEST(Renderer, TilesOfALargePictureMeet) {
    // One picture wider than a tile against the same picture, half as large, from one tile.
    const MeshHold mesh(renderer(), test::bent_tube().mesh);
    Scene scene;
    Drawable drawable;
    drawable.mesh = mesh.id();
    scene.drawables = {drawable};
    const Camera camera = fit(View::front, {Vec3f(-0.2f, 0, -0.2f), Vec3f(0.2f, 2, 0.2f)}, 17);
    const Picture large = renderer().render(scene, camera, {2720, 160, 4});
    const Picture small = renderer().render(scene, camera, {1360, 80, 4});
    Picture halved(1360, 80);
    for (int y = 0; y < 80; ++y)
        for (int x = 0; x < 1360; ++x) halved.at(x, y) = large.at(2 * x, 2 * y);
    EXPECT_LT(mean_difference(halved, small), 1.0);
    for (int y = 0; y < 160; ++y)
        for (std::size_t c = 0; c < 3; ++c)
            EXPECT_LE(std::abs(int{large.at(2047, y)[c]} - int{large.at(2048, y)[c]}), 60) << y;
}

TEST(Renderer, BadRequestsAreErrors) {
    Scene scene = bare_scene();
    for (const auto& [width, height] : {std::pair{0, 10}, {10, 0}, {8193, 10}, {10, 8193}, {-5, 5}})
        EXPECT_THROW(renderer().render(scene, square_camera(), {width, height, 4}), Error);
    scene.drawables = {unlit(MeshId{999999}, red)};
    EXPECT_THROW(draw(scene), Error);
    const MeshHold mesh(renderer(), quad(-1, -1, 1, 1));
    scene.drawables = {unlit(mesh.id(), red)};
    const std::vector<Vec3f> three(3, Vec3f::Zero());
    scene.drawables[0].positions = three;
    EXPECT_THROW(draw(scene), Error);
    geometry::Mesh broken = quad(-1, -1, 1, 1);
    broken.triangles[0][1] = 77;
    EXPECT_THROW(renderer().add_mesh(broken), Error);
    scene.drawables[0].positions = {};
    EXPECT_EQ(draw(scene).at(32, 32), red_pixel) << "the renderer survives";
}

TEST(Renderer, NothingAndNonsenseCanBeDrawn) {
    const MeshHold empty(renderer(), geometry::Mesh{});
    geometry::Mesh mesh = quad(-1, -1, 1, 1);
    mesh.positions[2].x() = std::numeric_limits<float>::quiet_NaN();
    const MeshHold odd(renderer(), mesh);
    geometry::Mesh flat = quad(0, 0, 0, 0);
    const MeshHold point(renderer(), flat);
    Scene scene;
    for (const MeshId id : {empty.id(), odd.id(), point.id()}) {
        Drawable drawable;
        drawable.mesh = id;
        drawable.wireframe = true;
        scene.drawables.push_back(drawable);
    }
    EXPECT_EQ(renderer().render(scene, Camera{}, {64, 36, 4}).pixels.size(), 64u * 36u);
}

Picture lit_tube(Renderer& with) {
    const MeshHold mesh(with, test::bent_tube().mesh);
    Scene scene;
    Drawable drawable;
    drawable.mesh = mesh.id();
    scene.drawables = {drawable};
    const Camera camera = fit(View::three_quarter, {Vec3f(-0.2f, 0, -0.2f), Vec3f(0.2f, 2, 0.2f)}, 16 / 9.0f);
    return with.render(scene, camera, {320, 180, 4});
}

TEST(Renderer, TheFirstPictureIsTheSameAsAnyLaterOne) {
    Renderer fresh;
    const Picture first = lit_tube(fresh);
    fresh.render(Scene{}, Camera{}, {700, 500, 2});
    EXPECT_EQ(first, lit_tube(fresh));
    EXPECT_EQ(first, lit_tube(renderer()));
}

TEST(Renderer, WorksOnOneThreadAfterAnother) {
    Renderer moving;
    const Picture here = lit_tube(moving);
    Picture there;
    std::thread([&] { there = lit_tube(moving); }).join();
    EXPECT_EQ(here, there);
}

/// Runs a disabled test of this program in another process, with variables set; true when it passed.
bool passes_in_another_process(const std::string& test, const std::string& variables) {
    const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
    const std::string command = fmt::format(
        "{} '{}' --gtest_also_run_disabled_tests --gtest_filter=RendererProcess.DISABLED_{} > /dev/null 2>&1",
        variables, program, test);
    return std::system(command.c_str()) == 0;
}

/// For the test below.
TEST(RendererProcess, DISABLED_WritesAPicture) {
    const char* path = std::getenv("SINEW_TEST_PICTURE");
    ASSERT_NE(path, nullptr);
    save_png(path, lit_tube(renderer()));
}

TEST(RendererProcess, AnotherProcessGivesTheSameBytes) {
    const sinew::test::TemporaryFolder folder;
    const std::filesystem::path picture = folder / "tube.png";
    ASSERT_TRUE(passes_in_another_process(
        "WritesAPicture", fmt::format("LP_NUM_THREADS=1 SINEW_TEST_PICTURE='{}'", picture.string())));
    EXPECT_EQ(sinew::test::read_text(picture), encode_png(lit_tube(renderer())));
}

/// For the test below: EGL without any driver.
TEST(RendererProcess, DISABLED_SaysWhatToInstall) {
    try {
        Renderer none;
        FAIL() << "there is a driver";
    } catch (const Error& error) {
        EXPECT_NE(error.reason().find("apt-get install libegl1 libgl1-mesa-dri libgl1"), std::string::npos);
    }
}

TEST(RendererProcess, WithoutADriverItSaysWhatToInstall) {
    EXPECT_TRUE(
        passes_in_another_process("SaysWhatToInstall", "__EGL_VENDOR_LIBRARY_FILENAMES=/nowhere.json"));
    EXPECT_FALSE(passes_in_another_process("SaysWhatToInstall", "")) << "it could not fail";
}

}  // namespace renderer_test
}  // namespace sinew::render
