// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/model/trial.h"

namespace sinew::model {
namespace {

TEST(GaitCycle, FindsBySideThenWithoutOne) {
    GaitCycle cycle;
    cycle.variables = {{"Cadence", Side::none, 1, {110}}, {"StrideTime", Side::left, 2, {1.1, 0.1}}};
    EXPECT_EQ(cycle.value(Side::left, "stridetime"), 1.1);
    EXPECT_EQ(cycle.value(Side::right, "StrideTime"), std::nullopt);
    EXPECT_EQ(cycle.value(Side::right, "Cadence"), 110);
    validate(cycle, "test");
    cycle.variables[1].values.pop_back();
    EXPECT_THROW(validate(cycle, "test"), Error);
    cycle.variables[1].values = {NAN, 0};
    EXPECT_THROW(validate(cycle, "test"), Error);
}

TEST(GaitCycle, CurvesAreSampledRoundTheCycle) {
    const GaitVariable curve{"KneeFlexExt", Side::left, 2, {0, 9, 10, 9, 4, 9}};
    EXPECT_EQ(sample(curve, 0, false), 0);
    EXPECT_EQ(sample(curve, 0.25, false), 5);
    EXPECT_EQ(sample(curve, 0.75, false), 7);
    EXPECT_EQ(sample(curve, 1.25, false), 5);
    EXPECT_EQ(sample(curve, -0.5, false), 10);
    // Closed: half of the step of 4 is taken off either end.
    EXPECT_EQ(sample(curve, 0, true), 2);
    EXPECT_EQ(sample(curve, 0.5, true), 10);
    EXPECT_NEAR(sample(curve, 1 - 1e-12, true), 2, 1e-9);
}

}  // namespace
}  // namespace sinew::model
