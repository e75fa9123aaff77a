#include "sinew/sample/man_clothes.h"

#include <algorithm>
#include <cmath>

#include "sinew/sample/man.h"

namespace sinew::sample {
namespace {

using math::Vec4f;

// Sides of the lines, above 0 where the name says.
double outside_sleeve(const Vec3d& p) {
    return std::abs(p.x()) - 0.335;
}
double above_collar(const Vec3d& p) {
    return (p.y() + 0.50 * p.z() - 1.478) / std::hypot(1.0, 0.50);
}
double above_belt(const Vec3d& p) {
    return p.y() - 1.012 + 0.10 * p.z();
}
double above_trousers(const Vec3d& p) {
    return p.y() - 0.976 + 0.10 * p.z();
}
double above_hem(const Vec3d& p) {
    return p.y() - 0.072 - 0.15 * p.z();
}
double above_sole(const Vec3d& p) {
    return p.y() - 0.024;
}
/// Above a line that runs over the forehead, down at the temples, around the ear and low in the neck.
double in_hair(const Vec3d& p) {
    const double z = p.z(), x = std::abs(p.x());
    const double line = 1.700 - 0.10 * smooth_step(0.07, -0.02, z) - 0.055 * smooth_step(-0.015, -0.045, z) +
                        0.012 * smooth_step(0.05, 0.02, x) * smooth_step(0.05, 0.09, z);
    return 0.75 * (p.y() - line);
}

Vec4f srgb(int r, int g, int b) {
    const auto linear = [](int c) {
        const double v = c / 255.0;
        return static_cast<float>(v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4));
    };
    return {linear(r), linear(g), linear(b), 1.0f};
}

HandRay finger(const char* name, double z, double length, double spread, double radius) {
    const double x0 = 0.803 - 6 * (z - 0.002) * (z - 0.002), c = std::cos(spread), s = std::sin(spread);
    const Vec3d knuckle(x0, 1.423, z - 0.012), along(c, 0, s);
    const Vec3d first = (along - 0.10 * Vec3d::UnitY()).normalized(), second = (along - 0.28 * Vec3d::UnitY()).normalized();
    const Vec3d middle = knuckle + 0.53 * length * first;
    return {name, knuckle - 0.05 * along, knuckle, middle, middle + 0.47 * length * second, radius};
}

}  // namespace

std::array<HandRay, 4> man_fingers() {
    return {finger("Index", 0.031, 0.072, 0.12, 0.0086), finger("Middle", 0.0105, 0.079, 0.025, 0.0088),
            finger("Ring", -0.0100, 0.072, -0.075, 0.0084), finger("Little", -0.0295, 0.056, -0.175, 0.0076)};
}

HandRay man_thumb() {
    return {"Thumb", {0.725, 1.419, 0.002}, {0.762, 1.412, 0.034}, {0.790, 1.409, 0.052}, {0.812, 1.407, 0.062}, 0.011};
}

std::vector<Garment> man_garments() {
    const auto shirt = [](const Vec3d& p) {
        return std::min({-outside_sleeve(p), -above_collar(p), above_belt(p) + 0.01});
    };
    const auto belt = [](const Vec3d& p) { return std::min(-above_belt(p), above_trousers(p)); };
    const auto trousers = [](const Vec3d& p) { return std::min(-above_trousers(p) + 0.01, above_hem(p)); };
    return {{shirt, 0.004}, {belt, 0.003}, {trousers, 0.004}, {in_hair, 0.005}};
}

std::vector<Border> man_borders() {
    return {{outside_sleeve, 0.003}, {above_collar, 0.003},  {above_belt, 0.0015}, {above_trousers, 0.0015},
            {above_hem, 0.003},      {above_sole, 0.0015}, {in_hair, 0.0025}};
}

Vec4f man_color(const Vec3d& p) {
    if (above_collar(p) > 0 && std::abs(p.x()) < 0.2) return in_hair(p) > 0 ? srgb(62, 42, 30) : srgb(224, 172, 138);
    if (outside_sleeve(p) > 0) return srgb(224, 172, 138);
    if (above_belt(p) > 0) return srgb(62, 116, 138);
    if (above_trousers(p) > 0) return srgb(92, 60, 38);
    if (above_hem(p) > 0) return srgb(52, 58, 78);
    return above_sole(p) > 0 ? srgb(150, 84, 52) : srgb(236, 230, 218);
}

}  // namespace sinew::sample
