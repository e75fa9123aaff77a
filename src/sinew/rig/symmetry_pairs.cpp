// Symmetry of skeletons.
#include <algorithm>
#include <cmath>

#include "sinew/base/array.h"
#include "sinew/rig/edit/skeleton_edit.h"
#include "sinew/rig/symmetry.h"

namespace sinew::rig {
namespace {

double diagonal(std::span<const Vec3d> points) {
    if (points.empty()) return 0;
    Vec3d low = points[0], high = low;
    for (const Vec3d& point : points) {
        low = low.cwiseMin(point);
        high = high.cwiseMax(point);
    }
    return (high - low).norm();
}

/// Twins by role alone; -1 for joints without a role, the joint itself in the middle.
std::vector<int> twins_by_role(const std::vector<model::JointRole>& roles) {
    std::vector<int> twin(roles.size(), -1);
    for (std::size_t j = 0; j < roles.size(); ++j) {
        if (!roles[j]) continue;
        const model::JointRole wanted{roles[j].role, model::opposite(roles[j].side), roles[j].number};
        const auto found = std::find(roles.begin(), roles.end(), wanted);
        if (found != roles.end()) twin[j] = static_cast<int>(found - roles.begin());
    }
    return twin;
}

}  // namespace

std::optional<MirrorPlane> mirror_plane(std::span<const Vec3d> points, std::span<const int> twin) {
    MirrorPlane plane;
    Vec3d normal = Vec3d::Zero();
    for (std::size_t i = 0; i < points.size(); ++i) {
        const int other = twin[i];
        if (other <= static_cast<int>(i)) continue;
        Vec3d across = points[i] - points[at(other)];
        if (across.dot(normal) < 0) across = -across;
        normal += across;
    }
    if (!(normal.norm() > 0)) return std::nullopt;
    plane.normal = normal.normalized();
    // Towards +x, so that the left of a body that faces +z is on the positive side.
    Eigen::Index largest = 0;
    plane.normal.cwiseAbs().maxCoeff(&largest);
    if (plane.normal[largest] < 0) plane.normal = -plane.normal;
    double sum = 0, weight = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (twin[i] < 0) continue;
        sum += plane.normal.dot(points[i] + points[at(twin[i])]) / 2;
        weight += 1;
    }
    plane.offset = sum / weight;
    double miss = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (twin[i] >= 0) miss += (plane.reflect(points[i]) - points[at(twin[i])]).norm();
    }
    const double size = diagonal(points);
    plane.residual = size > 0 ? 100 * miss / weight / size : 0;
    return plane;
}

std::vector<int> pair_joints(const model::Skeleton& skeleton, const std::vector<model::JointRole>& roles,
                             const MirrorPlane& plane, double reach) {
    std::vector<int> twin = twins_by_role(roles);
    const std::vector<Vec3d> points = model::joint_positions(model::rest_world_matrices(skeleton));
    const double limit = reach / 100 * diagonal(points);
    for (std::size_t j = 0; j < points.size(); ++j) {
        if (twin[j] >= 0) continue;
        if (std::abs(plane.side(points[j])) < limit / 2) {
            twin[j] = static_cast<int>(j);
            continue;
        }
        const Vec3d image = plane.reflect(points[j]);
        double best = limit;
        for (std::size_t k = 0; k < points.size(); ++k) {
            const double distance = (points[k] - image).norm();
            if (k == j || twin[k] >= 0 || distance >= best) continue;
            best = distance;
            twin[j] = static_cast<int>(k);
        }
        if (twin[j] >= 0) twin[at(twin[j])] = static_cast<int>(j);
    }
    return twin;
}

std::optional<MirrorPlane> mirror_plane(const model::Skeleton& skeleton) {
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    const std::vector<Vec3d> points = model::joint_positions(model::rest_world_matrices(skeleton));
    return mirror_plane(points, twins_by_role(roles));
}

model::Skeleton symmetric(const model::Skeleton& skeleton, const MirrorPlane& plane,
                          const std::vector<int>& twin) {
    std::vector<Vec3d> points = model::joint_positions(model::rest_world_matrices(skeleton));
    const std::vector<Vec3d> before = points;
    for (std::size_t j = 0; j < points.size(); ++j) {
        if (twin[j] < 0) continue;
        // A joint that is its own twin lands on the plane by the same formula.
        points[j] = (before[j] + plane.reflect(before[at(twin[j])])) / 2;
    }
    return with_positions(skeleton, points);
}

}  // namespace sinew::rig
