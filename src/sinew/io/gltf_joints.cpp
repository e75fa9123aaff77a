#include "sinew/io/gltf/scene.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/array.h"

namespace sinew::io::gltf {
namespace {

using math::Mat4d;

Similarity nearest_similarity(const math::Decomposition& parts) {
    return {parts.transform.rotation, parts.transform.scale.mean(), parts.transform.translation};
}

/// A node that our writer added because one joint occurs twice in a skin: the parent is meant.
bool is_alias(const Scene& scene, int node) {
    const Node& candidate = scene.nodes[at(node)];
    return candidate.alias && candidate.parent >= 0 && candidate.matrix == Mat4d::Identity();
}

void mark_skin_joints(const Document& document, const Scene& scene, std::vector<char>& joint) {
    for (const Cursor& skin : document.root().list("skins")) {
        for (const Cursor& entry : skin.list("joints")) {
            int node = document.reference(entry, "nodes");
            if (is_alias(scene, node)) node = scene.nodes[at(node)].parent;
            joint[at(node)] = 1;
        }
    }
}

void mark_animated(const Document& document, const Scene& scene, std::vector<char>& joint) {
    for (const Cursor& animation : document.root().list("animations")) {
        for (const Cursor& channel : animation.list("channels")) {
            const Cursor target = channel.at("target");
            const int node = document.reference(target, "node", "nodes");
            if (node < 0 || target.text("path") == "weights") continue;
            if (scene.nodes[at(node)].in_scene) joint[at(node)] = 1;
        }
    }
}

/// Nodes with a joint above and a joint below, and still nodes above a joint that no key can absorb.
void mark_between(const Scene& scene, std::vector<char>& joint) {
    std::vector<char> below(scene.nodes.size(), 0);
    for (auto node = scene.order.rbegin(); node != scene.order.rend(); ++node) {
        const int parent = scene.nodes[at(*node)].parent;
        if (below[at(*node)] != 0 && !as_similarity(scene.nodes[at(*node)].matrix)) joint[at(*node)] = 1;
        if (parent >= 0 && (joint[at(*node)] != 0 || below[at(*node)] != 0)) below[at(parent)] = 1;
    }
    std::vector<char> above(scene.nodes.size(), 0);
    for (const int node : scene.order) {
        const int parent = scene.nodes[at(node)].parent;
        above[at(node)] = parent >= 0 && (joint[at(parent)] != 0 || above[at(parent)] != 0);
        if (above[at(node)] != 0 && below[at(node)] != 0) joint[at(node)] = 1;
    }
}

/// When some mesh is bound to joints, the skin must cover all vertices: still meshes beside it become joints
/// too.
bool mark_still_meshes(const Scene& scene, std::vector<char>& joint) {
    std::vector<char> hangs(scene.nodes.size(), 0);
    std::vector<int> still;
    bool bound = false;
    for (const int index : scene.order) {
        const Node& node = scene.nodes[at(index)];
        hangs[at(index)] = joint[at(index)] != 0 || (node.parent >= 0 && hangs[at(node.parent)] != 0);
        if (!node.in_scene || node.mesh < 0) continue;
        if (node.skin >= 0 || hangs[at(index)] != 0) {
            bound = true;
        } else {
            still.push_back(index);
        }
    }
    if (!bound || still.empty()) return false;
    for (const int index : still) joint[at(index)] = 1;
    return true;
}

std::vector<char> choose_joints(const Document& document, const Scene& scene) {
    std::vector<char> joint(scene.nodes.size(), 0);
    if (document.count("meshes") == 0 && document.count("skins") == 0) {
        for (std::size_t i = 0; i < joint.size(); ++i) joint[i] = scene.nodes[i].in_scene;
        return joint;
    }
    mark_skin_joints(document, scene, joint);
    mark_animated(document, scene, joint);
    mark_between(scene, joint);
    if (mark_still_meshes(scene, joint)) mark_between(scene, joint);
    return joint;
}

void add_joint(const Scene& scene, int index, Rig& rig) {
    const Node& node = scene.nodes[at(index)];
    model::Joint joint;
    joint.name = node.name;
    joint.rest = node.local;
    joint.tip = node.tip;
    joint.parent = node.parent < 0 ? -1 : rig.nearest[at(node.parent)];
    std::optional<Similarity> fold;
    if (joint.parent < 0 && node.parent >= 0 && scene.nodes[at(node.parent)].world != Mat4d::Identity()) {
        fold = nearest_similarity(math::decompose(scene.nodes[at(node.parent)].world));
    }
    if (fold) {
        joint.rest.translation = fold->point(joint.rest.translation);
        joint.rest.rotation = (fold->rotation * joint.rest.rotation).normalized();
        joint.rest.scale *= fold->scale;
    }
    rig.joint_of[at(index)] = static_cast<int>(rig.skeleton.size());
    rig.skeleton.joints.push_back(std::move(joint));
    rig.fold.push_back(fold);
}

void name_joints(const Document& document, model::Skeleton& skeleton) {
    const auto nameless = std::count_if(skeleton.joints.begin(), skeleton.joints.end(),
                                        [](const auto& j) { return j.name.empty(); });
    const int renamed = model::make_names_unique(skeleton) - static_cast<int>(nameless);
    if (renamed > 0) {
        warn(document.monitor(), "gltf-joint-names",
             "{}: {} joints had the name of another one and were renamed", document.file(), renamed);
    }
}

}  // namespace

std::optional<Similarity> as_similarity(const Mat4d& matrix) {
    constexpr double tolerance = 1e-5;
    const math::Decomposition parts = math::decompose(matrix);
    const math::Vec3d& scale = parts.transform.scale;
    const double size = scale.cwiseAbs().maxCoeff();
    if (!matrix.allFinite() || !(size > 1e-12) || parts.shear > tolerance * size) return std::nullopt;
    if ((scale.array() - scale[0]).abs().maxCoeff() > tolerance * size) return std::nullopt;
    return nearest_similarity(parts);
}

Rig read_joints(const Document& document, const Scene& scene) {
    const std::vector<char> joint = choose_joints(document, scene);
    Rig rig;
    rig.joint_of.assign(scene.nodes.size(), -1);
    rig.nearest.assign(scene.nodes.size(), -1);
    rig.to_nearest.assign(scene.nodes.size(), Mat4d::Identity());
    for (const int index : scene.order) {
        const Node& node = scene.nodes[at(index)];
        if (joint[at(index)] != 0) {
            add_joint(scene, index, rig);
            rig.nearest[at(index)] = rig.joint_of[at(index)];
            continue;
        }
        rig.to_nearest[at(index)] = node.matrix;
        if (node.parent < 0) continue;
        rig.nearest[at(index)] = rig.nearest[at(node.parent)];
        rig.to_nearest[at(index)] = rig.to_nearest[at(node.parent)] * node.matrix;
        if (is_alias(scene, index)) rig.joint_of[at(index)] = rig.joint_of[at(node.parent)];
    }
    name_joints(document, rig.skeleton);
    rig.world = model::rest_world_matrices(rig.skeleton);
    return rig;
}

}  // namespace sinew::io::gltf
