// SPDX-License-Identifier: MIT
#include <cstring>
#include <functional>
#include <map>
#include <numbers>

#include "support/data.h"
#include "support/samples.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/io/export/export_formats.h"
#include "sinew/io/interchange.h"
#include "sinew/io/scene/scene_formats.h"

namespace sinew::io {
namespace {

using math::Vec3d;
using model::Character;

std::string written(const Character& character, Monitor& monitor = silent()) {
    Asset asset;
    asset.character = character;
    return encode(asset, "a.fbx", {}, monitor);
}

/// Counts the nodes of a file by name, and checks that every offset leads where it says.
std::map<std::string, int> nodes_of(const std::string& file) {
    std::map<std::string, int> counts;
    const auto number = [&](std::size_t at) {
        std::uint32_t value = 0;
        std::memcpy(&value, file.data() + at, 4);
        return value;
    };
    const std::function<std::size_t(std::size_t)> read = [&](std::size_t at) -> std::size_t {
        const std::size_t end = number(at), properties = number(at + 8),
                          name = static_cast<unsigned char>(file[at + 12]);
        if (end == 0) return 0;
        ++counts[file.substr(at + 13, name)];
        std::size_t next = at + 13 + name + properties;
        while (next < end) {
            const std::size_t after = read(next);
            if (after == 0) {  // the empty node behind the last child
                EXPECT_EQ(next + 13, end);
                break;
            }
            EXPECT_LE(after, end);
            next = after;
        }
        return end;
    };
    for (std::size_t at = 27; at != 0;) at = read(at);
    return counts;
}

TEST(Fbx, IsATreeOfNodesInCentimetres) {
    const Character man = test::sample("man");
    const std::string file = written(man);
    EXPECT_EQ(file.substr(0, 23), std::string("Kaydara FBX Binary  \0\x1a\0", 23));
    EXPECT_EQ(file.substr(23, 4), std::string("\xe8\x1c\0\0", 4)) << "7400";
    std::map<std::string, int> nodes = nodes_of(file);
    std::size_t tips = 0;
    for (const model::Joint& joint : man.skeleton.joints) tips += joint.tip.has_value();
    EXPECT_EQ(nodes["Model"], static_cast<int>(man.skeleton.size() + tips + 1));
    EXPECT_EQ(nodes["Geometry"], 1);
    EXPECT_EQ(nodes["AnimationStack"], static_cast<int>(man.clips.size()));
    EXPECT_EQ(nodes["PoseNode"], static_cast<int>(man.skeleton.size() + 1));
    EXPECT_NE(file.find("UnitScaleFactor"), std::string::npos);
    EXPECT_EQ(file, written(man)) << "the same bytes every time";
}

TEST(Fbx, WithoutAMeshItIsAMotionAndWithNothingAnError) {
    Character man = test::sample("man");
    man.mesh = {};
    man.skin = {};
    EXPECT_EQ(nodes_of(written(man))["Geometry"], 0);
    EXPECT_THROW(written({}), Error);
}

std::vector<Vec3d> skinned(const Character& c, const model::Clip* clip, double time) {
    const auto palette = model::palette(c.skin, model::world_matrices(c, clip, time));
    std::vector<Vec3d> points;
    for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v) {
        Vec3d sum = Vec3d::Zero();
        for (const model::Influence& i : c.skin.of(v))
            sum += static_cast<double>(i.weight) *
                   math::transform_point(palette[i.joint], c.mesh.positions[v].cast<double>());
        points.push_back(sum);
    }
    return points;
}

/// Skins that differ at most by 1e-4 of their size at ten times. Corners are compared triangle by triangle:
/// the order of vertices is the importer's.
void expect_same_skin(const Character& one, const Character& other) {
    ASSERT_EQ(one.mesh.triangles.size(), other.mesh.triangles.size());
    const double duration = model::time_range(one.clips[0]).duration();
    for (int k = 0; k < 10; ++k) {
        const double time = duration * k / 9;
        const auto a = skinned(one, &one.clips[0], time), b = skinned(other, &other.clips[0], time);
        double worst = 0;
        for (std::size_t t = 0; t < one.mesh.triangles.size(); ++t)
            for (std::size_t c = 0; c < 3; ++c)
                worst = std::max(worst, (a[one.mesh.triangles[t][c]] - b[other.mesh.triangles[t][c]]).norm());
        EXPECT_LT(worst, 1e-4 * geometry::bounds(one.mesh.positions).diagonal()) << time;
    }
}

TEST(Fbx, TheImporterReadsTheSameCharacter) {
    if (find_importer().empty()) GTEST_SKIP() << "sinew-import was not built: assimp is not installed";
    Character man = test::sample("man");
    man.clips.resize(1);
    const Character back = decode(as_bytes(written(man)), "man.fbx").character;
    for (const model::Joint& joint : man.skeleton.joints)
        EXPECT_GE(back.skeleton.find(joint.name), 0) << joint.name;
    ASSERT_EQ(back.skeleton.size(), man.skeleton.size()) << "ends are tips again";
    for (const model::Joint& joint : man.skeleton.joints)
        EXPECT_EQ(
            back.skeleton.joints[static_cast<std::size_t>(back.skeleton.find(joint.name))].tip.has_value(),
            joint.tip.has_value());
    ASSERT_EQ(back.clips.size(), 1u);
    EXPECT_EQ(back.clips[0].name, man.clips[0].name);
    EXPECT_NEAR(model::frame_rate(back.clips[0]), model::frame_rate(man.clips[0]), 1e-3);
    EXPECT_EQ(back.mesh.triangles.size(), man.mesh.triangles.size());
    const double size = geometry::bounds(man.mesh.positions).diagonal();
    EXPECT_NEAR(geometry::bounds(back.mesh.positions).diagonal(), size, 1e-3) << "metres";
    expect_same_skin(man, back);
}

/// Bones of other programs have no scale at rest, and objects are looked for by their names.
TEST(Fbx, KeptScalesBecomeLengthsAndNoMeshHasTheNameOfAJoint) {
    Character man = test::sample("man");
    man.clips.resize(1);
    Character scaled = man;
    scaled.skeleton.joints[0].rest.scale = Vec3d::Constant(100);
    for (std::size_t j = 1; j < scaled.skeleton.size(); ++j)
        scaled.skeleton.joints[j].rest.translation /= 100;
    for (model::Track& track : scaled.clips[0].tracks)
        if (track.joint != 0)
            for (model::Vec3f& value : track.translation.values) value /= 100.0f;
    math::Mat4d smaller = math::Mat4d::Identity();
    smaller.topLeftCorner<3, 3>() /= 100;
    for (model::SkinJoint& entry : scaled.skin.joints) entry.inverse_bind = smaller * entry.inverse_bind;
    const auto triangles = static_cast<std::uint32_t>(scaled.mesh.triangles.size());
    scaled.mesh.parts = {{scaled.skeleton.joints[0].name, 0, triangles, -1}};
    const std::string file = written(scaled);
    EXPECT_NE(file.find(scaled.skeleton.joints[0].name + "_mesh"), std::string::npos);
    if (find_importer().empty()) GTEST_SKIP() << "sinew-import was not built: assimp is not installed";
    const Character back = decode(as_bytes(file), "man.fbx").character;
    for (const model::Joint& joint : back.skeleton.joints)
        EXPECT_TRUE(joint.rest.scale.isApproxToConstant(1, 1e-4)) << joint.name << joint.rest.scale;
    expect_same_skin(man, back);
}

TEST(Fbx, MorphsAndTheirWeightsComeBack) {
    if (find_importer().empty()) GTEST_SKIP() << "sinew-import was not built: assimp is not installed";
    Character tube = test::sample("tube");
    tube.clips.resize(1);
    for (const char* const name : {"fat", "tall"}) {
        geometry::Morph& morph = tube.mesh.morphs.emplace_back();
        morph.name = name;
        for (const math::Vec3f& p : tube.mesh.positions)
            morph.positions.push_back(name[0] == 'f' ? math::Vec3f(p.x(), 0, p.z())
                                                     : math::Vec3f(0, p.y(), 0));
    }
    tube.clips[0].morph_tracks = {{1, {model::KeyTimes::even(0, 0.5, 3), {0, 0.75f, 0.25f}}}};
    const Character back = decode(as_bytes(written(tube)), "tube.fbx").character;
    ASSERT_EQ(back.mesh.morphs.size(), 2u);
    EXPECT_EQ(back.mesh.morphs[1].name, "tall");
    EXPECT_EQ(back.mesh.morphs[1].positions.size(), back.mesh.vertex_count());
    for (std::size_t v = 0; v < back.mesh.vertex_count(); ++v) {
        const math::Vec3f& p = back.mesh.positions[v];
        ASSERT_LT((back.mesh.morphs[0].positions[v] - math::Vec3f(p.x(), 0, p.z())).norm(), 1e-4f);
    }
    ASSERT_EQ(back.clips.size(), 1u);
    std::vector<float> weights(2, 0);
    model::sample_morphs(back.clips[0], 0.5, weights);
    EXPECT_NEAR(weights[1], 0.75f, 1e-3f);
    EXPECT_NEAR(weights[0], 0, 1e-3f);
}

TEST(Fbx, ContainersAreNoJoints) {
    // RootNode > Armature (as Blender writes it: a hundred times as large, lying) > Hips > Spine, and the
    // mesh.
    NodeScene scene;
    math::Mat4d armature = math::Mat4d::Identity();
    armature.topLeftCorner<3, 3>() =
        100 * Eigen::AngleAxisd(-std::numbers::pi / 2, Vec3d::UnitX()).toRotationMatrix();
    math::Mat4d up = math::Mat4d::Identity();
    up(2, 3) = 0.01;
    scene.nodes = {{"RootNode", -1, math::Mat4d::Identity()},
                   {"Armature", 0, armature},
                   {"Hips", 1, up},
                   {"Spine", 2, up},
                   {"Body", 1, math::Mat4d::Identity()}};
    SceneMesh& mesh = scene.meshes.emplace_back();
    mesh.mesh.positions = {{0, 0, 0}, {0.01f, 0, 0}, {0, 0, 0.02f}};
    mesh.mesh.triangles = {{0, 1, 2}};
    mesh.node = 4;
    mesh.bones = {{2, math::inverse_affine(up), {{0, 1}, {1, 1}}},
                  {3, math::inverse_affine(math::Mat4d(up * up)), {{2, 1}}}};
    model::Clip clip;
    clip.tracks.resize(2);
    clip.tracks[0].joint = 1;  // exporters key what does not move
    clip.tracks[0].scale = {model::KeyTimes::even(0, 1, 2), {{100, 100, 100}, {100, 100, 100}}};
    clip.tracks[1].joint = 2;
    clip.tracks[1].translation = {model::KeyTimes::even(0, 1, 2), {{0, 0, 0.01f}, {0.03f, 0, 0.01f}}};
    scene.clips = {clip};
    for (const bool fold : {true, false}) {
        scene.fold_containers = fold;
        const Character character = assemble(scene, "test", silent());
        EXPECT_EQ(character.skeleton.size(), fold ? 2u : 4u);
        const auto world = model::world_matrices(character, &character.clips[0], 1);
        const auto spine = static_cast<std::size_t>(character.skeleton.find("Spine"));
        EXPECT_LT((world[spine].topRightCorner<3, 1>() - Vec3d(3, 2, 0)).norm(), 1e-5);
        EXPECT_LT((skinned(character, nullptr, 0)[2] - Vec3d(0, 2, 0)).norm(), 1e-5);
        EXPECT_LT((skinned(character, &character.clips[0], 1)[2] - Vec3d(3, 2, 0)).norm(), 1e-5);
    }
}

TEST(Fbx, MeshesBelowABoneGoWithItAndAreNoJoints) {
    // Hips > Spine > Armour, a mesh without bones that is turned and placed on the spine.
    math::Mat4d up = math::Mat4d::Identity(), placed = math::Mat4d::Identity();
    up(1, 3) = 1;
    placed.topLeftCorner<3, 3>() = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3d::UnitZ()).toRotationMatrix();
    placed(0, 3) = 2;
    NodeScene scene;
    scene.fold_containers = true;
    scene.nodes = {{"Hips", -1, up}, {"Spine", 0, up}, {"Armour", 1, placed}};
    SceneMesh skinned_mesh, armour;
    skinned_mesh.mesh.positions = armour.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    skinned_mesh.mesh.triangles = armour.mesh.triangles = {{0, 1, 2}};
    skinned_mesh.bones = {{0, math::inverse_affine(up), {{0, 1}, {1, 1}}},
                          {1, math::inverse_affine(math::Mat4d(up * up)), {{2, 1}}}};
    armour.node = 2;
    scene.meshes = {skinned_mesh, armour};
    model::Clip clip;
    clip.tracks.resize(1);
    clip.tracks[0].joint = 1;
    clip.tracks[0].translation = {model::KeyTimes::even(0, 1, 2), {{0, 1, 0}, {0, 1, 5}}};
    scene.clips = {clip};
    const Character character = assemble(scene, "test", silent());
    ASSERT_EQ(character.skeleton.size(), 2u);
    EXPECT_LT((skinned(character, nullptr, 0)[4] - Vec3d(2, 3, 0)).norm(), 1e-5);
    EXPECT_LT((skinned(character, &character.clips[0], 1)[4] - Vec3d(2, 3, 5)).norm(), 1e-5);
}

}  // namespace
}  // namespace sinew::io
