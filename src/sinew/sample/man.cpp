#include "sinew/sample/samples.h"

#include "sinew/base/error.h"

namespace sinew::sample {

model::Character make_man(std::size_t faces) {
    model::Character man;
    man.name = "man";
    BodyMeshOptions options = man_mesh_options();
    options.faces = faces;
    const BodyMesh body = mesh_body(man_body(), options);
    if (faces > 0 && body.triangles.size() > faces + faces % 2)
        fail("man", "cannot have fewer than {} faces", body.triangles.size());
    man.mesh = colored_mesh("man", body, man_color);
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
