// SPDX-License-Identifier: MIT
#include "sinew/model/channels.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::model {
namespace {

constexpr TangentRule flat{Tangent::flat, 0};
constexpr TangentRule straight{Tangent::linear, 0};
constexpr TangentRule smooth{Tangent::smooth, 0};

ChannelCurve curve(std::vector<ChannelKey> keys, Extrapolation mode = Extrapolation::constant) {
    Channel channel;
    channel.before = channel.after = mode;
    channel.keys = std::move(keys);
    return prepare(channel);
}

double ramp(Extrapolation mode, double time) {
    return evaluate(curve({{0, 0, straight, straight}, {1, 2, straight, straight}}, mode), time);
}

Channel random_channel(test::Random& random) {
    Channel channel;
    double time = random.uniform() * 3;
    for (int k = random.integer(1, 12); k > 0; --k) {
        const auto rule = [&] {
            return TangentRule{static_cast<Tangent>(random.integer(0, 3)), random.uniform() * 4 - 2};
        };
        channel.keys.push_back({time, random.uniform() * 10, rule(), rule()});
        if (random.integer(0, 4) > 0) time += 0.05 + random.uniform();  // now and then a cut
    }
    channel.before = static_cast<Extrapolation>(random.integer(0, 4));
    channel.after = static_cast<Extrapolation>(random.integer(0, 4));
    return channel;
}

TEST(Channels, HermiteSpansOfTheTangentRules) {
    const auto value = [](TangentRule out, TangentRule in, double time) {
        return evaluate(curve({{0, 0, flat, out}, {2, 4, in, flat}}), time);
    };
    EXPECT_NEAR(value(flat, flat, 0.5), 0.625, 1e-12);
    EXPECT_NEAR(value(flat, flat, 1), 2, 1e-12);
    EXPECT_NEAR(value(straight, straight, 0.5), 1, 1e-12);
    EXPECT_NEAR(value(straight, straight, 1.3), 2.6, 1e-12);
    EXPECT_NEAR(value(flat, straight, 0.5), 0.4375, 1e-12);
    // Fixed slopes m0 = 1, m1 = -1 with D = 2: f(1) = 2 + D (m0 - m1) / 8.
    EXPECT_NEAR(value({Tangent::fixed, 1}, {Tangent::fixed, -1}, 1), 2.5, 1e-12);
}

TEST(Channels, SmoothKeysReproduceALineAndHaveOneSlope) {
    std::vector<ChannelKey> line, wave;
    const double times[] = {0, 0.3, 1.1, 1.5, 2.9};
    const double values[] = {1, -2, 4, 3, 0};
    for (std::size_t k = 0; k < 5; ++k) {
        line.push_back({times[k], 3 * times[k] - 1, smooth, smooth});
        wave.push_back({times[k], values[k], smooth, smooth});
    }
    const ChannelCurve ruled = curve(line), curved = curve(wave);
    for (double t = 0; t < 2.9; t += 0.01) EXPECT_NEAR(evaluate(ruled, t), 3 * t - 1, 1e-12);
    constexpr double h = 1e-7;
    for (std::size_t k = 1; k < 4; ++k) {
        const double left = (evaluate(curved, times[k]) - evaluate(curved, times[k] - h)) / h;
        const double right = (evaluate(curved, times[k] + h) - evaluate(curved, times[k])) / h;
        EXPECT_NEAR(left, right, 2e-5);
        EXPECT_NEAR(right, (values[k + 1] - values[k - 1]) / (times[k + 1] - times[k - 1]), 2e-5);
    }
}

TEST(Channels, ExtrapolationOfEveryMode) {
    using enum Extrapolation;
    EXPECT_NEAR(ramp(constant, 2.25), 2, 1e-12);
    EXPECT_NEAR(ramp(Extrapolation::linear, 2.25), 4.5, 1e-12);
    EXPECT_NEAR(ramp(cyclic, 2.25), 0.5, 1e-12);
    EXPECT_NEAR(ramp(cyclic_offset, 2.25), 4.5, 1e-12);
    EXPECT_NEAR(ramp(bounce, 2.25), 0.5, 1e-12);
    EXPECT_NEAR(ramp(bounce, 1.25), 1.5, 1e-12);
    EXPECT_NEAR(ramp(constant, -0.25), 0, 1e-12);
    EXPECT_NEAR(ramp(Extrapolation::linear, -0.25), -0.5, 1e-12);
    EXPECT_NEAR(ramp(cyclic, -0.25), 1.5, 1e-12);
    EXPECT_NEAR(ramp(cyclic_offset, -0.25), -0.5, 1e-12);
    EXPECT_NEAR(ramp(bounce, -0.25), 0.5, 1e-12);
}

TEST(Channels, BothSidesHaveTheirOwnExtrapolation) {
    Channel channel;
    channel.before = Extrapolation::linear;
    channel.after = Extrapolation::cyclic;
    channel.keys = {{0, 0, {Tangent::fixed, 5}, straight}, {1, 2, straight, straight}};
    const ChannelCurve c = prepare(channel);
    EXPECT_NEAR(evaluate(c, -1), -5, 1e-12);
    EXPECT_NEAR(evaluate(c, 3.5), 1, 1e-12);
}

TEST(Channels, TwoKeysAtOneTimeAreACutThatTangentsDoNotCross) {
    const ChannelCurve c = curve(
        {{0, 0, smooth, smooth}, {1, 1, smooth, smooth}, {1, 5, smooth, smooth}, {2, 3, smooth, smooth}});
    EXPECT_NEAR(evaluate(c, 1 - 1e-9), 1, 1e-8);
    EXPECT_EQ(evaluate(c, 1), 5);
    EXPECT_NEAR(evaluate(c, 0.5), 0.5, 1e-12);
    EXPECT_NEAR(evaluate(c, 1.25), 4.5, 1e-12);
}

TEST(Channels, OneKeyNoKeysAndNoDuration) {
    using enum Extrapolation;
    for (const Extrapolation mode : {constant, Extrapolation::linear, cyclic, cyclic_offset, bounce}) {
        const ChannelCurve one = curve({{1, 7, straight, smooth}}, mode);
        for (const double t : {-3.0, 1.0, 9.5}) EXPECT_EQ(evaluate(one, t), 7);
        const ChannelCurve cut = curve({{1, 7, straight, straight}, {1, 8, straight, straight}}, mode);
        EXPECT_EQ(evaluate(cut, 0), 7);
        EXPECT_EQ(evaluate(cut, 1), 8);
        EXPECT_EQ(evaluate(cut, 2), 8);
    }
    EXPECT_EQ(evaluate(curve({}), 1), 0);
}

TEST(Channels, CachedLookupEqualsAFreshSearch) {
    test::Random random(7);
    for (int round = 0; round < 200; ++round) {
        const ChannelCurve c = prepare(random_channel(random));
        ChannelCursor cursor{static_cast<std::size_t>(random.integer(0, 30))};
        for (int i = 0; i < 100; ++i) {
            const double t = random.uniform() * 30 - 10;
            EXPECT_EQ(evaluate(c, t, cursor), evaluate(c, t));
        }
        for (std::size_t k = 0; k < c.times.size(); ++k) {
            const auto last = std::upper_bound(c.times.begin(), c.times.end(), c.times[k]) - 1;
            EXPECT_EQ(evaluate(c, c.times[k], cursor),
                      c.values[static_cast<std::size_t>(last - c.times.begin())]);
        }
    }
}

TEST(Channels, TimesWithoutMeaningDoNoHarm) {
    test::Random random(8);
    for (int round = 0; round < 50; ++round) {
        const ChannelCurve c = prepare(random_channel(random));
        for (const double t : {1e300, -1e300, std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity(), std::nan("")}) {
            EXPECT_FALSE(std::isnan(evaluate(c, t)));
        }
    }
}

TEST(Channels, ValidateNamesWhatIsWrong) {
    const auto error = [](ChannelSet set) -> std::string {
        try {
            validate(set, "a.clip");
        } catch (const Error& e) {
            return e.what();
        }
        return "";
    };
    ChannelSet good{"", 0, 1, {{3, {}, {}, {{0, 1, {}, {}}, {0, 2, {}, {}}}}}};
    EXPECT_EQ(error(good), "");
    ChannelSet falls = good;
    falls.channels[0].keys[1].time = -1;
    EXPECT_NE(error(falls).find("fall"), std::string::npos);
    ChannelSet twice = good;
    twice.channels.push_back(twice.channels[0]);
    EXPECT_NE(error(twice).find("twice"), std::string::npos);
    ChannelSet nan = good;
    nan.channels[0].keys[0].value = std::nan("");
    EXPECT_NE(error(nan).find("not finite"), std::string::npos);
    ChannelSet range = good;
    range.end = -1;
    EXPECT_NE(error(range).find("range"), std::string::npos);
}

}  // namespace
}  // namespace sinew::model
