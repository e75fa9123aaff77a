// SPDX-License-Identifier: MIT

#include "sinew/io/gltf/scene.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sinew/base/array.h"
#include "sinew/io/gltf/document.h"
#include "sinew/model/skeleton.h"

namespace sinew::io::gltf {
namespace {

using math::Mat4d;
using math::Quatd;
using math::Vec3d;

/// Shear that a joint cannot represent, relative to the scale, above which there is a warning.
constexpr double noticeable_shear = 1e-4;
/// A rotation whose length differs from 1 by more than this gives a warning.
constexpr double noticeable_length = 1e-3;

void read_matrix(const Document& document, const Cursor& cursor, const std::vector<double>& values,
                 Node& node) {
    node.matrix = Eigen::Map<const Mat4d>(values.data());
    if (node.matrix.row(3) != Eigen::RowVector4d(0, 0, 0, 1)) cursor.fail("the matrix is not affine");
    const math::Decomposition parts = math::decompose(node.matrix);
    node.local = parts.transform;
    if (parts.shear > noticeable_shear * node.local.scale.cwiseAbs().maxCoeff()) {
        warn(document.monitor(), "gltf-shear",
             "{}: the matrix has a shear of {:.2g}, which a joint cannot hold", cursor.location(),
             parts.shear);
    }
}

void read_rotation(const Document& document, const Cursor& cursor, const std::vector<double>& q, Node& node) {
    const Quatd rotation(q[3], q[0], q[1], q[2]);
    const double length = rotation.norm();
    if (!(length > 1e-12) || !std::isfinite(length)) cursor.fail("the rotation has length {}", length);
    if (std::abs(length - 1) > noticeable_length) {
        warn(document.monitor(), "gltf-rotation", "{}: a rotation of length {:.4g} was normalised",
             cursor.location(), length);
    }
    // A length that is wrong only by rounding is kept, so that numbers survive reading and writing.
    node.local.rotation = std::abs(length - 1) > 1e-9 ? rotation.normalized() : rotation;
}

void read_transform(const Document& document, const Cursor& cursor, Node& node) {
    if (const auto values = cursor.numbers("matrix", 16)) {
        if (cursor.has("translation") || cursor.has("rotation") || cursor.has("scale"))
            warn(document.monitor(), "gltf-matrix-and-trs",
                 "{}: has both a matrix and translation, rotation or scale: the matrix was taken",
                 cursor.location());
        return read_matrix(document, cursor, *values, node);
    }
    if (const auto t = cursor.numbers("translation", 3))
        node.local.translation = Vec3d((*t)[0], (*t)[1], (*t)[2]);
    if (const auto s = cursor.numbers("scale", 3)) node.local.scale = Vec3d((*s)[0], (*s)[1], (*s)[2]);
    if (const auto q = cursor.numbers("rotation", 4)) read_rotation(document, cursor, *q, node);
    node.matrix = node.local.matrix();
}

/// Data that our own writer stores in `extras`; extras of other programs may have any structure.
void read_extras(const Document& document, std::size_t index, Node& node) {
    try {
        const std::optional<Cursor> extras = document.item("nodes", index).find("extras");
        if (!extras) return;
        if (const auto tip = extras->numbers("tip", 3)) node.tip = Vec3d((*tip)[0], (*tip)[1], (*tip)[2]);
        node.alias = extras->boolean("alias", false);
        node.end = extras->boolean("end", false);
    } catch (const Error&) {
        node.tip.reset();
    }
}

void link_children(const Document& document, std::size_t index, Scene& scene) {
    for (const Cursor& child : document.item("nodes", index).list("children")) {
        Node& node = scene.nodes[static_cast<std::size_t>(document.reference(child, "nodes"))];
        if (node.parent >= 0) child.fail("this node is already a child of node {}", node.parent);
        node.parent = static_cast<int>(index);
        scene.nodes[index].end = false;
    }
}

/// Parents first, otherwise in file order. \throws Error on a cycle.
std::vector<int> sort_nodes(const Document& document, const Scene& scene) {
    std::vector<int> parents;
    parents.reserve(scene.nodes.size());
    for (const Node& node : scene.nodes) parents.push_back(node.parent);
    try {
        return model::parents_first(parents, "");
    } catch (const Error&) {
        sinew::fail(document.file() + ": /nodes", "a node is its own ancestor");
    }
}

void mark_scene(const Document& document, Scene& scene) {
    if (document.count("scenes") == 0) {
        for (Node& node : scene.nodes) node.in_scene = true;
        return;
    }
    const int chosen = document.reference(document.root(), "scene", "scenes");
    const Cursor cursor = document.item("scenes", static_cast<std::size_t>(std::max(0, chosen)));
    scene.name = cursor.text("name");
    for (const Cursor& root : cursor.list("nodes")) {
        scene.nodes[static_cast<std::size_t>(document.reference(root, "nodes"))].in_scene = true;
    }
}

}  // namespace

Scene read_scene(const Document& document) {
    Scene scene;
    const std::size_t count = document.count("nodes");
    scene.nodes.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Cursor cursor = document.item("nodes", i);
        Node& node = scene.nodes[i];
        node.name = cursor.text("name");
        node.mesh = document.reference(cursor, "mesh", "meshes");
        node.skin = document.reference(cursor, "skin", "skins");
        read_transform(document, cursor, node);
        read_extras(document, i, node);
        link_children(document, i, scene);
    }
    scene.order = sort_nodes(document, scene);
    mark_scene(document, scene);
    for (const int index : scene.order) {
        Node& node = scene.nodes[static_cast<std::size_t>(index)];
        node.world = node.matrix;
        if (node.parent < 0) continue;
        const Node& parent = scene.nodes[static_cast<std::size_t>(node.parent)];
        node.world = parent.world * node.matrix;
        node.in_scene = node.in_scene || parent.in_scene;
    }
    return scene;
}

namespace {

Similarity nearest_similarity(const math::Decomposition& parts) {
    return {parts.transform.rotation, parts.transform.scale.mean(), parts.transform.translation};
}

/// A node that our writer added because one joint occurs twice in a skin: it represents its parent.
bool is_alias(const Scene& scene, int node) {
    const Node& candidate = scene.nodes[at(node)];
    return candidate.alias && candidate.parent >= 0 && candidate.matrix == Mat4d::Identity();
}

/// A node that our writer added to show the end of a bone: it is stored as the tip of the parent.
bool is_end(const Scene& scene, int node) {
    const Node& candidate = scene.nodes[at(node)];
    return candidate.end && candidate.parent >= 0 && scene.nodes[at(candidate.parent)].tip;
}

void mark_skin_joints(const Document& document, const Scene& scene, std::vector<char>& joint) {
    for (const Cursor& skin : document.root().list("skins")) {
        for (const Cursor& entry : skin.list("joints")) {
            int node = document.reference(entry, "nodes");
            if (is_alias(scene, node) || is_end(scene, node)) node = scene.nodes[at(node)].parent;
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
            if (document.item("nodes", at(node)).has("matrix"))
                document.warn_once(
                    "gltf-animated-matrix",
                    fmt::format("{}: node {} is animated but states its rest as a matrix, which was taken "
                                "apart into translation, rotation and scale",
                                document.file(), node));
        }
    }
}

/// Checks that the joints of one skin belong to one tree.
void check_common_root(const Document& document, const Scene& scene) {
    std::vector<int> root(scene.nodes.size());
    for (const int node : scene.order) {
        const int parent = scene.nodes[at(node)].parent;
        root[at(node)] = parent < 0 ? node : root[at(parent)];
    }
    for (const Cursor& skin : document.root().list("skins")) {
        std::set<int> roots;
        for (const Cursor& entry : skin.list("joints"))
            roots.insert(root[at(document.reference(entry, "nodes"))]);
        if (roots.size() > 1)
            warn(document.monitor(), "gltf-skin-root",
                 "{}: the joints of this skin have no common root: they form {} trees", skin.location(),
                 roots.size());
    }
}

/// Marks nodes between two joints, and static nodes above a joint that keys cannot absorb.
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

/// If a mesh is bound to joints, the skin must cover all vertices: the nodes of static meshes become joints
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
        for (std::size_t i = 0; i < joint.size(); ++i)
            joint[i] = scene.nodes[i].in_scene && !is_end(scene, static_cast<int>(i));
        return joint;
    }
    mark_skin_joints(document, scene, joint);
    check_common_root(document, scene);
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
        if (is_alias(scene, index) || is_end(scene, index))
            rig.joint_of[at(index)] = rig.joint_of[at(node.parent)];
    }
    name_joints(document, rig.skeleton);
    rig.world = model::rest_world_matrices(rig.skeleton);
    return rig;
}

namespace {

/// Palette under construction: equal entries are stored once.
class Palette {
  public:
    std::uint32_t add(int joint, const Mat4d& inverse_bind) {
        for (const std::uint32_t index : of_joint_[joint]) {
            if (entries[index].inverse_bind == inverse_bind) return index;
        }
        const auto index = static_cast<std::uint32_t>(entries.size());
        entries.push_back({joint, inverse_bind});
        of_joint_[joint].push_back(index);
        return index;
    }
    const std::vector<std::uint32_t>& of(int joint) { return of_joint_[joint]; }

    std::vector<model::SkinJoint> entries;

  private:
    std::map<int, std::vector<std::uint32_t>> of_joint_;
};

std::vector<Mat4d> read_inverse_binds(const Document& document, const Cursor& skin, std::size_t joints) {
    std::vector<Mat4d> matrices(joints, Mat4d::Identity());
    const int index = document.reference(skin, "inverseBindMatrices", "accessors");
    if (index < 0) return matrices;
    const Accessor accessor = open_accessor(document, at(index), {"MAT4"});
    if (accessor.count < joints)
        accessor.where.fail("{} inverse bind matrices for {} joints", accessor.count, joints);
    if (accessor.count > joints)
        warn(document.monitor(), "gltf-inverse-binds",
             "{}: {} inverse bind matrices for {} joints: the surplus ones were left out",
             accessor.where.location(), accessor.count, joints);
    if (accessor.component != Component::f32)
        accessor.where.fail("inverse bind matrices must be floating-point numbers");
    const std::vector<float> values = read_floats(accessor);
    std::size_t flat = 0;
    for (std::size_t j = 0; j < joints; ++j) {
        matrices[j] = Eigen::Map<const math::Mat4f>(values.data() + 16 * j).cast<double>();
        Eigen::RowVector4d last = matrices[j].row(3);
        last[3] -= 1;
        if (last.cwiseAbs().maxCoeff() > 1e-3) accessor.where.fail("matrix {} is not affine", j);
        matrices[j].row(3) = Eigen::RowVector4d(0, 0, 0, 1);
        const double size = matrices[j].topLeftCorner<3, 3>().cwiseAbs().maxCoeff();
        flat += !(std::abs(matrices[j].topLeftCorner<3, 3>().determinant()) > 1e-9 * size * size * size);
    }
    if (flat > 0)
        warn(document.monitor(), "gltf-inverse-binds",
             "{}: {} of {} inverse bind matrices have no inverse: what follows these joints lies flat",
             accessor.where.location(), flat, joints);
    return matrices;
}

/// The transform of a skinned mesh to its visible rest position: B = world inverse_bind of one joint, if it
/// can be applied to the vertices (a rotation, a translation, a positive scale) and exceeds rounding.
Mat4d rest_placement(const Mat4d& world, const Mat4d& inverse_bind) {
    const Mat4d placement = world * inverse_bind;
    const std::optional<Similarity> similarity = as_similarity(placement);
    if (!similarity || similarity->scale <= 0) return Mat4d::Identity();
    const Mat4d difference = placement - Mat4d::Identity();
    const double rotated = difference.topLeftCorner<3, 3>().cwiseAbs().maxCoeff();
    const double moved = difference.topRightCorner<3, 1>().norm();
    // The error of single precision is proportional to the lengths that cancel each other in the product.
    const double reach = world.topLeftCorner<3, 3>().norm() * inverse_bind.topRightCorner<3, 1>().norm() +
                         world.topRightCorner<3, 1>().norm();
    const bool rounding = rotated < 1e-5 && moved < 1e-5 * reach + 1e-9;
    return rounding ? Mat4d(Mat4d::Identity()) : placement;
}

std::shared_ptr<const Binding> bind_skin(const Document& document, const Scene& scene, const Rig& rig,
                                         std::size_t index, Palette& palette) {
    const Cursor skin = document.item("skins", index);
    std::vector<int> joints, nodes;
    for (const Cursor& entry : skin.list("joints")) {
        nodes.push_back(document.reference(entry, "nodes"));
        joints.push_back(rig.joint_of[at(nodes.back())]);
    }
    if (joints.empty()) skin.fail("a skin without joints");
    const std::vector<Mat4d> inverse_binds = read_inverse_binds(document, skin, joints.size());
    const auto first =
        static_cast<std::size_t>(std::min_element(joints.begin(), joints.end()) - joints.begin());
    Binding binding;
    binding.skinned = true;
    binding.matrix = rest_placement(rig.world[at(joints[first])], inverse_binds[first]);
    const bool moves = binding.moves();
    const Mat4d back = math::inverse_affine(binding.matrix);
    for (std::size_t j = 0; j < joints.size(); ++j) {
        // The end of a bone moves with its joint: our writer lists it after all joints.
        const auto owner =
            std::find(joints.begin(), joints.begin() + static_cast<std::ptrdiff_t>(j), joints[j]);
        const auto before = static_cast<std::size_t>(owner - joints.begin());
        binding.palette.push_back(
            before < j && is_end(scene, nodes[j])
                ? binding.palette[before]
                : palette.add(joints[j], moves ? Mat4d(inverse_binds[j] * back) : inverse_binds[j]));
    }
    return std::make_shared<const Binding>(std::move(binding));
}

/// A mesh that is attached to a joint. It shares the palette entry of a skin whose bind pose is the rest
/// pose: the vertices become inverse_bind^-1 to_joint v, whose motion with the joint is exactly as before.
std::shared_ptr<const Binding> bind_rigidly(int joint, const Mat4d& to_joint, const Rig& rig,
                                            Palette& palette) {
    const Mat4d& world = rig.world[at(joint)];
    Binding binding;
    for (const std::uint32_t index : palette.of(joint)) {
        const Mat4d bind = math::inverse_affine(palette.entries[index].inverse_bind);
        if (!bind.allFinite() ||
            !((bind - world).cwiseAbs().maxCoeff() <= 1e-4 * world.cwiseAbs().maxCoeff()))
            continue;
        binding.matrix = bind * to_joint;
        binding.palette = {index};
        return std::make_shared<const Binding>(std::move(binding));
    }
    const Mat4d inverse = math::inverse_affine(world);
    // A joint with scale zero at rest has no inverse: its meshes keep their own frame.
    const bool regular = inverse.allFinite();
    binding.matrix = regular ? Mat4d(world * to_joint) : to_joint;
    binding.palette = {palette.add(joint, regular ? inverse : Mat4d(Mat4d::Identity()))};
    return std::make_shared<const Binding>(std::move(binding));
}

}  // namespace

Bindings bind_meshes(const Document& document, const Scene& scene, const Rig& rig) {
    Bindings result;
    Palette palette;
    result.of_node.resize(scene.nodes.size());
    std::map<int, std::shared_ptr<const Binding>> skins;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        if (!node.in_scene || node.mesh < 0 || node.skin < 0) continue;
        std::shared_ptr<const Binding>& binding = skins[node.skin];
        if (!binding) binding = bind_skin(document, scene, rig, at(node.skin), palette);
        result.of_node[i] = binding;
    }
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        if (!node.in_scene || node.mesh < 0 || node.skin >= 0) continue;
        if (rig.nearest[i] >= 0) {
            result.of_node[i] = bind_rigidly(rig.nearest[i], rig.to_nearest[i], rig, palette);
        } else {
            Binding binding;
            binding.matrix = node.world;
            result.of_node[i] = std::make_shared<const Binding>(std::move(binding));
        }
    }
    result.palette = std::move(palette.entries);
    return result;
}

}  // namespace sinew::io::gltf
