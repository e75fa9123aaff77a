// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <deque>

#include "sinew/base/array.h"
#include "sinew/base/parallel.h"
#include "sinew/motion/retarget/frames.h"

namespace sinew::motion {

using math::Quatd;
using math::Vec3d;
using model::Side;

namespace {

/// A step down the tree: from the joint, in its frame, to the next.
struct PathStep {
    int joint;
    Vec3d offset;
};

/// A leg of the target with all that its motion needs.
struct TargetLeg {
    LegJoints joints;
    std::size_t top = 0;           ///< number of the travelling joint above it
    std::vector<PathStep> to_hip;  ///< from the top to the thigh
    Vec3d thigh = Vec3d::Zero();   ///< from hip to knee, in the frame of the thigh
    Vec3d shin = Vec3d::Zero();    ///< from knee to ankle, in the frame of the shin
    Vec3d hinge = Vec3d::Zero();   ///< axis of the knee at rest, in the frame of the thigh
    std::vector<int> with_thigh;   ///< joints that turn with the thigh: below it, but not below the shin
    std::vector<int> with_shin;    ///< likewise, not below the foot
};

std::vector<int> below(const model::Skeleton& skeleton, int joint, int except) {
    std::vector<char> inside(skeleton.size(), 0);
    std::vector<int> found;
    for (std::size_t j = at(joint); j < skeleton.size(); ++j) {
        const int parent = skeleton.joints[j].parent;
        inside[j] = static_cast<int>(j) == joint || (parent >= 0 && inside[at(parent)] != 0);
        if (static_cast<int>(j) == except) inside[j] = 0;
        if (inside[j] != 0) found.push_back(static_cast<int>(j));
    }
    return found;
}

/// Left of the body at rest.
Vec3d left_of(const RetargetPlan& plan) {
    const int l = model::find_role(plan.target_roles, model::Role::thigh, Side::left);
    const int r = model::find_role(plan.target_roles, model::Role::thigh, Side::right);
    Vec3d left = Vec3d::UnitX();
    if (l >= 0 && r >= 0) left = plan.target_rest.positions[at(l)] - plan.target_rest.positions[at(r)];
    left.y() = 0;
    return left.norm() > 0 ? Vec3d(left.normalized()) : Vec3d(Vec3d::UnitX());
}

std::optional<TargetLeg> target_leg(const RetargetPlan& plan, const RetargetFrames& frames, Side side) {
    const RestPose& rest = plan.target_rest;
    const auto found = find_leg(plan.target, rest, plan.target_roles, side);
    if (!found) return std::nullopt;
    for (const int joint : {found->thigh, found->shin, found->foot})
        if (plan.parts[at(joint)].source < 0) return std::nullopt;
    TargetLeg leg;
    leg.joints = *found;
    const auto step = [&](int from, int to) {
        return Vec3d(rest.rotations[at(from)].conjugate() *
                     (rest.positions[at(to)] - rest.positions[at(from)]));
    };
    int joint = found->thigh;
    while (!plan.parts[at(joint)].top) {
        const int parent = plan.target.joints[at(joint)].parent;
        if (parent < 0) return std::nullopt;
        leg.to_hip.push_back({parent, step(parent, joint)});
        joint = parent;
    }
    std::reverse(leg.to_hip.begin(), leg.to_hip.end());
    leg.top = static_cast<std::size_t>(std::ranges::find(frames.roots, joint) - frames.roots.begin());
    leg.thigh = step(found->thigh, found->shin);
    leg.shin = step(found->shin, found->foot);
    leg.hinge = rest.rotations[at(found->thigh)].conjugate() * left_of(plan);
    leg.with_thigh = below(plan.target, found->thigh, found->shin);
    leg.with_shin = below(plan.target, found->shin, found->foot);
    return leg;
}

struct LegPositions {
    Vec3d hip, knee, ankle, metatarsal;
};

LegPositions positions_of(const TargetLeg& leg, const RetargetFrames& frames, std::size_t f) {
    const Quatd* const rotations = frames.rotations.data() + f * frames.joints;
    LegPositions positions;
    positions.hip = frames.positions[f * frames.roots.size() + leg.top];
    for (const PathStep& step : leg.to_hip) positions.hip += rotations[step.joint] * step.offset;
    positions.knee = positions.hip + rotations[leg.joints.thigh] * leg.thigh;
    positions.ankle = positions.knee + rotations[leg.joints.shin] * leg.shin;
    positions.metatarsal = positions.ankle + rotations[leg.joints.foot] * leg.joints.metatarsal;
    return positions;
}

std::vector<Vec3d> metatarsal_path(const TargetLeg& leg, const RetargetFrames& frames) {
    std::vector<Vec3d> path(frames.frames());
    for (std::size_t f = 0; f < path.size(); ++f) path[f] = positions_of(leg, frames, f).metatarsal;
    return path;
}

/// True when the target's leg does what the source's does, to the last digit: nothing is to be mended.
bool legs_equal(const RetargetPlan& plan, const TargetLeg& leg) {
    if (plan.turned || std::abs(plan.scale - 1) > 1e-9) return false;
    for (int joint = leg.joints.foot; joint >= 0; joint = plan.target.joints[at(joint)].parent) {
        const RetargetPart& part = plan.parts[at(joint)];
        if (part.source < 0) return false;
        const bool close = math::log_shortest(part.correction).norm() < 1e-9;
        if (!close || part.second >= 0) return false;
        if (part.top) return true;
        const int parent = plan.target.joints[at(joint)].parent;
        const int source_parent = parent < 0 ? -1 : plan.parts[at(parent)].source;
        if (source_parent < 0) return false;
        const Vec3d a =
            plan.source_rest.positions[at(part.source)] - plan.source_rest.positions[at(source_parent)];
        const Vec3d b = plan.target_rest.positions[at(joint)] - plan.target_rest.positions[at(parent)];
        if ((a - b).norm() > 1e-6 * plan.target_rest.height) return false;
    }
    return false;
}

/// Where the ball of the foot rests in each contact: over its own mean place, as high over its rest height as
/// the source's ball is over its lowest contact.
std::vector<Vec3d> resting_positions(const RetargetPlan& plan, const TargetLeg& leg,
                                     std::span<const Vec3d> source, std::span<const Vec3d> target,
                                     std::span<const Contact> contacts) {
    std::vector<Vec3d> rest;
    std::vector<double> heights;
    for (const Contact& contact : contacts) {
        Vec3d mean = Vec3d::Zero();
        double height = 0;
        for (std::size_t f = contact.first; f <= contact.last; ++f) {
            mean += target[f] / static_cast<double>(contact.frames());
            height += source[f].y() / static_cast<double>(contact.frames());
        }
        rest.push_back(mean);
        heights.push_back(height);
    }
    if (heights.empty()) return rest;
    const double lowest = *std::min_element(heights.begin(), heights.end());
    // The height of the ground under the target is where it stands at rest.
    double ground = 0;
    std::vector<double> differences;
    for (std::size_t i = 0; i < rest.size(); ++i)
        differences.push_back(rest[i].y() - plan.scale * (heights[i] - lowest));
    const double seen = median(std::move(differences));
    const double standing = leg.joints.metatarsal_rest.y();
    // A rest pose that does not stand (toes hanging) must not lift or sink the feet.
    ground = std::abs(standing - seen) < 0.15 * leg.joints.length ? standing : seen;
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i].y() = ground + plan.scale * (heights[i] - lowest);
    return rest;
}

/// A leg with where its ankle has to go.
struct PinnedLeg {
    TargetLeg leg;
    std::vector<Vec3d> goals;  ///< by frame
};

void apply(const PinnedLeg& pinned, RetargetFrames& frames) {
    const TargetLeg& leg = pinned.leg;
    parallel_for(frames.frames(), 256, [&](std::size_t f) {
        const LegPositions positions = positions_of(leg, frames, f);
        const std::span<Quatd> rotations = frames.frame(f);
        const Vec3d hinge = rotations[at(leg.joints.thigh)] * leg.hinge;
        const TwoBoneRotations moved =
            reach({positions.hip, positions.knee, positions.ankle}, pinned.goals[f], hinge);
        for (const int joint : leg.with_thigh) rotations[at(joint)] = moved.upper * rotations[at(joint)];
        for (const int joint : leg.with_shin) rotations[at(joint)] = moved.lower * rotations[at(joint)];
    });
}

/// How far the hip must come down so that the leg reaches its goal; at most a fifth of the leg.
double needed_drop(const PinnedLeg& pinned, const RetargetFrames& frames, std::size_t f) {
    const double length = pinned.leg.joints.length, most = 0.999 * length;
    const Vec3d path = positions_of(pinned.leg, frames, f).hip - pinned.goals[f];
    const double level = std::hypot(path.x(), path.z());
    const double down = path.y() - std::sqrt(std::max(0.0, most * most - level * level));
    return std::clamp(down, 0.0, 0.2 * length);
}

/// Lowers the body where a leg is too short for its goal. The greatest need nearby, then its mean: smooth,
/// and nowhere less than needed.
void lower_body(std::span<const PinnedLeg> legs, RetargetFrames& frames) {
    const std::size_t count = frames.frames();
    const auto reach_of = static_cast<std::size_t>(std::max(1.0, std::round(0.1 * frames.rate)));
    std::vector<double> need(count, 0), most(count, 0);
    parallel_for(count, 256, [&](std::size_t f) {
        for (const PinnedLeg& leg : legs) need[f] = std::max(need[f], needed_drop(leg, frames, f));
    });
    if (std::ranges::all_of(need, [](double drop) { return drop == 0; })) return;
    const auto around = [&](std::size_t f) {
        return std::pair(f > reach_of ? f - reach_of : 0, std::min(count - 1, f + reach_of));
    };
    for (std::size_t f = 0; f < count; ++f) {
        const auto [from, to] = around(f);
        for (std::size_t g = from; g <= to; ++g) most[f] = std::max(most[f], need[g]);
    }
    for (std::size_t f = 0; f < count; ++f) {
        const auto [from, to] = around(f);
        double mean = 0;
        for (std::size_t g = from; g <= to; ++g) mean += most[g] / static_cast<double>(to - from + 1);
        for (std::size_t i = 0; i < frames.roots.size(); ++i)
            frames.positions[f * frames.roots.size() + i].y() -= mean;
    }
}

/// Contacts and slide of one foot; when it is to be pinned, where its ankle goes.
std::optional<FootPlant> find_plant(const RetargetPlan& plan, const RetargetOptions& options,
                                    const RetargetFrames& frames, Side side, std::vector<PinnedLeg>& pinned) {
    const std::vector<Vec3d>& source = frames.metatarsals[side == Side::left ? 0 : 1];
    const auto own = find_leg(plan.source, plan.source_rest, plan.source_roles, side);
    const auto leg = target_leg(plan, frames, side);
    if (source.empty() || !own || !leg) return std::nullopt;
    FootPlant plant;
    plant.side = side;
    plant.contacts = find_contacts(source, frames.rate, own->length);
    const std::vector<Vec3d> before = metatarsal_path(*leg, frames);
    plant.before = plant.slide = measure_slide(before, plant.contacts, leg->joints.length);
    plant.pinned = options.foot_contacts && !plant.contacts.empty() && !legs_equal(plan, *leg);
    if (!plant.pinned) return plant;
    const std::vector<Vec3d> rest = resting_positions(plan, *leg, source, before, plant.contacts);
    PinnedLeg goals{*leg, contact_corrections(before, plant.contacts, rest)};
    for (std::size_t f = 0; f < frames.frames(); ++f) goals.goals[f] += positions_of(*leg, frames, f).ankle;
    pinned.push_back(std::move(goals));
    return plant;
}

std::size_t frames_of(double seconds, double rate) {
    return static_cast<std::size_t>(std::max(0.0, std::round(seconds * rate)));
}

/// Lowest height within `reach` frames to both sides of each frame, in one pass (a queue of rising heights).
std::vector<double> lowest_around(std::span<const Vec3d> positions, std::size_t reach) {
    const std::size_t count = positions.size();
    std::vector<double> lowest(count);
    std::deque<std::size_t> queue;
    std::size_t next = 0;
    for (std::size_t f = 0; f < count; ++f) {
        for (; next < count && next <= f + reach; ++next) {
            while (!queue.empty() && positions[queue.back()].y() >= positions[next].y()) queue.pop_back();
            queue.push_back(next);
        }
        while (queue.front() + reach < f) queue.pop_front();
        lowest[f] = positions[queue.front()].y();
    }
    return lowest;
}

/// Speed from the frames before and after.
double speed_at(std::span<const Vec3d> positions, std::size_t f, double rate) {
    const std::size_t before = f > 0 ? f - 1 : f, after = std::min(f + 1, positions.size() - 1);
    return after == before
               ? 0
               : (positions[after] - positions[before]).norm() * rate / static_cast<double>(after - before);
}

/// Joins contacts with little time and way between them: a jump of the whole body ends a contact.
void close_gaps(std::span<const Vec3d> positions, std::size_t gap, double path,
                std::vector<Contact>& contacts) {
    std::vector<Contact> closed;
    for (const Contact& contact : contacts) {
        if (!closed.empty() && contact.first - closed.back().last - 1 <= gap &&
            (positions[contact.first] - positions[closed.back().last]).norm() <= path)
            closed.back().last = contact.last;
        else
            closed.push_back(contact);
    }
    contacts = std::move(closed);
}

double smooth_step(double t) {
    return t * t * (3 - 2 * t);
}

/// Below this sine of the bend the plane of a limb is no longer trusted alone.
constexpr double straight = 0.2;

/// Axis about which the limb bends: its own, and more and more the hinge as it straightens.
Vec3d bend_axis(const Vec3d& upper, const Vec3d& lower, const Vec3d& hinge) {
    const Vec3d own = upper.normalized().cross(lower.normalized());
    const double sine = own.norm();
    if (sine >= straight) return own / sine;
    return own + 2 * (straight - sine) * hinge;
}

Vec3d normal_to(const Vec3d& direction, const Vec3d& axis) {
    const Vec3d normal = direction.cross(axis);
    if (normal.norm() > 1e-9) return normal.normalized();
    int least = 0;
    direction.cwiseAbs().minCoeff(&least);
    return direction.cross(Vec3d::Unit(least)).normalized();
}

}  // namespace

std::vector<FootPlant> plant_feet(const RetargetPlan& plan, const RetargetOptions& options,
                                  RetargetFrames& frames) {
    std::vector<FootPlant> plants;
    std::vector<PinnedLeg> pinned;
    for (const Side side : {Side::left, Side::right}) {
        if (auto plant = find_plant(plan, options, frames, side, pinned)) plants.push_back(std::move(*plant));
    }
    if (pinned.empty()) return plants;
    lower_body(pinned, frames);
    for (const PinnedLeg& leg : pinned) apply(leg, frames);
    std::size_t next = 0;
    for (FootPlant& plant : plants) {
        if (!plant.pinned) continue;
        const TargetLeg& leg = pinned[next++].leg;
        plant.slide = measure_slide(metatarsal_path(leg, frames), plant.contacts, leg.joints.length);
    }
    return plants;
}

std::vector<Contact> find_contacts(std::span<const Vec3d> positions, double rate, double leg_length,
                                   const FootContactOptions& options) {
    std::vector<Contact> contacts;
    if (positions.empty() || !(rate > 0) || !(leg_length > 0)) return contacts;
    const std::vector<double> ground = lowest_around(positions, frames_of(options.around, rate));
    bool inside = false;
    for (std::size_t f = 0; f < positions.size(); ++f) {
        const bool low = positions[f].y() - ground[f] <= options.height * leg_length;
        const double limit = (inside ? options.fast : options.slow) * leg_length;
        const bool now = low && speed_at(positions, f, rate) <= limit;
        if (now && !inside) contacts.push_back({f, f});
        if (now) contacts.back().last = f;
        inside = now;
    }
    close_gaps(positions, frames_of(options.closed_gap, rate), 0.02 * leg_length, contacts);
    const std::size_t least = std::max<std::size_t>(2, frames_of(options.least, rate));
    std::erase_if(contacts, [&](const Contact& contact) { return contact.frames() < least; });
    return contacts;
}

FootSlide measure_slide(std::span<const Vec3d> positions, std::span<const Contact> contacts,
                        double leg_length) {
    FootSlide slide;
    if (!(leg_length > 0)) return slide;
    for (const Contact& contact : contacts) {
        for (std::size_t f = contact.first; f < contact.last && f + 1 < positions.size(); ++f) {
            const Vec3d step = positions[f + 1] - positions[f];
            const double percent = 100 * std::hypot(step.x(), step.z()) / leg_length;
            slide.largest = std::max(slide.largest, percent);
            slide.mean += percent;
            ++slide.frames;
        }
    }
    if (slide.frames > 0) slide.mean /= static_cast<double>(slide.frames);
    return slide;
}

std::vector<Vec3d> contact_corrections(std::span<const Vec3d> positions, std::span<const Contact> contacts,
                                       std::span<const Vec3d> rest) {
    std::vector<Vec3d> corrections;
    if (contacts.empty()) return corrections;
    corrections.resize(positions.size());
    const auto at = [&](std::size_t i, std::size_t f) { return Vec3d(rest[i] - positions[f]); };
    std::size_t next = 0;  // first contact that has not ended
    for (std::size_t f = 0; f < positions.size(); ++f) {
        while (next < contacts.size() && contacts[next].last < f) ++next;
        if (next == contacts.size()) {
            corrections[f] = at(next - 1, contacts[next - 1].last);
        } else if (f >= contacts[next].first) {
            corrections[f] = at(next, f);
        } else if (next == 0) {
            corrections[f] = at(0, contacts[0].first);
        } else {
            const std::size_t left = contacts[next - 1].last, right = contacts[next].first;
            const double t = smooth_step(static_cast<double>(f - left) / static_cast<double>(right - left));
            corrections[f] = (1 - t) * at(next - 1, left) + t * at(next, right);
        }
    }
    return corrections;
}

TwoBoneRotations reach(const TwoBones& limb, const Vec3d& goal, const Vec3d& hinge) {
    TwoBoneRotations rotations;
    rotations.middle = limb.middle;
    rotations.end = limb.end;
    const Vec3d upper = limb.middle - limb.start, lower = limb.end - limb.middle;
    const double a = upper.norm(), b = lower.norm(), far = (goal - limb.start).norm();
    if (!(a > 0 && b > 0 && far > 0)) {
        rotations.reached = false;
        return rotations;
    }
    // A limb that is fully straight has no plane to come back from, so a hair of bend stays.
    const double least = std::abs(a - b) + 1e-4 * (a + b), most = (1 - 1e-5) * (a + b);
    const double distance = std::clamp(far, least, most);
    rotations.reached = distance == far;
    const Vec3d direction = (goal - limb.start) / far;
    const double cosine = (a * a + distance * distance - b * b) / (2 * a * distance);
    const double sine = std::sqrt(std::max(0.0, 1 - cosine * cosine));
    rotations.end = limb.start + distance * direction;
    rotations.middle =
        limb.start + a * (cosine * direction + sine * normal_to(direction, bend_axis(upper, lower, hinge)));
    const auto rotation = [](const Vec3d& from, const Vec3d& to) {
        return math::rotation_between<double>(from.normalized(), to.normalized());
    };
    rotations.upper = rotation(upper, rotations.middle - limb.start);
    rotations.lower = rotation(lower, rotations.end - rotations.middle);
    return rotations;
}

}  // namespace sinew::motion
