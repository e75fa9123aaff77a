// SPDX-License-Identifier: MIT
#pragma once
// A handful of joints and points, bound at random: what the tests of blending work on.

#include "reference/deform/reference.h"
#include "support/random.h"

namespace sinew::deform {

using math::Mat3d;
using math::Mat4d;
using math::Quatd;
using math::Rigidd;
using math::Vec3d;
using model::Influence;
using model::Skin;

/// Points and their skin, ready to be deformed.
struct Rig {
    RestShape<double> rest;
    Skin skin;
    model::InfluenceSets sets;

    DeformResult<double> operator()(const std::vector<Mat4d>& palette, Method method,
                                    const DeformOptions& options = {}) const {
        return deform<double>(rest, skin, sets, palette, method, options);
    }
};

inline Skin make_skin(std::size_t joints, const std::vector<std::vector<Influence>>& lists) {
    Skin skin;
    for (std::size_t j = 0; j < joints; ++j) skin.joints.push_back({static_cast<int>(j), Mat4d::Identity()});
    for (const auto& list : lists) skin.push_vertex(list);
    clean(skin);
    return skin;
}

inline Rig make_rig(std::size_t joints, const std::vector<Vec3d>& points,
                    const std::vector<std::vector<Influence>>& lists) {
    Rig rig;
    rig.rest.positions = points;
    rig.skin = make_skin(joints, lists);
    rig.sets = model::group_by_influences(rig.skin, nullptr);
    return rig;
}

/// One point that all joints share with given weights.
inline Rig one_point(const Vec3d& point, const std::vector<double>& weights) {
    std::vector<Influence> list;
    for (std::size_t j = 0; j < weights.size(); ++j) {
        list.push_back({static_cast<std::uint32_t>(j), static_cast<float>(weights[j])});
    }
    return make_rig(weights.size(), {point}, {list});
}

/// `count` points with normals, each bound to one to `joints` joints.
inline Rig random_rig(test::Random& random, int joints, int count) {
    std::vector<Vec3d> points;
    std::vector<std::vector<Influence>> lists;
    RestShape<double> rest;
    for (int v = 0; v < count; ++v) {
        rest.positions.push_back(random.vector());
        rest.normals.push_back(random.unit_vector());
        const int n = random.integer(1, joints), first = random.integer(0, joints - 1);
        const std::vector<double> weights = random.weights(n);
        std::vector<Influence> list;
        for (int i = 0; i < n; ++i) {
            list.push_back({static_cast<std::uint32_t>((first + i) % joints),
                            static_cast<float>(weights[static_cast<std::size_t>(i)])});
        }
        lists.push_back(list);
    }
    Rig rig = make_rig(static_cast<std::size_t>(joints), rest.positions, lists);
    rig.rest.normals = rest.normals;
    return rig;
}

/// Rigid transformations whose rotations lie less than 150 degrees apart.
inline std::vector<Mat4d> random_palette(test::Random& random, int joints) {
    const Quatd middle = random.rotation();
    std::vector<Mat4d> palette;
    for (int j = 0; j < joints; ++j) {
        palette.push_back(Rigidd{middle * random.rotation(math::radians(75)), random.vector()}.matrix());
    }
    return palette;
}

inline double largest_distance(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    double largest = a.size() == b.size() ? 0 : 1e30;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        largest = std::max(largest, (a[i] - b[i]).norm());
    return largest;
}

inline std::vector<Vec3d> moved(const Mat4d& m, const std::vector<Vec3d>& points) {
    std::vector<Vec3d> result;
    for (const Vec3d& p : points) result.push_back(math::transform_point(m, p));
    return result;
}

inline std::vector<Vec3d> turned(const Mat4d& m, const std::vector<Vec3d>& vectors) {
    std::vector<Vec3d> result;
    for (const Vec3d& v : vectors) result.emplace_back(m.topLeftCorner<3, 3>() * v);
    return result;
}

}  // namespace sinew::deform
