// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

#include "sinew/base/array.h"
#include "sinew/base/parallel.h"
#include "sinew/motion/retarget/frames.h"

namespace sinew::motion {

using math::Quatd;
using math::Vec3d;
using model::Side;

namespace {

/// One link of a path down the tree: from a joint, in its frame, to the next.
struct PathStep {
    int joint;
    Vec3d offset;
};

/// A point of the sole relative to the ankle: a part that rotates with the foot, and a part with its own
/// joint.
struct SoleStep {
    int joint;
    Vec3d with_foot;
    Vec3d with_joint;
};

/// A leg of the target with the data for its motion.
struct TargetLeg {
    LegJoints joints;
    std::vector<SoleStep> sole;    ///< the ball of the foot when the skin is unknown
    bool shod = false;             ///< the sole points of the skin are known
    double rest_level = 0;         ///< height of the lowest point of the sole at rest
    std::size_t top = 0;           ///< index of the travelling joint above it
    std::vector<PathStep> to_hip;  ///< from the top to the thigh
    Vec3d thigh = Vec3d::Zero();   ///< from hip to knee, in the frame of the thigh
    Vec3d shin = Vec3d::Zero();    ///< from knee to ankle, in the frame of the shin
    Vec3d hinge = Vec3d::Zero();   ///< axis of the knee at rest, in the frame of the thigh
    std::vector<int> with_thigh;   ///< joints that rotate with the thigh: below it, but not below the shin
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

/// Left direction of the body at rest.
Vec3d left_of(const RetargetPlan& plan) {
    const int l = model::find_role(plan.target_roles, model::Role::thigh, Side::left);
    const int r = model::find_role(plan.target_roles, model::Role::thigh, Side::right);
    Vec3d left = Vec3d::UnitX();
    if (l >= 0 && r >= 0) left = plan.target_rest.positions[at(l)] - plan.target_rest.positions[at(r)];
    left.y() = 0;
    return left.norm() > 0 ? Vec3d(left.normalized()) : Vec3d(Vec3d::UnitX());
}

/// The sole of a leg, and its height at rest.
void add_sole(const RetargetPlan& plan, std::span<const SolePoint> points, TargetLeg& leg) {
    const RestPose& rest = plan.target_rest;
    const std::size_t foot = at(leg.joints.foot);
    leg.rest_level = leg.joints.metatarsal_rest.y();
    leg.sole.push_back({leg.joints.foot, leg.joints.metatarsal, Vec3d::Zero()});
    if (points.empty()) return;
    leg.sole.clear();
    leg.shod = true;
    leg.rest_level = std::numeric_limits<double>::infinity();
    for (const SolePoint& point : points) {
        const Vec3d to = rest.positions[at(point.joint)] - rest.positions[foot];
        leg.sole.push_back({point.joint, rest.rotations[foot].conjugate() * to, point.offset});
        const Vec3d offset = rest.rotations[at(point.joint)] * point.offset;
        leg.rest_level = std::min(leg.rest_level, rest.positions[at(point.joint)].y() + offset.y());
    }
}

std::optional<TargetLeg> target_leg(const RetargetPlan& plan, const RetargetOptions& options,
                                    const RetargetFrames& frames, std::size_t number) {
    const RestPose& rest = plan.target_rest;
    const LegName& name = leg_names[number];
    const auto found = find_leg(plan.target, rest, plan.target_roles, name);
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
    // Elbows bend in the opposite direction.
    leg.hinge = rest.rotations[at(found->thigh)].conjugate() * Vec3d((name.front ? -1 : 1) * left_of(plan));
    add_sole(plan, options.soles[number], leg);
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

/// Height of the lowest point of the sole relative to the ankle; negative.
double sole_height(const TargetLeg& leg, const RetargetFrames& frames, std::size_t f) {
    const Quatd* const rotations = frames.rotations.data() + f * frames.joints;
    double lowest = std::numeric_limits<double>::infinity();
    for (const SoleStep& step : leg.sole) {
        const Vec3d from_ankle =
            rotations[leg.joints.foot] * step.with_foot + rotations[step.joint] * step.with_joint;
        lowest = std::min(lowest, from_ankle.y());
    }
    return lowest;
}

/// The ball of the foot at the height of the lowest point of the sole.
std::vector<Vec3d> sole_path(const TargetLeg& leg, const RetargetFrames& frames) {
    std::vector<Vec3d> path(frames.frames());
    for (std::size_t f = 0; f < path.size(); ++f) {
        const LegPositions positions = positions_of(leg, frames, f);
        path[f] = positions.metatarsal;
        path[f].y() = positions.ankle.y() + sole_height(leg, frames, f);
    }
    return path;
}

/// True when the motion of the target's leg equals the source's within rounding: no correction is needed.
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

/// The contacts of a foot: its resting position in each, relative to the ground, and the ground of the
/// motion.
struct Footing {
    std::vector<Vec3d> rest;  ///< heights above the ground: those of the source above its lowest contact
    double seen = 0;          ///< height of the ground on which the foot stands
};

Footing footing_of(const RetargetPlan& plan, const TargetLeg& leg, std::span<const Vec3d> source,
                   std::span<const Vec3d> target, std::span<const Contact> contacts) {
    Footing footing;
    std::vector<double> heights, grounds;
    for (const Contact& contact : contacts) {
        Vec3d mean = Vec3d::Zero();
        double height = 0;
        for (std::size_t f = contact.first; f <= contact.last; ++f) {
            mean += target[f] / static_cast<double>(contact.frames());
            height += source[f].y() / static_cast<double>(contact.frames());
        }
        footing.rest.push_back(mean);
        heights.push_back(plan.scale * height);
    }
    if (heights.empty()) return footing;
    const auto [low, high] = std::ranges::minmax_element(heights);
    const double lowest = *low;
    // Smaller differences are noise of the capture, not stairs or a slope.
    constexpr double flat = 0.1;  // leg lengths
    if (*high - lowest < flat * leg.joints.length) std::ranges::fill(heights, lowest);
    for (std::size_t i = 0; i < heights.size(); ++i) {
        grounds.push_back(footing.rest[i].y() - (heights[i] - lowest));
        footing.rest[i].y() = heights[i] - lowest;
    }
    footing.seen = median(std::move(grounds));
    return footing;
}

/// The resting position of a foot in each contact: on the ground on which it stands at rest. When the sole is
/// unknown, a rest pose that does not stand (toes pointing down) must not raise or lower the foot.
std::vector<Vec3d> resting_positions(const TargetLeg& leg, Footing footing) {
    const bool stands = leg.shod || std::abs(leg.rest_level - footing.seen) < 0.15 * leg.joints.length;
    for (Vec3d& position : footing.rest) position.y() += stands ? leg.rest_level : footing.seen;
    return std::move(footing.rest);
}

/// A leg and the target positions of its ankle.
struct PinnedLeg {
    TargetLeg leg;
    std::vector<Vec3d> goals;  ///< per frame
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

/// Distance by which the hip must be lowered so that the leg reaches its goal; at most a fifth of the leg.
double needed_drop(const PinnedLeg& pinned, const RetargetFrames& frames, std::size_t f) {
    const double length = pinned.leg.joints.length, most = 0.999 * length;
    const Vec3d path = positions_of(pinned.leg, frames, f).hip - pinned.goals[f];
    const double level = std::hypot(path.x(), path.z());
    const double down = path.y() - std::sqrt(std::max(0.0, most * most - level * level));
    return std::clamp(down, 0.0, 0.2 * length);
}

/// Lowers the body where a leg is too short for its goal: a moving maximum of the need, then its moving mean,
/// which is smooth and never less than the need.
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

/// Sideways offset of a foot per frame, so that the feet are `step_width` farther apart.
std::vector<Vec3d> side_steps(const RetargetPlan& plan, const RetargetFrames& frames, const TargetLeg& leg,
                              Side side, double step_width) {
    const int top = frames.roots[leg.top];
    const Vec3d left = plan.target_rest.rotations[at(top)].conjugate() * left_of(plan);
    const double width = (side == Side::left ? 0.5 : -0.5) * step_width * leg.joints.length;
    std::vector<Vec3d> steps(frames.frames());
    for (std::size_t f = 0; f < steps.size(); ++f) {
        Vec3d level = frames.rotations[f * frames.joints + at(top)] * left;
        level.y() = 0;
        steps[f] = width * level;
    }
    return steps;
}

/// Raises the ankle where the sole would penetrate the ground. Between two contacts the ground is the lower
/// of both.
void keep_above_ground(const RetargetFrames& frames, std::span<const Contact> contacts,
                       std::span<const Vec3d> rest, PinnedLeg& pinned) {
    std::size_t next = 0;  // first contact that has not ended
    for (std::size_t f = 0; f < frames.frames(); ++f) {
        while (next < contacts.size() && contacts[next].last < f) ++next;
        const std::size_t after = std::min(next, contacts.size() - 1), before = next > 0 ? next - 1 : 0;
        const bool inside = next < contacts.size() && contacts[next].first <= f;
        const double ground = inside ? rest[next].y() : std::min(rest[before].y(), rest[after].y());
        const double low = pinned.goals[f].y() + sole_height(pinned.leg, frames, f);
        pinned.goals[f].y() += std::max(0.0, ground - low);
    }
}

/// Contacts and slide of one foot; when it is pinned, also the positions of its ankle.
std::optional<FootPlant> find_plant(const RetargetPlan& plan, const RetargetOptions& options,
                                    const RetargetFrames& frames, std::size_t number,
                                    std::vector<PinnedLeg>& pinned) {
    const LegName& name = leg_names[number];
    const std::vector<Vec3d>& source = frames.metatarsals[number];
    const auto own = find_leg(plan.source, plan.source_rest, plan.source_roles, name);
    const auto leg = target_leg(plan, options, frames, number);
    if (source.empty() || !own || !leg) return std::nullopt;
    FootPlant plant;
    plant.side = name.side;
    plant.front = name.front;
    plant.contacts = find_contacts(source, frames.rate, own->length);
    std::vector<Vec3d> path = sole_path(*leg, frames);
    plant.before = plant.slide = measure_slide(path, plant.contacts, leg->joints.length);
    plant.pinned = options.foot_contacts && !plant.contacts.empty() && !legs_equal(plan, *leg);
    if (!plant.pinned) return plant;
    const std::vector<Vec3d> steps = side_steps(plan, frames, *leg, name.side, options.step_width);
    for (std::size_t f = 0; f < path.size(); ++f) path[f] += steps[f];
    const std::vector<Vec3d> rest =
        resting_positions(*leg, footing_of(plan, *leg, source, path, plant.contacts));
    PinnedLeg goals{*leg, contact_corrections(path, plant.contacts, rest)};
    for (std::size_t f = 0; f < frames.frames(); ++f)
        goals.goals[f] += positions_of(*leg, frames, f).ankle + steps[f];
    keep_above_ground(frames, plant.contacts, rest, goals);
    pinned.push_back(std::move(goals));
    return plant;
}

/// Raises a body whose legs are spread at rest and straight in the motion, so that it stands on its feet:
/// otherwise the legs would have to bend strongly.
void stand_up(const RetargetPlan& plan, const RetargetOptions& options, RetargetFrames& frames) {
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < leg_names.size(); ++i) {
        const std::vector<Vec3d>& source = frames.metatarsals[i];
        const auto own = find_leg(plan.source, plan.source_rest, plan.source_roles, leg_names[i]);
        const auto leg = target_leg(plan, options, frames, i);
        if (source.empty() || !own || !leg || !leg->shod || legs_equal(plan, *leg)) continue;
        const std::vector<Contact> contacts = find_contacts(source, frames.rate, own->length);
        if (contacts.empty()) continue;
        sum += leg->rest_level - footing_of(plan, *leg, source, sole_path(*leg, frames), contacts).seen;
        ++count;
    }
    if (count == 0 || !options.foot_contacts) return;
    for (Vec3d& position : frames.positions) position.y() += sum / count;
}

std::size_t frames_of(double seconds, double rate) {
    return static_cast<std::size_t>(std::max(0.0, std::round(seconds * rate)));
}

/// Lowest height within `reach` frames before and after each frame, in one pass (a queue of increasing
/// heights).
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

/// Central difference of the position.
double speed_at(std::span<const Vec3d> positions, std::size_t f, double rate) {
    const std::size_t before = f > 0 ? f - 1 : f, after = std::min(f + 1, positions.size() - 1);
    return after == before
               ? 0
               : (positions[after] - positions[before]).norm() * rate / static_cast<double>(after - before);
}

/// Joins contacts that are close in time and position; a jump of the whole body ends a contact.
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

/// Below this sine of the bend angle, the plane of a limb is not reliable on its own.
constexpr double straight = 0.2;

/// Bending axis of the limb: its own axis, blended into the hinge as the limb straightens.
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
    stand_up(plan, options, frames);
    for (std::size_t i = 0; i < leg_names.size(); ++i)
        if (auto plant = find_plant(plan, options, frames, i, pinned)) plants.push_back(std::move(*plant));
    if (pinned.empty()) return plants;
    lower_body(pinned, frames);
    for (const PinnedLeg& leg : pinned) apply(leg, frames);
    std::size_t next = 0;
    for (FootPlant& plant : plants) {
        if (!plant.pinned) continue;
        const TargetLeg& leg = pinned[next++].leg;
        plant.slide = measure_slide(sole_path(leg, frames), plant.contacts, leg.joints.length);
    }
    return plants;
}

namespace {

constexpr double start_speed = 0.5;  // leg lengths per second below which a contact begins
constexpr double end_speed = 1.0;    // above which it ends
constexpr double ground_height =
    0.12;  // leg lengths above the locally lowest position that still count as ground
constexpr double ground_around = 0.6;  // seconds before and after for this lowest position
constexpr double min_contact = 0.06;   // seconds
constexpr double closed_gap = 0.04;    // seconds; shorter interruptions are ignored

}  // namespace

std::vector<Contact> find_contacts(std::span<const Vec3d> positions, double rate, double leg_length) {
    std::vector<Contact> contacts;
    if (positions.empty() || !(rate > 0) || !(leg_length > 0)) return contacts;
    const std::vector<double> ground = lowest_around(positions, frames_of(ground_around, rate));
    bool inside = false;
    for (std::size_t f = 0; f < positions.size(); ++f) {
        const bool low = positions[f].y() - ground[f] <= ground_height * leg_length;
        const double limit = (inside ? end_speed : start_speed) * leg_length;
        const bool now = low && speed_at(positions, f, rate) <= limit;
        if (now && !inside) contacts.push_back({f, f});
        if (now) contacts.back().last = f;
        inside = now;
    }
    close_gaps(positions, frames_of(closed_gap, rate), 0.02 * leg_length, contacts);
    const std::size_t least = std::max<std::size_t>(2, frames_of(min_contact, rate));
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
    // A fully straight limb has no bending plane, so a very small bend remains.
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
