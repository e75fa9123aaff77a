// SPDX-License-Identifier: MIT
#include <cmath>
#include <initializer_list>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/gait/analysis/marker_paths.h"
#include "sinew/gait/gait.h"
#include "sinew/math/types.h"
#include "sinew/model/roles.h"

namespace sinew::gait {

using math::Quatd;
using math::Vec3d;
using model::Role;
using model::Side;

namespace {

using math::nan;

/// Interpolates gaps of at most `longest` frames linearly.
void bridge_gaps(Path& direction, std::size_t longest) {
    std::size_t last = direction.size();
    for (std::size_t f = 0; f < direction.size(); ++f) {
        if (!direction[f].allFinite()) continue;
        if (last < f && f - last > 1 && f - last - 1 <= longest) {
            for (std::size_t g = last + 1; g < f; ++g) {
                const double t = static_cast<double>(g - last) / static_cast<double>(f - last);
                direction[g] = (1 - t) * direction[last] + t * direction[f];
            }
        }
        last = f;
    }
}

class MarkerFinder {
  public:
    MarkerFinder(const model::Trial& trial, GaitMotion& motion)
        : trial_(trial), motion_(motion), paths_(trial) {}

    /// The first of some positions that was measured, else a computed point of that name; empty when there is
    /// none.
    Path find(const std::string& what, const std::string& side,
              std::initializer_list<std::string_view> positions, std::string_view computed = {}) {
        for (const std::string_view location : positions) {
            const int marker = paths_.map().find(side + std::string(location));
            if (marker >= 0) return path_of(what, paths_.map().markers[at(marker)].point);
        }
        const int point = computed.empty() ? -1 : trial_.markers.find(side + std::string(computed));
        Path direction = point < 0 ? Path() : path_of(what, at(point));
        if (direction.empty()) motion_.missing.push_back(what);
        return direction;
    }

    /// Mean of two positions that must both exist.
    Path mean(const std::string& what, std::string_view a, std::string_view b) {
        Path path = paths_.mean(a, b);
        if (!path.empty()) motion_.found.push_back(fmt::format("{}: {}, {}", what, a, b));
        return path;
    }

  private:
    Path path_of(const std::string& what, std::size_t marker) {
        Path path = paths_.of(marker);
        if (!path.empty()) motion_.found.push_back(what + ": " + trial_.markers.info[marker].label);
        return path;
    }

    const model::Trial& trial_;
    GaitMotion& motion_;
    MarkerPaths paths_;
};

Path find_pelvis(MarkerFinder& finder) {
    for (const auto& [a, b] : {std::pair("LPSI", "RPSI"), std::pair("LASI", "RASI")}) {
        if (Path direction = finder.mean("pelvis", a, b); !direction.empty()) return direction;
    }
    return finder.find("pelvis", "", {"SACR", "PEL1"}, "PELO");
}

/// Mean horizontal direction from heels to toes.
Vec3d foot_direction(const GaitMotion& motion) {
    Vec3d sum = Vec3d::Zero();
    for (const LegPoints& leg : motion.legs) {
        if (leg.heel.empty() || leg.toe.empty()) continue;
        for (std::size_t f = 0; f < motion.frames; ++f) {
            const Vec3d direction = leg.toe[f] - leg.heel[f];
            if (direction.allFinite()) sum += Vec3d(direction.x(), 0, direction.z());
        }
    }
    return sum.norm() > 0 ? Vec3d(sum.normalized()) : Vec3d(Vec3d::Zero());
}

/// Joints of a leg, and the positions of ball and heel of its foot in the frame of the ankle's joint.
struct FootPoints {
    int knee = -1;
    int ankle = -1;
    Vec3d ball_of_foot = Vec3d::Zero();
    Vec3d heel = Vec3d::Zero();
    bool complete() const { return knee >= 0 && ankle >= 0; }
};

FootPoints foot_points(const model::Skeleton& skeleton, const std::vector<model::JointRole>& roles,
                       Side side) {
    FootPoints foot;
    foot.knee = model::find_role(roles, Role::shin, side);
    foot.ankle = model::find_role(roles, Role::foot, side);
    if (!foot.complete()) return foot;
    const auto rest = model::rest_world_matrices(skeleton);
    const Vec3d ankle = rest[at(foot.ankle)].topRightCorner<3, 1>();
    Vec3d ball_of_foot = ankle + Vec3d(0, 0, 0.1);
    const int toe = model::find_role(roles, Role::toe, side);
    const auto& tip = skeleton.joints[at(foot.ankle)].tip;
    if (toe >= 0)
        ball_of_foot = rest[at(toe)].topRightCorner<3, 1>();
    else if (tip)
        ball_of_foot = math::transform_point(rest[at(foot.ankle)], *tip);
    const Vec3d back = (ball_of_foot - ankle) / 3;
    const math::Mat4d to_foot = math::inverse_affine(rest[at(foot.ankle)]);
    foot.ball_of_foot = math::transform_point(to_foot, ball_of_foot);
    foot.heel =
        math::transform_point(to_foot, Vec3d(ankle.x() - back.x(), ball_of_foot.y(), ankle.z() - back.z()));
    return foot;
}

}  // namespace

Path MarkerPaths::of(std::size_t marker) const {
    Path path;
    bool seen = false;
    for (std::size_t f = 0; f < trial_.frames; ++f) {
        const bool valid = trial_.markers.valid(f, marker);
        seen = seen || valid;
        path.push_back(valid ? model::world_position(trial_, f, marker) : Vec3d(nan, nan, nan));
    }
    if (!seen) return {};
    bridge_gaps(path, static_cast<std::size_t>(std::lround(0.1 * trial_.rate)));
    return path;
}

Path MarkerPaths::find(std::string_view location) const {
    const int marker = map_.find(location);
    return marker < 0 ? Path() : of(map_.markers[at(marker)].point);
}

Path MarkerPaths::mean(std::string_view first, std::string_view second) const {
    Path path = find(first);
    const Path other = find(second);
    if (other.empty()) return {};
    for (std::size_t f = 0; f < path.size(); ++f) path[f] = (path[f] + other[f]) / 2;
    return path;
}

void find_progression(GaitMotion& motion) {
    Vec3d first(nan, nan, nan), last = first, mean = Vec3d::Zero();
    std::size_t count = 0;
    for (const Vec3d& position : motion.pelvis) {
        if (!position.allFinite()) continue;
        if (count == 0) first = position;
        last = position;
        mean += position;
        ++count;
    }
    const Vec3d feet = foot_direction(motion);
    Vec3d direction = count > 1 ? Vec3d(last - first) : Vec3d(Vec3d::Zero());
    direction.y() = 0;
    motion.on_the_spot = direction.norm() < 0.5;
    if (motion.on_the_spot) {
        motion.forward = feet.isZero() ? Vec3d(Vec3d::UnitZ()) : feet;
    } else {
        // Principal horizontal direction: half the angle of the second moments.
        mean /= static_cast<double>(count);
        double xx = 0, xz = 0, zz = 0;
        for (const Vec3d& position : motion.pelvis) {
            if (!position.allFinite()) continue;
            const double x = position.x() - mean.x(), z = position.z() - mean.z();
            xx += x * x, xz += x * z, zz += z * z;
        }
        const double angle = 0.5 * std::atan2(2 * xz, xx - zz);
        motion.forward = Vec3d(std::cos(angle), 0, std::sin(angle));
        if (motion.forward.dot(direction) < 0) motion.forward = -motion.forward;
    }
    motion.travel = count > 1 ? direction.dot(motion.forward) : 0;
}

GaitMotion gait_motion(const model::Trial& trial) {
    GaitMotion motion;
    motion.rate = trial.rate;
    motion.frames = trial.frames;
    MarkerFinder finder(trial, motion);
    motion.pelvis = find_pelvis(finder);
    for (const Side side : {Side::left, Side::right}) {
        const std::string name = side == Side::left ? "left" : "right",
                          letter = side == Side::left ? "L" : "R";
        LegPoints& leg = motion.leg(side);
        leg.heel = finder.find(name + " heel", letter, {"HEE"});
        leg.toe = finder.find(name + " toe", letter, {"TOE", "TIP", "MT1", "MT5"});
        leg.ankle = finder.find(name + " ankle", letter, {"ANK"}, "AJC");
        leg.knee = finder.find(name + " knee", letter, {"KNE"}, "KJC");
    }
    find_progression(motion);
    return motion;
}

GaitMotion gait_motion(const model::Skeleton& skeleton, const model::Clip& clip) {
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    const int hips = model::find_role(roles, Role::hips);
    if (hips < 0 || model::find_role(roles, Role::thigh, Side::left) < 0)
        fail("", "the skeleton has no hips and legs");
    GaitMotion motion;
    motion.rate = model::frame_rate(clip);
    motion.frames = model::frame_count(clip);
    if (motion.frames == 0) fail("", "the motion \"{}\" has no frames", clip.name);
    const std::array<FootPoints, 2> feet = {foot_points(skeleton, roles, Side::left),
                                            foot_points(skeleton, roles, Side::right)};
    for (std::size_t f = 0; f < motion.frames; ++f) {
        const auto world =
            model::world_matrices(skeleton, model::sample(clip, skeleton, model::frame_time(clip, f)));
        motion.pelvis.emplace_back(world[at(hips)].topRightCorner<3, 1>());
        for (const std::size_t side : {0u, 1u}) {
            const FootPoints& foot = feet[side];
            if (!foot.complete()) continue;
            LegPoints& leg = motion.legs[side];
            leg.knee.emplace_back(world[at(foot.knee)].topRightCorner<3, 1>());
            leg.ankle.emplace_back(world[at(foot.ankle)].topRightCorner<3, 1>());
            leg.toe.push_back(math::transform_point(world[at(foot.ankle)], foot.ball_of_foot));
            leg.heel.push_back(math::transform_point(world[at(foot.ankle)], foot.heel));
        }
    }
    for (const Side side : {Side::left, Side::right})
        if (motion.leg(side).ankle.empty())
            motion.missing.push_back(side == Side::left ? "left leg" : "right leg");
    find_progression(motion);
    return motion;
}

void copy_points(const GaitMotion& from, GaitMotion& to) {
    const auto copy = [&](const char* what, const Path& direction, Path& own) {
        if (!own.empty() || direction.size() != to.frames) return;
        own = direction;
        std::erase(to.missing, what);
        to.found.push_back(std::string(what) + ": the solved skeleton");
    };
    copy("pelvis", from.pelvis, to.pelvis);
    static constexpr const char* names[2][4] = {{"left heel", "left toe", "left ankle", "left knee"},
                                                {"right heel", "right toe", "right ankle", "right knee"}};
    for (const std::size_t side : {0u, 1u}) {
        const LegPoints& leg = from.legs[side];
        LegPoints& own = to.legs[side];
        copy(names[side][0], leg.heel, own.heel);
        copy(names[side][1], leg.toe, own.toe);
        copy(names[side][2], leg.ankle, own.ankle);
        copy(names[side][3], leg.knee, own.knee);
    }
    find_progression(to);
}

}  // namespace sinew::gait
