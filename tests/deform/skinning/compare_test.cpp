// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/deform/deformer.h"
#include "sinew/sample/samples.h"

namespace sinew::deform {
namespace {

const MethodMeasure& of(const std::vector<MethodMeasure>& measures, Method method) {
    for (const MethodMeasure& measure : measures) {
        if (measure.method == method) return measure;
    }
    throw Error("", "missing");
}

TEST(CompareMethods, TheTwistedTubeShowsTheCandyWrapper) {
    const model::Character tube = sample::make("tube");
    const model::Clip* twist = model::find_clip(tube, "twist");
    const auto measures = compare_methods(tube, twist, model::time_range(*twist).end * 0.999);
    EXPECT_EQ(measures.size(), methods().size());
    EXPECT_LT(of(measures, Method::lbs).volume_ratio, 0.97);
    EXPECT_LT(of(measures, Method::lbs).shortest_edge, 0.3);
    for (const Method method : {Method::dqs, Method::sbs, Method::dib, Method::log}) {
        EXPECT_NEAR(of(measures, method).volume_ratio, 1, 0.02) << name(method);
    }
    EXPECT_EQ(of(measures, Method::dqs).max_difference, 0);
    EXPECT_GT(of(measures, Method::lbs).max_difference, 5);
    EXPECT_GT(of(measures, Method::lbs).nanoseconds, 0);
}

TEST(CompareMethods, StatisticsSayWhatItTook) {
    const model::Character tube = sample::make("tube");
    const model::Clip* bend = model::find_clip(tube, "bend");
    const auto measures = compare_methods(tube, bend, 1);
    for (const MethodMeasure& measure : measures) EXPECT_EQ(measure.counts.degenerate_blends, 0u);
    // The rim of a bent tube folds: linear blending shrinks triangles more than dual quaternions.
    EXPECT_LT(of(measures, Method::lbs).smallest_area, 1);
    EXPECT_EQ(of(measures, Method::dqs).normal_difference, 0);
    EXPECT_GT(of(measures, Method::lbs).normal_difference, 0.05);
}

TEST(CompareMethods, DistancesOfVertices) {
    const std::vector<math::Vec3f> a = {{0, 0, 0}, {1, 2, 2}}, b = {{3, 0, 4}, {1, 2, 2}};
    EXPECT_EQ(vertex_distances(a, b), (std::vector<float>{5, 0}));
    EXPECT_THROW(vertex_distances(a, std::span(b).first(1)), Error);
}

TEST(CompareMethods, AtRestAllAreTheRestPose) {
    const model::Character tube = sample::make("tube");
    for (const MethodMeasure& measure : compare_methods(tube, nullptr, 0)) {
        EXPECT_NEAR(measure.volume_ratio, 1, 1e-5);
        EXPECT_NEAR(measure.longest_edge, 1, 1e-4);
        EXPECT_LT(measure.max_difference, 1e-3);
    }
    EXPECT_THROW(compare_methods({}, nullptr, 0), Error);
}

}  // namespace
}  // namespace sinew::deform
