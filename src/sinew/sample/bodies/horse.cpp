// SPDX-License-Identifier: MIT
// The horse's body after the proportions of a riding horse: as long as it is high at the withers, head 2/5 of
// that.
#include <cmath>

#include "sinew/sample/bodies/animals.h"

namespace sinew::sample {
namespace {

void add_horse_trunk(ImplicitBody& body) {
    body.add(in_plane(0, {{-0.66, 1.330, 0.165, 1.00},
                          {-0.52, 1.300, 0.255, 0.93},
                          {-0.28, 1.250, 0.270, 0.98},
                          {0.00, 1.195, 0.305, 0.92},
                          {0.24, 1.180, 0.335, 0.78},
                          {0.42, 1.190, 0.325, 0.66},
                          {0.54, 1.150, 0.220, 0.80}}),
             0.01, false);
    body.add(in_plane(0, {{0.12, 1.46, 0.060, 0.7}, {0.32, 1.50, 0.085, 0.6}, {0.46, 1.50, 0.09, 0.6}}), 0.06,
             false);                                                                        // withers
    body.add(Ellipsoid{{0.085, 1.10, 0.64}, {0.09, 0.12, 0.11}, Mat3d::Identity()}, 0.05);  // breast
}

void add_horse_head(ImplicitBody& body) {
    body.add(in_plane(0, {{0.46, 1.28, 0.255, 0.55},
                          {0.66, 1.49, 0.195, 0.50},
                          {0.83, 1.69, 0.145, 0.54},
                          {0.965, 1.86, 0.112, 0.62},
                          {1.03, 1.93, 0.095, 0.75}}),
             0.06, false);
    body.add(in_plane(0, {{1.045, 1.925, 0.100, 0.80},
                          {1.130, 1.850, 0.118, 0.72},
                          {1.235, 1.735, 0.092, 0.70},
                          {1.335, 1.620, 0.068, 0.76},
                          {1.405, 1.540, 0.062, 0.86}}),
             0.03, false);
    body.add(Ellipsoid{{0.048, 1.79, 1.085}, {0.035, 0.085, 0.075}, Mat3d::Identity()}, 0.03);      // cheek
    body.add(Ellipsoid{{0.070, 1.875, 1.160}, {0.022, 0.025, 0.028}, Mat3d::Identity()}, 0.02);     // brow
    body.add(Ellipsoid{{0.081, 1.862, 1.165}, {0.012, 0.016, 0.018}, Mat3d::Identity()}, 0.004);    // eye
    body.add(Ellipsoid{{0, 1.500, 1.375}, {0.042, 0.036, 0.042}, Mat3d::Identity()}, 0.02, false);  // lip
    body.carve(Ellipsoid{{0.050, 1.545, 1.450}, {0.014, 0.022, 0.012}, Mat3d::Identity()}, 0.012);  // nostril
    Sweep ear;
    ear.stations = {{{0.050, 1.985, 1.030}, 0.030, 0.9},
                    {{0.060, 2.050, 1.030}, 0.034, 0.7},
                    {{0.068, 2.110, 1.040}, 0.026, 0.6},
                    {{0.070, 2.155, 1.052}, 0.012, 0.8}};
    body.add(ear, 0.02);
    body.carve(Ellipsoid{{0.066, 2.065, 1.066}, {0.016, 0.050, 0.016}, Mat3d::Identity()}, 0.012);
}

void add_mane_and_tail(ImplicitBody& body) {
    body.add(in_plane(0, {{0.50, 1.56, 0.050, 0.5},
                          {0.64, 1.655, 0.055, 0.5},
                          {0.78, 1.80, 0.050, 0.55},
                          {0.90, 1.93, 0.042, 0.6},
                          {1.00, 2.005, 0.036, 0.7},
                          {1.075, 2.000, 0.026, 0.9}}),
             0.03, false);
    body.add(in_plane(0, {{-0.72, 1.42, 0.060, 0.9},
                          {-0.82, 1.395, 0.050, 0.9},
                          {-0.905, 1.27, 0.058, 0.9},
                          {-0.935, 1.06, 0.072, 0.9},
                          {-0.935, 0.84, 0.070, 0.9},
                          {-0.925, 0.66, 0.048, 0.9},
                          {-0.920, 0.56, 0.018, 0.9}}),
             0.035, false);
}

/// Coronet and hoof; the ground cuts the sole.
void add_hoof(ImplicitBody& body, double x, double z) {
    Sweep hoof;
    hoof.stations = {{{x, 0.085, z}, 0.048, 0.95},
                     {{x, 0.045, z + 0.016}, 0.058, 0.95},
                     {{x, -0.010, z + 0.034}, 0.068, 0.95}};
    body.add(hoof, 0.008);
}

void add_fore_leg(ImplicitBody& body) {
    Sweep shoulder;
    shoulder.stations = {{{0.115, 1.40, 0.37}, 0.105, 0.60},
                         {{0.145, 1.25, 0.49}, 0.120, 0.65},
                         {{0.160, 1.11, 0.57}, 0.110, 0.75}};
    body.add(shoulder, 0.05);
    Sweep arm;
    arm.stations = {{{0.160, 1.11, 0.57}, 0.110, 0.75}, {{0.160, 0.98, 0.48}, 0.112, 0.75}};
    body.add(arm, 0.05);
    Sweep leg;
    leg.stations = {{{0.155, 0.980, 0.470}, 0.115, 0.70}, {{0.148, 0.850, 0.470}, 0.090, 0.72},
                    {{0.140, 0.700, 0.480}, 0.066, 0.80}, {{0.135, 0.560, 0.486}, 0.050, 0.88},
                    {{0.133, 0.480, 0.490}, 0.051, 0.92}, {{0.132, 0.410, 0.484}, 0.040, 0.90},
                    {{0.130, 0.310, 0.480}, 0.034, 0.85}, {{0.130, 0.230, 0.478}, 0.038, 0.88},
                    {{0.130, 0.195, 0.478}, 0.043, 0.92}, {{0.130, 0.140, 0.500}, 0.036, 0.95},
                    {{0.130, 0.095, 0.520}, 0.040, 1.00}};
    body.add(leg, 0.05);
    add_hoof(body, 0.130, 0.522);
}

void add_hind_leg(ImplicitBody& body) {
    Sweep thigh;
    thigh.stations = {{{0.110, 1.330, -0.540}, 0.190, 0.70},
                      {{0.130, 1.160, -0.530}, 0.200, 0.66},
                      {{0.145, 1.010, -0.490}, 0.155, 0.68},
                      {{0.145, 0.930, -0.500}, 0.120, 0.72}};
    body.add(thigh, 0.05);
    Sweep buttock;
    buttock.stations = {{{0.090, 1.330, -0.690}, 0.130, 0.80},
                        {{0.115, 1.150, -0.690}, 0.125, 0.75},
                        {{0.130, 0.980, -0.640}, 0.105, 0.75}};
    body.add(buttock, 0.05);
    Sweep leg;
    leg.stations = {{{0.145, 0.980, -0.520}, 0.130, 0.70}, {{0.142, 0.860, -0.590}, 0.100, 0.68},
                    {{0.136, 0.730, -0.700}, 0.066, 0.75}, {{0.132, 0.610, -0.785}, 0.058, 0.72},
                    {{0.130, 0.540, -0.795}, 0.050, 0.80}, {{0.130, 0.440, -0.790}, 0.039, 0.82},
                    {{0.130, 0.320, -0.780}, 0.036, 0.85}, {{0.130, 0.235, -0.772}, 0.040, 0.88},
                    {{0.130, 0.198, -0.768}, 0.045, 0.90}, {{0.130, 0.140, -0.742}, 0.037, 0.95},
                    {{0.130, 0.095, -0.722}, 0.041, 1.00}};
    body.add(leg, 0.04);
    body.add(RoundCone{{0.131, 0.665, -0.838}, {0.132, 0.590, -0.822}, 0.022, 0.024}, 0.03);  // point of hock
    body.add(RoundCone{{0.134, 0.860, -0.720}, {0.131, 0.675, -0.836}, 0.030, 0.015}, 0.04);  // its tendon
    add_hoof(body, 0.130, -0.720);
}

math::Vec4f horse_color(const Vec3d& p) {
    const math::Vec4f bay(0.23f, 0.085f, 0.03f, 1), black(0.018f, 0.014f, 0.012f, 1);
    const double legs = 1 - smooth_step(0.42, 0.62, p.y());
    const double tail = 1 - smooth_step(-0.87, -0.84, p.z());
    const double muzzle = smooth_step(1.36, 1.44, p.z());
    // The crest runs from the withers to the poll and the forelock.
    const double crest = p.y() - (1.50 + 0.97 * (p.z() - 0.46)) - 0.035;
    const double mane = smooth_step(0, 0.03, crest) * (1 - smooth_step(0.028, 0.040, std::abs(p.x()))) *
                        smooth_step(0.40, 0.44, p.z()) * (1 - smooth_step(1.10, 1.13, p.z()));
    const double eye = (Vec3d(std::abs(p.x()), p.y(), p.z()) - Vec3d(0.090, 1.862, 1.168)).norm() < 0.016;
    const float dark =
        static_cast<float>(std::max({legs, p.y() < 1.35 ? tail : 0.0, 0.8 * muzzle, mane, eye}));
    return bay + dark * (black - bay);
}

std::vector<JointPlan> horse_trunk_joints() {
    const auto cut = [](double z, double width) { return Gate{{0, 0, z}, {0, 0, 1}, width, width}; };
    return {
        {"Hips", "", {0, 1.33, -0.52}},
        {"Spine", "Hips", {0, 1.34, -0.26}, {cut(-0.26, 0.22)}},
        {"Chest", "Spine", {0, 1.33, 0.02}, {cut(0.02, 0.22)}},
        {"UpperChest", "Chest", {0, 1.33, 0.28}, {cut(0.26, 0.22)}},
        {"Neck", "UpperChest", {0, 1.36, 0.52}, {{{0, 1.40, 0.56}, {0, 0.75, 0.65}, 0.12, 0.12}}},
        {"Neck1", "Neck", {0, 1.60, 0.75}, {bend_gate(0.08, 0.08)}},
        {"Neck2", "Neck1", {0, 1.78, 0.90}, {bend_gate(0.07, 0.07)}},
        {"Head",
         "Neck2",
         {0, 1.925, 1.03},
         {{{0, 1.88, 1.00}, {0, 0.15, 1}, 0.055, 0.055}},
         false,
         false,
         Vec3d(0, 1.54, 1.42)},
        {"Ear",
         "Head",
         {0.050, 1.985, 1.030},
         {{{0, 2.005, 0}, {0.2, 1, 0}, 0.015, 0.02}, {{0.03, 0, 0}, {1, 0, 0}, 0.008, 0.008}},
         true,
         false,
         Vec3d(0.070, 2.150, 1.050)},
        // The hocks are as far back as the tail, but farther from the middle.
        {"Tail",
         "Hips",
         {0, 1.42, -0.76},
         {{{0, 1.40, -0.835}, {0, 0, -1}, 0.022, 0.018},
          {{0.088, 0, 0}, {-1, 0, 0}, 0.008, 0.008},
          {{-0.088, 0, 0}, {1, 0, 0}, 0.008, 0.008}}},
        {"Tail1", "Tail", {0, 1.26, -0.905}, {bend_gate(0.07, 0.07)}},
        {"Tail2", "Tail1", {0, 1.04, -0.935}, {bend_gate(0.08, 0.08)}},
        {"Tail3", "Tail2", {0, 0.82, -0.935}, {bend_gate(0.08, 0.08)}, false, false, Vec3d(0, 0.56, -0.92)},
    };
}

std::vector<JointPlan> horse_leg_joints() {
    return {
        {"Shoulder",
         "UpperChest",
         {0.110, 1.42, 0.36},
         {{{0.085, 1.20, 0.36}, {1, -0.5, 0.1}, 0.08, 0.08},
          {{0, 0, 0}, {1, 0, 0}, 0, 0.06},
          {{0, 1.40, 0.40}, {0, -0.8, -0.5}, 0.09, 0.09}},
         true,
         true},
        {"UpperArm", "Shoulder", {0.160, 1.10, 0.60}, {{{0.16, 1.10, 0.56}, {0, -1, 0.2}, 0.07, 0.07}}, true},
        {"LowerArm", "UpperArm", {0.155, 0.95, 0.465}, {{{0.15, 0.905, 0.47}, {0, -1, 0}, 0.06, 0.06}}, true},
        {"Hand", "LowerArm", {0.133, 0.48, 0.490}, {bend_gate(0.05, 0.05)}, true},
        {"Fingers", "Hand", {0.130, 0.195, 0.478}, {bend_gate(0.03, 0.03)}, true},
        {"Hoof",
         "Fingers",
         {0.130, 0.090, 0.525},
         {bend_gate(0.018, 0.018)},
         true,
         false,
         Vec3d(0.130, 0.010, 0.58)},
        {"UpperLeg",
         "Hips",
         {0.120, 1.28, -0.56},
         {{{0.10, 1.26, -0.52}, {0.4, -1, -0.1}, 0.14, 0.14},
          {{0, 0, 0}, {1, 0, 0}, 0, 0.07},
          {{0, 1.05, -0.36}, {0, -0.45, -1}, 0.09, 0.09}},
         true,
         true},
        {"LowerLeg",
         "UpperLeg",
         {0.145, 0.97, -0.470},
         {{{0.14, 0.93, -0.53}, {0, -1, -0.25}, 0.08, 0.08}},
         true},
        {"Foot", "LowerLeg", {0.131, 0.610, -0.790}, {{{0.13, 0.60, -0.80}, {0, -1, 0.1}, 0.05, 0.05}}, true},
        {"Toes", "Foot", {0.130, 0.198, -0.768}, {bend_gate(0.03, 0.03)}, true},
        {"HindHoof",
         "Toes",
         {0.130, 0.090, -0.718},
         {bend_gate(0.018, 0.018)},
         true,
         false,
         Vec3d(0.130, 0.010, -0.66)},
    };
}

}  // namespace

Animal horse() {
    Animal horse;
    horse.name = "horse";
    add_horse_trunk(horse.body);
    add_horse_head(horse.body);
    add_fore_leg(horse.body);
    add_hind_leg(horse.body);
    add_mane_and_tail(horse.body);
    horse.body.carve(HalfSpace{}, 0.008, false);  // the ground under the hooves
    horse.mesh.box = {{-0.4f, -0.02f, -1.05f}, {0.4f, 2.2f, 1.5f}};
    horse.mesh.step = 0.016;
    horse.mesh.faces = 16844;
    horse.joints = horse_trunk_joints();
    const auto legs = horse_leg_joints();
    horse.joints.insert(horse.joints.end(), legs.begin(), legs.end());
    horse.color = horse_color;
    return horse;
}

namespace {

/// A lateral sequence: left hind, left fore, right hind, right fore, a quarter of the cycle apart.
WalkPlan horse_walk() {
    WalkPlan plan;
    plan.seconds = 1.15;
    plan.stride = 1.5;
    plan.duty = 0.62;
    plan.lift = 0.12;
    plan.drop = 0.035;
    plan.bob = 0.012;
    plan.legs = {
        {{"UpperLeg", "LowerLeg", "Foot", "Toes", "HindHoof"}, {-25, 45, -40, 45, 45}, 0.0},
        {{"Shoulder", "UpperArm", "LowerArm", "Hand", "Fingers", "Hoof"}, {-4, 4, -30, 65, 35, 55}, 0.25}};
    const Vec3d x = Vec3d::UnitX(), y = Vec3d::UnitY(), z = Vec3d::UnitZ();
    plan.waves = {{"Hips", z, 0, 1.5, 1, 0.2},   {"Spine", y, 0, 1.5, 1, 0.1},
                  {"Chest", y, 0, -1.5, 1, 0.1}, {"UpperChest", z, 0, -1.5, 1, 0.2},
                  {"Neck", x, 2, 4, 2, 0.1},     {"Neck1", x, 0, 3, 2, 0.15},
                  {"Neck2", x, 0, 2, 2, 0.2},    {"Head", x, 0, -5, 2, 0.2},
                  {"Ear", x, 0, 8, 1, 0.3},      {"Tail", z, 0, 5, 1, 0},
                  {"Tail1", z, 0, 6, 1, 0.1},    {"Tail2", z, 0, 7, 1, 0.2},
                  {"Tail3", z, 0, 8, 1, 0.3}};
    return plan;
}

}  // namespace

model::Character make_horse(std::size_t faces) {
    model::Character character = make_animal(horse(), faces);
    character.clips = walk_clips(character.skeleton, horse_walk());
    return character;
}

}  // namespace sinew::sample
