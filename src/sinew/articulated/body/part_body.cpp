// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "sinew/articulated/closing/gap.h"
#include "sinew/base/error.h"
#include "sinew/math/planar.h"

namespace sinew::articulated {

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

namespace {

/// The palette entry with the largest summed weight over the corners of each triangle.
std::vector<std::uint32_t> drivers_of_triangles(const model::Character& character) {
    std::vector<std::uint32_t> drivers;
    for (const geometry::Triangle& triangle : character.mesh.triangles) {
        std::map<std::uint32_t, float> sums;
        for (const std::uint32_t v : triangle)
            for (const model::Influence& influence : character.skin.of(v))
                sums[influence.joint] += influence.weight;
        drivers.push_back(std::ranges::max_element(sums, {}, [](const auto& s) { return s.second; })->first);
    }
    return drivers;
}

/// Palette entries in the order of their joints, parents first, and the part of each (-1 for none).
struct Numbering {
    std::vector<std::uint32_t> entries;  ///< per part
    std::vector<int> part_of_entry;
    std::vector<int> part_of_joint;
};

Numbering number_parts(const model::Character& character, const std::vector<std::uint32_t>& drivers) {
    Numbering result;
    std::vector<char> used(character.skin.joints.size(), 0);
    for (const std::uint32_t entry : drivers) used[entry] = 1;
    for (std::uint32_t e = 0; e < used.size(); ++e)
        if (used[e]) result.entries.push_back(e);
    std::ranges::stable_sort(result.entries, {}, [&](auto e) { return character.skin.joints[e].joint; });
    result.part_of_entry.assign(used.size(), -1);
    result.part_of_joint.assign(character.skeleton.size(), -1);
    for (std::size_t p = 0; p < result.entries.size(); ++p) {
        const std::uint32_t entry = result.entries[p];
        result.part_of_entry[entry] = static_cast<int>(p);
        int& of_joint = result.part_of_joint[static_cast<std::size_t>(character.skin.joints[entry].joint)];
        if (of_joint < 0) of_joint = static_cast<int>(p);
    }
    return result;
}

/// The part of the nearest ancestor joint that has one. A further part of the same joint is attached to the
/// first.
int parent_part(const model::Skeleton& skeleton, const Numbering& numbering, int joint, int part) {
    const int own = numbering.part_of_joint[static_cast<std::size_t>(joint)];
    if (own != part) return own;
    for (int up = skeleton.joints[static_cast<std::size_t>(joint)].parent; up >= 0;
         up = skeleton.joints[static_cast<std::size_t>(up)].parent) {
        const int found = numbering.part_of_joint[static_cast<std::size_t>(up)];
        if (found >= 0) return found;
    }
    return -1;
}

}  // namespace

RigidPartsOfSkin rigid_parts_of_skin(const model::Character& character, Monitor& monitor) {
    if (!character.has_mesh() || character.mesh.triangles.empty() || !character.has_skin())
        fail(character.name, "needs a mesh and skin weights to be cut into parts");
    const std::vector<std::uint32_t> drivers = drivers_of_triangles(character);
    const Numbering numbering = number_parts(character, drivers);
    const std::vector<math::Mat4d> world = model::rest_world_matrices(character.skeleton);
    RigidPartsOfSkin result;
    result.driver = numbering.entries;
    PartBody& body = result.body;
    body.mesh = character.mesh;
    body.mesh.morphs.clear();
    std::vector<std::string> names;
    for (std::size_t p = 0; p < numbering.entries.size(); ++p) {
        const model::SkinJoint& entry = character.skin.joints[numbering.entries[p]];
        names.push_back(character.skeleton.joints[static_cast<std::size_t>(entry.joint)].name);
        body.parent.push_back(parent_part(character.skeleton, numbering, entry.joint, static_cast<int>(p)));
        // The joint in the space of the rest mesh, which may differ from that of the skeleton's rest pose.
        body.pivot.push_back(math::inverse_affine(entry.inverse_bind).topRightCorner<3, 1>());
    }
    std::vector<int> part_of;
    for (const std::uint32_t entry : drivers) part_of.push_back(numbering.part_of_entry[entry]);
    body.cut = geometry::cut_mesh(body.mesh, std::move(part_of), std::move(names));
    const TidyReport tidied =
        tidy_parts(body.cut, body.parent, {.spread = 3, .smooth = true, .island_fraction = 0.05});
    if (tidied.moved() > body.cut.triangles.size() / 4)
        warn(monitor, "parts-tidied",
             "{} of {} triangles follow another joint than their own, so that parts meet in loops",
             tidied.moved(), body.cut.triangles.size());
    add_plain_features(body);
    return result;
}

std::vector<math::Rigidd> part_transforms(const RigidPartsOfSkin& parts, std::span<const math::Mat4d> palette,
                                          double* stretch) {
    std::vector<math::Rigidd> transforms;
    for (std::size_t p = 0; p < parts.driver.size(); ++p) {
        const math::Mat4d& matrix = palette[parts.driver[p]];
        const math::Mat3d linear = matrix.topLeftCorner<3, 3>();
        const math::Mat3d rotation = math::nearest_rotation(linear);
        if (stretch != nullptr) *stretch = std::max(*stretch, (linear - rotation).cwiseAbs().maxCoeff());
        // The pivot moves as the matrix moves it.
        const Vec3d pivot = parts.body.pivot[p];
        transforms.push_back(
            {math::from_matrix<double>(rotation), math::transform_point(matrix, pivot) - rotation * pivot});
        // The rest pose must reproduce the input bit by bit.
        if ((matrix - math::Mat4d::Identity()).cwiseAbs().maxCoeff() < 1e-6) transforms.back() = {};
    }
    return transforms;
}

}  // namespace sinew::articulated
