// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sinew/model/roles.h"

namespace sinew::model {
namespace {

constexpr double min_branch = 0.1;  ///< fraction of the longest branch at the same joint
constexpr double fan = 0.5;         ///< fraction of the path from the last junction

class LimbFinder {
  public:
    LimbFinder(const Skeleton& skeleton, std::span<const char> ignored)
        : skeleton_(skeleton),
          children_(children(skeleton)),
          at_(joint_positions(rest_world_matrices(skeleton))),
          reach_(skeleton.size()) {
        const std::vector<Mat4d> world = rest_world_matrices(skeleton);
        tip_.resize(skeleton.size());
        for (std::size_t j = skeleton.size(); j-- > 0;) {
            const Joint& joint = skeleton.joints[j];
            if (!ignored.empty() && ignored[j] != 0) {
                if (joint.parent >= 0) std::erase(children_[index(joint.parent)], static_cast<int>(j));
                continue;
            }
            if (joint.tip) tip_[j] = math::transform_point(world[j], *joint.tip);
            if (tip_[j]) reach_[j] = std::max(reach_[j], (*tip_[j] - at_[j]).norm());
            if (joint.parent < 0) continue;
            const auto parent = static_cast<std::size_t>(joint.parent);
            reach_[parent] = std::max(reach_[parent], reach_[j] + (at_[j] - at_[parent]).norm());
        }
    }

    Limbs find() {
        // Of several trees, the one with the longest path is used. First joints with a single relevant child
        // are skipped.
        int start = -1;
        for (std::size_t j = 0; j < skeleton_.size(); ++j) {
            const bool root = skeleton_.joints[j].parent < 0;
            if (root && (start < 0 || reach_[j] > reach_[index(start)])) start = static_cast<int>(j);
        }
        if (start < 0) return {};
        std::vector<int> counted = counting(start, 0);
        while (counted.size() == 1) {
            start = counted[0];
            counted = counting(start, 0);
        }
        if (counted.size() < 2) {
            follow(-1, start);
        } else {
            branch(start, counted);
        }
        finish();
        return std::move(result_);
    }

  private:
    static std::size_t index(int j) { return static_cast<std::size_t>(j); }
    double branch_length(int from, int child) const {
        return reach_[index(child)] + (at_[index(child)] - at_[index(from)]).norm();
    }

    /// Children whose branches count, given the length `way` of the path from the last junction to the joint.
    std::vector<int> counting(int joint, double distance) const {
        std::vector<int> kept;
        int longest = -1;
        for (const int child : children_[index(joint)]) {
            if (longest < 0 || branch_length(joint, child) > branch_length(joint, longest)) longest = child;
        }
        if (longest < 0) return kept;
        const double largest = branch_length(joint, longest);
        if (largest < fan * distance) return {longest};
        for (const int child : children_[index(joint)]) {
            if (child == longest || branch_length(joint, child) > min_branch * largest) kept.push_back(child);
        }
        return kept;
    }

    void branch(int junction, const std::vector<int>& counted) {
        result_.junctions.push_back(junction);
        for (const int child : counted) follow(junction, child);
    }

    /// Follows the chain from `joint` to the next junction or end. The short chain at the root itself is not
    /// counted.
    void follow(int junction, int joint) {
        Limb limb;
        limb.junction = junction;
        double distance = junction < 0 ? 0 : (at_[index(joint)] - at_[index(junction)]).norm();
        for (;;) {
            limb.joints.push_back(joint);
            const std::vector<int> counted = counting(joint, distance);
            if (counted.empty()) break;
            if (counted.size() > 1) {
                result_.trunk.insert(result_.trunk.end(), limb.joints.begin(), limb.joints.end());
                branch(joint, counted);
                return;
            }
            distance += (at_[index(counted[0])] - at_[index(joint)]).norm();
            joint = counted[0];
        }
        result_.limbs.push_back(std::move(limb));
    }

    void finish() {
        for (Limb& limb : result_.limbs) {
            if (limb.junction >= 0) limb.line.push_back(at_[index(limb.junction)]);
            for (const int joint : limb.joints) limb.line.push_back(at_[index(joint)]);
            if (const auto& tip = tip_[index(limb.joints.back())]) limb.line.push_back(*tip);
            for (std::size_t i = 1; i < limb.line.size(); ++i)
                limb.length += (limb.line[i] - limb.line[i - 1]).norm();
        }
        std::sort(result_.limbs.begin(), result_.limbs.end(),
                  [](const Limb& a, const Limb& b) { return a.joints[0] < b.joints[0]; });
        result_.trunk.insert(result_.trunk.end(), result_.junctions.begin(), result_.junctions.end());
        for (std::vector<int>* list : {&result_.trunk, &result_.junctions}) {
            std::sort(list->begin(), list->end());
            list->erase(std::unique(list->begin(), list->end()), list->end());
        }
    }

    const Skeleton& skeleton_;
    std::vector<std::vector<int>> children_;
    std::vector<Vec3d> at_;
    std::vector<std::optional<Vec3d>> tip_;
    std::vector<double> reach_;  ///< longest path from a joint outwards
    Limbs result_;
};

}  // namespace

Limbs limbs_of(const Skeleton& skeleton, std::span<const char> ignored) {
    return LimbFinder(skeleton, ignored).find();
}

}  // namespace sinew::model
