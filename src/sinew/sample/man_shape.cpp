// The man's body: 1.75 m, head 1/7.5 of the height, after the usual artistic canon and adult male breadths.
#include <cmath>

#include "sinew/sample/samples.h"
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

}  // namespace sinew::sample
