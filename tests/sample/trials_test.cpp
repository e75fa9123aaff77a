// SPDX-License-Identifier: MIT
#include <set>

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/motion/solve.h"
#include "sinew/sample/samples.h"
#include "sinew/sample/sequences.h"

namespace sinew::sample {
namespace {

TEST(TrialSamples, AreWholeAndTheSameEveryTime) {
    for (const TrialSample& each : trials()) {
        const model::Trial trial = make_trial(each.name);
        model::validate(trial, each.name);
        EXPECT_EQ(trial.markers.count(), 39u);
        EXPECT_EQ(trial.markers.frames(), trial.frames);
        const model::Trial again = make_trial(each.name);
        EXPECT_EQ(again.markers.residuals, trial.markers.residuals);
    }
    EXPECT_THROW(make_trial("walk"), Error);
}

TEST(TrialSamples, MarkersAreWhereTheSkeletonCarriesThem) {
    const model::Skeleton man = man_skeleton();
    const auto markers = man_markers(man);
    const model::Trial trial = record(man, man_walk(man, {.cycles = 1}), markers, {.noise = 0});
    const auto world = model::world_matrices(man, model::sample(man_walk(man, {.cycles = 1}), man, 0));
    for (std::size_t m = 0; m < markers.size(); ++m) {
        const auto joint = static_cast<std::size_t>(markers[m].joint);
        const math::Vec3d expected = math::transform_point(world[joint], markers[m].offset);
        EXPECT_LT((model::world_position(trial, 0, m) - expected).norm(), 1e-4) << markers[m].label;
    }
}

TEST(TrialSamples, TheWalkIsSolvedAndTheStandingManIsStill) {
    const model::Trial walk = make_trial("walk-trial"), standing = make_trial("standing-trial");
    const motion::SolveResult solved = motion::solve(walk, man_skeleton());
    EXPECT_FALSE(solved.still);
    EXPECT_LT(solved.rms, 0.003);
    EXPECT_TRUE(motion::solve(standing, man_skeleton()).still);
}

}  // namespace
}  // namespace sinew::sample
