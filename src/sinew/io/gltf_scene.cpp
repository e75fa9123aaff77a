#include "sinew/io/gltf/scene.h"

#include <cmath>

#include "sinew/model/skeleton.h"

namespace sinew::io::gltf {
namespace {

using math::Mat4d;
using math::Quatd;
using math::Vec3d;

/// Shear that a joint cannot hold, relative to the scale, above which the user is told.
constexpr double noticeable_shear = 1e-4;
/// A rotation further from unit length than this is worth a warning.
constexpr double noticeable_length = 1e-3;

void read_matrix(const Document& document, const Cursor& cursor, const std::vector<double>& values,
                 Node& node) {
    node.matrix = Eigen::Map<const Mat4d>(values.data());
    if (node.matrix.row(3) != Eigen::RowVector4d(0, 0, 0, 1)) cursor.fail("the matrix is not affine");
    const math::Decomposition parts = math::decompose(node.matrix);
    node.local = parts.transform;
    if (parts.shear > noticeable_shear * node.local.scale.cwiseAbs().maxCoeff()) {
        warn(document.monitor(), "gltf-shear",
             "{}: the matrix has a shear of {:.2g}, which a joint cannot hold", cursor.place(), parts.shear);
    }
}

void read_rotation(const Document& document, const Cursor& cursor, const std::vector<double>& q, Node& node) {
    const Quatd rotation(q[3], q[0], q[1], q[2]);
    const double length = rotation.norm();
    if (!(length > 1e-12) || !std::isfinite(length)) cursor.fail("the rotation has length {}", length);
    if (std::abs(length - 1) > noticeable_length) {
        warn(document.monitor(), "gltf-rotation", "{}: a rotation of length {:.4g} was normalised",
             cursor.place(), length);
    }
    // A length that is off by rounding alone stays, so that numbers survive reading and writing.
    node.local.rotation = std::abs(length - 1) > 1e-9 ? rotation.normalized() : rotation;
}

void read_transform(const Document& document, const Cursor& cursor, Node& node) {
    if (const auto values = cursor.numbers("matrix", 16)) return read_matrix(document, cursor, *values, node);
    if (const auto t = cursor.numbers("translation", 3))
        node.local.translation = Vec3d((*t)[0], (*t)[1], (*t)[2]);
    if (const auto s = cursor.numbers("scale", 3)) node.local.scale = Vec3d((*s)[0], (*s)[1], (*s)[2]);
    if (const auto q = cursor.numbers("rotation", 4)) read_rotation(document, cursor, *q, node);
    node.matrix = node.local.matrix();
}

/// What our own writer leaves in `extras`; other people's extras may have any shape.
void read_extras(const Document& document, std::size_t index, Node& node) {
    try {
        const std::optional<Cursor> extras = document.item("nodes", index).find("extras");
        if (!extras) return;
        if (const auto tip = extras->numbers("tip", 3)) node.tip = Vec3d((*tip)[0], (*tip)[1], (*tip)[2]);
        node.alias = extras->boolean("alias", false);
    } catch (const Error&) {
        node.tip.reset();
    }
}

void link_children(const Document& document, std::size_t index, Scene& scene) {
    for (const Cursor& child : document.item("nodes", index).list("children")) {
        Node& node = scene.nodes[static_cast<std::size_t>(document.reference(child, "nodes"))];
        if (node.parent >= 0) child.fail("this node is already a child of node {}", node.parent);
        node.parent = static_cast<int>(index);
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

}  // namespace sinew::io::gltf
