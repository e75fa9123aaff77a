// SPDX-License-Identifier: MIT
// The hand, with the usual lengths of a man's phalanges.
#include <array>
#include <cmath>

#include "sinew/sample/bodies/animals.h"

namespace sinew::sample {
namespace {

constexpr double middle = 0.12;  // x of the axis of the forearm

/// Knuckle, two joints and the tip.
struct Finger {
    const char* name;
    std::array<Vec3d, 4> at;
    double radius;
};

Finger finger(const char* name, const Vec3d& knuckle, double spread, const std::array<double, 3>& lengths,
              double radius) {
    Finger finger{name, {knuckle}, radius};
    double bent = 4;  // degrees towards the palm, a little more from joint to joint
    for (std::size_t k = 0; k < 3; ++k, bent += 5) {
        const double a = math::radians(spread), b = math::radians(bent);
        finger.at[k + 1] = finger.at[k] + lengths[k] * Vec3d(std::sin(a) * std::cos(b),
                                                             std::cos(a) * std::cos(b), std::sin(b));
    }
    return finger;
}

const std::array<Finger, 4>& fingers() {
    static const std::array<Finger, 4> all{
        finger("Index", {middle + 0.0325, 0.152, 0}, 9, {0.043, 0.026, 0.020}, 0.0093),
        finger("Middle", {middle + 0.0100, 0.157, -0.001}, 1.5, {0.047, 0.030, 0.021}, 0.0096),
        finger("Ring", {middle - 0.0125, 0.152, -0.001}, -6, {0.044, 0.028, 0.021}, 0.0091),
        finger("Little", {middle - 0.0335, 0.140, 0}, -15, {0.035, 0.021, 0.018}, 0.0080)};
    return all;
}

Finger thumb() {
    return {"Thumb",
            {Vec3d(middle + 0.024, 0.076, 0.008), Vec3d(middle + 0.054, 0.106, 0.017),
             Vec3d(middle + 0.074, 0.131, 0.020), Vec3d(middle + 0.089, 0.155, 0.019)},
            0.0108};
}

void add_finger(ImplicitBody& body, const Finger& f) {
    const auto at = [&](std::size_t k, double t) { return Vec3d(f.at[k] + t * (f.at[k + 1] - f.at[k])); };
    const Vec3d pad(0, 0, 0.0008);
    Sweep sweep;
    sweep.stations = {{at(0, -0.25), 0.98 * f.radius, 1.0},       {at(0, 0.25), 1.00 * f.radius, 1.0},
                      {at(0, 0.60), 0.95 * f.radius, 1.0},        {f.at[1], 0.97 * f.radius, 1.02},
                      {at(1, 0.50), 0.88 * f.radius, 1.0},        {f.at[2], 0.87 * f.radius, 1.03},
                      {at(2, 0.45) + pad, 0.80 * f.radius, 1.08}, {at(2, 0.72), 0.66 * f.radius, 1.10}};
    body.add(sweep, 0.005, false);
}

void add_thumb(ImplicitBody& body) {
    const Finger f = thumb();
    const auto at = [&](std::size_t k, double t) { return Vec3d(f.at[k] + t * (f.at[k + 1] - f.at[k])); };
    Sweep sweep;
    sweep.stations = {{f.at[0], 0.0175, 1},    {at(0, 0.5), 0.0155, 1}, {f.at[1], 0.0122, 1},
                      {at(1, 0.5), 0.0104, 1}, {f.at[2], 0.0103, 1},    {at(2, 0.4), 0.0098, 1},
                      {at(2, 0.72), 0.0076, 1}};
    body.add(sweep, 0.014, false);
}

void add_palm(ImplicitBody& body) {
    Loft palm;
    palm.origin = {middle, 0, 0};
    palm.axes << 1, 0, 0,  //
        0, 0, 1,           //
        0, 1, 0;
    palm.sections = {
        // at, width, front, back, shift u, shift v, square
        {0.000, 0.0310, 0.024, 0.024, 0, 0, 0.1},        {0.035, 0.0285, 0.020, 0.020, 0, 0, 0.15},
        {0.058, 0.0285, 0.0175, 0.018, 0, 0, 0.2},       {0.080, 0.0335, 0.0160, 0.0165, 0, 0, 0.25},
        {0.110, 0.0400, 0.0130, 0.0145, 0.0005, 0, 0.3}, {0.132, 0.0415, 0.0110, 0.0130, 0.0005, 0, 0.3},
        {0.146, 0.0360, 0.0090, 0.0105, 0.003, 0, 0.3},
    };
    palm.start_cap = 0.012;
    palm.end_cap = 0.008;
    body.add(palm, 0.005, false);
    const Mat3d straight = Mat3d::Identity();
    body.add(Ellipsoid{{middle - 0.027, 0.093, 0.009}, {0.013, 0.030, 0.011}, straight}, 0.012,
             false);  // outer
    body.add(Ellipsoid{{middle + 0.001, 0.136, 0.0055}, {0.036, 0.014, 0.0065}, straight}, 0.014,
             false);  // pads
}

/// Half-way between two fingers, on the side of the first.
Gate apart(const Finger& mine, const Finger& other) {
    const Vec3d base = (mine.at[0] + other.at[0]) / 2, tip = (mine.at[3] + other.at[3]) / 2;
    const Vec3d normal = (tip - base).cross(Vec3d::UnitZ());
    return {base, normal.dot(mine.at[0] - base) > 0 ? normal : Vec3d(-normal), 0.003, 0.003};
}

void plan_finger(std::vector<JointPlan>& plan, const Finger& f, std::vector<Gate> gates) {
    const std::string name = f.name;
    gates.push_back(bend_gate(0.010, 0.010));
    plan.push_back({name + "Proximal", "Hand", f.at[0], gates, false, true});
    plan.push_back({name + "Intermediate", name + "Proximal", f.at[1], {bend_gate(0.007, 0.007)}});
    plan.push_back({name + "Distal",
                    name + "Intermediate",
                    f.at[2],
                    {bend_gate(0.006, 0.006)},
                    false,
                    false,
                    Vec3d(f.at[3])});
}

std::vector<JointPlan> joints() {
    std::vector<JointPlan> plan = {
        {"Forearm", "", {middle, 0.004, 0}},
        {"Hand", "Forearm", {middle, 0.060, 0}, {bend_gate(0.016, 0.016)}},
    };
    const Finger t = thumb();
    // The ball of the thumb; the web to the index finger is half its own.
    plan.push_back({"ThumbMetacarpal",
                    "Hand",
                    t.at[0],
                    {{{middle + 0.026, 0.090, 0.008}, {1, -0.25, 0.25}, 0.012, 0.012},
                     {t.at[0], {0.4, 0.9, 0}, 0.016, 0.016}}});
    plan.push_back({"ThumbProximal", "ThumbMetacarpal", t.at[1], {bend_gate(0.009, 0.009)}});
    plan.push_back(
        {"ThumbDistal", "ThumbProximal", t.at[2], {bend_gate(0.007, 0.007)}, false, false, Vec3d(t.at[3])});
    const auto& all = fingers();
    for (std::size_t f = 0; f < all.size(); ++f) {
        std::vector<Gate> gates;
        if (f > 0) gates.push_back(apart(all[f], all[f - 1]));
        if (f + 1 < all.size()) gates.push_back(apart(all[f], all[f + 1]));
        plan_finger(plan, all[f], gates);
    }
    return plan;
}

/// Opens and closes once; the fingers bend about the line of the knuckles, the thumb closes over them.
std::vector<Wave> fist() {
    std::vector<Wave> waves;
    const auto close = [&](const std::string& joint, const Vec3d& axis, double degrees) {
        waves.push_back({joint, axis, degrees / 2, -degrees / 2, 1, 0});
    };
    for (const Finger& f : fingers()) {
        // Rotates the finger towards +z about an axis perpendicular to it in the plane of the palm.
        const Vec3d along = (f.at[3] - f.at[0]).normalized(), axis = along.cross(Vec3d::UnitZ());
        const std::string name = f.name;
        close(name + "Proximal", axis, 78);
        close(name + "Intermediate", axis, 95);
        close(name + "Distal", axis, 55);
    }
    const Finger t = thumb();
    const Vec3d along = (t.at[3] - t.at[0]).normalized(), across = along.cross(Vec3d::UnitZ());
    close("ThumbMetacarpal", along + 0.6 * across, 28);
    close("ThumbProximal", Vec3d(-0.5, 0.6, 0) + Vec3d::UnitZ(), 34);
    close("ThumbDistal", Vec3d::UnitZ() + 0.5 * across, 45);
    close("Hand", Vec3d::UnitX(), -8);
    return waves;
}

math::Vec4f hand_color(const Vec3d& p) {
    const math::Vec4f skin(0.62f, 0.37f, 0.27f, 1), warm(0.66f, 0.31f, 0.23f, 1);
    double tip = 0;
    for (const Finger& f : fingers())
        tip = std::max(tip, 1 - smooth_step(0.008, 0.020, (p - f.at[3]).norm()));
    tip = std::max(tip, 1 - smooth_step(0.008, 0.020, (p - thumb().at[3]).norm()));
    return skin + static_cast<float>(tip) * (warm - skin);
}

}  // namespace

Animal hand() {
    Animal hand;
    hand.name = "hand";
    add_palm(hand.body);
    add_thumb(hand.body);
    for (const Finger& f : fingers()) add_finger(hand.body, f);
    hand.mesh.box = {{0.04f, -0.02f, -0.04f}, {0.25f, 0.28f, 0.07f}};
    hand.mesh.step = 0.0020;
    hand.mesh.faces = 38016;
    hand.mesh.symmetric = false;
    hand.joints = joints();
    hand.color = hand_color;
    return hand;
}

model::Character make_hand(std::size_t faces) {
    model::Character character = make_animal(hand(), faces);
    character.clips.push_back(wave_clip(character.skeleton, "fist", fist(), 2.0, 60));
    return character;
}

}  // namespace sinew::sample
