// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <type_traits>
#include <utility>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/io/interchange.h"

namespace sinew::io {
namespace {

using math::Mat4d;
using math::Vec3d;
using math::Vec3f;

std::vector<Mat4d> node_worlds(const NodeScene& scene) {
    std::vector<Mat4d> world;
    for (const SceneNode& node : scene.nodes) {
        world.push_back(node.parent < 0 ? node.matrix : Mat4d(world[at(node.parent)] * node.matrix));
    }
    return world;
}

/// The node itself or its nearest ancestor that is marked; -1 when there is none.
int nearest(const NodeScene& scene, int node, const std::vector<char>& chosen) {
    while (node >= 0 && chosen[at(node)] == 0) node = scene.nodes[at(node)].parent;
    return node;
}

/// Determines which nodes become joints.
std::vector<char> choose_joints(const NodeScene& scene) {
    std::vector<char> keep(scene.nodes.size(), scene.meshes.empty() ? 1 : 0);
    bool rigged = false;
    for (const SceneMesh& mesh : scene.meshes) {
        for (const SceneBone& bone : mesh.bones) keep[at(bone.node)] = 1;
        rigged = rigged || !mesh.bones.empty();
    }
    for (const model::Clip& clip : scene.clips) {
        for (const model::Track& track : clip.tracks) keep[at(track.joint)] = 1;
        rigged = rigged || !clip.tracks.empty();
    }
    const std::vector<char> moved = keep;
    for (const SceneMesh& mesh : scene.meshes) {
        if (!rigged || !mesh.bones.empty() || mesh.node < 0) continue;
        const int carrier = scene.fold_containers ? nearest(scene, mesh.node, moved) : -1;
        keep[at(carrier >= 0 ? carrier : mesh.node)] = 1;
    }
    for (std::size_t i = scene.nodes.size(); i-- > 0;) {
        if (keep[i] != 0 && scene.nodes[i].parent >= 0) keep[at(scene.nodes[i].parent)] = 1;
    }
    // "NAME_end" below NAME marks the end of the bone.
    for (std::size_t i = 0; i < scene.nodes.size() && scene.fold_containers; ++i) {
        const int parent = scene.nodes[i].parent;
        if (parent >= 0 && keep[at(parent)] != 0 &&
            scene.nodes[i].name == scene.nodes[at(parent)].name + "_end")
            keep[i] = 1;
    }
    return keep;
}

/// True when all keys are equal to the first.
template <class Value>
bool still(const model::Keys<Value>& keys) {
    return std::all_of(keys.values.begin(), keys.values.end(), [&](const Value& value) {
        if constexpr (std::is_same_v<Value, math::Quatf>)
            return std::abs(value.dot(keys.values[0])) > 1 - 1e-6f;
        else
            return (value - keys.values[0]).norm() <= 1e-5f * (1 + keys.values[0].norm());
    });
}

bool still(const model::Track& track) {
    return still(track.translation) && still(track.rotation) && still(track.scale);
}

/// Removes constant tracks of nodes that are not bones, because exporters write keys for all nodes.
void drop_still_tracks(NodeScene& scene, const std::vector<char>& bone) {
    for (model::Clip& clip : scene.clips)
        std::erase_if(clip.tracks,
                      [&](const model::Track& track) { return bone[at(track.joint)] == 0 && still(track); });
}

/// Nodes that only contain the skeleton, from the root down to the first with another purpose.
std::vector<char> find_containers(NodeScene& scene) {
    std::vector<char> bone(scene.nodes.size(), 0), container(scene.nodes.size(), 0);
    bool any = false;
    for (const SceneMesh& mesh : scene.meshes)
        for (const SceneBone& entry : mesh.bones) bone[at(entry.node)] = any = true;
    if (!scene.fold_containers || !any) return container;
    drop_still_tracks(scene, bone);
    std::vector<char> kept = bone, holds_mesh(scene.nodes.size(), 0), below_bone(scene.nodes.size(), 0);
    for (const model::Clip& clip : scene.clips)
        for (const model::Track& track : clip.tracks) kept[at(track.joint)] = 1;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const int parent = scene.nodes[i].parent;
        below_bone[i] = bone[i] != 0 || (parent >= 0 && below_bone[at(parent)] != 0);
    }
    for (const SceneMesh& mesh : scene.meshes)
        for (int node = mesh.node; node >= 0; node = scene.nodes[at(node)].parent)
            holds_mesh[at(node)] = holds_mesh[at(node)] != 0 || below_bone[at(mesh.node)] == 0;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const SceneNode& node = scene.nodes[i];
        const bool top = node.parent < 0 || container[at(node.parent)] != 0;
        const math::Decomposition parts = math::decompose(node.matrix);
        const Vec3d& scale = parts.transform.scale;
        const double size = scale.cwiseAbs().maxCoeff();
        const bool similar =
            parts.shear < 1e-5 * size && (scale.array() - scale[0]).abs().maxCoeff() < 1e-5 * size;
        const bool scaled = std::abs(size - 1) > 1e-5;
        const bool holds = node.parent < 0 || scaled || holds_mesh[i] != 0;
        container[i] = top && kept[i] == 0 && similar && scale[0] > 0 && holds;
    }
    for (const SceneMesh& mesh : scene.meshes)
        if (mesh.bones.empty() && mesh.node >= 0) container[at(mesh.node)] = 0;
    return container;
}

/// The transform of a container is applied to the joint below it and to the keys of this joint.
void fold_into(model::Track& track, const model::Similarity& above) {
    for (Vec3f& value : track.translation.values) value = (above * Vec3d(value.cast<double>())).cast<float>();
    for (math::Quatf& value : track.rotation.values)
        value = (above.rotation.cast<float>() * value).normalized();
    for (Vec3f& value : track.scale.values) value *= static_cast<float>(above.scale);
}

/// Every node below a container becomes a root; containers have no parent.
void fold_containers(NodeScene& scene) {
    const std::vector<char> container = find_containers(scene);
    if (std::none_of(container.begin(), container.end(), [](char c) { return c != 0; })) return;
    const std::vector<Mat4d> world = node_worlds(scene);
    std::map<int, model::Similarity> folded;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        SceneNode& node = scene.nodes[i];
        if (node.parent < 0 || container[i] != 0 || container[at(node.parent)] == 0) continue;
        const math::Transform above = math::decompose(world[at(node.parent)]).transform;
        folded[static_cast<int>(i)] = {above.scale.mean(), above.rotation, above.translation};
        node.matrix = world[i];
        node.parent = -1;
    }
    for (model::Clip& clip : scene.clips)
        for (model::Track& track : clip.tracks)
            if (const auto found = folded.find(track.joint); found != folded.end())
                fold_into(track, found->second);
}

/// Joints of the marked nodes; `joint_of` gets the joint of each node, or -1.
model::Skeleton make_skeleton(const NodeScene& scene, std::vector<int>& joint_of, std::string_view location,
                              Monitor& monitor) {
    const std::vector<char> keep = choose_joints(scene);
    model::Skeleton skeleton;
    joint_of.assign(scene.nodes.size(), -1);
    std::size_t roots = 0, sheared = 0;
    for (std::size_t i = 0; i < keep.size(); ++i) {
        if (keep[i] != 0 && scene.nodes[i].parent < 0) ++roots;
    }
    const bool add_root = scene.single_root && roots > 1;
    if (add_root) skeleton.joints.emplace_back().name = "root";
    for (std::size_t i = 0; i < keep.size(); ++i) {
        if (keep[i] == 0) continue;
        const SceneNode& node = scene.nodes[i];
        const math::Decomposition parts = math::decompose(node.matrix);
        sheared += parts.shear > 1e-4 ? 1 : 0;
        joint_of[i] = static_cast<int>(skeleton.size());
        const int parent = node.parent < 0 ? (add_root ? 0 : -1) : joint_of[at(node.parent)];
        skeleton.joints.push_back({node.name, parent, parts.transform, {}, {}});
    }
    if (sheared > 0) {
        warn(monitor, "scene-shear", "{}: {} nodes are sheared: translation, rotation and scale are kept",
             location, sheared);
    }
    model::make_names_unique(skeleton);
    return skeleton;
}

void move(geometry::Mesh& mesh, const Mat4d& matrix) {
    if (matrix.isIdentity(0)) return;
    const math::Mat3d linear = matrix.topLeftCorner<3, 3>();
    // Normals are transformed by the cofactors, which also exist for singular matrices.
    math::Mat3d cofactors;
    for (int i = 0; i < 3; ++i) cofactors.col(i) = linear.col((i + 1) % 3).cross(linear.col((i + 2) % 3));
    for (Vec3f& p : mesh.positions) p = math::transform_point(matrix, p.cast<double>()).cast<float>();
    for (geometry::Morph& morph : mesh.morphs) {
        for (Vec3f& p : morph.positions) p = (linear * p.cast<double>()).cast<float>();
        morph.normals.clear();  // a difference of directions, which this matrix may change
    }
    const bool mirrored = linear.determinant() < 0;
    for (Vec3f& n : mesh.normals) {
        const Vec3d rotated = (mirrored ? -1 : 1) * (cofactors * n.cast<double>());
        const double length = rotated.norm();
        if (length > 0) n = (rotated / length).cast<float>();
    }
    if (mirrored) {
        for (geometry::Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
    }
}

/// The transform to the rest position, world * inverse_bind, if it is equal for all bones of a mesh; else the
/// identity.
Mat4d rest_placement(const SceneMesh& mesh, const std::vector<Mat4d>& world) {
    const Mat4d first = world[at(mesh.bones[0].node)] * mesh.bones[0].inverse_bind;
    if (first.isIdentity(1e-5) || !first.allFinite()) return Mat4d::Identity();
    const double size = first.cwiseAbs().maxCoeff();
    for (const SceneBone& bone : mesh.bones) {
        const Mat4d other = world[at(bone.node)] * bone.inverse_bind;
        if (!((other - first).cwiseAbs().maxCoeff() <= 1e-4 * size)) return Mat4d::Identity();
    }
    const Mat4d inverse = math::inverse_affine(first);
    return inverse.allFinite() ? first : Mat4d(Mat4d::Identity());
}

class SkinBuilder {
  public:
    SkinBuilder(const NodeScene& scene, const std::vector<int>& joint_of, const std::vector<Mat4d>& world)
        : scene_(scene), joint_of_(joint_of), world_(world) {}

    /// Binds the vertices of a mesh, which were moved to the rest pose.
    void add(SceneMesh& mesh) {
        if (mesh.bones.empty()) {
            add_rigid(mesh);
            return;
        }
        const Mat4d placement = rest_placement(mesh, world_);
        const Mat4d back = math::inverse_affine(placement);
        move(mesh.mesh, placement);
        std::vector<std::vector<model::Influence>> lists(mesh.mesh.vertex_count());
        std::vector<std::uint32_t> entries;
        for (const SceneBone& bone : mesh.bones) {
            const std::uint32_t entry = palette_entry(joint_of_[at(bone.node)], bone.inverse_bind * back);
            entries.push_back(entry);
            for (const model::VertexWeight& w : bone.weights) {
                if (w.vertex < lists.size()) lists[w.vertex].push_back({entry, w.weight});
            }
        }
        for (const auto& list : lists) skin.push_vertex(list);
        ranges_.push_back({skin.vertex_count(), std::move(entries)});
    }

    model::SkinCleanReport finish(const geometry::Mesh& mesh) {
        std::vector<Vec3d> positions;
        for (const model::SkinJoint& entry : skin.joints) {
            positions.push_back(math::inverse_affine(entry.inverse_bind).topRightCorner<3, 1>());
        }
        return model::clean(skin, {0, 0}, [&](std::size_t vertex) {
            const auto range = std::upper_bound(ranges_.begin(), ranges_.end(), vertex,
                                                [](std::size_t v, const Range& r) { return v < r.end; });
            const Vec3d p = mesh.positions[vertex].cast<double>();
            return *std::min_element(
                range->entries.begin(), range->entries.end(), [&](std::uint32_t a, std::uint32_t b) {
                    return (positions[a] - p).squaredNorm() < (positions[b] - p).squaredNorm();
                });
        });
    }

    model::Skin skin;

  private:
    /// The range of vertices up to `end`, and the palette entries of their mesh.
    struct Range {
        std::size_t end;
        std::vector<std::uint32_t> entries;
    };

    /// The palette entry of a joint with this matrix; an entry of an earlier mesh is reused.
    std::uint32_t palette_entry(int joint, const Mat4d& inverse_bind) {
        const double size = inverse_bind.cwiseAbs().maxCoeff();
        for (const std::uint32_t i : entries_of_[joint]) {
            if ((skin.joints[i].inverse_bind - inverse_bind).cwiseAbs().maxCoeff() <= 1e-6 * size) return i;
        }
        skin.joints.push_back({joint, inverse_bind});
        entries_of_[joint].push_back(static_cast<std::uint32_t>(skin.joints.size() - 1));
        return entries_of_[joint].back();
    }

    void add_rigid(SceneMesh& mesh) {
        int node = mesh.node;
        while (node >= 0 && joint_of_[at(node)] < 0) node = scene_.nodes[at(node)].parent;
        const int joint = node < 0 ? 0 : joint_of_[at(node)];
        const Mat4d inverse = node < 0 ? Mat4d(Mat4d::Identity()) : math::inverse_affine(world_[at(node)]);
        const bool regular = inverse.allFinite();
        if (regular && mesh.node >= 0) move(mesh.mesh, world_[at(mesh.node)]);
        const std::uint32_t entry = palette_entry(joint, regular ? inverse : Mat4d(Mat4d::Identity()));
        const model::Influence whole{entry, 1};
        for (std::size_t v = 0; v < mesh.mesh.vertex_count(); ++v) skin.push_vertex({&whole, 1});
        ranges_.push_back({skin.vertex_count(), {entry}});
    }

    const NodeScene& scene_;
    const std::vector<int>& joint_of_;
    const std::vector<Mat4d>& world_;
    std::vector<Range> ranges_;
    std::map<int, std::vector<std::uint32_t>> entries_of_;
};

/// Computes the normals of a mesh without normals if other meshes have them.
void level_normals(std::vector<SceneMesh>& meshes) {
    const auto has = [](const SceneMesh& m) { return !m.mesh.normals.empty(); };
    if (std::none_of(meshes.begin(), meshes.end(), has)) return;
    for (SceneMesh& m : meshes) {
        if (!has(m)) m.mesh.normals = geometry::vertex_normals(m.mesh.positions, m.mesh.triangles);
    }
}

void number_tracks(std::vector<model::Clip>& clips, const std::vector<int>& joint_of) {
    for (model::Clip& clip : clips) {
        for (model::Track& track : clip.tracks) track.joint = joint_of[at(track.joint)];
        std::sort(clip.tracks.begin(), clip.tracks.end(),
                  [](const model::Track& a, const model::Track& b) { return a.joint < b.joint; });
    }
}

}  // namespace

model::Character assemble(NodeScene scene, std::string_view location, Monitor& monitor) {
    model::Character character;
    character.name = std::move(scene.name);
    fold_containers(scene);
    std::vector<int> joint_of;
    character.skeleton = make_skeleton(scene, joint_of, location, monitor);
    const std::vector<Mat4d> world = node_worlds(scene);
    level_normals(scene.meshes);
    SkinBuilder builder(scene, joint_of, world);
    for (SceneMesh& mesh : scene.meshes) {
        if (character.has_skeleton()) {
            builder.add(mesh);
        } else if (mesh.node >= 0) {
            move(mesh.mesh, world[at(mesh.node)]);
        }
        geometry::append(character.mesh, mesh.mesh);
        mesh = {};
    }
    if (!character.mesh.empty() && character.has_skeleton()) {
        model::warn_about(builder.finish(character.mesh), location, monitor);
        character.skin = std::move(builder.skin);
    }
    character.mesh.materials = std::move(scene.materials);
    character.mesh.images = std::move(scene.images);
    character.clips = std::move(scene.clips);
    number_tracks(character.clips, joint_of);
    return character;
}

}  // namespace sinew::io
