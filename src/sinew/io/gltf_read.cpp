#include "sinew/io/gltf/gltf.h"
#include "sinew/io/gltf_animation.h"
#include "sinew/io/gltf/document.h"
#include "sinew/io/gltf/primitives.h"

namespace sinew::io {

namespace {

/// Metres a unit of the motion file that the content came from, as write_gltf leaves it.
double source_unit(const gltf::Document& document) {
    const gltf::Cursor asset = document.root().at("asset");
    const std::optional<gltf::Cursor> extras = asset.find("extras");  // of any type, in files of others
    const double unit = extras && extras->is_object() ? extras->number("sinew_unit", 1) : 1;
    return unit > 1e-6 && unit < 1e6 ? unit : 1;
}

}  // namespace

Asset read_gltf(Bytes bytes, const std::filesystem::path& path, const ReadOptions&, Monitor& monitor) {
    const gltf::Document document(bytes, path, monitor);
    const gltf::Scene scene = gltf::read_scene(document);
    gltf::Rig rig = gltf::read_joints(document, scene);
    gltf::Bindings bindings = gltf::bind_meshes(document, scene, rig);
    const gltf::Plan plan = gltf::plan_meshes(document, scene, bindings);
    step(monitor, "read", 0.1);

    Asset asset;
    model::Character& character = asset.character;
    character.name = scene.name.empty() ? path.stem().string() : scene.name;
    if (plan.vertex_count > 0) {
        gltf::Geometry geometry = gltf::read_geometry(document, plan, std::move(bindings.palette));
        character.mesh = std::move(geometry.mesh);
        character.skin = std::move(geometry.skin);
        character.mesh.name = character.name;
        gltf::read_materials(document, character.mesh);
        step(monitor, "read", 0.7);
    }
    character.clips = gltf::read_animations(document, rig, plan);
    character.skeleton = std::move(rig.skeleton);
    character.unit = source_unit(document);
    if (!character.has_mesh() && !character.has_skeleton()) {
        fail(document.file(), "there is no triangle mesh, no skeleton and no motion in it");
    }
    model::validate(character, document.file());
    step(monitor, "read", 1);
    return asset;
}

}  // namespace sinew::io
