#include "sinew/sample/sequences.h"

#include <array>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/sample/cloth.h"

namespace sinew::sample {

using geometry::Mesh;
using math::pi;
using math::Vec3d;
using model::MeshSequence;

namespace {

constexpr double rate = 30;

/// Rows of points, each `across` long, that may close into a ring.
Mesh patch(std::uint32_t rows, std::uint32_t across, bool ring,
           const std::function<Vec3d(double u, double v)>& place) {
    Mesh mesh;
    for (std::uint32_t i = 0; i < rows; ++i) {
        for (std::uint32_t j = 0; j < across; ++j) {
            const double v = j / (ring ? static_cast<double>(across) : across - 1.0);
            mesh.positions.push_back(place(i / (rows - 1.0), v).cast<float>());
        }
    }
    for (std::uint32_t i = 0; i + 1 < rows; ++i) {
        for (std::uint32_t j = 0; j + (ring ? 0 : 1) < across; ++j) {
            const std::uint32_t a = i * across + j, b = i * across + (j + 1) % across;
            // Diagonals change direction, so that the cloth has no grain.
            if ((i + j) % 2 == 0) {
                mesh.triangles.push_back({a, a + across, b + across});
                mesh.triangles.push_back({a, b + across, b});
            } else {
                mesh.triangles.push_back({a, a + across, b});
                mesh.triangles.push_back({b, a + across, b + across});
            }
        }
    }
    return mesh;
}

/// Rows and columns of about so many points, `aspect` columns for each row.
std::pair<std::uint32_t, std::uint32_t> grid_of(std::size_t vertices, double aspect) {
    const double rows = std::max(3.0, std::round(std::sqrt(static_cast<double>(vertices) / aspect)));
    const double columns = std::max(4.0, std::round(static_cast<double>(vertices) / rows));
    return {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns)};
}

MeshSequence played(const ClothScene& scene, const SequenceOptions& options) {
    MeshSequence sequence;
    sequence.rest = scene.mesh;
    sequence.rate = rate;
    sequence.frames = simulate(scene, options.frames, rate);
    return sequence;
}

Mesh skirt(std::size_t vertices) {
    const auto [rows, columns] = grid_of(vertices, 3);
    return patch(rows, columns, true, [](double u, double v) {
        const double radius = 0.16 + 0.34 * u, angle = 2 * pi * v;
        return Vec3d(radius * std::cos(angle), 1.0 - 0.55 * u, radius * std::sin(angle));
    });
}

void pin_first_row(ClothScene& scene, std::uint32_t columns) {
    for (std::uint32_t j = 0; j < columns; ++j) scene.pins.push_back(j);
}

/// A wide skirt that falls from its own shape onto the hips.
MeshSequence falling_skirt(const SequenceOptions& options) {
    ClothScene scene;
    scene.mesh = skirt(options.vertices);
    pin_first_row(scene, grid_of(options.vertices, 3).second);
    scene.pin = [rest = scene.mesh.positions](std::uint32_t v, double) {
        return Vec3d(rest[v].cast<double>());
    };
    scene.balls = [](double) {
        return std::vector<ClothBall>{{{0, 0.86, 0}, 0.19}, {{0.09, 0.6, 0}, 0.12}, {{-0.09, 0.6, 0}, 0.12}};
    };
    return played(scene, options);
}

/// The waist sways and turns; the legs swing below it.
MeshSequence skirt_walk(const SequenceOptions& options) {
    ClothScene scene;
    scene.mesh = skirt(options.vertices);
    pin_first_row(scene, grid_of(options.vertices, 3).second);
    scene.pin = [rest = scene.mesh.positions](std::uint32_t v, double t) {
        const Eigen::AngleAxisd turn(0.2 * std::sin(2 * pi * t), Vec3d::UnitY());
        const Vec3d sway(0.03 * std::sin(2 * pi * t), 0.02 * std::sin(4 * pi * t), 0.3 * t);
        return Vec3d(turn * rest[v].cast<double>() + sway);
    };
    scene.balls = [](double t) {
        std::vector<ClothBall> balls{{{0, 0.88, 0.3 * t}, 0.17}};
        for (const double side : {-1.0, 1.0}) {
            const double swing = 0.5 * side * std::sin(2 * pi * t);
            for (const double down : {0.15, 0.28, 0.41}) {
                balls.push_back(
                    {{0.09 * side, 0.88 - down * std::cos(swing), 0.3 * t + down * std::sin(swing)}, 0.1});
            }
        }
        return balls;
    };
    return played(scene, options);
}

/// Held at the top, drawn to one side and back.
MeshSequence curtain(const SequenceOptions& options) {
    ClothScene scene;
    const auto [rows, columns] = grid_of(options.vertices, 1);
    scene.mesh = patch(rows, columns, false, [](double u, double v) {
        return Vec3d(2 * v - 1, 2 - 2 * u, 0.05 * std::sin(12 * pi * v));
    });
    pin_first_row(scene, columns);
    scene.pin = [rest = scene.mesh.positions](std::uint32_t v, double t) {
        const Vec3d p = rest[v].cast<double>();
        const double drawn = 0.25 * (1 - std::cos(pi * t / 2));
        return Vec3d(-1 + (p.x() + 1) * (1 - drawn), p.y(), p.z() * (1 + 2 * drawn));
    };
    scene.damping = 0.01;
    return played(scene, options);
}

/// Held at the pole, in a wind that swells and turns.
MeshSequence flag(const SequenceOptions& options) {
    ClothScene scene;
    const auto [rows, columns] = grid_of(options.vertices, 1 / 1.5);
    scene.mesh = patch(rows, columns, false, [](double u, double v) { return Vec3d(1.5 * u, 1 - v, 0); });
    pin_first_row(scene, columns);
    scene.pin = [rest = scene.mesh.positions](std::uint32_t v, double) {
        return Vec3d(rest[v].cast<double>());
    };
    scene.wind = [](const Vec3d& p, double t) {
        const double gust = 8 + 4 * std::sin(1.7 * t);
        return Vec3d(gust, 2, 6 * std::sin(3 * t + 4 * p.x()) + 2 * std::sin(7 * t + 5 * p.y()));
    };
    return played(scene, options);
}

/// A body whose trunk is a long ball with a head and four legs, closed.
Mesh body(std::size_t vertices) {
    const auto [rows, columns] = grid_of(vertices, 0.7);
    return patch(rows, columns, true, [](double u, double v) {
        const double along = pi * (0.002 + 0.996 * u), around = 2 * pi * v;
        const double swell = 1 + 0.25 * std::cos(3 * along) +
                             0.2 * std::pow(std::cos(2 * around), 4) * std::pow(std::sin(2 * along), 2);
        const double r = 0.35 * std::sin(along) * swell;
        return Vec3d(r * std::cos(around), 0.6 + r * std::sin(around), -0.9 * std::cos(along));
    });
}

/// The body turned into cloth: it sags onto the floor.
MeshSequence cloth_collapse(const SequenceOptions& options) {
    ClothScene scene;
    scene.mesh = body(options.vertices);
    scene.floor = 0;
    scene.bend = 0.05;
    scene.balls = [](double) { return std::vector<ClothBall>{{{0, 0.12, 0}, 0.2}}; };
    return played(scene, options);
}

/// A free-form lattice of sines that bends, twists, stretches and swells the body.
MeshSequence soft_body(const SequenceOptions& options) {
    MeshSequence sequence;
    sequence.rest = body(options.vertices);
    sequence.rate = rate;
    for (std::size_t f = 0; f < options.frames; ++f) {
        const double t = static_cast<double>(f) / rate;
        auto& frame = sequence.frames.emplace_back();
        for (const auto& rest : sequence.rest.positions) {
            const Vec3d p = rest.cast<double>() - Vec3d(0, 0.6, 0);
            const double twist = 0.3 * std::sin(2 * t) * p.z();
            Vec3d q = Eigen::AngleAxisd(twist, Vec3d::UnitZ()) * p;
            q *= 1 + 0.02 * std::sin(4 * t + 2 * p.z());
            q.x() += 0.25 * std::sin(3 * t) * p.z() * p.z();
            q.y() += 0.15 * std::sin(5 * t + 1.5 * p.z()) + 0.6;
            frame.push_back(q.cast<float>());
        }
    }
    return sequence;
}

constexpr std::array<SequenceSample, 9> table = {{
    {"falling-skirt-1", "a coarse skirt falls onto the hips", 1468, 30, falling_skirt},
    {"falling-skirt-2", "a finer skirt falls onto the hips", 4969, 60, falling_skirt},
    {"skirt-walk-1", "a coarse skirt on swinging legs", 2963, 54, skirt_walk},
    {"skirt-walk-2", "a finer skirt on swinging legs", 7526, 60, skirt_walk},
    {"curtain", "a curtain is drawn", 6409, 200, curtain},
    {"soft-body", "a body that bends and swells like rubber", 6442, 100, soft_body},
    {"soft-body-fine", "the same with more vertices", 10070, 100, soft_body},
    {"cloth-body", "a body of cloth sinks to the floor", 6442, 100, cloth_collapse},
    {"flag", "a flag in the wind", 6906, 200, flag},
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
