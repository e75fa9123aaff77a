// SPDX-License-Identifier: MIT
#include "sinew/sample/bodies/man.h"

#include <cmath>
#include <string>

#include "sinew/base/error.h"
#include "sinew/sample/bodies/skeleton_plan.h"
#include "sinew/sample/samples.h"

namespace sinew::sample {
namespace {

struct JointPosition {
    const char* name;
    const char* parent;
    Vec3d at;
};

// The left side is x > 0, because the man faces +z with +y up.
const std::vector<JointPosition>& middle_joints() {
    static const std::vector<JointPosition> joints = {
        {"Hips", "", {0, 0.960, -0.010}},           {"Spine", "Hips", {0, 1.050, -0.012}},
        {"Chest", "Spine", {0, 1.170, -0.016}},     {"UpperChest", "Chest", {0, 1.300, -0.024}},
        {"Neck", "UpperChest", {0, 1.478, -0.024}}, {"Head", "Neck", {0, 1.565, -0.006}},
    };
    return joints;
}

const std::vector<JointPosition>& side_joints() {
    static const std::vector<JointPosition> joints = {
        {"Shoulder", "UpperChest", {0.035, 1.425, -0.022}}, {"UpperArm", "Shoulder", {0.175, 1.420, -0.020}},
        {"LowerArm", "UpperArm", {0.457, 1.425, -0.018}},   {"Hand", "LowerArm", {0.712, 1.425, -0.012}},
        {"UpperLeg", "Hips", {0.090, 0.915, -0.002}},       {"LowerLeg", "UpperLeg", {0.095, 0.500, 0.002}},
        {"Foot", "LowerLeg", {0.099, 0.085, -0.020}},       {"Toes", "Foot", {0.112, 0.030, 0.105}},
    };
    return joints;
}

void add_side(SkeletonBuilder& builder, const std::string& side, double sign) {
    const auto on_side = [&](const Vec3d& p) { return Vec3d(sign * p.x(), p.y(), p.z()); };
    for (const JointPosition& joint : side_joints()) {
        const std::string parent = joint.parent;
        const bool middle = parent == "UpperChest" || parent == "Hips";
        builder.add(side + joint.name, middle ? parent : side + parent, on_side(joint.at));
    }
    builder.tip(side + "Toes", on_side({0.120, 0.020, 0.175}));
    const auto add_ray = [&](const HandRay& ray) {
        const std::string name = side + ray.name;
        builder.add(name + "Proximal", side + "Hand", on_side(ray.knuckle));
        builder.add(name + "Distal", name + "Proximal", on_side(ray.middle));
        builder.tip(name + "Distal", on_side(ray.tip));
    };
    add_ray(man_thumb());
    for (const HandRay& ray : man_fingers()) add_ray(ray);
}

void share_trunk(ShareBuilder& builder) {
    builder.add("Spine", {{{0, 1.035, 0}, {0, 1, 0}, 0.065, 0.065}});
    builder.add("Chest", {{{0, 1.165, 0}, {0, 1, 0}, 0.065, 0.065}});
    builder.add("UpperChest", {{{0, 1.290, 0}, {0, 1, 0}, 0.060, 0.060}});
    // Only near the midline: the tops of the shoulders are as high as the root of the neck.
    builder.add("Neck", {{{0, 1.480, -0.020}, {0, 1, 0.30}, 0.030, 0.030},
                         {{0.110, 1.480, 0}, {-1, 1, 0}, 0.015, 0.025},
                         {{-0.110, 1.480, 0}, {1, 1, 0}, 0.015, 0.025}});
    builder.add("Head", {{{0, 1.552, 0}, {0, 0.8, 0.6}, 0.026, 0.026}});
}

void share_limbs(ShareBuilder& builder) {
    // Neck and head also lie on its side of the plane, but they are already assigned.
    builder.add_both("Shoulder", {{{0.095, 1.415, 0}, {0.75, 0.65, 0}, 0.055, 0.055}}, true);
    builder.add_both("UpperArm", {{{0.180, 1.410, 0}, {0.93, 0.25, 0}, 0.050, 0.060}});
    builder.add_both("LowerArm", {{{0.457, 0, 0}, {1, 0, 0}, 0.035, 0.035}});
    builder.add_both("Hand", {{{0.710, 0, 0}, {1, 0, 0}, 0.028, 0.025}});
    // The fold of the groin in front, that of the buttock lower and behind; the second gate separates left
    // and right.
    builder.add_both("UpperLeg", {{{0.090, 0.895, 0}, {0.25, -1, 0.40}, 0.065, 0.070},
                                  {{0, 0, 0}, {1, 0, 0}, 0.012, 0.012}});
    builder.add_both("LowerLeg", {{{0, 0.497, 0}, {0, -1, 0}, 0.055, 0.055}});
    builder.add_both("Foot", {{{0, 0.085, -0.015}, {0, -0.85, 0.5}, 0.025, 0.030}});
    builder.add_both("Toes", {{{0.112, 0.030, 0.105}, {0.12, 0, 1}, 0.022, 0.022}});
}

void share_hand(ShareBuilder& builder) {
    const auto along = [](const Vec3d& at, const Vec3d& direction, double width) {
        return Gate{at, direction, width, width};
    };
    const auto fingers = man_fingers();
    for (std::size_t f = 0; f < fingers.size(); ++f) {
        const HandRay& ray = fingers[f];
        std::vector<Gate> gates = {along(ray.knuckle, ray.middle - ray.knuckle, 0.012)};
        // Half-way to each neighbour, in the direction from one finger to the other.
        const auto part = [&](const HandRay& other) {
            const Vec3d between = (ray.knuckle + other.knuckle) / 2, tips = (ray.tip + other.tip) / 2;
            const Vec3d normal = (tips - between).cross(Vec3d::UnitY());
            gates.push_back(
                along(between, normal.dot(ray.tip - between) > 0 ? normal : Vec3d(-normal), 0.004));
        };
        if (f > 0) part(fingers[f - 1]);
        if (f + 1 < fingers.size()) part(fingers[f + 1]);
        // Beyond the palm; the part of the thumb is already assigned.
        gates.push_back(along({0.780, 0, 0}, Vec3d::UnitX(), 0.010));
        builder.add_both(std::string(ray.name) + "Proximal", gates, true);
        builder.add_both(std::string(ray.name) + "Distal", {along(ray.middle, ray.tip - ray.knuckle, 0.009)});
    }
    const HandRay thumb = man_thumb();
    builder.add_both("ThumbProximal", {along(thumb.knuckle, thumb.middle - thumb.root, 0.014),
                                       along({0.775, 0, 0.030}, {-0.55, 0, 1}, 0.006)});
    builder.add_both("ThumbDistal", {along(thumb.middle, thumb.tip - thumb.knuckle, 0.009)});
}

}  // namespace

model::Skeleton man_skeleton() {
    SkeletonBuilder builder;
    for (const JointPosition& joint : middle_joints()) builder.add(joint.name, joint.parent, joint.at);
    builder.tip("Head", {0, 1.740, -0.006});
    add_side(builder, "Left", 1);
    add_side(builder, "Right", -1);
    return builder.skeleton();
}

std::vector<JointShare> man_shares(const model::Skeleton& skeleton) {
    ShareBuilder builder(skeleton);
    share_trunk(builder);
    share_limbs(builder);
    share_hand(builder);
    return builder.shares();
}

geometry::Mesh man_surface(std::size_t faces) {
    static const ImplicitBody body = man_body();
    static const geometry::Box box = geometry::bounds(make_man().mesh.positions);
    const auto at = [&](double cell) {
        return geometry::surface_nets([&](const Vec3d& p) { return body(p); },
                                      geometry::lattice_over(box, cell), 1);
    };
    const double coarse = 0.02;  // the number of faces grows as 1 / cell^2
    static const auto known = static_cast<double>(at(coarse).triangles.size());
    return at(coarse * std::sqrt(known / static_cast<double>(faces)));
}

model::Character make_man(std::size_t faces) {
    model::Character man;
    man.name = "man";
    BodyMeshOptions options = man_mesh_options();
    options.faces = faces;
    const BodyMesh body = mesh_body(man_body(), options);
    if (faces > 0 && body.triangles.size() > faces + faces % 2)
        fail("man", "cannot have fewer than {} faces", body.triangles.size());
    man.mesh = colored_mesh("man", body, man_color);
    man.skeleton = man_skeleton();
    man.skin = symmetric_skin(man.skeleton, man_shares(man.skeleton), body.positions, body.twin,
                              opposite_joints(man.skeleton));
    man.clips.push_back(man_walk(man.skeleton));
    WalkOptions in_place;
    in_place.in_place = true;
    man.clips.push_back(man_walk(man.skeleton, in_place));
    return man;
}

}  // namespace sinew::sample
