// SPDX-License-Identifier: MIT
#pragma once
// Seeded random rotations, transformations and weights.

#include <random>
#include <vector>

#include "sinew/math/transform.h"

namespace sinew::test {

class Random {
  public:
    explicit Random(unsigned seed = 1) : engine_(seed) {}
    double uniform(double low = 0, double high = 1);
    double normal();
    int integer(int low, int high);
    math::Vec3d vector(double size = 1);
    math::Vec3d unit_vector();
    math::Quatd rotation();
    /// Rotation by at most `angle` about a random axis.
    math::Quatd rotation(double angle);
    math::Rigidd rigid(double size = 1);
    /// Convex weights.
    std::vector<double> weights(int count);

  private:
    std::mt19937 engine_;
};

}  // namespace sinew::test
