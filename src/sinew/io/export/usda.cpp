// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_set>

#include <fmt/compile.h>

#include "sinew/base/error.h"
#include "sinew/io/export/export_formats.h"
#include "sinew/io/mesh/mesh_file.h"

namespace sinew::io {
namespace {

using math::Mat4d;
using math::Vec3f;

std::string literal(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += static_cast<unsigned char>(c) < ' ' ? '_' : c;
    }
    return result + '"';
}

/// Writes lists and indented lines. Numbers have the shortest text that reads back as the same value.
class UsdaText {
  public:
    void line(std::string_view text) { text_.append(4 * depth_, ' ').append(text) += '\n'; }
    void open(std::string_view text) {
        line(text);
        line("{");
        ++depth_;
    }
    /// On one line: the brace of a prim may be on the next line, that of samples may not.
    void open_samples(std::string_view head) {
        line(fmt::format("{}.timeSamples = {{", head));
        ++depth_;
    }
    void close() {
        --depth_;
        line("}");
    }
    /// A prim that takes part in skinning.
    void open_bound(std::string_view type, std::string_view name) {
        line(fmt::format("def {} \"{}\" (", type, name));
        line("    prepend apiSchemas = [\"SkelBindingAPI\"]");
        open(")");
    }
    /// `head = [a, b, ...] tail` with `item(text, i)` for each of them.
    template <class Item>
    void list(std::string_view head, std::size_t count, std::string_view tail, const Item& item) {
        text_.append(4 * depth_, ' ').append(head) += '[';
        for (std::size_t i = 0; i < count; ++i) {
            if (i > 0) text_ += ", ";
            item(i);
        }
        text_.append("]").append(tail) += '\n';
    }
    template <class... Args>
    void put(Args&&... args) {
        fmt::format_to(out_, std::forward<Args>(args)...);
    }
    void tuple(const Vec3f& v) { put(FMT_COMPILE("({}, {}, {})"), v.x(), v.y(), v.z()); }
    /// Rows are axes: USD multiplies rows by matrices.
    void matrix(const Mat4d& m) {
        for (Eigen::Index c = 0; c < 4; ++c)
            put(FMT_COMPILE("{}({}, {}, {}, {})"), c == 0 ? "(" : ", ", m(0, c), m(1, c), m(2, c), m(3, c));
        text_ += ')';
    }
    void matrices(std::string_view head, const std::vector<Mat4d>& list_of) {
        list(head, list_of.size(), "", [&](std::size_t i) { matrix(list_of[i]); });
    }
    std::string take() { return std::move(text_); }

  private:
    std::string text_;
    std::size_t depth_ = 0;
    std::back_insert_iterator<std::string> out_{text_};
};

/// One animated array; `item(text, transform)` writes the value of a joint.
template <class Item>
void add_samples(UsdaText& text, std::string_view head, const SampledClip& sampled, const Item& item) {
    text.open_samples(head);
    for (std::size_t f = 0; f < sampled.frames; ++f)
        text.list(fmt::format("{}: ", f), sampled.poses[f].size(), ",",
                  [&](std::size_t j) { item(sampled.poses[f][j]); });
    text.close();
}

void add_animation(UsdaText& text, const std::vector<std::string>& paths, const SampledClip& sampled) {
    text.open("def SkelAnimation \"Animation\"");
    text.list("uniform token[] joints = ", paths.size(), "",
              [&](std::size_t j) { text.put(FMT_COMPILE("{}"), literal(paths[j])); });
    add_samples(text, "float3[] translations", sampled,
                [&](const math::Transform& t) { text.tuple(t.translation.cast<float>()); });
    add_samples(text, "quatf[] rotations", sampled, [&](const math::Transform& t) {
        const math::Quatf q = t.rotation.cast<float>();
        text.put(FMT_COMPILE("({}, {}, {}, {})"), q.w(), q.x(), q.y(), q.z());
    });
    add_samples(text, "half3[] scales", sampled,
                [&](const math::Transform& t) { text.tuple(t.scale.cast<float>()); });
    text.close();
}

void add_skeleton(UsdaText& text, const model::Character& character, const BindPose& pose,
                  const SampledClip& sampled, std::string_view root) {
    const std::vector<std::string> paths = usd_joint_paths(character.skeleton);
    const auto& joints = character.skeleton.joints;
    text.open_bound("Skeleton", "Skeleton");
    text.list("uniform token[] joints = ", paths.size(), "",
              [&](std::size_t j) { text.put(FMT_COMPILE("{}"), literal(paths[j])); });
    text.list("uniform token[] jointNames = ", joints.size(), "",
              [&](std::size_t j) { text.put(FMT_COMPILE("{}"), literal(joints[j].name)); });
    text.matrices("uniform matrix4d[] bindTransforms = ", pose.world);
    std::vector<Mat4d> rest;
    for (const model::Joint& joint : joints) rest.push_back(joint.rest.matrix());
    text.matrices("uniform matrix4d[] restTransforms = ", rest);
    if (sampled.frames > 0) {
        text.line(fmt::format("rel skel:animationSource = </{}/Skeleton/Animation>", root));
        add_animation(text, paths, sampled);
    }
    text.close();
}

void add_weights(UsdaText& text, const model::Skin& skin, std::string_view root) {
    std::vector<std::vector<model::Influence>> rows;
    std::size_t largest = 1;
    for (std::size_t v = 0; v < skin.vertex_count(); ++v) {
        rows.push_back(influences_by_joint(skin, v));
        largest = std::max(largest, rows.back().size());
    }
    // Every vertex has the same number of influences; missing ones get weight 0.
    const auto at = [&](std::size_t i) {
        const auto& row = rows[i / largest];
        return i % largest < row.size() ? row[i % largest] : model::Influence{};
    };
    const std::string tail = fmt::format(
        " (\n            elementSize = {}\n            interpolation = \"vertex\"\n        )", largest);
    text.list("int[] primvars:skel:jointIndices = ", rows.size() * largest, tail,
              [&](std::size_t i) { text.put(FMT_COMPILE("{}"), at(i).joint); });
    text.list("float[] primvars:skel:jointWeights = ", rows.size() * largest, tail,
              [&](std::size_t i) { text.put(FMT_COMPILE("{}"), at(i).weight); });
    text.line(
        "matrix4d primvars:skel:geomBindTransform = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, "
        "0, 1))");
    text.line(fmt::format("rel skel:skeleton = </{}/Skeleton>", root));
}

/// Colours of the vertices, otherwise of the materials, one per face.
void add_colors(UsdaText& text, const geometry::Mesh& mesh) {
    const auto tail = [](std::string_view interpolation) {
        return fmt::format(" (\n            interpolation = \"{}\"\n        )", interpolation);
    };
    if (!mesh.colors.empty()) {
        text.list("color3f[] primvars:displayColor = ", mesh.colors.size(), tail("vertex"),
                  [&](std::size_t i) { text.tuple(mesh.colors[i].head<3>()); });
        return;
    }
    if (mesh.materials.empty()) return;
    std::vector<Vec3f> colors(mesh.triangles.size(), Vec3f::Constant(0.18f));  // the default grey of USD
    for (const geometry::Part& part : geometry::parts_of(mesh)) {
        if (part.material < 0) continue;
        const Vec3f color = mesh.materials[static_cast<std::size_t>(part.material)].base_color.head<3>();
        std::fill_n(colors.begin() + part.first, part.count, color);
    }
    text.list("color3f[] primvars:displayColor = ", colors.size(), tail("uniform"),
              [&](std::size_t i) { text.tuple(colors[i]); });
}

void add_surface(UsdaText& text, const geometry::Mesh& mesh, const BindPose& pose) {
    const geometry::Box box = geometry::bounds(pose.positions);
    text.list("float3[] extent = ", 2, "", [&](std::size_t i) { text.tuple(i == 0 ? box.low : box.high); });
    text.list("int[] faceVertexCounts = ", mesh.triangles.size(), "",
              [&](std::size_t) { text.put(FMT_COMPILE("3")); });
    text.list("int[] faceVertexIndices = ", 3 * mesh.triangles.size(), "",
              [&](std::size_t i) { text.put(FMT_COMPILE("{}"), mesh.triangles[i / 3][i % 3]); });
    text.list("point3f[] points = ", pose.positions.size(), "",
              [&](std::size_t i) { text.tuple(pose.positions[i]); });
    const std::string by_vertex = " (\n            interpolation = \"vertex\"\n        )";
    if (!pose.normals.empty())
        text.list("normal3f[] normals = ", pose.normals.size(), by_vertex,
                  [&](std::size_t i) { text.tuple(pose.normals[i]); });
    if (!mesh.uvs[0].empty())
        text.list("texCoord2f[] primvars:st = ", mesh.uvs[0].size(), by_vertex, [&](std::size_t i) {
            text.put(FMT_COMPILE("({}, {})"), mesh.uvs[0][i].x(), flipped_text(mesh.uvs[0][i].y()));
        });
    add_colors(text, mesh);
    // No subdivision: otherwise the mesh would be the cage of a smooth surface.
    text.line("uniform token subdivisionScheme = \"none\"");
}

void add_mesh(UsdaText& text, const model::Character& character, const BindPose& pose,
              std::string_view root) {
    if (character.has_skin())
        text.open_bound("Mesh", "Mesh");
    else
        text.open("def Mesh \"Mesh\"");
    add_surface(text, character.mesh, pose);
    if (character.has_skin()) add_weights(text, character.skin, root);
    text.close();
}

void add_header(UsdaText& text, const std::string& root, const SampledClip& sampled) {
    text.line("#usda 1.0");
    text.line("(");
    text.line(fmt::format("    defaultPrim = \"{}\"", root));
    text.line("    doc = \"Written by sinew\"");
    if (sampled.frames > 0) text.line(fmt::format("    endTimeCode = {}", sampled.frames - 1));
    text.line("    metersPerUnit = 1");
    if (sampled.frames > 0) {
        text.line("    startTimeCode = 0");
        text.line(fmt::format("    timeCodesPerSecond = {}", sampled.rate));
    }
    text.line("    upAxis = \"Y\"");
    text.line(")");
    text.line("");
}

void warn_about_losses(const model::Character& character, const std::string& location, Monitor& monitor) {
    warn_lost(character.mesh, location, {.name = "these USD", .materials = true}, monitor);
    if (!character.mesh.images.empty())
        warn(monitor, "usda-textures", "{}: {} pictures are left out: surfaces keep their colours", location,
             character.mesh.images.size());
    if (character.clips.size() > 1)
        warn(monitor, "usda-one-clip", "{}: {} of {} clips are left out: only \"{}\" is written", location,
             character.clips.size() - 1, character.clips.size(), character.clips.front().name);
}

}  // namespace

SampledClip sample_clip(const model::Skeleton& skeleton, const model::Clip& clip, double rate) {
    SampledClip sampled;
    if (clip.tracks.empty()) return sampled;
    const model::TimeRange range = model::time_range(clip);
    sampled.rate = rate > 0 ? rate : model::frame_rate(clip);
    sampled.frames = model::sample_count(range, sampled.rate);
    for (std::size_t f = 0; f < sampled.frames; ++f) {
        const double time = std::min(range.start + static_cast<double>(f) / sampled.rate, range.end);
        sampled.poses.push_back(model::sample(clip, skeleton, time));
        if (f == 0) continue;
        for (std::size_t j = 0; j < skeleton.size(); ++j) {
            math::Quatd& q = sampled.poses[f][j].rotation;
            if (q.dot(sampled.poses[f - 1][j].rotation) < 0) q.coeffs() = -q.coeffs();
        }
    }
    return sampled;
}

std::string usd_identifier(std::string_view text) {
    std::string name;
    for (const char c : text) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        const bool digit = c >= '0' && c <= '9';
        if (digit && name.empty()) name += '_';
        name += letter || digit ? c : '_';
    }
    return name.empty() ? "_" : name;
}

std::vector<std::string> usd_joint_paths(const model::Skeleton& skeleton) {
    std::vector<std::string> paths;
    std::unordered_set<std::string> taken;
    for (const model::Joint& joint : skeleton.joints) {
        const std::string above = joint.parent < 0 ? "" : paths[static_cast<std::size_t>(joint.parent)] + "/";
        const std::string name = above + usd_identifier(joint.name);
        std::string path = name;
        for (int n = 2; !taken.insert(path).second; ++n) path = fmt::format("{}_{}", name, n);
        paths.push_back(path);
    }
    return paths;
}

std::string write_usda(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                       Monitor& monitor) {
    const model::Character& character = asset.character;
    const std::string location = path.string();
    if (!character.has_mesh() && !character.has_skeleton())
        fail(location, "there is no mesh and no skeleton to write");
    warn_about_losses(character, location, monitor);
    const BindPose pose = bind_pose(character);
    const SampledClip sampled = character.clips.empty()
                                    ? SampledClip()
                                    : sample_clip(character.skeleton, character.clips.front(), options.rate);
    const std::string root = usd_identifier(character.name.empty() ? path.stem().string() : character.name);
    UsdaText text;
    add_header(text, root, sampled);
    if (character.has_skeleton())
        text.open_bound("SkelRoot", root);
    else
        text.open(fmt::format("def Xform \"{}\"", root));
    if (character.has_skeleton()) add_skeleton(text, character, pose, sampled, root);
    if (character.has_mesh()) add_mesh(text, character, pose, root);
    text.close();
    return text.take();
}

namespace {

using math::Vec3d;

/// Rounding error of bind matrices that were stored as floats, relative to the size of the mesh.
constexpr double rounding = 1e-4;

bool is_identity(const Mat4d& matrix, double size) {
    const Mat4d off = matrix - Mat4d::Identity();
    return off.allFinite() && off.topLeftCorner<3, 3>().cwiseAbs().maxCoeff() < rounding &&
           off.topRightCorner<3, 1>().cwiseAbs().maxCoeff() < rounding * size;
}

/// World matrices of the joints, from the first palette entry of each.
void set_joint_positions(const model::Character& character, double size, BindPose& pose) {
    const auto& joints = character.skeleton.joints;
    const std::vector<Mat4d> rest = model::rest_world_matrices(character.skeleton);
    std::vector<const Mat4d*> inverse(joints.size(), nullptr);
    for (const model::SkinJoint& entry : character.skin.joints) {
        const Mat4d*& slot = inverse[static_cast<std::size_t>(entry.joint)];
        if (slot == nullptr) slot = &entry.inverse_bind;
    }
    for (std::size_t j = 0; j < joints.size(); ++j) {
        const int parent = joints[j].parent;
        const Mat4d hanging =
            pose.is_rest || parent < 0
                ? rest[j]
                : Mat4d(pose.world[static_cast<std::size_t>(parent)] * joints[j].rest.matrix());
        const Mat4d bound = inverse[j] != nullptr ? math::inverse_affine(*inverse[j]) : hanging;
        const bool agrees =
            inverse[j] == nullptr || !bound.allFinite() || is_identity(rest[j] * *inverse[j], size);
        if (!agrees) pose.is_rest = false;
        pose.world.push_back(agrees ? (inverse[j] == nullptr ? hanging : rest[j]) : bound);
    }
}

/// Moves the vertices whose palette entries differ from the pose.
void write_mesh_pose(const model::Character& character, double size, BindPose& pose) {
    const model::Skin& skin = character.skin;
    std::vector<Mat4d> corrections;
    std::vector<char> needed;
    for (const model::SkinJoint& entry : skin.joints) {
        corrections.push_back(pose.world[static_cast<std::size_t>(entry.joint)] * entry.inverse_bind);
        needed.push_back(is_identity(corrections.back(), size) ? 0 : 1);
    }
    for (std::size_t v = 0; v < std::min(skin.vertex_count(), pose.positions.size()); ++v) {
        const auto list = skin.of(v);
        if (std::none_of(list.begin(), list.end(), [&](const auto& i) { return needed[i.joint] != 0; }))
            continue;
        Mat4d blend = Mat4d::Zero();
        for (const model::Influence& i : list) blend += static_cast<double>(i.weight) * corrections[i.joint];
        pose.positions[v] = math::transform_point(blend, pose.positions[v].cast<double>()).cast<float>();
        if (pose.normals.empty()) continue;
        const Vec3d normal =
            blend.topLeftCorner<3, 3>().inverse().transpose() * pose.normals[v].cast<double>();
        if (normal.allFinite() && normal.norm() > 0) pose.normals[v] = normal.normalized().cast<float>();
    }
}

}  // namespace

BindPose bind_pose(const model::Character& character) {
    BindPose pose;
    pose.positions = character.mesh.positions;
    pose.normals = character.mesh.normals;
    const double size = std::max({static_cast<double>(geometry::bounds(pose.positions).diagonal()),
                                  model::height(character.skeleton), 1e-30});
    set_joint_positions(character, size, pose);
    write_mesh_pose(character, size, pose);
    return pose;
}

std::vector<model::Influence> influences_by_joint(const model::Skin& skin, std::size_t vertex) {
    std::vector<model::Influence> list;
    for (const model::Influence& influence : skin.of(vertex)) {
        const auto joint = static_cast<std::uint32_t>(skin.joints[influence.joint].joint);
        const auto same =
            std::find_if(list.begin(), list.end(), [&](const auto& other) { return other.joint == joint; });
        if (same == list.end())
            list.push_back({joint, influence.weight});
        else
            same->weight += influence.weight;
    }
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.joint < b.joint; });
    return list;
}

void warn_bind_pose(const BindPose& pose, std::string_view code, std::string_view location,
                    Monitor& monitor) {
    if (!pose.is_rest)
        warn(monitor, code, "{}: the character is in its bind pose, not in its rest pose", location);
}

}  // namespace sinew::io
