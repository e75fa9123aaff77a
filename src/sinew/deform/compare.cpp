#include "sinew/deform/compare.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/deform/skinner.h"
#include "sinew/geometry/topology.h"

namespace sinew::deform {
namespace {

using math::Vec3f;

/// Runs one method and keeps the fastest time.
MethodMeasure run(const Skinner& skinner, std::span<const Mat34f> palette, Method method, int repetitions) {
    MethodMeasure measure;
    measure.method = method;
    std::vector<float> vertices(skinner.vertex_count() * 6);
    Skinner::Pose pose(skinner);
    VertexBuffer buffer{std::as_writable_bytes(std::span(vertices))};
    if (skinner.vectors() == 0) buffer.normal = -1;
    double best = 1e300;
    for (int i = 0; i < std::max(1, repetitions); ++i) {
        const auto start = std::chrono::steady_clock::now();
        measure.counts = skinner.deform(palette, method, pose, buffer);
        best =
            std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    measure.nanoseconds = 1e9 * best / static_cast<double>(skinner.vertex_count());
    for (std::size_t v = 0; v < skinner.vertex_count(); ++v) {
        const float* const p = vertices.data() + v * 6;
        measure.positions.emplace_back(p[0], p[1], p[2]);
        if (skinner.vectors() > 0) measure.normals.emplace_back(p[3], p[4], p[5]);
    }
    return measure;
}

void measure_edges(MethodMeasure& measure, const geometry::Mesh& rest, const geometry::EdgeTable& table) {
    measure.longest_edge = 0;
    measure.shortest_edge = 1e300;
    for (const geometry::Edge& edge : table.edges) {
        const float before = (rest.positions[edge.a] - rest.positions[edge.b]).norm();
        if (before <= 0) continue;
        const double ratio = (measure.positions[edge.a] - measure.positions[edge.b]).norm() / before;
        measure.longest_edge = std::max(measure.longest_edge, ratio);
        measure.shortest_edge = std::min(measure.shortest_edge, ratio);
    }
    if (table.edges.empty()) measure.longest_edge = measure.shortest_edge = 1;
}

double triangle_area(const std::vector<Vec3f>& positions, const geometry::Triangle& t) {
    const Vec3f a = positions[t[0]];
    return (positions[t[1]] - a).cross(positions[t[2]] - a).norm() / 2;
}

void measure_areas(MethodMeasure& measure, const geometry::Mesh& rest) {
    for (const geometry::Triangle& triangle : rest.triangles) {
        const double before = triangle_area(rest.positions, triangle);
        if (before > 0)
            measure.smallest_area =
                std::min(measure.smallest_area, triangle_area(measure.positions, triangle) / before);
    }
}

void measure_difference(MethodMeasure& measure, const MethodMeasure& reference, double diagonal) {
    double sum = 0, largest = 0;
    for (const float distance : vertex_distances(measure.positions, reference.positions)) {
        sum += double(distance) * distance;
        largest = std::max(largest, double(distance));
    }
    measure.max_difference = 100 * largest / diagonal;
    measure.rms_difference =
        100 * std::sqrt(sum / static_cast<double>(reference.positions.size())) / diagonal;
    for (std::size_t v = 0; v < measure.normals.size(); ++v) {
        const auto a = measure.normals[v].cast<double>(), b = reference.normals[v].cast<double>();
        const math::Vec3d across = a.cross(b);
        measure.normal_difference = std::max(measure.normal_difference, std::atan2(across.norm(), a.dot(b)));
    }
}

/// Work of the plain code, and cost by the formulas.
void count_work(MethodMeasure& measure, const model::Character& character, const model::InfluenceSets& sets,
                std::span<const math::Mat4d> palette, std::span<const Vec3f> centers) {
    RestShape<float> points{character.mesh.positions};
    DeformOptions options;
    options.centers = centers;
    measure.work = deform<float>(points, character.skin, sets, palette, measure.method, options).work;
    const auto vertices = static_cast<double>(character.mesh.vertex_count());
    CostOptions how;
    how.influences = static_cast<int>(
        std::lround(static_cast<double>(character.skin.influences.size()) / std::max(1.0, vertices)));
    how.iterations = static_cast<double>(measure.work.iterations) / std::max(1.0, vertices);
    measure.cost = cost(measure.method, how);
}

}  // namespace

std::vector<float> vertex_distances(std::span<const Vec3f> a, std::span<const Vec3f> b) {
    if (a.size() != b.size()) fail("", "{} and {} vertices cannot be compared", a.size(), b.size());
    std::vector<float> distances;
    for (std::size_t v = 0; v < a.size(); ++v) distances.push_back((a[v] - b[v]).norm());
    return distances;
}

std::vector<MethodMeasure> compare_methods(const model::Character& character, const model::Clip* clip,
                                           double time, const CompareOptions& options) {
    if (!character.has_skin()) fail(character.name, "has no skin to deform");
    const geometry::Mesh& mesh = character.mesh;
    const std::vector<Vec3f> centers = optimized_centers(mesh, character.skin);
    SkinnerOptions skinner_options;
    skinner_options.centers = centers;
    const Skinner skinner(mesh, character.skin, &character.skeleton, skinner_options);
    const std::vector<math::Mat4d> exact =
        model::palette(character.skin, world_matrices(character, clip, time));
    const std::vector<Mat34f> palette = to_mat34(exact);
    const model::InfluenceSets sets = model::group_by_influences(character.skin, &character.skeleton);

    std::vector<MethodMeasure> measures;
    for (const MethodInfo& info : methods()) {
        measures.push_back(run(skinner, palette, info.method, options.repetitions));
    }
    const auto reference =
        std::ranges::find_if(measures, [&](const MethodMeasure& m) { return m.method == options.reference; });
    const geometry::EdgeTable table = geometry::edge_table(mesh.triangles);
    const double diagonal = std::max(1e-30f, geometry::bounds(mesh.positions).diagonal());
    const double volume = geometry::signed_volume(mesh.positions, mesh.triangles);
    for (MethodMeasure& measure : measures) {
        measure.volume_ratio = geometry::signed_volume(measure.positions, mesh.triangles) / volume;
        measure_edges(measure, mesh, table);
        measure_areas(measure, mesh);
        measure_difference(measure, *reference, diagonal);
        count_work(measure, character, sets, exact, centers);
    }
    return measures;
}

}  // namespace sinew::deform
