// SPDX-License-Identifier: MIT
// Loads on force platforms, the feet that caused them, and the resulting events.

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/gait/gait.h"

namespace sinew::gait {

using math::Vec3d;
using model::Side;

namespace {

/// Samples under load, both included.
struct Load {
    std::size_t first = 0;
    std::size_t last = 0;
};

Vec3d up_of(const model::Trial& trial) {
    return trial.to_world.rotation.conjugate() * Vec3d::UnitY();
}

/// Vertical forces in newtons, without sign.
std::vector<double> vertical_forces(const model::Trial& trial, const std::vector<model::Wrench>& wrenches) {
    const Vec3d up = up_of(trial);
    std::vector<double> forces;
    for (const model::Wrench& wrench : wrenches) forces.push_back(std::abs(wrench.force.dot(up)));
    // The signal of an unloaded plate is its zero.
    const double zero = quantile(forces, 0.1);
    for (double& force : forces) force = std::max(0.0, force - std::min(zero, 20.0));
    return forces;
}

std::vector<Load> loads_of(const std::vector<double>& forces, double threshold, double rate) {
    std::vector<Load> loads;
    bool inside = false;
    for (std::size_t s = 0; s < forces.size(); ++s) {
        const bool now = forces[s] > threshold;
        if (now && !inside) loads.push_back({s, s});
        if (now) loads.back().last = s;
        inside = now;
    }
    // A load shorter than a tenth of a second, or below a tenth of the body weight, is not a step.
    std::erase_if(loads, [&](const Load& load) {
        const double largest = *std::max_element(forces.begin() + static_cast<std::ptrdiff_t>(load.first),
                                                 forces.begin() + static_cast<std::ptrdiff_t>(load.last) + 1);
        return static_cast<double>(load.last - load.first) / rate < 0.1 || largest < 5 * threshold;
    });
    return loads;
}

/// Horizontal distance of a foot from a position at a frame; infinite when the foot is unknown.
double distance(const LegPoints& leg, std::size_t frame, const Vec3d& position) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const std::vector<Vec3d>* path : {&leg.heel, &leg.toe, &leg.ankle}) {
        if (path->empty() || frame >= path->size() || !(*path)[frame].allFinite()) continue;
        const Vec3d to = (*path)[frame] - position;
        nearest = std::min(nearest, std::hypot(to.x(), to.z()));
    }
    return nearest;
}

/// The foot that caused a load: the nearer one in most frames of its middle part, if it is near enough.
Side foot_of(const model::Trial& trial, const GaitMotion& motion, const std::vector<model::Wrench>& wrenches,
             const Load& load) {
    int left = 0, right = 0;
    const std::size_t length = load.last - load.first;
    for (const double part : {0.2, 0.35, 0.5, 0.65, 0.8}) {
        const std::size_t s = load.first + static_cast<std::size_t>(part * static_cast<double>(length));
        const std::size_t frame = s / trial.analog.samples_per_frame;
        if (!wrenches[s].center.allFinite()) continue;
        const Vec3d position = trial.to_world * wrenches[s].center;
        const double l = distance(motion.leg(Side::left), frame, position);
        const double r = distance(motion.leg(Side::right), frame, position);
        if (std::min(l, r) > 0.35) continue;
        (l < r ? left : right) += 1;
    }
    if (left >= 4 && right <= 1) return Side::left;
    if (right >= 4 && left <= 1) return Side::right;
    return Side::none;
}

/// True when a point is above a platform, with a margin in metres.
bool above(const model::Trial& trial, const model::ForcePlatform& platform, const Vec3d& point,
           double margin) {
    double low_x = std::numeric_limits<double>::infinity(), low_y = low_x, high_x = -low_x, high_y = -low_x;
    const model::PlateFrame frame = model::plate_frame(platform);
    const auto local = [&](const Vec3d& lab) {
        return Vec3d(trial.to_world.scale * (frame.axes.transpose() * (lab - frame.center)));
    };
    for (const math::Vec3f& corner : platform.corners) {
        const Vec3d at = local(corner.cast<double>());
        low_x = std::min(low_x, at.x()), high_x = std::max(high_x, at.x());
        low_y = std::min(low_y, at.y()), high_y = std::max(high_y, at.y());
    }
    const Vec3d lab = trial.to_world.rotation.conjugate() * Vec3d(point - trial.to_world.translation) /
                      trial.to_world.scale;
    const Vec3d at = local(lab);
    return at.x() > low_x - margin && at.x() < high_x + margin && at.y() > low_y - margin &&
           at.y() < high_y + margin;
}

/// Reason why a load is not one whole step of one foot; empty when it is.
std::string why_unclean(const model::Trial& trial, const GaitMotion& motion,
                        const model::ForcePlatform& platform, const PlateHit& hit, double end) {
    if (hit.side == Side::none) return "it belongs to no single foot";
    if (hit.start <= 0 || hit.end >= end) return "it begins or ends outside the trial";
    const LegPoints &own = motion.leg(hit.side),
                    &other = motion.leg(hit.side == Side::left ? Side::right : Side::left);
    const auto frame_at = [&](double part) {
        return static_cast<std::size_t>((hit.start + part * (hit.end - hit.start)) * motion.rate);
    };
    for (const std::vector<Vec3d>* path : {&own.heel, &own.toe}) {
        const std::size_t f = frame_at(0.5);
        if (f < path->size() && (*path)[f].allFinite() && !above(trial, platform, (*path)[f], 0.03))
            return "the foot is partly off the platform";
    }
    // A foot that passes above a platform is fast; one that stands on it is not.
    for (const double part : {0.1, 0.3, 0.5, 0.7, 0.9}) {
        const std::size_t f = frame_at(part);
        for (const std::vector<Vec3d>* path : {&other.heel, &other.toe}) {
            if (f == 0 || f + 1 >= path->size()) continue;
            const double speed = ((*path)[f + 1] - (*path)[f - 1]).norm() * motion.rate / 2;
            if (speed < 0.2 && above(trial, platform, (*path)[f], -0.02))
                return "the other foot is on the platform too";
        }
    }
    return {};
}

/// Means of the samples around each frame of a hit, as the load of the ground on the foot.
void add_reaction(const model::Trial& trial, const model::ForcePlatform& platform,
                  const std::vector<model::Wrench>& wrenches, const Load& load,
                  std::vector<GroundReaction>& foot) {
    const std::size_t per_frame = trial.analog.samples_per_frame;
    const Vec3d up = up_of(trial), axis = model::plate_frame(platform).axes.col(2);
    double sum = 0;
    for (std::size_t s = load.first; s <= load.last; ++s) sum += wrenches[s].force.dot(up);
    const double sign = sum < 0 ? -1 : 1;
    for (std::size_t f = load.first / per_frame; f <= load.last / per_frame && f < foot.size(); ++f) {
        Vec3d force = Vec3d::Zero(), center = Vec3d::Zero();
        double free = 0, count = 0;
        const std::size_t middle = f * per_frame, reach = per_frame / 2;
        for (std::size_t s = middle < reach ? 0 : middle - reach; s <= middle + reach; ++s) {
            if (s < load.first || s > load.last || !wrenches[s].center.allFinite()) continue;
            force += wrenches[s].force, center += wrenches[s].center, free += wrenches[s].free_moment;
            ++count;
        }
        if (count == 0) continue;
        GroundReaction& reaction = foot[f];
        reaction.force = trial.to_world.rotation * Vec3d(sign * force / count);
        reaction.center = trial.to_world * Vec3d(center / count);
        reaction.moment = trial.to_world.rotation * Vec3d(trial.to_world.scale * sign * free / count * axis);
    }
}

}  // namespace

GroundReactions ground_reactions(const model::Trial& trial, const GaitMotion& motion, double threshold,
                                 Monitor& monitor) {
    GroundReactions ground;
    for (auto& foot : ground.feet) foot.resize(trial.frames);
    const double rate = trial.rate * static_cast<double>(trial.analog.samples_per_frame);
    const double end = static_cast<double>(trial.analog.samples()) / rate;
    struct Found {
        std::size_t hit;
        Load load;
        std::vector<model::Wrench> wrenches;
    };
    std::vector<Found> found;
    for (std::size_t p = 0; p < trial.platforms.size(); ++p) {
        try {
            const std::vector<model::Wrench> wrenches = model::forces(trial, trial.platforms[p], {}, monitor);
            const std::vector<double> forces = vertical_forces(trial, wrenches);
            for (const Load& load : loads_of(forces, threshold, rate)) {
                PlateHit hit{p,
                             foot_of(trial, motion, wrenches, load),
                             static_cast<double>(load.first) / rate,
                             static_cast<double>(load.last) / rate,
                             false,
                             {}};
                hit.why = why_unclean(trial, motion, trial.platforms[p], hit, end - 1 / rate);
                found.push_back({ground.hits.size(), load, wrenches});
                ground.hits.push_back(hit);
            }
        } catch (const Error& error) {
            warn(monitor, "gait-platform", "platform {} is not used: {}", p + 1, error.reason());
        }
    }
    for (PlateHit& hit : ground.hits) {
        for (const PlateHit& other : ground.hits)
            if (hit.why.empty() && &other != &hit && other.side == hit.side && other.start < hit.end &&
                hit.start < other.end)
                hit.why = "the foot is on two platforms";
        hit.clean = hit.why.empty();
    }
    for (const Found& each : found) {
        const PlateHit& hit = ground.hits[each.hit];
        if (hit.clean)
            add_reaction(trial, trial.platforms[hit.platform], each.wrenches, each.load,
                         ground.feet[hit.side == Side::left ? 0 : 1]);
    }
    return ground;
}

std::vector<GaitEvent> events_from_platforms(const model::Trial& trial, const GaitMotion& motion,
                                             double threshold, Monitor& monitor) {
    std::vector<GaitEvent> events;
    const double rate = trial.rate * static_cast<double>(trial.analog.samples_per_frame);
    const double last = static_cast<double>(trial.analog.samples() - 1) / rate;
    for (const PlateHit& hit : ground_reactions(trial, motion, threshold, monitor).hits) {
        if (hit.side == Side::none) {
            warn(monitor, "gait-platform",
                 "platform {}: the load from {:.2f} to {:.2f} s belongs to no single foot", hit.platform + 1,
                 hit.start, hit.end);
            continue;
        }
        if (hit.start > 0)
            add_event(events, {hit.side, GaitEventKind::strike, hit.start, EventSource::platform});
        if (hit.end < last - 0.5 / rate)
            add_event(events, {hit.side, GaitEventKind::off, hit.end, EventSource::platform});
    }
    return events;
}

}  // namespace sinew::gait
