#include "sinew/sample/bodies/man.h"

#include <algorithm>
#include <cmath>

#include "sinew/sample/samples.h"

namespace sinew::sample {
namespace {

using math::Vec4f;

constexpr double collar_width = 0.011;

// Sides of the lines, above 0 where the name says.
double outside_sleeve(const Vec3d& p) {
    return std::abs(p.x()) - 0.335;
}
/// Inside a cone that opens upwards around the neck, lower in front.
double above_collar(const Vec3d& p) {
    const double radius = std::hypot(p.x(), p.z() + 0.028);
    return (0.078 + 1.2 * (p.y() - 1.480) + 0.30 * (p.z() + 0.02) - radius) / 1.5;
}
double above_belt(const Vec3d& p) {
    return p.y() - 1.012 + 0.10 * p.z();
}
double above_trousers(const Vec3d& p) {
    return p.y() - 0.976 + 0.10 * p.z();
}
/// Outside a rounded rectangle in front.
double outside_buckle(const Vec3d& p) {
    if (p.z() < 0) return 0.1;
    const double u = std::max(std::abs(p.x()) - 0.016, 0.0),
                 v = std::max(std::abs(above_belt(p) + 0.018) - 0.008, 0.0);
    return std::hypot(u, v) - 0.005;
}
double above_hem(const Vec3d& p) {
    return p.y() - 0.082 - 0.12 * p.z();
}
double above_sole(const Vec3d& p) {
    return p.y() - 0.024;
}
/// Above a line that runs over the forehead, down at the temples and low in the neck, and clear of the ear.
double in_hair(const Vec3d& p) {
    const double z = p.z(), x = std::abs(p.x());
    const double line = 1.706 - 0.042 * smooth_step(0.075, 0.035, z) - 0.030 * smooth_step(0.035, 0.005, z) -
                        0.075 * smooth_step(-0.010, -0.060, z) - 0.006 * smooth_step(0.018, 0.045, x);
    static const Ellipsoid ear = man_ear();
    return smooth_min(0.75 * (p.y() - line), evaluate(ear, {x, p.y(), z}) - 0.005, 0.006);
}

/// Distance from an ellipse on the left half of the face, negative inside and large behind.
double from_ellipse(const Vec3d& p, double x, double y, double length, double height, double tilt) {
    if (p.z() < 0.04) return 0.1;
    const double u = std::abs(p.x()) - x, v = p.y() - y - tilt * u;
    const double k0 = std::hypot(u / length, v / height),
                 k1 = std::hypot(u / (length * length), v / (height * height));
    return k1 > 1e-9 ? k0 * (k0 - 1) / k1 : -height;
}
double outside_eye(const Vec3d& p) {
    return from_ellipse(p, 0.0315, 1.6420, 0.0135, 0.0058, 0.06);
}
/// The lids cut the circle off.
double outside_iris(const Vec3d& p) {
    return -smooth_min(-from_ellipse(p, 0.0312, 1.6426, 0.0062, 0.0062, 0), -outside_eye(p) - 0.0013, 0.001);
}
double outside_brow(const Vec3d& p) {
    const double u = std::abs(p.x()) - 0.029;
    return from_ellipse(p, 0.029, 1.6625 - 12 * u * u, 0.0155, 0.0032, 0.05);
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
    const Vec3d first = (along - 0.10 * Vec3d::UnitY()).normalized(),
                second = (along - 0.28 * Vec3d::UnitY()).normalized();
    const Vec3d middle = knuckle + 0.53 * length * first;
    return {name, knuckle - 0.05 * along, knuckle, middle, middle + 0.47 * length * second, radius};
}

}  // namespace

std::array<HandRay, 4> man_fingers() {
    return {finger("Index", 0.031, 0.072, 0.12, 0.0086), finger("Middle", 0.0105, 0.079, 0.025, 0.0088),
            finger("Ring", -0.0100, 0.072, -0.075, 0.0084), finger("Little", -0.0295, 0.056, -0.175, 0.0076)};
}

HandRay man_thumb() {
    return {
        "Thumb", {0.725, 1.419, 0.002}, {0.762, 1.412, 0.034}, {0.790, 1.409, 0.052}, {0.812, 1.407, 0.062},
        0.011};
}

Ellipsoid man_ear() {
    return {{0.0735, 1.632, -0.008}, {0.0085, 0.029, 0.0170}, turned({-0.2, -0.35, 0.15})};
}

Mat3d turned(const Vec3d& rotation_vector) {
    return Mat3d(Eigen::AngleAxisd(rotation_vector.norm(), rotation_vector.normalized()));
}

std::vector<Garment> man_garments() {
    const auto clothes = [](const Vec3d& p) {
        return std::min({-outside_sleeve(p), -above_collar(p), above_hem(p)});
    };
    const auto belt = [](const Vec3d& p) { return std::min(-above_belt(p), above_trousers(p)); };
    const auto collar = [](const Vec3d& p) {
        return std::min(-above_collar(p), above_collar(p) + collar_width);
    };
    const auto buckle = [](const Vec3d& p) { return -outside_buckle(p); };
    // Edges narrower than the strips of their borders leave the normals on both sides alone.
    return {{clothes, 0.004, 0.003},
            {collar, 0.0015, 0.002},
            {belt, 0.003, 0.003},
            {buckle, 0.002, 0.002},
            {in_hair, 0.006, 0.012}};
}

std::vector<Border> man_borders() {
    const auto above_shirt = [](const Vec3d& p) { return above_collar(p) + collar_width; };
    return {{outside_sleeve, 0.0018}, {above_collar, 0.0016},   {above_shirt, 0.0012},
            {above_belt, 0.0018},     {above_trousers, 0.0018}, {above_hem, 0.0018},
            {above_sole, 0.0012},     {in_hair, 0.0025},        {outside_eye, 0.0006},
            {outside_iris, 0.0005},   {outside_brow, 0.0006},   {outside_buckle, 0.0012}};
}

Vec4f man_color(const Vec3d& p) {
    Vec4f skin = srgb(222, 170, 136), hair = srgb(62, 42, 30);
    if (above_collar(p) > 0) {
        if (in_hair(p) > 0 || outside_brow(p) < 0) return hair;
        if (outside_eye(p) < 0) return outside_iris(p) < 0 ? srgb(52, 38, 30) : srgb(232, 228, 222);
        const float lips =
            static_cast<float>(smooth_step(0.002, -0.002, from_ellipse(p, 0, 1.570, 0.0205, 0.0085, 0)));
        return skin + lips * (srgb(200, 132, 112) - skin);
    }
    if (outside_sleeve(p) > 0) return skin;
    if (above_collar(p) > -collar_width) return srgb(46, 92, 112);
    if (above_belt(p) > 0) return srgb(62, 116, 138);
    if (above_trousers(p) > 0) return outside_buckle(p) < 0 ? srgb(186, 160, 104) : srgb(92, 60, 38);
    if (above_hem(p) > 0) return srgb(52, 58, 78);
    return above_sole(p) > 0 ? srgb(150, 84, 52) : srgb(236, 230, 218);
}

}  // namespace sinew::sample
