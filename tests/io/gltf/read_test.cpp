// SPDX-License-Identifier: MIT
// What the reader makes of small files whose answers are known, and of the real ones.

#include "io/gltf/support.h"
#include "support/data.h"
#include <gtest/gtest.h>

namespace sinew::io::test {
namespace gltf_read_test {

using math::Vec3d;
using math::Vec3f;
using model::Interpolation;

TEST(GltfRead, TriangleHasItsVerticesAndNoSkeleton) {
    const Asset asset = read(triangle().glb());
    const model::Character& character = asset.character;
    EXPECT_EQ(character.name, "test");
    EXPECT_EQ(character.mesh.positions, (std::vector<Vec3f>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
    EXPECT_EQ(character.mesh.triangles, (std::vector<geometry::Triangle>{{0, 1, 2}}));
    EXPECT_FALSE(character.has_skeleton());
    EXPECT_FALSE(character.has_skin());
}

TEST(GltfRead, JsonWithDataUriIsTheSameAsGlb) {
    FileMaker file = triangle();
    file.glb();
    // Base64 of the 44 bytes of the buffer, by hand: floats 1.0 are 00 00 80 3F.
    file.json["buffers"][0]["uri"] =
        "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIAAAA=";
    const Asset asset = read(file.json.dump(), silent(), "test.gltf");
    EXPECT_EQ(asset.character.mesh.positions, (std::vector<Vec3f>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
    EXPECT_EQ(asset.character.mesh.triangles, (std::vector<geometry::Triangle>{{0, 1, 2}}));
}

TEST(GltfRead, DataUrisMayBePercentEncoded) {
    FileMaker file = triangle();
    file.glb();
    std::string uri = "data:application/octet-stream,";
    for (const char c : file.binary) uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    file.json["buffers"][0]["uri"] = uri;
    EXPECT_EQ(read(file.json.dump(), silent(), "test.gltf").character.mesh.positions,
              (std::vector<Vec3f>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
}

TEST(GltfRead, ASmallMeshThatIsShownManyTimesIsRead) {
    FileMaker file = triangle();
    std::vector<float> positions(3 * 3000);
    for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<float>(i % 7);
    file.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = file.add(positions, 5126, "VEC3", 3);
    const Json node = file.json["nodes"][0];
    for (int n = 1; n < 400; ++n) {
        file.json["nodes"].push_back(node);
        file.json["nodes"].back()["translation"] = {n, 0, 0};
        file.json["scenes"][0]["nodes"].push_back(n);
    }
    EXPECT_EQ(read(file.glb()).character.mesh.vertex_count(), 400u * 3000u);
}

TEST(GltfRead, ExternalBufferIsFoundBesideTheFile) {
    const sinew::test::TemporaryFolder folder;
    FileMaker file = triangle();
    file.glb();
    file.json["buffers"][0]["uri"] = "my%20buffer.bin";
    sinew::test::write_text(folder / "my buffer.bin", file.binary);
    const std::string text = file.json.dump();
    EXPECT_EQ(read_gltf(as_bytes(text), folder / "a.gltf", {}, silent()).character.mesh.vertex_count(), 3u);
    file.json["buffers"][0]["uri"] = "other.bin";
    const std::string missing = file.json.dump();
    EXPECT_THROW(read_gltf(as_bytes(missing), folder / "a.gltf", {}, silent()), Error);
}

TEST(GltfRead, StripsAndFansBecomeTrianglesWithOneOrientation) {
    FileMaker file = triangle();
    const int positions = file.add<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0}, 5126, "VEC3", 3);
    Json& primitive = file.json["meshes"][0]["primitives"][0];
    primitive = {{"attributes", {{"POSITION", positions}}}, {"mode", 5}};
    EXPECT_EQ(read(file.glb()).character.mesh.triangles,
              (std::vector<geometry::Triangle>{{0, 1, 2}, {1, 3, 2}, {2, 3, 4}}));
    primitive["mode"] = 6;
    EXPECT_EQ(read(file.glb()).character.mesh.triangles,
              (std::vector<geometry::Triangle>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}));
}

TEST(GltfRead, PointsAreSkippedWithAWarning) {
    FileMaker file = triangle();
    Json points = file.json["meshes"][0]["primitives"][0];
    points["mode"] = 0;
    file.json["meshes"][0]["primitives"].push_back(points);
    Collector warnings;
    EXPECT_EQ(read(file.glb(), warnings).character.mesh.triangles.size(), 1u);
    EXPECT_TRUE(warnings.has("gltf-mode"));
}

TEST(GltfRead, NormalizedIntegersStrideAndSparseValues) {
    FileMaker file = triangle();
    // Two bytes of colour-like data per element, 4 apart: u8 normalised texture coordinates.
    file.json["bufferViews"].push_back(Json::object());
    const int view = file.add_view(std::string("\x00\xFF\x7F\x7F\x33\x00\x00\x00\xFF\xFF\x00\x00", 12));
    file.json["bufferViews"].erase(static_cast<std::size_t>(view) - 1);
    const int good = view - 1;
    file.json["bufferViews"][static_cast<std::size_t>(good)]["byteStride"] = 4;
    file.json["accessors"].push_back({{"bufferView", good},
                                      {"componentType", 5121},
                                      {"normalized", true},
                                      {"count", 3},
                                      {"type", "VEC2"}});
    file.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = 2;
    // The second position is replaced by (5, 6, 7).
    const int indices = file.add_view(bytes_of<std::uint8_t>({1}));
    const int values = file.add_view(bytes_of<float>({5, 6, 7}));
    file.json["accessors"][0]["sparse"] = {{"count", 1},
                                           {"indices", {{"bufferView", indices}, {"componentType", 5121}}},
                                           {"values", {{"bufferView", values}}}};
    const geometry::Mesh mesh = read(file.glb()).character.mesh;
    EXPECT_EQ(mesh.positions[1], Vec3f(5, 6, 7));
    EXPECT_EQ(mesh.positions[2], Vec3f(0, 1, 0));
    EXPECT_EQ(mesh.uvs[0][0], math::Vec2f(0, 1));
    EXPECT_EQ(mesh.uvs[0][1], math::Vec2f(0.2f, 0));
    EXPECT_EQ(mesh.uvs[0][2], math::Vec2f(1, 1));
}

TEST(GltfRead, AccessorWithoutViewIsZeros) {
    FileMaker file = triangle();
    file.json["accessors"].push_back({{"componentType", 5126}, {"count", 3}, {"type", "VEC2"}});
    file.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_1"] = 2;
    const geometry::Mesh mesh = read(file.glb()).character.mesh;
    EXPECT_TRUE(mesh.uvs[0].empty());
    EXPECT_EQ(mesh.uvs[1], (std::vector<math::Vec2f>(3, math::Vec2f(0, 0))));
}

TEST(GltfRead, StaticMeshGetsItsNodesMatrixAndAMirrorFlipsTheWinding) {
    FileMaker file = triangle();
    file.json["nodes"] =
        Json::array({{{"mesh", 0}, {"scale", {-1, 2, 1}}}, {{"children", {0}}, {"translation", {10, 0, 0}}}});
    file.json["scenes"][0]["nodes"] = {1};
    const geometry::Mesh mesh = read(file.glb()).character.mesh;
    EXPECT_EQ(mesh.positions, (std::vector<Vec3f>{{10, 0, 0}, {9, 0, 0}, {10, 2, 0}}));
    EXPECT_EQ(mesh.triangles[0], (geometry::Triangle{0, 2, 1}));
}

TEST(GltfRead, InstancesAreDuplicatedAndSharedVerticesAreNot) {
    FileMaker file = triangle();
    file.json["nodes"] =
        Json::array({{{"mesh", 0}, {"name", "a"}}, {{"mesh", 0}, {"name", "b"}, {"translation", {0, 0, 5}}}});
    file.json["scenes"][0]["nodes"] = {0, 1};
    Json& primitives = file.json["meshes"][0]["primitives"];
    primitives.push_back(primitives[0]);
    const geometry::Mesh mesh = read(file.glb()).character.mesh;
    EXPECT_EQ(mesh.vertex_count(), 6u);
    ASSERT_EQ(mesh.parts.size(), 4u);
    EXPECT_EQ(mesh.parts[1].name, "a");
    EXPECT_EQ(mesh.parts[2].name, "b");
    EXPECT_EQ(mesh.triangles[3], (geometry::Triangle{3, 4, 5}));
    EXPECT_EQ(mesh.positions[3], Vec3f(0, 0, 5));
}

TEST(GltfRead, SkinAndAnimation) {
    const model::Character character = read(skinned_triangle().glb()).character;
    ASSERT_EQ(character.skeleton.size(), 2u);
    EXPECT_EQ(character.skeleton.joints[1].name, "tip");
    EXPECT_EQ(character.skeleton.joints[1].parent, 0);
    EXPECT_EQ(character.skin.of(0)[0].joint, 0u);
    ASSERT_EQ(character.skin.of(1).size(), 2u);
    EXPECT_EQ(character.skin.of(1)[1].weight, 0.5f);
    EXPECT_EQ(character.skin.of(2)[0].joint, 1u);
    ASSERT_EQ(character.clips.size(), 1u);
    const model::Clip& clip = character.clips[0];
    EXPECT_EQ(clip.name, "wave");
    EXPECT_EQ(clip.tracks[0].joint, 1);
    EXPECT_EQ(clip.tracks[0].rotation.mode, Interpolation::linear);
    EXPECT_FALSE(clip.tracks[0].rotation.times.is_even());
    EXPECT_NEAR(
        math::angle_between<double>(model::sample(clip.tracks[0].rotation, 0.5), math::Quatd::Identity()),
        math::pi / 4, 1e-6);
}

TEST(GltfRead, StillNodesAboveTheTopJointAreFoldedIntoRestAndKeys) {
    FileMaker file = skinned_triangle();
    const int values = file.add<float>({0, 0, 0, 1, 2, 3, 0, 0, 0}, 5126, "VEC3", 3);
    Json& animation = file.json["animations"][0];
    animation["samplers"].push_back({{"input", animation["samplers"][0]["input"]}, {"output", values}});
    animation["channels"].push_back({{"sampler", 1}, {"target", {{"node", 1}, {"path", "translation"}}}});
    // A quarter turn about x, twice the size, 5 to the right.
    const double half = std::sqrt(0.5);
    file.json["nodes"].push_back({{"children", {1}},
                                  {"rotation", {half, 0, 0, half}},
                                  {"scale", {2, 2, 2}},
                                  {"translation", {5, 0, 0}}});
    file.json["scenes"][0]["nodes"] = {0, 3};
    const model::Character character = read(file.glb()).character;
    ASSERT_EQ(character.skeleton.size(), 2u);
    const model::Joint& root = character.skeleton.joints[0];
    EXPECT_LT((root.rest.translation - Vec3d(5, 0, 0)).norm(), 1e-12);
    EXPECT_LT((root.rest.scale - Vec3d(2, 2, 2)).norm(), 1e-12);
    // (1 2 3) turns to (1 -3 2), doubled and moved.
    EXPECT_LT((model::sample(character.clips[0].tracks[0].translation, 1) - Vec3d(7, -6, 4)).norm(), 1e-6);
    // Bind matrices are the identity, so the mesh is seen turned and doubled: B is baked into it.
    EXPECT_LT((character.mesh.positions[2] - Vec3f(5, 0, 2)).norm(), 1e-6f);
    const auto world = model::world_matrices(character, nullptr, 0);
    const auto palette = model::palette(character.skin, world);
    EXPECT_LT((palette[0] - math::Mat4d::Identity()).norm(), 1e-9);
}

TEST(GltfRead, UnevenScaleAboveAJointBecomesAJoint) {
    FileMaker file = skinned_triangle();
    file.json["nodes"].push_back({{"name", "squash"}, {"children", {1}}, {"scale", {1, 2, 1}}});
    file.json["scenes"][0]["nodes"] = {0, 3};
    const model::Skeleton skeleton = read(file.glb()).character.skeleton;
    ASSERT_EQ(skeleton.size(), 3u);
    EXPECT_EQ(skeleton.joints[0].name, "squash");
    EXPECT_EQ(skeleton.joints[0].rest.scale, Vec3d(1, 2, 1));
}

TEST(GltfRead, MeshOnAnAnimatedNodeMovesWithIt) {
    FileMaker file = skinned_triangle();
    file.json.erase("skins");
    file.json["nodes"][0].erase("skin");
    file.json["nodes"][0]["translation"] = {1, 0, 0};
    file.json["nodes"][2]["children"] = {0};
    file.json["scenes"][0]["nodes"] = {1};
    const model::Character character = read(file.glb()).character;
    ASSERT_EQ(character.skeleton.size(), 1u);
    EXPECT_EQ(character.skeleton.joints[0].name, "tip");
    EXPECT_EQ(character.mesh.positions[1], Vec3f(2, 1, 0));
    // A quarter turn about (0 1 0): the corner (2 1 0) goes to (0 3 0).
    const auto palette =
        model::palette(character.skin, model::world_matrices(character, &character.clips[0], 1));
    EXPECT_LT((math::transform_point(palette[0], Vec3d(2, 1, 0)) - Vec3d(0, 3, 0)).norm(), 1e-6);
}

TEST(GltfRead, StillMeshBesideASkinnedOneStaysWhereItIs) {
    FileMaker file = skinned_triangle();
    Json plain = {{"attributes", {{"POSITION", 0}}}};
    file.json["meshes"].push_back({{"primitives", Json::array({plain})}});
    file.json["nodes"].push_back({{"name", "floor"}, {"mesh", 1}, {"translation", {0, 0, -1}}});
    file.json["scenes"][0]["nodes"] = {0, 1, 3};
    const model::Character character = read(file.glb()).character;
    ASSERT_EQ(character.skeleton.size(), 3u);
    const int floor = character.skeleton.find("floor");
    ASSERT_GE(floor, 0);
    EXPECT_EQ(character.mesh.positions[3], Vec3f(0, 0, -1));
    EXPECT_EQ(character.skin.joints[character.skin.of(3)[0].joint].joint, floor);
}

TEST(GltfRead, BareNodesAreASkeleton) {
    const std::string json = R"({"asset":{"version":"2.0"},"nodes":[
        {"name":"b","translation":[0,1,0],"extras":{"tip":[0,2,0]}},{"name":"a","children":[0]}]})";
    const model::Skeleton skeleton = read(json, silent(), "bare.gltf").character.skeleton;
    ASSERT_EQ(skeleton.size(), 2u);
    EXPECT_EQ(skeleton.joints[0].name, "a");
    EXPECT_EQ(skeleton.joints[1].name, "b");
    ASSERT_TRUE(skeleton.joints[1].tip.has_value());
    EXPECT_EQ(*skeleton.joints[1].tip, Vec3d(0, 2, 0));
}

TEST(GltfRead, MorphTargetsWithNamesWeightsAndKeys) {
    FileMaker file = triangle();
    const int delta = file.add<float>({0, 0, 1, 0, 0, 2, 0, 0, 3}, 5126, "VEC3", 3);
    file.json["meshes"][0]["primitives"][0]["targets"] = Json::array({{{"POSITION", delta}}, Json::object()});
    file.json["meshes"][0]["weights"] = {0.25, 0.5};
    file.json["meshes"][0]["extras"]["targetNames"] = {"up", "nothing"};
    const int times = file.add<float>({0, 1}, 5126, "SCALAR", 1);
    const int values = file.add<float>({0, 0.5f, 1, 0.75f}, 5126, "SCALAR", 1);
    file.json["animations"] = Json::array(
        {{{"channels", Json::array({{{"sampler", 0}, {"target", {{"node", 0}, {"path", "weights"}}}}})},
          {"samplers", Json::array({{{"input", times}, {"output", values}}})}}});
    const model::Character character = read(file.glb()).character;
    EXPECT_FALSE(character.has_skeleton());
    ASSERT_EQ(character.mesh.morphs.size(), 2u);
    EXPECT_EQ(character.mesh.morphs[0].name, "up");
    EXPECT_EQ(character.mesh.morphs[0].weight, 0.25f);
    EXPECT_EQ(character.mesh.morphs[0].positions[2], Vec3f(0, 0, 3));
    EXPECT_EQ(character.mesh.morphs[1].positions[2], Vec3f(0, 0, 0));
    ASSERT_EQ(character.clips.at(0).morph_tracks.size(), 2u);
    EXPECT_EQ(model::sample(character.clips[0].morph_tracks[0].weight, 0.5), 0.5);
    EXPECT_EQ(model::sample(character.clips[0].morph_tracks[1].weight, 1), 0.75);
}

TEST(GltfRead, MaterialsTexturesAndImages) {
    FileMaker file = triangle();
    const std::vector<std::byte> png = tiny_png();
    const int view = file.add_view(std::string(reinterpret_cast<const char*>(png.data()), png.size()));
    file.json["images"] = Json::array(
        {{{"uri", "missing.png"}}, {{"bufferView", view}, {"mimeType", "image/png"}, {"name", "skin"}}});
    file.json["samplers"] = Json::array({{{"wrapS", 33071}, {"magFilter", 9728}}});
    file.json["textures"] = Json::array({{{"source", 1}, {"sampler", 0}}, {{"source", 0}}});
    file.json["materials"] =
        Json::array({{{"name", "m"},
                      {"pbrMetallicRoughness",
                       {{"baseColorTexture", {{"index", 0}, {"texCoord", 1}}}, {"roughnessFactor", 0.25}}},
                      {"normalTexture", {{"index", 1}, {"scale", 0.5}}},
                      {"alphaMode", "MASK"},
                      {"doubleSided", true}}});
    file.json["meshes"][0]["primitives"][0]["material"] = 0;
    Collector warnings;
    const geometry::Mesh mesh = read(file.glb(), warnings).character.mesh;
    EXPECT_TRUE(warnings.has("gltf-image"));
    ASSERT_EQ(mesh.images.size(), 1u);
    EXPECT_EQ(mesh.images[0].bytes, png);
    EXPECT_EQ(mesh.images[0].name, "skin");
    const geometry::Material& material = mesh.materials.at(0);
    EXPECT_EQ(material.metallic, 1);
    EXPECT_EQ(material.roughness, 0.25f);
    EXPECT_EQ(material.base_color_texture,
              (geometry::Texture{0, 1, geometry::Wrap::clamp, geometry::Wrap::repeat, true}));
    EXPECT_FALSE(material.normal_texture.used());
    EXPECT_EQ(material.alpha_mode, geometry::AlphaMode::mask);
    EXPECT_TRUE(material.double_sided);
    EXPECT_EQ(mesh.parts[0].material, 0);
}

TEST(GltfRead, EqualKeyTimesKeepTheLast) {
    FileMaker file = skinned_triangle();
    const int times = file.add<float>({0, 1, 1}, 5126, "SCALAR", 1);
    file.json["animations"][0]["samplers"][0]["input"] = times;
    Collector warnings;
    const model::Clip clip = read(file.glb(), warnings).character.clips.at(0);
    EXPECT_TRUE(warnings.has("gltf-equal-times"));
    ASSERT_EQ(clip.tracks[0].rotation.values.size(), 2u);
    EXPECT_EQ(clip.tracks[0].rotation.values[1].w(), 1);
}

TEST(GltfRead, ManyJointsNamedAlikeAreRenamed) {
    FileMaker file = skinned_triangle();
    file.json["nodes"][2]["name"] = "root";
    Collector warnings;
    EXPECT_EQ(read(file.glb(), warnings).character.skeleton.joints[1].name, "root_2");
    EXPECT_TRUE(warnings.has("gltf-joint-names"));
}

TEST(GltfRead, DeepHierarchyDoesNotOverflow) {
    Json json = {{"asset", {{"version", "2.0"}}}};
    constexpr std::size_t depth = 50000;
    for (std::size_t i = 0; i < depth; ++i) {
        json["nodes"].push_back({{"translation", {0.001, 0, 0}}});
        if (i + 1 < depth) json["nodes"][i]["children"] = {i + 1};
    }
    EXPECT_EQ(read(json.dump(), silent(), "deep.gltf").character.skeleton.size(), depth);
}

struct Expected {
    const char* file;
    std::size_t vertices, triangles, joints, clips;
};

TEST(GltfRead, RealFiles) {
    SINEW_NEEDS_DATA();
    for (const Expected& e :
         {Expected{"CesiumMan.glb", 3273, 4672, 19, 1}, Expected{"RiggedFigure.glb", 370, 256, 19, 1},
          Expected{"RiggedFigure_embedded.gltf", 370, 256, 19, 1},
          Expected{"RiggedSimple.glb", 160, 188, 2, 1}, Expected{"SimpleSkin.gltf", 10, 8, 2, 1},
          Expected{"RobotExpressive.glb", 7214, 3237, 43, 14}, Expected{"human_male.glb", 7399, 13757, 66, 0},
          Expected{"dragon.glb", 2905, 3498, 100, 5}}) {
        const model::Character character = read_data(e.file).character;
        EXPECT_EQ(character.mesh.vertex_count(), e.vertices) << e.file;
        EXPECT_EQ(character.mesh.triangles.size(), e.triangles) << e.file;
        EXPECT_EQ(character.skeleton.size(), e.joints) << e.file;
        EXPECT_EQ(character.clips.size(), e.clips) << e.file;
        // Characters stand upright on the ground, whatever way their nodes were turned.
        const geometry::Box box = geometry::bounds(character.mesh.positions);
        if (e.joints == 2) continue;
        EXPECT_NEAR(box.low.y() / box.size().y(), 0, 0.01) << e.file;
        if (e.joints == 100) continue;  // the dragon is longer than high
        EXPECT_GT(box.size().y(), box.size().z()) << e.file;
    }
}

}  // namespace gltf_read_test
}  // namespace sinew::io::test
