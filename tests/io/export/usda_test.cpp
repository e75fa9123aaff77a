// SPDX-License-Identifier: MIT
#include "io/export/usda_parser.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/export/export_formats.h"
#include "sinew/sample/samples.h"

namespace sinew::io {
namespace usda_test {

std::string usda_of(const model::Character& character, Monitor& monitor = silent(),
                    const WriteOptions& options = {}) {
    Asset asset;
    asset.character = character;
    return write_usda(asset, "rig.usda", options, monitor);
}

/// What follows "name = " up to the end of its line.
std::string value_of(const std::string& text, const std::string& name) {
    const std::string head = name + " = ";
    const auto found = text.find(head);
    if (found == std::string::npos) return "";
    const auto begin = found + head.size();
    return text.substr(begin, text.find('\n', begin) - begin);
}

/// All numbers of a value, brackets and commas left out.
std::vector<double> numbers_in(std::string_view value) {
    std::vector<double> numbers;
    while (!value.empty()) {
        const bool starts = std::isdigit(static_cast<unsigned char>(value[0])) != 0 || value[0] == '-';
        const auto number = starts ? parse_number(value) : std::nullopt;
        if (number)
            numbers.push_back(*number);
        else
            value.remove_prefix(1);
    }
    return numbers;
}

std::vector<double> numbers_of(const std::string& text, const std::string& name) {
    return numbers_in(value_of(text, name));
}

std::vector<std::string> strings_of(const std::string& text, const std::string& name) {
    const std::string value = value_of(text, name);
    std::vector<std::string> strings;
    for (std::size_t at = value.find('"'); at != std::string::npos;) {
        const auto end = value.find('"', at + 1);
        strings.push_back(value.substr(at + 1, end - at - 1));
        at = value.find('"', end + 1);
    }
    return strings;
}

/// Numbers of the time samples of an attribute, frame by frame.
std::vector<std::vector<double>> samples_of(const std::string& text, const std::string& name) {
    std::vector<std::vector<double>> frames;
    auto at = text.find(name + ".timeSamples = ");
    if (at == std::string::npos) return frames;
    const auto end = text.find('}', at);
    for (std::size_t f = 0;; ++f) {
        const std::string head = fmt::format("{}: [", f);
        at = text.find(head, at);
        if (at == std::string::npos || at > end) return frames;
        at += head.size();
        frames.push_back(numbers_in(std::string_view(text).substr(at, text.find('\n', at) - at)));
    }
}

math::Mat4d matrix_at(const std::vector<double>& numbers, std::size_t i) {
    math::Mat4d m;
    for (Eigen::Index k = 0; k < 16; ++k) m(k % 4, k / 4) = numbers[16 * i + static_cast<std::size_t>(k)];
    return m;
}

TEST(Usda, MeshAndWeightsComeBackExactly) {
    const model::Character from = sample::make("tube");
    const std::string text = usda_of(from);
    EXPECT_TRUE(text.starts_with("#usda 1.0\n"));
    EXPECT_EQ(value_of(text, "defaultPrim"), "\"tube\"");
    const auto points = numbers_of(text, "point3f[] points");
    ASSERT_EQ(points.size(), 3 * from.mesh.positions.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        EXPECT_EQ(static_cast<float>(points[i]),
                  from.mesh.positions[i / 3][static_cast<Eigen::Index>(i % 3)]);
    const auto corners = numbers_of(text, "int[] faceVertexIndices");
    ASSERT_EQ(corners.size(), 3 * from.mesh.triangles.size());
    for (std::size_t i = 0; i < corners.size(); ++i) EXPECT_EQ(corners[i], from.mesh.triangles[i / 3][i % 3]);
    EXPECT_EQ(numbers_of(text, "int[] faceVertexCounts"), std::vector<double>(from.mesh.triangles.size(), 3));
    const auto size = static_cast<std::size_t>(numbers_of(text, "elementSize")[0]);
    const auto joints = numbers_of(text, "int[] primvars:skel:jointIndices");
    const auto weights = numbers_of(text, "float[] primvars:skel:jointWeights");
    ASSERT_EQ(joints.size(), size * from.skin.vertex_count());
    ASSERT_EQ(weights.size(), joints.size());
    for (std::size_t v = 0; v < from.skin.vertex_count(); ++v) {
        const auto row = from.skin.of(v);
        for (std::size_t k = 0; k < size; ++k) {
            const bool used = k < row.size();
            EXPECT_EQ(static_cast<float>(weights[v * size + k]), used ? row[k].weight : 0);
            EXPECT_EQ(joints[v * size + k], used ? from.skin.joints[row[k].joint].joint : 0);
        }
    }
    EXPECT_EQ(value_of(text, "rel skel:skeleton"), "</tube/Skeleton>");
    EXPECT_EQ(value_of(text, "uniform token subdivisionScheme"), "\"none\"");
}

TEST(Usda, TheSkeletonHasPathsBindAndRestTransforms) {
    const model::Character from = sample::make("tube");
    const std::string text = usda_of(from);
    const auto paths = strings_of(text, "uniform token[] joints");
    ASSERT_EQ(paths.size(), from.skeleton.size());
    EXPECT_EQ(paths[0], from.skeleton.joints[0].name);
    EXPECT_EQ(paths[1], from.skeleton.joints[0].name + "/" + from.skeleton.joints[1].name);
    const auto bind = numbers_of(text, "uniform matrix4d[] bindTransforms"),
               rest = numbers_of(text, "uniform matrix4d[] restTransforms");
    ASSERT_EQ(bind.size(), 16 * from.skeleton.size());
    ASSERT_EQ(rest.size(), bind.size());
    const auto world = model::rest_world_matrices(from.skeleton);
    for (std::size_t j = 0; j < from.skeleton.size(); ++j) {
        EXPECT_EQ(matrix_at(bind, j), world[j]);
        EXPECT_EQ(matrix_at(rest, j), from.skeleton.joints[j].rest.matrix());
    }
}

TEST(Usda, TheFirstClipIsSampled) {
    const model::Character from = sample::make("tube");
    ASSERT_FALSE(from.clips.empty());
    const model::Clip& clip = from.clips.front();
    const std::string text = usda_of(from);
    const auto rotations = samples_of(text, "quatf[] rotations"),
               places = samples_of(text, "float3[] translations"),
               scales = samples_of(text, "half3[] scales");
    ASSERT_EQ(rotations.size(), model::frame_count(clip));
    ASSERT_EQ(places.size(), rotations.size());
    ASSERT_EQ(scales.size(), rotations.size());
    EXPECT_EQ(numbers_of(text, "endTimeCode")[0], static_cast<double>(rotations.size() - 1));
    EXPECT_EQ(numbers_of(text, "timeCodesPerSecond")[0], model::frame_rate(clip));
    for (const std::size_t f : {std::size_t{0}, rotations.size() / 2, rotations.size() - 1}) {
        const auto pose = model::sample(clip, from.skeleton, model::frame_time(clip, f));
        ASSERT_EQ(rotations[f].size(), 4 * pose.size());
        for (std::size_t j = 0; j < pose.size(); ++j) {
            const math::Quatd q(rotations[f][4 * j], rotations[f][4 * j + 1], rotations[f][4 * j + 2],
                                rotations[f][4 * j + 3]);
            EXPECT_NEAR(std::abs(q.dot(pose[j].rotation)), 1, 1e-6);
            EXPECT_NEAR(places[f][3 * j + 1], pose[j].translation.y(), 1e-6);
        }
    }
    WriteOptions slow;
    slow.rate = model::frame_rate(clip) / 2;
    const auto fewer = samples_of(usda_of(from, silent(), slow), "quatf[] rotations");
    EXPECT_NEAR(static_cast<double>(fewer.size()), static_cast<double>(rotations.size()) / 2, 1);
}

TEST(Usda, NeighbouringRotationsLieOnOneSide) {
    const std::string text = usda_of(sample::make("man"));
    const auto rotations = samples_of(text, "quatf[] rotations");
    ASSERT_GT(rotations.size(), 10u);
    for (std::size_t f = 1; f < rotations.size(); ++f) {
        for (std::size_t j = 0; j < rotations[f].size(); j += 4) {
            double dot = 0;
            for (std::size_t k = 0; k < 4; ++k) dot += rotations[f][j + k] * rotations[f - 1][j + k];
            ASSERT_GT(dot, 0) << "frame " << f << ", joint " << j / 4;
        }
    }
}

TEST(Usda, AParserReadsItBackAndItsSkinMovesAlike) {
    const model::Character from = sample::make("tube");
    const UsdPrim layer = UsdParser(usda_of(from)).parse();
    EXPECT_EQ(layer.metadata.at("upAxis").strings, std::vector<std::string>{"Y"});
    ASSERT_EQ(layer.children.size(), 1u);
    const UsdPrim& root = layer.children[0];
    EXPECT_EQ(root.type, "SkelRoot");
    EXPECT_EQ(layer.metadata.at("defaultPrim").strings[0], root.name);
    const UsdPrim &skeleton = root.child("Skeleton"), &mesh = root.child("Mesh"),
                  &animation = skeleton.child("SkelAnimation");
    for (const UsdPrim* bound : {&root, &skeleton, &mesh})
        EXPECT_EQ(bound->metadata.at("apiSchemas").strings[0], "SkelBindingAPI") << bound->name;
    const auto value = [](const UsdPrim& prim, const char* name) -> const UsdValue& {
        return prim.properties.at(name).value;
    };
    EXPECT_EQ(value(mesh, "skel:skeleton").strings[0], "/" + root.name + "/" + skeleton.name);
    EXPECT_EQ(value(skeleton, "skel:animationSource").strings[0],
              "/" + root.name + "/" + skeleton.name + "/" + animation.name);
    const std::vector<std::string>& paths = value(skeleton, "joints").strings;
    EXPECT_EQ(value(animation, "joints").strings, paths);
    const UsdProperty &indices = mesh.properties.at("primvars:skel:jointIndices"),
                      &weights = mesh.properties.at("primvars:skel:jointWeights");
    const auto size = static_cast<std::size_t>(indices.metadata.at("elementSize").numbers[0]);
    const std::vector<double>& points = value(mesh, "points").numbers;
    ASSERT_EQ(indices.value.items, size * points.size() / 3);
    ASSERT_EQ(weights.value.items, indices.value.items);

    // Linear blend skinning by the words of UsdSkel alone.
    const std::size_t frame = 40;
    const std::vector<double>&turns = animation.properties.at("rotations").samples.at(frame).numbers,
          &moves = animation.properties.at("translations").samples.at(frame).numbers,
          &scales = animation.properties.at("scales").samples.at(frame).numbers;
    std::vector<math::Mat4d> world, palette;
    for (std::size_t j = 0; j < paths.size(); ++j) {
        math::Transform local;
        local.rotation = math::Quatd(turns[4 * j], turns[4 * j + 1], turns[4 * j + 2], turns[4 * j + 3]);
        local.translation = math::Vec3d(moves[3 * j], moves[3 * j + 1], moves[3 * j + 2]);
        local.scale = math::Vec3d(scales[3 * j], scales[3 * j + 1], scales[3 * j + 2]);
        const std::size_t slash = paths[j].rfind('/');
        const auto parent = slash == std::string::npos
                                ? paths.end()
                                : std::find(paths.begin(), paths.end(), paths[j].substr(0, slash));
        ASSERT_EQ(parent == paths.end(), slash == std::string::npos) << paths[j];
        world.push_back(
            parent == paths.end()
                ? local.matrix()
                : math::Mat4d(world[static_cast<std::size_t>(parent - paths.begin())] * local.matrix()));
        palette.push_back(world[j] * matrix_at(value(skeleton, "bindTransforms").numbers, j).inverse());
    }
    const model::Clip& clip = from.clips.front();
    const auto pose = model::sample(clip, from.skeleton, model::frame_time(clip, frame));
    const auto expected = model::palette(from.skin, model::world_matrices(from.skeleton, pose));
    double moved = 0;
    for (std::size_t v = 0; v < from.skin.vertex_count(); ++v) {
        const math::Vec3d rest(points[3 * v], points[3 * v + 1], points[3 * v + 2]);
        math::Vec3d ours = math::Vec3d::Zero(), theirs = math::Vec3d::Zero();
        for (const model::Influence& i : from.skin.of(v))
            ours += static_cast<double>(i.weight) * math::transform_point(expected[i.joint], rest);
        for (std::size_t k = v * size; k < (v + 1) * size; ++k)
            theirs +=
                weights.value.numbers[k] *
                math::transform_point(palette[static_cast<std::size_t>(indices.value.numbers[k])], rest);
        EXPECT_LT((ours - theirs).norm(), 1e-5) << v;
        moved = std::max(moved, (ours - rest).norm());
    }
    EXPECT_GT(moved, 0.1);
}

TEST(Usda, TheParserWantsValuesOnTheirLine) {
    EXPECT_THROW(
        UsdParser("#usda 1.0\ndef Mesh \"a\"\n{\n    float3[] p.timeSamples = \n    {\n    }\n}\n").parse(),
        std::runtime_error);
    EXPECT_NO_THROW(UsdParser(usda_of(sample::make("man"))).parse());
}

TEST(Usda, NamesBecomeDifferentIdentifiers) {
    EXPECT_EQ(usd_identifier("mixamorig:Hips"), "mixamorig_Hips");
    EXPECT_EQ(usd_identifier("3rd"), "_3rd");
    EXPECT_EQ(usd_identifier(""), "_");
    model::Skeleton skeleton;
    skeleton.joints = {{"a b", -1, {}}, {"x.y", 0, {}}, {"x y", 0, {}}, {"\"q\"\\", 2, {}}};
    EXPECT_EQ(usd_joint_paths(skeleton),
              (std::vector<std::string>{"a_b", "a_b/x_y", "a_b/x_y_2", "a_b/x_y_2/_q__"}));
    model::Character character;
    character.skeleton = skeleton;
    character.name = "no \"quotes\"";
    const std::string text = usda_of(character);
    EXPECT_EQ(value_of(text, "defaultPrim"), "\"no__quotes_\"");
    EXPECT_NE(text.find(R"("\"q\"\\"])"), std::string::npos) << "the true names are kept beside";
}

TEST(Usda, ABareMeshHasNoSkeleton) {
    model::Character character;
    character.mesh = test::cube();
    const std::string text = usda_of(character);
    EXPECT_EQ(text.find("Skel"), std::string::npos);
    EXPECT_NE(text.find("def Xform \"rig\""), std::string::npos);
    EXPECT_EQ(numbers_of(text, "float3[] extent"), (std::vector<double>{-0.5, -0.5, -0.5, 0.5, 0.5, 0.5}));
    EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'));
    EXPECT_THROW(usda_of({}), Error);
}

TEST(Usda, WhatIsLeftOutIsSaid) {
    Collector warnings;
    model::Character character = sample::make("man");
    ASSERT_GT(character.clips.size(), 1u);
    usda_of(character, warnings);
    EXPECT_TRUE(warnings.has("usda-one-clip"));
    EXPECT_FALSE(warnings.has("lost-colors")) << "they become displayColor";
}

}  // namespace usda_test
}  // namespace sinew::io
