#include "sinew/fit/proxy.h"

#include <atomic>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/fit/corrections.h"
#include "sinew/fit/dual_weights.h"
#include "sinew/fit/simplex.h"
#include "sinew/fit/transposed_normals.h"
#include "sinew/fit/weight_step.h"
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

NormalRule rule_of(NormalScheme scheme) {
    constexpr NormalRule rules[] = {NormalRule::direct, NormalRule::own,    NormalRule::inverse,
                                    NormalRule::own,    NormalRule::shared, NormalRule::recomputed};
    return rules[static_cast<int>(scheme)];
}

/// Joints and weights from the options, without transformations.
FitResult rig_of(const MeshSequence& sequence, const ProxyOptions& options, Monitor& monitor) {
    FitResult fit;
    fit.rest = sequence.rest;
    fit.rate = sequence.rate;
    fit.rigid = options.rigid;
    fit.blend = options.rigid ? Blend::dual : Blend::linear;
    fit.normal_rule = rule_of(options.normals);
    const bool wanted = options.normals != NormalScheme::shared || options.thickness > 0;
    if (wanted && fit.rest.normals.empty())
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
    if (options.placement.metric == JointMetric::straight && options.placement.density.empty() &&
        options.refinements == 0)
        fit.hat_reach = hat_radius(joints, options.hats);
    for (const std::uint32_t v : joints.vertices) fit.centers.push_back(fit.rest.positions[v].cast<double>());
    return fit;
}

bool has_own_set(NormalScheme scheme) {
    return scheme == NormalScheme::separate || scheme == NormalScheme::transposed ||
           scheme == NormalScheme::quaternions;
}

/// How far along its normal a vertex has its twin, in units of the sequence; 0 when it has none.
double twin_distance(const ProxyOptions& options, const JointRig& rig) {
    if (options.thickness > 0) return options.thickness * rig.reach * rig.scale;
    return options.normals == NormalScheme::joint ? 0.25 * rig.reach * rig.scale : 0;
}

/// Points, and behind them their twins along unit normals.
std::vector<Vec3d> with_twins(std::vector<Vec3d> points, std::span<const Vec3d> normals, double distance) {
    const std::size_t count = points.size();
    for (std::size_t v = 0; v < count; ++v) points.push_back(points[v] + distance * normals[v]);
    return points;
}

/// The options with steadiness as the pull of the solvers.
ProxyOptions with_pull(ProxyOptions options) {
    options.dual.pull = options.affine.pull = options.steadiness;
    return options;
}

/// Fits all frames with what was factored or found once.
class FrameFitter {
  public:
    FrameFitter(const FitResult& fit, const ProxyOptions& options)
        : options_(with_pull(options)),
          triangles_(fit.rest.triangles),
          rig_(make_rig(doubles(fit.rest.positions), fit.centers, fit.weights)) {
        const std::vector<Vec3d> normals = doubles(fit.rest.normals);
        twins_ = twin_distance(options, rig_);
        if (twins_ > 0) {
            BlendWeights weights(2 * normals.size(), fit.weights.limit());
            for (std::size_t v = 0; v < weights.vertex_count(); ++v)
                weights.set(v, fit.weights.of(v % normals.size()));
            rig_ = make_rig(with_twins(doubles(fit.rest.positions), normals, twins_), fit.centers, weights);
        }
        if (has_own_set(options.normals)) {
            turned_ = make_rig(doubles(fit.rest.positions), fit.centers, fit.weights);
            turned_.normals = normals;
            if (!options.rigid) affine_normals_.emplace(turned_, options_.affine);
            turned_ = normal_rig(turned_);
            turned_system_.emplace(turned_);
        }
        if (options.rigid) {
            system_.emplace(rig_);
        } else {
            affine_.emplace(rig_, options_.affine);
        }
    }
    /// A pose of one frame as a start for another: it follows the motion of the whole.
    BonePose carried_along(const std::vector<math::Vec3f>& from, const std::vector<math::Vec3f>& to,
                           const BonePose& pose) const {
        return carried(rig_, align(rig_, goals_of(from)).motion, align(rig_, goals_of(to)).motion, pose);
    }
    /// From the pose that is there, when there is one.
    bool fit(const std::vector<math::Vec3f>& frame, BonePose& pose, BonePose& normals) const {
        std::vector<Vec3d> directions;
        if (has_own_set(options_.normals)) directions = doubles(geometry::vertex_normals(frame, triangles_));
        const std::vector<Vec3d> goals = goals_of(frame);
        bool ill_posed = false;
        if (options_.rigid) {
            DualFrame fitted =
                fit_dual_frame(rig_, *system_, goals, options_.dual, pose.duals.empty() ? nullptr : &pose);
            ill_posed = fitted.ill_posed;
            pose = std::move(fitted.pose);
        } else {
            pose = affine_->fit(goals, pose.matrices.empty() ? nullptr : &pose);
        }
        if (has_own_set(options_.normals)) normals = own_normals(directions, pose);
        return ill_posed;
    }

  private:
    std::vector<Vec3d> goals_of(const std::vector<math::Vec3f>& frame) const {
        if (twins_ <= 0) return doubles(frame);
        return with_twins(doubles(frame), doubles(geometry::vertex_normals(frame, triangles_)), twins_);
    }
    BonePose own_normals(std::span<const Vec3d> directions, const BonePose& pose) const {
        if (options_.normals == NormalScheme::transposed) {
            BonePose normals = fit_transposed_normals(turned_, *turned_system_, directions);
            refine_transposed_normals(turned_, *turned_system_, directions, options_.normal_iterations,
                                      normals);
            return normals;
        }
        if (options_.normals == NormalScheme::separate && !options_.rigid)
            return affine_normals_->fit_normals(directions);
        if (options_.rigid) return fit_dual_normals(*turned_system_, directions, pose);
        BonePose start;
        for (const Mat34d& m : pose.matrices) {
            math::DualQuatd q;
            q.real = math::Quatd(math::nearest_rotation(math::Mat3d(m.leftCols<3>())));
            if (!start.duals.empty() && q.real.dot(start.duals[0].real) < 0) q.real.coeffs() *= -1;
            start.duals.push_back(q);
        }
        return fit_dual_normals(*turned_system_, directions, start);
    }

    ProxyOptions options_;
    const std::vector<geometry::Triangle>& triangles_;
    double twins_ = 0;
    JointRig rig_, turned_;
    std::optional<DualSystem> system_, turned_system_;
    std::optional<AffineFitter> affine_, affine_normals_;
};

void fit_frames(const MeshSequence& sequence, const ProxyOptions& options, Monitor& monitor, FitResult& fit) {
    const FrameFitter fitter(fit, options);
    const std::size_t count = sequence.frames.size();
    fit.frames.resize(count);
    const bool own = has_own_set(options.normals);
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
    if (options.steadiness > 0) {
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
    BlendWeights weights = with_room(fit.weights, static_cast<std::size_t>(how.influences));
    weight_step(target, to_motions(target, fit.frames), how, weights);
    fit.weights = std::move(weights);
}

}  // namespace

FitResult fit_proxy(const MeshSequence& sequence, const ProxyOptions& options, Monitor& monitor) {
    check_sequence(sequence);
    if (options.rigid &&
        (options.normals == NormalScheme::transposed || options.normals == NormalScheme::quaternions))
        fail("fit", "these normals go with affine joints");
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
