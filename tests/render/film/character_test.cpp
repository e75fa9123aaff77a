// SPDX-License-Identifier: MIT
#include "render/scenes.h"
#include "support/data.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/io/io.h"
#include "sinew/render/film.h"
#include "sinew/render/renderer.h"

namespace sinew::render {
namespace {

using test::count_pixels;
using test::renderer;

RenderOptions small() {
    RenderOptions options;
    options.width = 320;
    options.height = 180;
    return options;
}

Picture draw(const RenderOptions& options, double time = 1) {
    const model::Character tube = test::bent_tube();
    return render_character(renderer(), tube, &tube.clips[0], time, options);
}

/// Width of what is drawn, in pixels, on a transparent background.
int drawn_width(const Picture& picture) {
    int low = picture.width;
    int high = 0;
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x)
            if (picture.at(x, y)[3] > 128) {
                low = std::min(low, x);
                high = std::max(high, x);
            }
    return high - low;
}

bool is_amber(const Pixel& p) {
    return p[0] > 120 && p[0] > p[1] + 25 && p[1] > p[2] + 25;
}

TEST(RenderCharacter, ThePoseOfTheClipIsSeen) {
    RenderOptions options = small();
    options.ground = false;
    options.background.transparent = true;
    options.view = View::front;
    const int straight = drawn_width(draw(options, 0));
    const int bent = drawn_width(draw(options, 1));
    EXPECT_GT(bent, 2 * straight);
}

TEST(RenderCharacter, EverySkinningMethodIsDrawn) {
    RenderOptions options = small();
    options.ground = false;
    options.background.transparent = true;
    options.view = View::front;
    const int linear = drawn_width(draw(options));
    for (const deform::MethodInfo& info : deform::methods()) {
        options.method = info.method;
        EXPECT_NEAR(drawn_width(draw(options)), linear, 0.2 * linear) << info.name;
    }
}

TEST(RenderCharacter, WeightsShowTheColoursOfBothJoints) {
    RenderOptions options = small();
    options.coloring = Coloring::weights;
    options.shading = Shading::unlit;
    options.ground = false;
    const Picture picture = draw(options);
    for (const std::size_t joint : {0u, 1u}) {
        const Vec3f color = joint_color(joint);
        const auto near = [&](const Pixel& p) {
            for (int c = 0; c < 3; ++c)
                if (std::abs(p[static_cast<std::size_t>(c)] - 255 * srgb_from_linear(color[c])) > 3)
                    return false;
            return true;
        };
        EXPECT_GT(count_pixels(picture, near), 300) << joint;
    }
    options.coloring = Coloring::joint_weights;
    options.joint = 1;
    const Picture heat = draw(options);
    EXPECT_GT(count_pixels(heat, [](const Pixel& p) { return p[0] > 150 && p[2] < 100; }), 300) << "hot";
    EXPECT_GT(count_pixels(heat, [](const Pixel& p) { return p[2] > 120 && p[0] < 90; }), 300) << "cold";
    options.joint = 7;
    EXPECT_THROW(draw(options), Error);
}

TEST(RenderCharacter, PartsShowAColourEach) {
    model::Character tube = test::bent_tube();
    const auto half = static_cast<std::uint32_t>(tube.mesh.triangles.size() / 2);
    const auto rest = static_cast<std::uint32_t>(tube.mesh.triangles.size()) - half;
    tube.mesh.parts = {{"a", 0, half, -1}, {"b", half, rest, -1}};
    const geometry::Mesh colored = with_part_colors(tube.mesh);
    ASSERT_EQ(colored.materials.size(), 2u);
    EXPECT_EQ(colored.materials[1].name, "b");
    EXPECT_GT((colored.materials[0].base_color - colored.materials[1].base_color).norm(), 0.2f);
    RenderOptions options = small();
    options.ground = false;
    options.background.transparent = true;
    options.coloring = Coloring::parts;
    const Picture picture = render_character(renderer(), tube, nullptr, 0, options);
    int warm = 0, cold = 0;
    for (int y = 0; y < picture.height; ++y) {
        for (int x = 0; x < picture.width; ++x) {
            const Pixel p = picture.at(x, y);
            if (p[3] < 128) continue;
            warm += p[0] > p[2] + 20 ? 1 : 0;
            cold += p[2] > p[0] + 20 ? 1 : 0;
        }
    }
    EXPECT_GT(warm, 100);
    EXPECT_GT(cold, 100);
}

TEST(RenderCharacter, TheSkeletonIsSeenThroughTheMesh) {
    RenderOptions options = small();
    options.skeleton = SkeletonView::none;
    const int without = count_pixels(draw(options), is_amber);
    options.skeleton = SkeletonView::over;
    const int over = count_pixels(draw(options), is_amber);
    options.skeleton = SkeletonView::xray;
    const int inside = count_pixels(draw(options), is_amber);
    EXPECT_EQ(without, 0);
    EXPECT_GT(over, 80);
    EXPECT_GT(inside, 80);
}

TEST(RenderCharacter, ASkeletonAloneIsDrawn) {
    model::Character bones = test::bent_tube();
    bones.mesh = {};
    bones.skin = {};
    const Picture picture = render_character(renderer(), bones, nullptr, 0, small());
    EXPECT_GT(count_pixels(picture, is_amber), 100);
}

TEST(RenderCharacter, ValuesAndTheirMistakes) {
    RenderOptions options = small();
    options.coloring = Coloring::values;
    EXPECT_THROW(draw(options), Error);
    const model::Character tube = test::bent_tube();
    for (const auto& p : tube.mesh.positions) options.values.push_back(p.y());
    EXPECT_GT(count_pixels(draw(options), [](const Pixel& p) { return p[2] > 120 && p[0] < 100; }), 100);
    EXPECT_THROW(render_character(renderer(), model::Character{}, nullptr, 0), Error);
    options.width = 0;
    EXPECT_THROW(draw(options), Error);
    model::Character bare = tube;
    bare.skin = {};
    RenderOptions weights = small();
    weights.coloring = Coloring::weights;
    EXPECT_THROW(render_character(renderer(), bare, nullptr, 0, weights), Error);
}

TEST(RenderCharacter, AFrameOfASequenceMovesTheVertices) {
    const model::Character tube = test::bent_tube();
    RenderOptions options = small();
    options.ground = false;
    options.background.transparent = true;
    CharacterRenderer stage(renderer(), tube, options);
    stage.pose(nullptr, 0);
    const Camera camera = stage.camera();
    const int before = drawn_width(stage.picture(camera));
    std::vector<Vec3f> wider = tube.mesh.positions;
    for (Vec3f& p : wider) p = Vec3f(3 * p.x(), p.y(), 3 * p.z());
    stage.pose(wider);
    EXPECT_NEAR(drawn_width(stage.picture(camera)), 3 * before, before);
    wider.pop_back();
    stage.pose(wider);
    EXPECT_THROW(stage.picture(camera), Error);
}

TEST(RenderCharacter, FilmRangeCoversTheClip) {
    const model::Character tube = test::bent_tube();
    const FilmRange range = film_range(tube.clips[0], 24);
    EXPECT_EQ(range.frames, 25u);
    EXPECT_DOUBLE_EQ(range.time(24), 1);
    EXPECT_EQ(film_range(model::Clip{}, 24).frames, 1u);
    EXPECT_THROW(film_range(tube.clips[0], 0), Error);
}

TEST(RenderCharacter, FilmsWithBothCameras) {
    if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
    const sinew::test::TemporaryFolder folder;
    const model::Character tube = test::bent_tube();
    RenderOptions options = small();
    options.width = 160;
    options.height = 90;
    for (const FilmCamera camera : {FilmCamera::whole, FilmCamera::follow}) {
        options.film_camera = camera;
        const std::filesystem::path path = folder / "film.mp4";
        EXPECT_EQ(render_character_film(renderer(), path, tube, tube.clips[0], options, {.rate = 8}), 9u);
        EXPECT_GT(std::filesystem::file_size(path), 1000u);
    }
}

/// Pictures of the tube against stored ones. Drivers differ a little; a changed look differs a lot. To store
/// new ones after a wanted change: SINEW_UPDATE_REFERENCES=1 test_render --gtest_filter='Reference.*'
void compare_with_reference(const std::string& name, RenderOptions options) {
    options.width = 240;
    options.height = 135;
    const Picture picture = draw(options, 0.8);
    const std::filesystem::path path =
        std::filesystem::path(SINEW_SOURCE_DIR) / "tests/render/reference" / (name + ".png");
    if (std::getenv("SINEW_UPDATE_REFERENCES") != nullptr) save_png(path, picture);
    EXPECT_LT(mean_difference(picture, load_picture(path)), 1.5) << name;
}

TEST(Reference, Lit) {
    compare_with_reference("lit", small());
}

TEST(Reference, WeightsOrthographicWire) {
    RenderOptions options = small();
    options.coloring = Coloring::weights;
    options.wireframe = true;
    options.fit.orthographic = true;
    options.view = View::left;
    compare_with_reference("weights", options);
}

TEST(Reference, XrayOnTransparent) {
    RenderOptions options = small();
    options.skeleton = SkeletonView::xray;
    options.background.transparent = true;
    options.view = View::front;
    compare_with_reference("xray", options);
}

TEST(RenderCharacter, ACrowdIsSkinnedOnTheCard) {
    const model::Character tube = test::bent_tube();
    RenderOptions options = small();
    options.ground = false;
    options.background.transparent = true;
    options.view = View::front;
    options.method = deform::Method::dqs;
    const Picture one = render_crowd(renderer(), tube, tube.clips[0], 1, options);
    const Picture many = render_crowd(renderer(), tube, tube.clips[0], 9, options);
    EXPECT_GT(drawn_width(one), 5);
    EXPECT_GT(drawn_width(many), 2 * drawn_width(one)) << "rows of them";
    options.method = deform::Method::cor;
    EXPECT_THROW(render_crowd(renderer(), tube, tube.clips[0], 9, options), Error) << "it has no shader";
}

TEST(RenderCharacter, ARealTexturedCharacter) {
    SINEW_NEEDS_DATA();
    const model::Character man = io::read(sinew::test::data("gltf/CesiumMan.glb")).character;
    RenderOptions options = small();
    options.view = View::front;
    options.ground = false;
    options.background.transparent = true;
    const Picture picture = render_character(renderer(), man, &man.clips.at(0), 0.5, options);
    // His face is a picture: sky above, hills below, seen the right way up.
    int blue_height = 0, blue = 0, green_height = 0, green = 0;
    for (int y = 0; y < picture.height / 3; ++y)
        for (int x = 0; x < picture.width; ++x) {
            const Pixel& p = picture.at(x, y);
            if (p[3] < 255) continue;
            if (p[2] > p[0] + 60) blue_height += y, ++blue;
            if (p[1] > p[0] + 20 && p[1] > p[2] + 60) green_height += y, ++green;
        }
    ASSERT_GT(blue, 50);
    ASSERT_GT(green, 50);
    EXPECT_LT(blue_height / blue + 3, green_height / green);
}

}  // namespace
}  // namespace sinew::render
