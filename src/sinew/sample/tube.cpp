#include "sinew/sample/samples.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/math/quaternion.h"

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

/// From the lower pole to the upper one, without the poles. Half balls get as many rings as keep the cells
/// square.
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

/// The upper joint turns evenly from 0 to an angle in one second, 60 keys a second.
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

}  // namespace sinew::sample
