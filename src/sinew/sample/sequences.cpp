// SPDX-License-Identifier: MIT
#include "sinew/sample/sequences.h"

#include <array>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/sample/cloth/cloth.h"

namespace sinew::sample {

using math::pi;
using math::Vec3d;
using model::MeshSequence;

namespace {

constexpr double rate = 30;

/// Control points over a unit square, u from the first row to the last.
ControlNet net_of(std::uint32_t rows, std::uint32_t columns, bool ring,
                  const std::function<Vec3d(double u, double v)>& position) {
    ControlNet net{rows, columns, ring, {}};
    for (std::uint32_t i = 0; i < rows; ++i) {
        for (std::uint32_t j = 0; j < columns; ++j)
            net.points.push_back(position(i / (rows - 1.0), j / (ring ? columns : columns - 1.0)));
    }
    return net;
}

MeshSequence played(const ClothScene& scene, const SequenceOptions& options) {
    const SplinePatch patch(scene.net, options.vertices);
    MeshSequence sequence;
    sequence.rate = rate;
    sequence.rest.positions = patch.at(scene.net.points);
    sequence.rest.triangles = patch.triangles();
    for (const auto& points : simulate(scene, options.frames, rate))
        sequence.frames.push_back(patch.at(points));
    return sequence;
}

/// Flares from the waist to the hem.
ControlNet skirt(double waist_height) {
    return net_of(7, 30, true, [=](double u, double v) {
        const double angle = 2 * pi * v, radius = 0.16 + (0.4 + 0.02 * std::cos(5 * angle)) * u;
        return Vec3d(radius * std::cos(angle), waist_height - 0.45 * u, radius * std::sin(angle));
    });
}

void pin_first_row(ClothScene& scene) {
    for (std::uint32_t j = 0; j < scene.net.columns; ++j) scene.pins.push_back(j);
}

/// A flared skirt falls onto the hips, and swings until it stops.
MeshSequence falling_skirt(const SequenceOptions& options) {
    ClothScene scene;
    scene.net = skirt(1.7);
    scene.drag = 1.5;
    scene.bend = 0.004;
    scene.press = 0.02;
    scene.spheres = [](double) {
        return std::vector<ClothSphere>{{{0, 0.9, 0}, 0.2}, {{0.02, 0.65, 0.02}, 0.26}};
    };
    return played(scene, options);
}

/// The waist sways and rotates while it moves forward; the legs swing below it.
MeshSequence skirt_walk(const SequenceOptions& options) {
    ClothScene scene;
    scene.net = skirt(1.0);
    scene.bend = 0.004;
    scene.press = 0.02;
    pin_first_row(scene);
    constexpr double speed = 0.9;
    scene.pin = [rest = scene.net.points](std::uint32_t v, double t) {
        const Eigen::AngleAxisd rotation(0.15 * std::sin(2 * pi * t), Vec3d::UnitY());
        const Vec3d sway(0.03 * std::sin(2 * pi * t), 0.015 * (1 - std::cos(4 * pi * t)), speed * t);
        return Vec3d(rotation * rest[v] + sway);
    };
    scene.spheres = [](double t) {
        std::vector<ClothSphere> spheres{{{0, 0.86, speed * t}, 0.19}};
        for (const double side : {-1.0, 1.0}) {
            const double swing = 0.4 * side * std::sin(2 * pi * t);
            for (const double down : {0.2, 0.35, 0.5}) {
                const Vec3d leg(0.08 * side, 0.9 - down * std::cos(swing),
                                speed * t + down * std::sin(swing));
                spheres.push_back({leg, 0.14});
            }
        }
        return spheres;
    };
    return played(scene, options);
}

/// Fixed at the top, pulled to one side and back.
MeshSequence curtain(const SequenceOptions& options) {
    ClothScene scene;
    scene.net = net_of(8, 17, false, [](double u, double v) {
        return Vec3d(2 * v - 1, 2 - 2 * u, 0.04 * std::sin(6 * pi * v));
    });
    pin_first_row(scene);
    scene.pin = [rest = scene.net.points](std::uint32_t v, double t) {
        const Vec3d& p = rest[v];
        const double drawn = 0.22 * (1 - std::cos(pi * t / 2));
        return Vec3d(-1 + (p.x() + 1) * (1 - drawn), p.y(), p.z() * (1 + 4 * drawn));
    };
    scene.wind = [](const Vec3d& p, double t) { return Vec3d(0, 0, 1.5 * std::sin(1.3 * t) * (2 - p.y())); };
    return played(scene, options);
}

/// Fixed at the pole, in a wind that changes strength and direction.
MeshSequence flag(const SequenceOptions& options) {
    ClothScene scene;
    scene.net = net_of(16, 11, false, [](double u, double v) { return Vec3d(1.5 * u, 1 - v, 0); });
    pin_first_row(scene);
    scene.pin = [rest = scene.net.points](std::uint32_t v, double) { return rest[v]; };
    scene.gravity = Vec3d(0, -4, 0);
    scene.bend = 0.004;
    scene.press = 0.01;
    scene.wind = [](const Vec3d& p, double t) {
        const double gust = 9 + 3 * std::sin(1.7 * t);
        return Vec3d(gust, 0, 5 * std::sin(0.9 * t) + 9 * std::sin(4 * t - 3 * p.x() + p.y()));
    };
    return played(scene, options);
}

/// Closed: a trunk with a neck and a head, and four bulges for legs.
Vec3d body_position(double u, double v) {
    const double round = u <= 0 || u >= 1 ? 0 : std::pow(std::sin(pi * u), 0.6);
    const double around = 2 * pi * v;
    const double neck = 1 - 0.45 * std::exp(-std::pow((u - 0.76) / 0.07, 2));
    const double legs = std::exp(-std::pow((u - 0.25) / 0.08, 2)) + std::exp(-std::pow((u - 0.6) / 0.08, 2));
    const double down = std::max(0.0, -std::sin(around));
    const double r = 0.36 * round * neck;
    const double leg = 0.12 * round * legs * down * std::pow(std::cos(around), 2) * 4;
    return {r * std::cos(around) * (1 + 0.2 * leg), 0.62 + r * std::sin(around) - leg, 1.6 * (u - 0.5)};
}
ControlNet body() {
    return net_of(15, 18, true, body_position);
}

/// The body converted to cloth: it sinks to the floor.
MeshSequence cloth_collapse(const SequenceOptions& options) {
    ClothScene scene;
    scene.net = body();
    scene.floor = 0;
    scene.cushion = 0.3;
    scene.press = 0.01;
    scene.bend = 0.01;
    scene.viscosity = 150;
    scene.drag = 40;  // it sinks as slowly as through water
    scene.spheres = [](double) {
        return std::vector<ClothSphere>{{{0, 0.1, -0.35}, 0.22}, {{0, 0.1, 0.2}, 0.22}};
    };
    return played(scene, options);
}

/// Free-form deformation that bends, twists, stretches and swells the body.
Vec3d softened(const Vec3d& rest, double t) {
    const Vec3d p = rest - Vec3d(0, 0.6, 0);
    const double bend = 0.7 * std::sin(2.1 * t), twist = 0.5 * std::sin(1.7 * t + 0.4) - 0.5 * std::sin(0.4);
    Vec3d q = Eigen::AngleAxisd(twist * p.z(), Vec3d::UnitZ()) * p;
    // The axis becomes an arc: straight where the bend is 0.
    const double angle = bend * p.z();
    const double along = std::abs(bend) > 1e-6 ? std::sin(angle) / bend : p.z();
    const double aside = std::abs(bend) > 1e-6 ? (1 - std::cos(angle)) / bend : 0;
    q = Vec3d(aside + q.x() * std::cos(angle), q.y(), along - q.x() * std::sin(angle));
    q *= 1 + 0.03 * std::sin(3.3 * t);
    q.y() += 0.25 * std::sin(2.4 * t) + 0.6;
    return q;
}

MeshSequence soft_body(const SequenceOptions& options) {
    const ControlNet net = body();
    const SplinePatch patch(net, options.vertices);
    MeshSequence sequence;
    sequence.rate = rate;
    sequence.rest.positions = patch.at(net.points);
    sequence.rest.triangles = patch.triangles();
    for (std::size_t f = 0; f < options.frames; ++f) {
        auto& frame = sequence.frames.emplace_back();
        for (const auto& p : sequence.rest.positions)
            frame.push_back(softened(p.cast<double>(), static_cast<double>(f) / rate).cast<float>());
    }
    return sequence;
}

constexpr std::array<SequenceSample, 12> table = {{
    {"falling-skirt-1", "a coarse skirt falls onto the hips", 1468, 30, falling_skirt},
    {"falling-skirt-2", "a finer skirt falls onto the hips", 4969, 60, falling_skirt},
    {"skirt-walk-1", "a coarse skirt on swinging legs", 2963, 54, skirt_walk},
    {"skirt-walk-2", "a finer skirt on swinging legs", 7526, 60, skirt_walk},
    {"curtain", "a curtain is drawn", 6409, 200, curtain},
    {"soft-body", "a body that bends and swells like rubber", 6442, 100, soft_body},
    {"soft-body-fine", "the same with more vertices", 10070, 100, soft_body},
    {"cloth-body", "a body of cloth sinks to the floor", 6442, 100, cloth_collapse},
    {"cloth-body-fine", "the same with more vertices", 20330, 100, cloth_collapse},
    {"cloth-body-short", "the same in half the time", 8431, 53, cloth_collapse},
    {"flag", "a flag in the wind", 6906, 200, flag},
    {"soft-body-long", "a coarse body of rubber over a long time", 2904, 204, soft_body},
}};

}  // namespace

std::span<const SequenceSample> sequences() {
    return table;
}

MeshSequence make_sequence(std::string_view name, const SequenceOptions& options) {
    std::string names;
    for (const SequenceSample& sample : table) {
        if (sample.name == name) {
            SequenceOptions full = options;
            if (full.vertices == 0) full.vertices = sample.vertices;
            if (full.frames == 0) full.frames = sample.frames;
            return sample.make(full);
        }
        names += (names.empty() ? "" : ", ") + std::string(sample.name);
    }
    fail("sample", "there is no sequence \"{}\"; there are {}", name, names);
}

}  // namespace sinew::sample
