// SPDX-License-Identifier: MIT
// `sinew edit` as a black box: what each edit does to joints, weights and clips.

#include "command.h"
#include <gtest/gtest.h>

#include "sinew/io/io.h"
#include "sinew/model/character.h"

namespace sinew {
namespace {

using math::Vec3d;
using test::sinew_report;
using test::TemporaryFolder;

/// The man of the samples in a file, edited.
struct EditedMan {
    TemporaryFolder folder;
    model::Character before, after;
    Json report;

    explicit EditedMan(const std::vector<std::string>& edits) {
        const std::string man = (folder / "man.glb").string(), out = (folder / "out.glb").string();
        sinew_report({"sample", "man", "-o", man});
        std::vector<std::string> words = {"edit", man, "-o", out};
        words.insert(words.end(), edits.begin(), edits.end());
        report = sinew_report(words);
        before = io::read(man).character;
        after = io::read(out).character;
    }

    int find(const std::string& name) const { return after.skeleton.find(name); }
    std::string parent_of(const std::string& name) const {
        const int parent = after.skeleton.joints[static_cast<std::size_t>(find(name))].parent;
        return parent < 0 ? "" : after.skeleton.joints[static_cast<std::size_t>(parent)].name;
    }
};

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

double largest_difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    EXPECT_EQ(a.size(), b.size());
    double most = 0;
    for (std::size_t v = 0; v < std::min(a.size(), b.size()); ++v)
        most = std::max(most, (a[v] - b[v]).norm());
    return most;
}

void expect_same_at_rest(const EditedMan& man) {
    EXPECT_LT(largest_difference(skinned(man.before, nullptr, 0), skinned(man.after, nullptr, 0)), 1e-5);
}

/// The whole skin moves as before.
void expect_same_motion(const EditedMan& man) {
    ASSERT_EQ(man.before.clips.size(), man.after.clips.size());
    for (const double time : {0.0, 0.31, 0.77})
        EXPECT_LT(largest_difference(skinned(man.before, &man.before.clips[0], time),
                                     skinned(man.after, &man.after.clips[0], time)),
                  2e-3)
            << time;
}

double weight_on(const model::Character& character, const std::string& joint) {
    double sum = 0;
    const int wanted = character.skeleton.find(joint);
    for (const model::Influence& i : character.skin.influences)
        if (character.skin.joints[i.joint].joint == wanted) sum += static_cast<double>(i.weight);
    return sum;
}

TEST(Edit, RenamesReparentsAndReroots) {
    const EditedMan man({"--rename", "LeftHand=Paw", "--reparent", "Paw=Hips", "--root", "Spine"});
    EXPECT_GE(man.find("Paw"), 0);
    EXPECT_LT(man.find("LeftHand"), 0);
    EXPECT_EQ(man.parent_of("Paw"), "Hips");
    EXPECT_EQ(man.parent_of("Hips"), "Spine");
    EXPECT_EQ(man.parent_of("Spine"), "");
    EXPECT_EQ(man.report["joints"], man.report["joints_before"]);
    ASSERT_EQ(man.report["edits"].size(), 3u);
    EXPECT_EQ(man.report["edits"][0]["edit"], "rename");
    expect_same_at_rest(man);
    expect_same_motion(man);
}

TEST(Edit, InsertsOnABoneAndDeletesIntoTheParent) {
    const EditedMan man({"--insert", "Twist=LeftLowerArm,LeftHand@0.25", "--delete", "RightHand"});
    const auto world = model::joint_positions(model::rest_world_matrices(man.after.skeleton));
    const auto at = [&](const std::string& name) { return world[static_cast<std::size_t>(man.find(name))]; };
    EXPECT_LT((at("Twist") - (0.75 * at("LeftLowerArm") + 0.25 * at("LeftHand"))).norm(), 1e-6);
    EXPECT_EQ(man.parent_of("LeftHand"), "Twist");
    EXPECT_EQ(weight_on(man.after, "Twist"), 0);
    EXPECT_LT(man.find("RightHand"), 0);
    EXPECT_NEAR(weight_on(man.after, "RightLowerArm"),
                weight_on(man.before, "RightLowerArm") + weight_on(man.before, "RightHand"), 1e-3);
    expect_same_at_rest(man);
}

TEST(Edit, MergesAndSplitsWithTheirWeights) {
    const EditedMan man({"--merge", "LeftHand=LeftLowerArm", "--split", "RightLowerArm@0.5"});
    EXPECT_NEAR(weight_on(man.after, "LeftLowerArm"),
                weight_on(man.before, "LeftLowerArm") + weight_on(man.before, "LeftHand"), 1e-3);
    EXPECT_EQ(man.parent_of("RightHand"), "RightLowerArm_2");
    const double upper = weight_on(man.after, "RightLowerArm"),
                 lower = weight_on(man.after, "RightLowerArm_2");
    EXPECT_NEAR(upper + lower, weight_on(man.before, "RightLowerArm"), 1e-2);
    EXPECT_GT(upper, 0.1 * (upper + lower));
    EXPECT_GT(lower, 0.1 * (upper + lower));
    expect_same_at_rest(man);
}

TEST(Edit, OrientsFramesAndKeepsTheMotion) {
    for (const std::string frames : {"bone", "world"}) {
        const EditedMan man({"--orient", frames});
        const auto world = model::rest_world_matrices(man.after.skeleton);
        const auto forearm = static_cast<std::size_t>(man.find("LeftLowerArm"));
        const Vec3d bone = (world[static_cast<std::size_t>(man.find("LeftHand"))].topRightCorner<3, 1>() -
                            world[forearm].topRightCorner<3, 1>())
                               .normalized();
        const Vec3d y = world[forearm].block<3, 1>(0, 1);
        EXPECT_LT((y - (frames == "bone" ? bone : Vec3d(Vec3d::UnitY()))).norm(), 1e-5) << frames;
        expect_same_at_rest(man);
        expect_same_motion(man);
    }
}

TEST(Edit, MirrorsASideThatWasSpoiled) {
    const EditedMan man(
        {"--delete", "RightHand", "--rename", "RightLowerArm=RightLowerArm", "--mirror", "left"});
    ASSERT_GE(man.find("RightHand"), 0);
    EXPECT_EQ(man.parent_of("RightHand"), "RightLowerArm");
    EXPECT_NEAR(weight_on(man.after, "RightHand"), weight_on(man.after, "LeftHand"),
                0.1 * weight_on(man.after, "LeftHand"));
    expect_same_at_rest(man);
}

TEST(Edit, WeightsAreSmoothedLimitedAndMirrored) {
    const EditedMan man({"--smooth-weights", "2", "--limit-slopes", "1", "--mirror-weights", "left",
                         "--max-influences", "2", "--prune-below", "0.01"});
    EXPECT_EQ(man.report["max_influences"], 2);
    for (std::size_t v = 0; v < man.after.skin.vertex_count(); ++v) {
        double sum = 0;
        EXPECT_LE(man.after.skin.of(v).size(), 2u);
        for (const model::Influence& i : man.after.skin.of(v)) sum += static_cast<double>(i.weight);
        EXPECT_NEAR(sum, 1, 1e-5);
    }
    EXPECT_NEAR(weight_on(man.after, "LeftUpperLeg"), weight_on(man.after, "RightUpperLeg"),
                0.02 * weight_on(man.after, "LeftUpperLeg"));
    expect_same_at_rest(man);
}

TEST(Edit, ErrorsNameTheJointAndNearOnes) {
    const TemporaryFolder folder;
    const std::string man = (folder / "man.glb").string(), out = (folder / "out.glb").string();
    sinew_report({"sample", "man", "-o", man});
    const auto said = [&](const std::vector<std::string>& edits, const std::string& expected) {
        std::vector<std::string> words = {"edit", man, "-o", out};
        words.insert(words.end(), edits.begin(), edits.end());
        const test::CommandResult result = test::sinew(words);
        EXPECT_EQ(result.exit_code, result.err.find("error: --") == std::string::npos ? 1 : 2) << result.out;
        EXPECT_NE(result.err.find(expected), std::string::npos) << result.err;
        EXPECT_FALSE(std::filesystem::exists(out));
    };
    said({"--delete", "LeftHnad"}, "there is no joint \"LeftHnad\"; the nearest names are \"LeftHand\"");
    said({"--reparent", "Hips=LeftHand"}, "which is its descendant");
    said({"--rename", "Hips"}, "--rename Hips: write OLD=NEW");
    said({"--insert", "New=Hips,LeftHand"}, "LeftHand is not a child of Hips");
    said({"--split", "Spine@2"}, "between 0 and 1");
    said({}, "nothing to do");
}

}  // namespace
}  // namespace sinew
