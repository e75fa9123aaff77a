// The smallest whole journey: make a character, pose it, deform it, measure it, save it.

#include <cstdio>

#include "sinew/deform/deformer.h"
#include "sinew/io/asset.h"
#include "sinew/sample/samples.h"

int main() {
    using namespace sinew;

    // A character is a mesh, a skeleton, the skin between them, and clips. This one is built in; io::read
    // gives the same type from a file.
    const model::Character man = sample::make("man");
    const model::Clip* walk = model::find_clip(man, "walk");

    // Set up once, then any number of frames: the clip is sampled, the skeleton makes world matrices of it, the
    // skin a palette, the method a surface.
    deform::Deformer deformer(man, {.method = deform::Method::dqs});
    const deform::DeformedSkin& frame = deformer.at(walk, 1.0);
    const double before = geometry::signed_volume(man.mesh.positions, man.mesh.triangles);
    const double after = geometry::signed_volume(frame.positions, man.mesh.triangles);
    std::printf("%zu vertices, %zu joints; the walking man keeps %.1f %% of his volume\n",
                man.mesh.vertex_count(), man.skeleton.size(), 100 * after / before);

    // The suffix chooses the format; the file is written whole or not at all.
    io::write("hello.glb", man);
    return 0;
}
