// Events from force platforms.

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/array.h"
#include "sinew/model/trial.h"
#include "sinew/gait/gait.h"

namespace sinew::motion {

using math::Vec3d;
using model::Side;

namespace {

/// Samples under load, both included.
struct Load {
    std::size_t first = 0;
    std::size_t last = 0;
};

/// Vertical forces in newtons, without sign.
std::vector<double> vertical_forces(const model::Trial& trial, const std::vector<model::Wrench>& wrenches) {
    const Vec3d up = trial.to_world.rotation.conjugate() * Vec3d::UnitY();
    std::vector<double> forces;
    for (const model::Wrench& wrench : wrenches) forces.push_back(std::abs(wrench.force.dot(up)));
    // What an unloaded plate shows is its zero.
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
    // A step that lasts less than a tenth of a second, or never carries a tenth of a body, is a knock.
    std::erase_if(loads, [&](const Load& load) {
        const double most = *std::max_element(forces.begin() + static_cast<std::ptrdiff_t>(load.first),
                                              forces.begin() + static_cast<std::ptrdiff_t>(load.last) + 1);
        return static_cast<double>(load.last - load.first) / rate < 0.1 || most < 5 * threshold;
    });
    return loads;
}

/// Level distance of a foot from a place at a frame; infinite when the foot is not there.
double distance(const LegPoints& leg, std::size_t frame, const Vec3d& place) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const std::vector<Vec3d>* way : {&leg.heel, &leg.toe, &leg.ankle}) {
        if (way->empty() || frame >= way->size() || !(*way)[frame].allFinite()) continue;
        const Vec3d to = (*way)[frame] - place;
        nearest = std::min(nearest, std::hypot(to.x(), to.z()));
    }
    return nearest;
}

/// The foot that made a load: the nearer one in most of its middle, and near at all.
Side foot_of(const model::Trial& trial, const GaitMotion& motion, const std::vector<model::Wrench>& wrenches,
             const Load& load) {
    int left = 0, right = 0;
    const std::size_t length = load.last - load.first;
    for (const double part : {0.2, 0.35, 0.5, 0.65, 0.8}) {
        const std::size_t s = load.first + static_cast<std::size_t>(part * static_cast<double>(length));
        const std::size_t frame = s / trial.analog.samples_per_frame;
        if (!wrenches[s].center.allFinite()) continue;
        const Vec3d place = trial.to_world * wrenches[s].center;
        const double l = distance(motion.leg(Side::left), frame, place);
        const double r = distance(motion.leg(Side::right), frame, place);
        if (std::min(l, r) > 0.35) continue;
        (l < r ? left : right) += 1;
    }
    if (left >= 4 && right <= 1) return Side::left;
    if (right >= 4 && left <= 1) return Side::right;
    return Side::none;
}

}  // namespace

std::vector<GaitEvent> events_from_platforms(const model::Trial& trial, const GaitMotion& motion,
                                             double threshold, Monitor& monitor) {
    std::vector<GaitEvent> events;
    const double rate = trial.rate * static_cast<double>(trial.analog.samples_per_frame);
    for (std::size_t p = 0; p < trial.platforms.size(); ++p) {
        try {
            const std::vector<model::Wrench> wrenches = model::forces(trial, trial.platforms[p], {}, monitor);
            const std::vector<double> forces = vertical_forces(trial, wrenches);
            for (const Load& load : loads_of(forces, threshold, rate)) {
                const Side side = foot_of(trial, motion, wrenches, load);
                if (side == Side::none) {
                    warn(monitor, "gait-platform",
                         "platform {}: the load from {:.2f} to {:.2f} s belongs to no single foot", p + 1,
                         static_cast<double>(load.first) / rate, static_cast<double>(load.last) / rate);
                    continue;
                }
                if (load.first > 0)
                    add_event(events, {side, GaitEventKind::strike, static_cast<double>(load.first) / rate,
                                       EventSource::platform});
                if (load.last + 1 < forces.size())
                    add_event(events, {side, GaitEventKind::off, static_cast<double>(load.last) / rate,
                                       EventSource::platform});
            }
        } catch (const Error& error) {
            warn(monitor, "gait-platform", "platform {} is not used: {}", p + 1, error.reason());
        }
    }
    return events;
}

}  // namespace sinew::motion
