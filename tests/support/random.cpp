// SPDX-License-Identifier: MIT
#include "support/random.h"

namespace sinew::test {

double Random::uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
}

double Random::normal() {
    return std::normal_distribution<double>()(engine_);
}

int Random::integer(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(engine_);
}

math::Vec3d Random::vector(double size) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
}

math::Vec3d Random::unit_vector() {
    return math::Vec3d(normal(), normal(), normal()).normalized();
}

math::Quatd Random::rotation() {
    return math::Quatd(normal(), normal(), normal(), normal()).normalized();
}

math::Quatd Random::rotation(double angle) {
    return math::axis_angle(unit_vector(), uniform(0, angle));
}

math::Rigidd Random::rigid(double size) {
    return {rotation(), vector(size)};
}

std::vector<double> Random::weights(int count) {
    std::vector<double> w(static_cast<std::size_t>(count));
    double sum = 0;
    for (double& x : w) sum += x = -std::log(uniform(1e-9, 1));
    for (double& x : w) x /= sum;
    return w;
}

}  // namespace sinew::test
