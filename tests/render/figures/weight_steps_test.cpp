// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "support/pictures.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/render/figures/steps.h"
#include "sinew/sample/samples.h"

namespace sinew::render {
namespace weight_stages_test {

using test::count_like;

const Picture& picture_of(const std::vector<StepPicture>& steps, std::string_view name) {
    const auto found =
        std::find_if(steps.begin(), steps.end(), [&](const StepPicture& s) { return s.name == name; });
    if (found == steps.end()) throw std::runtime_error("no step " + std::string(name));
    return found->picture;
}

struct Bound {
    model::Character character;
    rig::RegionResult result;
};

const Bound& tube() {
    static const Bound bound = [] {
        model::Character character = sample::make("tube");
        rig::RegionResult result = rig::region_weights(character.mesh, character.skeleton);
        return Bound{std::move(character), std::move(result)};
    }();
    return bound;
}

TEST(WeightStages, EveryStageShowsWhatItIsAbout) {
    const auto& [character, result] = tube();
    Renderer renderer;
    WeightStepOptions options;
    options.size = {320, 320};
    const auto steps = draw_weight_steps(renderer, character.mesh, character.skeleton, result, options);
    std::vector<std::string> names;
    for (const StepPicture& step : steps) {
        names.push_back(step.name);
        EXPECT_EQ(step.picture.width, 320) << step.name;
        EXPECT_EQ(step.picture.height, 320) << step.name;
    }
    EXPECT_EQ(names, (std::vector<std::string>{"rays", "boundaries", "regions", "own", "child", "distances",
                                               "shadows", "weights", "joint", "profile"}));
    EXPECT_GT(count_like(picture_of(steps, "rays"), 0), 50) << "red rays";
    EXPECT_GT(count_like(picture_of(steps, "boundaries"), 0), 20) << "red curves";
    EXPECT_GT(count_like(picture_of(steps, "boundaries"), 2), 5) << "blue polygons";
    EXPECT_NE(picture_of(steps, "regions"), picture_of(steps, "weights"));
    EXPECT_NE(picture_of(steps, "regions"), picture_of(steps, "shadows"));
    EXPECT_NE(picture_of(steps, "own"), picture_of(steps, "child"));
    EXPECT_GT(step_sheet(steps, 5).width, 5 * 320);
}

TEST(WeightStages, TheSameResultGivesTheSamePictures) {
    const auto& [character, result] = tube();
    Renderer renderer;
    WeightStepOptions options;
    options.size = {320, 320};
    const auto a = draw_weight_steps(renderer, character.mesh, character.skeleton, result, options);
    const auto b = draw_weight_steps(renderer, character.mesh, character.skeleton, result, options);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].picture, b[i].picture) << a[i].name;
}

/// Pixels in which the channels differ much: colours, not greys and pale ones.
int count_colored(const Picture& picture) {
    return static_cast<int>(std::count_if(picture.pixels.begin(), picture.pixels.end(), [](const Pixel& p) {
        return std::max({p[0], p[1], p[2]}) - std::min({p[0], p[1], p[2]}) > 60;
    }));
}

TEST(WeightStages, ShadowsGrowWithTheSoftness) {
    const model::Character& character = tube().character;
    Renderer renderer;
    WeightStepOptions options;
    options.size = {320, 320};
    std::vector<int> colored;
    for (const double softness : {0.0, 0.3, 0.6}) {
        rig::RegionOptions regions;
        regions.softness = softness;
        const auto result = rig::region_weights(character.mesh, character.skeleton, regions);
        const auto steps = draw_weight_steps(renderer, character.mesh, character.skeleton, result, options);
        colored.push_back(count_colored(picture_of(steps, "shadows")));
    }
    EXPECT_LT(colored[0], 20) << "a rigid skin is dominated everywhere";
    EXPECT_GT(colored[1], colored[0] + 100);
    EXPECT_GT(colored[2], colored[1] + 100);
}

TEST(WeightStages, DistancesAreColdAtTheOwnBoundaryAndHotAtTheChildsAndGreyWithoutOne) {
    // A column of four vertices whose numbers are known, drawn as a strip of wide quads.
    geometry::Mesh mesh;
    for (int i = 0; i < 4; ++i)
        for (const float x : {-2.0f, 2.0f}) mesh.positions.emplace_back(x, static_cast<float>(i), 0.0f);
    for (std::uint32_t i = 0; i < 6; i += 2) {
        mesh.triangles.push_back({i, i + 1, i + 3});
        mesh.triangles.push_back({i, i + 3, i + 2});
    }
    const double far = std::numeric_limits<double>::infinity();
    rig::RegionResult result;
    for (int v = 0; v < 8; ++v) {
        const int row = v / 2;
        result.own_distance.push_back(row == 3 ? far : row);
        result.child_distance.push_back(row == 3 ? 1 : 2 - row);
        result.region_of_vertex.push_back(0);
        result.weights.push_row(std::vector<rig::JointWeight>{{0, 1.0}});
        result.influenced_by_child.offsets.push_back(0);
    }
    model::Skeleton skeleton;
    skeleton.joints = {{"root", -1, {}}};
    Renderer renderer;
    const auto steps = draw_weight_steps(renderer, mesh, skeleton, result);
    EXPECT_EQ(steps.size(), 8u) << "no joint has a boundary, so that none has a profile";
    const Picture& picture = picture_of(steps, "distances");
    // The strip is 4 wide and 3 high, and fills the width but for the margin.
    const int body = picture.width - 100;
    const auto at = [&](double row) {
        const double unit = body * 0.84 / 4, middle = picture.height / 2.0;
        return picture.at(body / 2, static_cast<int>(middle - (row - 1.5) * unit));
    };
    EXPECT_GT(at(0.05)[2], at(0.05)[0] + 40) << "cold where d_B = 0";
    EXPECT_GT(at(1.95)[0], at(1.95)[2] + 40) << "hot where d_c = 0";
    const Pixel grey = at(2.95);
    EXPECT_LT(std::abs(grey[0] - grey[2]), 25) << "neither where a boundary is missing";
}

TEST(WeightStages, RaysEndOnTheSkinAndTheChosenOneAtItsPoint) {
    const auto& [character, result] = tube();
    ASSERT_FALSE(result.boundaries.empty());
    int seen = 0;
    for (const rig::JointBoundary& boundary : result.boundaries) {
        for (const rig::DividingPoint& point : boundary.points) {
            if (point.ray < 0) continue;
            const auto ray = static_cast<std::size_t>(point.ray);
            const math::Vec3d end =
                point.from + point.profile[ray] * rig::ray_direction(point.fan, ray, point.profile.size());
            EXPECT_NEAR((end - point.position).norm(), 0, 1e-9);
            ++seen;
        }
    }
    EXPECT_GE(seen, 4);
}

TEST(WeightStages, AProfileHasTheMeasuredAndTheSmoothedCurveAndTheChosenRay) {
    const auto& [character, result] = tube();
    const int joint = profile_joint(character.skeleton, result);
    ASSERT_GE(joint, 0);
    const auto plots = profile_plots(character.skeleton, result, joint);
    const auto boundary = std::find_if(result.boundaries.begin(), result.boundaries.end(),
                                       [&](const rig::JointBoundary& b) { return b.joint == joint; });
    ASSERT_EQ(plots.size(), boundary->points.size());
    const std::string& name = character.skeleton.joints[static_cast<std::size_t>(joint)].name;
    for (std::size_t i = 0; i < plots.size(); ++i) {
        const rig::DividingPoint& point = boundary->points[i];
        EXPECT_TRUE(plots[i].title.starts_with(name)) << plots[i].title;
        ASSERT_EQ(plots[i].series.size(), 4u);
        EXPECT_EQ(plots[i].series[0].points.size(), 100u);
        EXPECT_EQ(plots[i].series[0].points[40].y(), point.profile[40]);
        EXPECT_EQ(plots[i].series[1].points[40].y(), point.smoothed[40]);
        ASSERT_EQ(plots[i].series[3].points.size(), 1u);
        EXPECT_EQ(plots[i].series[3].points[0], Vec2d(point.ray, point.distance));
        EXPECT_GE(*plots[i].y.high, point.distance) << "the choice is within the axes";
    }
}

TEST(WeightStages, TheNeckIsShownWhenThereIsOne) {
    model::Skeleton skeleton;
    skeleton.joints = {{"Hips", -1, {}}, {"Neck", 0, {}}, {"Head", 1, {}}};
    rig::RegionResult result;
    for (const int joint : {1, 2}) {
        rig::JointBoundary boundary;
        boundary.joint = joint;
        rig::DividingPoint point;
        point.ray = 1;
        point.distance = joint == 2 ? 0.1 : 1;  // the head's is ten times as deep
        point.smoothed = {1, point.distance, 1};
        boundary.points.push_back(point);
        result.boundaries.push_back(boundary);
    }
    EXPECT_EQ(profile_joint(skeleton, result), 1);
    skeleton.joints[1].name = "b";
    skeleton.joints[0].name = "a";
    skeleton.joints[2].name = "c";
    EXPECT_EQ(profile_joint(skeleton, result), 2) << "else the deepest";
    EXPECT_EQ(profile_joint(skeleton, {}), -1);
}

TEST(WeightStages, AJointWithoutABoundaryIsNamed) {
    const auto& [character, result] = tube();
    try {
        profile_plots(character.skeleton, result, 0);
        FAIL() << "the root has no boundary";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(character.skeleton.joints[0].name), std::string::npos);
    }
    EXPECT_THROW(profile_plots(character.skeleton, result, 1000), Error);
}

}  // namespace weight_stages_test
}  // namespace sinew::render
