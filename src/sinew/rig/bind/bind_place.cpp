// SPDX-License-Identifier: MIT
// A skeleton from one file and a mesh from another: whether they belong together, and at which position.

#include "sinew/base/error.h"
#include "sinew/rig/bind.h"
#include "sinew/rig/bind/bind_input.h"

namespace sinew::rig {

namespace {

/// Share of the bones' length that has to lie in a mesh. The smallest share of the 38 characters with known
/// rigs is 0.91; the largest of three motion-capture skeletons in five of them is 0.71.
constexpr double min_inside = 0.8;
/// A skeleton that is moved has to fill the mesh: its diagonal over that of the mesh.
constexpr double min_size = 0.35;

using model::Similarity;

/// Roots may be anywhere: on the floor, or where the motion starts.
std::vector<BoneSegment> bones_below_roots(const model::Skeleton& skeleton) {
    std::vector<BoneSegment> bones = bone_segments(skeleton);
    std::erase_if(bones, [&](const BoneSegment& bone) {
        return skeleton.joints[static_cast<std::size_t>(bone.joint)].parent < 0;
    });
    return bones;
}

geometry::Box box_of(const std::vector<BoneSegment>& bones) {
    geometry::Box box;
    for (const BoneSegment& bone : bones) {
        box.include(bone.start.cast<float>());
        box.include(bone.end.cast<float>());
    }
    return box;
}

class BonesInMesh {
  public:
    BonesInMesh(const geometry::Mesh& mesh, const model::Skeleton& skeleton)
        : surface_(mesh),
          bones_(bones_below_roots(skeleton)),
          mesh_(geometry::bounds(mesh.positions)),
          box_(box_of(bones_)) {}

    double inside(const Similarity& at) const {
        constexpr int samples = 5;     // along a bone
        constexpr float near = 0.02f;  // of the diagonal: joints of artists may lie a little outside
        double sum = 0, all = 0;
        for (const BoneSegment& bone : bones_) {
            const double length = (bone.end - bone.start).norm();
            for (int i = 0; i < samples; ++i) {
                const Vec3d p = bone.start + (i + 0.5) / samples * (bone.end - bone.start);
                const math::Vec3f point = (at * p).cast<float>();
                all += length;
                if (!lies_outside(surface_, point) || surface_.nearest(point, near * mesh_.diagonal()))
                    sum += length;
            }
        }
        return all > 0 ? sum / all : 1;
    }

    /// First other units, then a scale to the height of the mesh, above the middle of its floor.
    std::vector<Similarity> others() const {
        std::vector<Similarity> list;
        for (const double factor : {100.0, 0.01, 1000.0, 0.001, 10.0, 0.1, 39.3701, 0.0254, 2.54, 0.393701})
            list.push_back({.scale = factor});
        const double height = extent(box_).y();
        if (!(height > 0)) return list;
        // Bones end before they reach the skin: at the ankles or toes, and in the head.
        for (const double part : {1.0, 0.95, 0.9}) {
            Similarity at;
            at.scale = part * extent(mesh_).y() / height;
            at.translation = center(mesh_) - at.scale * center(box_);
            at.translation.y() =
                static_cast<double>(mesh_.low.y()) - at.scale * static_cast<double>(box_.low.y());
            at.translation.y() += 0.3 * (1 - part) * extent(mesh_).y();
            list.push_back(at);
        }
        return list;
    }

    bool around_mesh() const {
        return (box_.low.array() <= mesh_.low.array()).all() &&
               (box_.high.array() >= mesh_.high.array()).all();
    }
    double size() const { return static_cast<double>(box_.diagonal()); }
    double mesh_size() const { return static_cast<double>(mesh_.diagonal()); }

  private:
    static Vec3d extent(const geometry::Box& box) { return box.size().cast<double>(); }
    static Vec3d center(const geometry::Box& box) { return box.center().cast<double>(); }

    geometry::SurfaceQueries surface_;
    std::vector<BoneSegment> bones_;
    geometry::Box mesh_, box_;
};

}  // namespace

Similarity skeleton_to_mesh(const geometry::Mesh& mesh, const model::Skeleton& skeleton, Monitor& monitor) {
    if (mesh.triangles.empty() || skeleton.size() < 2) return {};
    const BonesInMesh bones(mesh, skeleton);
    const double inside = bones.inside({});
    if (inside >= min_inside) return {};
    Similarity best;
    double most = min_inside;
    for (const Similarity& at : bones.others()) {
        if (at.scale * bones.size() < min_size * bones.mesh_size()) continue;
        const double value = bones.inside(at);
        if (!(value > most)) continue;
        most = value;
        best = at;
    }
    if (most > min_inside) {
        warn(monitor, "skeleton-moved",
             "the skeleton is {:.4g} across and the mesh {:.4g}, and {:.0f} % of it lies in the mesh: it was "
             "scaled by {:.4g} and moved by ({:.4g}, {:.4g}, {:.4g}), where {:.0f} % does",
             bones.size(), bones.mesh_size(), 100 * inside, best.scale, best.translation.x(),
             best.translation.y(), best.translation.z(), 100 * most);
        return best;
    }
    if (!bones.around_mesh())
        fail("bind",
             "the skeleton does not lie in the mesh: the mesh is {:.4g} across and the skeleton {:.4g}, and "
             "only {:.0f} % of its bones lie inside; fit it to the body instead (sinew rig MESH --template "
             "SKELETON)",
             bones.mesh_size(), bones.size(), 100 * inside);
    warn(monitor, "skeleton-outside", "only {:.0f} % of the skeleton lies in the mesh, which it surrounds",
         100 * inside);
    return {};
}

}  // namespace sinew::rig
