#include "sinew/fit/proxy.h"

#include <atomic>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/fit/corrections.h"
#include "sinew/fit/dual_weights.h"
#include "sinew/fit/simplex.h"
#include "sinew/fit/weight_step.h"

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
    if (options.normals && fit.rest.normals.empty())
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
    const ProxyJoints joints = place_joints(fit.rest, options.joints, options.placement, monitor);
    fit.weights = hat_weights(fit.rest, joints, options.hats);
    if (options.placement.metric == JointMetric::straight && options.refinements == 0)
        fit.hat_reach = hat_radius(joints, options.hats);
    for (const std::uint32_t v : joints.vertices) fit.centers.push_back(fit.rest.positions[v].cast<double>());
    return fit;
}

/// Fits all frames with what was factored or found once.
class FrameFitter {
  public:
    FrameFitter(const FitResult& fit, const ProxyOptions& options)
        : options_(options),
          triangles_(fit.rest.triangles),
          rig_(make_rig(doubles(fit.rest.positions), fit.centers, fit.weights)) {
        if (options.normals) rig_.normals = doubles(fit.rest.normals);
        if (options.rigid) {
            system_.emplace(rig_);
            if (!options.normals) return;
            turned_ = normal_rig(rig_);
            turned_system_.emplace(turned_);
        } else {
            affine_.emplace(rig_, options.affine);
        }
    }
    /// From the pose that is there, when there is one.
    bool fit(const std::vector<math::Vec3f>& goals, BonePose& pose, BonePose& normals) const {
        bool ill_posed = false;
        if (options_.rigid) {
            DualFrame frame = fit_dual_frame(rig_, *system_, doubles(goals), options_.dual,
                                             pose.duals.empty() ? nullptr : &pose);
            ill_posed = frame.ill_posed;
            pose = std::move(frame.pose);
        } else {
            pose = affine_->fit(doubles(goals));
        }
        if (!options_.normals) return ill_posed;
        const std::vector<Vec3d> directions = doubles(geometry::vertex_normals(goals, triangles_));
        normals = options_.rigid ? fit_dual_normals(*turned_system_, directions, pose)
                                 : affine_->fit_normals(directions);
        return ill_posed;
    }

  private:
    const ProxyOptions& options_;
    const std::vector<geometry::Triangle>& triangles_;
    JointRig rig_, turned_;
    std::optional<DualSystem> system_, turned_system_;
    std::optional<AffineFitter> affine_;
};

void fit_frames(const MeshSequence& sequence, const ProxyOptions& options, Monitor& monitor, FitResult& fit) {
    const FrameFitter fitter(fit, options);
    const std::size_t count = sequence.frames.size();
    fit.frames.resize(count);
    fit.normals.assign(options.normals ? count : 0, {});
    std::vector<std::uint8_t> ill_posed(count, 0);
    std::atomic<std::size_t> done = 0;
    parallel_for(count, 1, [&](std::size_t f) {
        step(monitor, "fitting", static_cast<double>(done) / static_cast<double>(count));
        BonePose normals;
        ill_posed[f] = fitter.fit(sequence.frames[f], fit.frames[f], normals);
        if (options.normals) fit.normals[f] = std::move(normals);
        ++done;
    });
    fit.ill_posed.clear();
    for (std::size_t f = 0; f < count; ++f) {
        if (ill_posed[f] == 0) continue;
        fit.ill_posed.push_back(f);
        warn(monitor, "fit-half-turn",
             "frame {}: a joint turns by nearly 180 degrees, which real part 1 cannot hold", f);
    }
}

/// Least-squares weights for the joints that are there, at most as many for each vertex as before.
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
    BlendWeights weights = limited(fit.weights, static_cast<std::size_t>(how.influences));
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
        if (options.move_rest) bake_rest_pose(fit, sequence);
        fit_frames(sequence, options, monitor, fit);
    }
    return fit;
}

}  // namespace sinew::fit
