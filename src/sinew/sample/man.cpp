#include "sinew/sample/man.h"

#include "sinew/sample/man_rig.h"
#include "sinew/sample/man_walk.h"

namespace sinew::sample {

model::Character make_man() {
    model::Character man;
    man.name = "man";
    const BodyMesh body = mesh_body(man_body(), man_mesh_options());
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
