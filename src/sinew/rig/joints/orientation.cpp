// SPDX-License-Identifier: MIT
#include "sinew/rig/joints/orientation.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/array.h"

namespace sinew::rig {

namespace {

constexpr double min_bend = 0.1;  // radians: bones with a smaller angle count as straight

using math::Mat3d;
using math::Mat4d;
using math::Quatd;
using math::Vec3d;

class Orienter {
  public:
    Orienter(const model::Skeleton& skeleton, const OrientOptions& options)
        : skeleton_(skeleton),
          options_(options),
          world_(model::rest_world_matrices(skeleton)),
          at_(model::joint_positions(world_)),
          children_(model::children(skeleton)) {}

    Oriented run() {
        Oriented result;
        result.skeleton = skeleton_;
        std::vector<Mat3d> frame(skeleton_.size());
        for (std::size_t j = 0; j < skeleton_.size(); ++j) {
            const int parent = skeleton_.joints[j].parent;
            const Mat3d above = parent < 0 ? Mat3d(Mat3d::Identity()) : frame[at(parent)];
            frame[j] = frame_of(static_cast<int>(j), above);
            const Mat3d old = math::nearest_rotation(world_[j].topLeftCorner<3, 3>());
            const Quatd change = Quatd(Mat3d(old.transpose() * frame[j])).normalized();
            result.change.push_back(change);
            model::Joint& joint = result.skeleton.joints[j];
            const Vec3d origin = parent < 0 ? Vec3d(Vec3d::Zero()) : at_[at(parent)];
            joint.rest.translation = above.transpose() * (at_[j] - origin);
            joint.rest.rotation = Quatd(Mat3d(above.transpose() * frame[j])).normalized();
            joint.rest.scale = Vec3d::Ones();
            if (joint.tip)
                joint.tip = frame[j].transpose() * (math::transform_point(world_[j], *joint.tip) - at_[j]);
            if (joint.limits) joint.limits->frame = change.conjugate() * joint.limits->frame;
        }
        return result;
    }

  private:
    /// Direction of the bone of a joint; zero for a leaf without a tip.
    Vec3d bone(int j) const {
        const model::Joint& joint = skeleton_.joints[at(j)];
        if (joint.tip && children_[at(j)].empty())
            return math::transform_point(world_[at(j)], *joint.tip) - at_[at(j)];
        const Vec3d before = lead(j);
        Vec3d best = Vec3d::Zero();
        double score = -1e300;
        for (const int child : children_[at(j)]) {
            const Vec3d along = at_[at(child)] - at_[at(j)];
            if (!(along.norm() > 0)) continue;
            // The root has no bone before it; its direction is that of the spine, upwards.
            const double ahead = along.normalized().dot(before.norm() > 0 ? before : options_.up);
            if (ahead > score) {
                score = ahead;
                best = along;
            }
        }
        return best;
    }

    /// Unit direction of the bone that leads to a joint, or zero.
    Vec3d lead(int j) const {
        const int parent = skeleton_.joints[at(j)].parent;
        if (parent < 0) return Vec3d::Zero();
        const Vec3d along = at_[at(j)] - at_[at(parent)];
        return along.norm() > 0 ? Vec3d(along.normalized()) : Vec3d(Vec3d::Zero());
    }

    /// True when the bone that leads to a joint is its parent's: the joint is inside a limb.
    bool continues(int j) const {
        const int parent = skeleton_.joints[at(j)].parent;
        return parent >= 0 && lead(j).dot(bone(parent)) > 0.999 * bone(parent).norm();
    }

    Mat3d frame_of(int j, const Mat3d& above) const {
        const Vec3d along = bone(j);
        if (!(along.norm() > 0)) return above;
        const Vec3d y = along.normalized();
        const double sideways = y.dot(options_.side);
        const Vec3d reference =
            std::abs(sideways) < 0.8 ? options_.side : Vec3d((sideways < 0 ? -1 : 1) * options_.up);
        const Vec3d hinge = continues(j) ? Vec3d(lead(j).cross(y)) : Vec3d(Vec3d::Zero());
        Vec3d x = hinge.norm() > std::sin(min_bend) ? hinge : reference;
        x = (x - y * y.dot(x)).normalized();
        // A hinge perpendicular to the reference keeps its own sign, which is mirrored on the other side.
        if (x.dot(reference) < -0.2) x = -x;
        Mat3d frame;
        frame << x, y, x.cross(y);
        return frame;
    }

    const model::Skeleton& skeleton_;
    const OrientOptions& options_;
    std::vector<Mat4d> world_;
    std::vector<Vec3d> at_;
    std::vector<std::vector<int>> children_;
};

}  // namespace

Oriented orient_joints(const model::Skeleton& skeleton, const OrientOptions& options) {
    return Orienter(skeleton, options).run();
}

}  // namespace sinew::rig
