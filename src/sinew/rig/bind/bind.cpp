#include "sinew/rig/bind/bind.h"

#include <algorithm>
#include <array>

#include "sinew/base/error.h"
#include "sinew/geometry/surface_queries.h"
#include "sinew/geometry/topology.h"

namespace sinew::rig {
namespace {

struct Choice {
    BindMethod method = BindMethod::regions;
    std::string reason;
};

/// Radii of a limb that a band of `voxel` reaches at softness 1: weights nearest to those of artists at 0.5.
constexpr double voxel_band = 1.36;

/// Part of the skin behind which the other side is nearer than two cells of a volume of the usual fineness:
/// there a lattice sees no inside.
double thin_part(const geometry::Mesh& mesh) {
    constexpr std::size_t samples = 2000;
    constexpr double cell = 1.0 / 150;  // of the diagonal
    const geometry::SurfaceQueries surface(mesh);
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

/// The volume is right for most bodies, whatever their surface is like. Only skin that is one whole and
/// mostly too thin for it is better cut by itself.
Choice choose(const geometry::Mesh& mesh, const BindOptions& options) {
    if (options.method != BindMethod::automatic) return {options.method, "asked for"};
    const geometry::Topology surface = geometry::topology(mesh);
    const bool whole = surface.closed && surface.components == 1 && surface.nonmanifold_edges.empty();
    if (!whole) {
        const std::string shells =
            surface.components == 1 ? "1 shell" : fmt::format("{} shells", surface.components);
        return {BindMethod::voxel,
                fmt::format("{}{}: ways inside the solid they make", shells, surface.closed ? "" : ", open")};
    }
    const double thin = thin_part(mesh);
    if (thin > 0.5)
        return {BindMethod::regions,
                fmt::format("one closed shell, {:.0f} % of it thin: cut along the skin", 100 * thin)};
    return {BindMethod::voxel, "one closed shell: ways inside the solid"};
}

WeightTable weights_by(BindMethod method, const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                       const BindOptions& options, Monitor& monitor) {
    switch (method) {
        case BindMethod::automatic:
        case BindMethod::regions: {
            RegionOptions regions = options.regions;
            regions.softness = options.softness;
            return region_weights(mesh, skeleton, regions, monitor).weights;
        }
        case BindMethod::distance:
            return distance_weights(mesh, skeleton, options.distance, monitor);
        case BindMethod::nearest:
            return nearest_weights(mesh, skeleton, options.nearest, monitor);
        case BindMethod::rigid:
            return rigid_weights(mesh, skeleton, {}, monitor);
        case BindMethod::heat:
            return heat_weights(mesh, skeleton, options.heat, monitor);
        case BindMethod::voxel: {
            VoxelBindOptions voxel = options.voxel;
            voxel.softness = voxel_band * options.softness;
            return voxel_weights(mesh, skeleton, voxel, monitor);
        }
        case BindMethod::biharmonic:
            return biharmonic_weights(mesh, skeleton, options.biharmonic, monitor);
    }
    fail("bind", "there is no such method");
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
                Monitor& monitor) {
    if (mesh.empty()) fail("bind", "there is no mesh to bind");
    if (skeleton.empty()) fail("bind", "there is no skeleton to bind to");
    const Choice choice = choose(mesh, options);
    WeightTable table = weights_by(choice.method, mesh, skeleton, options, monitor);
    if (options.smoothing > 0 && choice.method != BindMethod::rigid)
        smooth_weights(table, mesh, skeleton, {.passes = options.smoothing});
    BindResult result;
    result.skin = make_skin(table, skeleton, mesh, {options.max_influences, options.prune_below});
    result.method = choice.method;
    result.reason = choice.reason;
    return result;
}

}  // namespace sinew::rig
