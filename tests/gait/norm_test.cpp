// SPDX-License-Identifier: MIT
// Norms and scores, several trials, results for other programs.

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/gait/report.h"

namespace sinew::gait {
namespace {

using model::Side;

/// An analysis with cycles whose nine angles are sines of their own, moved by `offset` times (1 + angle).
GaitAnalysis walker(const std::vector<double>& offsets, double speed = 1.2) {
    GaitAnalysis a;
    a.rate = 100, a.frames = 300;
    for (const std::size_t s : {0u, 1u}) {
        for (std::size_t c = 0; c < offsets.size(); ++c) {
            GaitCycleSpan cycle;
            cycle.side = s == 0 ? Side::left : Side::right;
            cycle.start = static_cast<double>(c), cycle.end = cycle.start + 1;
            a.cycles.push_back(cycle);
        }
        for (std::size_t i = 0; i < sheet_angles; ++i) {
            std::vector<std::vector<double>> each;
            for (const double offset : offsets) {
                std::vector<double> curve;
                for (std::size_t k = 0; k < curve_samples; ++k)
                    curve.push_back(20 * std::sin(0.0628 * static_cast<double>(k * (i + 1))) +
                                    offset * static_cast<double>(1 + i));
                each.push_back(std::move(curve));
            }
            a.curves[s][i] = summarise(std::move(each));
            for (std::size_t c = 0; c < offsets.size(); ++c)
                a.curves[s][i].cycles.push_back(s * offsets.size() + c);
        }
        a.sides[s].cycles = offsets.size();
        a.sides[s].speed = speed;
        a.phases[s] = unmeasured_phases;
    }
    return a;
}

TEST(GaitScores, ProfileIsTheDistanceFromTheNorm) {
    const std::vector<GaitAnalysis> controls = {walker({-1}, 1.0), walker({1}, 1.4)};
    const NormalBand norm = make_norm(controls, "two of them");
    EXPECT_NE(norm.citation.find("2 trials, both legs: two of them"), std::string::npos);
    EXPECT_NEAR(norm.values.at("speed").first, 1.2, 1e-12);
    EXPECT_NEAR(norm.values.at("speed").second, std::sqrt(0.16 / 3), 1e-12);  // 1, 1, 1.4, 1.4
    // The mean of the controls is the sine itself, so every angle is 3 (1 + i) degrees off.
    const GaitScores scores = score(walker({3}), norm);
    double squares = 0, all = 0;
    for (std::size_t i = 0; i < sheet_angles; ++i) {
        const double off = 3 * static_cast<double>(1 + i);
        EXPECT_NEAR(*scores.map[0][i], off, 1e-9);
        squares += off * off;
        all += off * off * (i < 3 ? 1 : 2);
    }
    EXPECT_NEAR(*scores.gps[0], std::sqrt(squares / 9), 1e-9);
    EXPECT_NEAR(*scores.gps[1], std::sqrt(squares / 9), 1e-9);
    EXPECT_NEAR(*scores.gps_overall, std::sqrt(all / 15), 1e-9);
    EXPECT_FALSE(scores.gdi[0].has_value());  // two controls are no population
    // Without all nine curves there is no profile score.
    NormalBand poor = norm;
    poor.curves[8] = {};
    EXPECT_FALSE(score(walker({3}), poor).gps[0].has_value());
    EXPECT_TRUE(score(walker({3}), poor).map[0][0].has_value());
}

TEST(GaitScores, DeviationIndexByTheFormula) {
    NormalBand norm;
    GaitFeatures features;
    features.features = {std::vector<double>(sheet_angles * 51, 0.0)};
    features.features[0][0] = 1;  // the first angle at initial contact alone
    features.mean = {2};
    features.log_mean = 0, features.log_deviation = 0.5;
    norm.features = features;
    // sin 0 + offset = 2 + e: a distance of e, whose logarithm is 1: two deviations.
    EXPECT_NEAR(*score(walker({2 + std::exp(1.0)}), norm).gdi[0], 80, 1e-9);
}

TEST(GaitScores, ControlsHaveAnIndexOfAHundredAndADeviationOfTen) {
    std::vector<GaitAnalysis> controls;
    for (int i = 0; i < 10; ++i) controls.push_back(walker({0.3 * i, 0.1 * i * i - 2}));
    const NormalBand norm = make_norm(controls, "");
    ASSERT_TRUE(norm.features.has_value());
    double sum = 0, squares = 0;
    for (const GaitAnalysis& control : controls)
        for (std::size_t c = 0; c < 2; ++c) {
            const double index = *score(walker({control.curves[0][0].each[c][0]}), norm)
                                      .gdi[0];  // its offset is its value at 0
            sum += index, squares += index * index;
        }
    EXPECT_NEAR(sum / 20, 100, 1e-6);
    EXPECT_NEAR(std::sqrt((squares - sum * sum / 20) / 20), 10, 0.3);
    // Through the table and back.
    const NormalBand again = parse_norm(to_csv(norm), "norm.csv");
    EXPECT_EQ(again.citation, norm.citation);
    EXPECT_NEAR(again.curves[3].mean[40], norm.curves[3].mean[40], 1e-3);
    EXPECT_NEAR(*score(walker({5}), again).gdi[1], *score(walker({5}), norm).gdi[1], 1e-3);
    EXPECT_THROW(parse_norm("curve,hip_flexion,0,x,1\n", "norm.csv"), Error);
    EXPECT_THROW(parse_norm("curve,tail,0,1,1\n", "norm.csv"), Error);
    EXPECT_THROW(parse_norm("curve,hip_flexion,0,1,1\n", "norm.csv"), Error);  // one sample of 101
}

TEST(PublishedNorm, HasAllNineCurvesSoThatThereIsAProfileScore) {
    const NormalBand norm = published_normal();
    for (std::size_t i = 0; i < sheet_angles; ++i) {
        ASSERT_EQ(norm.curves[i].mean.size(), curve_samples);
        ASSERT_EQ(norm.curves[i].deviation.size(), curve_samples);
    }
    EXPECT_TRUE(norm.values.empty());  // nothing without an age
    // Samples of the table: foot progression and knee varus at 80 % of the cycle.
    const auto at80 = [&](GaitCurve curve) { return norm.curves[static_cast<std::size_t>(curve)].mean[80]; };
    EXPECT_NEAR(at80(GaitCurve::foot_progression), -13.8, 0.5);
    EXPECT_NEAR(at80(GaitCurve::knee_adduction), 4.6, 0.5);
    // Who walks like the mean has a score of 0; who turns all feet by 9 degrees one of 9 / sqrt(9).
    GaitAnalysis a;
    for (const std::size_t s : {0u, 1u})
        for (std::size_t i = 0; i < sheet_angles; ++i) {
            std::vector<double> curve = norm.curves[i].mean;
            if (i == static_cast<std::size_t>(GaitCurve::foot_progression))
                for (double& value : curve) value += s == 0 ? 0 : 9;
            a.curves[s][i] = summarise({curve});
        }
    // Every number of the tables is in the CSV.
    a.sides[0].speed = 1, a.sides[1].speed = 1.5;
    a.agreement.push_back({AngleModel::conventional, {}});
    a.agreement[0].rms[1][3] = 0.25;
    a.ground.hits.push_back({1, Side::left, 0.5, 1.25, true, ""});
    const GaitScores scores = score(a, norm);
    const std::string csv = to_csv(a, &scores);
    for (const char* const line :
         {"asymmetry,,speed,,40.00000,,%\n", "cgm against stored,right,hip_flexion,,0.25000,,deg\n",
          "step,Left,platform 2,0.50000,0.75000,,s\n", "score,right,foot_progression,,9.00000,,deg\n",
          "score,right,gps,,3.00000,,deg\n"})
        EXPECT_NE(csv.find(line), std::string::npos) << line;
    EXPECT_EQ(to_csv(a).find("score,"), std::string::npos);
    EXPECT_NEAR(*score(a, norm).gps[0], 0, 1e-12);
    EXPECT_NEAR(*score(a, norm).gps[1], 3, 1e-12);
}

TEST(PublishedNorm, TimesAndLengthsAreOfTheAgeAndSex) {
    BodyMeasures subject;
    set_measure(subject, "Age=7");
    NormalBand norm = published_normal(subject);
    EXPECT_NEAR(norm.values.at("cadence").first, 133.1, 1e-9);
    EXPECT_NEAR(norm.values.at("cadence").second, 12.6, 1e-9);
    EXPECT_NEAR(norm.values.at("step_length").first, 0.597, 1e-9);
    EXPECT_NE(norm.citation.find("Lythgo"), std::string::npos);
    EXPECT_EQ(norm.citation.find("not of this age"), std::string::npos);
    // Adults walk differently by sex: without it nothing is shown.
    set_measure(subject, "Age=44.5");
    norm = published_normal(subject);
    EXPECT_TRUE(norm.values.empty());
    EXPECT_NE(norm.citation.find("by sex, which is not known"), std::string::npos);
    EXPECT_NE(norm.citation.find("44 years old: the band is not of this age"), std::string::npos);
    set_measure(subject, "Sex=male");
    norm = published_normal(subject);
    EXPECT_NEAR(norm.values.at("cadence").first, 120.6, 1e-9);
    EXPECT_NEAR(norm.values.at("cadence").second, 6.6, 1e-9);
    EXPECT_NEAR(norm.values.at("speed").first, 1.328, 1e-9);
    EXPECT_TRUE(std::isnan(norm.values.at("speed").second));  // none that could be checked
    // What has no deviation has none after a table, too.
    EXPECT_TRUE(std::isnan(parse_norm(to_csv(norm), "norm.csv").values.at("speed").second));
    set_measure(subject, "Sex=Female"), set_measure(subject, "Age=82");
    norm = published_normal(subject);
    EXPECT_NEAR(norm.values.at("speed").first, 1.01, 1e-9);
    EXPECT_NEAR(norm.values.at("double_support").second, 4.6, 1e-9);
    EXPECT_NE(norm.citation.find("women of 80 to 84 years"), std::string::npos);
    set_measure(subject, "Age=3");
    EXPECT_TRUE(published_normal(subject).values.empty());
    EXPECT_THROW(set_measure(subject, "Sex=5"), Error);
}

/// Step length times steps a second is the speed: the tables agree with themselves.
TEST(PublishedNorm, SpeedIsStepLengthTimesCadence) {
    for (const Sex sex : {Sex::female, Sex::male})
        for (const double age : {15, 25, 35, 45, 55, 65, 70, 75, 80, 85}) {
            BodyMeasures subject;
            subject.sex = sex, subject.age = age;
            const auto values = published_normal(subject).values;
            const double speed = values.at("speed").first;
            EXPECT_NEAR(values.at("step_length").first * values.at("cadence").first / 60, speed, 0.03 * speed)
                << age;
        }
}

TEST(GaitTrials, CyclesOfAllTrialsAreAveraged) {
    const GaitAnalysis all = combine({walker({0, 2}, 1.0), walker({4}, 1.6)});
    EXPECT_EQ(all.trials, 2u);
    EXPECT_EQ(all.cycles.size(), 6u);
    EXPECT_EQ(all.cycles.back().trial, 1u);
    const CycleCurve& tilt = all.curve(Side::left, GaitCurve::pelvic_tilt);
    EXPECT_NEAR(tilt.mean[0], 2, 1e-12);
    EXPECT_NEAR(tilt.deviation[0], 2, 1e-12);
    EXPECT_EQ(tilt.cycles, (std::vector<std::size_t>{0, 1, 4}));
    EXPECT_NEAR(*all.sides[0].speed, (2 * 1.0 + 1.6) / 3, 1e-12);
    EXPECT_EQ(all.sides[0].cycles, 3u);
    EXPECT_THROW(combine({}), Error);
}

TEST(GaitTrials, WhatSpeaksAgainstAMeanIsTold) {
    GaitAnalysis one = walker({0}), two = walker({1});
    one.traces.source = two.traces.source = "a model";
    two.measures.legs[0].leg_length = 0.9;
    const GaitAnalysis alike = combine({one, two});
    EXPECT_EQ(alike.traces.source, "a model");
    EXPECT_TRUE(alike.notes.empty());
    EXPECT_NEAR(*alike.measures.leg_length(), 0.9, 1e-12);
    two.traces.source = "another";
    one.measures.legs[0].leg_length = 0.8;
    const GaitAnalysis all = combine({one, two, one});
    EXPECT_EQ(all.traces.source, "a model (trial 1, 3); another (trial 2)");
    ASSERT_EQ(all.notes.size(), 2u);
    EXPECT_NE(all.notes[0].find("not computed alike"), std::string::npos);
    EXPECT_NE(all.notes[1].find("0.80 m long in one trial and 0.90 m"), std::string::npos);
    GaitPage page;
    page.compared = &two;
    page.compared_name = "before";
    EXPECT_NE(gait_page(page, one).find("Angles from a model; before: another."), std::string::npos);
}

TEST(GaitTrials, ACycleFarFromTheOthersIsMarked) {
    GaitAnalysis a = walker({0, 0.2, -0.2, 0.1, 9});
    mark_outliers(a);
    for (std::size_t i = 0; i < a.cycles.size(); ++i) EXPECT_EQ(a.cycles[i].outlier, i % 5 == 4) << i;
    GaitAnalysis few = walker({0, 9});
    mark_outliers(few);
    EXPECT_FALSE(few.cycles[1].outlier);
}

TEST(GaitTrials, ThePageDrawsBothGroupsAndEveryCycle) {
    const GaitAnalysis after = combine({walker({0, 1}), walker({2})}), before = walker({5});
    GaitPage page;
    page.compared = &before;
    page.compared_name = "before";
    const std::string html = gait_page(page, after);
    EXPECT_NE(html.find("class=\"curve before left\""), std::string::npos);
    EXPECT_NE(html.find("dashed: before"), std::string::npos);
    EXPECT_NE(html.find("value=\"5\" checked> right trial 2"), std::string::npos);
    EXPECT_NE(html.find("data-cycle=\"4\""), std::string::npos);
    EXPECT_NE(html.find("not a medical device"), std::string::npos);
    const std::string svg = gait_svg(page, after);
    EXPECT_EQ(svg.rfind("<svg xmlns", 0), 0u);
    EXPECT_NE(svg.find("Foot progression"), std::string::npos);
}

TEST(GaitReport, WithoutACycleCurvesAreDrawnOverTime) {
    GaitAnalysis a;
    a.rate = 10, a.frames = 21;
    for (int f = 0; f <= 20; ++f) a.traces.of(Side::left, GaitCurve::knee_flexion).push_back(f);
    const std::string html = gait_page({}, a);
    EXPECT_NE(html.find("over time: no complete cycle"), std::string::npos);
    EXPECT_NE(html.find("2 s</text>"), std::string::npos);
    EXPECT_NE(to_csv(a).find("time,left,knee_flexion,1.5000,15.0000,,deg"), std::string::npos);
    EXPECT_EQ(to_csv(a).find("angle,"), std::string::npos);
    EXPECT_NE(html.find("not measured"), std::string::npos);  // the other charts
}

TEST(GaitReport, AxesHaveRoundNumbersAndAZero) {
    GaitAnalysis a;
    a.rate = 100, a.frames = 294;
    for (int f = 0; f < 294; ++f)
        a.traces.of(Side::left, GaitCurve::ground_up).push_back(-0.1 + f * 11.0 / 293);
    GaitPage page;
    const std::string svg = gait_svg(page, a), chart = svg.substr(svg.find("Ground reaction"));
    EXPECT_NE(chart.find(">0.5</text>"), std::string::npos);
    EXPECT_NE(chart.find(">2.5 s</text>"), std::string::npos);
    EXPECT_NE(chart.find("<line class=\"zero\""), std::string::npos);
    EXPECT_NE(chart.find(">10</text>"), std::string::npos);
}

TEST(GaitReport, MarkersFarFromTheBodyAreFlagged) {
    GaitPage page;
    page.fit = {{"rms_mm", 9.0},
                {"max_mm", 60.0},
                {"per_marker",
                 {{{"label", "LTIB"}, {"rms_mm", 50.9}, {"max_mm", 60.0}},
                  {{"label", "RTIB"}, {"rms_mm", 8.0}, {"max_mm", 50.9}},
                  {{"label", "LKNE"}, {"rms_mm", 5.0}, {"max_mm", 9.0}}}}};
    const std::string html = gait_page(page, {});
    EXPECT_NE(html.find("<tr class=\"far\"><td>LTIB"), std::string::npos);
    EXPECT_NE(html.find("<tr class=\"far\"><td>RTIB"), std::string::npos);
    EXPECT_NE(html.find("<tr><td>LKNE</td>"), std::string::npos);
}

TEST(GaitEvents, UncertaintyIsHalfAFrameOrTheDistanceToThePlatform) {
    GaitMotion motion;
    motion.rate = 100;
    EventsFound found;
    found.events = {{Side::left, GaitEventKind::strike, 1.0, EventSource::file},
                    {Side::left, GaitEventKind::off, 1.6, EventSource::file},
                    {Side::right, GaitEventKind::strike, 1.5, EventSource::platform}};
    found.platforms = {{Side::left, GaitEventKind::off, 1.624, EventSource::platform}};
    model::Trial trial;
    trial.analog.samples_per_frame = 10;
    rate_events(trial, motion, found);
    EXPECT_NEAR(found.events[0].uncertainty, 0.005, 1e-12);
    EXPECT_NEAR(found.events[1].uncertainty, 0.024, 1e-12);
    EXPECT_NEAR(found.events[2].uncertainty, 0.001, 1e-12);
}

TEST(GaitReport, ValuesOverLegLength) {
    GaitAnalysis a;
    a.rate = 100, a.frames = 200;
    a.measures.legs[0].leg_length = 0.981;
    a.motion.rate = 100, a.motion.frames = 200;
    a.motion.forward = math::Vec3d::UnitZ();
    GaitCycleSpan cycle;
    cycle.side = Side::left, cycle.start = 0.2, cycle.end = 1.2;
    a.cycles = {cycle};
    for (int f = 0; f < 200; ++f) a.motion.legs[0].heel.emplace_back(0, 0, 0.01962 * f / 1.5);
    const SpatioTemporal left = spatiotemporal(a)[0];
    EXPECT_NEAR(*left.stride_length, 1.308, 1e-9);
    EXPECT_NEAR(*left.speed_per_leg, 1.308 / (9.81 * std::sqrt(0.1)), 1e-9);  // sqrt(9.81 * 0.981)
    EXPECT_NEAR(*left.cadence_per_leg, 2 * std::sqrt(0.1), 1e-9);
    EXPECT_NEAR(*left.stride_per_leg, 1.308 / 0.981, 1e-9);
    EXPECT_FALSE(left.step_per_leg.has_value());
    a.measures = {};
    EXPECT_FALSE(spatiotemporal(a)[0].speed_per_leg.has_value());
}

TEST(GaitReport, ResultsGoBackIntoTheTrial) {
    model::Trial trial;
    trial.rate = 10, trial.frames = 3;
    trial.events = {{"Foot Strike", "Left", 0.1, "", "", false}, {"Cough", "General", 0.2, "", "", false}};
    GaitAnalysis a;
    a.rate = 10, a.frames = 3;
    a.events.events = {{Side::right, GaitEventKind::off, 0.15, EventSource::user}};
    a.traces.of(Side::left, GaitCurve::hip_flexion) = {10, 20, 30};
    a.traces.of(Side::left, GaitCurve::hip_rotation) = {1, 2, math::nan};
    a.traces.of(Side::right, GaitCurve::ankle_moment) = {0.5, 1.5, 0.25};
    const model::Trial out = with_results(trial, a);
    ASSERT_EQ(out.events.size(), 2u);  // the cough stays
    EXPECT_EQ(out.events[0].label, "Foot Off");
    EXPECT_EQ(out.events[0].context, "Right");
    const int hip = out.outputs.find("LHipAngles"), ankle = out.outputs.find("RAnkleMoment");
    ASSERT_TRUE(hip >= 0 && ankle >= 0);
    EXPECT_NEAR(out.outputs.at(1, static_cast<std::size_t>(hip)).x(), 20, 1e-5);
    EXPECT_NEAR(out.outputs.at(1, static_cast<std::size_t>(hip)).z(), 2, 1e-5);
    EXPECT_NEAR(out.outputs.at(1, static_cast<std::size_t>(ankle)).x(), 1500, 1e-2);
    // What was written is read back as the same curves.
    const GaitTraces again = traces_from_outputs(out);
    EXPECT_NEAR(again.of(Side::right, GaitCurve::ankle_moment)[1], 1.5, 1e-6);
}

}  // namespace
}  // namespace sinew::gait
