// SPDX-License-Identifier: MIT
#include "sinew/fit/proxy/proxy.h"

#include <atomic>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/fit/decomposition/corrections.h"
#include "sinew/fit/decomposition/simplex.h"
#include "sinew/fit/decomposition/weight_step.h"
#include "sinew/fit/proxy/dual_weights.h"
#include "sinew/math/transform.h"

namespace sinew::fit {

using model::MeshSequence;

namespace {

std::vector<Vec3d> doubles(const std::vector<math::Vec3f>& points) {
    std::vector<Vec3d> result;
    result.reserve(points.size());
    for (const math::Vec3f& p : points) result.push_back(p.cast<double>());
    return result;
}

/// Joints and weights from the options, without transformations.
FitResult rig_of(const MeshSequence& sequence, const ProxyOptions& options, Monitor& monitor) {
    FitResult fit;
    fit.rest = sequence.rest;
    fit.rate = sequence.rate;
    fit.rigid = options.rigid;
    fit.blend = options.rigid ? Blend::dual : Blend::linear;
    fit.normal_rule = options.own_normals ? NormalRule::own : NormalRule::shared;
    if (options.own_normals && fit.rest.normals.empty())
        fit.rest.normals = geometry::vertex_normals(fit.rest.positions, fit.rest.triangles);
    if (options.rig != nullptr) {
        if (options.rig->weights.vertex_count() != fit.rest.positions.size())
            fail("fit", "the rig has weights for {} vertices, the sequence has {}",
                 options.rig->weights.vertex_count(), fit.rest.positions.size());
        fit.rest.positions = options.rig->rest.positions;
        fit.weights = options.rig->weights;
        fit.centers = options.rig->centers;
        return fit;
    }
    const ProxyJoints joints = set_joint_positions(fit.rest, options.joints, options.placement, monitor);
    fit.weights = hat_weights(fit.rest, joints, options.hats);
    if (options.placement.metric == JointMetric::straight && options.placement.density.empty() &&
        options.refinements == 0)
        fit.hat_reach = hat_radius(joints, options.hats);
    for (const std::uint32_t v : joints.vertices) fit.centers.push_back(fit.rest.positions[v].cast<double>());
    return fit;
}

/// The options with temporal smoothing as the pull of the solvers.
ProxyOptions with_pull(ProxyOptions options) {
    options.dual.pull = options.affine.pull = options.temporal_smoothing;
    return options;
}

/// Fits all frames with data that is factored or computed once.
class FrameFitter {
  public:
    FrameFitter(const FitResult& fit, const ProxyOptions& options)
        : options_(with_pull(options)),
          triangles_(fit.rest.triangles),
          rig_(make_rig(doubles(fit.rest.positions), fit.centers, fit.weights)) {
        const std::vector<Vec3d> normals = doubles(fit.rest.normals);
        if (options.own_normals) {
            rotated_ = make_rig(doubles(fit.rest.positions), fit.centers, fit.weights);
            rotated_.normals = normals;
            if (!options.rigid) affine_normals_.emplace(rotated_, options_.affine);
            rotated_ = normal_rig(rotated_);
            rotated_system_.emplace(rotated_);
        }
        if (options.rigid) {
            system_.emplace(rig_);
        } else {
            affine_.emplace(rig_, options_.affine);
        }
    }
    /// A pose of one frame as a start for another, moved by the rigid motion of the whole mesh.
    BonePose carried_along(const std::vector<math::Vec3f>& from, const std::vector<math::Vec3f>& to,
                           const BonePose& pose) const {
        return carried(rig_, align(rig_, doubles(from)).motion, align(rig_, doubles(to)).motion, pose);
    }
    /// Starts from the given pose, if there is one.
    bool fit(const std::vector<math::Vec3f>& frame, BonePose& pose, BonePose& normals) const {
        std::vector<Vec3d> directions;
        if (options_.own_normals) directions = doubles(geometry::vertex_normals(frame, triangles_));
        const std::vector<Vec3d> goals = doubles(frame);
        bool ill_posed = false;
        if (options_.rigid) {
            DualFrame fitted =
                fit_dual_frame(rig_, *system_, goals, options_.dual, pose.duals.empty() ? nullptr : &pose);
            ill_posed = fitted.ill_posed;
            pose = std::move(fitted.pose);
        } else {
            pose = affine_->fit(goals, pose.matrices.empty() ? nullptr : &pose);
        }
        if (options_.own_normals) normals = own_normals(directions, pose);
        return ill_posed;
    }

  private:
    BonePose own_normals(std::span<const Vec3d> directions, const BonePose& pose) const {
        return options_.rigid ? fit_dual_normals(*rotated_system_, directions, pose)
                              : affine_normals_->fit_normals(directions);
    }

    ProxyOptions options_;
    const std::vector<geometry::Triangle>& triangles_;
    JointRig rig_, rotated_;
    std::optional<DualSystem> system_, rotated_system_;
    std::optional<AffineFitter> affine_, affine_normals_;
};

void fit_frames(const MeshSequence& sequence, const ProxyOptions& options, Monitor& monitor, FitResult& fit) {
    const FrameFitter fitter(fit, options);
    const std::size_t count = sequence.frames.size();
    fit.frames.resize(count);
    const bool own = options.own_normals;
    fit.normals.assign(own ? count : 0, {});
    std::vector<std::uint8_t> ill_posed(count, 0);
    std::atomic<std::size_t> done = 0;
    const auto fit_one = [&](std::size_t f) {
        step(monitor, "fitting", static_cast<double>(done) / static_cast<double>(count));
        BonePose normals;
        ill_posed[f] = fitter.fit(sequence.frames[f], fit.frames[f], normals);
        if (own) fit.normals[f] = std::move(normals);
        ++done;
    };
    if (options.temporal_smoothing > 0) {
        for (std::size_t f = 0; f < count; ++f) {
            fit.frames[f] =
                f == 0 ? BonePose{}
                       : fitter.carried_along(sequence.frames[f - 1], sequence.frames[f], fit.frames[f - 1]);
            fit_one(f);
        }
    } else {
        parallel_for(count, 1, fit_one);
    }
    fit.ill_posed.clear();
    for (std::size_t f = 0; f < count; ++f) {
        if (ill_posed[f] == 0) continue;
        fit.ill_posed.push_back(f);
        warn(monitor, "fit-half-turn",
             "frame {}: a joint rotates by nearly 180 degrees, which a dual quaternion with real part 1 "
             "cannot represent",
             f);
    }
}

/// Least-squares weights for the present joints, at most as many per vertex as before.
void refine_weights(const MeshSequence& sequence, const ProxyOptions& options, FitResult& fit) {
    const int influences = options.hats.influences == 0
                               ? max_influences
                               : std::min(static_cast<int>(options.hats.influences), max_influences);
    if (options.rigid) {
        dual_weight_step(sequence, {.influences = influences}, fit);
        return;
    }
    const Target target = make_target(sequence);
    WeightStepOptions how;
    how.influences = influences;
    BlendWeights weights = with_limit(fit.weights, static_cast<std::size_t>(how.influences));
    weight_step(target, to_motions(target, fit.frames), how, weights);
    fit.weights = std::move(weights);
}

}  // namespace

FitResult fit_proxy(const MeshSequence& sequence, const ProxyOptions& options, Monitor& monitor) {
    check_sequence(sequence);
    FitResult fit = rig_of(sequence, options, monitor);
    fit_frames(sequence, options, monitor, fit);
    for (int r = 0; r < options.refinements; ++r) {
        refine_weights(sequence, options, fit);
        fit_frames(sequence, options, monitor, fit);
    }
    return fit;
}

}  // namespace sinew::fit
