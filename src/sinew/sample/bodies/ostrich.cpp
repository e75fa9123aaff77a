// SPDX-License-Identifier: MIT
// The ostrich's body: a cock of 2.1 m, folded wings, two toes on each foot.
#include <cmath>

#include "sinew/sample/bodies/animals.h"

namespace sinew::sample {
namespace {

const Mat3d unturned = Mat3d::Identity();

void add_ostrich_trunk(ImplicitBody& body) {
    body.add(in_plane(0, {{-0.46, 1.170, 0.130, 1.00},
                          {-0.30, 1.180, 0.225, 0.98},
                          {-0.08, 1.160, 0.275, 0.95},
                          {0.14, 1.160, 0.260, 0.92},
                          {0.30, 1.190, 0.175, 0.95}}),
             0.02, false);
    body.add(in_plane(0, {{-0.44, 1.19, 0.130, 0.85},
                          {-0.58, 1.17, 0.115, 0.85},
                          {-0.70, 1.11, 0.090, 0.80},
                          {-0.78, 1.03, 0.040, 0.80}}),
             0.06, false);  // plumes of the tail
    Sweep wing;
    wing.stations = {{{0.215, 1.265, 0.200}, 0.085, 0.60},
                     {{0.262, 1.235, 0.020}, 0.145, 0.42},
                     {{0.275, 1.190, -0.180}, 0.155, 0.36},
                     {{0.255, 1.120, -0.380}, 0.100, 0.36},
                     {{0.235, 1.070, -0.500}, 0.040, 0.50}};
    body.add(wing, 0.045);
}

void add_ostrich_head(ImplicitBody& body) {
    body.add(in_plane(0, {{0.30, 1.200, 0.150, 0.90},
                          {0.42, 1.255, 0.098, 0.92},
                          {0.505, 1.350, 0.070, 0.95},
                          {0.540, 1.470, 0.056, 1.0},
                          {0.525, 1.600, 0.048, 1.0},
                          {0.490, 1.730, 0.043, 1.0},
                          {0.470, 1.850, 0.040, 1.0},
                          {0.485, 1.960, 0.040, 1.0},
                          {0.520, 2.030, 0.044, 1.0}}),
             0.06, false);
    body.add(
        in_plane(0, {{0.520, 2.040, 0.054, 0.92}, {0.570, 2.042, 0.050, 0.90}, {0.610, 2.032, 0.036, 0.95}}),
        0.02, false);
    body.add(
        in_plane(0, {{0.605, 2.028, 0.031, 1.00}, {0.650, 2.015, 0.021, 1.45}, {0.700, 2.003, 0.012, 1.9}}),
        0.012, false);                                                                      // beak
    body.add(Ellipsoid{{0.038, 2.052, 0.560}, {0.018, 0.021, 0.022}, unturned}, 0.010);     // eye
    body.carve(Ellipsoid{{0.034, 2.004, 0.680}, {0.020, 0.0022, 0.055}, unturned}, 0.004);  // mouth
}

void add_toe(ImplicitBody& body, const Vec3d& root, const Vec3d& tip, double radius) {
    Sweep toe;
    toe.stations = {{root, radius, 1.0},
                    {(2 * root + tip) / 3 + Vec3d(0, 0.004, 0), 1.02 * radius, 1.05},
                    {(root + 2 * tip) / 3, 0.95 * radius, 1.05},
                    {tip, 0.62 * radius, 0.95}};
    body.add(toe, 0.02);
}

void add_ostrich_leg(ImplicitBody& body) {
    Sweep thigh;
    thigh.stations = {{{0.120, 1.120, -0.040}, 0.170, 0.70},
                      {{0.150, 1.010, 0.060}, 0.145, 0.75},
                      {{0.160, 0.925, 0.110}, 0.105, 0.85}};
    body.add(thigh, 0.06);
    Sweep leg;
    leg.stations = {{{0.160, 0.940, 0.095}, 0.110, 0.82},  {{0.157, 0.830, 0.045}, 0.086, 0.82},
                    {{0.152, 0.720, -0.020}, 0.058, 0.88}, {{0.148, 0.610, -0.085}, 0.042, 0.92},
                    {{0.145, 0.535, -0.120}, 0.047, 0.92}, {{0.145, 0.470, -0.105}, 0.038, 0.90},
                    {{0.145, 0.330, -0.065}, 0.029, 0.92}, {{0.145, 0.190, -0.030}, 0.028, 0.95},
                    {{0.145, 0.090, -0.005}, 0.033, 1.00}};
    body.add(leg, 0.05);
    add_toe(body, {0.145, 0.050, 0.000}, {0.140, 0.022, 0.210}, 0.033);
    add_toe(body, {0.155, 0.045, 0.005}, {0.215, 0.016, 0.120}, 0.023);
    body.add(RoundCone{{0.140, 0.024, 0.205}, {0.139, 0.014, 0.240}, 0.016, 0.007}, 0.008);  // claw
}

math::Vec4f ostrich_color(const Vec3d& p) {
    const math::Vec4f feather(0.020f, 0.018f, 0.017f, 1), skin(0.42f, 0.27f, 0.22f, 1),
        white(0.75f, 0.72f, 0.68f, 1), beak(0.40f, 0.24f, 0.14f, 1);
    const Vec3d q(std::abs(p.x()), p.y(), p.z());
    if ((q - Vec3d(0.054, 2.053, 0.562)).norm() < 0.016) return {0.01f, 0.008f, 0.006f, 1};
    const double neck = smooth_step(0.03, 0.09, (p - Vec3d(0, 1.27, 0.40)).dot(Vec3d(0, 0.75, 0.66)));
    const double legs = 1 - smooth_step(0.80, 0.88, p.y());
    const double tail = 1 - smooth_step(-0.62, -0.56, p.z());
    const double wing_tip = smooth_step(0.20, 0.22, q.x()) * (1 - smooth_step(-0.40, -0.32, p.z()));
    math::Vec4f result = feather + static_cast<float>(std::max(tail, wing_tip)) * (white - feather);
    result += static_cast<float>(std::max(neck, legs)) * (skin - result);
    if (p.y() > 1.9) result += static_cast<float>(smooth_step(0.60, 0.62, p.z())) * (beak - result);
    return result;
}

std::vector<JointPlan> ostrich_trunk_joints() {
    return {
        {"Hips", "", {0, 1.190, -0.160}},
        {"Spine", "Hips", {0, 1.190, 0.000}, {{{0, 0, 0.000}, {0, 0, 1}, 0.17, 0.17}}},
        {"Chest", "Spine", {0, 1.190, 0.170}, {{{0, 0, 0.175}, {0, 0, 1}, 0.18, 0.18}}},
        {"Neck", "Chest", {0, 1.225, 0.350}, {{{0, 1.240, 0.400}, {0, 0.4, 0.9}, 0.09, 0.09}}},
        {"Neck1", "Neck", {0, 1.350, 0.505}, {bend_gate(0.05, 0.05)}},
        {"Neck2", "Neck1", {0, 1.535, 0.535}, {bend_gate(0.05, 0.05)}},
        {"Neck3", "Neck2", {0, 1.700, 0.498}, {bend_gate(0.05, 0.05)}},
        {"Neck4", "Neck3", {0, 1.870, 0.470}, {bend_gate(0.05, 0.05)}},
        {"Head",
         "Neck4",
         {0, 2.025, 0.515},
         {{{0, 2.015, 0.515}, {0, 0.75, 0.6}, 0.025, 0.025}},
         false,
         false,
         Vec3d(0, 2.006, 0.700)},
        {"Tail", "Hips", {0, 1.180, -0.440}, {{{0, 1.170, -0.49}, {0, 0, -1}, 0.10, 0.10}}},
        {"Tail1", "Tail", {0, 1.150, -0.620}, {bend_gate(0.05, 0.05)}, false, false, Vec3d(0, 1.035, -0.775)},
        {"UpperWing",
         "Chest",
         {0.205, 1.260, 0.180},
         {{{0.195, 0, 0}, {1, 0, 0}, 0.06, 0.06}, {{0, 1.045, 0}, {0, 1, -0.1}, 0.05, 0.05}},
         true,
         false,
         {},
         true},
        {"LowerWing",
         "UpperWing",
         {0.262, 1.210, -0.080},
         {bend_gate(0.06, 0.06)},
         true,
         false,
         Vec3d(0.235, 1.070, -0.500)},
    };
}

std::vector<JointPlan> ostrich_leg_joints() {
    return {
        // Knees and toes lie under the spine, which must not move them.
        {"UpperLeg",
         "Hips",
         {0.120, 1.120, -0.030},
         {{{0.120, 1.040, 0.00}, {0.35, -1, 0.2}, 0.09, 0.09},
          {{0, 0, 0}, {1, 0, 0}, 0, 0.07},
          {{0, 0.95, -0.22}, {0, -0.3, 1}, 0.05, 0.05},
          {{0, 0.95, 0.25}, {0, -0.3, -1}, 0.04, 0.04}},
         true,
         false,
         {},
         true},
        {"LowerLeg",
         "UpperLeg",
         {0.160, 0.930, 0.110},
         {{{0.160, 0.895, 0.085}, {0, -1, -0.2}, 0.08, 0.08}},
         true},
        {"Foot", "LowerLeg", {0.145, 0.530, -0.118}, {bend_gate(0.045, 0.045)}, true},
        {"Toes",
         "Foot",
         {0.145, 0.060, 0.000},
         {{{0.145, 0.060, 0.0}, {0, -1, 0.3}, 0.025, 0.025}},
         true,
         false,
         Vec3d(0.139, 0.015, 0.238)},
    };
}

WalkPlan ostrich_walk() {
    WalkPlan plan;
    plan.seconds = 1.0;
    plan.stride = 1.3;
    plan.duty = 0.60;
    plan.lift = 0.16;
    plan.drop = 0.035;
    plan.bob = 0.015;
    plan.legs = {{{"UpperLeg", "LowerLeg", "Foot", "Toes"}, {-20, 40, -45, 55}, 0.0}};
    const Vec3d x = Vec3d::UnitX(), y = Vec3d::UnitY(), z = Vec3d::UnitZ();
    plan.waves = {{"Hips", z, 0, 2.0, 1, 0.2},    {"Spine", y, 0, 2, 1, 0.1}, {"Chest", y, 0, -2, 1, 0.1},
                  {"Neck", x, 0, 4, 2, 0.0},      {"Neck1", x, 0, 4, 2, 0.1}, {"Neck2", x, 0, -4, 2, 0.2},
                  {"Neck3", x, 0, -4, 2, 0.3},    {"Neck4", x, 0, 3, 2, 0.3}, {"Head", x, 0, -5, 2, 0.3},
                  {"Tail", x, 0, 4, 2, 0.2},      {"Tail1", x, 0, 4, 2, 0.3}, {"UpperWing", z, 3, 3, 2, 0.1},
                  {"LowerWing", y, -2, 3, 2, 0.2}};
    return plan;
}

}  // namespace

Animal ostrich() {
    Animal ostrich;
    ostrich.name = "ostrich";
    add_ostrich_trunk(ostrich.body);
    add_ostrich_head(ostrich.body);
    add_ostrich_leg(ostrich.body);
    ostrich.body.carve(HalfSpace{}, 0.008, false);  // the ground under the feet
    ostrich.mesh.box = {{-0.4f, -0.02f, -0.86f}, {0.4f, 2.12f, 0.76f}};
    ostrich.mesh.step = 0.012;
    ostrich.mesh.faces = 52896;
    ostrich.joints = ostrich_trunk_joints();
    const auto legs = ostrich_leg_joints();
    ostrich.joints.insert(ostrich.joints.end(), legs.begin(), legs.end());
    ostrich.color = ostrich_color;
    return ostrich;
}

model::Character make_ostrich(std::size_t faces) {
    model::Character character = make_animal(ostrich(), faces);
    character.clips = walk_clips(character.skeleton, ostrich_walk());
    return character;
}

}  // namespace sinew::sample
