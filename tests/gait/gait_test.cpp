// SPDX-License-Identifier: MIT
#include "sinew/gait/gait.h"

#include "support/data.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/gait/report.h"
#include "sinew/io/io.h"
#include "sinew/sample/samples.h"

namespace sinew::gait {
namespace {

using math::Quatd;
using math::Vec3d;
using model::Side;

/// Made once: his surface takes a while.
const model::Character& the_man() {
    static const model::Character man = sample::make("man");
    return man;
}

GaitEvent strike(Side side, double time) {
    return {side, GaitEventKind::strike, time, EventSource::user};
}
GaitEvent off(Side side, double time) {
    return {side, GaitEventKind::off, time, EventSource::user};
}

/// A curve with its own shape for every angle and side.
double wave(std::size_t angle, Side side, double phase) {
    const double size = 4 + 2 * static_cast<double>(angle);
    return (side == Side::left ? 2.0 : -1.0) +
           size * std::sin(2 * math::pi * (phase + 0.1 * static_cast<double>(angle)));
}

/// Angles that a cycle plays: those of the pelvis and of the joints of the leg.
constexpr std::array<std::size_t, 11> played = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11};

/// A reported cycle with all angles of the legs; pelvis curves are one body's.
model::GaitCycle nine_angles() {
    model::GaitCycle cycle;
    for (const Side side : {Side::left, Side::right}) {
        for (const std::size_t a : played) {
            if (a < 3 && side == Side::right) continue;
            model::GaitVariable variable{std::string(info(curve_at(a)).variable), side, 1, {}};
            for (int k = 0; k <= 100; ++k) variable.values.push_back(wave(a, side, k / 100.0));
            cycle.variables.push_back(std::move(variable));
        }
        cycle.variables.push_back({"StrideTime", side, 1, {1.0}});
        cycle.variables.push_back({"OppositeFootContact", side, 1, {50}});
    }
    return cycle;
}

TEST(GaitTraces, PlayedCurvesAreReadBack) {
    // Angles to a moving skeleton and back: signs, orders and offsets of all nine angles on both sides.
    const model::Character body = play_cycle(nine_angles());
    const GaitTraces angles = angles_from_clip(body.skeleton, body.clips[0], Vec3d::UnitZ());
    const std::size_t frames = model::frame_count(body.clips[0]);
    for (const Side side : {Side::left, Side::right}) {
        for (const std::size_t a : played) {
            const std::vector<double>& curve = angles.of(side, curve_at(a));
            ASSERT_EQ(curve.size(), frames);
            for (std::size_t f = 0; f < frames; ++f) {
                const double phase = static_cast<double>(f) / static_cast<double>(frames - 1);
                if (a < 3) {
                    // The other side sees the same pelvis: tilt equal, obliquity and rotation opposite.
                    const double sign = side == Side::left || a == 0 ? 1 : -1;
                    EXPECT_NEAR(curve[f], sign * wave(a, Side::left, phase), 0.15) << a;
                } else {
                    const double own = side == Side::left ? phase : phase - 0.5;
                    EXPECT_NEAR(curve[f], wave(a, side, own - std::floor(own)), 0.15) << a << ' ' << f;
                }
            }
        }
    }
}

// Mocap test 29: pure flexions of 20 degrees are +20 on both sides.
TEST(GaitTraces, PureFlexionIsPositiveOnBothSides) {
    const model::Character& man = the_man();
    const auto rotation = [&](const char* name, double degrees) {
        model::Track track;
        track.joint = man.skeleton.find(name);
        track.rotation.times = model::KeyTimes::even(0, 1, 2);
        const auto world = model::rest_world_matrices(man.skeleton);
        const Quatd above = math::decompose(world[static_cast<std::size_t>(track.joint)]).transform.rotation;
        const Quatd local =
            above.conjugate() * math::axis_angle<double>(Vec3d::UnitX(), math::radians(degrees)) * above;
        const Quatd rest = man.skeleton.joints[static_cast<std::size_t>(track.joint)].rest.rotation;
        track.rotation.values.assign(2, (rest * local).cast<float>());
        return track;
    };
    const auto angle = [&](const model::Track& track, Side side, GaitCurve which) {
        model::Clip clip, still;
        clip.tracks = {track};
        still.tracks = {track};
        for (auto& q : still.tracks[0].rotation.values)
            q = man.skeleton.joints[static_cast<std::size_t>(track.joint)].rest.rotation.cast<float>();
        return angles_from_clip(man.skeleton, clip, Vec3d::UnitZ()).of(side, which)[0] -
               angles_from_clip(man.skeleton, still, Vec3d::UnitZ()).of(side, which)[0];
    };
    // About +x (left): down-pointing bones go back, so hips flex by negative turns and knees by positive
    // ones.
    EXPECT_NEAR(angle(rotation("LeftUpperLeg", -20), Side::left, GaitCurve::hip_flexion), 20, 0.5);
    EXPECT_NEAR(angle(rotation("RightUpperLeg", -20), Side::right, GaitCurve::hip_flexion), 20, 0.5);
    EXPECT_NEAR(angle(rotation("LeftLowerLeg", 20), Side::left, GaitCurve::knee_flexion), 20, 0.5);
    EXPECT_NEAR(angle(rotation("RightLowerLeg", 20), Side::right, GaitCurve::knee_flexion), 20, 0.5);
    EXPECT_NEAR(angle(rotation("LeftFoot", -20), Side::left, GaitCurve::ankle_dorsiflexion), 20, 0.5);
    EXPECT_NEAR(angle(rotation("RightFoot", -20), Side::right, GaitCurve::ankle_dorsiflexion), 20, 0.5);
    EXPECT_NEAR(angle(rotation("Hips", 20), Side::left, GaitCurve::pelvic_tilt), 20, 0.5);
    EXPECT_NEAR(angle(rotation("Hips", 20), Side::right, GaitCurve::pelvic_tilt), 20, 0.5);
}

TEST(GaitCycles, PhasesFromEventsAndSupports) {
    GaitMotion motion;
    motion.rate = 100;
    const std::vector<GaitEvent> events = {
        strike(Side::left, 1), off(Side::right, 1.1), strike(Side::right, 1.5), off(Side::left, 1.62),
        strike(Side::left, 2), off(Side::right, 2.1), strike(Side::right, 2.5)};
    const auto cycles = find_cycles(events, motion);
    ASSERT_EQ(cycles.size(), 2u);
    EXPECT_EQ(cycles[0].side, Side::left);
    EXPECT_NEAR(cycles[0].phases[1], 10, 1e-9);
    EXPECT_NEAR(cycles[0].phases[2], 30, 1e-9);
    EXPECT_NEAR(cycles[0].phases[3], 50, 1e-9);
    EXPECT_NEAR(cycles[0].phases[4], 62, 1e-9);
    EXPECT_TRUE(std::isnan(cycles[0].phases[5])) << "there are no points that tell";
    EXPECT_NEAR(*single_support(cycles[0]), 40, 1e-9);
    EXPECT_NEAR(*double_support(cycles[0]), 22, 1e-9);
}

TEST(GaitCycles, WithoutEventsNoPhaseIsKnown) {
    GaitMotion motion;
    motion.rate = 100;
    const auto cycles = find_cycles(std::vector{strike(Side::right, 0), strike(Side::right, 1.2)}, motion);
    ASSERT_EQ(cycles.size(), 1u);
    EXPECT_EQ(cycles[0].phases.front(), 0);
    EXPECT_EQ(cycles[0].phases.back(), 100);
    for (std::size_t p = 1; p < phase_count; ++p) EXPECT_TRUE(std::isnan(cycles[0].phases[p])) << p;
    EXPECT_FALSE(double_support(cycles[0]).has_value());
    EXPECT_TRUE(find_cycles(std::vector{strike(Side::left, 0), strike(Side::left, 0.2)}, motion).empty());
    EXPECT_TRUE(find_cycles(std::vector{strike(Side::left, 0), strike(Side::left, 9)}, motion).empty());
    EXPECT_TRUE(find_cycles({}, motion).empty());
}

TEST(GaitCycles, TwoStepsWithoutTheStrikeBetweenAreNoCycle) {
    GaitMotion motion;
    motion.rate = 100;
    const std::vector<GaitEvent> events = {strike(Side::left, 1), off(Side::left, 1.6),
                                           off(Side::left, 2.6),  strike(Side::left, 3),
                                           off(Side::left, 3.6),  strike(Side::left, 4)};
    const auto cycles = find_cycles(events, motion);
    ASSERT_EQ(cycles.size(), 1u);
    EXPECT_EQ(cycles[0].start, 3);
}

/// A recording without markers, of which only the events are known.
model::Trial trial_of_events(std::size_t frames, const std::vector<GaitEvent>& events) {
    model::Trial trial;
    trial.rate = 100;
    trial.frames = frames;
    for (const GaitEvent& event : events)
        trial.events.push_back({std::string(name_of(event.kind)), std::string(model::name_of(event.side)),
                                event.time, "", "", false});
    return trial;
}

bool notes_say(const GaitAnalysis& a, const char* words) {
    return std::ranges::any_of(
        a.notes, [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

TEST(GaitCycles, EventsOutsideTheRecordingMakeNone) {
    const std::vector<GaitEvent> events = {strike(Side::left, 0.1), strike(Side::left, 1.1),
                                           strike(Side::left, 2.1)};
    const GaitAnalysis cut = analyse_gait(trial_of_events(150, events));
    EXPECT_EQ(cut.cycles.size(), 1u);
    EXPECT_TRUE(notes_say(cut, "an event outside the recording, which ends at 1.49 s, is not used"));
    EXPECT_EQ(analyse_gait(trial_of_events(211, events)).cycles.size(), 2u);
}

TEST(GaitCycles, RunsAndMissedStepsAreToldSo) {
    std::vector<GaitEvent> events;
    for (const double time : {0.1, 0.8, 1.5}) {
        events.push_back(strike(Side::left, time)), events.push_back(off(Side::left, time + 0.25));
        events.push_back(strike(Side::right, time + 0.35)), events.push_back(off(Side::right, time + 0.6));
    }
    EXPECT_TRUE(notes_say(analyse_gait(trial_of_events(300, events)),
                          "the left foot is on the ground for 36 % of its cycle: a run or a jump"));
    std::erase_if(events, [](const GaitEvent& event) {
        return event.side == Side::right && event.time > 0.8 && event.time < 1.5;
    });
    EXPECT_TRUE(notes_say(analyse_gait(trial_of_events(300, events)),
                          "left strides take 0.70 s and right ones 1.40 s"));
}

TEST(GaitCurves, MeanAndDeviationOverCycles) {
    std::vector<double> ramp;
    for (int f = 0; f <= 300; ++f) ramp.push_back(f);
    const auto curve = normalise(ramp, 100, 0.5, 1.5);
    ASSERT_EQ(curve.size(), 101u);
    EXPECT_NEAR(curve[0], 50, 1e-9);
    EXPECT_NEAR(curve[37], 87, 1e-9);
    ramp[100] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(normalise(ramp, 100, 0.5, 1.5).empty());
    EXPECT_TRUE(normalise(ramp, 100, 2.5, 3.5).empty());
    const CycleCurve stats = summarise({{1, 2}, {3, 2}, {5, 2}});
    EXPECT_NEAR(stats.mean[0], 3, 1e-12);
    EXPECT_NEAR(stats.deviation[0], 2, 1e-12);
    EXPECT_NEAR(stats.deviation[1], 0, 1e-12);
    EXPECT_TRUE(summarise({}).empty());
}

TEST(GaitReport, TheSampleWalkIsSymmetricAndHealthy) {
    const model::Character& man = the_man();
    // Two strides of a loop are three cycles when it is played again and again.
    model::Clip walk = *model::find_clip(man, "walk");
    const GaitAnalysis a = analyse_gait(man, walk, {});
    EXPECT_FALSE(a.motion.on_the_spot);
    EXPECT_LT((a.motion.forward - Vec3d::UnitZ()).norm(), 0.02);
    EXPECT_FALSE(a.traces.empty());
    const auto& knee = a.traces.of(Side::left, GaitCurve::knee_flexion);
    EXPECT_NEAR(*std::max_element(knee.begin(), knee.end()), 60, 10);  // Winter 1991
    const auto& hip = a.traces.of(Side::right, GaitCurve::hip_flexion);
    EXPECT_NEAR(*std::max_element(hip.begin(), hip.end()) - *std::min_element(hip.begin(), hip.end()), 45,
                12);
}

TEST(GaitReport, ACycleOfAFileKeepsItsCurves) {
    const GaitAnalysis a = analyse_gait(nine_angles());
    EXPECT_NEAR(a.curve(Side::left, GaitCurve::knee_flexion).mean[30], wave(6, Side::left, 0.3), 1e-9);
    EXPECT_NEAR(*a.sides[0].stride_time, 1, 1e-12);
    const model::GaitCycle back = to_cycle(a);
    EXPECT_NEAR(back.find(Side::right, "HipFlexExt")->at(10), wave(3, Side::right, 0.2), 1e-9);
    EXPECT_NE(to_csv(a).find("angle,left,knee_flexion,30,"), std::string::npos);
    EXPECT_EQ(to_json(a)["angles"]["left"]["knee_flexion"]["mean"].size(), 101u);
}

TEST(GaitReport, TheTableOfAWalkWhoseStepsAreKnown) {
    // Two steps of 0.6 and 0.7 m, 0.18 m apart, obliquely through the room.
    GaitAnalysis a;
    a.rate = a.motion.rate = 100;
    a.motion.frames = 400;
    a.motion.forward = Vec3d(0.6, 0, 0.8);
    const Vec3d aside = Vec3d::UnitY().cross(a.motion.forward);
    const auto stands = [&](Side side, double from, double along, double across) {
        std::vector<Vec3d>& heel = a.motion.leg(side).heel;
        heel.resize(a.motion.frames, Vec3d::Constant(math::nan));
        for (auto f = static_cast<std::size_t>(100 * from); f < a.motion.frames; ++f)
            heel[f] = along * a.motion.forward + across * aside;
    };
    stands(Side::left, 0.9, 0.1, 0.1);
    stands(Side::right, 1.4, 0.7, -0.08);
    stands(Side::left, 2.1, 1.4, 0.1);
    stands(Side::right, 2.6, 2.0, -0.08);
    const std::vector<GaitEvent> events = {
        strike(Side::left, 1),   off(Side::right, 1.12), strike(Side::right, 1.5), off(Side::left, 1.75),
        strike(Side::left, 2.2), off(Side::right, 2.32), strike(Side::right, 2.7)};
    a.cycles = find_cycles(events, a.motion);
    ASSERT_EQ(a.cycles.size(), 2u);
    const auto [left, right] = spatiotemporal(a);
    EXPECT_NEAR(*left.stride_time, 1.2, 1e-9);
    EXPECT_NEAR(*left.cadence, 100, 1e-9);
    EXPECT_NEAR(*left.step_time, 0.7, 1e-9);
    EXPECT_NEAR(*right.step_time, 0.5, 1e-9);
    EXPECT_NEAR(*left.stride_length, 1.3, 1e-9);
    EXPECT_NEAR(*left.step_length, 0.7, 1e-9);
    EXPECT_NEAR(*right.step_length, 0.6, 1e-9);
    EXPECT_NEAR(*left.step_width, 0.18, 1e-9);
    EXPECT_NEAR(*right.speed, 1.3 / 1.2, 1e-9);
    EXPECT_NEAR(*left.stance, 62.5, 1e-9);
    EXPECT_NEAR(*left.single_support, 100 * 0.38 / 1.2, 1e-9);
    EXPECT_NEAR(*left.double_support, 62.5 - 100 * 0.38 / 1.2, 1e-9);
}

TEST(GaitReport, SymmetryIndexOfRobinson) {
    EXPECT_NEAR(*symmetry_index(1.1, 0.9), 20, 1e-9);
    EXPECT_NEAR(*symmetry_index(2, 2), 0, 1e-12);
    EXPECT_FALSE(symmetry_index(1, std::nullopt).has_value());
}

TEST(GaitReport, BadTrialsSayWhatIsMissing) {
    model::Trial empty;
    EXPECT_THROW(analyse_gait(empty), Error);
    empty.frames = 10;
    EXPECT_THROW(analyse_gait(empty), Error);
    empty.rate = 100;
    Collector monitor;
    const GaitAnalysis a = analyse_gait(empty, {}, monitor);
    EXPECT_TRUE(a.cycles.empty() && a.events.events.empty());
    EXPECT_TRUE(monitor.has("gait-incomplete"));
    EXPECT_GE(a.notes.size(), 4u);
}

/// The trial with the samples of two markers exchanged.
void swap_markers(model::Trial& trial, const char* a, const char* b) {
    const auto i = static_cast<std::size_t>(trial.markers.find(a)),
               j = static_cast<std::size_t>(trial.markers.find(b));
    std::swap(trial.markers.info[i].label, trial.markers.info[j].label);
}

TEST(GaitRealData, SwappedLabelsWrongUnitsAndAMissingLegAreToldSo) {
    SINEW_NEEDS_DATA();
    const model::Trial good = io::read(test::data("c3d/PiG_walk.c3d")).trial;
    EXPECT_FALSE(notes_say(analyse_gait(good), "swapped"));
    model::Trial swapped = good;
    for (const auto& [a, b] : {std::pair("LHEE", "RHEE"), std::pair("LTOE", "RTOE"),
                               std::pair("LKNE", "RKNE"), std::pair("LANK", "RANK")})
        swap_markers(swapped, a, b);
    EXPECT_TRUE(notes_say(analyse_gait(swapped), "to the right of the right one"));
    GaitOptions solved;
    solved.angles = AngleSource::solved;
    const GaitAnalysis doubted = analyse_gait(swapped, solved);
    EXPECT_TRUE(notes_say(doubted, "Do not rely on any angle"));
    EXPECT_FALSE(doubted.doubts[1][static_cast<std::size_t>(GaitCurve::pelvic_tilt)].empty());
    EXPECT_TRUE(
        analyse_gait(good, solved).doubts[1][static_cast<std::size_t>(GaitCurve::pelvic_tilt)].empty());
    model::Trial reversed = good;
    swap_markers(reversed, "LHEE", "LTOE");
    EXPECT_TRUE(notes_say(analyse_gait(reversed), "toe is behind its heel"));
    model::Trial units = good;
    units.to_world.scale *= 0.1;
    EXPECT_TRUE(notes_say(analyse_gait(units), "units or the axes"));
    model::Trial one_leg = good;
    for (const char* label : {"RHEE", "RTOE", "RANK", "RKNE"})
        one_leg.markers.info[static_cast<std::size_t>(one_leg.markers.find(label))].label =
            std::string("*") + label;
    const GaitAnalysis half = analyse_gait(one_leg);
    EXPECT_TRUE(notes_say(half, "not found: right heel"));
    EXPECT_FALSE(half.sides[1].stride_length.has_value());
}

TEST(GaitPartial, GhostAndMeasuredPartsMakeTheWhole) {
    const model::Character& man = the_man();
    const std::vector<bool> lower = lower_body_joints(man.skeleton);
    EXPECT_TRUE(lower[static_cast<std::size_t>(man.skeleton.find("LeftLowerLeg"))]);
    EXPECT_FALSE(lower[static_cast<std::size_t>(man.skeleton.find("Head"))]);
    const model::Character legs = part_of(man, lower, true), rest = part_of(man, lower, false);
    EXPECT_EQ(legs.mesh.triangles.size() + rest.mesh.triangles.size(), man.mesh.triangles.size());
    EXPECT_GT(legs.mesh.triangles.size(), 100u);
    model::validate(legs, "legs");
    model::validate(rest, "rest");
    const auto world = model::joint_positions(model::rest_world_matrices(man.skeleton));
    const double hips = world[static_cast<std::size_t>(man.skeleton.find("Hips"))].y();
    for (const auto& t : legs.mesh.triangles)
        EXPECT_LT(static_cast<double>(legs.mesh.positions[t[0]].y()), hips + 0.25);
}

TEST(GaitRealData, ReportsOfPlugInGaitTrials) {
    SINEW_NEEDS_DATA();
    for (const char* name : {"c3d/PiG_walk.c3d", "c3d/PlugInC3D.c3d"}) {
        const GaitAnalysis a = analyse_gait(io::read(test::data(name)).trial);
        EXPECT_GE(a.cycles.size(), 2u) << name;
        EXPECT_EQ(a.reference, "file");
        EXPECT_EQ(a.rules.size(), event_rules().size());
        for (const SpatioTemporal& side : a.sides) {
            ASSERT_TRUE(side.speed && side.stance && side.double_support && side.step_length) << name;
            EXPECT_GT(*side.speed, 0.8);
            EXPECT_LT(*side.speed, 1.6);
            EXPECT_GT(*side.stance, 50);
            EXPECT_LT(*side.stance, 70);
            EXPECT_NEAR(*side.cadence, 110, 20);
        }
        for (std::size_t i = 0; i < sheet_angles; ++i)
            EXPECT_FALSE(a.curve(Side::right, curve_at(i)).empty()) << name << ' ' << info(curve_at(i)).key;
        // Knees bend most in swing.
        const auto& knee = a.curve(Side::right, GaitCurve::knee_flexion).mean;
        const auto largest = std::max_element(knee.begin(), knee.end()) - knee.begin();
        EXPECT_GT(largest, 60);
        EXPECT_LT(largest, 85);
    }
}

TEST(GaitRealData, AStaticTrialGivenAsWalkingIsToldSo) {
    SINEW_NEEDS_DATA();
    Collector monitor;
    const GaitAnalysis a = analyse_gait(io::read(test::data("c3d/PiG_static.c3d")).trial, {}, monitor);
    EXPECT_TRUE(a.cycles.empty());
    EXPECT_TRUE(std::ranges::any_of(a.notes, [](const std::string& note) {
        return note.find("not a walking trial") != std::string::npos;
    }));
    EXPECT_TRUE(monitor.has("gait-incomplete"));
}

TEST(GaitRealData, CapturedWalkHasCyclesFromItsSkeleton) {
    SINEW_NEEDS_DATA();
    const model::Character c = io::read(test::data("bvh/cmu_02_01.bvh")).character;
    const GaitAnalysis a = analyse_gait(c, model::trimmed(c.clips[0], 0.02, 2.85));  // without the T-pose
    EXPECT_GE(a.cycles.size(), 1u);
    const auto& knee = a.traces.of(Side::left, GaitCurve::knee_flexion);
    EXPECT_NEAR(*std::max_element(knee.begin(), knee.end()), 62, 15);
}

TEST(GaitReport, PhasesThatWereNotMeasuredAreNotShown) {
    GaitAnalysis analysis;
    EXPECT_EQ(to_csv(analysis).find("phase,"), std::string::npos);
    GaitPage with_film;
    with_film.normal = published_normal();
    const std::string empty = gait_page(with_film, analysis);
    EXPECT_EQ(empty.find("<rect class=\"phase"), std::string::npos);
    EXPECT_NE(empty.find("no complete cycle"), std::string::npos);
    PhaseBoundaries phases = unmeasured_phases;
    phases[4] = 62, phases[5] = 75;
    analysis.phases[0] = phases;
    const std::string table = to_csv(analysis);
    EXPECT_NE(table.find("phase,left,ISw,62.000"), std::string::npos);
    EXPECT_EQ(table.find("phase,left,MSt"), std::string::npos);
    with_film.pictures = {{"", 31, "data:x"}, {"initial swing", 68.5, "data:y"}};
    const std::string page = gait_page(with_film, analysis);
    EXPECT_NE(page.find("phase not measured<br>31 %"), std::string::npos);
    EXPECT_NE(page.find("initial swing<br>68 %"), std::string::npos);
    EXPECT_NE(page.find("phases not measured: events are missing: 0.0 to 62.0 %"), std::string::npos);
    EXPECT_NE(page.find("initial swing: 62.0 to 75.0 %"), std::string::npos);
    EXPECT_EQ(page.find("mid-stance:"), std::string::npos);
}

TEST(GaitCycles, AMeanIsOverTheCyclesThatWereMeasured) {
    PhaseBoundaries first = unmeasured_phases, second = unmeasured_phases;
    first[1] = 10, first[4] = 60, second[4] = 64;
    const PhaseBoundaries mean = mean_phases(std::vector{first, second});
    EXPECT_EQ(mean[1], 10);
    EXPECT_EQ(mean[4], 62);
    EXPECT_TRUE(std::isnan(mean[5]));
    const std::vector<PhaseSpan> spans = measured_spans(mean);
    ASSERT_EQ(spans.size(), 3u);
    EXPECT_TRUE(spans[0].is_phase());
    EXPECT_FALSE(spans[1].is_phase());
    EXPECT_EQ(spans[2].last, phase_count);
}

}  // namespace
}  // namespace sinew::gait
