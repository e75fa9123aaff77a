#include "sinew/motion/key_reduction_points.h"

#include <algorithm>

namespace sinew::motion {
namespace {

using math::Mat4d;
using math::Vec3d;

}  // namespace

ProbePoints::ProbePoints(const model::Character& character, const model::Skeleton& skeleton)
    : entries_(character.skin.joints) {
    std::vector<Vec3d> points;
    std::vector<std::vector<int>> joints_of;
    for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
        const auto list = character.skin.of(v);
        probes_.push_back({static_cast<std::uint32_t>(weights_.size()),
                           static_cast<std::uint32_t>(list.size()), character.mesh.positions[v]});
        points.push_back(character.mesh.positions[v].cast<double>());
        std::vector<int>& joints = joints_of.emplace_back();
        for (const model::Influence& i : list) {
            weights_.push_back({i.joint, i.weight});
            joints.push_back(entries_[i.joint].joint);
        }
    }
    measure(skeleton, points, joints_of);
}

ProbePoints::ProbePoints(const model::Skeleton& skeleton, double reach) {
    const std::vector<Mat4d> world = model::rest_world_matrices(skeleton);
    std::vector<Vec3d> points;
    std::vector<std::vector<int>> joints_of;
    const auto add = [&](std::size_t joint, const Vec3d& place) {
        probes_.push_back({static_cast<std::uint32_t>(weights_.size()), 1, place.cast<float>()});
        weights_.push_back({static_cast<std::uint32_t>(joint), 1});
        points.push_back(math::transform_point(world[joint], place));
        joints_of.push_back({static_cast<int>(joint)});
    };
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        entries_.push_back({static_cast<int>(j), Mat4d::Identity()});
        add(j, Vec3d::Zero());
        for (int axis = 0; axis < 3; ++axis) add(j, reach * Vec3d::Unit(axis));
        if (skeleton.joints[j].tip) add(j, *skeleton.joints[j].tip);
    }
    measure(skeleton, points, joints_of);
}

void ProbePoints::measure(const model::Skeleton& skeleton, const std::vector<Vec3d>& points,
                          const std::vector<std::vector<int>>& joints_of) {
    const std::vector<Vec3d> places = model::joint_positions(model::rest_world_matrices(skeleton));
    radii_.assign(skeleton.size(), 0);
    for (std::size_t p = 0; p < points.size(); ++p) {
        for (int joint : joints_of[p]) {
            for (; joint >= 0; joint = skeleton.joints[static_cast<std::size_t>(joint)].parent) {
                const auto j = static_cast<std::size_t>(joint);
                radii_[j] = std::max(radii_[j], (points[p] - places[j]).norm());
            }
        }
    }
}

double ProbePoints::distance(const std::vector<Mat4d>& a, const std::vector<Mat4d>& b) const {
    // The difference of two linear blends is the blend of the differences.
    std::vector<Eigen::Matrix<float, 3, 4>> change;
    change.reserve(entries_.size());
    for (const model::SkinJoint& entry : entries_) {
        const auto j = static_cast<std::size_t>(entry.joint);
        change.emplace_back(((a[j] - b[j]) * entry.inverse_bind).topRows<3>().cast<float>());
    }
    float largest = 0;
    for (const Probe& probe : probes_) {
        const math::Vec4f place(probe.place.x(), probe.place.y(), probe.place.z(), 1);
        math::Vec3f moved = math::Vec3f::Zero();
        for (std::uint32_t i = probe.first; i < probe.first + probe.count; ++i) {
            moved += weights_[i].weight * (change[weights_[i].entry] * place);
        }
        largest = std::max(largest, moved.squaredNorm());
    }
    return std::sqrt(static_cast<double>(largest));
}

}  // namespace sinew::motion
