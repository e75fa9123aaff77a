#include "sinew/deform/joint_space.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/base/array.h"
#include "sinew/geometry/mesh.h"

namespace sinew::deform {
namespace {

using math::Mat4d;
using math::Vec3d;

/// The joint alone at the origin. A bone ends at the joint's first child, or at its tip.
model::Skeleton lone_joint(const model::Skeleton& skeleton, int joint) {
    model::Joint alone = skeleton.joints[at(joint)];
    const auto child = std::ranges::find(skeleton.joints, joint, &model::Joint::parent);
    if (child != skeleton.joints.end()) alone.tip = child->rest.translation;
    alone.parent = -1;
    alone.rest = {};
    alone.limits.reset();
    return {{std::move(alone)}};
}

}  // namespace

JointSpace joint_space(const model::Character& character, int joint) {
    if (!character.has_skin()) fail(character.name, "has no skin weights");
    const geometry::Mesh& mesh = character.mesh;
    const model::Skin& skin = character.skin;
    // Several entries of the palette may be of one joint, each with its own bind matrix.
    std::vector<float> weight(mesh.vertex_count(), 0);
    std::vector<const Mat4d*> bind(mesh.vertex_count(), nullptr);
    for (std::size_t v = 0; v < weight.size(); ++v) {
        for (const model::Influence& influence : skin.of(v)) {
            const model::SkinJoint& entry = skin.joints[influence.joint];
            if (entry.joint != joint) continue;
            weight[v] += influence.weight;
            bind[v] = &entry.inverse_bind;
        }
    }
    JointSpace result;
    geometry::Mesh& shown = result.character.mesh;
    geometry::MeshCopier copier(mesh, shown);
    for (const geometry::Triangle& t : mesh.triangles)
        if (std::ranges::all_of(t, [&](std::uint32_t v) { return weight[v] > 0; })) copier.add(t);
    if (shown.empty())
        fail(character.name, "the joint \"{}\" moves no triangle", character.skeleton.joints[at(joint)].name);
    for (std::size_t i = 0; i < copier.copied().size(); ++i) {
        const std::uint32_t v = copier.copied()[i];
        shown.positions[i] = math::transform_point(*bind[v], mesh.positions[v].cast<double>()).cast<float>();
        result.weights.push_back(weight[v]);
    }
    shown.tangents.clear();
    shown.normals = geometry::vertex_normals(shown.positions, shown.triangles);
    result.character.name = character.name;
    result.character.skeleton = lone_joint(character.skeleton, joint);
    return result;
}

}  // namespace sinew::deform
