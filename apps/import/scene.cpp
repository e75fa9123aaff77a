#include "scene.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/base/error.h"

namespace sinew::import {
namespace {

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

using Numbers = std::map<std::string, int>;

/// Nodes with parents first; names that stand twice mean the first.
void add_nodes(const aiNode& root, io::NodeScene& scene, Numbers& numbers, std::vector<const aiNode*>& list) {
    std::vector<std::pair<const aiNode*, int>> stack{{&root, -1}};
    while (!stack.empty()) {
        const auto [node, parent] = stack.back();
        stack.pop_back();
        const int number = static_cast<int>(scene.nodes.size());
        numbers.emplace(node->mName.C_Str(), number);
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
    const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
    mesh.parts.push_back({std::move(name), 0, count, static_cast<int>(from.mMaterialIndex)});
    return mesh;
}

void add_bones(const aiMesh& from, const Numbers& numbers, io::SceneMesh& mesh, Monitor& monitor) {
    for (unsigned b = 0; b < from.mNumBones; ++b) {
        const aiBone& bone = *from.mBones[b];
        const auto found = numbers.find(bone.mName.C_Str());
        if (found == numbers.end()) {
            warn(monitor, "import-unknown-bone", "bone \"{}\" is no node: its weights were left out",
                 bone.mName.C_Str());
            continue;
        }
        io::SceneBone& added = mesh.bones.emplace_back();
        added.node = found->second;
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
            // An object with several materials comes as several meshes of one node.
            std::string name = nodes[n]->mName.C_Str();
            const unsigned number = nodes[n]->mMeshes[i];
            if (name.empty() || n == 0) name = mesh.mName.C_Str();
            if (studio.size() == from.mNumMeshes) name = studio[number];
            io::SceneMesh& added = scene.meshes.emplace_back();
            added.mesh = to_mesh(mesh, std::move(name));
            added.node = static_cast<int>(n);
            add_bones(mesh, numbers, added, monitor);
        }
    }
}

/// Keys in rising single-precision time; of several at one time the last stays.
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

void add_clips(const aiScene& from, const Numbers& numbers, io::NodeScene& scene) {
    for (unsigned a = 0; a < from.mNumAnimations; ++a) {
        const aiAnimation& animation = *from.mAnimations[a];
        // A file that states no rate counts in seconds, or in frames of 1/25 s, as assimp's own viewer takes
        // it.
        const double ticks = animation.mTicksPerSecond > 0 ? animation.mTicksPerSecond : 25;
        std::map<int, model::Track> tracks;
        for (unsigned c = 0; c < animation.mNumChannels; ++c) {
            const auto found = numbers.find(animation.mChannels[c]->mNodeName.C_Str());
            if (found != numbers.end())
                tracks.insert_or_assign(found->second,
                                        to_track(*animation.mChannels[c], found->second, ticks));
        }
        model::Clip clip;
        clip.name = animation.mName.C_Str();
        for (auto& [node, track] : tracks) clip.tracks.push_back(std::move(track));
        if (!clip.empty()) scene.clips.push_back(std::move(clip));
    }
}

}  // namespace

io::NodeScene convert(const aiScene& from, const std::filesystem::path& path, Monitor& monitor) {
    io::NodeScene scene;
    scene.name = path.stem().string();
    Numbers numbers;
    std::vector<const aiNode*> nodes;
    if (from.mRootNode == nullptr) fail(path.string(), "holds no scene");
    add_nodes(*from.mRootNode, scene, numbers, nodes);
    add_meshes(from, nodes, numbers, studio_object_names(path), scene, monitor);
    convert_materials(from, path, scene, monitor);
    add_clips(from, numbers, scene);
    return scene;
}

}  // namespace sinew::import
