// SPDX-License-Identifier: MIT
#include "sinew/model/detail/hand_shape.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/Eigenvalues>

namespace sinew::model {
namespace {

constexpr std::size_t finger_count = 5;

/// Where the limbs begin, on the mean.
Vec3d middle_of(const Limbs& limbs) {
    Vec3d sum = Vec3d::Zero();
    for (const Limb& limb : limbs.limbs) sum += limb.line.front();
    return sum / static_cast<double>(limbs.limbs.size());
}

struct Fan {
    std::vector<std::size_t> limbs;  ///< in the order of their angles
    std::vector<double> angles;      ///< radians in the plane of the fan, rising
};

/// The limbs that point one way, sorted in the plane that they lie in; nothing when they do not.
std::optional<Fan> fan_of(const std::vector<Vec3d>& ends, const std::vector<std::size_t>& limbs) {
    constexpr double off_plane = 0.4, half_angle = 110;
    Vec3d mean = Vec3d::Zero();
    math::Mat3d scatter = math::Mat3d::Zero();
    for (const std::size_t l : limbs) {
        const Vec3d direction = ends[l].normalized();
        mean += direction;
        scatter += direction * direction.transpose();
    }
    if (mean.norm() < 0.5 * static_cast<double>(limbs.size())) return std::nullopt;
    const Eigen::SelfAdjointEigenSolver<math::Mat3d> solver(scatter);
    const Vec3d normal = solver.eigenvectors().col(0);
    const Vec3d along = (mean - normal * normal.dot(mean)).normalized(), across = normal.cross(along);
    std::vector<std::pair<double, std::size_t>> sorted;
    for (const std::size_t l : limbs) {
        const Vec3d direction = ends[l].normalized();
        const double angle = std::atan2(direction.dot(across), direction.dot(along));
        if (std::abs(direction.dot(normal)) > off_plane || std::abs(angle) > math::radians(half_angle))
            return std::nullopt;
        sorted.emplace_back(angle, l);
    }
    std::ranges::sort(sorted);
    Fan fan;
    for (const auto& [angle, limb] : sorted) {
        fan.limbs.push_back(limb);
        fan.angles.push_back(angle);
    }
    return fan;
}

/// Fingers are alike in length and point different ways.
bool are_fingers(const Fan& fan, const std::vector<Vec3d>& ends) {
    constexpr double min_gap = 5, widest = 80, longest = 2.5;
    double shortest = ends[fan.limbs[0]].norm(), largest = shortest;
    for (const std::size_t l : fan.limbs) {
        shortest = std::min(shortest, ends[l].norm());
        largest = std::max(largest, ends[l].norm());
    }
    for (std::size_t i = 1; i < fan.angles.size(); ++i) {
        const double gap = math::degrees(fan.angles[i] - fan.angles[i - 1]);
        if (gap < min_gap || gap > widest) return false;
    }
    return largest < longest * shortest;
}

/// The joint from which most of the fingers hang.
int junction_of(const Limbs& limbs, const std::vector<std::size_t>& fingers) {
    std::map<int, int> count;
    for (const std::size_t l : fingers) ++count[limbs.limbs[l].junction];
    return std::ranges::max_element(count, {}, [](const auto& entry) { return entry.second; })->first;
}

}  // namespace

std::optional<HandLimbs> find_hand(const Limbs& limbs) {
    const std::size_t count = limbs.limbs.size();
    if (count != finger_count && count != finger_count + 1) return std::nullopt;
    const Vec3d middle = middle_of(limbs);
    std::vector<Vec3d> ends;
    for (const Limb& limb : limbs.limbs) ends.push_back(limb.line.back() - middle);
    for (std::size_t out = 0; out < (count == finger_count ? 1 : count); ++out) {
        std::vector<std::size_t> rest;
        Vec3d mean = Vec3d::Zero();
        for (std::size_t l = 0; l < count; ++l) {
            if (count > finger_count && l == out) continue;
            rest.push_back(l);
            mean += ends[l].normalized();
        }
        if (count > finger_count && ends[out].normalized().dot(mean.normalized()) > -0.3) continue;
        std::optional<Fan> fan = fan_of(ends, rest);
        if (!fan || !are_fingers(*fan, ends)) continue;
        const double first = fan->angles[1] - fan->angles[0], last = fan->angles[4] - fan->angles[3];
        if (last > first) std::ranges::reverse(fan->limbs);
        HandLimbs hand;
        std::ranges::copy(fan->limbs, hand.fingers.begin());
        if (count > finger_count) hand.wrist = out;
        hand.junction = junction_of(limbs, rest);
        if (hand.junction >= 0) return hand;
    }
    return std::nullopt;
}

}  // namespace sinew::model
