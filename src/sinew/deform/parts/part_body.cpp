#include "sinew/deform/parts/part_body.h"

#include <algorithm>

#include "sinew/deform/parts/seams.h"
#include "sinew/math/planar.h"

namespace sinew::deform {

PartBody part_body(const geometry::Mesh& mesh, geometry::CutMesh cut, const geometry::PartTree& tree,
                   std::span<const geometry::PartFeatures> features, Monitor& monitor) {
    PartBody body;
    body.mesh = mesh;
    body.cut = std::move(cut);
    body.parent = tree.parent;
    for (std::size_t p = 0; p < tree.parent.size(); ++p) {
        body.centre.push_back(features[p].centre);
        body.box.push_back(features[p].box);
        body.pivot.push_back(tree.parent[p] < 0 ? features[p].centre : tree.openings[p].centre);
    }
    const TidyReport tidied = tidy_parts(body.cut, body.parent);
    if (tidied.moved() > 0)
        warn(monitor, "parts-tidied",
             "{} triangles were given to another part, because parts met in more than loops", tidied.moved());
    return body;
}

void add_plain_features(PartBody& body) {
    std::vector<std::vector<Vec3d>> points(body.part_count());
    std::vector<int> last(body.cut.points.size(), -1);
    for (std::size_t t = 0; t < body.cut.triangles.size(); ++t) {
        const int part = body.cut.part_of[t];
        for (const std::uint32_t corner : body.cut.triangles[t]) {
            if (last[corner] == part) continue;
            last[corner] = part;
            points[static_cast<std::size_t>(part)].push_back(body.cut.points[corner]);
        }
    }
    body.centre.clear();
    body.box.clear();
    for (const std::vector<Vec3d>& own : points) {
        body.box.push_back(geometry::box_around(own, math::principal_frame(own).axes));
        body.centre.push_back(body.box.back().centre);
    }
}

}  // namespace sinew::deform
