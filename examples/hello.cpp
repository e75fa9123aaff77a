// The smallest whole journey: make a character, pose it, deform it, measure it, save it.

#include <cstdio>

#include "sinew/deform/reference.h"
#include "sinew/io/io.h"
#include "sinew/sample/samples.h"

int main() {
    using namespace sinew;

    // A character is a mesh, a skeleton, the skin between them, and clips. This one is built in; io::read
    // gives the same type from a file.
    const model::Character man = sample::make("man");
    const model::Clip* walk = model::find_clip(man, "walk");

    // One frame: the clip is sampled, the skeleton makes world matrices of it, the skin a palette, the method
    // a surface.
    const deform::DeformResult<float> frame = deform::deform<float>(man, walk, 1.0, deform::Method::dqs);
    const double before = geometry::signed_volume(man.mesh.positions, man.mesh.triangles);
    const double after = geometry::signed_volume(frame.positions, man.mesh.triangles);
    std::printf("%zu vertices, %zu joints; the walking man keeps %.1f %% of his volume\n",
                man.mesh.vertex_count(), man.skeleton.size(), 100 * after / before);

    // The suffix chooses the format; the file is written whole or not at all.
    io::write("hello.glb", man);
    return 0;
}
