#include "sinew/deform/pose_space.h"

#include <algorithm>
#include <set>

#include "sinew/base/error.h"
#include "sinew/base/array.h"
#include "sinew/deform/vertex_transforms.h"

namespace sinew::deform {

using math::Mat4d;
using math::Quatd;
using math::Transform;
using math::Vec3d;
using math::Vec3f;

namespace {

constexpr double same_place = 1e-6;  // radians: two poses that a support cannot tell apart

/// The joints that a set of palette entries looks at: their own and the children of those.
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

std::vector<Vec3d> displacements_to(std::span<const Vec3f> sculpted, const RestShape<double>& rest,
                                    const model::Skin& skin, const model::InfluenceSets& sets,
                                    std::span<const Mat4d> palette, Method method,
                                    const DeformOptions& options) {
    if (sculpted.size() != rest.positions.size())
        fail("examples", "a shape of {} vertices for a skin of {}", sculpted.size(), rest.positions.size());
    const std::vector<Mat4d> maps =
        vertex_transforms<double>(skin, sets, palette, method, extent<double>(rest.positions), options);
    std::vector<Vec3d> displacements;
    for (std::size_t v = 0; v < maps.size(); ++v) {
        const double volume = std::abs(maps[v].topLeftCorner<3, 3>().determinant());
        if (!(volume > 1e-6))
            fail("examples", "vertex {} is squashed by {} in this pose: choose dqs", v, name(method));
        displacements.emplace_back(
            math::transform_point(math::inverse_affine(maps[v]), sculpted[v].cast<double>()) -
            rest.positions[v]);
    }
    return displacements;
}

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

Eigen::VectorXd PoseSpace::place(std::span<const Transform> pose, std::span<const int> joints) const {
    Eigen::VectorXd result(static_cast<Eigen::Index>(3 * joints.size()));
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const std::size_t j = at(joints[i]);
        const Quatd turned = rest_[j].rotation.conjugate() * pose[j].rotation;
        result.segment<3>(static_cast<Eigen::Index>(3 * i)) = math::rotation_vector(turned);
    }
    return result;
}

PoseSpace::Support PoseSpace::make_support(std::vector<int> joints, std::vector<std::uint32_t> vertices,
                                           BasisKind kind) const {
    std::vector<Eigen::VectorXd> places = {place(rest_, joints)};
    std::vector<std::size_t> asked;
    for (std::size_t e = 0; e < examples_.size(); ++e) {
        const Eigen::VectorXd here = place(examples_[e].pose, joints);
        if (std::ranges::any_of(places, [&](const auto& p) { return (p - here).norm() < same_place; }))
            continue;
        places.push_back(here);
        asked.push_back(e);
    }
    Eigen::MatrixXd rows(static_cast<Eigen::Index>(places.size()), places.front().size());
    for (std::size_t i = 0; i < places.size(); ++i) rows.row(static_cast<Eigen::Index>(i)) = places[i];
    return {std::move(joints), std::move(vertices), std::move(asked), CardinalBasis(std::move(rows), kind)};
}

std::vector<Vec3d> PoseSpace::displacements(std::span<const Transform> pose) const {
    if (pose.size() != rest_.size())
        fail("examples", "a pose of {} joints for a skeleton of {}", pose.size(), rest_.size());
    std::vector<Vec3d> result(vertices_, Vec3d::Zero());
    for (const Support& support : supports_) {
        if (support.examples.empty()) continue;
        const Eigen::VectorXd weights = support.basis.weights(place(pose, support.joints));
        for (std::size_t i = 0; i < support.examples.size(); ++i) {
            const std::vector<Vec3d>& example = examples_[support.examples[i]].displacements;
            const double weight = weights[static_cast<Eigen::Index>(i) + 1];
            for (const std::uint32_t v : support.vertices) result[v] += weight * example[v];
        }
    }
    return result;
}

}  // namespace sinew::deform
