#include "sinew/sample/man.h"

#include "sinew/sample/man_rig.h"
#include "sinew/sample/man_walk.h"

namespace sinew::sample {

model::Character make_man() {
    model::Character man;
    man.name = "man";
    const BodyMesh body = mesh_body(man_body(), man_mesh_options());
    geometry::Mesh& mesh = man.mesh;
    mesh.name = "man";
    for (std::size_t v = 0; v < body.positions.size(); ++v) {
        mesh.positions.push_back(body.positions[v].cast<float>());
        mesh.normals.push_back(body.normals[v].cast<float>());
        mesh.colors.push_back(man_color(body.positions[v]));
    }
    mesh.triangles = body.triangles;
    geometry::Material material;
    material.name = "man";
    mesh.materials.push_back(material);
    mesh.parts.push_back({"man", 0, static_cast<std::uint32_t>(mesh.triangles.size()), 0});
    man.skeleton = man_skeleton();
    man.skin = symmetric_skin(man.skeleton, man_shares(man.skeleton), body.positions, body.twin,
                              opposite_joints(man.skeleton));
    man.clips.push_back(man_walk(man.skeleton));
    WalkOptions in_place;
    in_place.in_place = true;
    man.clips.push_back(man_walk(man.skeleton, in_place));
    return man;
}

}  // namespace sinew::sample
