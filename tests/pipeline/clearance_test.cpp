// SPDX-License-Identifier: MIT
// Limbs stay out of the body and above the floor.
#include <gtest/gtest.h>

#include "sinew/collide/query.h"
#include "sinew/deform/deformer.h"
#include "sinew/pipeline/motion.h"
#include "sinew/sample/samples.h"

namespace sinew::pipeline {
namespace clearance_test {

using math::Vec3f;
using model::Character;

/// The man who walks, and his motion as that of a smaller person, so that it is retargeted.
struct Walk {
    Character man = sample::make("man");
    Motion motion;

    Walk() {
        motion.character.skeleton = man.skeleton;
        for (model::Joint& joint : motion.character.skeleton.joints) joint.rest.translation *= 0.9;
        motion.character.clips = {*model::find_clip(man, "walk")};
        for (model::Track& track : motion.character.clips[0].tracks)
            for (Vec3f& place : track.translation.values) place *= 0.9f;
        motion.measured.assign(man.skeleton.size(), true);
    }
};

bool moves(const Character& character, std::size_t vertex, std::string_view part) {
    float share = 0;
    for (const model::Influence& influence : character.skin.of(vertex)) {
        const int joint = character.skin.joints[influence.joint].joint;
        if (character.skeleton.joints[static_cast<std::size_t>(joint)].name.find(part) != std::string::npos)
            share += influence.weight;
    }
    return share > 0.5f;
}

/// Contacts of the skin with itself beyond those at rest, over a clip.
std::size_t contacts_of(const Character& character, const model::Clip& clip) {
    const collide::SphereTree tree = collide::build_tree(character);
    collide::Body body(tree);
    collide::QueryScratch scratch;
    std::vector<collide::Contact> contacts;
    deform::Deformer deformer(character, {.method = deform::Method::lbs, .normals = false});
    const auto count = [&](const model::Clip* of, double time) {
        deformer.at(of, time);
        body.set_pose(deformer.palette());
        collide::find_self_contacts(body, contacts, scratch);
        return contacts.size();
    };
    const std::size_t rest = count(nullptr, 0);
    const model::TimeRange range = model::time_range(clip);
    std::size_t sum = 0;
    for (int i = 0; i < 10; ++i) {
        const std::size_t now = count(&clip, range.start + range.duration() * i / 9);
        sum += now > rest ? now - rest : 0;
    }
    return sum;
}

TEST(Clearance, ArmsStayOutOfAFatBelly) {
    Walk walk;
    for (std::size_t v = 0; v < walk.man.mesh.vertex_count(); ++v) {
        Vec3f& p = walk.man.mesh.positions[v];
        const bool belly = moves(walk.man, v, "Hips") || moves(walk.man, v, "Spine");
        if (belly) p.x() *= 2.2f;
    }
    AnimateOptions options;
    options.arm_space = 0.0;
    const AnimateResult inside = animate(walk.man, walk.motion, options);
    const AnimateResult outside = animate(walk.man, walk.motion);
    EXPECT_EQ(inside.space.arms[0], 0);
    for (const double angle : outside.space.arms) {
        EXPECT_GT(math::degrees(angle), 5);
        EXPECT_LE(math::degrees(angle), 60.001);
    }
    const std::size_t before = contacts_of(inside.character, inside.character.clips[0]),
                      after = contacts_of(outside.character, outside.character.clips[0]);
    EXPECT_GT(before, 100u);
    EXPECT_LT(after, before / 4);
}

TEST(Clearance, ASlimBodyKeepsItsArms) {
    const Walk walk;
    const AnimateResult made = animate(walk.man, walk.motion);
    for (const double angle : made.space.arms) EXPECT_LT(math::degrees(angle), 8);
    EXPECT_EQ(made.space.elbows[0], 0);
    EXPECT_LT(made.space.step_width, 0.07);
}

TEST(Clearance, AGivenSpaceTurnsBothArmsOutwards) {
    const Walk walk;
    AnimateOptions options;
    options.arm_space = 0.0;
    const AnimateResult before = animate(walk.man, walk.motion, options);
    options.arm_space = math::radians(20);
    const AnimateResult after = animate(walk.man, walk.motion, options);
    EXPECT_NEAR(after.space.arms[0], math::radians(20), 1e-9);
    const auto hand = [&](const AnimateResult& made, const char* name) {
        const model::Clip& clip = made.character.clips[0];
        const auto world =
            model::world_matrices(made.character.skeleton, model::sample(clip, made.character.skeleton, 0.5));
        return math::Vec3d(
            world[static_cast<std::size_t>(made.character.skeleton.find(name))].topRightCorner<3, 1>());
    };
    EXPECT_GT(hand(after, "LeftHand").x(), hand(before, "LeftHand").x() + 0.1);
    EXPECT_LT(hand(after, "RightHand").x(), hand(before, "RightHand").x() - 0.1);
}

TEST(Clearance, ASwordStaysAboveTheFloor) {
    Walk walk;
    geometry::Mesh& mesh = walk.man.mesh;
    const int hand = walk.man.skeleton.find("RightHand");
    const auto entry =
        static_cast<std::uint32_t>(std::ranges::find(walk.man.skin.joints, hand, &model::SkinJoint::joint) -
                                   walk.man.skin.joints.begin());
    const math::Vec3d grip =
        model::joint_positions(model::rest_world_matrices(walk.man.skeleton))[static_cast<std::size_t>(hand)];
    // On along the arm of the T-pose, longer than the way to the floor.
    const auto first = static_cast<std::uint32_t>(mesh.vertex_count());
    for (const math::Vec3d& offset :
         {math::Vec3d(-0.05, 0, 0), math::Vec3d(-0.05, 0.03, 0), math::Vec3d(-1.05, 0, 0)}) {
        mesh.positions.push_back((grip + offset).cast<float>());
        if (!mesh.normals.empty()) mesh.normals.emplace_back(0, 0, 1);
        walk.man.skin.push_vertex(std::array{model::Influence{entry, 1.f}});
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
    for (auto& uvs : mesh.uvs)
        if (!uvs.empty()) uvs.resize(mesh.vertex_count());
    if (!mesh.colors.empty()) mesh.colors.resize(mesh.vertex_count());
    if (!mesh.tangents.empty()) mesh.tangents.resize(mesh.vertex_count());
    if (!mesh.parts.empty()) mesh.parts.back().count += 1;
    const auto lowest = [&](const AnimateResult& made) {
        deform::Deformer deformer(made.character, {.method = deform::Method::lbs, .normals = false});
        float low = 1;
        for (double time = 0; time < 1; time += 0.05)
            low = std::min(low, deformer.at(&made.character.clips[0], time).positions[first + 2].y());
        return low;
    };
    AnimateOptions options;
    options.arm_space = 0.0;
    EXPECT_LT(lowest(animate(walk.man, walk.motion, options)), -0.05f);
    const AnimateResult made = animate(walk.man, walk.motion);
    EXPECT_GT(lowest(made), -0.03f);
    EXPECT_EQ(made.space.elbows[0], 0) << "the empty hand hangs as it did";
    EXPECT_GT(math::degrees(made.space.elbows[1]), 5);
}

TEST(Clearance, AMotionOfTheBodyItselfIsLeftAlone) {
    Walk walk;
    Motion own;
    own.character.skeleton = walk.man.skeleton;
    own.character.clips = {*model::find_clip(walk.man, "walk")};
    own.measured.assign(walk.man.skeleton.size(), true);
    const AnimateResult made = animate(walk.man, own);
    ASSERT_EQ(made.character.clips[0].tracks.size(), own.character.clips[0].tracks.size());
    for (std::size_t i = 0; i < made.character.clips[0].tracks.size(); ++i) {
        const auto &a = made.character.clips[0].tracks[i].rotation.values,
                   &b = own.character.clips[0].tracks[i].rotation.values;
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t k = 0; k < a.size(); ++k) EXPECT_EQ(a[k].coeffs(), b[k].coeffs());
    }
}

}  // namespace clearance_test
}  // namespace sinew::pipeline
