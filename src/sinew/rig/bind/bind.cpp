// SPDX-License-Identifier: MIT
#include "sinew/rig/bind.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/geometry/surface_queries.h"
#include "sinew/geometry/topology.h"
#include "sinew/geometry/voxel_solid.h"
#include "sinew/rig/bind/bind_input.h"
#include "sinew/rig/bind/methods.h"
#include "sinew/rig/edit/weight_edit.h"

namespace sinew::rig {
namespace {

struct Choice {
    BindMethod method = BindMethod::regions;
    std::string reason;
};

/// Radii of a limb that a band of `voxel` reaches at softness 1: weights nearest to those of artists at 0.5.
constexpr double voxel_band = 1.36;

/// Part of the skin where the opposite side is nearer than two cells of a volume at the usual resolution: a
/// lattice has no interior cells there.
double thin_part(SurfaceOnDemand& tree) {
    constexpr std::size_t samples = 2000;
    constexpr double cell = 1.0 / 150;  // of the diagonal
    const geometry::Mesh& mesh = tree.mesh();
    const geometry::SurfaceQueries& surface = tree.queries();
    const std::vector<math::Vec3f> normals = geometry::vertex_normals(mesh.positions, mesh.triangles);
    const auto near = static_cast<float>(2 * cell) * geometry::bounds(mesh.positions).diagonal();
    const std::size_t step = std::max<std::size_t>(mesh.vertex_count() / samples, 1);
    double thin = 0, count = 0;
    for (std::size_t v = 0; v < mesh.vertex_count(); v += step) {
        if (!(normals[v].norm() > 0)) continue;
        const math::Vec3f start = mesh.positions[v] - 0.01f * near * normals[v];
        thin += surface.first_hit(start, -normals[v], near) ? 1 : 0;
        count += 1;
    }
    return count > 0 ? thin / count : 0;
}

/// The volume method suits most bodies, with any kind of surface. Only skin that is one connected shell and
/// mostly too thin for the volume is better divided on the surface.
Choice choose(SurfaceOnDemand& tree, const BindOptions& options) {
    if (options.method != BindMethod::automatic) return {options.method, "requested"};
    const geometry::Topology surface = geometry::topology(tree.mesh());
    const bool whole = surface.closed && surface.components == 1 && surface.nonmanifold_edges.empty();
    if (!whole) {
        const std::string shells =
            surface.components == 1 ? "1 shell" : fmt::format("{} shells", surface.components);
        return {BindMethod::voxel, fmt::format("{}{}: geodesic distance through the voxelised interior",
                                               shells, surface.closed ? "" : ", open")};
    }
    const double thin = thin_part(tree);
    if (thin > 0.5)
        return {BindMethod::regions,
                fmt::format("one closed shell, {:.0f} % of it thin: cut along the skin", 100 * thin)};
    return {BindMethod::voxel, "one closed shell: geodesic distance through the voxelised interior"};
}

WeightTable weights_by(BindMethod method, SurfaceOnDemand& surface, const model::Skeleton& skeleton,
                       double softness, Monitor& monitor, const geometry::VoxelSolid* solid) {
    const geometry::Mesh& mesh = surface.mesh();
    switch (method) {
        case BindMethod::automatic:
        case BindMethod::regions:
            return region_weights(mesh, skeleton, {softness}, monitor).weights;
        case BindMethod::distance:
            return distance_weights(mesh, skeleton, monitor);
        case BindMethod::nearest:
            return nearest_weights(mesh, skeleton, monitor);
        case BindMethod::rigid:
            return rigid_weights(mesh, skeleton, monitor);
        case BindMethod::heat:
            return heat_weights(mesh, skeleton, monitor);
        case BindMethod::voxel:
            return voxel_weights(bind_input(surface, skeleton), {.softness = voxel_band * softness}, monitor,
                                 solid);
        case BindMethod::biharmonic:
            return biharmonic_weights(mesh, skeleton, monitor);
    }
    fail("bind", "there is no such method");
}

/// Different units are recognised by joints far from the mesh, to which no vertex could be bound.
void check_sizes(const geometry::Mesh& mesh, const model::Skeleton& skeleton) {
    const geometry::Box box = geometry::bounds(mesh.positions);
    const auto size = static_cast<double>(box.diagonal());
    if (!(size > 0) || !std::isfinite(size)) return;
    geometry::Box joints;
    double farthest = 0;
    std::size_t which = 0;
    const std::vector<Vec3d> positions = model::joint_positions(model::rest_world_matrices(skeleton));
    for (std::size_t j = 0; j < positions.size(); ++j) {
        const Vec3d near = positions[j].cwiseMax(box.low.cast<double>()).cwiseMin(box.high.cast<double>());
        joints.include(positions[j].cast<float>());
        if (!((positions[j] - near).norm() > farthest)) continue;
        farthest = (positions[j] - near).norm();
        which = j;
    }
    if (farthest <= max_joint_distance * size) return;
    fail("bind",
         "the skeleton is not in the mesh: the mesh is {:.4g} across and the skeleton {:.4g}, with joint "
         "\"{}\" {:.4g} away from the mesh, more than {:g} times its size; scale one of them",
         size, joints.diagonal(), skeleton.joints[which].name, farthest, max_joint_distance);
}

/// Joints that influence no vertex although one of their bones has a length.
void warn_of_idle_joints(const model::Skin& skin, SurfaceOnDemand& surface, const model::Skeleton& skeleton,
                         Monitor& monitor) {
    std::vector<char> carries(skeleton.size(), 0);
    const WeightTable table = table_of(skin);
    for (const JointWeight& entry : table.entries) carries[static_cast<std::size_t>(entry.joint)] = 1;
    if (std::ranges::all_of(carries, [](char c) { return c != 0; })) return;
    std::vector<char> can_carry(skeleton.size(), 0);
    for (const BoneSegment& bone : carrying_bones(surface, skeleton))
        can_carry[static_cast<std::size_t>(bone.joint)] |= bone.start != bone.end ? 1 : 0;
    std::string names;
    std::size_t idle = 0;
    constexpr std::size_t named = 8;
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        if (carries[j] != 0 || can_carry[j] == 0) continue;
        if (idle++ < named) names += fmt::format("{}{}", names.empty() ? "" : ", ", skeleton.joints[j].name);
    }
    if (idle == 0) return;
    warn(monitor, "joints-without-skin",
         "{} of {} joints have no weights, because other bones are nearer everywhere: {}{}", idle,
         skeleton.size(), names, idle > named ? " ..." : "");
}

}  // namespace

std::string_view name_of(BindMethod method) {
    constexpr std::array<std::string_view, 8> names = {"auto",  "regions", "distance", "nearest",
                                                       "rigid", "heat",    "voxel",    "biharmonic"};
    return names[static_cast<std::size_t>(method)];
}

std::span<const BindMethod> bind_methods() {
    static constexpr std::array methods = {BindMethod::regions,    BindMethod::voxel,    BindMethod::heat,
                                           BindMethod::biharmonic, BindMethod::distance, BindMethod::nearest,
                                           BindMethod::rigid};
    return methods;
}

BindResult bind(const geometry::Mesh& mesh, const model::Skeleton& skeleton, const BindOptions& options,
                Monitor& monitor, const geometry::VoxelSolid* solid) {
    if (mesh.empty()) fail("bind", "there is no mesh to bind");
    if (skeleton.empty()) fail("bind", "there is no skeleton to bind to");
    check_sizes(mesh, skeleton);
    SurfaceOnDemand surface(mesh);
    const Choice choice = choose(surface, options);
    WeightTable table = weights_by(choice.method, surface, skeleton, options.softness, monitor, solid);
    if (options.smoothing > 0 && choice.method != BindMethod::rigid)
        smooth_weights(table, mesh, skeleton, {.passes = options.smoothing});
    BindResult result;
    result.skin = make_skin(table, skeleton, mesh, {options.max_influences, options.prune_below});
    warn_of_idle_joints(result.skin, surface, skeleton, monitor);
    result.method = choice.method;
    result.reason = choice.reason;
    return result;
}

model::Skin transfer_skin(const model::Character& from, const geometry::Mesh& mesh,
                          const model::Skeleton& skeleton, const BindOptions& options) {
    if (!from.has_skin()) fail(from.name, "has no skin weights to copy");
    WeightTable table = table_of(from.skin);
    for (JointWeight& entry : table.entries) {
        const std::string& name = from.skeleton.joints[static_cast<std::size_t>(entry.joint)].name;
        entry.joint = skeleton.find(name);
        if (entry.joint < 0) fail("skeleton", "has no joint \"{}\", which the weights name", name);
    }
    return make_skin(transfer_weights(from.mesh, table, mesh), skeleton, mesh,
                     {options.max_influences, options.prune_below});
}

model::Skin rebound_skin(const model::Skin& skin, const geometry::Mesh& mesh,
                         const model::Skeleton& skeleton) {
    return make_skin(table_of(skin), skeleton, mesh, {0, 0});
}

model::Skin symmetric_skin(const model::Skin& skin, const geometry::Mesh& mesh,
                           const model::Skeleton& skeleton, const BindOptions& options) {
    const auto plane = mirror_plane(mesh);
    if (!plane) fail(mesh.name, "the mesh has no plane of symmetry");
    const auto twin = pair_joints(skeleton, model::find_roles(skeleton), *plane);
    return make_skin(mirror_weights(mesh, table_of(skin), *plane, twin), skeleton, mesh,
                     {options.max_influences, options.prune_below});
}

}  // namespace sinew::rig
