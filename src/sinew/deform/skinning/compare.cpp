// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/deform/deformer.h"
#include "sinew/deform/skinner.h"
#include "sinew/geometry/mesh.h"
#include "sinew/geometry/topology.h"

namespace sinew::deform {

using math::Mat4d;
using math::Vec3d;
using math::Vec3f;

namespace {

/// Runs one method and keeps the fastest time.
MethodMeasure run(const Skinner& skinner, std::span<const Mat34f> palette, Method method) {
    MethodMeasure measure;
    measure.method = method;
    std::vector<float> vertices(skinner.vertex_count() * 6);
    Skinner::Pose pose(skinner);
    VertexBuffer buffer{std::as_writable_bytes(std::span(vertices))};
    if (skinner.vectors() == 0) buffer.normal = -1;
    double best = 1e300;
    for (int i = 0; i < 5; ++i) {
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

}  // namespace

std::vector<float> vertex_distances(std::span<const Vec3f> a, std::span<const Vec3f> b) {
    if (a.size() != b.size()) fail("", "{} and {} vertices cannot be compared", a.size(), b.size());
    std::vector<float> distances;
    for (std::size_t v = 0; v < a.size(); ++v) distances.push_back((a[v] - b[v]).norm());
    return distances;
}

std::vector<MethodMeasure> compare_methods(const model::Character& character, const model::Clip* clip,
                                           double time, Method against) {
    if (!character.has_skin()) fail(character.name, "has no skin to deform");
    const geometry::Mesh& mesh = character.mesh;
    const std::vector<Vec3f> centers = optimized_centers(mesh, character.skin);
    SkinnerOptions skinner_options;
    skinner_options.centers = centers;
    const Skinner skinner(mesh, character.skin, &character.skeleton, skinner_options);
    const std::vector<Mat34f> palette =
        to_mat34(model::palette(character.skin, world_matrices(character, clip, time)));

    std::vector<MethodMeasure> measures;
    for (const MethodInfo& info : methods()) {
        measures.push_back(run(skinner, palette, info.method));
    }
    const auto reference =
        std::ranges::find_if(measures, [&](const MethodMeasure& m) { return m.method == against; });
    const geometry::EdgeTable table = geometry::edge_table(mesh.triangles);
    const double diagonal = std::max(1e-30f, geometry::bounds(mesh.positions).diagonal());
    const double volume = geometry::signed_volume(mesh.positions, mesh.triangles);
    for (MethodMeasure& measure : measures) {
        measure.volume_ratio = geometry::signed_volume(measure.positions, mesh.triangles) / volume;
        measure_edges(measure, mesh, table);
        measure_areas(measure, mesh);
        measure_difference(measure, *reference, diagonal);
    }
    return measures;
}

namespace {

/// The joint alone at the origin. A bone ends at the joint's first child, or at its tip.
model::Skeleton lone_joint(const model::Skeleton& skeleton, int joint) {
    model::Joint alone = skeleton.joints[at(joint)];
    const auto child = std::ranges::find(skeleton.joints, joint, &model::Joint::parent);
    if (child != skeleton.joints.end()) alone.tip = child->rest.translation;
    alone.parent = -1;
    alone.rest = {};
    alone.limits.reset();
    return {{std::move(alone)}};
}

}  // namespace

JointSpace joint_space(const model::Character& character, int joint) {
    if (!character.has_skin()) fail(character.name, "has no skin weights");
    const geometry::Mesh& mesh = character.mesh;
    const model::Skin& skin = character.skin;
    // Several entries of the palette may belong to one joint, each with its own bind matrix.
    std::vector<float> weight(mesh.vertex_count(), 0);
    std::vector<const Mat4d*> bind(mesh.vertex_count(), nullptr);
    for (std::size_t v = 0; v < weight.size(); ++v) {
        for (const model::Influence& influence : skin.of(v)) {
            const model::SkinJoint& entry = skin.joints[influence.joint];
            if (entry.joint != joint) continue;
            weight[v] += influence.weight;
            bind[v] = &entry.inverse_bind;
        }
    }
    JointSpace result;
    geometry::Mesh& shown = result.character.mesh;
    geometry::MeshCopier copier(mesh, shown);
    for (const geometry::Triangle& t : mesh.triangles)
        if (std::ranges::all_of(t, [&](std::uint32_t v) { return weight[v] > 0; })) copier.add(t);
    if (shown.empty())
        fail(character.name, "the joint \"{}\" moves no triangle", character.skeleton.joints[at(joint)].name);
    for (std::size_t i = 0; i < copier.copied().size(); ++i) {
        const std::uint32_t v = copier.copied()[i];
        shown.positions[i] = math::transform_point(*bind[v], mesh.positions[v].cast<double>()).cast<float>();
        result.weights.push_back(weight[v]);
    }
    shown.tangents.clear();
    shown.normals = geometry::vertex_normals(shown.positions, shown.triangles);
    result.character.name = character.name;
    result.character.skeleton = lone_joint(character.skeleton, joint);
    return result;
}

}  // namespace sinew::deform
