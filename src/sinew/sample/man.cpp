#include "sinew/sample/man.h"

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
    return man;
}

}  // namespace sinew::sample
