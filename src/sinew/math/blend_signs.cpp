#include "sinew/math/blend.h"

#include <algorithm>

#include <Eigen/Eigenvalues>

namespace sinew::math {
namespace {

Quatd times(const Quatd& q, double sign) {
    return sign < 0 ? negated(q) : q;
}

}  // namespace

std::size_t heaviest_of(std::span<const double> weights) {
    return static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
}

Signs signs_like(std::span<const Quatd> quaternions, const Quatd& pivot) {
    Signs signs;
    signs.reserve(quaternions.size());
    for (const Quatd& q : quaternions) signs.push_back(dot(q, pivot) < 0 ? -1 : 1);
    return signs;
}

Signs first_signs(std::span<const Quatd> quaternions) {
    return quaternions.empty() ? Signs{} : signs_like(quaternions, quaternions.front());
}

Signs heaviest_signs(std::span<const double> weights, std::span<const Quatd> quaternions) {
    return quaternions.empty() ? Signs{} : signs_like(quaternions, quaternions[heaviest_of(weights)]);
}

Signs hierarchy_signs(std::span<const int> parents, std::span<const Quatd> quaternions) {
    Signs signs(quaternions.size(), 1);
    for (std::size_t i = 1; i < quaternions.size(); ++i) {
        const auto leader = static_cast<std::size_t>(std::max(parents[i], 0));
        signs[i] = dot(quaternions[i], quaternions[leader]) < 0 ? -signs[leader] : signs[leader];
    }
    return signs;
}

Signs principal_signs(std::span<const double> weights, std::span<const Quatd> quaternions) {
    Mat4d scatter = Mat4d::Zero();
    for (std::size_t i = 0; i < quaternions.size(); ++i) {
        scatter += weights[i] * quaternions[i].coeffs() * quaternions[i].coeffs().transpose();
    }
    const Eigen::SelfAdjointEigenSolver<Mat4d> solver(scatter);
    Quatd pivot;
    pivot.coeffs() = solver.eigenvectors().col(3);  // eigenvalues rise
    return signs_like(quaternions, pivot);
}

Signs TemporalSigns::next(std::span<const int> parents, std::span<const Quatd> quaternions) {
    const bool started = relative_.size() == quaternions.size();
    Signs signs = hierarchy_signs(parents, quaternions);
    std::vector<Quatd> relative(quaternions.size());
    for (std::size_t i = 0; i < quaternions.size(); ++i) {
        const auto parent = static_cast<std::size_t>(parents[i]);
        const Quatd base = parents[i] < 0 ? Quatd::Identity() : times(quaternions[parent], signs[parent]);
        if (started) signs[i] = dot(Quatd(base.conjugate() * quaternions[i]), relative_[i]) < 0 ? -1 : 1;
        relative[i] = base.conjugate() * times(quaternions[i], signs[i]);
    }
    relative_ = std::move(relative);
    return signs;
}

std::vector<Quatd> rotations_of(std::span<const Rigidd> transforms) {
    std::vector<Quatd> result;
    result.reserve(transforms.size());
    for (const Rigidd& m : transforms) result.push_back(m.rotation);
    return result;
}

std::vector<DualQuatd> dual_quaternions_of(std::span<const Rigidd> transforms) {
    std::vector<DualQuatd> result;
    result.reserve(transforms.size());
    for (const Rigidd& m : transforms) result.push_back(to_dual_quaternion(m));
    return result;
}

std::vector<Quatd> with_signs(std::span<const Quatd> quaternions, const Signs& signs) {
    std::vector<Quatd> result(quaternions.begin(), quaternions.end());
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = times(result[i], signs[i]);
    return result;
}

std::vector<Rigidd> with_signs(std::span<const Rigidd> transforms, const Signs& signs) {
    std::vector<Rigidd> result(transforms.begin(), transforms.end());
    for (std::size_t i = 0; i < result.size(); ++i) result[i].rotation = times(result[i].rotation, signs[i]);
    return result;
}

std::vector<DualQuatd> with_signs(std::span<const DualQuatd> quaternions, const Signs& signs) {
    std::vector<DualQuatd> result(quaternions.begin(), quaternions.end());
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = result[i] * signs[i];
    return result;
}

}  // namespace sinew::math
