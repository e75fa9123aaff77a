#include "sinew/io/export/export_formats.h"

#include <algorithm>
#include <iterator>

#include <fmt/compile.h>
#include <nlohmann/json.hpp>

#include "sinew/base/error.h"
#include "sinew/io/dcc_script_code.h"
#include "sinew/io/mesh/mesh_file.h"

namespace sinew::io {
namespace {

using math::Mat4d;
using math::Vec3d;
using nlohmann::json;

/// A JSON value as a Python expression, whatever its texts hold: plain letters only, and no quote that could
/// end the string.
std::string python(const json& value) {
    const std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
    std::string safe;
    for (const char c : text) {
        if (c == '\'')
            safe += "\\u0027";
        else
            safe += c;
    }
    return "json.loads(r'''" + safe + "''')";
}

Vec3d place_of(const Mat4d& world) {
    return world.topRightCorner<3, 1>();
}

/// Where the bone of each joint ends: at its child, amid its children, at its tip, or as far on as half the
/// bone before it. Blender deletes bones without length, so that there is always some.
std::vector<Vec3d> bone_ends(const model::Skeleton& skeleton, const std::vector<Mat4d>& world) {
    const double size = std::max(model::height(skeleton), 1e-3);
    const auto children = model::children(skeleton);
    std::vector<Vec3d> ends;
    for (std::size_t j = 0; j < world.size(); ++j) {
        const model::Joint& joint = skeleton.joints[j];
        const Vec3d here = place_of(world[j]);
        Vec3d onward = Vec3d(0, 0.1 * size, 0);
        if (joint.parent >= 0) onward = (here - place_of(world[static_cast<std::size_t>(joint.parent)])) / 2;
        if (onward.norm() < 1e-3 * size) onward = Vec3d(0, 0.02 * size, 0);
        Vec3d end = here + onward;
        if (!children[j].empty()) {
            end.setZero();
            for (const int child : children[j]) end += place_of(world[static_cast<std::size_t>(child)]);
            end /= static_cast<double>(children[j].size());
        } else if (joint.tip) {
            end = math::transform_point(world[j], *joint.tip);
        }
        ends.push_back((end - here).norm() < 1e-3 * size ? Vec3d(here + onward) : end);
    }
    return ends;
}

/// Writes numbers in lines. The shortest text that reads back as the same number.
class Tables {
  public:
    void begin(std::string_view name, std::string_view kind) {
        fmt::format_to(out_, "{} = table(\"\"\"\n", name);
        kind_ = kind;
    }
    void end() { text_ += kind_.empty() ? "\"\"\")\n" : fmt::format("\"\"\", {})\n", kind_); }
    template <class Range>
    void line(const Range& numbers) {
        bool first = true;
        for (const auto& number : numbers) {
            if (!first) text_ += ' ';
            fmt::format_to(out_, FMT_COMPILE("{}"), number);
            first = false;
        }
        text_ += '\n';
    }
    std::string take() { return std::move(text_); }

  private:
    std::string text_;
    std::string_view kind_;
    std::back_insert_iterator<std::string> out_{text_};
};

std::string joint_tables(const model::Skeleton& skeleton, const BindPose& pose) {
    Tables tables;
    // Rows of the world matrices without the last, which is 0 0 0 1.
    tables.begin("BIND", "");
    for (const Mat4d& world : pose.world) {
        std::array<double, 12> rows{};
        for (std::size_t i = 0; i < 12; ++i)
            rows[i] = world(static_cast<Eigen::Index>(i / 4), static_cast<Eigen::Index>(i % 4));
        tables.line(rows);
    }
    tables.end();
    tables.begin("TAILS", "");
    for (const Vec3d& end : bone_ends(skeleton, pose.world))
        tables.line(std::array{end.x(), end.y(), end.z()});
    tables.end();
    return tables.take();
}

std::string mesh_tables(const model::Character& character, const BindPose& pose) {
    Tables tables;
    tables.begin("VERTICES", "");
    for (const auto& p : pose.positions) tables.line(std::array{p.x(), p.y(), p.z()});
    tables.end();
    tables.begin("TRIANGLES", "int");
    for (const geometry::Triangle& triangle : character.mesh.triangles) tables.line(triangle);
    tables.end();
    // Of each vertex: joint, weight, joint, weight, ...
    tables.begin("WEIGHTS", "");
    for (std::size_t v = 0; v < (character.has_skin() ? character.skin.vertex_count() : 0); ++v) {
        std::vector<float> row;
        for (const model::Influence& influence : influences_by_joint(character.skin, v)) {
            row.push_back(static_cast<float>(influence.joint));
            row.push_back(influence.weight);
        }
        tables.line(row);
    }
    tables.end();
    return tables.take();
}

}  // namespace

std::string write_dcc_script(const Asset& asset, const std::filesystem::path& path, const WriteOptions&,
                             Monitor& monitor) {
    const model::Character& character = asset.character;
    const std::string place = path.string();
    if (!character.has_mesh() && !character.has_skeleton())
        fail(place, "there is no mesh and no skeleton that the script could build");
    if (!character.clips.empty())
        warn(monitor, "dcc-script-clips", "{}: {} motions are not written", place, character.clips.size());
    warn_lost(character.mesh, place, {.name = "script", .colors = false, .uvs = false, .normals = false},
              monitor);
    const BindPose pose = bind_pose(character);
    warn_bind_pose(pose, "dcc-script-bind-pose", place, monitor);
    json joints = json::array();
    for (const model::Joint& joint : character.skeleton.joints) joints.push_back({joint.name, joint.parent});
    const std::string name = character.name.empty() ? path.stem().string() : character.name;
    std::string text =
        "# A character for Blender (2.80 or later) and Maya (2022 or later): run this inside.\n";
    text += dcc_script_head;
    text += fmt::format("\nNAME = {}\n# Name and parent of each joint.\nJOINTS = {}\n", python(name),
                        python(joints));
    text += joint_tables(character.skeleton, pose);
    text += mesh_tables(character, pose);
    text += dcc_script_body;
    return text;
}

}  // namespace sinew::io
