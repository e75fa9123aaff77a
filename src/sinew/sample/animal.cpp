#include "sinew/sample/bodies/animals.h"

namespace sinew::sample {

model::Character make_animal(const Animal& animal, std::size_t faces) {
    CountedMeshOptions options = animal.mesh;
    if (faces > 0) options.faces = faces;
    const BodyMesh body = mesh_body(animal.body, options);
    model::Character character;
    character.name = animal.name;
    character.mesh = colored_mesh(animal.name, body, animal.color);
    character.skeleton = skeleton_of(animal.joints);
    character.skin = symmetric_skin(character.skeleton, shares_of(animal.joints, character.skeleton),
                                    body.positions, body.twin, opposite_joints(character.skeleton));
    return character;
}

}  // namespace sinew::sample
