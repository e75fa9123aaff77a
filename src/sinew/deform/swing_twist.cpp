#include "sinew/deform/swing_twist.h"

#include "sinew/base/error.h"
#include "sinew/base/array.h"
#include "sinew/deform/mix.h"

namespace sinew::deform {

using math::Mat4d;
using math::Quatd;
using math::Vec3d;
using model::Bone;
using model::Skeleton;
using model::Skin;

namespace {

/// The bones in the space of the rest shape, where the bind matrices say that the joints are.
std::vector<Bone> bind_bones(const Skin& skin, const Skeleton& skeleton) {
    std::vector<Mat4d> world = model::rest_world_matrices(skeleton);
    for (const model::SkinJoint& entry : skin.joints)
        if (std::abs(entry.inverse_bind.determinant()) > 0)
            world[at(entry.joint)] = math::inverse_affine(entry.inverse_bind);
    return model::bones(skeleton, world);
}

double curve(double weight, double sharpness) {
    const double a = std::pow(weight, sharpness), b = std::pow(1 - weight, sharpness);
    return a / (a + b);
}

/// What all vertices between a joint and its parent share in a pose.
struct Hinge {
    bool usable = false;
    Vec3d center;       ///< rest place of the joint
    Vec3d from, to;     ///< where parent and child take it
    Quatd parent;       ///< rotation of the parent
    SwingTwist motion;  ///< of the child against it

    Vec3d moved(const Vec3d& point, double weight, const SwingTwistOptions& options) const {
        const Quatd none = Quatd::Identity();
        const Quatd turn = math::slerp(curve(weight, options.swing_sharpness), none, motion.swing) *
                           math::slerp(curve(weight, options.twist_sharpness), none, motion.twist);
        return (1 - weight) * from + weight * to + parent * (turn * (point - center));
    }
};

/// Direction of the first bone of a joint; of a leaf without one, that of its parent's bone to it.
Vec3d bone_axis(std::span<const Bone> bones, int joint) {
    const Bone* found = nullptr;
    for (const Bone& bone : bones) {
        if (bone.joint == joint) {
            found = &bone;
            break;
        }
        if (bone.end_joint == joint) found = &bone;
    }
    const Vec3d along = found == nullptr ? Vec3d(Vec3d::Zero()) : Vec3d(found->end - found->start);
    return along.norm() > 0 ? Vec3d(along.normalized()) : Vec3d(Vec3d::UnitY());
}

Hinge make_hinge(const JointFrame& parent, const JointFrame& child, const Vec3d& axis) {
    const Quatd relative = parent.motion.real.conjugate() * child.motion.real;
    return {parent.rigid && child.rigid,
            child.center,
            math::transform_point(parent.matrix, child.center),
            math::transform_point(child.matrix, child.center),
            parent.motion.real,
            split_swing_twist(relative, axis)};
}

/// Place in a set of two joints of the one whose parent is the other; -1 when there is none.
int child_place(std::span<const std::uint32_t> two, const Skin& skin, const Skeleton& skeleton) {
    const int a = skin.joints[two[0]].joint, b = skin.joints[two[1]].joint;
    if (skeleton.joints[at(b)].parent == a) return 1;
    return skeleton.joints[at(a)].parent == b ? 0 : -1;
}

}  // namespace

SwingTwist split_swing_twist(const Quatd& rotation, const Vec3d& unit_axis) {
    const double along = rotation.vec().dot(unit_axis), length = std::hypot(rotation.w(), along);
    if (length < 1e-12) return {rotation, Quatd::Identity()};
    Quatd twist;
    twist.w() = rotation.w() / length;
    twist.vec() = along / length * unit_axis;
    return {rotation * twist.conjugate(), twist};
}

std::vector<Vec3d> deform_swing_twist(const RestShape<double>& rest, const Skin& skin,
                                      const Skeleton& skeleton, std::span<const Mat4d> palette,
                                      const SwingTwistOptions& options) {
    if (!(options.stretch >= 0 && options.stretch <= 1) || !(options.swing_sharpness > 0) ||
        !(options.twist_sharpness > 0))
        fail("swing and twist", "stretch {} (0 to 1), curves {} and {} (above 0)", options.stretch,
             options.swing_sharpness, options.twist_sharpness);
    const model::InfluenceSets sets = model::group_by_influences(skin, &skeleton);
    std::vector<Vec3d> positions =
        deform<double>({rest.positions}, skin, sets, palette, Method::dqs).positions;
    const std::vector<JointFrame> frames = joint_frames(skin, palette);
    const std::vector<Bone> bones = bind_bones(skin, skeleton);
    for (const model::InfluenceSet& set : sets.sets) {
        const std::span<const std::uint32_t> joints = sets.joints_of(set);
        const int child = joints.size() == 2 ? child_place(joints, skin, skeleton) : -1;
        if (child < 0) continue;
        const std::uint32_t entry = joints[at(child)];
        const Hinge hinge = make_hinge(frames[joints[at(1 - child)]], frames[entry],
                                       bone_axis(bones, skin.joints[entry].joint));
        if (!hinge.usable) continue;
        for (std::size_t k = 0; k < set.vertex_count; ++k) {
            const std::uint32_t v = sets.vertices_of(set)[k];
            const Vec3d moved = hinge.moved(rest.positions[v], sets.weights_of(set, at(child))[k], options);
            positions[v] = with_rest_radius(moved, rest.positions[v], skin.of(v), skin, bones, palette,
                                            options.stretch, RadiusRule::keep);
        }
    }
    return positions;
}

}  // namespace sinew::deform
