// SPDX-License-Identifier: MIT
// sinew-import IN OUT.glb [--allow-outside]: reads a foreign format with assimp and writes its content as
// GLB. It is a separate program because assimp may crash or hang on broken files; sinew runs it with limits
// and checks the output.
//
// Standard error is read by sinew: lines `warning CODE TEXT` and `error TEXT`.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <new>

#include <assimp/DefaultIOSystem.h>
#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/io/interchange.h"

namespace sinew::import {
namespace {

constexpr std::uint16_t main_chunk = 0x4D4D, editor = 0x3D3D, object = 0x4000, triangles = 0x4100;

/// Consecutive chunks: number, length including this header, content.
template <class Visit>
void for_each_chunk(std::string_view bytes, const Visit& visit) {
    while (bytes.size() >= 6) {
        std::uint16_t id = 0;
        std::uint32_t length = 0;
        std::memcpy(&id, bytes.data(), 2);
        std::memcpy(&length, bytes.data() + 2, 4);
        if (length < 6 || length > bytes.size()) return;
        visit(id, bytes.substr(6, length - 6));
        bytes.remove_prefix(length);
    }
}

/// Names of the objects of a .3ds file in their order: assimp drops them if the file has no hierarchy. Empty
/// for other files.
std::vector<std::string> studio_object_names(const std::filesystem::path& path) {
    std::vector<std::string> names;
    if (suffix(path) != "3ds") return names;
    const FileView view(path);
    for_each_chunk(view.text(), [&](std::uint16_t id, std::string_view content) {
        if (id != main_chunk) return;
        for_each_chunk(content, [&](std::uint16_t inner, std::string_view scene) {
            if (inner != editor) return;
            for_each_chunk(scene, [&](std::uint16_t kind, std::string_view body) {
                const std::size_t end = body.find('\0');
                if (kind != object || end == std::string_view::npos) return;
                bool has_mesh = false;
                for_each_chunk(body.substr(end + 1), [&](std::uint16_t part, std::string_view) {
                    has_mesh = has_mesh || part == triangles;
                });
                if (has_mesh) names.emplace_back(body.substr(0, end));
            });
        });
    });
    return names;
}

geometry::Material to_material(const aiMaterial& from) {
    geometry::Material material;
    aiString name;
    if (from.Get(AI_MATKEY_NAME, name) == AI_SUCCESS) material.name = name.C_Str();
    const auto channel = [](ai_real c) { return std::clamp(static_cast<float>(c), 0.0f, 1.0f); };
    aiColor4D color;
    if (from.Get(AI_MATKEY_COLOR_DIFFUSE, color) == AI_SUCCESS) {
        material.base_color = {channel(color.r), channel(color.g), channel(color.b), 1};
    }
    if (from.Get(AI_MATKEY_COLOR_EMISSIVE, color) == AI_SUCCESS) {
        material.emissive = {channel(color.r), channel(color.g), channel(color.b)};
    }
    ai_real opacity = 1;
    if (from.Get(AI_MATKEY_OPACITY, opacity) == AI_SUCCESS && opacity < 1) {
        material.base_color[3] = channel(opacity);
        material.alpha_mode = geometry::AlphaMode::blend;
    }
    int two_sided = 0;
    if (from.Get(AI_MATKEY_TWOSIDED, two_sided) == AI_SUCCESS) material.double_sided = two_sided != 0;
    return material;
}

/// An embedded image; only compressed ones.
int embedded_picture(const aiTexture& texture, geometry::Mesh& pictures) {
    if (texture.mHeight != 0 || texture.pcData == nullptr) return -1;
    const Bytes bytes(reinterpret_cast<const std::byte*>(texture.pcData), texture.mWidth);
    const std::string_view type = io::picture_type(bytes);
    if (type.empty()) return -1;
    pictures.images.push_back({texture.mFilename.C_Str(), std::string(type), {bytes.begin(), bytes.end()}});
    return static_cast<int>(pictures.images.size()) - 1;
}

/// Only materials and images; material numbers do not change.
void convert_materials(const aiScene& from, const std::filesystem::path& path,
                       const io::Companions& companions, io::NodeScene& result, Monitor& monitor) {
    geometry::Mesh pictures;
    std::map<std::string, int> loaded;
    for (unsigned m = 0; m < from.mNumMaterials; ++m) {
        geometry::Material material = to_material(*from.mMaterials[m]);
        aiString file;
        if (from.mMaterials[m]->GetTexture(aiTextureType_DIFFUSE, 0, &file) == AI_SUCCESS &&
            file.length > 0) {
            const auto [known, added] = loaded.try_emplace(file.C_Str(), -1);
            if (added) {
                const aiTexture* const embedded = from.GetEmbeddedTexture(file.C_Str());
                known->second = embedded != nullptr
                                    ? embedded_picture(*embedded, pictures)
                                    : io::load_picture(pictures, companions, path.parent_path(), file.C_Str(),
                                                       path.filename().string(), monitor);
            }
            material.base_color_texture.image = known->second;
        }
        result.materials.push_back(std::move(material));
    }
    result.images = std::move(pictures.images);
}

using math::Mat4d;
using math::Quatf;
using math::Vec3f;

Mat4d to_matrix(const aiMatrix4x4& m) {
    Mat4d result;
    result << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3, m.c4, 0, 0, 0, 1;
    return result;
}

Vec3f to_vector(const aiVector3D& v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

/// Nodes by name: in Blender's FBX, a bone and a mesh may have the same name.
using Numbers = std::map<std::string, std::vector<int>>;

/// Nodes, parents first.
void add_nodes(const aiNode& root, io::NodeScene& scene, Numbers& numbers, std::vector<const aiNode*>& list) {
    std::vector<std::pair<const aiNode*, int>> stack{{&root, -1}};
    while (!stack.empty()) {
        const auto [node, parent] = stack.back();
        stack.pop_back();
        const int number = static_cast<int>(scene.nodes.size());
        numbers[node->mName.C_Str()].push_back(number);
        scene.nodes.push_back({node->mName.C_Str(), parent, to_matrix(node->mTransformation)});
        list.push_back(node);
        for (unsigned i = node->mNumChildren; i-- > 0;) stack.emplace_back(node->mChildren[i], number);
    }
}

geometry::Mesh to_mesh(const aiMesh& from, std::string name) {
    geometry::Mesh mesh;
    for (unsigned v = 0; v < from.mNumVertices; ++v) {
        mesh.positions.push_back(to_vector(from.mVertices[v]));
        if (!mesh.positions.back().allFinite()) fail("", "vertex {} of mesh \"{}\" is not finite", v, name);
        if (from.HasNormals()) {
            const Vec3f n = to_vector(from.mNormals[v]);
            const float length = n.norm();
            mesh.normals.push_back(length > 0 && std::isfinite(length) ? Vec3f(n / length)
                                                                       : Vec3f(Vec3f::UnitY()));
        }
        for (unsigned set = 0; set < 2; ++set) {
            if (!from.HasTextureCoords(set)) continue;
            const aiVector3D& uv = from.mTextureCoords[set][v];
            mesh.uvs[set].emplace_back(static_cast<float>(uv.x), static_cast<float>(1 - uv.y));
        }
        if (from.HasVertexColors(0)) {
            const aiColor4D& c = from.mColors[0][v];
            mesh.colors.emplace_back(c.r, c.g, c.b, c.a);
        }
    }
    for (unsigned f = 0; f < from.mNumFaces; ++f) {
        const aiFace& face = from.mFaces[f];
        if (face.mNumIndices != 3) continue;
        const unsigned* const i = face.mIndices;
        if (std::max({i[0], i[1], i[2]}) < from.mNumVertices) mesh.triangles.push_back({i[0], i[1], i[2]});
    }
    for (unsigned a = 0; a < from.mNumAnimMeshes; ++a) {
        const aiAnimMesh& shape = *from.mAnimMeshes[a];
        if (!shape.HasPositions() || shape.mNumVertices != from.mNumVertices) continue;
        geometry::Morph& morph = mesh.morphs.emplace_back();
        morph.name = shape.mName.C_Str();
        for (unsigned v = 0; v < from.mNumVertices; ++v) {
            const Vec3f moved = to_vector(shape.mVertices[v]) - mesh.positions[v];
            morph.positions.push_back(moved.allFinite() ? moved : Vec3f(Vec3f::Zero()));
        }
    }
    const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
    mesh.parts.push_back({std::move(name), 0, count, static_cast<int>(from.mMaterialIndex)});
    return mesh;
}

/// Prefers bones to meshes.
int bone_node(const std::vector<int>& same, const std::vector<const aiNode*>& nodes) {
    const auto bone = std::ranges::find_if(
        same, [&](int number) { return nodes[static_cast<std::size_t>(number)]->mNumMeshes == 0; });
    return bone == same.end() ? same.front() : *bone;
}

void add_bones(const aiMesh& from, const std::vector<const aiNode*>& nodes, const Numbers& numbers,
               io::SceneMesh& mesh, Monitor& monitor) {
    for (unsigned b = 0; b < from.mNumBones; ++b) {
        const aiBone& bone = *from.mBones[b];
        const auto found = numbers.find(bone.mName.C_Str());
        if (found == numbers.end()) {
            warn(monitor, "import-unknown-bone", "bone \"{}\" is not a node: its weights were left out",
                 bone.mName.C_Str());
            continue;
        }
        io::SceneBone& added = mesh.bones.emplace_back();
        added.node = bone_node(found->second, nodes);
        added.inverse_bind = to_matrix(bone.mOffsetMatrix);
        for (unsigned w = 0; w < bone.mNumWeights; ++w) {
            added.weights.push_back(
                {bone.mWeights[w].mVertexId, static_cast<float>(bone.mWeights[w].mWeight)});
        }
    }
}

void add_meshes(const aiScene& from, const std::vector<const aiNode*>& nodes, const Numbers& numbers,
                const std::vector<std::string>& studio, io::NodeScene& scene, Monitor& monitor) {
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        for (unsigned i = 0; i < nodes[n]->mNumMeshes; ++i) {
            const aiMesh& mesh = *from.mMeshes[nodes[n]->mMeshes[i]];
            if (mesh.mNumVertices == 0) continue;
            // An object with several materials is read as several meshes of one node.
            std::string name = nodes[n]->mName.C_Str();
            const unsigned number = nodes[n]->mMeshes[i];
            if (name.empty() || n == 0) name = mesh.mName.C_Str();
            if (studio.size() == from.mNumMeshes) name = studio[number];
            io::SceneMesh& added = scene.meshes.emplace_back();
            added.mesh = to_mesh(mesh, std::move(name));
            added.node = static_cast<int>(n);
            add_bones(mesh, nodes, numbers, added, monitor);
        }
    }
}

/// Keys in increasing single-precision time; of several at the same time the last is kept.
template <class Value, class Key, class Read>
model::Keys<Value> to_keys(const Key* keys, unsigned count, double ticks, const Read& read) {
    std::vector<std::pair<float, Value>> list;
    for (unsigned k = 0; k < count; ++k)
        list.emplace_back(static_cast<float>(keys[k].mTime / ticks), read(keys[k]));
    std::stable_sort(list.begin(), list.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    model::Keys<Value> result;
    std::vector<float> times;
    for (const auto& [time, value] : list) {
        if (!std::isfinite(time)) continue;
        if (!times.empty() && time <= times.back()) {
            result.values.back() = value;
        } else {
            times.push_back(time);
            result.values.push_back(value);
        }
    }
    if (!times.empty()) result.times = model::KeyTimes::listed(std::move(times));
    return result;
}

Quatf to_rotation(const aiQuaternion& q) {
    const Quatf result(static_cast<float>(q.w), static_cast<float>(q.x), static_cast<float>(q.y),
                       static_cast<float>(q.z));
    const float length = result.norm();
    return length > 1e-6f && std::isfinite(length) ? result.normalized() : Quatf::Identity();
}

model::Track to_track(const aiNodeAnim& from, int node, double ticks) {
    const auto vector = [](const aiVectorKey& key) { return to_vector(key.mValue); };
    model::Track track;
    track.joint = node;
    track.translation = to_keys<Vec3f>(from.mPositionKeys, from.mNumPositionKeys, ticks, vector);
    track.rotation = to_keys<Quatf>(from.mRotationKeys, from.mNumRotationKeys, ticks,
                                    [](const aiQuatKey& key) { return to_rotation(key.mValue); });
    for (std::size_t i = 1; i < track.rotation.values.size(); ++i) {
        track.rotation.values[i] = math::aligned(track.rotation.values[i], track.rotation.values[i - 1]);
    }
    track.scale = to_keys<Vec3f>(from.mScalingKeys, from.mNumScalingKeys, ticks, vector);
    return track;
}

/// Of nodes with the same name, the one whose rest transform is nearest to the start of the motion.
int moved_node(const std::vector<int>& same, const model::Track& track, const io::NodeScene& scene) {
    const auto distance = [&](int number) {
        const math::Transform rest =
            math::decompose(scene.nodes[static_cast<std::size_t>(number)].matrix).transform;
        double sum = 0;
        if (!track.translation.values.empty())
            sum += (track.translation.values[0].cast<double>() - rest.translation).norm() /
                   (1e-9 + rest.translation.norm());
        if (!track.rotation.values.empty())
            sum += 1 - std::abs(track.rotation.values[0].cast<double>().dot(rest.rotation));
        return sum;
    };
    return *std::ranges::min_element(same, {}, distance);
}

void add_clips(const aiScene& from, const Numbers& numbers, io::NodeScene& scene) {
    for (unsigned a = 0; a < from.mNumAnimations; ++a) {
        const aiAnimation& animation = *from.mAnimations[a];
        // A file without a rate uses seconds, or frames of 1/25 s, as assimp's own viewer assumes.
        const double ticks = animation.mTicksPerSecond > 0 ? animation.mTicksPerSecond : 25;
        std::map<int, model::Track> tracks;
        for (unsigned c = 0; c < animation.mNumChannels; ++c) {
            const auto found = numbers.find(animation.mChannels[c]->mNodeName.C_Str());
            if (found == numbers.end()) continue;
            model::Track track = to_track(*animation.mChannels[c], -1, ticks);
            track.joint = moved_node(found->second, track, scene);
            tracks.insert_or_assign(track.joint, std::move(track));
        }
        model::Clip clip;
        clip.name = animation.mName.C_Str();
        for (auto& [node, track] : tracks) clip.tracks.push_back(std::move(track));
        if (!clip.empty()) scene.clips.push_back(std::move(clip));
    }
}

/// Settings in an FBX file.
struct Settings {
    double metres = 1;  ///< metres per unit
    double rate = 0;    ///< frames per second; 0 when the file does not state it
};

Settings settings_of(const aiScene& scene) {
    Settings settings;
    // In centimetres. Other formats have no such value, or assimp has already applied it.
    float unit = 0;
    double exact = 0;
    if (scene.mMetaData == nullptr) return settings;
    if (scene.mMetaData->Get("UnitScaleFactor", unit)) exact = static_cast<double>(unit);
    if (exact > 0 || scene.mMetaData->Get("UnitScaleFactor", exact)) settings.metres = 0.01 * exact;
    if (!(settings.metres > 1e-6 && settings.metres < 1e6)) settings.metres = 1;
    // The numbers of FbxTime::EMode; 14 means a custom rate.
    constexpr double rates[] = {0,          120, 100, 60,   50,         48, 30, 30, 30 / 1.001,
                                30 / 1.001, 25,  24,  1000, 24 / 1.001, 0,  96, 72, 60 / 1.001};
    std::int32_t mode = 0;
    float custom = 0;
    if (scene.mMetaData->Get("FrameRate", mode) && mode >= 0 && mode < static_cast<int>(std::size(rates)))
        settings.rate = rates[mode];
    if (mode == 14 && scene.mMetaData->Get("CustomFrameRate", custom) && custom > 0)
        settings.rate = static_cast<double>(custom);
    return settings;
}

/// An object with several materials is read as several meshes: its shapes of equal name form one morph.
void join_morphs(geometry::Mesh& mesh, std::vector<std::string>& owners) {
    std::vector<geometry::Morph> joined;
    std::vector<std::string> kept;
    for (std::size_t m = 0; m < mesh.morphs.size(); ++m) {
        geometry::Morph& morph = mesh.morphs[m];
        std::size_t k = 0;
        while (k < joined.size() && (joined[k].name != morph.name || kept[k] != owners[m] ||
                                     joined[k].first + joined[k].positions.size() != morph.first))
            ++k;
        if (k == joined.size()) {
            joined.push_back(std::move(morph));
            kept.push_back(owners[m]);
        } else {
            joined[k].positions.insert(joined[k].positions.end(), morph.positions.begin(),
                                       morph.positions.end());
        }
    }
    mesh.morphs = std::move(joined);
    owners = std::move(kept);
}

/// Weights of shapes over time; `owners` are the nodes of the morphs.
void add_morph_tracks(const aiScene& from, const std::vector<std::string>& owners,
                      model::Character& character) {
    for (unsigned a = 0; a < from.mNumAnimations; ++a) {
        const aiAnimation& animation = *from.mAnimations[a];
        const double ticks = animation.mTicksPerSecond > 0 ? animation.mTicksPerSecond : 25;
        std::map<int, model::MorphTrack> tracks;
        for (unsigned c = 0; c < animation.mNumMorphMeshChannels; ++c) {
            const aiMeshMorphAnim& channel = *animation.mMorphMeshChannels[c];
            // assimp appends a star and a number to the node name.
            std::string owner = channel.mName.C_Str();
            owner = owner.substr(0, owner.find('*'));
            std::vector<int> morphs;
            for (std::size_t m = 0; m < owners.size(); ++m)
                if (owners[m] == owner) morphs.push_back(static_cast<int>(m));
            for (std::size_t shape = 0; shape < morphs.size(); ++shape) {
                std::vector<aiVectorKey> keys;
                for (unsigned k = 0; k < channel.mNumKeys; ++k)
                    for (unsigned i = 0; i < channel.mKeys[k].mNumValuesAndWeights; ++i)
                        if (channel.mKeys[k].mValues[i] == shape)
                            keys.emplace_back(
                                channel.mKeys[k].mTime,
                                aiVector3D(static_cast<ai_real>(channel.mKeys[k].mWeights[i]), 0, 0));
                model::MorphTrack track;
                track.morph = morphs[shape];
                track.weight =
                    to_keys<float>(keys.data(), static_cast<unsigned>(keys.size()), ticks,
                                   [](const aiVectorKey& key) { return static_cast<float>(key.mValue.x); });
                if (!track.weight.empty()) tracks[track.morph] = std::move(track);
            }
        }
        if (tracks.empty()) continue;
        const auto same =
            std::find_if(character.clips.begin(), character.clips.end(),
                         [&](const model::Clip& clip) { return clip.name == animation.mName.C_Str(); });
        model::Clip& clip = same == character.clips.end() ? character.clips.emplace_back() : *same;
        clip.name = animation.mName.C_Str();
        for (auto& [morph, track] : tracks) clip.morph_tracks.push_back(std::move(track));
    }
}

/// Nodes, meshes with their bones, materials with their pictures, and motions.
io::NodeScene convert(const aiScene& from, const std::filesystem::path& path,
                      const io::Companions& companions, Monitor& monitor) {
    io::NodeScene scene;
    scene.name = path.stem().string();
    scene.fold_containers = true;
    Numbers numbers;
    std::vector<const aiNode*> nodes;
    if (from.mRootNode == nullptr) fail(path.string(), "holds no scene");
    add_nodes(*from.mRootNode, scene, numbers, nodes);
    add_meshes(from, nodes, numbers, studio_object_names(path), scene, monitor);
    convert_materials(from, path, companions, scene, monitor);
    add_clips(from, numbers, scene);
    return scene;
}

/// Joints "NAME_end" that only mark the end of the bone NAME, as Blender and our writers add them: for each
/// joint whether it is one. A file from two programs has two ends.
std::vector<char> find_ends(const model::Character& character) {
    const model::Skeleton& skeleton = character.skeleton;
    const auto children = model::children(skeleton);
    std::vector<char> end(skeleton.size(), 0);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const std::string name = skeleton.joints[j].name + "_end";
        const auto is_end = [&](int child) {
            const auto c = static_cast<std::size_t>(child);
            return children[c].empty() && skeleton.joints[c].name.starts_with(name);
        };
        if (!std::ranges::all_of(children[j], is_end)) continue;
        for (const int child : children[j]) end[static_cast<std::size_t>(child)] = 1;
    }
    for (const model::Influence& influence : character.skin.influences)
        end[static_cast<std::size_t>(character.skin.joints[influence.joint].joint)] = 0;
    return end;
}

/// Converts such joints to tips.
void make_tips_of_ends(model::Character& character) {
    const std::vector<char> end = find_ends(character);
    std::vector<int> joint_of(end.size(), -1), entry_of;
    model::Skeleton kept;
    for (std::size_t j = 0; j < end.size(); ++j) {
        model::Joint joint = character.skeleton.joints[j];
        if (joint.parent >= 0) joint.parent = joint_of[static_cast<std::size_t>(joint.parent)];
        if (end[j] != 0) {
            kept.joints[static_cast<std::size_t>(joint.parent)].tip = joint.rest.translation;
            continue;
        }
        joint_of[j] = static_cast<int>(kept.size());
        kept.joints.push_back(std::move(joint));
    }
    character.skeleton = std::move(kept);
    const auto now = [&](int joint) { return joint_of[static_cast<std::size_t>(joint)]; };
    std::vector<model::SkinJoint> palette;
    for (const model::SkinJoint& entry : character.skin.joints) {
        entry_of.push_back(static_cast<int>(palette.size()));
        if (now(entry.joint) >= 0) palette.push_back({now(entry.joint), entry.inverse_bind});
    }
    character.skin.joints = std::move(palette);
    for (model::Influence& influence : character.skin.influences)
        influence.joint = static_cast<std::uint32_t>(entry_of[influence.joint]);
    for (model::Clip& clip : character.clips) {
        std::erase_if(clip.tracks, [&](const model::Track& track) { return now(track.joint) < 0; });
        for (model::Track& track : clip.tracks) track.joint = now(track.joint);
    }
}

/// One line for each warning.
class LineMonitor : public Monitor {
  public:
    void warn(Warning warning) override {
        for (char& c : warning.text) c = c == '\n' ? ' ' : c;
        fmt::print(stderr, "warning {} {}\n", warning.code, warning.text);
    }
};

/// Opens only files that the input may refer to.
class CompanionSystem : public Assimp::DefaultIOSystem {
  public:
    CompanionSystem(io::Companions companions, Monitor& monitor)
        : companions_(std::move(companions)), monitor_(monitor) {}
    bool Exists(const char* file) const override {
        return companions_.may_hold(file) && DefaultIOSystem::Exists(file);
    }
    Assimp::IOStream* Open(const char* file, const char* mode) override {
        if (companions_.may_hold(file)) return DefaultIOSystem::Open(file, mode);
        warn(monitor_, "outside-folder", "\"{}\" lies outside the folder of the file and was not read", file);
        return nullptr;
    }

  private:
    io::Companions companions_;
    Monitor& monitor_;
};

void run(const std::filesystem::path& input, const std::filesystem::path& output, bool allow_outside) {
    LineMonitor monitor;
    io::ReadOptions options;
    options.allow_outside = allow_outside;
    const io::Companions companions = io::companions_of(input, options);
    Assimp::Importer importer;
    importer.SetIOHandler(new CompanionSystem(companions, monitor));  // the importer owns it
    // Without this option, pivots of FBX would become nodes, and then joints that no other program has.
    importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
    // Names, not identifiers.
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, true);
    // Does not create a mesh for a motion or a bare skeleton.
    importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
    importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    const aiScene* const scene = importer.ReadFile(
        input.string(), aiProcess_Triangulate | aiProcess_JoinIdenticalVertices | aiProcess_SortByPType);
    if (scene == nullptr) fail("", "{}", importer.GetErrorString());
    io::NodeScene nodes = convert(*scene, input, companions, monitor);
    std::vector<std::string> owners;
    for (const io::SceneMesh& mesh : nodes.meshes)
        owners.insert(owners.end(), mesh.mesh.morphs.size(),
                      nodes.nodes[static_cast<std::size_t>(mesh.node)].name);
    io::Asset asset;
    asset.character = io::assemble(std::move(nodes), input.filename().string(), monitor);
    make_tips_of_ends(asset.character);
    join_morphs(asset.character.mesh, owners);
    add_morph_tracks(*scene, owners, asset.character);
    const Settings settings = settings_of(*scene);
    if (settings.metres != 1) model::apply(asset.character, {.scale = settings.metres});
    for (model::Clip& clip : asset.character.clips)
        if (settings.rate > 0 && std::abs(model::frame_rate(clip, settings.rate) - settings.rate) > 1e-3)
            clip = model::resampled(clip, settings.rate);
    if (!asset.character.has_mesh() && !asset.character.has_skeleton())
        fail("", "holds neither mesh nor skeleton");
    io::write(output, asset, {}, monitor);
}

}  // namespace
}  // namespace sinew::import

int main(int count, char** arguments) {
    const bool allow_outside = count == 4 && std::string_view(arguments[3]) == "--allow-outside";
    if (count != 3 && !allow_outside) {
        fmt::print(stderr, "usage: sinew-import IN OUT.glb [--allow-outside]\n");
        return 2;
    }
    try {
        sinew::import::run(arguments[1], arguments[2], allow_outside);
        return 0;
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "error the file needs more memory than the importer may use\n");
    } catch (const std::exception& error) {
        fmt::print(stderr, "error {}\n", error.what());
    }
    return 1;
}
