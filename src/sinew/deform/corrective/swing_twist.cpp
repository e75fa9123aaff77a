// SPDX-License-Identifier: MIT
#include "sinew/deform/corrective/swing_twist.h"

#include <algorithm>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/deform/blend.h"

namespace sinew::deform {

using math::Mat4d;
using math::Quatd;
using math::Vec3d;
using model::Bone;
using model::Skeleton;
using model::Skin;

namespace {

Vec3d nearest_on(const Vec3d& start, const Vec3d& end, const Vec3d& point) {
    const Vec3d along = end - start;
    const double square = along.squaredNorm();
    if (square == 0) return start;
    return start + std::clamp(along.dot(point - start) / square, 0.0, 1.0) * along;
}

/// The bone of a joint that is nearest to a rest point, or null.
const Bone* nearest_bone(std::span<const Bone> bones, int joint, const Vec3d& point) {
    const Bone* nearest = nullptr;
    double best = HUGE_VAL;
    for (const Bone& bone : bones) {
        const double distance = (point - nearest_on(bone.start, bone.end, point)).norm();
        if (bone.joint != joint || distance >= best) continue;
        nearest = &bone;
        best = distance;
    }
    return nearest;
}

/// Which vertices are moved back to their rest distance from a bone.
enum class RadiusRule {
    limit,  ///< those that are further away
    keep,   ///< all
};

Vec3d pulled(const Vec3d& moved, const Vec3d& rest, const Bone& bone, const Mat4d& matrix, double strength,
             RadiusRule rule) {
    const double radius = (rest - nearest_on(bone.start, bone.end, rest)).norm();
    const Vec3d anchor =
        nearest_on(math::transform_point(matrix, bone.start), math::transform_point(matrix, bone.end), moved);
    const double distance = (moved - anchor).norm();
    if (distance <= (rule == RadiusRule::limit ? radius : 1e-9 * radius)) return moved;
    return anchor + std::pow(radius / distance, strength) * (moved - anchor);
}

/// One vertex moved back: v'' = a + (v' - a) (r / |v' - a|)^strength with a the nearest point of the posed
/// bone and r the rest distance, averaged over its bones by its weights.
Vec3d with_rest_radius(const Vec3d& moved, const Vec3d& rest, std::span<const model::Influence> influences,
                       const model::Skin& skin, std::span<const Bone> bones, std::span<const Mat4d> palette,
                       double strength, RadiusRule rule) {
    Vec3d sum = Vec3d::Zero();
    double total = 0;
    for (const model::Influence& influence : influences) {
        const Bone* bone = nearest_bone(bones, skin.joints[influence.joint].joint, rest);
        const double w = influence.weight;
        total += w;
        sum += w * (bone == nullptr ? moved
                                    : pulled(moved, rest, *bone, palette[influence.joint], strength, rule));
    }
    return total > 0 ? Vec3d(sum / total) : moved;
}

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

/// Values in a pose that all vertices between a joint and its parent share.
struct Hinge {
    bool usable = false;
    Vec3d center;       ///< rest position of the joint
    Vec3d from, to;     ///< its images under parent and child
    Quatd parent;       ///< rotation of the parent
    SwingTwist motion;  ///< of the child relative to it

    Vec3d moved(const Vec3d& point, double weight, const SwingTwistOptions& options) const {
        const Quatd none = Quatd::Identity();
        const Quatd rotation = math::slerp(curve(weight, options.swing_sharpness), none, motion.swing) *
                               math::slerp(curve(weight, options.twist_sharpness), none, motion.twist);
        return (1 - weight) * from + weight * to + parent * (rotation * (point - center));
    }
};

/// Direction of the first bone of a joint; for a leaf without a bone, of its parent's bone to it.
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

/// The motion of a joint at its rest position in a pose.
struct PosedJoint {
    PosedJoint(const Mat4d& posed, const Vec3d& at_rest)
        : matrix(posed), center(at_rest), motion(split_motion(posed, at_rest, rigid)) {}

    Mat4d matrix;
    Vec3d center;
    bool rigid = true;
    JointMotion motion;
};

Hinge make_hinge(const PosedJoint& parent, const PosedJoint& child, const Vec3d& axis) {
    const Quatd relative = parent.motion.rigid.rotation.conjugate() * child.motion.rigid.rotation;
    return {parent.rigid && child.rigid,
            child.center,
            math::transform_point(parent.matrix, child.center),
            math::transform_point(child.matrix, child.center),
            parent.motion.rigid.rotation,
            split_swing_twist(relative, axis)};
}

/// Of a set of two joints, the index of the one whose parent is the other; -1 if there is none.
int child_index(std::span<const std::uint32_t> two, const Skin& skin, const Skeleton& skeleton) {
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

BoneCorrector::BoneCorrector(const Skin& skin, const Skeleton& skeleton, const SwingTwistOptions& options)
    : skin_(skin),
      skeleton_(skeleton),
      options_(options),
      sets_(model::group_by_influences(skin, &skeleton)),
      bones_(bind_bones(skin, skeleton)) {
    if (!(options.stretch >= 0 && options.stretch <= 1) || !(options.swing_sharpness > 0) ||
        !(options.twist_sharpness > 0))
        fail("swing and twist", "stretch {} (0 to 1), curves {} and {} (above 0)", options.stretch,
             options.swing_sharpness, options.twist_sharpness);
}

void BoneCorrector::check(std::size_t rest, std::size_t palette, std::size_t positions) const {
    if (positions != skin_.vertex_count() || rest != positions || palette != skin_.joints.size())
        fail("deform", "the skin has {} vertices and {} joints, the shape {} and the palette {}",
             skin_.vertex_count(), skin_.joints.size(), positions, palette);
}

void BoneCorrector::swing_twist(std::span<const Vec3d> rest, std::span<const Mat4d> palette,
                                std::span<Vec3d> positions) const {
    check(rest.size(), palette.size(), positions.size());
    const auto posed = [&](std::uint32_t entry) {
        return PosedJoint(palette[entry], rest_center(skin_.joints[entry].inverse_bind));
    };
    for (const model::InfluenceSet& set : sets_.sets) {
        const std::span<const std::uint32_t> joints = sets_.joints_of(set);
        const int child = joints.size() == 2 ? child_index(joints, skin_, skeleton_) : -1;
        if (child < 0) continue;
        const std::uint32_t entry = joints[at(child)];
        const Hinge hinge = make_hinge(posed(joints[at(1 - child)]), posed(entry),
                                       bone_axis(bones_, skin_.joints[entry].joint));
        if (!hinge.usable) continue;
        for (std::size_t k = 0; k < set.vertex_count; ++k) {
            const std::uint32_t v = sets_.vertices_of(set)[k];
            const Vec3d moved = hinge.moved(rest[v], sets_.weights_of(set, at(child))[k], options_);
            positions[v] = with_rest_radius(moved, rest[v], skin_.of(v), skin_, bones_, palette,
                                            options_.stretch, RadiusRule::keep);
        }
    }
}

void BoneCorrector::limit_bulge(std::span<const Vec3d> rest, std::span<const Mat4d> palette,
                                std::span<Vec3d> positions) const {
    check(rest.size(), palette.size(), positions.size());
    for (std::size_t v = 0; v < positions.size(); ++v)
        positions[v] = with_rest_radius(positions[v], rest[v], skin_.of(v), skin_, bones_, palette,
                                        options_.stretch, RadiusRule::limit);
}

}  // namespace sinew::deform
