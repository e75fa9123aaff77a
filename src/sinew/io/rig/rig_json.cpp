// SPDX-License-Identifier: MIT
#include <cmath>

#include <nlohmann/json.hpp>

#include "sinew/base/error.h"
#include "sinew/io/interchange.h"
#include "sinew/io/rig/rig_formats.h"

namespace sinew::io {
namespace {

using Cursor = JsonCursor;
using Tree = JsonCursor::Tree;
using math::Quatd;
using math::Vec3d;

Tree tree(const Vec3d& v) {
    return {v.x(), v.y(), v.z()};
}
Tree tree(const Quatd& q) {
    return {q.x(), q.y(), q.z(), q.w()};
}
/// JSON has no infinity; null is used.
Tree bounds_tree(const Vec3d& v) {
    Tree result = Tree::array();
    for (int i = 0; i < 3; ++i) result.push_back(std::isfinite(v[i]) ? Tree(v[i]) : Tree());
    return result;
}

Tree tree(const model::Joint& joint) {
    Tree result = {{"name", joint.name},
                   {"parent", joint.parent},
                   {"translation", tree(joint.rest.translation)},
                   {"rotation", tree(joint.rest.rotation)},
                   {"scale", tree(joint.rest.scale)}};
    if (joint.tip) result["tip"] = tree(*joint.tip);
    if (joint.limits)
        result["limits"] = {{"frame", tree(joint.limits->frame)},
                            {"low", bounds_tree(joint.limits->low)},
                            {"high", bounds_tree(joint.limits->high)}};
    return result;
}

Tree tree(const geometry::Mesh& mesh) {
    Tree positions = Tree::array(), triangles = Tree::array();
    for (const auto& p : mesh.positions)
        for (int i = 0; i < 3; ++i) positions.push_back(p[i]);
    for (const auto& t : mesh.triangles)
        for (const std::uint32_t corner : t) triangles.push_back(corner);
    return {{"positions", std::move(positions)}, {"triangles", std::move(triangles)}};
}

Tree tree(const model::Skin& skin) {
    Tree joints = Tree::array(), weights = Tree::array();
    for (const model::SkinJoint& joint : skin.joints) {
        Tree matrix = Tree::array();
        for (int i = 0; i < 16; ++i) matrix.push_back(joint.inverse_bind(i % 4, i / 4));
        joints.push_back({{"joint", joint.joint}, {"inverse_bind", std::move(matrix)}});
    }
    for (std::size_t v = 0; v < skin.vertex_count(); ++v) {
        Tree row = Tree::array();
        for (const model::Influence& influence : skin.of(v)) {
            row.push_back(influence.joint);
            row.push_back(influence.weight);
        }
        weights.push_back(std::move(row));
    }
    return {{"joints", std::move(joints)}, {"weights", std::move(weights)}};
}

Vec3d vec3(const Cursor& at, std::string_view key, const Vec3d& otherwise) {
    const auto numbers = at.numbers(key, 3);
    return numbers ? Vec3d((*numbers)[0], (*numbers)[1], (*numbers)[2]) : otherwise;
}

Quatd quaternion(const Cursor& at, std::string_view key) {
    const auto n = at.numbers(key, 4);
    if (!n) return Quatd::Identity();
    const Quatd q((*n)[3], (*n)[0], (*n)[1], (*n)[2]);
    if (!(std::abs(q.norm() - 1) < 1e-3)) at.fail("\"{}\" is not a unit quaternion (x, y, z, w)", key);
    return q;
}

/// Integers in the range of an index; JSON may write them as -1.
int parent_index(const Cursor& at) {
    const double value = at.number("parent", -1);
    if (value != std::floor(value) || value < -1 || value > 1e9)
        at.fail("\"parent\" is not an index of a joint");
    return static_cast<int>(value);
}

void read_bounds(const Cursor& at, std::string_view key, Vec3d& bounds) {
    const auto list = at.list(key);
    if (list.empty()) return;
    if (list.size() != 3) at.fail("\"{}\" needs three numbers or nulls", key);
    for (std::size_t i = 0; i < 3; ++i)
        if (!list[i].is_null()) bounds[static_cast<Eigen::Index>(i)] = list[i].number();
}

model::Joint read_joint(const Cursor& at) {
    model::Joint joint;
    joint.name = at.text("name");
    joint.parent = parent_index(at);
    joint.rest.translation = vec3(at, "translation", Vec3d::Zero());
    joint.rest.rotation = quaternion(at, "rotation");
    joint.rest.scale = vec3(at, "scale", Vec3d::Ones());
    if (at.has("tip")) joint.tip = vec3(at, "tip", Vec3d::Zero());
    if (const auto limits = at.find("limits")) {
        joint.limits.emplace();
        joint.limits->frame = quaternion(*limits, "frame");
        read_bounds(*limits, "low", joint.limits->low);
        read_bounds(*limits, "high", joint.limits->high);
    }
    return joint;
}

std::uint32_t index_below(const Cursor& at, std::size_t limit, std::string_view what) {
    const std::uint64_t value = at.integer();
    if (value >= limit) at.fail("{} {} of {}", what, value, limit);
    return static_cast<std::uint32_t>(value);
}

geometry::Mesh read_mesh(const Cursor& at) {
    geometry::Mesh mesh;
    const auto numbers = at.list("positions"), corners = at.list("triangles");
    if (numbers.size() % 3 != 0) at.fail("{} coordinates are not three per vertex", numbers.size());
    if (corners.size() % 3 != 0) at.fail("{} corners are not three per triangle", corners.size());
    for (std::size_t i = 0; i < numbers.size(); i += 3)
        mesh.positions.emplace_back(static_cast<float>(numbers[i].number()),
                                    static_cast<float>(numbers[i + 1].number()),
                                    static_cast<float>(numbers[i + 2].number()));
    for (std::size_t i = 0; i < corners.size(); i += 3) {
        geometry::Triangle triangle{};
        for (std::size_t k = 0; k < 3; ++k)
            triangle[k] = index_below(corners[i + k], mesh.positions.size(), "vertex");
        mesh.triangles.push_back(triangle);
    }
    return mesh;
}

model::Skin read_skin(const Cursor& at, std::size_t joint_count) {
    model::Skin skin;
    for (const Cursor& entry : at.list("joints")) {
        model::SkinJoint joint;
        joint.joint = static_cast<int>(index_below(entry.at("joint"), joint_count, "joint"));
        const auto matrix = entry.numbers("inverse_bind", 16);
        if (!matrix) entry.fail("\"inverse_bind\" is missing");
        for (int i = 0; i < 16; ++i)
            joint.inverse_bind(i % 4, i / 4) = (*matrix)[static_cast<std::size_t>(i)];
        skin.joints.push_back(joint);
    }
    for (const Cursor& row : at.list("weights")) {
        if (row.size() % 2 != 0) row.fail("joints and weights do not come in pairs");
        std::vector<model::Influence> list;
        for (std::size_t i = 0; i < row.size(); i += 2)
            list.push_back({index_below(row.at(i), skin.joints.size(), "entry"),
                            static_cast<float>(row.at(i + 1).number())});
        skin.push_vertex(list);
    }
    return skin;
}

}  // namespace

Asset read_rig_json(Bytes bytes, const std::filesystem::path& path, const ReadOptions&, Monitor& monitor) {
    const std::string file = path.string();
    Tree document;
    try {
        document = Tree::parse(bytes.begin(), bytes.end());
    } catch (const Tree::parse_error& error) {
        fail(fmt::format("{}: byte {}", file, error.byte), "this is not valid JSON");
    }
    const Cursor root(document, file, "");
    if (!root.is_object() || root.integer("sinew_rig", 0) != 1)
        root.fail("this is not a rig: \"sinew_rig\": 1 is missing");
    Asset asset;
    model::Character& character = asset.character;
    character.name = root.text("name", path.stem().string());
    character.unit = root.number("unit", 1);
    for (const Cursor& joint : root.list("joints")) character.skeleton.joints.push_back(read_joint(joint));
    if (const auto mesh = root.find("mesh")) character.mesh = read_mesh(*mesh);
    if (const auto skin = root.find("skin")) {
        character.skin = read_skin(*skin, character.skeleton.size());
        model::warn_about(model::clean(character.skin), file, monitor);
    }
    return asset;
}

std::string write_rig_json(const Asset& asset, const std::filesystem::path& path, const WriteOptions&,
                           Monitor& monitor) {
    const model::Character& character = asset.character;
    if (!character.has_skeleton()) fail(path.string(), "a JSON rig needs a skeleton");
    if (!character.clips.empty())
        warn(monitor, "rig-json-clips", "{}: {} motions are not written", path.string(),
             character.clips.size());
    Tree document = {{"sinew_rig", 1}, {"name", character.name}, {"unit", character.unit}};
    document["joints"] = Tree::array();
    for (const model::Joint& joint : character.skeleton.joints) document["joints"].push_back(tree(joint));
    if (character.has_mesh()) document["mesh"] = tree(character.mesh);
    if (character.has_skin()) document["skin"] = tree(character.skin);
    return document.dump(-1, ' ', false, Tree::error_handler_t::replace) + "\n";
}

}  // namespace sinew::io
