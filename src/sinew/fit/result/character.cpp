// SPDX-License-Identifier: MIT
#include "sinew/fit/result/character.h"

#include <Eigen/SVD>
#include <fmt/format.h>

#include "sinew/fit/fit.h"
#include "sinew/math/transform.h"

namespace sinew::fit {

using math::Mat3d;
using math::Quatd;
using model::Track;

namespace {

/// Keys of all frames at the fit's rate.
model::KeyTimes key_times(const FitResult& fit) {
    return model::KeyTimes::even(0, 1 / fit.rate, fit.frames.size());
}

void push_rotation(const Quatd& q, Track& track) {
    math::Quatf next = q.cast<float>();
    if (!track.rotation.values.empty() && track.rotation.values.back().dot(next) < 0) next.coeffs() *= -1;
    track.rotation.values.push_back(next);
}

Track track_for(int joint, const model::KeyTimes& times) {
    Track track;
    track.joint = joint;
    track.rotation.times = times;
    return track;
}

void add_joint(model::Character& character, std::string name, int parent, const Vec3d& position) {
    model::Joint& joint = character.skeleton.joints.emplace_back();
    joint.name = std::move(name);
    joint.parent = parent;
    joint.rest.translation = position;
}

void add_rigid_bone(const FitResult& fit, std::size_t bone, model::Character& character) {
    const auto joint = static_cast<int>(character.skeleton.size());
    add_joint(character, fmt::format("bone_{}", bone), 0, fit.centers[bone]);
    Track track = track_for(joint, key_times(fit));
    track.translation.times = track.rotation.times;
    for (const BonePose& pose : fit.frames) {
        const Mat34d m = matrix_of(pose, bone);
        track.translation.values.push_back((m * fit.centers[bone].homogeneous()).cast<float>());
        push_rotation(Quatd(math::nearest_rotation(m.leftCols<3>())), track);
    }
    character.clips[0].tracks.push_back(std::move(track));
    character.skin.joints[bone].joint = joint;
}

void add_affine_bone(const FitResult& fit, std::size_t bone, model::Character& character) {
    const auto joint = static_cast<int>(character.skeleton.size());
    add_joint(character, fmt::format("bone_{}_stretch", bone), 0, fit.centers[bone]);
    add_joint(character, fmt::format("bone_{}", bone), joint, Vec3d::Zero());
    Track outer = track_for(joint, key_times(fit)), inner = track_for(joint + 1, outer.rotation.times);
    outer.translation.times = outer.scale.times = outer.rotation.times;
    Quatd previous = Quatd::Identity();
    for (const BonePose& pose : fit.frames) {
        const Mat34d m = matrix_of(pose, bone);
        const StretchSplit split = split_stretch(m.leftCols<3>(), previous);
        previous = split.inner;
        outer.translation.values.push_back((m * fit.centers[bone].homogeneous()).cast<float>());
        push_rotation(split.rotation, outer);
        outer.scale.values.push_back(split.stretch.cast<float>());
        push_rotation(split.inner.conjugate(), inner);
    }
    character.clips[0].tracks.push_back(std::move(outer));
    character.clips[0].tracks.push_back(std::move(inner));
    character.skin.joints[bone].joint = joint + 1;
}

void add_morphs(const FitResult& fit, model::Character& character) {
    const Corrections& c = fit.corrections;
    for (std::size_t j = 0; j < c.count(); ++j) {
        const auto column = static_cast<Eigen::Index>(j);
        // Morphs are scaled by their largest amount, so that weights stay within -1 .. 1.
        const double size = std::max(c.amounts.row(column).cwiseAbs().maxCoeff(), 1e-30);
        geometry::Morph& morph = character.mesh.morphs.emplace_back();
        morph.name = fmt::format("correction_{}", j);
        for (Eigen::Index v = 0; v < c.shapes.rows(); v += 3)
            morph.positions.push_back((size * c.shapes.block<3, 1>(v, column)).cast<float>());
        model::MorphTrack& track = character.clips[0].morph_tracks.emplace_back();
        track.morph = static_cast<int>(character.mesh.morphs.size()) - 1;
        track.weight.times = key_times(fit);
        for (Eigen::Index f = 0; f < c.amounts.cols(); ++f)
            track.weight.values.push_back(static_cast<float>(c.amounts(column, f) / size));
    }
}

}  // namespace

StretchSplit split_stretch(const Mat3d& linear, const Quatd& previous_inner) {
    const Eigen::JacobiSVD<Mat3d> svd(linear, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Mat3d before = previous_inner.toRotationMatrix();
    // V's columns in the order and with the signs that are nearest to the previous ones.
    static constexpr int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    Mat3d u = svd.matrixU(), v = svd.matrixV();
    Vec3d s = svd.singularValues();
    double best = -1;
    for (const auto& order : orders) {
        double score = 0;
        for (int c = 0; c < 3; ++c) score += std::abs(svd.matrixV().col(order[c]).dot(before.col(c)));
        if (score <= best + 1e-12) continue;
        best = score;
        for (int c = 0; c < 3; ++c) {
            const double sign = svd.matrixV().col(order[c]).dot(before.col(c)) < 0 ? -1 : 1;
            v.col(c) = sign * svd.matrixV().col(order[c]);
            u.col(c) = sign * svd.matrixU().col(order[c]);
            s(c) = svd.singularValues()(order[c]);
        }
    }
    if (v.determinant() < 0) {
        v.col(2) *= -1;
        u.col(2) *= -1;
    }
    if (u.determinant() < 0) {
        u.col(2) *= -1;
        s(2) *= -1;
    }
    return {Quatd(u).normalized(), s, Quatd(v).normalized()};
}

model::Character to_character(const FitResult& fit, Monitor& monitor) {
    if (fit.blend == Blend::dual)
        warn(monitor, "fit-dual-joints",
             "the fit blends dual quaternions: players that blend matrices show it slightly differently");
    model::Character character;
    character.name = fit.rest.name.empty() ? "fit" : fit.rest.name;
    character.mesh = fit.rest;
    character.skin = to_skin(fit.weights, fit.centers);
    character.clips.emplace_back().name = "fit";
    add_joint(character, "root", -1, Vec3d::Zero());
    for (std::size_t j = 0; j < fit.bone_count(); ++j) {
        if (fit.rigid) {
            add_rigid_bone(fit, j, character);
        } else {
            add_affine_bone(fit, j, character);
        }
    }
    add_morphs(fit, character);
    cut_clips(fit, character);
    return character;
}

}  // namespace sinew::fit
