// SPDX-License-Identifier: MIT
// Edits of whole characters: the skin at rest stays, the motion follows.

#include "support/samples.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/rig/edit.h"

namespace sinew::rig {
namespace character_edit_test {

const model::Character& man() {
    static const model::Character character = test::sample("man");
    return character;
}

int joint(const model::Character& character, const std::string& name) {
    return joint_named(character.skeleton, name);
}

std::string parent_of(const model::Character& character, const std::string& name) {
    const int parent = character.skeleton.joints[static_cast<std::size_t>(joint(character, name))].parent;
    return parent < 0 ? "" : character.skeleton.joints[static_cast<std::size_t>(parent)].name;
}

Vec3d position(const model::Character& character, const std::string& name) {
    return model::joint_positions(
        model::rest_world_matrices(character.skeleton))[static_cast<std::size_t>(joint(character, name))];
}

/// The skin by plain sums, at rest or in a clip.
std::vector<Vec3d> skinned(const model::Character& character, const model::Clip* clip, double time) {
    const auto palette = model::palette(character.skin, model::world_matrices(character, clip, time));
    std::vector<Vec3d> points;
    for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
        const Vec3d rest = character.mesh.positions[v].cast<double>();
        Vec3d sum = Vec3d::Zero();
        for (const model::Influence& i : character.skin.of(v))
            sum += static_cast<double>(i.weight) * math::transform_point(palette[i.joint], rest);
        points.push_back(sum);
    }
    return points;
}

double largest(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    double max = 0;
    for (std::size_t v = 0; v < a.size(); ++v) max = std::max(max, (a[v] - b[v]).norm());
    return max;
}

void expect_same_at_rest(const model::Character& edited) {
    EXPECT_NO_THROW(model::validate(edited, "edited"));
    EXPECT_LT(largest(skinned(man(), nullptr, 0), skinned(edited, nullptr, 0)), 1e-5);
}

void expect_same_motion(const model::Character& edited) {
    for (const double time : {0.0, 0.31, 0.77})
        EXPECT_LT(largest(skinned(man(), &man().clips[0], time), skinned(edited, &edited.clips[0], time)),
                  2e-3)
            << time;
}

double weight_on(const model::Character& character, const std::string& name) {
    double sum = 0;
    const int wanted = joint(character, name);
    for (const model::Influence& i : character.skin.influences)
        if (character.skin.joints[i.joint].joint == wanted) sum += static_cast<double>(i.weight);
    return sum;
}

TEST(CharacterEdit, NamesParentsAndRootChangeNothingThatIsSeen) {
    model::Character edited = rename_joint(man(), joint(man(), "LeftHand"), "Paw");
    edited = reparent_joint(edited, joint(edited, "Paw"), joint(edited, "Hips"));
    edited = reroot(edited, joint(edited, "Spine"));
    EXPECT_EQ(parent_of(edited, "Paw"), "Hips");
    EXPECT_EQ(parent_of(edited, "Hips"), "Spine");
    EXPECT_EQ(parent_of(edited, "Spine"), "");
    expect_same_at_rest(edited);
    expect_same_motion(edited);
}

TEST(CharacterEdit, InsertedAndSplitBonesMoveAsBefore) {
    const int hand = joint(man(), "LeftHand");
    const model::Character inserted = insert_joint(man(), hand, 0.25, "Twist");
    const Vec3d expected = 0.75 * position(man(), "LeftLowerArm") + 0.25 * position(man(), "LeftHand");
    EXPECT_LT((position(inserted, "Twist") - expected).norm(), 1e-9);
    expect_same_at_rest(inserted);
    expect_same_motion(inserted);
    const model::Character split = split_joint(man(), joint(man(), "RightLowerArm"), 0.5);
    EXPECT_EQ(parent_of(split, "RightHand"), "RightLowerArm_2");
    const double upper = weight_on(split, "RightLowerArm"), lower = weight_on(split, "RightLowerArm_2");
    EXPECT_NEAR(upper + lower, weight_on(man(), "RightLowerArm"), 1e-2);
    EXPECT_GT(std::min(upper, lower), 0.1 * (upper + lower));
    expect_same_at_rest(split);
    expect_same_motion(split);
    EXPECT_THROW(split_joint(man(), joint(man(), "Hips")), Error) << "three bones";
}

TEST(CharacterEdit, WeightsOfWhatIsGoneGoToTheHeir) {
    const model::Character fewer = delete_joint(man(), joint(man(), "RightHand"));
    EXPECT_NEAR(weight_on(fewer, "RightLowerArm"),
                weight_on(man(), "RightLowerArm") + weight_on(man(), "RightHand"), 1e-2);
    expect_same_at_rest(fewer);
    const model::Character merged =
        merge_joints(man(), joint(man(), "LeftLowerArm"), joint(man(), "LeftHand"));
    EXPECT_EQ(parent_of(merged, "LeftHand"), "LeftUpperArm");
    expect_same_at_rest(merged);
}

TEST(CharacterEdit, FramesTurnAndTheMotionStays) {
    for (const JointFrames frames : {JointFrames::bone, JointFrames::world}) {
        const model::Character turned = orient_joints(man(), frames);
        EXPECT_LT((position(turned, "LeftHand") - position(man(), "LeftHand")).norm(), 1e-9);
        expect_same_at_rest(turned);
        expect_same_motion(turned);
    }
}

TEST(CharacterEdit, AMovedJointKeepsTheSkinAtRest) {
    const Vec3d to = position(man(), "LeftHand") + Vec3d(0.05, 0.02, 0);
    const model::Character moved = move_joint(man(), joint(man(), "LeftHand"), to, MoveMode::with_children);
    EXPECT_LT((position(moved, "LeftHand") - to).norm(), 1e-9);
    expect_same_at_rest(moved);
}

TEST(CharacterEdit, ASpoiledSideIsTheImageOfTheOther) {
    const model::Character spoiled = delete_joint(man(), joint(man(), "RightHand"));
    const model::Character mirrored = mirror_joints(spoiled, model::Side::left);
    EXPECT_EQ(parent_of(mirrored, "RightHand"), "RightLowerArm");
    EXPECT_NEAR(position(mirrored, "RightHand").x(), -position(mirrored, "LeftHand").x(), 1e-3);
    EXPECT_NEAR(weight_on(mirrored, "RightHand"), weight_on(mirrored, "LeftHand"),
                0.1 * weight_on(mirrored, "LeftHand"));
    expect_same_at_rest(mirrored);
}

TEST(CharacterEdit, WeightsAreSmoothedLimitedPaintedAndMirrored) {
    model::Character edited = smooth_weights(man(), {.passes = 2});
    edited = limit_slopes(edited, 1);
    edited = mirror_weights(edited, model::Side::left);
    edited = limit_influences(edited, 2, 0.01);
    for (std::size_t v = 0; v < edited.skin.vertex_count(); ++v) EXPECT_LE(edited.skin.of(v).size(), 2u);
    EXPECT_NEAR(weight_on(edited, "LeftUpperLeg"), weight_on(edited, "RightUpperLeg"),
                0.02 * weight_on(edited, "LeftUpperLeg"));
    expect_same_at_rest(edited);
    Brush brush;
    brush.center = position(man(), "LeftHand");
    brush.radius = 0.1;
    WeightSession session(man());
    session.dab(joint(man(), "LeftHand"), brush);
    const model::Character painted = session.finished();
    EXPECT_GT(weight_on(painted, "LeftHand"), weight_on(man(), "LeftHand"));
    expect_same_at_rest(painted);
    EXPECT_THROW(session.dab(999, brush), Error);
}

TEST(CharacterEdit, TwinsAreImagesOfEachOther) {
    const auto mirror = joint_mirror(man());
    ASSERT_TRUE(mirror);
    const int left = joint(man(), "LeftHand"), right = joint(man(), "RightHand");
    EXPECT_EQ(mirror->twin[static_cast<std::size_t>(left)], right);
    EXPECT_LT((mirror->reflect(position(man(), "LeftHand")) - position(man(), "RightHand")).norm(), 0.01);
}

TEST(CharacterEdit, AWrongNameIsToldWithNearOnes) {
    EXPECT_EQ(joint(man(), "lefthand"), man().skeleton.find("LeftHand")) << "whatever its case";
    try {
        joint(man(), "LeftHnad");
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("\"LeftHand\""), std::string::npos) << error.what();
    }
}

}  // namespace character_edit_test
}  // namespace sinew::rig
