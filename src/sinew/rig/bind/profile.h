#pragma once
/// \file
/// The distances of the skin along a fan of rays, and the ray where it is nearest (Xie 2009, 4.2.2).

#include <span>
#include <vector>

namespace sinew::rig {

/// Gaussian mean over neighbouring rays, mirrored at the ends; rays without a hit (infinite) are passed over
/// and stay infinite. Sigma in rays; 0 keeps the profile.
std::vector<double> smooth_profile(std::span<const double> profile, double sigma);

struct MinimumOptions {
    double step = 1;     ///< angle between two rays, radians
    double near = 1.05;  ///< minima up to so many times the least are compared by their curvature
    int stride = 3;      ///< of the second difference, in rays
    double middle = -1;  ///< ray that wins a tie by being nearest to it; below 0 the middle of the fan
};

/// Second derivative of a profile over the angle, (D[i-s] - 2 D[i] + D[i+s]) / (s step)^2, with a shorter
/// stride beside the ends; 0 at an end. For a flat wall at distance h, D = h / cos, it is h.
double second_derivative(std::span<const double> profile, std::size_t ray, const MinimumOptions& options);

/// Of the local minima that are nearly the least the one with the most abrupt change; -1 when there is no
/// hit. `counts` says which rays take part; empty means all.
int choose_minimum(std::span<const double> profile, std::span<const char> counts,
                   const MinimumOptions& options);

}  // namespace sinew::rig
