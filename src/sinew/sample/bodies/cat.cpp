// SPDX-License-Identifier: MIT
// The cat's body after the proportions of a lean house cat.
#include <cmath>

#include "sinew/sample/bodies/animals.h"

namespace sinew::sample {
namespace {

const Mat3d straight = Mat3d::Identity();

void add_cat_trunk(ImplicitBody& body) {
    body.add(in_plane(0, {{-0.160, 0.215, 0.044, 0.95},
                          {-0.120, 0.215, 0.056, 0.90},
                          {-0.050, 0.208, 0.056, 0.92},
                          {0.020, 0.202, 0.060, 0.88},
                          {0.085, 0.200, 0.063, 0.78},
                          {0.130, 0.206, 0.047, 0.85}}),
             0.005, false);
    body.add(
        in_plane(0, {{0.110, 0.215, 0.050, 0.80}, {0.160, 0.245, 0.039, 0.90}, {0.195, 0.270, 0.034, 1.0}}),
        0.02, false);
    body.add(in_plane(0, {{-0.165, 0.232, 0.022, 1},
                          {-0.215, 0.236, 0.0145, 1},
                          {-0.265, 0.218, 0.0125, 1},
                          {-0.315, 0.194, 0.0120, 1},
                          {-0.365, 0.187, 0.0118, 1},
                          {-0.410, 0.206, 0.0112, 1},
                          {-0.436, 0.243, 0.0100, 1},
                          {-0.444, 0.275, 0.0075, 1}}),
             0.016, false);
}

void add_cat_head(ImplicitBody& body) {
    body.add(Ellipsoid{{0, 0.296, 0.222}, {0.040, 0.037, 0.043}, straight}, 0.018, false);
    body.add(Ellipsoid{{0.021, 0.284, 0.234}, {0.021, 0.019, 0.022}, straight}, 0.012);         // cheek
    body.add(Ellipsoid{{0.0085, 0.281, 0.263}, {0.0125, 0.0105, 0.014}, straight}, 0.010);      // whiskers
    body.add(RoundCone{{0, 0.303, 0.252}, {0, 0.291, 0.275}, 0.012, 0.0070}, 0.010, false);     // nose
    body.add(Ellipsoid{{0, 0.271, 0.262}, {0.011, 0.008, 0.011}, straight}, 0.006, false);      // chin
    body.add(Ellipsoid{{0.0205, 0.3030, 0.2540}, {0.0095, 0.0090, 0.0085}, straight}, 0.0025);  // eye
    Sweep ear;
    ear.stations = {{{0.0230, 0.316, 0.216}, 0.0210, 0.85},
                    {{0.0270, 0.332, 0.213}, 0.0165, 0.85},
                    {{0.0310, 0.346, 0.211}, 0.0095, 0.85},
                    {{0.0335, 0.356, 0.210}, 0.0035, 0.90}};
    body.add(ear, 0.008);
    body.carve(Ellipsoid{{0.0290, 0.334, 0.2290}, {0.0085, 0.0140, 0.0100}, straight}, 0.005);
}

void add_paw(ImplicitBody& body, double x, double z) {
    Sweep paw;
    paw.stations = {{{x, 0.0130, z}, 0.0140, 1.0}, {{x, 0.0105, z + 0.014}, 0.0140, 1.10}};
    body.add(paw, 0.008);
    for (const double aside : {-0.0085, 0.0, 0.0085})
        body.add(
            Ellipsoid{
                {x + aside, 0.0080, z + 0.0245 - 30 * aside * aside}, {0.0055, 0.0080, 0.0080}, straight},
            0.004);
}

void add_legs(ImplicitBody& body) {
    Sweep shoulder;
    shoulder.stations = {{{0.030, 0.232, 0.082}, 0.034, 0.60}, {{0.037, 0.190, 0.112}, 0.032, 0.65}};
    body.add(shoulder, 0.018);
    Sweep arm;
    arm.stations = {{{0.037, 0.190, 0.112}, 0.031, 0.68}, {{0.038, 0.152, 0.094}, 0.026, 0.75}};
    body.add(arm, 0.015);
    Sweep fore;
    fore.stations = {{{0.038, 0.155, 0.094}, 0.0250, 0.80},
                     {{0.037, 0.118, 0.096}, 0.0185, 0.88},
                     {{0.036, 0.082, 0.099}, 0.0150, 0.92},
                     {{0.035, 0.052, 0.101}, 0.0132, 1.00},
                     {{0.035, 0.024, 0.103}, 0.0128, 1.00}};
    body.add(fore, 0.012);
    add_paw(body, 0.035, 0.104);
    Sweep thigh;
    thigh.stations = {{{0.027, 0.222, -0.122}, 0.048, 0.65},
                      {{0.036, 0.180, -0.108}, 0.046, 0.62},
                      {{0.041, 0.145, -0.096}, 0.031, 0.70}};
    body.add(thigh, 0.018);
    Sweep hind;
    hind.stations = {{{0.041, 0.150, -0.100}, 0.0320, 0.70}, {{0.039, 0.114, -0.128}, 0.0225, 0.75},
                     {{0.037, 0.084, -0.155}, 0.0155, 0.85}, {{0.036, 0.066, -0.166}, 0.0138, 0.90},
                     {{0.036, 0.044, -0.160}, 0.0122, 1.00}, {{0.036, 0.022, -0.151}, 0.0125, 1.00}};
    body.add(hind, 0.014);
    body.add(RoundCone{{0.038, 0.105, -0.158}, {0.036, 0.074, -0.177}, 0.007, 0.0065}, 0.012);  // heel
    add_paw(body, 0.036, -0.150);
}

math::Vec4f cat_color(const Vec3d& p) {
    const math::Vec4f fur(0.30f, 0.16f, 0.07f, 1), stripe(0.13f, 0.055f, 0.02f, 1),
        pale(0.62f, 0.50f, 0.38f, 1);
    const Vec3d q(std::abs(p.x()), p.y(), p.z());
    if ((q - Vec3d(0.0240, 0.3040, 0.2625)).norm() < 0.0070) return {0.03f, 0.05f, 0.015f, 1};
    if ((q - Vec3d(0, 0.290, 0.282)).norm() < 0.0065) return {0.35f, 0.10f, 0.09f, 1};
    // Bands around the body, and rings on the tail.
    const double band = 0.5 + 0.5 * std::sin(190 * (p.z() + 0.35 * q.x() + 0.10 * p.y()));
    const double back = smooth_step(0.16, 0.20, p.y());
    const double belly = (1 - smooth_step(0.150, 0.165, p.y())) * smooth_step(-0.09, -0.05, p.z()) *
                         (1 - smooth_step(0.05, 0.07, p.z()));
    const double chin = smooth_step(0.245, 0.262, p.z()) * (1 - smooth_step(0.284, 0.290, p.y()));
    const double sock = 1 - smooth_step(0.018, 0.030, p.y());
    const math::Vec4f base = fur + static_cast<float>(smooth_step(0.45, 0.8, band) * back) * (stripe - fur);
    return base + static_cast<float>(std::max({belly, chin, sock})) * (pale - base);
}

std::vector<JointPlan> cat_trunk_joints() {
    const auto cut = [](double z, double width) { return Gate{{0, 0, z}, {0, 0, 1}, width, width}; };
    return {
        {"Hips", "", {0, 0.222, -0.115}},
        {"Spine", "Hips", {0, 0.224, -0.060}, {cut(-0.060, 0.036)}},
        {"Chest", "Spine", {0, 0.220, 0.000}, {cut(-0.002, 0.038)}},
        {"UpperChest", "Chest", {0, 0.218, 0.060}, {cut(0.052, 0.038)}},
        {"Neck", "UpperChest", {0, 0.228, 0.128}, {{{0, 0.235, 0.138}, {0, 0.65, 0.75}, 0.024, 0.024}}},
        {"Neck1", "Neck", {0, 0.252, 0.165}, {bend_gate(0.016, 0.016)}},
        {"Head",
         "Neck1",
         {0, 0.276, 0.197},
         {{{0, 0.275, 0.195}, {0, 0.5, 0.85}, 0.012, 0.012}},
         false,
         false,
         Vec3d(0, 0.292, 0.278)},
        {"Ear",
         "Head",
         {0.024, 0.320, 0.216},
         {{{0.024, 0.326, 0}, {0.3, 1, 0}, 0.008, 0.008}, {{0.012, 0, 0}, {1, 0, 0}, 0.004, 0.004}},
         true,
         false,
         Vec3d(0.0330, 0.354, 0.210)},
        {"Tail",
         "Hips",
         {0, 0.233, -0.172},
         {{{0, 0.233, -0.192}, {0, 0.1, -1}, 0.014, 0.014},
          {{0.024, 0, 0}, {-1, 0, 0}, 0.003, 0.003},
          {{-0.024, 0, 0}, {1, 0, 0}, 0.003, 0.003}}},
        {"Tail1", "Tail", {0, 0.232, -0.230}, {bend_gate(0.02, 0.02)}},
        {"Tail2", "Tail1", {0, 0.205, -0.290}, {bend_gate(0.02, 0.02)}},
        {"Tail3", "Tail2", {0, 0.187, -0.350}, {bend_gate(0.02, 0.02)}},
        {"Tail4",
         "Tail3",
         {0, 0.206, -0.410},
         {bend_gate(0.018, 0.018)},
         false,
         false,
         Vec3d(0, 0.275, -0.444)},
    };
}

std::vector<JointPlan> cat_leg_joints() {
    return {
        {"Shoulder",
         "UpperChest",
         {0.028, 0.232, 0.082},
         {{{0.022, 0.200, 0.090}, {1, -0.5, 0.1}, 0.018, 0.018},
          {{0, 0, 0}, {1, 0, 0}, 0, 0.012},
          {{0, 0.238, 0.100}, {0, -0.9, -0.4}, 0.022, 0.022}},
         true,
         true},
        {"UpperArm",
         "Shoulder",
         {0.037, 0.190, 0.112},
         {{{0.037, 0.188, 0.104}, {0, -1, 0.2}, 0.016, 0.016}},
         true},
        {"LowerArm",
         "UpperArm",
         {0.038, 0.152, 0.094},
         {{{0.038, 0.142, 0.095}, {0, -1, 0}, 0.014, 0.014}},
         true},
        {"Hand", "LowerArm", {0.035, 0.050, 0.101}, {bend_gate(0.012, 0.012)}, true},
        {"Fingers",
         "Hand",
         {0.035, 0.015, 0.110},
         {{{0, 0.014, 0.110}, {0, -0.7, 0.7}, 0.006, 0.006}},
         true,
         false,
         Vec3d(0.035, 0.008, 0.132)},
        {"UpperLeg",
         "Hips",
         {0.028, 0.215, -0.120},
         {{{0.024, 0.203, -0.118}, {0.3, -1, 0.35}, 0.030, 0.030},
          {{0, 0, 0}, {1, 0, 0}, 0, 0.012},
          {{0, 0.170, -0.058}, {0, -0.45, -1}, 0.024, 0.024}},
         true,
         true},
        {"LowerLeg",
         "UpperLeg",
         {0.041, 0.148, -0.094},
         {{{0.041, 0.140, -0.105}, {0, -1, -0.3}, 0.018, 0.018}},
         true},
        {"Foot",
         "LowerLeg",
         {0.036, 0.068, -0.166},
         {{{0.036, 0.068, -0.168}, {0, -1, 0.15}, 0.012, 0.012}},
         true},
        {"Toes",
         "Foot",
         {0.036, 0.015, -0.144},
         {{{0, 0.015, -0.144}, {0, -0.7, 0.7}, 0.006, 0.006}},
         true,
         false,
         Vec3d(0.036, 0.008, -0.122)},
    };
}

WalkPlan cat_walk() {
    WalkPlan plan;
    plan.seconds = 0.8;
    plan.stride = 0.26;
    plan.duty = 0.63;
    plan.lift = 0.025;
    plan.drop = 0.010;
    plan.bob = 0.003;
    plan.legs = {{{"UpperLeg", "LowerLeg", "Foot", "Toes"}, {-25, 45, -25, 40}, 0.0},
                 {{"Shoulder", "UpperArm", "LowerArm", "Hand", "Fingers"}, {-5, -5, -30, 60, 45}, 0.25}};
    const Vec3d x = Vec3d::UnitX(), y = Vec3d::UnitY(), z = Vec3d::UnitZ();
    plan.waves = {
        {"Hips", z, 0, 2.5, 1, 0.2},        {"Spine", y, 0, 3, 1, 0.1},   {"Chest", y, 0, -3, 1, 0.1},
        {"UpperChest", z, 0, -2.5, 1, 0.2}, {"Neck", x, 4, 3, 2, 0.1},    {"Neck1", x, 2, 2, 2, 0.15},
        {"Head", x, -5, -4, 2, 0.15},       {"Ear", y, 0, 6, 1, 0.3},     {"Tail", y, 0, 10, 1, 0},
        {"Tail1", y, 0, 10, 1, 0.12},       {"Tail2", y, 0, 12, 1, 0.24}, {"Tail3", y, 0, 12, 1, 0.36},
        {"Tail4", y, 0, 14, 1, 0.48}};
    return plan;
}

}  // namespace

Animal cat() {
    Animal cat;
    cat.name = "cat";
    add_cat_trunk(cat.body);
    add_legs(cat.body);
    add_cat_head(cat.body);
    cat.body.carve(HalfSpace{}, 0.003, false);  // the ground under the paws
    cat.mesh.box = {{-0.08f, -0.005f, -0.47f}, {0.08f, 0.38f, 0.30f}};
    cat.mesh.step = 0.0036;
    cat.mesh.faces = 20000;
    cat.joints = cat_trunk_joints();
    const auto legs = cat_leg_joints();
    cat.joints.insert(cat.joints.end(), legs.begin(), legs.end());
    cat.color = cat_color;
    return cat;
}

model::Character make_cat(std::size_t faces) {
    model::Character character = make_animal(cat(), faces);
    character.clips = walk_clips(character.skeleton, cat_walk());
    return character;
}

}  // namespace sinew::sample
