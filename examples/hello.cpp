// SPDX-License-Identifier: MIT
// The shortest complete program: read a character, pose it, deform it, measure it, save it.
//   hello CHARACTER.glb      (sinew sample man -o man.glb makes one)

#include <cstdio>

#include "sinew/base/error.h"
#include "sinew/deform/deformer.h"
#include "sinew/io/io.h"

int main(int argc, char** argv) try {
    using namespace sinew;
    if (argc < 2) fail("hello", "needs the file of a character");

    // A character is a mesh, a skeleton, the skin between them, and clips.
    const model::Character man = io::read(argv[1]).character;
    const model::Clip* walk = model::find_clip(man, "walk");

    // Set up once, then any number of frames: the clip is sampled, the skeleton makes world matrices of it,
    // the skin a palette, the method a surface.
    deform::Deformer deformer(man, {.method = deform::Method::dqs});
    const deform::DeformedSkin& frame = deformer.at(walk, 1.0);
    const double before = geometry::signed_volume(man.mesh.positions, man.mesh.triangles);
    const double after = geometry::signed_volume(frame.positions, man.mesh.triangles);
    std::printf("%zu vertices, %zu joints; it keeps %.1f %% of its volume\n", man.mesh.vertex_count(),
                man.skeleton.size(), 100 * after / before);

    // The suffix chooses the format; the file is written whole or not at all.
    io::write("hello.glb", man);
    return 0;
} catch (const sinew::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
