// SPDX-License-Identifier: MIT
#include "sinew/io/text/units.h"

#include "support/data.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::io {
namespace units_test {

/// A person-like chain of the given height.
std::string bvh_of_height(double height) {
    return fmt::format(
        "HIERARCHY\nROOT Hips\n{{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation "
        "Xrotation Yrotation\nEnd Site\n{{\nOFFSET 0 {} 0\n}}\n}}\nMOTION\nFrames: 2\nFrame Time: "
        "0.01\n0 {} 0 0 0 0\n0 {} 0 10 0 0\n",
        height, height, height);
}

struct UnitsFile : ::testing::Test {
    test::TemporaryFolder folder;
    std::filesystem::path write(double height, const char* name = "a.bvh") {
        write_file(folder.path() / name, bvh_of_height(height));
        return folder.path() / name;
    }
};

TEST(Units, NamesInEverySpelling) {
    EXPECT_EQ(metres_of("mm"), 0.001);
    EXPECT_EQ(metres_of(" MM "), 0.001);
    EXPECT_EQ(metres_of("mete"), 1.0);
    EXPECT_EQ(metres_of("Inches"), 0.0254);
    EXPECT_FALSE(metres_of("parsec").has_value());
}

TEST(Units, HeightsOfPeopleTellTheUnit) {
    EXPECT_EQ(guess_unit(1.7).metres, 1.0);
    EXPECT_FALSE(guess_unit(6).metres.has_value());
    EXPECT_EQ(guess_unit(30).metres, cmu_unit);
    EXPECT_EQ(guess_unit(67).metres, 0.0254);
    EXPECT_EQ(guess_unit(170).metres, 0.01);
    EXPECT_EQ(guess_unit(1700).metres, 0.001);
}

TEST_F(UnitsFile, WhereABodyStandsInTheStudioDoesNotMakeItLarger) {
    // A person of 170 cm whose hips are 30 m from the middle of the studio.
    test::write_text(
        folder / "far.bvh",
        "HIERARCHY\nROOT Reference\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition "
        "Zrotation Xrotation Yrotation\nJOINT Hips\n{\nOFFSET 3000 90 0\nCHANNELS 3 Zrotation "
        "Xrotation Yrotation\nJOINT Leg\n{\nOFFSET 10 0 0\nCHANNELS 3 Zrotation Xrotation "
        "Yrotation\nEnd Site\n{\nOFFSET 0 -90 0\n}\n}\nJOINT Spine\n{\nOFFSET 0 10 0\nCHANNELS 3 "
        "Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 70 0\n}\n}\n}\n}\nMOTION\nFrames: "
        "1\nFrame Time: 0.01\n0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
    const Asset asset = read(folder / "far.bvh");
    EXPECT_EQ(asset.character.unit, 0.01);
    EXPECT_NEAR(asset.character.skeleton.joints.at(1).rest.translation.x(), 30, 1e-6);
}

TEST(Units, UpAxesTurnToY) {
    EXPECT_NEAR((rotation_to_up("z") * math::Vec3d(0, 0, 1) - math::Vec3d(0, 1, 0)).norm(), 0, 1e-12);
    EXPECT_NEAR((rotation_to_up("x") * math::Vec3d(1, 0, 0) - math::Vec3d(0, 1, 0)).norm(), 0, 1e-12);
    EXPECT_THROW(rotation_to_up("w"), Error);
}

TEST_F(UnitsFile, AMotionInCentimetresArrivesInMetresAndGoesBackInCentimetres) {
    const Asset asset = read(write(170));
    EXPECT_NEAR(model::height(asset.character.skeleton), 1.7, 1e-6);
    EXPECT_EQ(asset.character.unit, 0.01);
    ASSERT_EQ(asset.guesses.size(), 1u);
    EXPECT_EQ(asset.guesses[0].value, "cm");
    // The way over glTF keeps the unit too.
    io::write(folder.path() / "b.glb", asset);
    io::write(folder.path() / "c.bvh", read(folder.path() / "b.glb"));
    ReadOptions raw;
    raw.units = "file";
    const Asset again = read(folder.path() / "c.bvh", raw);
    EXPECT_NEAR(model::height(again.character.skeleton), 170, 1e-4);
    EXPECT_NEAR(again.character.clips[0].tracks[0].translation.values[0].y(), 170, 1e-3);
}

TEST_F(UnitsFile, OptionsWinOverTheGuess) {
    ReadOptions options;
    options.units = "mm";
    const Asset asset = read(write(170), options);
    EXPECT_NEAR(model::height(asset.character.skeleton), 0.17, 1e-6);
    EXPECT_TRUE(asset.guesses.empty());
    options.units = "file";
    options.up = "z";
    const Asset turned = read(write(170), options);
    const auto tip =
        turned.character.skeleton.joints[0].rest.rotation * *turned.character.skeleton.joints[0].tip;
    EXPECT_NEAR(tip.z(), -170, 1e-3);
}

TEST_F(UnitsFile, WritingInAnotherUnit) {
    WriteOptions options;
    options.units = "mm";
    io::write(folder.path() / "b.bvh", read(write(170)), options);
    ReadOptions raw;
    raw.units = "file";
    EXPECT_NEAR(model::height(read(folder.path() / "b.bvh", raw).character.skeleton), 1700, 1e-2);
}

TEST_F(UnitsFile, BetweenMetresAndFeetTheNumbersStay) {
    const Asset asset = read(write(6));
    EXPECT_NEAR(model::height(asset.character.skeleton), 6, 1e-6);
    ASSERT_EQ(asset.guesses.size(), 1u);
    EXPECT_EQ(asset.guesses[0].value, "unknown");
}

TEST(RealUnits, EveryBvhOfTheCollectionIsAsTallAsAPerson) {
    SINEW_NEEDS_DATA();
    for (const auto& entry : std::filesystem::directory_iterator(test::data("bvh"))) {
        const double height = model::height(read(entry.path()).character.skeleton);
        EXPECT_GT(height, 1.2) << entry.path();
        EXPECT_LT(height, 2.3) << entry.path();
    }
}

}  // namespace units_test
}  // namespace sinew::io
