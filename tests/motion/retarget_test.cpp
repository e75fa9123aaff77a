// SPDX-License-Identifier: MIT
#include "sinew/motion/retarget.h"

#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/model/character.h"
#include "sinew/sample/samples.h"

namespace sinew::motion {
namespace retarget_test {

using math::Mat4d;
using math::pi;
using math::Quatd;
using math::Vec3d;
using math::Vec3f;
using model::Clip;
using model::Skeleton;
using model::Transform;

/// Made once: his surface takes a while.
const model::Character& the_man() {
    static const model::Character man = sample::make("man");
    return man;
}

Transform at(double x, double y, double z = 0, const Quatd& turn = Quatd::Identity()) {
    return {Vec3d(x, y, z), turn, Vec3d::Ones()};
}

/// A body whose arms hang by `droop` radians below the horizontal; every joint frame may be turned at will
/// without moving a joint.
Skeleton body(double droop, double size = 1, test::Random* frames = nullptr) {
    Skeleton s;
    const Vec3d left(std::cos(droop), -std::sin(droop), 0), right(-std::cos(droop), -std::sin(droop), 0);
    const auto add = [&](const char* name, int parent, const Vec3d& offset) {
        s.joints.push_back({name, parent, {size * offset, Quatd::Identity(), Vec3d::Ones()}, {}});
    };
    add("Hips", -1, {0, 1, 0});
    add("Spine", 0, {0, 0.2, 0});
    add("Head", 1, {0, 0.4, 0});
    add("LeftArm", 1, {0.2, 0.3, 0});
    add("LeftForeArm", 3, 0.3 * left);
    add("RightArm", 1, {-0.2, 0.3, 0});
    add("RightForeArm", 5, 0.3 * right);
    add("LeftLeg", 0, {0.1, -0.1, 0});
    add("LeftFoot", 7, {0, -0.9, 0});
    add("RightLeg", 0, {-0.1, -0.1, 0});
    add("RightFoot", 9, {0, -0.9, 0});
    s.joints[4].tip = size * 0.25 * left;
    s.joints[6].tip = size * 0.25 * right;
    s.joints[2].tip = size * Vec3d(0, 0.2, 0);
    if (frames == nullptr) return s;
    // New frames F_j in the same positions: local R_j -> F_p^-1 R_j F_j, offsets and tips follow.
    std::vector<Quatd> turn;
    for (auto& joint : s.joints) {
        const Quatd above =
            joint.parent < 0 ? Quatd::Identity() : turn[static_cast<std::size_t>(joint.parent)];
        turn.push_back(frames->rotation());
        joint.rest.translation = above.conjugate() * joint.rest.translation;
        joint.rest.rotation = above.conjugate() * turn.back();
        if (joint.tip) joint.tip = turn.back().conjugate() * *joint.tip;
    }
    return s;
}

/// Every joint turns at random, the hips travel.
Clip dance(const Skeleton& skeleton, test::Random& random, int frames = 20) {
    Clip clip;
    clip.name = "dance";
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        model::Track track;
        track.joint = static_cast<int>(j);
        track.rotation.times = model::KeyTimes::even(0.25, 1.0 / 30, static_cast<std::size_t>(frames));
        for (int f = 0; f < frames; ++f) {
            const Quatd local = skeleton.joints[j].rest.rotation * random.rotation(0.8);
            track.rotation.values.emplace_back(local.cast<float>());
        }
        if (j == 0) {
            track.translation.times = track.rotation.times;
            for (int f = 0; f < frames; ++f) {
                track.translation.values.emplace_back(
                    (skeleton.joints[0].rest.translation + 0.1 * f * Vec3d(0, 0, 1)).cast<float>());
            }
        }
        clip.tracks.push_back(track);
    }
    return clip;
}

std::vector<Vec3d> places(const Skeleton& skeleton, const Clip& clip, double time) {
    return model::joint_positions(model::world_matrices(skeleton, model::sample(clip, skeleton, time)));
}

TEST(Retarget, EqualSkeletonsGiveBackTheMotionItself) {
    test::Random random;
    const Skeleton skeleton = body(0.4, 1, &random);
    const Clip clip = dance(skeleton, random);
    const RetargetResult result = retarget(skeleton, clip, skeleton);
    ASSERT_EQ(result.clip.tracks.size(), clip.tracks.size());
    EXPECT_EQ(result.scale, 1);
    EXPECT_EQ(result.mapped.size(), skeleton.size());
    EXPECT_TRUE(result.unmapped.empty() && result.unused.empty());
    for (std::size_t j = 0; j < clip.tracks.size(); ++j) {
        const auto &a = clip.tracks[j], &b = result.clip.tracks[j];
        EXPECT_EQ(a.joint, b.joint);
        EXPECT_EQ(a.rotation.times, b.rotation.times);
        ASSERT_EQ(a.rotation.values.size(), b.rotation.values.size());
        for (std::size_t f = 0; f < a.rotation.values.size(); ++f) {
            EXPECT_EQ(a.rotation.values[f].coeffs(), b.rotation.values[f].coeffs());
        }
        EXPECT_EQ(a.translation.values, b.translation.values);
    }
}

TEST(Retarget, SampledWayAgreesWithTheCopiedOne) {
    test::Random random;
    const Skeleton skeleton = body(0.4, 1, &random);
    const Clip clip = dance(skeleton, random);
    RetargetOptions options;
    options.rate = 30;  // forces sampling
    const RetargetResult result = retarget(skeleton, clip, skeleton, options);
    validate(result.clip, skeleton.size(), 0, "r");
    for (std::size_t f = 0; f < 20; ++f) {
        const double t = model::frame_time(clip, f);
        const auto a = places(skeleton, clip, t), b = places(skeleton, result.clip, t);
        for (std::size_t j = 0; j < a.size(); ++j) EXPECT_LT((a[j] - b[j]).norm(), 1e-6);
    }
}

TEST(Retarget, OtherJointFramesMoveTheSameJoints) {
    // The same body with other local axes, as files of different vendors have: positions must agree.
    test::Random random;
    const Skeleton source = body(0.4, 1, &random), target = body(0.4, 1, &random);
    const Clip clip = dance(source, random);
    const RetargetResult result = retarget(source, clip, target);
    for (std::size_t f = 0; f < 20; ++f) {
        const double t = model::frame_time(clip, f);
        const auto a = places(source, clip, t), b = places(target, result.clip, t);
        for (std::size_t j = 0; j < a.size(); ++j) EXPECT_LT((a[j] - b[j]).norm(), 1e-6) << f << ' ' << j;
    }
}

// Mocap test 31.
TEST(Retarget, AcrossRestPosesTheBonesPointAlike) {
    test::Random random;
    const Skeleton tee = body(0), hanging = body(0.8, 1, &random);
    for (const bool at_rest : {true, false}) {
        Clip clip = dance(tee, random);
        if (at_rest) {
            for (auto& track : clip.tracks) {
                for (auto& q : track.rotation.values) q = math::Quatf::Identity();
            }
        }
        const RetargetResult result = retarget(tee, clip, hanging);
        for (std::size_t f = 0; f < 20; ++f) {
            const double t = model::frame_time(clip, f);
            const auto a = model::bones(tee, model::world_matrices(tee, model::sample(clip, tee, t)));
            const auto b =
                model::bones(hanging, model::world_matrices(hanging, model::sample(result.clip, hanging, t)));
            ASSERT_EQ(a.size(), b.size());
            for (std::size_t i = 0; i < a.size(); ++i) {
                EXPECT_LT(
                    ((a[i].end - a[i].start).normalized() - (b[i].end - b[i].start).normalized()).norm(),
                    1e-6)
                    << tee.joints[static_cast<std::size_t>(a[i].joint)].name;
            }
        }
    }
}

TEST(Retarget, RootTravelsByTheHipHeight) {
    test::Random random;
    const Skeleton source = body(0), target = body(0, 2.5);
    const Clip clip = dance(source, random);
    const RetargetResult result = retarget(source, clip, target);
    EXPECT_NEAR(result.scale, 2.5, 1e-12);
    const Vec3d end = places(target, result.clip, 0.25 + 19.0 / 30)[0];
    EXPECT_LT((end - Vec3d(0, 2.5, 2.5 * 1.9)).norm(), 1e-5);
    RetargetOptions options;
    options.scale = 1;
    EXPECT_LT(
        (places(target, retarget(source, clip, target, options).clip, 9)[0] - Vec3d(0, 2.5, 1.9)).norm(),
        1e-5);
}

TEST(Retarget, HipHeightOnTheGroundFallsBackToTheSize) {
    // A snake: the root lies as low as everything else.
    Skeleton small, large;
    for (int j = 0; j < 4; ++j) {
        small.joints.push_back({"s" + std::to_string(j), j - 1, at(j == 0 ? 0 : 1, 0), {}});
        large.joints.push_back({"s" + std::to_string(j), j - 1, at(j == 0 ? 0 : 3, 0), {}});
    }
    EXPECT_EQ(rest_height(small, 0), 0);
    test::Random random;
    EXPECT_NEAR(retarget(small, dance(small, random), large).scale, 3, 1e-12);
}

TEST(Retarget, UnmappedJointsRestAndAreAbsorbed) {
    test::Random random;
    Skeleton source = body(0), target = body(0);
    // The source has no spine of that name; the target a root above the hips and a finger of its own.
    source.joints[1].name = "Gadget";
    target.joints.insert(target.joints.begin(), {"Scene", -1, at(0, 0, 0, random.rotation()), {}});
    for (std::size_t j = 1; j < target.size(); ++j) ++target.joints[j].parent;
    target.joints[1].rest.translation =
        target.joints[0].rest.rotation.conjugate() * target.joints[1].rest.translation;
    target.joints[1].rest.rotation = target.joints[0].rest.rotation.conjugate();
    target.joints.push_back({"Finger", 5, at(0.1, 0), {}});
    const Clip clip = dance(source, random);
    const RetargetResult result = retarget(source, clip, target);
    validate(result.clip, target.size(), 0, "r");
    EXPECT_EQ(result.unmapped, (std::vector<std::string>{"Scene", "Spine", "Finger"}));
    EXPECT_EQ(result.unused, (std::vector<std::string>{"Gadget"}));
    const double t = model::frame_time(clip, 7);
    const auto a = places(source, clip, t), b = places(target, result.clip, t);
    EXPECT_LT((a[0] - b[1]).norm(), 1e-6);
    // Arms and legs point as in the source although the spine between them rests.
    EXPECT_LT(((a[4] - a[3]) - (b[5] - b[4])).norm(), 1e-6);
    EXPECT_LT(((a[8] - a[7]) - (b[9] - b[8])).norm(), 1e-6);
    const auto local = model::sample(result.clip, target, t);
    EXPECT_EQ(local[2].rotation.coeffs(), target.joints[2].rest.rotation.coeffs());
}

TEST(Retarget, NothingMappedNamesBothSides) {
    Skeleton other;
    other.joints.push_back({"Wheel", -1, {}, {}});
    test::Random random;
    try {
        retarget(body(0), dance(body(0), random), other);
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_NE(error.reason().find("Hips"), std::string::npos);
        EXPECT_NE(error.reason().find("Wheel"), std::string::npos);
    }
    EXPECT_THROW(retarget(body(0), {}, other, JointMap{5, 6}), Error);
    EXPECT_THROW(retarget(body(0), {}, other, JointMap{99}), Error);
}

TEST(Retarget, StretchIsSaidToBeDropped) {
    test::Random random;
    const Skeleton source = body(0), target = body(0, 2);
    Clip clip = dance(source, random);
    clip.tracks[4].translation = {model::KeyTimes::even(0, 1, 2), {{0, 0, 0}, {1, 0, 0}}, {}};
    Collector monitor;
    retarget(source, clip, target, RetargetOptions{}, monitor);
    EXPECT_TRUE(monitor.has("retarget-stretch"));
    EXPECT_TRUE(retarget(source, Clip{}, target).clip.empty());
}

// --- Facing, chains, feet, twist, staying in place.

/// The same body turned about the vertical.
Skeleton turned(const Skeleton& skeleton, double degrees) {
    Skeleton result = skeleton;
    const Quatd turn = math::axis_angle<double>(Vec3d::UnitY(), math::radians(degrees));
    result.joints[0].rest.translation = turn * result.joints[0].rest.translation;
    result.joints[0].rest.rotation = turn * result.joints[0].rest.rotation;
    return result;
}

TEST(RetargetFacing, ABodyThatFacesElsewhereDoesTheSameInItsOwnDirection) {
    test::Random random;
    const Skeleton source = body(0.3);
    for (const double degrees : {90.0, -120.0, 180.0}) {
        const Skeleton target = turned(body(0.3), degrees);
        const Clip clip = dance(source, random);
        const RetargetResult result = retarget(source, clip, target);
        EXPECT_NEAR(math::degrees(std::abs(result.facing)), std::abs(degrees), 1e-6);
        const Quatd turn = math::axis_angle<double>(Vec3d::UnitY(), math::radians(degrees));
        for (std::size_t f = 0; f < 20; f += 3) {
            const double t = model::frame_time(clip, f);
            const auto a = places(source, clip, t), b = places(target, result.clip, t);
            for (std::size_t j = 0; j < a.size(); ++j) EXPECT_LT((turn * a[j] - b[j]).norm(), 1e-5) << j;
        }
    }
    RetargetOptions options;
    options.align_facing = false;
    EXPECT_EQ(retarget(source, dance(source, random), turned(source, 90), options).facing, 0);
}

/// Hips, a spine of `count` joints, and a head.
Skeleton spine_of(int count) {
    Skeleton s;
    s.joints.push_back({"Hips", -1, at(0, 1), {}});
    for (int i = 1; i <= count; ++i)
        s.joints.push_back({"Spine" + std::to_string(i), i - 1, at(0, 0.6 / count), {}});
    s.joints.push_back({"Neck", count, at(0, 0.6 / count), {}});
    s.joints.push_back({"Head", count + 1, at(0, 0.1), {}});
    return s;
}

TEST(RetargetChains, SpinesOfDifferentLengthsShareTheBend) {
    for (const auto& [from, to] : {std::pair(2, 4), std::pair(4, 2), std::pair(3, 1), std::pair(1, 3)}) {
        const Skeleton source = spine_of(from), target = spine_of(to);
        Clip clip;
        const double bend = math::radians(60) / from;  // every joint bends alike
        for (int j = 1; j <= from; ++j) {
            model::Track track;
            track.joint = j;
            track.rotation.times = model::KeyTimes::even(0, 1, 2);
            track.rotation.values.assign(2, math::axis_angle<double>(Vec3d::UnitX(), bend).cast<float>());
            clip.tracks.push_back(track);
        }
        const RetargetResult result = retarget(source, clip, target);
        const auto local = model::sample(result.clip, target, 0.5);
        for (int j = 1; j <= to; ++j) {
            const Vec3d turn = math::rotation_vector(local[static_cast<std::size_t>(j)].rotation);
            EXPECT_NEAR(math::degrees(turn.x()), 60.0 / to, 1e-4) << from << " onto " << to;
        }
        EXPECT_LT(math::rotation_vector(local[static_cast<std::size_t>(to) + 1].rotation).norm(), 1e-5);
    }
}

/// Sample walk onto a man with longer shins: without care his feet slide.
TEST(RetargetFeet, StandingFeetStandOnOtherLegs) {
    const model::Character& man = the_man();
    Skeleton target = man.skeleton;
    for (const char* name : {"LeftFoot", "RightFoot"})
        target.joints[static_cast<std::size_t>(target.find(name))].rest.translation *= 1.25;
    const Clip& walk = *model::find_clip(man, "walk");
    RetargetOptions options;
    options.foot_contacts = false;
    const RetargetResult loose = retarget(man.skeleton, walk, target, options);
    const RetargetResult pinned = retarget(man.skeleton, walk, target);
    ASSERT_EQ(pinned.feet.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_GT(pinned.feet[i].contacts.size(), 0u);
        EXPECT_GT(loose.feet[i].slide.largest, 0.3);
        EXPECT_LT(pinned.feet[i].slide.largest, 0.1);
        EXPECT_TRUE(pinned.feet[i].pinned);
    }
    // Measured again from the clip itself.
    const auto& foot = pinned.feet[0];
    const auto toe = static_cast<std::size_t>(target.find("LeftToes"));
    for (const Contact& contact : foot.contacts) {
        const Vec3d first = places(target, pinned.clip, model::frame_time(walk, contact.first))[toe];
        for (std::size_t f = contact.first; f <= contact.last; ++f)
            EXPECT_LT((places(target, pinned.clip, model::frame_time(walk, f))[toe] - first).norm(), 0.01);
    }
}

TEST(RetargetFeet, SolesStayFlatWhateverTheHeightOfTheAnkle) {
    // Ankles twice as high over the same toes: the bone from ankle to toes is steeper, the sole is not.
    const Skeleton& source = the_man().skeleton;
    Skeleton target = source;
    const auto toes = static_cast<std::size_t>(target.find("LeftToes"));
    target.joints[toes].rest.translation.y() -= 0.08;
    Clip still;
    model::Track track;
    track.joint = 0;
    track.rotation.times = model::KeyTimes::even(0, 1, 2);
    track.rotation.values.assign(2, source.joints[0].rest.rotation.cast<float>());
    still.tracks = {track};
    RetargetOptions options;
    options.foot_contacts = false;
    options.rate = 1;
    const auto local = model::sample(retarget(source, still, target, options).clip, target, 0);
    const auto foot = static_cast<std::size_t>(target.find("LeftFoot"));
    EXPECT_LT(math::angle_between(local[foot].rotation, target.joints[foot].rest.rotation), 1e-6);
}

/// Rotations of a joint in the world, its own rest rotation taken away.
Quatd turned_by(const Skeleton& skeleton, const Clip& clip, double time, const char* name) {
    const auto joint = static_cast<std::size_t>(skeleton.find(name));
    const auto rotation = [&](const Mat4d& m) { return math::decompose(m).transform.rotation; };
    return rotation(model::world_matrices(skeleton, model::sample(clip, skeleton, time))[joint]) *
           rotation(model::rest_world_matrices(skeleton)[joint]).conjugate();
}

/// A clip in which the hips keep their place at rest.
Clip standing_still(const Skeleton& skeleton) {
    Clip still;
    model::Track track;
    track.joint = 0;
    track.rotation.times = model::KeyTimes::even(0, 1, 2);
    track.rotation.values.assign(2, skeleton.joints[0].rest.rotation.cast<float>());
    still.tracks = {track};
    return still;
}

TEST(RetargetShape, AHunchedBackStaysHunchedAndALevelHeadLevel) {
    const Skeleton& source = the_man().skeleton;
    Skeleton target = source;
    const auto joint = [&](const char* name) -> model::Joint& {
        return target.joints[static_cast<std::size_t>(target.find(name))];
    };
    joint("Neck").rest.translation.z() += 0.06;  // the head hangs forward
    joint("Head").rest.translation.z() += 0.05;
    joint("Head").tip = Vec3d(0.08, 0.1, 0.05);  // and its tip is in an ear
    RetargetOptions options;
    options.foot_contacts = false;
    options.rate = 1;
    const Clip clip = retarget(source, standing_still(source), target, options).clip;
    for (const char* name : {"Spine", "Neck", "Head"})
        EXPECT_LT(math::rotation_vector(turned_by(target, clip, 0, name)).norm(), 1e-5) << name;
}

TEST(RetargetShape, ABodyThatLiesAtRestGetsUp) {
    const Skeleton& source = the_man().skeleton;
    Skeleton target = source;
    const Quatd lying = math::axis_angle<double>(Vec3d::UnitX(), -pi / 2);
    target.joints[0].rest.rotation = lying * target.joints[0].rest.rotation;
    target.joints[0].rest.translation.y() = 0.2;
    RetargetOptions options;
    options.foot_contacts = false;
    options.rate = 1;
    const Clip clip = retarget(source, standing_still(source), target, options).clip;
    const auto have = places(target, clip, 0);
    const Vec3d trunk = have[static_cast<std::size_t>(target.find("Head"))] - have[0];
    EXPECT_GT(trunk.normalized().y(), 0.95);
}

TEST(RetargetFeet, ToesStraightBelowTheAnkleTurnNoFoot) {
    const Skeleton& source = the_man().skeleton;
    Skeleton target = source;
    for (const char* name : {"LeftToes", "RightToes"})
        target.joints[static_cast<std::size_t>(target.find(name))].rest.translation = Vec3d(0, -0.07, 0.005);
    RetargetOptions options;
    options.foot_contacts = false;
    options.rate = 1;
    const Clip clip = retarget(source, standing_still(source), target, options).clip;
    for (const char* name : {"LeftFoot", "RightFoot"})
        EXPECT_LT(math::degrees(math::rotation_vector(turned_by(target, clip, 0, name)).norm()), 1) << name;
}

/// Lowest of some points in each frame of a clip.
std::vector<double> lowest_of(const Skeleton& skeleton, const Clip& clip, std::span<const SolePoint> points) {
    std::vector<double> lowest;
    for (std::size_t f = 0; f < model::frame_count(clip); ++f) {
        const auto world =
            model::world_matrices(skeleton, model::sample(clip, skeleton, model::frame_time(clip, f)));
        double low = 1e9;
        for (const SolePoint& point : points)
            low = std::min(
                low, math::transform_point(world[static_cast<std::size_t>(point.joint)], point.offset).y());
        lowest.push_back(low);
    }
    return lowest;
}

TEST(RetargetFeet, LongShoesDoNotGoThroughTheFloor) {
    const model::Character& man = the_man();
    Skeleton target = man.skeleton;
    for (model::Joint& joint : target.joints) joint.rest.translation *= 1.1;
    // A shoe as long as a clown's, without toes that bend: heel and tip, 2 cm above the floor at rest.
    RetargetOptions options;
    const auto rest = model::rest_world_matrices(target);
    for (const std::size_t side : {0u, 1u}) {
        const int foot = target.find(side == 0 ? "LeftFoot" : "RightFoot");
        const Mat4d& frame = rest[static_cast<std::size_t>(foot)];
        const Vec3d ankle = frame.topRightCorner<3, 1>();
        for (const double ahead : {-0.08, 0.4}) {
            const Vec3d point(ankle.x(), 0.02, ankle.z() + ahead);
            options.soles[side].push_back({foot, math::transform_point(math::inverse_affine(frame), point)});
        }
    }
    const Clip& walk = *model::find_clip(man, "walk");
    const RetargetResult shod = retarget(man.skeleton, walk, target, options);
    RetargetOptions bare;
    const RetargetResult unshod = retarget(man.skeleton, walk, target, bare);
    for (const std::size_t side : {0u, 1u}) {
        const auto with = lowest_of(target, shod.clip, options.soles[side]),
                   without = lowest_of(target, unshod.clip, options.soles[side]);
        EXPECT_GT(*std::ranges::min_element(with), 0.02 - 1e-3);
        EXPECT_LT(*std::ranges::min_element(without), -0.02);
        EXPECT_LT(*std::ranges::min_element(with), 0.02 + 1e-3) << "and stands on the floor";
    }
}

TEST(RetargetFeet, FeetGoApartAndStillStand) {
    const model::Character& man = the_man();
    Skeleton target = man.skeleton;
    for (model::Joint& joint : target.joints) joint.rest.translation *= 1.2;
    const Clip& walk = *model::find_clip(man, "walk");
    RetargetOptions options;
    const auto width = [&](const RetargetResult& result) {
        double sum = 0;
        const std::size_t count = model::frame_count(walk);
        for (std::size_t f = 0; f < count; ++f) {
            const auto have = places(target, result.clip, model::frame_time(walk, f));
            sum += have[static_cast<std::size_t>(target.find("LeftFoot"))].x() -
                   have[static_cast<std::size_t>(target.find("RightFoot"))].x();
        }
        return sum / static_cast<double>(count);
    };
    const RetargetResult narrow = retarget(man.skeleton, walk, target, options);
    options.step_width = 0.2;
    const RetargetResult wide = retarget(man.skeleton, walk, target, options);
    const auto bone = [&](const char* name) {
        return target.joints[static_cast<std::size_t>(target.find(name))].rest.translation.norm();
    };
    const double leg = bone("LeftLowerLeg") + bone("LeftFoot");
    EXPECT_NEAR(width(wide) - width(narrow), 0.2 * leg, 0.03 * leg);
    for (const FootPlant& foot : wide.feet) EXPECT_LT(foot.slide.largest, 0.1);
}

TEST(RetargetFeet, AllFourFeetOfAnAnimalStand) {
    const model::Character horse = sample::make("horse"), cat = sample::make("cat");
    EXPECT_TRUE(stands_on_four(horse.skeleton) && stands_on_four(cat.skeleton));
    EXPECT_FALSE(stands_on_four(the_man().skeleton));
    RetargetOptions options;
    options.foot_contacts = false;
    const RetargetResult loose = retarget(horse.skeleton, horse.clips.at(0), cat.skeleton, options);
    const RetargetResult pinned = retarget(horse.skeleton, horse.clips.at(0), cat.skeleton);
    ASSERT_EQ(pinned.feet.size(), 4u);
    EXPECT_TRUE(pinned.feet[2].front && pinned.feet[3].front);
    double slid = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_GT(pinned.feet[i].contacts.size(), 0u) << i;
        EXPECT_LT(pinned.feet[i].slide.largest, 0.3) << i;
        slid = std::max(slid, loose.feet[i].slide.largest);
    }
    EXPECT_GT(slid, 0.5) << "or there is nothing to pin";
}

TEST(RetargetInPlace, TheRootKeepsItsSwayButDoesNotTravel) {
    const model::Character& man = the_man();
    const Clip& walk = *model::find_clip(man, "walk");
    RetargetOptions options;
    options.in_place = true;
    const RetargetResult result = retarget(man.skeleton, walk, man.skeleton, options);
    const model::TimeRange range = model::time_range(walk);
    const Vec3d start = places(man.skeleton, result.clip, range.start)[0],
                end = places(man.skeleton, result.clip, range.end)[0];
    EXPECT_GT((places(man.skeleton, walk, range.end)[0] - places(man.skeleton, walk, range.start)[0]).norm(),
              1);
    EXPECT_LT((end - start).norm(), 0.05);
}

TEST(RetargetTwist, ForearmsTakeTheirShareOfTheHand) {
    const Skeleton& s = the_man().skeleton;
    const auto hand = static_cast<std::size_t>(s.find("LeftHand")),
               arm = static_cast<std::size_t>(s.find("LeftLowerArm"));
    const Vec3d axis = s.joints[hand].rest.translation.normalized();
    Clip clip;
    model::Track track;
    track.joint = static_cast<int>(hand);
    track.rotation.times = model::KeyTimes::even(0, 1, 2);
    track.rotation.values.assign(
        2, (math::axis_angle<double>(axis, 1.0) * s.joints[hand].rest.rotation).cast<float>());
    clip.tracks = {track};
    RetargetOptions options;
    options.forearm_twist = 0.5;
    options.rate = 1;
    const RetargetResult result = retarget(s, clip, s, options);
    const auto local = model::sample(result.clip, s, 0);
    EXPECT_NEAR(
        math::rotation_vector(Quatd(s.joints[arm].rest.rotation.conjugate() * local[arm].rotation)).norm(),
        0.5, 1e-5);
    const auto world = model::world_matrices(s, local),
               before = model::world_matrices(s, model::sample(clip, s, 0));
    EXPECT_LT((world[hand] - before[hand]).norm(), 1e-5);  // the hand is where it was
}

/// The man as animators rig for handles: legs beside the hips on a pelvis without a name, feet on the root.
Skeleton with_handles(const Skeleton& man) {
    const auto world = model::rest_world_matrices(man);
    Skeleton rig;
    const auto add = [&](const std::string& name, int parent, const Mat4d& place) {
        const Mat4d above = parent < 0 ? Mat4d(Mat4d::Identity())
                                       : model::rest_world_matrices(rig)[static_cast<std::size_t>(parent)];
        rig.joints.push_back(
            {name, parent, math::decompose(math::inverse_affine(above) * place).transform, {}});
        return static_cast<int>(rig.joints.size()) - 1;
    };
    const auto at_joint = [&](const std::string& name) {
        return world[static_cast<std::size_t>(man.find(name))];
    };
    add("handle", -1, Mat4d::Identity());
    add("LeftFoot", 0, at_joint("LeftFoot"));
    add("carrier", 0, at_joint("Hips"));
    for (const char* side : {"Left", "Right"}) {
        const int thigh = add(side + std::string("UpperLeg"), 2, at_joint(side + std::string("UpperLeg")));
        add(side + std::string("LowerLeg"), thigh, at_joint(side + std::string("LowerLeg")));
    }
    const int hips = add("Hips", 2, at_joint("Hips"));
    add("Spine", hips, at_joint("Spine"));
    add("RightFoot", 0, at_joint("RightFoot"));
    return rig;
}

TEST(RetargetLoose, PartsThatARigKeepsApartGoWithTheBody) {
    const Skeleton& man = the_man().skeleton;
    const Clip& walk = *model::find_clip(the_man(), "walk");
    const Skeleton rig = with_handles(man);
    RetargetOptions options;
    options.scale = 1;
    options.foot_contacts = false;
    const RetargetResult result = retarget(man, walk, rig, options);
    model::validate(result.clip, rig.size(), 0, "test");
    for (std::size_t f = 0; f < model::frame_count(walk); f += 17) {
        const double t = model::frame_time(walk, f);
        const auto want = places(man, walk, t), have = places(rig, result.clip, t);
        for (std::size_t j = 1; j < rig.size(); ++j) {
            const int same = man.find(rig.joints[j].name == "carrier" ? "Hips" : rig.joints[j].name);
            EXPECT_LT((have[j] - want[static_cast<std::size_t>(same)]).norm(), 0.005)
                << rig.joints[j].name << " in frame " << f;
        }
        EXPECT_LT(have[0].norm(), 1e-6) << "what nothing moves stays";
    }
}

TEST(RetargetLoose, PinnedFeetStayOnTheirShins) {
    const Clip& walk = *model::find_clip(the_man(), "walk");
    const Skeleton rig = with_handles(the_man().skeleton);
    RetargetOptions options;
    options.scale = 0.8;  // so that feet have to be pinned
    const RetargetResult result = retarget(the_man().skeleton, walk, rig, options);
    ASSERT_EQ(result.feet.size(), 2u);
    EXPECT_TRUE(result.feet[0].pinned && result.feet[1].pinned);
    const auto shin = static_cast<std::size_t>(rig.find("LeftLowerLeg")),
               foot = static_cast<std::size_t>(rig.find("LeftFoot"));
    const auto rest = model::joint_positions(model::rest_world_matrices(rig));
    for (std::size_t f = 0; f < model::frame_count(walk); f += 17) {
        const auto have = places(rig, result.clip, model::frame_time(walk, f));
        EXPECT_NEAR((have[foot] - have[shin]).norm(), (rest[foot] - rest[shin]).norm(), 1e-4) << f;
    }
}

}  // namespace retarget_test
}  // namespace sinew::motion
