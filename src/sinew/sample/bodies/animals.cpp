// SPDX-License-Identifier: MIT
#include "sinew/sample/bodies/animals.h"

#include <cmath>

#include "sinew/base/array.h"
#include "sinew/math/quaternion.h"

namespace sinew::sample {

model::Character make_animal(const Animal& animal, std::size_t faces) {
    CountedMeshOptions options = animal.mesh;
    if (faces > 0) options.faces = faces;
    const BodyMesh body = mesh_body(animal.body, options);
    model::Character character;
    character.name = animal.name;
    character.mesh = colored_mesh(animal.name, body, animal.color);
    character.skeleton = skeleton_of(animal.joints);
    character.skin = symmetric_skin(character.skeleton, shares_of(animal.joints, character.skeleton),
                                    body.positions, body.twin, opposite_joints(character.skeleton));
    return character;
}

namespace {

using math::Mat4d;
using math::Quatd;
using math::radians;
using model::Skeleton;

double wrapped(double phase) {
    return phase - std::floor(phase);
}

Quatd value(const Wave& wave, double phase) {
    return rotation_about(
        wave.axis, wave.mean + wave.amplitude * std::cos(2 * math::pi * (wave.times * phase - wave.lag)));
}

/// Local transforms of a pose, joint by joint.
class Pose {
  public:
    explicit Pose(const Skeleton& skeleton) : skeleton_(skeleton) {
        for (const model::Joint& joint : skeleton.joints) local_.push_back(joint.rest);
    }

    math::Transform& local(int joint) { return local_[at(joint)]; }
    const std::vector<math::Transform>& all() const { return local_; }
    Mat4d world(int joint) const {
        Mat4d matrix = Mat4d::Identity();
        for (int j = joint; j >= 0; j = skeleton_.joints[at(j)].parent)
            matrix = local_[at(j)].matrix() * matrix;
        return matrix;
    }
    void apply(const Wave& wave, double phase) {
        if (const int joint = skeleton_.find(wave.joint); joint >= 0) {
            local(joint).rotation = local(joint).rotation * value(wave, phase);
            return;
        }
        math::Transform& left = local(skeleton_.find("Left" + wave.joint));
        math::Transform& right = local(skeleton_.find("Right" + wave.joint));
        left.rotation = left.rotation * value(wave, phase);
        right.rotation = right.rotation * mirrored(value(wave, phase + 0.5));
    }

  private:
    const Skeleton& skeleton_;
    std::vector<math::Transform> local_;
};

/// Position of a foot within its own cycle: stance from 0 to the duty, then swing.
struct FootPath {
    double forward = 0;  ///< of its rest position, relative to the moving body
    double up = 0;
    double swing = 0;  ///< 0 in stance, 1 in mid-swing, smooth
};

FootPath foot_path(const WalkPlan& plan, double phase) {
    const double reach = plan.stride * plan.duty / 2;
    if (phase <= plan.duty) return {reach - plan.stride * phase, 0, 0};
    // Hermite from -reach to reach; both ends move backwards with the ground.
    const double u = (phase - plan.duty) / (1 - plan.duty), slope = -plan.stride * (1 - plan.duty);
    const double rise = u * u * (3 - 2 * u);
    const double forward = -reach + 2 * reach * rise + slope * (u * (1 - u) * (1 - 2 * u));
    const double s = std::sin(math::pi * u);
    return {forward, plan.lift * s * s, s * s};
}

/// A leg of one side.
class Leg {
  public:
    Leg(const Skeleton& skeleton, const LegPlan& plan, const std::string& side) : plan_(plan) {
        for (const std::string& name : plan.joints) joints_.push_back(skeleton.find(side + name));
        const Pose rest(skeleton);
        foot_ = rest.world(joints_.back()).topRightCorner<3, 1>();
    }

    /// Rotates the joints about x until the last one is at the foot's position: least-norm Newton steps from
    /// the preferred angles, which preserve the shape of the leg.
    void put(Pose& pose, const FootPath& path) const {
        const std::size_t count = joints_.size() - 1;
        std::vector<double> angle(count);
        for (std::size_t i = 0; i < count; ++i) angle[i] = radians(plan_.fold[i] * path.swing);
        const Vec3d target = foot_ + Vec3d(0, path.up, path.forward);
        for (int round = 0; round < 30; ++round) {
            for (std::size_t i = 0; i < count; ++i)
                pose.local(joints_[i]).rotation = math::axis_angle<double>(Vec3d::UnitX(), angle[i]);
            if (!step(pose, target, angle)) break;
        }
        const Mat4d above = pose.world(joints_[count - 1]);
        const Quatd held(Eigen::Matrix3d(above.topLeftCorner<3, 3>()));
        pose.local(joints_.back()).rotation =
            held.conjugate() * rotation_about(Vec3d::UnitX(), plan_.fold.back() * path.swing);
    }

  private:
    bool step(const Pose& pose, const Vec3d& target, std::vector<double>& angle) const {
        const Vec3d end = pose.world(joints_.back()).topRightCorner<3, 1>(), miss = target - end;
        if (std::hypot(miss.y(), miss.z()) < 1e-9) return false;
        Eigen::Matrix<double, 2, Eigen::Dynamic> jacobian(2, static_cast<Eigen::Index>(angle.size()));
        for (std::size_t i = 0; i < angle.size(); ++i) {
            const Mat4d world = pose.world(joints_[i]);
            const Vec3d axis = world.block<3, 1>(0, 0), from = world.topRightCorner<3, 1>();
            jacobian.col(static_cast<Eigen::Index>(i)) = axis.cross(end - from).tail<2>();
        }
        Eigen::Matrix2d square = jacobian * jacobian.transpose();
        square += 1e-6 * square.trace() * Eigen::Matrix2d::Identity();  // bounded steps at a stretched leg
        const Eigen::VectorXd move = jacobian.transpose() * square.inverse() * miss.tail<2>();
        const double scale = std::min(1.0, 0.3 / std::max(move.cwiseAbs().maxCoeff(), 1e-12));
        for (std::size_t i = 0; i < angle.size(); ++i) angle[i] += scale * move[static_cast<Eigen::Index>(i)];
        return true;
    }

    const LegPlan& plan_;
    std::vector<int> joints_;
    Vec3d foot_;
};

Pose walking(const Skeleton& skeleton, const WalkPlan& plan, double phase) {
    Pose pose(skeleton);
    for (const Wave& wave : plan.waves) pose.apply(wave, phase);
    pose.local(0).translation.y() += -plan.drop + plan.bob * std::cos(4 * math::pi * phase);
    for (const LegPlan& leg : plan.legs) {
        Leg(skeleton, leg, "Left").put(pose, foot_path(plan, wrapped(phase - leg.phase)));
        Leg(skeleton, leg, "Right").put(pose, foot_path(plan, wrapped(phase - leg.phase + 0.5)));
    }
    return pose;
}

/// A clip from poses at equal time steps; only the root has translations.
class ClipWriter {
  public:
    ClipWriter(std::string name, std::size_t joints) {
        clip_.name = std::move(name);
        clip_.tracks.resize(joints);
    }
    void push(const Pose& pose, double forward, bool rooted) {
        for (std::size_t j = 0; j < clip_.tracks.size(); ++j) {
            const math::Transform& local = pose.all()[j];
            clip_.tracks[j].joint = static_cast<int>(j);
            clip_.tracks[j].rotation.values.push_back(local.rotation.normalized().cast<float>());
            if (j == 0 && rooted)
                clip_.tracks[j].translation.values.push_back(
                    (local.translation + Vec3d(0, 0, forward)).cast<float>());
        }
    }
    model::Clip finish(double step) {
        for (model::Track& track : clip_.tracks) {
            track.rotation.times = model::KeyTimes::even(0, step, track.rotation.values.size());
            if (!track.translation.values.empty()) track.translation.times = track.rotation.times;
        }
        return std::move(clip_);
    }

  private:
    model::Clip clip_;
};

}  // namespace

std::vector<model::Clip> walk_clips(const Skeleton& skeleton, const WalkPlan& plan) {
    std::vector<Pose> cycle;
    for (int k = 0; k < plan.keys; ++k)
        cycle.push_back(walking(skeleton, plan, static_cast<double>(k) / plan.keys));
    ClipWriter walk("walk", skeleton.size()), in_place("walk-in-place", skeleton.size());
    for (int k = 0; k <= plan.keys * plan.cycles; ++k)
        walk.push(cycle[at(k % plan.keys)], plan.stride * k / plan.keys, true);
    for (int k = 0; k <= plan.keys; ++k) in_place.push(cycle[at(k % plan.keys)], 0, true);
    const double step = plan.seconds / plan.keys;
    return {walk.finish(step), in_place.finish(step)};
}

model::Clip wave_clip(const Skeleton& skeleton, const std::string& name, const std::vector<Wave>& waves,
                      double seconds, int keys) {
    ClipWriter writer(name, skeleton.size());
    for (int k = 0; k <= keys; ++k) {
        Pose pose(skeleton);
        for (const Wave& wave : waves) pose.apply(wave, static_cast<double>(k % keys) / keys);
        writer.push(pose, 0, false);
    }
    return writer.finish(seconds / keys);
}

}  // namespace sinew::sample
