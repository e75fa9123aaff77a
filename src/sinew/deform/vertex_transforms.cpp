#include "sinew/deform/vertex_transforms.h"

#include "sinew/base/error.h"
#include "sinew/deform/blend_walk.h"

namespace sinew::deform {

template <class T>
std::vector<math::Mat4<T>> vertex_transforms(const model::Skin& skin, const model::InfluenceSets& sets,
                                             std::span<const math::Mat4d> palette, Method method, double size,
                                             const DeformOptions& options) {
    if (palette.size() != skin.joints.size())
        fail("deform", "the palette has {} matrices, the skin {} joints", palette.size(), skin.joints.size());
    if (sets.set_of.size() != skin.vertex_count())
        fail("deform", "the influence sets have {} vertices, the skin {}", sets.set_of.size(),
             skin.vertex_count());
    if (!options.centers.empty() && options.centers.size() != skin.vertex_count())
        fail("deform", "{} centres of rotation for {} vertices", options.centers.size(), skin.vertex_count());
    const std::vector<JointFrame> frames = joint_frames(skin, palette);
    const auto blender = make_blender<T>(method, frames, {options.signs, size, options.centers});
    std::vector<math::Mat4<T>> result(skin.vertex_count(), math::Mat4<T>::Identity());
    for (const model::InfluenceSet& set : sets.sets) {
        if (set.joint_count == 0) fail("deform", "a vertex of the skin has no joint: clean the skin first");
        walk_set(sets, set, *blender, [&](const BlendedVertex<T>& at) {
            result[at.vertex].template topLeftCorner<3, 3>() = at.blend.linear;
            result[at.vertex].template topRightCorner<3, 1>() = at.blend.translation;
        });
    }
    return result;
}

template std::vector<math::Mat4<float>> vertex_transforms(const model::Skin&, const model::InfluenceSets&,
                                                          std::span<const math::Mat4d>, Method, double,
                                                          const DeformOptions&);
template std::vector<math::Mat4<double>> vertex_transforms(const model::Skin&, const model::InfluenceSets&,
                                                           std::span<const math::Mat4d>, Method, double,
                                                           const DeformOptions&);

math::DualQuatd rigid_motion(const math::Mat4d& transform) {
    const math::Mat3d linear = transform.topLeftCorner<3, 3>();
    return math::to_dual_quaternion(
        math::Rigidd{math::from_matrix(linear), math::Vec3d(transform.topRightCorner<3, 1>())});
}

double distance_from_rigid(const math::Mat4d& transform) {
    const math::Mat3d linear = transform.topLeftCorner<3, 3>();
    const math::Mat3d error = linear.transpose() * linear - math::Mat3d::Identity();
    return error.cwiseAbs().maxCoeff();
}

}  // namespace sinew::deform
