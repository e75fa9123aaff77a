// SPDX-License-Identifier: MIT
// sinew-bench artifacts: what is wrong with each skinning method, in numbers and pictures.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "bench/study/artifact_scenes.h"
#include "bench/study/blend_curves.h"
#include "reference/deform/reference.h"
#include "suites.h"

#include "sinew/deform/method.h"
#include "sinew/deform/skinner.h"
#include "sinew/geometry/topology.h"
#include "sinew/math/types.h"
#include "sinew/render/figures.h"
#include "sinew/render/film.h"

namespace sinew::bench {
namespace {

// The numbers behind the artifact scenes: what each method does, beside what the formulas say it must do.

/// A scene under one method.
struct PosedScene {
    deform::Method method = deform::Method::lbs;
    std::vector<math::Vec3d> before;  ///< at ArtifactScene::time_before
    std::vector<math::Vec3d> after;   ///< at ArtifactScene::time
};

/// A number that shows an artifact.
struct ArtifactMeasure {
    std::string quantity;
    /// Of a scene under a method.
    double (*measured)(const ArtifactScene&, const PosedScene&);
    /// By the closed form of the method; none where there is no simple one.
    std::optional<double> (*analytic)(deform::Method);
};

using deform::Method;
using math::Vec3d;

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

bool takes_shortest_path(Method method) {
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
    return 2 * std::sin(math::radians(takes_shortest_path(method) ? 89.5 : 1.0));
}

double rotation_measured(const ArtifactScene& scene, const PosedScene& posed) {
    double angle = none;
    for_vertices(scene, in_middle, [&](const Vec3d& rest, std::size_t v) {
        const Vec3d at = posed.after[v] - joint, from = rest - joint;
        if (at.norm() < 1e-3 * radius || angle != none) return;
        angle = std::atan2(from.cross(at).y(), from.dot(at));
    });
    return angle == none ? std::nan("") : math::degrees(angle) + 0.0;
}

/// Logarithms take the last joint for a turn of -120 degrees.
std::optional<double> rotation_formula(Method method) {
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

/// The numbers of a scene.
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
        return {{"turn in degrees", rotation_measured, rotation_formula},
                {"radius left", ring_radius_measured, ring_radius_formula}};
    return {{"longest of usual step", tear_measured, no_formula}};
}

std::vector<math::Vec3f> narrowed(const std::vector<math::Vec3d>& points) {
    std::vector<math::Vec3f> result;
    for (const math::Vec3d& p : points) result.push_back(p.cast<float>());
    return result;
}

double longest_edge(const geometry::Mesh& rest, const std::vector<math::Vec3d>& posed) {
    double longest = 0;
    for (const geometry::Edge& edge : geometry::edge_table(rest.triangles).edges)
        longest = std::max(longest, (posed[edge.a] - posed[edge.b]).norm() /
                                        double((rest.positions[edge.a] - rest.positions[edge.b]).norm()));
    return longest;
}

void show_scene(Run& run, const ArtifactScene& scene, const std::vector<PosedScene>& poses) {
    const geometry::Mesh& mesh = scene.character.mesh;
    const std::vector<ArtifactMeasure> measures = artifact_measures(scene.name);
    const double volume = geometry::signed_volume(mesh.positions, mesh.triangles);
    const bool closed = volume > 1e-6;
    Table table{scene.name + ": " + scene.what, {"method"}, {}};
    for (const ArtifactMeasure& measure : measures) {
        table.columns.push_back(measure.quantity);
        table.columns.push_back(measure.quantity + ", formula");
    }
    if (closed) table.columns.emplace_back("volume");
    table.columns.emplace_back("longest edge");
    for (const PosedScene& posed : poses) {
        std::vector<Cell> row{std::string(deform::name(posed.method))};
        for (const ArtifactMeasure& measure : measures) {
            const double value = measure.measured(scene, posed);
            const std::optional<double> expected = measure.analytic(posed.method);
            row.push_back(std::isfinite(value) ? Cell(value, 4) : Cell(""));
            row.push_back(expected ? Cell(*expected, 4) : Cell(""));
        }
        if (closed)
            row.emplace_back(geometry::signed_volume(narrowed(posed.after), mesh.triangles) / volume, 4);
        row.emplace_back(longest_edge(mesh, posed.after), 3);
        table.rows.push_back(std::move(row));
    }
    show(run, table);
}

/// Where a scene is best seen from.
render::ViewAxes view_of(const ArtifactScene& scene) {
    if (scene.name == "set-jump") return render::axes_of(-0.35f, 0.45f);
    const bool bent = scene.name == "elbow" || scene.name == "origin";
    return render::axes_of(bent ? 1.3f : 0.0f, 0.12f);
}

/// What is shown of a scene: one pose, or both where they are compared.
std::vector<std::vector<math::Vec3f>> shown_poses(const ArtifactScene& scene, const PosedScene& posed) {
    if (scene.name == "flip") return {narrowed(posed.before), narrowed(posed.after)};
    std::vector<math::Vec3f> after = narrowed(posed.after);
    // A character that was moved is shown where it was.
    if (scene.name == "origin")
        for (math::Vec3f& p : after) p.z() -= 10;
    return {std::move(after)};
}

class ScenePictures {
  public:
    render::Picture draw(const ArtifactScene& scene, const std::vector<PosedScene>& poses) {
        std::vector<math::Vec3f> points;
        for (const PosedScene& posed : poses)
            for (const auto& pose : shown_poses(scene, posed))
                points.insert(points.end(), pose.begin(), pose.end());
        render::RenderOptions options;
        const bool wide = scene.name == "set-jump";
        options.width = wide ? 480 : 300;
        options.height = wide ? 260 : 340;
        options.ground = false;
        options.background.center = options.background.edge = math::Vec3f::Constant(0.86f);
        const float aspect = static_cast<float>(options.width) / static_cast<float>(options.height);
        options.camera = render::fit(view_of(scene), points, aspect, options.fit);
        std::vector<render::Picture> pictures;
        for (const PosedScene& posed : poses)
            pictures.push_back(
                render::with_caption(beside(scene, posed, options), deform::name(posed.method)));
        render::ContactSheetOptions sheet;
        sheet.columns = wide || scene.name == "flip" ? 3 : 5;
        return render::with_caption(render::contact_sheet(pictures, sheet), scene.name + ": " + scene.what);
    }

  private:
    render::Picture one(const ArtifactScene& scene, const std::vector<math::Vec3f>& positions,
                        const render::RenderOptions& options) {
        model::Character posed;
        posed.mesh = scene.character.mesh;
        posed.mesh.positions = positions;
        posed.mesh.normals = geometry::vertex_normals(positions, posed.mesh.triangles);
        return render::render_character(renderer_, posed, nullptr, 0, options);
    }

    /// The poses of a method, side by side when there are two.
    render::Picture beside(const ArtifactScene& scene, const PosedScene& posed,
                           render::RenderOptions options) {
        std::vector<render::Picture> pictures;
        const auto poses = shown_poses(scene, posed);
        if (poses.size() > 1) {
            options.width /= 2;
            options.samples = 4;
        }
        for (const auto& pose : poses) pictures.push_back(one(scene, pose, options));
        if (pictures.size() == 1) return pictures.front();
        return render::contact_sheet(pictures, {static_cast<int>(pictures.size()), 0, {255, 255, 255, 255}});
    }

    render::Renderer renderer_;
};

}  // namespace

void bench_artifacts(Run& run, const SuiteOptions& options) {
    std::optional<ScenePictures> pictures;
    if (!options.folder.empty()) {
        std::filesystem::create_directories(options.folder);
        pictures.emplace();
    }
    for (const ArtifactScene& scene : artifact_scenes()) {
        const std::vector<PosedScene> poses = pose_scene(scene);
        show_scene(run, scene, poses);
        if (!pictures) continue;
        const std::filesystem::path path = options.folder / ("artifact_" + scene.name + ".png");
        render::save_png(path, pictures->draw(scene, poses));
        run.report.extra["files"].push_back(path.string());
    }
    if (pictures) run.say("\nwrote the pictures to {}", options.folder.string());
}

}  // namespace sinew::bench
