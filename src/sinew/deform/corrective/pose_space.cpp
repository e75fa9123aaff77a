// SPDX-License-Identifier: MIT
#include "sinew/deform/corrective/pose_space.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <Eigen/QR>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/deform/corrective.h"

namespace sinew::deform {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using math::Mat4d;
using math::Quatd;
using math::Transform;
using math::Vec3d;
using math::Vec3f;

namespace {

constexpr double ridge = 1e-8;

/// Distance of every example to the nearest other one.
VectorXd nearest_distances(const MatrixXd& examples) {
    VectorXd nearest = VectorXd::Constant(examples.rows(), std::numeric_limits<double>::infinity());
    for (Index a = 0; a < examples.rows(); ++a) {
        for (Index b = 0; b < examples.rows(); ++b)
            if (a != b) nearest[a] = std::min(nearest[a], (examples.row(a) - examples.row(b)).norm());
        if (nearest[a] == 0) fail("examples", "example {} has the same pose as another", a + 1);
    }
    return examples.rows() == 1 ? VectorXd::Ones(1) : nearest;
}

/// Cubic B-spline over -2 .. 2.
double spline(double x) {
    if (x >= 2) return 0;
    return x >= 1 ? std::pow(2 - x, 3) / 6 : 2.0 / 3 - x * x + x * x * x / 2;
}

}  // namespace

CardinalBasis::CardinalBasis(MatrixXd examples, BasisKind kind)
    : kind_(kind), examples_(std::move(examples)) {
    const Index count = examples_.rows();
    if (count == 0) fail("examples", "no example is given");
    widths_ = nearest_distances(examples_);
    MatrixXd residual = MatrixXd::Identity(count, count);  // row: position of an example, column: function
    if (kind == BasisKind::gaussian) {
        widths_.setConstant(widths_.mean());
    } else {
        MatrixXd positions(count, examples_.cols() + 1);
        for (Index e = 0; e < count; ++e) positions.row(e) = with_one(examples_.row(e));
        linear_ = positions.completeOrthogonalDecomposition().solve(residual).transpose();
        residual -= positions * linear_.transpose();
    }
    MatrixXd kernel(count, count);
    for (Index e = 0; e < count; ++e) kernel.row(e) = kernels(examples_.row(e));
    kernel.diagonal().array() += ridge;
    radial_ = kernel.colPivHouseholderQr().solve(residual).transpose();
}

VectorXd CardinalBasis::with_one(const VectorXd& position) const {
    VectorXd extended(position.size() + 1);
    extended << 1, position;
    return extended;
}

VectorXd CardinalBasis::kernels(const VectorXd& position) const {
    VectorXd values(examples_.rows());
    for (Index e = 0; e < values.size(); ++e) {
        const double x = (position - examples_.row(e).transpose()).norm() / widths_[e];
        values[e] = kind_ == BasisKind::gaussian ? std::exp(-x * x / 2) : spline(x);
    }
    return values;
}

VectorXd CardinalBasis::weights(const VectorXd& position) const {
    if (position.size() != examples_.cols())
        fail("examples", "{} numbers for a pose space of {} dimensions", position.size(), examples_.cols());
    VectorXd values = radial_ * kernels(position);
    if (kind_ == BasisKind::linear) values += linear_ * with_one(position);
    return values;
}

namespace {

constexpr double same_position = 1e-6;  // radians: poses closer than this are equal for a support

/// The joints that a set of palette entries depends on: their own and the children of those.
std::vector<int> looked_at(std::span<const std::uint32_t> entries, const model::Skin& skin,
                           const std::vector<std::vector<int>>& children) {
    std::set<int> joints;
    for (const std::uint32_t entry : entries) {
        const int joint = skin.joints[entry].joint;
        joints.insert(joint);
        joints.insert(children[at(joint)].begin(), children[at(joint)].end());
    }
    return {joints.begin(), joints.end()};
}

}  // namespace

PoseSpace::PoseSpace(const model::Skeleton& skeleton, const model::Skin& skin,
                     std::vector<PoseExample> examples, BasisKind kind)
    : vertices_(skin.vertex_count()), examples_(std::move(examples)) {
    for (const model::Joint& joint : skeleton.joints) rest_.push_back(joint.rest);
    for (const PoseExample& example : examples_)
        if (example.pose.size() != rest_.size() || example.displacements.size() != vertices_)
            fail("examples", "{} joints and {} vertices for a character of {} and {}", example.pose.size(),
                 example.displacements.size(), rest_.size(), vertices_);
    const model::InfluenceSets sets = model::group_by_influences(skin, &skeleton);
    const std::vector<std::vector<int>> children = model::children(skeleton);
    std::map<std::vector<int>, std::vector<std::uint32_t>> groups;
    for (const model::InfluenceSet& set : sets.sets) {
        const std::span<const std::uint32_t> vertices = sets.vertices_of(set);
        std::vector<std::uint32_t>& group = groups[looked_at(sets.joints_of(set), skin, children)];
        group.insert(group.end(), vertices.begin(), vertices.end());
    }
    for (auto& [joints, vertices] : groups)
        supports_.push_back(make_support(joints, std::move(vertices), kind));
}

Eigen::VectorXd PoseSpace::position(std::span<const Transform> pose, std::span<const int> joints) const {
    Eigen::VectorXd result(static_cast<Eigen::Index>(3 * joints.size()));
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const std::size_t j = at(joints[i]);
        const Quatd rotation = rest_[j].rotation.conjugate() * pose[j].rotation;
        result.segment<3>(static_cast<Eigen::Index>(3 * i)) = math::rotation_vector(rotation);
    }
    return result;
}

PoseSpace::Support PoseSpace::make_support(std::vector<int> joints, std::vector<std::uint32_t> vertices,
                                           BasisKind kind) const {
    std::vector<Eigen::VectorXd> positions = {position(rest_, joints)};
    std::vector<std::size_t> asked;
    for (std::size_t e = 0; e < examples_.size(); ++e) {
        const Eigen::VectorXd here = position(examples_[e].pose, joints);
        if (std::ranges::any_of(positions, [&](const auto& p) { return (p - here).norm() < same_position; }))
            continue;
        positions.push_back(here);
        asked.push_back(e);
    }
    Eigen::MatrixXd rows(static_cast<Eigen::Index>(positions.size()), positions.front().size());
    for (std::size_t i = 0; i < positions.size(); ++i) rows.row(static_cast<Eigen::Index>(i)) = positions[i];
    return {std::move(joints), std::move(vertices), std::move(asked), CardinalBasis(std::move(rows), kind)};
}

std::vector<Vec3d> PoseSpace::displacements(std::span<const Transform> pose) const {
    if (pose.size() != rest_.size())
        fail("examples", "a pose of {} joints for a skeleton of {}", pose.size(), rest_.size());
    std::vector<Vec3d> result(vertices_, Vec3d::Zero());
    for (const Support& support : supports_) {
        if (support.examples.empty()) continue;
        const Eigen::VectorXd weights = support.basis.weights(position(pose, support.joints));
        for (std::size_t i = 0; i < support.examples.size(); ++i) {
            const std::vector<Vec3d>& example = examples_[support.examples[i]].displacements;
            const double weight = weights[static_cast<Eigen::Index>(i) + 1];
            for (const std::uint32_t v : support.vertices) result[v] += weight * example[v];
        }
    }
    return result;
}

}  // namespace sinew::deform
