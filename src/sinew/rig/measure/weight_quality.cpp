// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/deform/deformer.h"
#include "sinew/geometry/topology.h"
#include "sinew/rig/bind/weight_table.h"
#include "sinew/rig/measure.h"

namespace sinew::rig {
namespace {

using math::Vec3d;

int parent_of(const model::Skeleton& skeleton, int joint) {
    return skeleton.joints[at(joint)].parent;
}

/// The same joint, parent and child, or sisters whose bones start together.
bool adjacent(const model::Skeleton& skeleton, int a, int b) {
    const int up_a = parent_of(skeleton, a), up_b = parent_of(skeleton, b);
    return a == b || up_a == b || up_b == a || (up_a >= 0 && up_a == up_b);
}

double largest_difference(std::span<const JointWeight> a, std::span<const JointWeight> b) {
    double max = 0;
    for (const JointWeight& entry : a)
        max = std::max(max, std::abs(entry.weight - weight_of(b, entry.joint)));
    for (const JointWeight& entry : b)
        max = std::max(max, std::abs(entry.weight - weight_of(a, entry.joint)));
    return max;
}

double leak_of(std::span<const JointWeight> row, const model::Skeleton& skeleton) {
    const auto own = std::max_element(row.begin(), row.end(), [](const JointWeight& a, const JointWeight& b) {
        return a.weight < b.weight;
    });
    double sum = 0;
    for (const JointWeight& entry : row)
        if (!adjacent(skeleton, own->joint, entry.joint)) sum += entry.weight;
    return sum;
}

void measure_slopes(WeightQuality& quality, const WeightTable& table, const geometry::Mesh& mesh) {
    const auto welded = geometry::weld_map(mesh.positions);
    for (std::size_t v = 0; v < welded.size(); ++v)
        quality.torn += largest_difference(table[v], table[welded[v]]) > 1e-3 ? 1 : 0;
    const double size = geometry::bounds(mesh.positions).diagonal();
    const auto edges = geometry::edge_table(geometry::welded(mesh.triangles, welded)).edges;
    for (const geometry::Edge& edge : edges) {
        const double length = (mesh.positions[edge.a] - mesh.positions[edge.b]).cast<double>().norm();
        if (!(length > 0)) continue;
        const double slope = largest_difference(table[edge.a], table[edge.b]) / length * size;
        quality.steepest = std::max(quality.steepest, slope);
        quality.steep_mean += slope / static_cast<double>(edges.size());
    }
}

/// Edges long enough for a measurable change of length, with their lengths.
struct RestEdges {
    std::vector<geometry::Edge> edges;
    std::vector<double> lengths;

    explicit RestEdges(const geometry::Mesh& mesh) {
        const auto welded = geometry::welded(mesh.triangles, geometry::weld_map(mesh.positions));
        const double min = 1e-4 * geometry::bounds(mesh.positions).diagonal();
        for (const geometry::Edge& edge : geometry::edge_table(welded).edges) {
            const double length = (mesh.positions[edge.a] - mesh.positions[edge.b]).cast<double>().norm();
            if (length <= min) continue;
            edges.push_back(edge);
            lengths.push_back(length);
        }
    }

    void measure(const std::vector<math::Vec3f>& posed, JointSweep& sweep) const {
        double sum = 0, count = 0;
        for (std::size_t e = 0; e < edges.size(); ++e) {
            const double length = (posed[edges[e].a] - posed[edges[e].b]).cast<double>().norm();
            const double change = std::abs(length / lengths[e] - 1);
            sweep.worst_stretch = std::max(sweep.worst_stretch, change);
            if (change <= 1e-3) continue;
            sum += change;
            count += 1;
        }
        if (count > 0) sweep.mean_stretch = std::max(sweep.mean_stretch, sum / count);
    }
};

/// Joints whose rotation moves a part of the skin: they or a descendant have weights.
std::vector<char> moving_joints(const model::Character& character) {
    std::vector<char> moves(character.skeleton.size(), 0);
    const WeightTable table = table_of(character.skin);
    for (const JointWeight& entry : table.entries) moves[at(entry.joint)] = 1;
    for (std::size_t j = moves.size(); j-- > 0;)
        if (const int parent = character.skeleton.joints[j].parent; parent >= 0 && moves[j] != 0)
            moves[at(parent)] = 1;
    return moves;
}

}  // namespace

WeightQuality weight_quality(const model::Character& character) {
    if (!character.has_skin()) fail(character.name, "has no skin weights");
    const WeightTable table = table_of(character.skin);
    WeightQuality quality;
    std::vector<char> used(character.skeleton.size(), 0);
    const auto count = static_cast<double>(table.size());
    for (std::size_t v = 0; v < table.size(); ++v) {
        if (table[v].empty()) continue;
        const double leak = leak_of(table[v], character.skeleton);
        quality.leakage += leak / count;
        quality.max_leakage = std::max(quality.max_leakage, leak);
        quality.influences += static_cast<double>(table[v].size()) / count;
        quality.max_influences = std::max(quality.max_influences, static_cast<int>(table[v].size()));
        for (const JointWeight& entry : table[v]) used[at(entry.joint)] = 1;
    }
    quality.unused = static_cast<std::size_t>(std::count(used.begin(), used.end(), 0));
    measure_slopes(quality, table, character.mesh);
    return quality;
}

Vec3d bend_axis(const model::Skeleton& skeleton, int joint) {
    const auto world = model::rest_world_matrices(skeleton);
    const auto position = [&](int j) -> Vec3d { return world[at(j)].block<3, 1>(0, 3); };
    Vec3d below = Vec3d::Zero();
    for (const model::Bone& bone : model::bones(skeleton, world))
        if (bone.joint == joint) below += bone.end - bone.start;
    const int parent = parent_of(skeleton, joint);
    const Vec3d above = parent < 0 ? Vec3d(Vec3d::Zero()) : Vec3d(position(joint) - position(parent));
    if (!(below.norm() > 0)) below = above;
    const Vec3d across = above.cross(below);
    if (across.norm() > 0.05 * above.norm() * below.norm()) return across.normalized();
    // A straight limb: the world axis most across it, x before z before y.
    const Vec3d along = below.norm() > 0 ? Vec3d(below.normalized()) : Vec3d(Vec3d::UnitY());
    Vec3d best = Vec3d::UnitX();
    for (const Vec3d& axis : {Vec3d(Vec3d::UnitZ()), Vec3d(Vec3d::UnitY())})
        if (std::abs(axis.dot(along)) < std::abs(best.dot(along)) - 1e-9) best = axis;
    return (best - best.dot(along) * along).normalized();
}

std::vector<math::Transform> bent_pose(const model::Skeleton& skeleton, int joint, double angle) {
    std::vector<math::Transform> pose;
    for (const model::Joint& j : skeleton.joints) pose.push_back(j.rest);
    const auto world = model::rest_world_matrices(skeleton);
    const math::Quatd frame(math::nearest_rotation(world[at(joint)].topLeftCorner<3, 3>()));
    const math::Quatd rotation_step(Eigen::AngleAxisd(angle, bend_axis(skeleton, joint)));
    math::Quatd& rotation = pose[at(joint)].rotation;
    rotation = (rotation * (frame.conjugate() * rotation_step * frame)).normalized();
    return pose;
}

SweepQuality sweep_joints(const model::Character& character, const SweepOptions& options) {
    if (!character.has_skin()) fail(character.name, "has no skin weights");
    const RestEdges edges(character.mesh);
    const double volume = geometry::signed_volume(character.mesh.positions, character.mesh.triangles);
    deform::DeformerOptions how;
    how.method = deform::Method::lbs;
    how.normals = false;
    deform::Deformer deformer(character, how);
    const std::vector<char> moves = moving_joints(character);
    SweepQuality quality;
    for (int joint = 0; joint < static_cast<int>(character.skeleton.size()); ++joint) {
        if (parent_of(character.skeleton, joint) < 0 || moves[at(joint)] == 0) continue;
        JointSweep sweep;
        sweep.joint = joint;
        for (const double degrees : options.degrees) {
            const auto pose = bent_pose(character.skeleton, joint, math::radians(degrees));
            const deform::DeformedSkin& posed = deformer.at(pose);
            edges.measure(posed.positions, sweep);
            const double now = geometry::signed_volume(posed.positions, character.mesh.triangles);
            if (volume != 0) sweep.worst_volume = std::max(sweep.worst_volume, std::abs(now / volume - 1));
        }
        quality.joints.push_back(sweep);
    }
    for (const JointSweep& sweep : quality.joints) {
        const auto count = static_cast<double>(quality.joints.size());
        quality.volume_change += sweep.worst_volume / count;
        quality.stretch += sweep.mean_stretch / count;
        quality.worst_stretch = std::max(quality.worst_stretch, sweep.worst_stretch);
    }
    return quality;
}

}  // namespace sinew::rig
