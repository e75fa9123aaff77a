#include "bench/artifact_measures.h"

#include <algorithm>
#include <cmath>

#include "sinew/deform/skinner.h"
#include "sinew/deform/reference/reference.h"
#include "sinew/math/blend_curves.h"

namespace sinew::cli {
namespace {

using deform::Method;
using math::Vec3d;
using sample::ArtifactScene;

constexpr double radius = 0.1, blend_length = 0.4, none = -1;
const Vec3d joint(0, 0.5, 0);

bool on_tube(const Vec3d& rest) {
    return rest.y() > -1e-6 && rest.y() < 1 + 1e-6;
}

/// Rest positions of the ring that follows its joints alike.
bool in_middle(const Vec3d& rest) {
    return std::abs(rest.y() - joint.y()) < 1e-6;
}

Vec3d rest_of(const ArtifactScene& scene, std::size_t vertex) {
    return scene.character.mesh.positions[vertex].cast<double>();
}

/// Calls visit(rest, vertex) for the vertices that pass a test of their rest position.
template <class Test, class Visit>
void for_vertices(const ArtifactScene& scene, const Test& test, const Visit& visit) {
    for (std::size_t v = 0; v < scene.character.mesh.vertex_count(); ++v)
        if (const Vec3d rest = rest_of(scene, v); test(rest)) visit(rest, v);
}

bool takes_shortest_way(Method method) {
    return method != Method::lbs && method != Method::rigid;
}

/// Angle that a vertex of upper weight w turns by when the upper joint turns by `angle` about a fixed axis.
double blended_angle(Method method, double w, double angle) {
    if (method == Method::rigid) return w > 0.5 ? angle : 0;
    if (method == Method::dib || method == Method::log) return w * angle;
    return math::linear_blend_angle(w, angle);
}

// --- Candy wrapper and elbow: the radius that is left

double smallest_twist_radius(const ArtifactScene& scene, const PosedScene& posed) {
    double smallest = 1e30;
    for_vertices(scene, on_tube, [&](const Vec3d&, std::size_t v) {
        smallest = std::min(smallest, std::hypot(posed.after[v].x(), posed.after[v].z()) / radius);
    });
    return smallest;
}

double smallest_bend_radius(const ArtifactScene& scene, const PosedScene& posed) {
    double smallest = 1e30;
    for_vertices(scene, in_middle, [&](const Vec3d&, std::size_t v) {
        smallest = std::min(smallest, (posed.after[v] - joint).norm() / radius);
    });
    return smallest;
}

/// |cos(angle / 2)| under linear blending (Kavan 2007, 3.1), 1 under the others.
std::optional<double> twist_radius(Method method) {
    return method == Method::lbs ? std::cos(math::radians(174.0 / 2)) : 1.0;
}
std::optional<double> bend_radius(Method method) {
    if (method == Method::qlb) return std::nullopt;  // it turns about the lower end of the tube
    return method == Method::lbs ? std::cos(math::radians(120.0 / 2)) : 1.0;
}

// --- Elbow: how far the skin stands off the bones

double distance_to_bone(const Vec3d& point, const Vec3d& end) {
    const Vec3d along = end - joint;
    const double t = std::clamp((point - joint).dot(along) / along.squaredNorm(), 0.0, 1.0);
    return (point - joint - t * along).norm();
}

double distance_to_bones(const Vec3d& point) {
    const Eigen::AngleAxisd bend(math::radians(120), Vec3d::UnitX());
    return std::min(distance_to_bone(point, Vec3d::Zero()),
                    distance_to_bone(point, joint + bend * Vec3d(0, 0.5, 0)));
}

double bulge_measured(const ArtifactScene& scene, const PosedScene& posed) {
    double largest = 0;
    for_vertices(scene, on_tube, [&](const Vec3d&, std::size_t v) {
        largest = std::max(largest, distance_to_bones(posed.after[v]) / radius);
    });
    return largest;
}

/// The same for a fine net of points, turned by the closed forms.
std::optional<double> bulge_formula(Method method) {
    if (method == Method::qlb || method == Method::cor) return std::nullopt;
    const double angle = math::radians(120);
    double largest = 0;
    for (int k = 0; k <= 800; ++k) {
        const double s = (k / 800.0 - 0.5) * blend_length, w = s / blend_length + 0.5;
        for (int side = 0; side < 96; ++side) {
            const double around = 2 * math::pi * side / 96;
            const Vec3d offset(radius * std::sin(around), s, radius * std::cos(around));
            const auto turned = [&](double by) {
                return Vec3d(Eigen::AngleAxisd(by, Vec3d::UnitX()) * offset);
            };
            const Vec3d at = method == Method::lbs ? Vec3d((1 - w) * offset + w * turned(angle))
                                                   : turned(blended_angle(method, w, angle));
            largest = std::max(largest, distance_to_bones(joint + at) / radius);
        }
    }
    return largest;
}

// --- Origin: a moved character, and a centre that is not the joint

double drift_measured(const ArtifactScene& scene, const PosedScene& posed) {
    double largest = 0;
    for_vertices(scene, in_middle, [&](const Vec3d&, std::size_t v) {
        largest = std::max(largest, (posed.after[v] - posed.before[v] - Vec3d(0, 0, 10)).norm());
    });
    return largest;
}

/// Log-matrix: the blended translation is (9.5015816, -0.2064517, 0) where (10, 0, 0) is right.
std::optional<double> drift_formula(Method method) {
    return method == Method::log ? std::hypot(10 - 9.5015816, 0.2064517) : 0.0;
}

double off_center_measured(const ArtifactScene& scene, const PosedScene& posed) {
    Vec3d sum = Vec3d::Zero();
    double count = 0;
    for_vertices(scene, in_middle, [&](const Vec3d&, std::size_t v) {
        sum += posed.before[v];
        ++count;
    });
    return (sum / count - joint).norm();
}

/// QLB'_0 leaves a centre c out by |(c - R c) / 2 - (c - R^(1/2) c)|, with a quarter turn (1/sqrt 2 - 1/2)
/// sqrt 2 |c|.
std::optional<double> off_center_formula(Method method) {
    return method == Method::qlb ? 0.5 * (1 - std::sqrt(0.5)) : 0.0;
}

// --- Flip and long way

double flip_measured(const ArtifactScene& scene, const PosedScene& posed) {
    double largest = 0;
    for_vertices(scene, on_tube, [&](const Vec3d&, std::size_t v) {
        largest = std::max(largest, (posed.after[v] - posed.before[v]).norm() / radius);
    });
    return largest;
}

/// The middle goes from 89.5 degrees to -89.5; without a flip the end moves by 2 degrees.
std::optional<double> flip_formula(Method method) {
    return 2 * std::sin(math::radians(takes_shortest_way(method) ? 89.5 : 1.0));
}

double turn_measured(const ArtifactScene& scene, const PosedScene& posed) {
    double angle = none;
    for_vertices(scene, in_middle, [&](const Vec3d& rest, std::size_t v) {
        const Vec3d at = posed.after[v] - joint, from = rest - joint;
        if (at.norm() < 1e-3 * radius || angle != none) return;
        angle = std::atan2(from.cross(at).y(), from.dot(at));
    });
    return angle == none ? std::nan("") : math::degrees(angle) + 0.0;
}

/// Logarithms take the last joint for a turn of -120 degrees.
std::optional<double> turn_formula(Method method) {
    if (method == Method::lbs || method == Method::rigid) return std::nullopt;
    return method == Method::log ? 0.0 : 120.0;
}

double ring_radius_measured(const ArtifactScene& scene, const PosedScene& posed) {
    return smallest_bend_radius(scene, posed);
}
std::optional<double> ring_radius_formula(Method method) {
    return method == Method::lbs ? 0.0 : 1.0;
}

// --- Cloth: neighbours that are torn apart

double tear_measured(const ArtifactScene& scene, const PosedScene& posed) {
    constexpr std::size_t rows = 9;
    std::vector<double> steps;
    for (std::size_t v = 0; v + rows < scene.character.mesh.vertex_count(); ++v)
        steps.push_back((posed.after[v + rows] - posed.after[v]).norm());
    std::vector<double> sorted = steps;
    std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2));
    return std::ranges::max(steps) / sorted[sorted.size() / 2];
}

std::optional<double> no_formula(Method) {
    return std::nullopt;
}

}  // namespace

std::vector<PosedScene> pose_scene(const ArtifactScene& scene) {
    const model::Character& character = scene.character;
    const std::vector<math::Vec3f> centers = deform::optimized_centers(character.mesh, character.skin);
    deform::DeformOptions options;
    options.centers = centers;
    std::vector<PosedScene> result;
    for (const deform::MethodInfo& info : deform::methods()) {
        const auto pose = [&](double time) {
            return deform::deform<double>(character, &character.clips.front(), time, info.method, options)
                .positions;
        };
        result.push_back({info.method, pose(scene.time_before), pose(scene.time)});
    }
    return result;
}

std::vector<ArtifactMeasure> artifact_measures(const std::string& scene) {
    if (scene == "candy-wrapper") return {{"radius left", smallest_twist_radius, twist_radius}};
    if (scene == "elbow")
        return {{"radius left", smallest_bend_radius, bend_radius},
                {"off the bones", bulge_measured, bulge_formula}};
    if (scene == "origin")
        return {{"drift", drift_measured, drift_formula},
                {"off the joint", off_center_measured, off_center_formula}};
    if (scene == "flip") return {{"move in radii", flip_measured, flip_formula}};
    if (scene == "long-way")
        return {{"turn in degrees", turn_measured, turn_formula},
                {"radius left", ring_radius_measured, ring_radius_formula}};
    return {{"longest of usual step", tear_measured, no_formula}};
}

}  // namespace sinew::cli
