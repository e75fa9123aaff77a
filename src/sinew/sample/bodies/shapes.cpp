// SPDX-License-Identifier: MIT
// Small characters whose motion can be checked by hand: the tube and the screws.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "sinew/base/error.h"
#include "sinew/math/dual_quaternion.h"
#include "sinew/math/quaternion.h"
#include "sinew/sample/samples.h"

namespace sinew::sample {
namespace {

using geometry::Triangle;
using math::pi;
using math::Vec3d;

void check(const TubeOptions& o) {
    if (!(o.radius > 0 && o.length > 0 && o.blend > 0))
        fail("tube", "radius {}, length {} and blend {} must be above 0", o.radius, o.length, o.blend);
    if (o.rings < 2 || o.segments < 3)
        fail("tube", "{} rings of {} segments are too few", o.rings, o.segments);
}

/// A circle of vertices: its height, its radius, and the slope of the normals there.
struct Ring {
    double y;
    double radius;
    double normal_y;
};

/// From the lower pole to the upper one, without the poles. The number of rings of half spheres keeps the
/// cells square.
std::vector<Ring> rings_of(const TubeOptions& o) {
    const int cap = std::max(1, o.segments / 4);
    std::vector<Ring> rings;
    for (int k = 1; k < cap; ++k) {
        const double angle = pi / 2 * (k - cap) / cap;
        rings.push_back({o.radius * std::sin(angle), o.radius * std::cos(angle), std::sin(angle)});
    }
    for (int k = 0; k < o.rings; ++k) rings.push_back({o.length * k / (o.rings - 1), o.radius, 0});
    for (int k = cap - 2; k >= 0; --k) {
        const Ring& lower = rings[static_cast<std::size_t>(k)];
        rings.push_back({o.length - lower.y, lower.radius, -lower.normal_y});
    }
    return rings;
}

geometry::Mesh tube_mesh(const TubeOptions& o) {
    geometry::Mesh mesh;
    mesh.name = "tube";
    const auto add = [&](const Vec3d& position, const Vec3d& normal) {
        mesh.positions.push_back(position.cast<float>());
        mesh.normals.push_back(normal.cast<float>());
    };
    add({0, -o.radius, 0}, {0, -1, 0});
    const std::vector<Ring> rings = rings_of(o);
    for (const Ring& ring : rings)
        for (int s = 0; s < o.segments; ++s) {
            const double angle = 2 * pi * s / o.segments, c = std::cos(angle), d = std::sin(angle);
            const double across = std::sqrt(1 - ring.normal_y * ring.normal_y);
            add({ring.radius * d, ring.y, ring.radius * c}, {across * d, ring.normal_y, across * c});
        }
    add({0, o.length + o.radius, 0}, {0, 1, 0});
    const std::uint32_t count = static_cast<std::uint32_t>(o.segments),
                        top = static_cast<std::uint32_t>(mesh.positions.size()) - 1;
    for (std::uint32_t s = 0; s < count; ++s) {
        const std::uint32_t next = (s + 1) % count, last = top - count;
        mesh.triangles.push_back({0, 1 + next, 1 + s});
        for (std::uint32_t r = 0; r + 1 < rings.size(); ++r) {
            const std::uint32_t a = 1 + r * count + s, b = 1 + r * count + next, c = b + count, d = a + count;
            mesh.triangles.insert(mesh.triangles.end(), {Triangle{a, b, c}, Triangle{a, c, d}});
        }
        mesh.triangles.push_back({top, last + s, last + next});
    }
    geometry::Material material;
    material.name = "tube";
    material.base_color = {0.75f, 0.35f, 0.20f, 1.0f};
    mesh.materials.push_back(material);
    mesh.parts.push_back({"tube", 0, static_cast<std::uint32_t>(mesh.triangles.size()), 0});
    return mesh;
}

model::Skin tube_skin(const model::Skeleton& skeleton, const geometry::Mesh& mesh, const TubeOptions& o) {
    model::Skin skin;
    skin.joints = model::bind_at_rest(skeleton);
    for (const auto& p : mesh.positions) {
        const double upper = std::clamp((double(p.y()) - o.length / 2) / o.blend + 0.5, 0.0, 1.0);
        const model::Influence list[] = {{0, static_cast<float>(1 - upper)}, {1, static_cast<float>(upper)}};
        skin.push_vertex(list);
    }
    model::clean(skin);
    return skin;
}

/// The upper joint rotates uniformly from 0 to an angle in one second, 60 keys per second.
model::Clip turning(const char* name, const Vec3d& axis, double degrees) {
    constexpr int keys = 61;
    model::Clip clip;
    clip.name = name;
    model::Track track;
    track.joint = 1;
    track.rotation.times = model::KeyTimes::even(0, 1.0 / (keys - 1), keys);
    for (int k = 0; k < keys; ++k)
        track.rotation.values.push_back(
            math::axis_angle<double>(axis, math::radians(degrees) * k / (keys - 1)).cast<float>());
    clip.tracks.push_back(track);
    return clip;
}

}  // namespace

model::Character make_tube(const TubeOptions& options) {
    check(options);
    model::Character tube;
    tube.name = "tube";
    tube.mesh = tube_mesh(options);
    model::Joint lower, upper;
    lower.name = "Lower";
    upper.name = "Upper";
    upper.parent = 0;
    upper.rest.translation = upper.tip.emplace(0, options.length / 2, 0);
    tube.skeleton.joints = {lower, upper};
    tube.skin = tube_skin(tube.skeleton, tube.mesh, options);
    tube.clips = {turning("bend", Vec3d::UnitX(), 120), turning("twist", Vec3d::UnitY(), 180)};
    return tube;
}

namespace {

using math::DualQuatd;
using math::pi;
using math::Vec3d;

constexpr double seconds = 4;
constexpr int keys = 241;
constexpr double climb = 0.5;                 // of the translation and of the screw
constexpr double lean = 25 * math::pi / 180;  // of the axis that moves
const Vec3d block_half(0.16, 0.07, 0.10);
const Vec3d block_center(0.30, 0.22, 0);  // beside its axis
const Vec3d rod_half(0.008, 0.5, 0.008);
const Vec3d rod_center(0, 0.5, 0);

/// A motion as a function of the elapsed fraction of the clip.
using Motion = std::function<DualQuatd(double)>;

/// 0 at both ends of the clip, 1 in its middle.
double there_and_back(double t) {
    return (1 - std::cos(2 * pi * t)) / 2;
}

/// About the vertical through the joint, or another direction.
DualQuatd screw(double angle, double pitch, const Vec3d& direction = Vec3d::UnitY()) {
    return math::from_screw(math::Screw<double>{direction, Vec3d::Zero(), angle, pitch});
}

struct Block {
    const char* name;
    int parent;
    Vec3d position;
    Motion motion;  ///< empty: no motion
    Vec3d color;
    bool has_block;  ///< or only the rod of an axis
};

/// Joint 0 holds the fixed axes.
std::vector<Block> blocks() {
    const auto lean_and_go_around = [](double t) {
        return screw(lean, 0, {std::cos(2 * pi * t), 0, std::sin(2 * pi * t)});
    };
    return {
        {"Axes", -1, {0, 0, 0}, {}, {0.3, 0.32, 0.36}, false},
        {"Rotation",
         0,
         {-1.8, 0, 0},
         [](double t) { return screw(2 * pi * t, 0); },
         {0.08, 0.32, 0.42},
         true},
        {"Translation",
         0,
         {-0.6, 0, 0},
         [](double t) { return screw(0, climb * there_and_back(t)); },
         {0.62, 0.26, 0.06},
         true},
        {"Screw",
         0,
         {0.6, 0, 0},
         [](double t) { return screw(4 * pi * there_and_back(t), climb * there_and_back(t)); },
         {0.20, 0.38, 0.12},
         true},
        {"Axis", 0, {1.8, 0, 0}, lean_and_go_around, {0.3, 0.32, 0.36}, false},
        {"MovingAxis", 4, {0, 0, 0}, [](double t) { return screw(4 * pi * t, 0); }, {0.45, 0.12, 0.30}, true},
    };
}

/// A box with hard edges, as a separate part.
void add_box(model::Character& character, const Vec3d& center, const Vec3d& half, std::uint32_t joint,
             const Vec3d& color, const std::string& name) {
    geometry::Mesh& mesh = character.mesh;
    const auto first = static_cast<std::uint32_t>(mesh.triangles.size());
    for (int side = 0; side < 6; ++side) {
        const int axis = side / 2;
        const double sign = side % 2 == 0 ? 1 : -1;
        Vec3d normal = Vec3d::Zero(), u = Vec3d::Zero();
        normal[axis] = sign;
        u[(axis + 1) % 3] = 1;
        const Vec3d v = normal.cross(u);
        const auto corner = static_cast<std::uint32_t>(mesh.positions.size());
        for (const auto& [a, b] :
             std::array<std::pair<double, double>, 4>{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}}) {
            const Vec3d position = center + half.cwiseProduct(normal + a * u + b * v);
            mesh.positions.push_back(position.cast<float>());
            mesh.normals.push_back(normal.cast<float>());
            character.skin.push_vertex(std::array{model::Influence{joint, 1.0f}});
        }
        mesh.triangles.push_back({corner, corner + 1, corner + 2});
        mesh.triangles.push_back({corner, corner + 2, corner + 3});
    }
    geometry::Material material;
    material.name = name;
    material.base_color << color.cast<float>(), 1.0f;
    material.roughness = 0.5f;
    mesh.parts.push_back({name, first, 12, static_cast<int>(mesh.materials.size())});
    mesh.materials.push_back(material);
}

model::Track track_of(int joint, const Block& block) {
    model::Track track;
    track.joint = joint;
    track.rotation.times = track.translation.times =
        model::KeyTimes::even(0, seconds / (keys - 1), static_cast<std::size_t>(keys));
    for (int k = 0; k < keys; ++k) {
        const DualQuatd motion = block.motion(static_cast<double>(k) / (keys - 1));
        track.rotation.values.push_back(motion.real.cast<float>());
        track.translation.values.push_back((block.position + math::translation(motion)).cast<float>());
    }
    return track;
}

}  // namespace

model::Character make_screws() {
    model::Character character;
    character.name = character.mesh.name = "screws";
    model::Clip clip;
    clip.name = "motions";
    const std::vector<Block> all = blocks();
    for (std::size_t j = 0; j < all.size(); ++j) {
        model::Joint joint;
        joint.name = all[j].name;
        joint.parent = all[j].parent;
        joint.rest.translation = all[j].position;
        character.skeleton.joints.push_back(joint);
        if (all[j].motion) clip.tracks.push_back(track_of(static_cast<int>(j), all[j]));
    }
    character.skin.joints = model::bind_at_rest(character.skeleton);
    for (std::size_t j = 0; j < all.size(); ++j) {
        const Block& block = all[j];
        // At rest the moving axis is upright at its own position.
        const Vec3d at = block.parent == 4 ? all[4].position : block.position;
        if (block.has_block)
            add_box(character, at + block_center, block_half, static_cast<std::uint32_t>(j), block.color,
                    block.name);
        // The rods of the axes: fixed ones are attached to the first joint.
        if (j > 0 && block.parent != 4)
            add_box(character, at + rod_center, rod_half, j == 4 ? 4u : 0u, all[0].color,
                    std::string(block.name) + " axis");
    }
    character.clips = {clip};
    return character;
}

}  // namespace sinew::sample
