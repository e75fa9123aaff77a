// SPDX-License-Identifier: MIT
// FBX 7.4, binary: a character for Unity, Unreal, Maya, MotionBuilder and Blender.

#include <algorithm>
#include <map>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/geometry/topology.h"
#include "sinew/io/export/export_formats.h"
#include "sinew/io/export/fbx_nodes.h"
#include "sinew/io/interchange.h"

namespace sinew::io {
namespace {

using fbx::Node;
using geometry::Mesh;
using geometry::Part;
using math::Mat4d;
using math::Quatd;
using math::Transform;
using math::Vec3d;
using math::Vec3f;

constexpr double centimetres = 100;               ///< per metre
constexpr double ticks_a_second = 46186158000.0;  ///< KTime
/// R = Rz Ry Rx: x is applied first, about fixed axes.
constexpr math::EulerOrder euler_order = {2, 1, 0};

std::int64_t ticks(double seconds) {
    return std::llround(seconds * ticks_a_second);
}

/// "name" and its class, in the combined form of binary files.
std::string object_name(std::string_view name, std::string_view kind) {
    std::string text(name);
    text.append("\0\1", 2);
    return text.append(kind);
}

Vec3d degrees_of(const Quatd& rotation) {
    const Vec3d angles = math::to_euler(euler_order, rotation);
    return {math::degrees(angles[2]), math::degrees(angles[1]), math::degrees(angles[0])};
}

/// Column by column, in centimetres.
std::vector<double> matrix_values(Mat4d matrix) {
    matrix.topRightCorner<3, 1>() *= centimetres;
    return {matrix.data(), matrix.data() + 16};
}

/// The number of a frame rate in the format; 14 means a custom rate.
int time_mode(double rate) {
    constexpr std::pair<double, int> modes[] = {{120, 1}, {100, 2}, {60, 3},    {50, 4},  {48, 5}, {30, 6},
                                                {25, 10}, {24, 11}, {1000, 12}, {96, 15}, {72, 16}};
    for (const auto& [frames, mode] : modes)
        if (std::abs(rate - frames) < 1e-4) return mode;
    return 14;
}

/// The scale of each joint that never changes, if it is uniform; otherwise 1.
std::vector<double> kept_scales(const model::Character& character) {
    std::vector<double> scales;
    for (const model::Joint& joint : character.skeleton.joints)
        scales.push_back(
            joint.rest.scale.isApproxToConstant(joint.rest.scale.x(), 1e-5) ? joint.rest.scale.x() : 1);
    for (const model::Clip& clip : character.clips)
        for (const model::Track& track : clip.tracks)
            for (std::size_t i = 0; i < track.scale.times.size(); ++i)
                if (!track.scale.at_key(i).cast<double>().isApproxToConstant(scales[at(track.joint)], 1e-4))
                    scales[at(track.joint)] = 1;
    return scales;
}

/// One file under construction: objects, their connections, and the number of objects of each type.
class FbxFile {
  public:
    FbxFile(const model::Character& character, std::string file)
        : character_(character), file_(std::move(file)), pose_(bind_pose(character)) {
        // Bones of other programs have no scale at rest: a constant scale is multiplied into the lengths
        // below the joint.
        const std::vector<double> kept = kept_scales(character);
        for (std::size_t j = 0; j < kept.size(); ++j) {
            const int parent = character.skeleton.joints[j].parent;
            scale_above_.push_back(parent < 0 ? 1 : scale_below_[at(parent)]);
            binds_.push_back(false);
            scale_below_.push_back(scale_above_[j] * kept[j]);
            pose_.world[j].topLeftCorner<3, 3>() /= scale_below_[j];
        }
    }

    std::string write(const WriteOptions& options) {
        rate_ = options.rate > 0           ? options.rate
                : character_.clips.empty() ? 30
                                           : model::frame_rate(character_.clips[0]);
        write_materials();
        write_joints();
        if (character_.has_mesh()) write_meshes();
        if (character_.has_skeleton()) write_bind_pose();
        for (const model::Clip& clip : character_.clips) write_clip(clip, options.rate);
        std::vector<Node> nodes;
        add_head(nodes);
        nodes.push_back(definitions());
        nodes.push_back(std::move(objects_));
        nodes.push_back(std::move(connections_));
        nodes.emplace_back("Takes").with("Current", "");
        return fbx::write_file_of(nodes);
    }

  private:
    /// An object with a unique number.
    Node& object(std::string_view type, std::string_view name, std::string_view kind, std::string_view sub,
                 std::int64_t& id) {
        id = ++last_id_;
        ++counts_[std::string(type)];
        return objects_.child(type).add(id).add(object_name(name, kind)).add(sub);
    }
    void connect(std::int64_t from, std::int64_t to) { connections_.child("C").add("OO").add(from).add(to); }
    void connect(std::int64_t from, std::int64_t to, std::string_view property) {
        connections_.child("C").add("OP").add(from).add(to).add(property);
    }

    void add_head(std::vector<Node>& nodes) const {
        Node& header = nodes.emplace_back("FBXHeaderExtension");
        header.with("FBXHeaderVersion", 1003).with("FBXVersion", 7400).with("EncryptionType", 0);
        Node& stamp = header.child("CreationTimeStamp");
        stamp.with("Version", 1000);
        constexpr std::pair<std::string_view, int> moment[] = {
            {"Year", 1970}, {"Month", 1},  {"Day", 1},        {"Hour", 10},
            {"Minute", 0},  {"Second", 0}, {"Millisecond", 0}};
        for (const auto& [name, value] : moment) stamp.with(name, value);
        header.with("Creator", "sinew");
        // A fixed time with matching identifier and footer: equal characters give equal bytes.
        constexpr unsigned char id[] = {0x28, 0xb3, 0x2a, 0xeb, 0xb6, 0x24, 0xcc, 0xc2,
                                        0xbf, 0xc8, 0xb0, 0x2a, 0xa9, 0x2b, 0xfc, 0xf1};
        nodes.emplace_back("FileId").add_bytes(std::as_bytes(std::span(id)));
        nodes.emplace_back("CreationTime").add("1970-01-01 10:00:00:000");
        nodes.emplace_back("Creator").add("sinew");
        nodes.push_back(settings());
        Node& documents = nodes.emplace_back("Documents");
        documents.with("Count", 1);
        Node& document = documents.child("Document").add(std::int64_t{1}).add("").add("Scene");
        document.child("Properties70")
            .property("ActiveAnimStackName", "KString", "", "")
            .add(character_.clips.empty() ? "" : character_.clips[0].name.c_str());
        document.with("RootNode", std::int64_t{0});
        nodes.emplace_back("References");
    }

    Node settings() const {
        Node node("GlobalSettings");
        node.with("Version", 1000);
        Node& lines = node.child("Properties70");
        constexpr std::pair<std::string_view, int> world[] = {
            {"UpAxis", 1},    {"UpAxisSign", 1},    {"FrontAxis", 2},      {"FrontAxisSign", 1},
            {"CoordAxis", 0}, {"CoordAxisSign", 1}, {"OriginalUpAxis", 1}, {"OriginalUpAxisSign", 1}};
        for (const auto& [name, value] : world) lines.property(name, "int", "Integer").add(value);
        lines.property("UnitScaleFactor", "double", "Number").add(1.0);
        lines.property("OriginalUnitScaleFactor", "double", "Number").add(1.0);
        lines.property("TimeMode", "enum", "").add(time_mode(rate_));
        lines.property("TimeSpanStart", "KTime", "Time").add(std::int64_t{0});
        double end = 0;
        for (const model::Clip& clip : character_.clips)
            end = std::max(end, model::time_range(clip).duration());
        lines.property("TimeSpanStop", "KTime", "Time").add(ticks(end));
        lines.property("CustomFrameRate", "double", "Number").add(time_mode(rate_) == 14 ? rate_ : -1.0);
        return node;
    }

    Node definitions() const {
        Node node("Definitions");
        int all = 1;
        for (const auto& [type, count] : counts_) all += count;
        node.with("Version", 100).with("Count", all);
        node.child("ObjectType").add("GlobalSettings").with("Count", 1);
        for (const auto& [type, count] : counts_) node.child("ObjectType").add(type).with("Count", count);
        return node;
    }

    // --- Materials

    void write_materials() {
        const Mesh& mesh = character_.mesh;
        std::vector<geometry::Material> materials = mesh.materials;
        const std::vector<Part> parts = mesh.empty() ? std::vector<Part>() : geometry::parts_of(mesh);
        if (std::any_of(parts.begin(), parts.end(), [](const Part& part) { return part.material < 0; }))
            materials.push_back(neutral_material(mesh));
        for (const geometry::Material& material : materials) {
            std::int64_t id = 0;
            Node& node = object("Material", material.name, "Material", "", id);
            node.with("Version", 102).with("ShadingModel", "phong").with("MultiLayer", 0);
            Node& lines = node.child("Properties70");
            const auto& base = material.base_color;
            lines.property("DiffuseColor", "Color", "", "A", srgb(base[0]), srgb(base[1]), srgb(base[2]));
            lines.property("DiffuseFactor", "Number", "", "A").add(1.0);
            lines.property("EmissiveColor", "Color", "", "A", srgb(material.emissive[0]),
                           srgb(material.emissive[1]), srgb(material.emissive[2]));
            lines.property("SpecularColor", "Color", "", "A", 0.04, 0.04, 0.04);
            // The conversion of roughness to shininess and back that Blender and assimp use.
            const double smooth = 1 - static_cast<double>(material.roughness);
            for (const char* name :
                 {"ShininessExponent", "Shininess"})  // Blender and three.js read the second
                lines.property(name, "Number", "", "A").add(100 * smooth * smooth);
            lines.property("ReflectionFactor", "Number", "", "A").add(static_cast<double>(material.metallic));
            const double opacity =
                material.alpha_mode == geometry::AlphaMode::blend ? static_cast<double>(base[3]) : 1;
            lines.property("TransparencyFactor", "Number", "", "A").add(1 - opacity);
            lines.property("Opacity", "double", "Number", "").add(opacity);
            materials_.push_back(id);
            if (material.base_color_texture.used()) write_texture(material.base_color_texture.image, id);
        }
    }

    static double srgb(float linear) {
        const double value = std::clamp(static_cast<double>(linear), 0.0, 1.0);
        return value <= 0.0031308 ? 12.92 * value : 1.055 * std::pow(value, 1 / 2.4) - 0.055;
    }

    /// The image is embedded in the file.
    void write_texture(int number, std::int64_t material) {
        const geometry::Image& image = character_.mesh.images[at(number)];
        const std::string name = image.name.empty() ? fmt::format("image{}", number) : image.name;
        const std::string file = name + (picture_type(image.bytes) == "image/jpeg" ? ".jpg" : ".png");
        std::int64_t video = 0, texture = 0;
        Node& clip = object("Video", name, "Video", "Clip", video);
        clip.with("Type", "Clip").with("UseMipMap", 0).with("Filename", file).with("RelativeFilename", file);
        clip.child("Content").add_bytes(image.bytes);
        Node& use = object("Texture", name, "Texture", "", texture);
        use.with("Type", "TextureVideoClip").with("Version", 202);
        use.with("TextureName", object_name(name, "Texture")).with("Media", object_name(name, "Video"));
        use.with("FileName", file).with("RelativeFilename", file);
        connect(video, texture);
        connect(texture, material, "DiffuseColor");
    }

    // --- Skeleton

    void write_model(Node& node, const Transform& local) const {
        node.with("Version", 232);
        Node& lines = node.child("Properties70");
        const Vec3d t = centimetres * local.translation, r = degrees_of(local.rotation), &s = local.scale;
        lines.property("InheritType", "enum", "").add(1);
        lines.property("DefaultAttributeIndex", "int", "Integer").add(0);
        lines.property("Lcl Translation", "Lcl Translation", "", "A", t.x(), t.y(), t.z());
        lines.property("Lcl Rotation", "Lcl Rotation", "", "A", r.x(), r.y(), r.z());
        lines.property("Lcl Scaling", "Lcl Scaling", "", "A", s.x(), s.y(), s.z());
        node.with("Shading", true).with("Culling", "CullingOff");
    }

    std::int64_t write_limb(const std::string& name, const Transform& local, std::int64_t parent,
                            double length) {
        std::int64_t id = 0, attribute = 0;
        Node& limb = object("NodeAttribute", name, "NodeAttribute", "LimbNode", attribute);
        limb.with("TypeFlags", "Skeleton");
        limb.child("Properties70").property("Size", "double", "Number").add(centimetres * length);
        write_model(object("Model", name, "Model", "LimbNode", id), local);
        connect(attribute, id);
        connect(id, parent);
        return id;
    }

    /// The local transform of a joint as stored in the file.
    Transform written(std::size_t joint, Transform local) const {
        local.translation *= scale_above_[joint];
        local.scale *= scale_above_[joint] / scale_below_[joint];
        return local;
    }

    /// Joints in their rest pose; the tip of a joint is a limb NAME_end.
    void write_joints() {
        const model::Skeleton& skeleton = character_.skeleton;
        std::vector<double> length(skeleton.size(), 0);
        for (const model::Bone& bone : model::bones(skeleton, model::rest_world_matrices(skeleton)))
            length[at(bone.joint)] = std::max(length[at(bone.joint)], (bone.end - bone.start).norm());
        for (std::size_t j = 0; j < skeleton.size(); ++j) {
            const model::Joint& joint = skeleton.joints[j];
            joints_.push_back(write_limb(joint.name, written(j, joint.rest),
                                         joint.parent < 0 ? 0 : joints_[at(joint.parent)], length[j]));
        }
        for (std::size_t j = 0; j < skeleton.size(); ++j)
            if (const auto& tip = skeleton.joints[j].tip; tip && !tip->isZero(0))
                write_limb(skeleton.joints[j].name + "_end",
                           {scale_below_[j] * *tip, Quatd::Identity(), Vec3d::Ones()}, joints_[j], length[j]);
    }

    /// If bind and rest pose differ, readers take joints without influence from the rest pose: an entry in
    /// the bind pose would move them.
    void write_bind_pose() {
        std::int64_t id = 0;
        std::vector<std::size_t> placed;
        for (std::size_t j = 0; j < joints_.size(); ++j)
            if (pose_.is_rest || binds_[j]) placed.push_back(j);
        Node& pose = object("Pose", "bind", "Pose", "BindPose", id);
        pose.with("Type", "BindPose").with("Version", 100);
        pose.with("NbPoseNodes", static_cast<std::int32_t>(meshes_.size() + placed.size()));
        const auto add = [&](std::int64_t node, const Mat4d& world) {
            pose.child("PoseNode").with("Node", node).with_array("Matrix", matrix_values(world));
        };
        for (const std::int64_t mesh : meshes_) add(mesh, Mat4d::Identity());
        for (const std::size_t j : placed) add(joints_[j], pose_.world[j]);
    }

    // --- Meshes

    /// Neighbouring parts with the same name form one mesh.
    void write_meshes() {
        const Mesh& mesh = character_.mesh;
        if (mesh.triangles.empty()) fail(file_, "a mesh without triangles cannot be written as FBX");
        const std::vector<Part> parts = geometry::parts_of(mesh);
        const std::vector<std::uint32_t> twins = welded_vertices();
        for (std::size_t first = 0; first < parts.size();) {
            std::size_t last = first + 1;
            while (last < parts.size() && parts[last].name == parts[first].name) ++last;
            write_mesh(std::span(parts).subspan(first, last - first), twins);
            first = last;
        }
    }

    /// Vertices that were split at seams share one control point if their influences are equal.
    std::vector<std::uint32_t> welded_vertices() const {
        std::vector<std::uint32_t> map = geometry::weld_map(pose_.positions);
        for (const geometry::Morph& morph : character_.mesh.morphs) split_unlike(morph, map);
        if (!character_.has_skin()) return map;
        const auto row = [&](std::uint32_t v) { return character_.skin.of(v); };
        for (std::uint32_t v = 0; v < map.size(); ++v) {
            const auto a = row(v), b = row(map[v]);
            const bool alike = std::equal(
                a.begin(), a.end(), b.begin(), b.end(),
                [](const auto& x, const auto& y) { return x.joint == y.joint && x.weight == y.weight; });
            if (!alike) map[v] = v;
        }
        return map;
    }

    /// Vertices whose displacement in a morph differs from that of their twins are separate control points.
    static void split_unlike(const geometry::Morph& morph, std::vector<std::uint32_t>& map) {
        for (std::uint32_t v = 0; v < map.size(); ++v)
            if (map[v] != v && delta_of(morph, v) != delta_of(morph, map[v])) map[v] = v;
    }

    static Vec3f delta_of(const geometry::Morph& morph, std::uint32_t vertex) {
        const bool inside = vertex >= morph.first && vertex - morph.first < morph.positions.size();
        return inside ? morph.positions[vertex - morph.first] : Vec3f(Vec3f::Zero());
    }

    void write_mesh(std::span<const Part> parts, const std::vector<std::uint32_t>& twins) {
        const Mesh& mesh = character_.mesh;
        std::string name = parts[0].name.empty() ? character_.name : parts[0].name;
        // Programs that find objects by name, such as three.js and Unity, would find a bone instead of the
        // mesh.
        if (character_.skeleton.find(name) >= 0) name += "_mesh";
        std::vector<std::int32_t> control(mesh.vertex_count(), -1), polygons, material_of, corner_vertex;
        std::vector<std::uint32_t> used;
        std::vector<std::int64_t> materials;
        for (const Part& part : parts) {
            const std::int64_t material =
                part.material < 0 ? materials_.back() : materials_[at(part.material)];
            auto slot = std::find(materials.begin(), materials.end(), material);
            if (slot == materials.end()) slot = materials.insert(slot, material);
            for (std::size_t t = part.first; t < part.first + std::size_t{part.count}; ++t) {
                for (int c = 0; c < 3; ++c) {
                    const std::uint32_t vertex = mesh.triangles[t][static_cast<std::size_t>(c)],
                                        twin = twins[vertex];
                    if (control[twin] < 0) {
                        control[twin] = static_cast<std::int32_t>(used.size());
                        used.push_back(twin);
                    }
                    // The last corner of a polygon is marked by its complement.
                    polygons.push_back(c == 2 ? ~control[twin] : control[twin]);
                    corner_vertex.push_back(static_cast<std::int32_t>(vertex));
                }
                material_of.push_back(static_cast<std::int32_t>(slot - materials.begin()));
            }
        }
        if (used.empty()) return;
        std::int64_t geometry = 0, model = 0;
        Node& node = object("Geometry", name, "Geometry", "Mesh", geometry);
        std::vector<double> vertices;
        for (const std::uint32_t v : used)
            for (int i = 0; i < 3; ++i)
                vertices.push_back(centimetres * static_cast<double>(pose_.positions[v][i]));
        node.with("GeometryVersion", 124);
        node.with_array("Vertices", vertices).with_array("PolygonVertexIndex", polygons);
        add_layers(node, corner_vertex, material_of);
        write_model(object("Model", name, "Model", "Mesh", model), {});
        connect(geometry, model);
        connect(model, 0);
        for (const std::int64_t material : materials) connect(material, model);
        if (character_.has_skin()) write_skin(name, geometry, used);
        write_morphs(name, geometry, used);
        meshes_.push_back(model);
    }

    static Node& layer(Node& geometry, std::string_view type, std::string_view mapping,
                       std::string_view reference) {
        Node& node = geometry.child(type).add(0);
        node.with("Version", 101).with("Name", "");
        node.with("MappingInformationType", mapping).with("ReferenceInformationType", reference);
        return node;
    }

    /// Normals, texture coordinates, colours and materials.
    void add_layers(Node& geometry, const std::vector<std::int32_t>& corners,
                    const std::vector<std::int32_t>& material_of) const {
        const Mesh& mesh = character_.mesh;
        std::vector<std::string_view> types = {"LayerElementNormal"};
        const std::vector<Vec3f> normals =
            pose_.normals.empty() ? geometry::vertex_normals(pose_.positions, mesh.triangles) : pose_.normals;
        std::vector<double> values;
        for (const std::int32_t v : corners)
            for (int i = 0; i < 3; ++i) values.push_back(static_cast<double>(normals[at(v)][i]));
        layer(geometry, "LayerElementNormal", "ByPolygonVertex", "Direct").with_array("Normals", values);
        if (!mesh.uvs[0].empty()) {
            values.clear();
            for (const math::Vec2f& uv : mesh.uvs[0])
                values.insert(values.end(), {static_cast<double>(uv.x()), 1 - static_cast<double>(uv.y())});
            layer(geometry, "LayerElementUV", "ByPolygonVertex", "IndexToDirect")
                .with_array("UV", values)
                .with_array("UVIndex", corners);
            types.push_back("LayerElementUV");
        }
        if (!mesh.colors.empty()) {
            values.clear();
            for (const math::Vec4f& color : mesh.colors)
                for (int i = 0; i < 4; ++i) values.push_back(static_cast<double>(color[i]));
            layer(geometry, "LayerElementColor", "ByPolygonVertex", "IndexToDirect")
                .with_array("Colors", values)
                .with_array("ColorIndex", corners);
            types.push_back("LayerElementColor");
        }
        layer(geometry, "LayerElementMaterial", "ByPolygon", "IndexToDirect")
            .with_array("Materials", material_of);
        types.push_back("LayerElementMaterial");
        Node& all = geometry.child("Layer").add(0);
        all.with("Version", 100);
        for (const std::string_view type : types)
            all.child("LayerElement").with("Type", type).with("TypedIndex", 0);
    }

    void write_skin(const std::string& name, std::int64_t geometry, const std::vector<std::uint32_t>& used) {
        std::int64_t skin = 0;
        object("Deformer", name, "Deformer", "Skin", skin)
            .with("Version", 101)
            .with("Link_DeformAcuracy", 50.0);
        connect(skin, geometry);
        std::vector<std::vector<std::int32_t>> indices(joints_.size());
        std::vector<std::vector<double>> weights(joints_.size());
        for (std::size_t c = 0; c < used.size(); ++c)
            for (const model::Influence& influence : influences_by_joint(character_.skin, used[c])) {
                indices[influence.joint].push_back(static_cast<std::int32_t>(c));
                weights[influence.joint].push_back(static_cast<double>(influence.weight));
            }
        for (std::size_t j = 0; j < joints_.size(); ++j) {
            if (indices[j].empty()) continue;
            binds_[j] = true;
            std::int64_t cluster = 0;
            Node& node =
                object("Deformer", character_.skeleton.joints[j].name, "SubDeformer", "Cluster", cluster);
            node.with("Version", 100).child("UserData").add("").add("");
            node.with_array("Indexes", indices[j]).with_array("Weights", weights[j]);
            node.with_array("Transform", matrix_values(math::inverse_affine(pose_.world[j])));
            node.with_array("TransformLink", matrix_values(pose_.world[j]));
            connect(cluster, skin);
            connect(joints_[j], cluster);
        }
    }

    /// Each morph that moves a control point becomes a channel of a blend shape, in per cent.
    void write_morphs(const std::string& name, std::int64_t geometry,
                      const std::vector<std::uint32_t>& used) {
        std::int64_t blend = 0;
        channels_.resize(character_.mesh.morphs.size());
        for (std::size_t m = 0; m < character_.mesh.morphs.size(); ++m) {
            const geometry::Morph& morph = character_.mesh.morphs[m];
            std::vector<std::int32_t> indices;
            std::vector<double> deltas;
            for (std::size_t c = 0; c < used.size(); ++c) {
                const Vec3f delta = delta_of(morph, used[c]);
                if (delta.isZero(0)) continue;
                indices.push_back(static_cast<std::int32_t>(c));
                for (int i = 0; i < 3; ++i) deltas.push_back(centimetres * static_cast<double>(delta[i]));
            }
            if (indices.empty()) continue;
            if (blend == 0) {
                object("Deformer", name, "Deformer", "BlendShape", blend).with("Version", 100);
                connect(blend, geometry);
            }
            const double percent = 100 * static_cast<double>(morph.weight);
            std::int64_t channel = 0, shape = 0;
            Node& node = object("Deformer", morph.name, "SubDeformer", "BlendShapeChannel", channel);
            node.with("Version", 100).with("DeformPercent", percent);
            node.with_array("FullWeights", std::vector<double>{100});
            node.child("Properties70").property("DeformPercent", "Number", "", "A").add(percent);
            object("Geometry", morph.name, "Geometry", "Shape", shape)
                .with("Version", 100)
                .with_array("Indexes", indices)
                .with_array("Vertices", deltas)
                .with_array("Normals", std::vector<double>(deltas.size(), 0));
            connect(channel, blend);
            connect(shape, channel);
            channels_[m].push_back(channel);
        }
    }

    // --- Clips

    void write_clip(const model::Clip& clip, double wanted_rate) {
        if (clip.empty()) return;
        const double rate = wanted_rate > 0 ? wanted_rate : model::frame_rate(clip);
        const model::TimeRange range = model::time_range(clip);
        const std::size_t frames = model::sample_count(range, rate);
        std::vector<std::vector<Transform>> poses;
        times_.clear();
        for (std::size_t f = 0; f < frames; ++f) {
            const double time = static_cast<double>(f) / rate;
            poses.push_back(model::sample(clip, character_.skeleton, range.start + time));
            times_.push_back(ticks(time));
        }
        std::int64_t stack = 0, layer = 0;
        Node& lines = object("AnimationStack", clip.name, "AnimStack", "", stack).child("Properties70");
        for (const char* const end : {"LocalStop", "ReferenceStop"})
            lines.property(end, "KTime", "Time").add(times_.back());
        object("AnimationLayer", clip.name, "AnimLayer", "", layer);
        connect(layer, stack);
        for (const model::Track& track : clip.tracks) {
            const std::size_t j = at(track.joint);
            const auto rows = [&](const auto& value) {
                std::vector<Vec3d> list;
                for (const auto& pose : poses) list.push_back(value(written(j, pose[j])));
                return list;
            };
            if (!track.translation.empty())
                write_three_curves(layer, joints_[j], "T", "Lcl Translation", rows([](const Transform& t) {
                                       return Vec3d(centimetres * t.translation);
                                   }));
            if (!track.rotation.empty()) {
                Vec3d before = Vec3d::Zero();
                write_three_curves(layer, joints_[j], "R", "Lcl Rotation", rows([&](const Transform& t) {
                                       before = math::unwrap_euler(
                                           euler_order, math::to_euler(euler_order, t.rotation), before);
                                       return Vec3d(math::degrees(before[2]), math::degrees(before[1]),
                                                    math::degrees(before[0]));
                                   }));
            }
            if (!track.scale.empty())
                write_three_curves(layer, joints_[j], "S", "Lcl Scaling",
                                   rows([](const Transform& t) { return t.scale; }));
        }
        for (const model::MorphTrack& track : clip.morph_tracks) {
            std::vector<double> percent;
            for (std::size_t f = 0; f < frames; ++f)
                percent.push_back(100 *
                                  model::sample(track.weight, range.start + static_cast<double>(f) / rate));
            for (const std::int64_t channel : channels_[at(track.morph)])
                write_curves(layer, channel, "DeformPercent", "DeformPercent",
                             {{"d|DeformPercent", percent}});
        }
    }

    /// An animated property of an object, channel by channel.
    void write_curves(std::int64_t layer, std::int64_t owner, std::string_view name,
                      std::string_view property,
                      const std::vector<std::pair<std::string_view, std::vector<double>>>& channels) {
        std::int64_t node = 0;
        Node& lines = object("AnimationCurveNode", name, "AnimCurveNode", "", node).child("Properties70");
        for (const auto& [channel, values] : channels)
            lines.property(channel, "Number", "", "A").add(values[0]);
        connect(node, layer);
        connect(node, owner, property);
        for (const auto& [channel, values] : channels) write_curve(node, channel, values);
    }

    void write_curve(std::int64_t node, std::string_view property, const std::vector<double>& values) {
        constexpr std::int32_t linear = 4;
        const std::vector<float> keys(values.begin(), values.end());
        std::int64_t curve = 0;
        Node& written = object("AnimationCurve", "", "AnimCurve", "", curve);
        written.with("Default", values[0]).with("KeyVer", 4008);
        written.with_array("KeyTime", times_).with_array("KeyValueFloat", keys);
        written.with_array("KeyAttrFlags", std::vector<std::int32_t>{linear});
        written.with_array("KeyAttrDataFloat", std::vector<float>(4, 0.0f));
        written.with_array("KeyAttrRefCount",
                           std::vector<std::int32_t>{static_cast<std::int32_t>(keys.size())});
        connect(curve, node, property);
    }

    void write_three_curves(std::int64_t layer, std::int64_t model, std::string_view name,
                            std::string_view property, const std::vector<Vec3d>& values) {
        std::vector<std::pair<std::string_view, std::vector<double>>> channels = {
            {"d|X", {}}, {"d|Y", {}}, {"d|Z", {}}};
        for (const Vec3d& value : values)
            for (int i = 0; i < 3; ++i) channels[at(i)].second.push_back(value[i]);
        write_curves(layer, model, name, property, channels);
    }

    const model::Character& character_;
    std::string file_;
    BindPose pose_;
    std::vector<bool> binds_;                        ///< whether each joint influences a mesh
    std::vector<double> scale_above_, scale_below_;  ///< constant scales: of all above; with its own
    double rate_ = 30;
    Node objects_{"Objects"}, connections_{"Connections"};
    std::map<std::string, int> counts_;
    std::int64_t last_id_ = 1000;
    std::vector<std::int64_t> materials_, joints_, meshes_;
    std::vector<std::vector<std::int64_t>> channels_;  ///< for each morph, one per mesh that it moves
    std::vector<std::int64_t> times_;
};

}  // namespace

geometry::Material neutral_material(const Mesh& mesh) {
    geometry::Material material;
    material.name = "neutral";
    if (mesh.colors.empty()) material.base_color = {0.36f, 0.375f, 0.40f, 1};
    return material;
}

std::string write_fbx(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor&) {
    const std::string file = path.filename().string();
    const model::Character& character = asset.character;
    if (!character.has_mesh() && !character.has_skeleton())
        fail(file, "there is neither a mesh nor a skeleton");
    model::validate(character, file);
    return FbxFile(character, file).write(options);
}

}  // namespace sinew::io
