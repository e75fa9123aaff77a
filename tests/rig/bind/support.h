// SPDX-License-Identifier: MIT
#pragma once
// Bodies with skeletons whose weights are known, and what every table of weights must fulfil.

#include <cmath>
#include <map>

#include "rig/limbs.h"
#include <gtest/gtest.h>

#include "sinew/rig/bind/weight_table.h"

namespace sinew::test {

using geometry::Mesh;
using math::Quatd;
using model::Skeleton;
using rig::WeightTable;

struct JointPlace {
    const char* name;
    int parent;
    Vec3d at;
};

/// Joints at places, none of them turned.
inline Skeleton skeleton_at(const std::vector<JointPlace>& places) {
    Skeleton skeleton;
    for (const JointPlace& place : places) {
        const Vec3d origin =
            place.parent < 0 ? Vec3d(Vec3d::Zero()) : places[static_cast<std::size_t>(place.parent)].at;
        skeleton.joints.push_back(
            {place.name, place.parent, {place.at - origin, Quatd::Identity(), Vec3d::Ones()}, {}, {}});
    }
    return skeleton;
}

inline void set_tip(Skeleton& skeleton, std::string_view name, const Vec3d& offset) {
    skeleton.joints[static_cast<std::size_t>(skeleton.find(name))].tip = offset;
}

/// Two bones in the capsule of limbs.h, which meet at its middle.
inline Skeleton capsule_skeleton() {
    Skeleton skeleton = skeleton_at({{"low", -1, {0, -1, 0}}, {"high", 0, {0, 0, 0}}});
    set_tip(skeleton, "high", {0, 1, 0});
    return skeleton;
}

/// The bones of the figure of limbs.h: hips, head, two arms, two legs.
inline Skeleton figure_skeleton() {
    Skeleton skeleton = skeleton_at({{"hips", -1, {0, 0, 0}},
                                     {"chest", 0, {0, 0.5, 0}},
                                     {"head", 1, {0, 0.95, 0}},
                                     {"arm_l", 1, {0.2, 0.75, 0}},
                                     {"arm_r", 1, {-0.2, 0.75, 0}},
                                     {"leg_l", 0, {0.14, -0.1, 0}},
                                     {"leg_r", 0, {-0.14, -0.1, 0}},
                                     {"shin_l", 5, {0.22, -0.6, 0}},
                                     {"shin_r", 6, {-0.22, -0.6, 0}}});
    set_tip(skeleton, "head", {0, 0.35, 0});
    set_tip(skeleton, "arm_l", {0.75, 0, 0});
    set_tip(skeleton, "arm_r", {-0.75, 0, 0});
    set_tip(skeleton, "shin_l", {0.08, -0.45, 0});
    set_tip(skeleton, "shin_r", {-0.08, -0.45, 0});
    return skeleton;
}

inline double weight(const WeightTable& table, std::size_t vertex, int joint) {
    for (const auto& entry : table[vertex])
        if (entry.joint == joint) return entry.weight;
    return 0;
}

/// Every row has weights in [0, 1] with the sum 1.
inline void expect_convex(const WeightTable& table, std::size_t vertices, double tolerance = 1e-9) {
    ASSERT_EQ(table.size(), vertices);
    double worst_sum = 0, max = 0;
    for (std::size_t v = 0; v < vertices; ++v) {
        double sum = 0;
        for (const auto& entry : table[v]) {
            sum += entry.weight;
            max = std::max(max, entry.weight);
        }
        worst_sum = std::max(worst_sum, std::abs(sum - 1));
    }
    EXPECT_LT(worst_sum, tolerance);
    EXPECT_LT(max, 1 + tolerance);
}

/// The largest difference of two tables of the same vertices.
inline double difference(const WeightTable& a, const WeightTable& b) {
    double worst = a.size() == b.size() ? 0 : INFINITY;
    for (std::size_t v = 0; v < std::min(a.size(), b.size()); ++v) {
        for (const auto& entry : a[v])
            worst = std::max(worst, std::abs(entry.weight - weight(b, v, entry.joint)));
        for (const auto& entry : b[v])
            worst = std::max(worst, std::abs(entry.weight - weight(a, v, entry.joint)));
    }
    return worst;
}

inline Mesh scaled(Mesh mesh, float factor) {
    for (auto& p : mesh.positions) p *= factor;
    return mesh;
}

inline Skeleton scaled(Skeleton skeleton, double factor) {
    for (auto& joint : skeleton.joints) {
        joint.rest.translation *= factor;
        if (joint.tip) *joint.tip *= factor;
    }
    return skeleton;
}

/// The largest weight of a joint among the vertices that `where` picks.
template <class Where>
double max_weight(const WeightTable& table, const Mesh& mesh, int joint, const Where& where) {
    double max = 0;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        if (where(mesh.positions[v].template cast<double>())) max = std::max(max, weight(table, v, joint));
    return max;
}

}  // namespace sinew::test
