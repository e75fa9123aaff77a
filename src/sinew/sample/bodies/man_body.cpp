// SPDX-License-Identifier: MIT
// The man's body: 1.75 m, head 1/7.5 of the height, after the usual artistic canon and adult male breadths.
#include <algorithm>
#include <cmath>

#include "sinew/sample/bodies/man.h"

namespace sinew::sample {
namespace {

/// Columns u, v, w for a loft that runs up: u to the left, v forward.
Mat3d upright() {
    Mat3d axes;
    axes << 1, 0, 0,  //
        0, 0, 1,      //
        0, 1, 0;
    return axes;
}

/// Runs out along the left arm: u forward, v up.
Mat3d along_arm() {
    Mat3d axes;
    axes << 0, 0, 1,  //
        0, 1, 0,      //
        1, 0, 0;
    return axes;
}

/// Runs forward along the foot, toes out by an angle: u to the left, v up.
Mat3d along_foot(double toe_out) {
    const double c = std::cos(toe_out), s = std::sin(toe_out);
    Mat3d axes;
    axes << c, 0, s,  //
        0, 1, 0,      //
        -s, 0, c;
    return axes;
}

void add_torso(ImplicitBody& body) {
    Loft torso;
    torso.axes = upright();
    torso.sections = {
        // at, width, front, back, shift u, shift v, square
        {0.860, 0.146, 0.088, 0.095, 0, -0.008, 0.2}, {0.920, 0.160, 0.098, 0.108, 0, -0.006, 0.2},
        {0.980, 0.155, 0.100, 0.102, 0, -0.004, 0.2}, {1.040, 0.146, 0.099, 0.088, 0, -0.002, 0.2},
        {1.100, 0.143, 0.099, 0.080, 0, -0.004, 0.2}, {1.180, 0.150, 0.103, 0.086, 0, -0.008, 0.2},
        {1.260, 0.161, 0.105, 0.098, 0, -0.012, 0.2}, {1.330, 0.168, 0.104, 0.106, 0, -0.016, 0.2},
        {1.390, 0.160, 0.088, 0.100, 0, -0.020, 0.2}, {1.440, 0.115, 0.062, 0.075, 0, -0.024, 0.1},
        {1.470, 0.070, 0.048, 0.055, 0, -0.026, 0},
    };
    torso.start_cap = 0.05;
    torso.end_cap = 0.03;
    body.add(torso, 0.01, false);
    body.add(Ellipsoid{{0.076, 1.326, 0.058}, {0.082, 0.050, 0.027}, turned({0, 0.25, 0.1})}, 0.04);  // chest
    body.add(Ellipsoid{{0.080, 1.330, -0.085}, {0.072, 0.085, 0.030}, turned({0, -0.2, 0})},
             0.05);  // shoulder blade
    body.add(Ellipsoid{{0.073, 0.900, -0.072}, {0.076, 0.085, 0.058}, Mat3d::Identity()}, 0.04);  // buttock
    body.add(RoundCone{{0.035, 1.495, -0.030}, {0.150, 1.437, -0.022}, 0.032, 0.034}, 0.045);     // trapezius
}

void add_arm(ImplicitBody& body) {
    Loft arm;
    arm.origin = {0, 1.425, -0.018};
    arm.axes = along_arm();
    arm.sections = {
        {0.140, 0.062, 0.046, 0.062, 0, 0, 0},       {0.200, 0.058, 0.046, 0.056, 0, 0, 0},
        {0.280, 0.047, 0.042, 0.046, 0, 0, 0},       {0.350, 0.045, 0.040, 0.044, 0, 0, 0},
        {0.420, 0.040, 0.036, 0.037, 0, 0, 0},       {0.460, 0.039, 0.034, 0.035, 0, 0, 0.1},
        {0.520, 0.042, 0.035, 0.034, 0.001, 0, 0.1}, {0.580, 0.038, 0.031, 0.030, 0.002, 0, 0.1},
        {0.650, 0.031, 0.024, 0.023, 0.004, 0, 0.1}, {0.705, 0.029, 0.020, 0.019, 0.006, 0, 0.1},
    };
    arm.start_cap = 0.06;
    arm.end_cap = 0.02;
    body.add(arm, 0.05);
    body.add(Ellipsoid{{0.192, 1.420, -0.018}, {0.064, 0.053, 0.060}, turned({0, 0, -0.35})},
             0.03);  // deltoid
}

void add_leg(ImplicitBody& body) {
    Loft leg;
    leg.origin = {0.094, 0, 0};
    leg.axes = upright();
    leg.sections = {
        {0.055, 0.048, 0.050, 0.050, 0.006, -0.020, 0.1}, {0.200, 0.051, 0.050, 0.058, 0.005, -0.018, 0.1},
        {0.350, 0.057, 0.052, 0.068, 0.003, -0.012, 0.1}, {0.450, 0.057, 0.056, 0.057, 0.001, 0.000, 0.1},
        {0.500, 0.060, 0.062, 0.055, 0.001, 0.003, 0.1},  {0.580, 0.067, 0.068, 0.064, 0.001, 0.005, 0},
        {0.700, 0.077, 0.080, 0.078, 0.002, 0.003, 0},    {0.800, 0.081, 0.086, 0.088, 0.002, 0.000, 0},
        {0.880, 0.076, 0.086, 0.092, -0.004, -0.004, 0},
    };
    leg.start_cap = 0.02;
    leg.end_cap = 0.04;
    body.add(leg, 0.03);
}

void add_shoe(ImplicitBody& body) {
    Loft shoe;
    shoe.origin = {0.099, 0, -0.02};
    shoe.axes = along_foot(math::radians(7));
    shoe.sections = {
        {-0.052, 0.031, 0.046, 0.030, 0, 0.026, 0.4},     {-0.015, 0.036, 0.066, 0.030, 0, 0.026, 0.4},
        {0.030, 0.037, 0.064, 0.030, 0.001, 0.026, 0.4},  {0.075, 0.042, 0.040, 0.030, 0.003, 0.026, 0.4},
        {0.125, 0.047, 0.024, 0.030, 0.004, 0.026, 0.4},  {0.165, 0.043, 0.018, 0.030, 0.002, 0.026, 0.4},
        {0.190, 0.033, 0.013, 0.030, -0.002, 0.026, 0.4},
    };
    shoe.start_cap = 0.022;
    shoe.end_cap = 0.022;
    body.add(shoe, 0.012);
}

void add_finger(ImplicitBody& body, const Vec3d& knuckle, const Vec3d& middle, const Vec3d& tip,
                double radius) {
    body.add(RoundCone{knuckle, middle, radius, 0.92 * radius}, 0.010);
    body.add(RoundCone{middle, tip, 0.92 * radius, 0.78 * radius}, 0.002);
}

void add_hand(ImplicitBody& body) {
    Loft palm;
    palm.origin = {0, 1.424, -0.012};
    palm.axes = along_arm();
    palm.sections = {
        {0.690, 0.027, 0.017, 0.018, 0.000, 0, 0.2},
        {0.730, 0.033, 0.015, 0.018, 0.002, 0, 0.3},
        {0.770, 0.041, 0.013, 0.017, 0.001, 0, 0.3},
        {0.802, 0.040, 0.011, 0.013, 0.000, 0, 0.3},
    };
    palm.start_cap = palm.end_cap = 0.012;
    body.add(palm, 0.015);
    for (const HandRay& ray : man_fingers()) add_finger(body, ray.knuckle, ray.middle, ray.tip, ray.radius);
    const HandRay thumb = man_thumb();
    body.add(RoundCone{thumb.root, thumb.knuckle, 0.016, 0.0125}, 0.014);
    body.add(RoundCone{thumb.knuckle, thumb.middle, 0.0120, 0.0110}, 0.004);
    body.add(RoundCone{thumb.middle, thumb.tip, 0.0110, 0.0080}, 0.002);
}

void add_head(ImplicitBody& body) {
    body.add(RoundCone{{0, 1.430, -0.030}, {0, 1.570, -0.020}, 0.058, 0.047}, 0.03, false);  // neck
    Loft head;
    head.axes = upright();
    head.sections = {
        {1.529, 0.026, 0.050, 0.030, 0, 0.030, 0.15},  {1.547, 0.042, 0.060, 0.052, 0, 0.026, 0.25},
        {1.572, 0.0525, 0.067, 0.068, 0, 0.020, 0.25}, {1.602, 0.0590, 0.074, 0.080, 0, 0.014, 0.15},
        {1.635, 0.0665, 0.080, 0.092, 0, 0.008, 0.15}, {1.670, 0.0715, 0.084, 0.096, 0, 0.002, 0.25},
    };
    head.start_cap = 0.012;
    head.end_cap = 0.073;
    body.add(head, 0.022, false);
}

void add_face(ImplicitBody& body) {
    const Mat3d straight = Mat3d::Identity();
    body.add(Ellipsoid{{0, 1.575, 0.064}, {0.032, 0.028, 0.022}, straight}, 0.025, false);  // muzzle
    body.add(Ellipsoid{{0, 1.534, 0.074}, {0.020, 0.013, 0.014}, straight}, 0.018, false);  // chin
    body.add(Ellipsoid{{0.040, 1.614, 0.054}, {0.020, 0.016, 0.020}, straight}, 0.030);     // cheek
    body.add(Ellipsoid{{0.023, 1.662, 0.077}, {0.026, 0.006, 0.010}, turned({0, 0.35, -0.06})},
             0.012);  // brow
    body.carve(Ellipsoid{{0.031, 1.645, 0.098}, {0.021, 0.012, 0.0125}, turned({0, 0.3, 0})},
               0.014);                                                                         // eye socket
    body.add(Ellipsoid{{0.0315, 1.6425, 0.0675}, {0.0140, 0.0125, 0.0125}, straight}, 0.003);  // eye
    body.add(RoundCone{{0, 1.652, 0.083}, {0, 1.606, 0.102}, 0.0070, 0.0090}, 0.012, false);   // nose
    body.add(Ellipsoid{{0, 1.6045, 0.1025}, {0.0105, 0.0090, 0.0110}, straight}, 0.006, false);
    body.add(Ellipsoid{{0.0115, 1.6005, 0.0925}, {0.0068, 0.0065, 0.0090}, straight}, 0.006);
    body.add(Ellipsoid{{0, 1.5765, 0.0845}, {0.0200, 0.0045, 0.0080}, straight}, 0.004, false);  // lips
    body.add(Ellipsoid{{0, 1.5648, 0.0838}, {0.0175, 0.0050, 0.0085}, straight}, 0.003, false);
    body.carve(Ellipsoid{{0, 1.5708, 0.0940}, {0.0200, 0.0022, 0.0060}, straight}, 0.003, false);
    body.add(man_ear(), 0.009);
    body.carve(Ellipsoid{{0.0830, 1.635, -0.001}, {0.006, 0.016, 0.009}, man_ear().axes}, 0.006);
}

}  // namespace

ImplicitBody man_body() {
    ImplicitBody body;
    add_torso(body);
    add_leg(body);
    add_arm(body);
    add_shoe(body);
    add_head(body);
    add_face(body);
    add_hand(body);
    body.carve(HalfSpace{}, 0.012, false);  // the ground under the soles
    for (const Garment& garment : man_garments()) body.cover(garment.side, garment.thickness, garment.ramp);
    return body;
}

namespace {

using math::Vec4f;

constexpr double collar_width = 0.011;

// Sides of the lines, above 0 in the region of the name.
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
/// The eyelids limit the circle.
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
    // Edges narrower than the strips of their borders do not change the normals on both sides.
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

// Where the man is sampled: about 17 mm on the body, 6 mm on the face, 5 mm on the fingers.

namespace {

/// Lines along an axis whose spacing changes smoothly.
struct GradedAxis {
    std::vector<double> lines;

    template <class Spacing>
    GradedAxis(double start, double end, const Spacing& spacing) : lines{start} {
        while (lines.back() < end) lines.push_back(lines.back() + spacing(lines.back()));
    }
    double at(double index) const {
        const double last = static_cast<double>(lines.size() - 1),
                     whole = std::floor(std::clamp(index, 0.0, last - 1));
        const std::size_t i = static_cast<std::size_t>(whole);
        return lines[i] + (index - whole) * (lines[i + 1] - lines[i]);
    }
    /// A position as a fractional index.
    double index_of(double value) const {
        const auto above = std::upper_bound(lines.begin(), lines.end() - 1, value);
        const std::size_t i =
            static_cast<std::size_t>(std::max<std::ptrdiff_t>(above - lines.begin(), 1)) - 1;
        return static_cast<double>(i) + (value - lines[i]) / (lines[i + 1] - lines[i]);
    }
};

double mix(double a, double b, double t) {
    return a + t * (b - a);
}

/// Bends a tensor grid: it narrows towards the hand along the arm, and towards the head above the neck.
class ManLattice {
  public:
    ManLattice()
        : x_(-body_step / 2, 0.93,
             [](double x) { return mix(body_step, 0.0085, smooth_step(0.62, 0.72, x)); }),
          y_(-0.02, 1.775,
             [](double y) {
                 return mix(mix(0.013, body_step, smooth_step(0.05, 0.20, y)), 0.0090,
                            smooth_step(1.46, 1.54, y));
             }),
          z_(-0.165, 0.225, [](double) { return 0.0170; }) {}

    std::array<std::size_t, 3> points() const { return {x_.lines.size(), y_.lines.size(), z_.lines.size()}; }

    Vec3d position(const Vec3d& index) const {
        const Vec3d base(x_.at(index.x()), y_.at(index.y()), z_.at(index.z()));
        const double hand = smooth_step(0.26, 0.73, std::abs(base.x()));
        const double head =
            smooth_step(1.45, 1.55, base.y()) * (1 - smooth_step(0.2, 0.4, std::abs(base.x())));
        const double mid = index.x() - 0.5;
        Vec3d p = base;
        p.x() = mix(base.x(), 0.0090 * mid, head);
        p.y() = mix(base.y(), 1.420 + 0.0055 * (index.y() - y_.index_of(1.420)), hand);
        p.z() = mix(base.z(), face_z(index.z()), head);
        p.z() = mix(p.z(), 0.006 + 0.0060 * (index.z() - z_.index_of(0.03)), hand);
        return p;
    }

  private:
    /// Finer in front: the last line lies before the nose.
    double face_z(double index) const {
        const double from_front = static_cast<double>(z_.lines.size() - 1) - index;
        return 0.132 - 0.0085 * from_front - 0.00013 * from_front * from_front;
    }
    static constexpr double body_step = 0.0240;
    GradedAxis x_, y_, z_;
};

/// Finer around eyes, nose, mouth and ears.
double wanted_size(const Vec3d& p) {
    const auto near = [&](const Vec3d& center, double radius) {
        const Vec3d q(std::abs(p.x()), p.y(), p.z());
        return 1 - smooth_step(radius, 1.6 * radius, (q - center).norm());
    };
    double size = 1;
    size = mix(size, 0.0065, near({0.010, 1.605, 0.085}, 0.055));
    size = mix(size, 0.0055, near({0.072, 1.630, -0.010}, 0.032));
    size = mix(size, 0.0100, near({0, 0.985, 0.105}, 0.022));
    size = mix(size, 0.0068, near({0.036, 1.548, 0.035}, 0.040));
    size = mix(size, 0.0045, near({0, 1.603, 0.100}, 0.016));
    size = mix(size, 0.0042, near({0, 1.570, 0.090}, 0.020));
    return mix(size, 0.0038, near({0.031, 1.650, 0.080}, 0.020));
}

}  // namespace

BodyMeshOptions man_mesh_options() {
    BodyMeshOptions options;
    const ManLattice bent;
    options.lattice.points = bent.points();
    options.lattice.bend = [bent](const Vec3d& index) { return bent.position(index); };
    options.size = wanted_size;
    options.borders = man_borders();
    return options;
}

}  // namespace sinew::sample
