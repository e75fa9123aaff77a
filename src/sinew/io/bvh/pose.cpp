// SPDX-License-Identifier: MIT
#include "sinew/io/bvh/pose.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"

namespace sinew::io::bvh {
namespace {

using math::Mat3d;
using math::Quatd;
using math::Transform;
using math::Vec3d;
using model::Clip;
using model::Joint;
using model::Skeleton;

/// Linear parts of the world matrices of a pose, including scale, which quaternions cannot represent.
std::vector<Mat3d> linear_parts(const Skeleton& skeleton, std::span<const Transform> local) {
    std::vector<Mat3d> world(skeleton.size());
    for (std::size_t j = 0; j < world.size(); ++j) {
        const Mat3d own = math::to_matrix(local[j].rotation) * local[j].scale.asDiagonal();
        const int parent = skeleton.joints[j].parent;
        world[j] = parent < 0 ? own : Mat3d(world[static_cast<std::size_t>(parent)] * own);
    }
    return world;
}

std::vector<Transform> rest_pose(const Skeleton& skeleton) {
    std::vector<Transform> pose;
    for (const Joint& joint : skeleton.joints) pose.push_back(joint.rest);
    return pose;
}

/// One frame: rotation_j = C_p q_j C_j^-1, position_j = D_p^-1 B_p t_j.
std::vector<Local> locals(const Skeleton& skeleton, const UprightRest& rest,
                          std::span<const Transform> pose) {
    const std::vector<Mat3d> linear = linear_parts(skeleton, pose);
    std::vector<Quatd> delta(skeleton.size());  // D_j
    std::vector<Local> result(skeleton.size());
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const auto p = static_cast<std::size_t>(skeleton.joints[j].parent);
        const bool root = skeleton.joints[j].parent < 0;
        const Quatd rotation = pose[j].rotation * rest.rotated[j].conjugate();
        result[j].rotation = (root ? rotation : rest.rotated[p] * rotation).normalized();
        result[j].position =
            root ? pose[j].translation : delta[p].conjugate() * Vec3d(linear[p] * pose[j].translation);
        delta[j] = root ? result[j].rotation : (delta[p] * result[j].rotation).normalized();
    }
    return result;
}

/// Seconds per frame of the densest evenly spaced keys, as stored: conversion to a rate and back would lose
/// the last digit.
double own_step(const Clip& clip) {
    double step = 0;
    const auto visit = [&](const model::KeyTimes& times) {
        const bool better = step == 0 || times.step() < step;
        if (times.is_even() && times.step() > 0 && !times.empty() && better) step = times.step();
    };
    for (const model::Track& track : clip.tracks) {
        visit(track.translation.times);
        visit(track.rotation.times);
        visit(track.scale.times);
    }
    const double listed = 1 / model::frame_rate(clip);
    // Keys in lists may be denser than the evenly spaced ones.
    return step == 0 || listed < step * (1 - 1e-6) ? listed : step;
}

}  // namespace

UprightRest::UprightRest(const Skeleton& skeleton) {
    const std::vector<Mat3d> linear = linear_parts(skeleton, rest_pose(skeleton));
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const Joint& joint = skeleton.joints[j];
        const auto parent = static_cast<std::size_t>(joint.parent);
        const bool root = joint.parent < 0;
        rotated.push_back(root ? joint.rest.rotation : rotated[parent] * joint.rest.rotation);
        offsets.push_back(root ? joint.rest.translation : Vec3d(linear[parent] * joint.rest.translation));
        tips.push_back(joint.tip ? Vec3d(linear[j] * *joint.tip) : Vec3d(Vec3d::Zero()));
    }
    size = model::height(skeleton);
    for (const Vec3d& offset : offsets) size = std::max(size, offset.norm());
}

Table sample_table(const Skeleton& skeleton, const UprightRest& rest, const Clip* clip, double rate,
                   std::string_view file, Monitor& monitor) {
    Table table;
    table.joints = skeleton.size();
    model::TimeRange range;
    if (clip != nullptr) {
        range = model::time_range(*clip);
        table.step = rate > 0 ? 1 / rate : own_step(*clip);
        const double frames = std::round(range.duration() / table.step) + 1;
        constexpr double max_cells = 2e8;
        if (!(frames * static_cast<double>(table.joints) <= max_cells)) {
            fail(file, "{} seconds at {} frames per second are too many frames: ask for a lower rate",
                 range.duration(), 1 / table.step);
        }
        table.frames = static_cast<std::size_t>(frames);
    } else if (rate > 0) {
        table.step = 1 / rate;
    }
    table.cells.resize(table.frames * table.joints);
    parallel_for(table.frames, 16, [&](std::size_t frame) {
        if (frame % 256 == 0) {
            step(monitor, "write motion", static_cast<double>(frame) / static_cast<double>(table.frames));
        }
        const double time = std::min(range.end, range.start + table.step * static_cast<double>(frame));
        const std::vector<Local> row = locals(
            skeleton, rest, clip == nullptr ? rest_pose(skeleton) : model::sample(*clip, skeleton, time));
        std::copy(row.begin(), row.end(),
                  table.cells.begin() + static_cast<std::ptrdiff_t>(frame * table.joints));
    });
    return table;
}

}  // namespace sinew::io::bvh
