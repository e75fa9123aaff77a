#include "sinew/deform/secondary_motion.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"

namespace sinew::deform {

using math::Vec3d;

SecondaryMotion::SecondaryMotion(std::size_t points, const SpringOptions& options)
    : options_(options),
      places_(points, Vec3d::Zero()),
      speeds_(points, Vec3d::Zero()),
      targets_(points, Vec3d::Zero()),
      offsets_(points, Vec3d::Zero()) {
    if (!(options.frequency > 0 && options.damping >= 0 && options.limit >= 0 && options.max_step > 0))
        fail("secondary motion", "frequency {}, damping {}, limit {} and step {} make no spring",
             options.frequency, options.damping, options.limit, options.max_step);
}

void SecondaryMotion::advance(std::size_t point, const Vec3d& target, double h) {
    const double omega = 2 * math::pi * options_.frequency, k = omega * omega;
    const double c = 2 * options_.damping * omega;
    // Semi-implicit Euler with the damper at the new speed: stable for every damping.
    Vec3d& speed = speeds_[point];
    speed = (speed + h * k * (target - places_[point])) / (1 + h * c);
    places_[point] += h * speed;
    const Vec3d offset = places_[point] - target;
    if (options_.limit > 0 && offset.norm() > options_.limit)
        places_[point] = target + offset * (options_.limit / offset.norm());
}

std::span<const Vec3d> SecondaryMotion::step(std::span<const Vec3d> targets, double seconds) {
    if (targets.size() != places_.size())
        fail("secondary motion", "{} targets for {} points", targets.size(), places_.size());
    if (!(seconds >= 0 && std::isfinite(seconds)))
        fail("secondary motion", "a step of {} seconds is impossible", seconds);
    if (!started_) {
        std::ranges::copy(targets, targets_.begin());
        places_ = targets_;
        std::ranges::fill(speeds_, Vec3d::Zero());
        started_ = true;
    }
    // A pause of minutes is not played back: after that every spring has come to rest.
    const double most = 1e5;
    const auto parts = static_cast<int>(std::clamp(std::ceil(seconds / options_.max_step), 1.0, most));
    const double h = seconds / parts;
    for (std::size_t p = 0; p < places_.size(); ++p) {
        for (int i = 1; i <= parts; ++i)
            advance(p, targets_[p] + (targets[p] - targets_[p]) * (static_cast<double>(i) / parts), h);
        targets_[p] = targets[p];
        offsets_[p] = places_[p] - targets[p];
    }
    return offsets_;
}

}  // namespace sinew::deform
