#pragma once
/// \file
/// Low-pass filtering of measured curves without a delay.

#include <span>
#include <vector>

namespace sinew::motion {

/// The coefficients of a Butterworth low-pass of second order: y0 = a (x0 + 2 x1 + x2) + b1 y1 + b2 y2.
struct LowPass {
    double a = 1;
    double b1 = 0;
    double b2 = 0;
};

/// A filter of second order that is to run forwards and then backwards: together of fourth order and without
/// lag, with half the power gone (-3 dB) at `cutoff`. Each pass alone must have its corner higher by
/// (sqrt 2 - 1)^(-1/4) for that (Winter 2009, 3.5.3).
/// \throws Error unless 0 < cutoff < rate / 2.
LowPass zero_lag_butterworth(double cutoff, double rate);

/// Both passes over evenly spaced values. The ends are continued by point reflection, 2 x_0 - x_k, so that
/// level and slope are kept there.
std::vector<double> filtered(std::span<const double> values, const LowPass& filter);

}  // namespace sinew::motion
