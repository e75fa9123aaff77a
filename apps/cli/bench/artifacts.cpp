// sinew bench artifacts: what is wrong with each skinning method, in numbers and pictures.

#include <chrono>

#include "bench/artifact_measures.h"
#include "bench/suites.h"
#include "bench/table.h"

#include "sinew/geometry/topology.h"
#include "sinew/render/annotate.h"
#include "sinew/render/character.h"
#include "sinew/render/contact_sheet.h"

namespace sinew::cli {
namespace {

using sample::ArtifactScene;

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
    for (const ArtifactScene& scene : sample::artifact_scenes()) {
        const std::vector<PosedScene> poses = pose_scene(scene);
        show_scene(run, scene, poses);
        if (!pictures) continue;
        const std::filesystem::path path = options.folder / ("artifact_" + scene.name + ".png");
        render::save_png(path, pictures->draw(scene, poses));
        run.report.extra["files"].push_back(path.string());
    }
    if (pictures) run.say("\nwrote the pictures to {}", options.folder.string());
}

}  // namespace sinew::cli
