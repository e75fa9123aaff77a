#include "sinew/deform/compare.h"

#include <gtest/gtest.h>

#include "sinew/base/error.h"
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
