#include "sinew/rig/bind/bind.h"

#include <array>

#include "sinew/base/error.h"

namespace sinew::rig {
namespace {

struct Choice {
    BindMethod method = BindMethod::regions;
    std::string reason;
};

Choice choose(const geometry::Mesh&, const BindOptions& options) {
    if (options.method != BindMethod::automatic) return {options.method, "asked for"};
    return {BindMethod::regions, "default"};
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
            voxel.softness = options.softness;
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
