// SPDX-License-Identifier: MIT
#include "io/mesh/mesh_support.h"
#include "io/scene/x_support.h"

#include "sinew/io/scene/scene_formats.h"

namespace sinew::io {
namespace x_test {

using math::Vec3d;
using math::Vec3f;
using test::deformed;

Asset read_text(std::string_view text, Monitor& monitor = silent()) {
    Asset asset = read_x(as_bytes(text), "a.x", {}, monitor);
    model::validate(asset.character, "a.x");
    return asset;
}
std::string error_of(std::string_view text) {
    return test::read_error(read_x, text, "a.x");
}
std::string codes_of(std::string_view text) {
    Collector collector;
    read_text(text, collector);
    std::string codes;
    for (const Warning& warning : collector.warnings()) {
        EXPECT_TRUE(warning.text.starts_with("a.x")) << warning.text;
        codes += warning.code + " ";
    }
    return codes;
}
std::string with(std::string_view objects) {
    return "xof 0303txt 0032\n" + std::string(objects);
}
constexpr std::string_view triangle = "3; 0;0;0;, 1;0;0;, 0;1;2;; 1; 3;0,1,2;; ";

TEST(X, MeshInRightHandedAxes) {
    const Asset asset = read_text(test::x_file());
    const geometry::Mesh& mesh = asset.character.mesh;
    // Six positions, and two that the second face needs with its own normal.
    ASSERT_EQ(mesh.vertex_count(), 8u);
    EXPECT_EQ(mesh.positions[2], Vec3f(-1, 3, -0.5f));
    EXPECT_EQ(mesh.triangles.size(), 4u);
    EXPECT_EQ(mesh.uvs[0][4], math::Vec2f(0, 1));
    // Normals point where the winding does: the file's numbers say -z, which is +z here.
    for (const geometry::Triangle& t : mesh.triangles) {
        const Vec3f n =
            (mesh.positions[t[1]] - mesh.positions[t[0]]).cross(mesh.positions[t[2]] - mesh.positions[t[0]]);
        for (const std::uint32_t v : t) EXPECT_GT(n.normalized().dot(mesh.normals[v]), 0.9);
    }
    ASSERT_EQ(mesh.parts.size(), 2u);
    ASSERT_EQ(mesh.materials.size(), 2u);
    // The first face has material 1 of the list, which is the reference to Blue.
    const geometry::Part& blue = mesh.parts[0].material == 0 ? mesh.parts[0] : mesh.parts[1];
    EXPECT_EQ(mesh.materials[0].name, "Blue");
    EXPECT_EQ(mesh.materials[0].emissive, Vec3f(0, 0, 0.5f));
    const geometry::Triangle first = mesh.triangles[blue.first];
    EXPECT_TRUE(std::find(first.begin(), first.end(), 0u) != first.end());
}

TEST(X, HierarchyAndBindMatrices) {
    const Asset asset = read_text(test::x_file());
    const model::Character& c = asset.character;
    ASSERT_EQ(c.skeleton.size(), 2u);
    EXPECT_EQ(c.skeleton.joints[1].name, "Tip");
    EXPECT_EQ(c.skeleton.joints[1].parent, 0);
    const auto world = model::rest_world_matrices(c.skeleton);
    EXPECT_LT((model::joint_positions(world)[1] - Vec3d(0, 3, -0.5)).norm(), 1e-6);
    for (const model::SkinJoint& entry : c.skin.joints) {
        const math::Mat4d product = world[static_cast<std::size_t>(entry.joint)] * entry.inverse_bind;
        EXPECT_TRUE(product.isIdentity(1e-4));
    }
    const auto rest = deformed(c, nullptr, 0);
    for (std::size_t v = 0; v < rest.size(); ++v)
        EXPECT_LT((rest[v] - c.mesh.positions[v].cast<double>()).norm(), 1e-6);
}

TEST(X, QuaternionKeysEqualMatrixKeysAndTheKnownMotion) {
    const Asset asset = read_text(test::x_file());
    const model::Character& c = asset.character;
    ASSERT_EQ(c.clips.size(), 2u);
    EXPECT_EQ(c.clips[0].name, "Turn");
    EXPECT_EQ(c.clips[1].name, "Matrices");
    for (double t = 0; t <= 0.4; t += 0.025) {
        const auto a = deformed(c, &c.clips[0], t), b = deformed(c, &c.clips[1], t);
        for (std::size_t v = 0; v < a.size(); ++v) EXPECT_LT((a[v] - b[v]).norm(), 1e-4) << v << " at " << t;
    }
    for (int k = 0; k < test::x_keys; ++k) {
        // In the file's axes: vertex 4 is (-1, 1, 0.5) from Tip, which turns (y, z) to (c y - s z, s y + c
        // z).
        const double cosine = std::cos(test::x_angle(k)), sine = std::sin(test::x_angle(k));
        const double y = cosine * 1 - sine * 0.5, z = sine * 1 + cosine * 0.5;
        const Vec3d expected(-1, 1 + test::x_height(k) + y, -(0.5 + z));
        for (const model::Clip& clip : c.clips)
            EXPECT_LT((deformed(c, &clip, 0.1 * k)[4] - expected).norm(), 1e-5) << k;
    }
}

TEST(X, ScaleKeysTicksAndAPlainMesh) {
    const Asset still =
        read_text(with("Frame F { FrameTransformMatrix { 2,0,0,0,0,2,0,0,0,0,2,0,5,6,7,1;; } Mesh M {" +
                       std::string(triangle) + "} }"));
    EXPECT_FALSE(still.character.has_skeleton());
    EXPECT_EQ(still.character.mesh.positions[1], Vec3f(7, 6, -7));
    EXPECT_EQ(still.character.mesh.positions[2], Vec3f(5, 8, -11));
    const Asset moving = read_text(
        with("Frame F { Mesh M {" + std::string(triangle) +
             "} } AnimationSet { Animation { {F} AnimationKey { 1; 2; 0;3;1,1,1;;, 4800;3;3,1,1;;; } } }"));
    ASSERT_TRUE(moving.character.has_skin());
    EXPECT_NEAR(model::time_range(moving.character.clips[0]).end, 1, 1e-6);
    EXPECT_NEAR(deformed(moving.character, &moving.character.clips[0], 0.5)[1].x(), 2, 1e-6);
}

TEST(X, MeshesByReferenceAndColours) {
    const Asset asset =
        read_text(with("Mesh M {" + std::string(triangle) +
                       "MeshVertexColors { 3; 0;1;0;0;1;;, 1;0;1;0;1;;, 2;0;0;1;0.5;;; } }"
                       "Frame F { FrameTransformMatrix { 1,0,0,0,0,1,0,0,0,0,1,0,0,9,0,1;; } {M} }"));
    EXPECT_EQ(asset.character.mesh.vertex_count(), 3u);
    EXPECT_EQ(asset.character.mesh.positions[0], Vec3f(0, 9, 0));
    EXPECT_EQ(asset.character.mesh.colors[2], math::Vec4f(0, 0, 1, 0.5f));
}

TEST(X, SeparatorsMayBeMissingOrTooMany) {
    std::string text = test::x_file();
    const Asset usual = read_text(text);
    std::replace(text.begin() + 16, text.end(), ';', ' ');
    const Asset bare = read_text(text);
    EXPECT_EQ(usual.character.mesh.positions, bare.character.mesh.positions);
    EXPECT_EQ(usual.character.clips.size(), bare.character.clips.size());
    EXPECT_EQ(codes_of(test::x_file()), "missing-picture ");
}

TEST(X, SeveralRootFramesHangOnOneRoot) {
    const Asset asset = read_text(with("Frame A { } Frame B { Frame C { } }"));
    const model::Skeleton& s = asset.character.skeleton;
    ASSERT_EQ(s.size(), 4u);
    EXPECT_EQ(s.joints[0].name, "root");
    EXPECT_EQ(s.joints[static_cast<std::size_t>(s.find("A"))].parent, 0);
    EXPECT_EQ(s.joints[static_cast<std::size_t>(s.find("B"))].parent, 0);
}

TEST(X, BrokenContentIsRepairedByRuleAndSaid) {
    const auto mesh = [](std::string_view rest) {
        return with("Frame F { Mesh M {" + std::string(rest) + "} }");
    };
    EXPECT_EQ(codes_of(mesh(triangle)), "");
    EXPECT_EQ(codes_of(mesh("3; 0;0;0;1;0;0;0;1;0;; 3; 3;0,1,2;, 3;0,1,3;, 2;0,1;;")), "x-bad-faces ");
    EXPECT_EQ(
        read_text(mesh("3; 0;0;0;1;0;0;0;1;0;; 2; 3;0,1,2;, 3;0,1,3;;")).character.mesh.triangles.size(), 1u);
    const std::string t(triangle);
    EXPECT_EQ(codes_of(mesh(t + "MeshNormals { 1; 0;0;1;; 1; 3;0,0,5;; }")), "x-normals ");
    EXPECT_EQ(codes_of(mesh(t + "MeshTextureCoords { 1; 0;0;; }")), "x-texture-coordinates ");
    EXPECT_EQ(codes_of(mesh(t + "MeshMaterialList { 1; 1; 3; Material { 1;1;1;1;;0;0;0;0;;0;0;0;; } }")),
              "x-materials ");
    EXPECT_EQ(codes_of(mesh(t + "MeshMaterialList { 1; 1; 0; {Gone} }")), "x-reference ");
    EXPECT_EQ(codes_of(with("Frame F { {Gone} }")), "x-reference ");
    EXPECT_EQ(codes_of(with("Frame F { Frame F { } }")), "x-duplicate-frame ");
    EXPECT_EQ(codes_of(with("Frame F { } AnimationSet { Animation { {G} } }")), "x-unknown-frame ");
    const auto keys = [](std::string_view list) {
        return with("Frame F { } AnimationSet { Animation { {F} AnimationKey { " + std::string(list) +
                    " } } }");
    };
    EXPECT_EQ(codes_of(keys("2; 2; 5;3;1,1,1;;,0;3;0,0,0;;;")), "x-key-order ");
    EXPECT_EQ(codes_of(keys("2; 2; 0;3;1,1,1;;,0;3;0,0,0;;;")), "x-key-order ");
    EXPECT_EQ(codes_of(keys("7; 1; 0;3;1,1,1;;;")), "x-keys ");
    EXPECT_EQ(codes_of(keys("2; 2; 0;2;1,1;;,1;3;0,0,0;;;")), "x-keys ");
    EXPECT_EQ(codes_of(keys("4; 1; 0;16;1,0.5,0,0,0,1,0,0,0,0,1,0,0,0,0,1;;;")), "x-shear ");
}

TEST(X, WeightsAreRepairedByRule) {
    const auto skinned = [](std::string_view weights) {
        return with(
            "Frame A { } Frame B { FrameTransformMatrix { 1,0,0,0,0,1,0,0,0,0,1,0,0,1,2,1;; } } Mesh M {" +
            std::string(triangle) + std::string(weights) + "}");
    };
    const std::string unit = " 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1;; }",
                      at_b = " 1,0,0,0,0,1,0,0,0,0,1,0,0,-1,-2,1;; }";
    // Vertex 2 is at B and has no weight: it goes there, the nearest bone.
    const std::string text =
        skinned("SkinWeights { \"A\"; 2; 0,1; 0.5,2.0;" + unit + "SkinWeights { \"B\"; 0;" + at_b);
    const Asset asset = read_text(text);
    ASSERT_EQ(asset.character.skin.of(2).size(), 1u);
    const std::uint32_t entry = asset.character.skin.of(2)[0].joint;
    EXPECT_EQ(
        asset.character.skeleton.joints[static_cast<std::size_t>(asset.character.skin.joints[entry].joint)]
            .name,
        "B");
    EXPECT_EQ(asset.character.skin.of(0)[0].weight, 1);
    const std::string unknown = skinned("SkinWeights { \"Ghost\"; 3; 0,1,9; 1,1,1;" + at_b);
    EXPECT_HAS(codes_of(unknown), "x-unknown-bone ");
    EXPECT_HAS(codes_of(unknown), "x-weights ");
    const Asset ghost = read_text(unknown);
    const int joint = ghost.character.skeleton.find("Ghost");
    ASSERT_GE(joint, 0);
    const auto places = model::joint_positions(model::rest_world_matrices(ghost.character.skeleton));
    EXPECT_LT((places[static_cast<std::size_t>(joint)] - Vec3d(0, 1, -2)).norm(), 1e-6);
}

TEST(X, ErrorsNameTheLine) {
    EXPECT_HAS(error_of("hello"), "a.x:1: is not an .x file");
    EXPECT_HAS(error_of("xof 0303abc 0032"), "\"abc \" is not a known kind");
    EXPECT_HAS(error_of(with("")), "a.x: holds neither mesh nor frame");
    EXPECT_HAS(error_of(with("Frame F {\nMesh {\n3; 0;0;0; 1;0;oops;")),
               "a.x:4: expected a coordinate, found \"oops\"");
    EXPECT_HAS(error_of(with("Frame F {\nMesh { 999999999;")),
               "a.x:3: the number of vertices is 999999999, but only");
    EXPECT_HAS(error_of(with("Frame F {\nMesh { 1; 0;0;nan;;")),
               "a.x:3: a coordinate is not a finite number");
    EXPECT_HAS(error_of(with("Frame F {\nFrame G {\n}\n")), "found the end of the file");
    EXPECT_HAS(error_of(with("Frame F }")), "expected \"{\" after Frame, found \"}\"");
    EXPECT_HAS(error_of(with("}")), "expected an object");
    EXPECT_HAS(error_of(with("Frame F { Unknown { { }")), "a closing brace is missing");
    EXPECT_HAS(error_of(with("AnimTicksPerSecond { 0; }")), "not a rate");
    std::string deep;
    for (int i = 0; i < 100000; ++i) deep += "Frame{";
    EXPECT_HAS(error_of(with(deep)), "nested deeper");
}

TEST(X, CutAnywhereIsAnErrorOrAFile) {
    const std::string text = test::x_file();
    for (std::size_t size = 0; size < text.size(); size += 3) {
        try {
            read_text(text.substr(0, size));
        } catch (const Error& error) {
            EXPECT_TRUE(error.location().starts_with("a.x")) << error.what();
        }
    }
}

}  // namespace x_test
}  // namespace sinew::io
