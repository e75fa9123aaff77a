// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/interchange.h"
#include "sinew/io/mesh/mesh_file.h"
#include "sinew/io/mesh/mtl.h"
#include "sinew/io/scene/scene_formats.h"
#include "sinew/io/scene/x_file.h"

namespace sinew::io::x {
namespace {

// From the axes of a .x file to those of the library.

/// M = S M_file^T S with S = diag(1, 1, -1, 1): row vectors to column vectors, left-handed to right-handed.
math::Mat4d to_matrix(const Matrix& matrix);

using geometry::Triangle;
using math::Vec3f;

/// Sign of entry i of a matrix between S and S.
double mirror_sign(int i) {
    return (i / 4 == 2) != (i % 4 == 2) ? -1 : 1;
}

Vec3f mirrored(const Vec3f& v) {
    return {v.x(), v.y(), -v.z()};
}

/// Normals can be used if their faces have the same corners as the faces of the mesh.
bool normals_fit(const MeshObject& object) {
    return object.normal_faces.first == object.faces.first &&
           std::all_of(object.normal_faces.corners.begin(), object.normal_faces.corners.end(),
                       [&](std::uint32_t n) { return n < object.normals.size(); });
}

/// The material of each face, as a number of the file, or -1.
std::vector<int> face_materials(const MeshObject& object, WarningTally& oddities) {
    std::vector<int> result(object.faces.size(), -1);
    const std::vector<std::uint32_t>& given = object.face_materials;
    if (given.empty() && object.materials.empty()) return result;
    bool odd = given.size() != 1 && given.size() != result.size();
    for (std::size_t f = 0; f < result.size(); ++f) {
        // One index applies to all faces; a list that is too short continues with its last index.
        const std::uint32_t index = given.empty() ? 0 : given[std::min(f, given.size() - 1)];
        odd = odd || index >= object.materials.size();
        if (index < object.materials.size()) result[f] = object.materials[index];
    }
    if (odd && !result.empty()) {
        oddities.add("x-materials", object.location, [&] {
            return fmt::format("mesh \"{}\": {} material indices into {} materials for {} faces", object.name,
                               given.size(), object.materials.size(), result.size());
        });
    }
    return result;
}

class MeshConverter {
  public:
    MeshConverter(const MeshObject& object, WarningTally& oddities)
        : object_(object), oddities_(oddities), corners_(object.positions.size(), {}) {}

    geometry::Mesh run() {
        has_normals_ = !object_.normals.empty() && normals_fit(object_);
        if (!object_.normals.empty() && !has_normals_) {
            oddities_.add("x-normals", object_.location, [&] {
                return fmt::format(
                    "mesh \"{}\": the faces of the normals do not match: new normals are computed",
                    object_.name);
            });
        }
        for (const Vec3f& p : object_.positions) mesh_.positions.push_back(mirrored(p));
        add_faces();
        fill_vertices();
        return std::move(mesh_);
    }

    std::vector<std::uint32_t> take_sources() { return corners_.take_sources(); }

  private:
    /// Faces grouped by material, each in the order of the file.
    void add_faces() {
        const std::vector<int> materials = face_materials(object_, oddities_);
        std::vector<std::size_t> order(object_.faces.size());
        for (std::size_t f = 0; f < order.size(); ++f) order[f] = f;
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return materials[a] < materials[b]; });
        std::size_t bad = 0;
        for (const std::size_t face : order) {
            const std::size_t before = mesh_.triangles.size();
            if (!add_face(face)) ++bad;
            const auto added = static_cast<std::uint32_t>(mesh_.triangles.size() - before);
            if (added == 0) continue;
            if (mesh_.parts.empty() || mesh_.parts.back().material != materials[face]) {
                mesh_.parts.push_back({object_.name, static_cast<std::uint32_t>(before), 0, materials[face]});
            }
            mesh_.parts.back().count += added;
        }
        if (bad > 0) {
            oddities_.add("x-bad-faces", object_.location, [&] {
                return fmt::format(
                    "mesh \"{}\": {} faces have fewer than three corners or corners out of range: "
                    "dropped",
                    object_.name, bad);
            });
        }
    }

    bool add_face(std::size_t face) {
        const std::size_t first = object_.faces.first[face], count = object_.faces.corner_count(face);
        const std::uint32_t* const ids = object_.faces.corners.data() + first;
        if (count < 3 ||
            std::any_of(ids, ids + count, [&](std::uint32_t c) { return c >= mesh_.positions.size(); }))
            return false;
        polygon_.clear();
        cut_.clear();
        // Mirroring reverses a face: its corners are read backwards, from the same first one.
        for (std::size_t c = 0; c < count; ++c) polygon_.push_back(mesh_.positions[ids[(count - c) % count]]);
        triangulate(polygon_, cut_);
        for (const Triangle& t : cut_) {
            Triangle triangle{};
            for (std::size_t i = 0; i < 3; ++i) {
                const std::size_t corner = (count - t[i]) % count;
                const std::int32_t normal =
                    has_normals_ ? static_cast<std::int32_t>(object_.normal_faces.corners[first + corner])
                                 : CornerTable::none;
                triangle[i] = corners_.vertex(ids[corner], CornerTable::none, normal);
            }
            mesh_.triangles.push_back(triangle);
        }
        return true;
    }

    void fill_vertices() {
        const auto extended = [&](auto values) {
            for (const std::uint32_t source : corners_.sources()) values.push_back(values[source]);
            return values;
        };
        mesh_.positions = extended(std::move(mesh_.positions));
        if (!object_.uvs.empty()) mesh_.uvs[0] = extended(object_.uvs);
        if (!object_.colors.empty()) mesh_.colors = extended(object_.colors);
        if (!has_normals_) return;
        std::vector<Vec3f> computed;
        for (std::size_t v = 0; v < corners_.vertex_count(); ++v) {
            const std::int32_t n = corners_.normal(v);
            const Vec3f given =
                n < 0 ? Vec3f(Vec3f::Zero()) : mirrored(object_.normals[static_cast<std::size_t>(n)]);
            const double length = given.cast<double>().norm();
            if (length > 0 && std::isfinite(length)) {
                mesh_.normals.push_back((given.cast<double>() / length).cast<float>());
                continue;
            }
            // A vertex without faces has no normal, and faulty programs write zeros.
            if (computed.empty()) computed = geometry::vertex_normals(mesh_.positions, mesh_.triangles);
            mesh_.normals.push_back(computed[v]);
        }
    }

    const MeshObject& object_;
    WarningTally& oddities_;
    CornerTable corners_;
    geometry::Mesh mesh_;
    bool has_normals_ = false;
    std::vector<Vec3f> polygon_;
    std::vector<Triangle> cut_;
};

void convert_skin(const MeshObject& object, const std::vector<std::uint32_t>& sources, const File& file,
                  SceneMesh& mesh, WarningTally& oddities) {
    const std::size_t positions = object.positions.size();
    std::vector<std::vector<std::uint32_t>> copies(sources.empty() ? 0 : positions);
    for (std::size_t i = 0; i < sources.size(); ++i)
        copies[sources[i]].push_back(static_cast<std::uint32_t>(positions + i));
    for (const SkinWeights& weights : object.skin) {
        SceneBone bone;
        bone.node = file.frame_numbers.at(weights.bone);
        bone.inverse_bind = to_matrix(weights.offset);
        std::size_t bad = 0;
        for (std::size_t i = 0; i < weights.vertices.size(); ++i) {
            const std::uint32_t v = weights.vertices[i];
            bad += v >= positions ? 1 : 0;
            if (v >= positions) continue;
            bone.weights.push_back({v, weights.weights[i]});
            if (copies.empty()) continue;
            for (const std::uint32_t copy : copies[v]) bone.weights.push_back({copy, weights.weights[i]});
        }
        if (bad > 0) {
            oddities.add("x-weights", weights.location, [&] {
                return fmt::format("bone \"{}\" has {} weights for vertices that do not exist", weights.bone,
                                   bad);
            });
        }
        mesh.bones.push_back(std::move(bone));
    }
}

math::Mat4d to_matrix(const Matrix& matrix) {
    math::Mat4d m;
    for (int i = 0; i < 16; ++i) m(i % 4, i / 4) = mirror_sign(i) * matrix[static_cast<std::size_t>(i)];
    m.row(3) = Eigen::RowVector4d(0, 0, 0, 1);
    return m;
}

/// The inverse.
Matrix from_matrix(const math::Mat4d& matrix) {
    Matrix m{};
    for (int i = 0; i < 16; ++i) m[static_cast<std::size_t>(i)] = mirror_sign(i) * matrix(i % 4, i / 4);
    return m;
}

/// A mesh with one index for each corner; positions come first and in the order of the file.
SceneMesh convert_mesh(const MeshObject& object, const File& file, WarningTally& oddities) {
    SceneMesh mesh;
    mesh.node = object.frame;
    MeshConverter converter(object, oddities);
    mesh.mesh = converter.run();
    convert_skin(object, converter.take_sources(), file, mesh, oddities);
    return mesh;
}

using math::Quatd;
using math::Quatf;
using math::Vec3d;
using model::Keys;
using model::KeyTimes;

/// Selects keys in increasing time: of several at one time, in single precision, the last.
struct Order {
    std::vector<float> times;
    std::vector<std::size_t> keys;
};

Order rising(const AnimationKeys& keys, double ticks, std::size_t location, WarningTally& oddities) {
    std::vector<std::size_t> order(keys.times.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return keys.times[a] < keys.times[b]; });
    Order result;
    for (const std::size_t k : order) {
        const auto time = static_cast<float>(keys.times[k] / ticks);
        if (!result.times.empty() && !(time > result.times.back())) {
            result.keys.back() = k;
        } else {
            result.times.push_back(time);
            result.keys.push_back(k);
        }
    }
    if (result.keys.size() < order.size() || !std::is_sorted(keys.times.begin(), keys.times.end())) {
        oddities.add("x-key-order", location, [&] {
            return fmt::format("keys are not in rising time: sorted, {} of {} kept", result.keys.size(),
                               order.size());
        });
    }
    return result;
}

template <class Value, class Read>
Keys<Value> read_keys(const Order& order, const Read& read) {
    Keys<Value> keys;
    keys.times = KeyTimes::listed(order.times);
    for (const std::size_t k : order.keys) keys.values.push_back(read(k));
    return keys;
}

void keep_hemisphere(Keys<Quatf>& keys) {
    for (std::size_t i = 1; i < keys.values.size(); ++i)
        keys.values[i] = math::aligned(keys.values[i], keys.values[i - 1]);
}

/// The stored (w; x y z) inverted: the conjugate, mirrored in z, is (w; x, y, -z) of the stored numbers.
Quatf to_rotation(const double* stored) {
    Quatd q(stored[0], stored[1], stored[2], -stored[3]);
    if (!(q.norm() > 1e-6)) return Quatf::Identity();
    return q.normalized().cast<float>();
}

void add_matrix_keys(const AnimationKeys& keys, const Order& order, model::Track& track, std::size_t location,
                     WarningTally& oddities) {
    std::vector<math::Transform> parts(keys.times.size());
    double shear = 0;
    for (const std::size_t k : order.keys) {
        Matrix matrix{};
        std::copy_n(keys.values.data() + 16 * k, 16, matrix.begin());
        const math::Decomposition split = math::decompose(to_matrix(matrix));
        parts[k] = split.transform;
        shear = std::max(shear, split.shear);
    }
    if (shear > 1e-4) {
        oddities.add("x-shear", location, [&] {
            return fmt::format("matrix keys are sheared by up to {:.3g}: rotation and scale are kept", shear);
        });
    }
    const auto scaled = [&](std::size_t k) {
        return (parts[k].scale - Vec3d::Ones()).cwiseAbs().maxCoeff() > 1e-5;
    };
    track.translation =
        read_keys<Vec3f>(order, [&](std::size_t k) { return Vec3f(parts[k].translation.cast<float>()); });
    track.rotation = read_keys<Quatf>(order, [&](std::size_t k) { return parts[k].rotation.cast<float>(); });
    if (std::any_of(order.keys.begin(), order.keys.end(), scaled)) {
        track.scale =
            read_keys<Vec3f>(order, [&](std::size_t k) { return Vec3f(parts[k].scale.cast<float>()); });
    }
}

void add_keys(const AnimationKeys& keys, double ticks, model::Track& track, std::size_t location,
              WarningTally& oddities) {
    const Order order = rising(keys, ticks, location, oddities);
    if (order.keys.empty()) return;
    const auto vector = [&](std::size_t k, float z) {
        const double* v = keys.values.data() + 3 * k;
        return Vec3f(static_cast<float>(v[0]), static_cast<float>(v[1]), z * static_cast<float>(v[2]));
    };
    switch (keys.type) {
        case 0:
            track.rotation = read_keys<Quatf>(
                order, [&](std::size_t k) { return to_rotation(keys.values.data() + 4 * k); });
            break;
        case 1:
            track.scale = read_keys<Vec3f>(order, [&](std::size_t k) { return vector(k, 1); });
            break;
        case 2:
            track.translation = read_keys<Vec3f>(order, [&](std::size_t k) { return vector(k, -1); });
            break;
        default:
            add_matrix_keys(keys, order, track, location, oddities);
    }
    keep_hemisphere(track.rotation);
}

model::Clip convert_set(const AnimationSet& set, const File& file, WarningTally& oddities) {
    model::Clip clip;
    clip.name = set.name;
    std::map<int, model::Track> tracks;
    for (const Animation& animation : set.animations) {
        const auto found = file.frame_numbers.find(animation.frame);
        if (found == file.frame_numbers.end()) {
            oddities.add("x-unknown-frame", animation.location, [&] {
                return fmt::format("an animation moves \"{}\", which is not a frame: left out",
                                   animation.frame);
            });
            continue;
        }
        model::Track& track = tracks[found->second];
        track.joint = found->second;
        for (const AnimationKeys& keys : animation.keys)
            add_keys(keys, file.ticks_per_second, track, animation.location, oddities);
    }
    for (auto& [frame, track] : tracks) {
        if (!track.translation.empty() || !track.rotation.empty() || !track.scale.empty())
            clip.tracks.push_back(std::move(track));
    }
    return clip;
}

/// Clips of the animation sets; tracks refer to frames by name. Matrix keys are decomposed.
std::vector<model::Clip> convert_animations(const File& file, WarningTally& oddities) {
    std::vector<model::Clip> clips;
    for (const AnimationSet& set : file.sets) {
        model::Clip clip = convert_set(set, file, oddities);
        if (!clip.empty()) clips.push_back(std::move(clip));
    }
    return clips;
}

}  // namespace
}  // namespace sinew::io::x

namespace sinew::io {
namespace {

constexpr std::size_t header_size = 16;  // "xof 0303txt 0032"

/// For weights of a bone without a frame of this name: adds a joint at the position of the bind matrix.
void add_missing_bones(x::File& file, WarningTally& oddities) {
    for (const x::MeshObject& mesh : file.meshes) {
        for (const x::SkinWeights& weights : mesh.skin) {
            if (file.frame_numbers.contains(weights.bone)) continue;
            oddities.add("x-unknown-bone", weights.location, [&] {
                return fmt::format("there is no frame \"{}\" for these weights: a joint was added",
                                   weights.bone);
            });
            x::Frame frame;
            frame.name = weights.bone;
            const math::Mat4d rest = math::inverse_affine(x::to_matrix(weights.offset));
            if (rest.allFinite()) frame.matrix = x::from_matrix(rest);
            file.frame_numbers.emplace(frame.name, static_cast<int>(file.frames.size()));
            file.frames.push_back(std::move(frame));
        }
    }
}

geometry::Material to_material(const x::Material& from) {
    geometry::Material material;
    material.name = from.name;
    const auto channel = [](double c) { return static_cast<float>(std::clamp(c, 0.0, 1.0)); };
    for (int i = 0; i < 4; ++i) material.base_color[i] = channel(from.color[static_cast<std::size_t>(i)]);
    for (int i = 0; i < 3; ++i) material.emissive[i] = channel(from.emissive[static_cast<std::size_t>(i)]);
    if (material.base_color[3] < 1) material.alpha_mode = geometry::AlphaMode::blend;
    return material;
}

/// Materials with their images; each image is loaded once.
void convert_materials(const x::File& file, const std::filesystem::path& path, const ReadOptions& options,
                       NodeScene& scene, Monitor& monitor) {
    geometry::Mesh pictures;
    std::map<std::string, int> loaded;
    for (const x::Material& from : file.materials) {
        geometry::Material material = to_material(from);
        if (!from.texture.empty()) {
            const auto [known, added] = loaded.try_emplace(from.texture, -1);
            if (added) {
                // Old programs write the backslashes of Windows paths twice.
                std::string name = from.texture;
                for (std::size_t at; (at = name.find("\\\\")) != std::string::npos;) name.erase(at, 1);
                known->second = load_picture(pictures, companions_of(path, options), path.parent_path(), name,
                                             path.string(), monitor);
            }
            material.base_color_texture.image = known->second;
        }
        scene.materials.push_back(std::move(material));
    }
    scene.images = std::move(pictures.images);
}

NodeScene convert(x::File& file, const std::filesystem::path& path, const ReadOptions& options,
                  WarningTally& oddities, Monitor& monitor) {
    add_missing_bones(file, oddities);
    NodeScene scene;
    scene.name = path.stem().string();
    for (const x::Frame& frame : file.frames) {
        scene.nodes.push_back({frame.name, frame.parent, x::to_matrix(frame.matrix)});
    }
    for (const x::MeshObject& mesh : file.meshes) {
        if (!mesh.positions.empty()) scene.meshes.push_back(x::convert_mesh(mesh, file, oddities));
    }
    convert_materials(file, path, options, scene, monitor);
    scene.clips = x::convert_animations(file, oddities);
    return scene;
}

}  // namespace

Asset read_x(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    const std::string name = path.string();
    std::string storage;
    const std::string_view content = as_utf8(as_text(bytes), storage);
    if (!content.starts_with("xof ") || content.size() < header_size) {
        fail(name + ":1", "is not an .x file: it must begin with \"xof \" and a version");
    }
    const std::string_view kind = content.substr(8, 4);
    if (kind == "bin " || kind == "tzip" || kind == "bzip")
        return read_imported(bytes, path, options, monitor);
    if (kind != "txt ")
        fail(name + ":1", "\"{}\" is not a known kind of .x file: txt, bin, tzip or bzip", kind);
    x::Text cursor(content, name, header_size);
    WarningTally oddities;
    x::File file = x::parse(cursor, oddities);
    NodeScene scene = convert(file, path, options, oddities, monitor);
    oddities.tell(monitor, [&](std::size_t offset) { return cursor.location(offset); });
    Asset asset;
    scene.single_root = true;
    asset.character = assemble(std::move(scene), name, monitor);
    if (!asset.character.has_mesh() && !asset.character.has_skeleton())
        fail(name, "holds neither mesh nor frame");
    return asset;
}

}  // namespace sinew::io
