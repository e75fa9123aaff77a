#include <algorithm>
#include <set>

#include "sinew/io/gltf/write.h"

namespace sinew::io::gltf {
namespace {

using math::Mat4d;
using model::Joint;
using model::Skeleton;
using model::Skin;

Json numbers(const math::Vec3d& v) {
    return {v.x(), v.y(), v.z()};
}

Json joint_node(const Joint& joint) {
    Json node = Json::object();
    set_name(node, joint.name);
    const math::Transform& rest = joint.rest;
    if (!rest.translation.isZero(0)) node["translation"] = numbers(rest.translation);
    const math::Quatd& q = rest.rotation;
    if (q.coeffs() != math::Quatd::Identity().coeffs()) node["rotation"] = {q.x(), q.y(), q.z(), q.w()};
    if (rest.scale != math::Vec3d::Ones()) node["scale"] = numbers(rest.scale);
    if (joint.tip) node["extras"]["tip"] = numbers(*joint.tip);
    return node;
}

/// Joints as nodes 0, 1, ..., so that a reader finds them in the same order; gives the roots.
std::vector<int> write_joints(const Writer& writer) {
    const Skeleton& skeleton = writer.character.skeleton;
    std::vector<int> roots;
    for (const Joint& joint : skeleton.joints) writer.out.add("nodes", joint_node(joint));
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const int parent = skeleton.joints[j].parent;
        if (parent < 0) {
            roots.push_back(static_cast<int>(j));
        } else {
            writer.out.root["nodes"][static_cast<std::size_t>(parent)]["children"].push_back(j);
        }
    }
    return roots;
}

/// The joints of a skin must have a common root.
std::vector<int> under_one_root(const Writer& writer, std::vector<int> roots) {
    if (roots.size() < 2) return roots;
    return {writer.out.add("nodes", {{"children", roots}})};
}

/// Nodes of the palette entries: the joints, or an alias below for a joint that was taken already.
std::vector<int> palette_nodes(const Writer& writer) {
    std::vector<int> nodes;
    std::set<int> taken;
    for (const model::SkinJoint& entry : writer.character.skin.joints) {
        if (taken.insert(entry.joint).second) {
            nodes.push_back(entry.joint);
            continue;
        }
        const auto joint = static_cast<std::size_t>(entry.joint);
        const int alias =
            writer.out.add("nodes", {{"name", writer.character.skeleton.joints[joint].name + " (alias)"},
                                     {"extras", {{"alias", true}}}});
        writer.out.root["nodes"][joint]["children"].push_back(alias);
        nodes.push_back(alias);
    }
    return nodes;
}

int write_inverse_binds(const Writer& writer) {
    std::vector<float> values;
    for (const model::SkinJoint& entry : writer.character.skin.joints) {
        Mat4d matrix = entry.inverse_bind;
        matrix.row(3) = Eigen::RowVector4d(0, 0, 0, 1);
        for (const double value : matrix.reshaped()) values.push_back(static_cast<float>(value));
    }
    const int view = writer.out.add_view(std::span<const float>(values), ViewTarget::none);
    return writer.out.add_accessor(view, 0, Component::f32, values.size() / 16, "MAT4");
}

/// The skin of the mesh, and one that names every joint when the first does not: it keeps them joints for
/// readers.
void write_skins(const Writer& writer, bool bound) {
    const model::Character& character = writer.character;
    std::set<int> named;
    if (bound) {
        for (const model::SkinJoint& entry : character.skin.joints) named.insert(entry.joint);
        Json skin = {{"joints", palette_nodes(writer)}};
        skin["inverseBindMatrices"] = write_inverse_binds(writer);
        writer.out.add("skins", std::move(skin));
    }
    if (named.size() == character.skeleton.size()) return;
    std::vector<std::size_t> all(character.skeleton.size());
    for (std::size_t j = 0; j < all.size(); ++j) all[j] = j;
    writer.out.add("skins", {{"name", "skeleton"}, {"joints", all}});
}

/// A mesh that follows one entry of the palette, below the node of its joint.
void hang_on_joint(const Writer& writer, const MeshGroup& group, Json& node) {
    const model::SkinJoint& entry = writer.character.skin.joints[static_cast<std::size_t>(group.rigid)];
    Mat4d matrix = entry.inverse_bind;
    matrix.row(3) = Eigen::RowVector4d(0, 0, 0, 1);
    if (!matrix.isIdentity(0))
        for (const double value : matrix.reshaped()) node["matrix"].push_back(value);
    const std::size_t index = writer.out.count("nodes");
    writer.out.root["nodes"][static_cast<std::size_t>(entry.joint)]["children"].push_back(index);
}

}  // namespace

void write_nodes(const Writer& writer, std::vector<MeshGroup>& groups) {
    std::vector<int> roots = under_one_root(writer, write_joints(writer));
    const bool bound = needs_weights(writer, groups);
    write_skins(writer, bound);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        Json node = Json::object();
        set_name(node, groups[g].name);
        node["mesh"] = g;
        const bool rigid = groups[g].rigid >= 0;
        if (rigid) hang_on_joint(writer, groups[g], node);
        if (writer.character.has_skin() && !rigid) node["skin"] = 0;
        groups[g].node = writer.out.add("nodes", std::move(node));
        if (!rigid) roots.push_back(groups[g].node);
    }
    Json scene = Json::object();
    set_name(scene, writer.character.name);
    scene["nodes"] = roots;
    writer.out.root["scene"] = 0;
    writer.out.add("scenes", std::move(scene));
}

}  // namespace sinew::io::gltf
