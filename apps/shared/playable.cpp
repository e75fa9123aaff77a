#include "playable.h"

#include "sinew/deform/reference.h"
#include "sinew/model/trial.h"
#include "sinew/gait/gait.h"

namespace sinew::app {

void make_playable(io::Asset& asset, Monitor& monitor) {
    if (asset.character.has_mesh() || asset.character.has_skeleton()) return;
    const std::string name = asset.character.name;
    if (!asset.trial.markers.empty()) {
        asset.character = model::markers_as_joints(asset.trial);
    } else if (!asset.cycle.empty()) {
        asset.character = gait::play_cycle(asset.cycle, {}, monitor);
    }
    asset.character.name = name;
}

geometry::Mesh posed_mesh(const model::Character& character, const model::Clip* clip, double time,
                          deform::Method method) {
    geometry::Mesh mesh = character.mesh;
    deform::DeformResult<float> result = deform::deform<float>(character, clip, time, method);
    mesh.positions = std::move(result.positions);
    if (!mesh.normals.empty()) mesh.normals = std::move(result.normals);
    mesh.tangents.clear();
    mesh.morphs.clear();
    return mesh;
}

}  // namespace sinew::app
