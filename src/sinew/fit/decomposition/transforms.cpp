// SPDX-License-Identifier: MIT
#include "sinew/fit/decomposition/transforms.h"

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/fit/decomposition/motion_step.h"
#include "sinew/fit/proxy/proxy.h"

namespace sinew::fit {

using Eigen::Index;

namespace {

/// Rigid motion of each bone's own vertices: column sums of cross and moments, weighted.
Motions own_motions(const Target& target, const BlendWeights& weights, Index bones) {
    std::vector<math::Mat4d> moments(static_cast<std::size_t>(bones), 1e-9 * math::Mat4d::Identity());
    for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
        const math::Vec4d u = target.rest.col(static_cast<Index>(v));
        for (const BoneWeight& w : weights.of(v)) moments[w.bone] += w.weight * u * u.transpose();
    }
    Motions motions(3 * target.frames(), 4 * bones);
    parallel_for(static_cast<std::size_t>(target.frames()), 1, [&](std::size_t f) {
        std::vector<Mat34d> cross(moments.size(), Mat34d::Zero());
        for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
            const Mat34d product = target.goal(f, v) * target.rest.col(static_cast<Index>(v)).transpose();
            for (const BoneWeight& w : weights.of(v)) cross[w.bone] += w.weight * product;
        }
        for (Index j = 0; j < bones; ++j) {
            const auto bone = static_cast<std::size_t>(j);
            motions.block<3, 4>(3 * static_cast<Index>(f), 4 * j) = rigid_motion(cross[bone], moments[bone]);
        }
    });
    return motions;
}

std::vector<BonePose> linear_transforms(const model::MeshSequence& sequence, const FitResult& rig,
                                        const TransformOptions& options) {
    const Target target = make_target(sequence, rig.rest);
    const auto bones = static_cast<Index>(rig.bone_count());
    Motions motions = options.start != nullptr ? to_motions(target, *options.start)
                                               : own_motions(target, rig.weights, bones);
    const BlendSums sums = blend_sums(target, rig.weights, bones);
    if (rig.rigid) {
        rigid_motion_step(sums, options.iterations, motions);
    } else {
        affine_motion_step(sums, motions);
    }
    return to_poses(target, motions);
}

}  // namespace

std::vector<BonePose> fit_transforms(const model::MeshSequence& sequence, const FitResult& rig,
                                     const TransformOptions& options, Monitor& monitor) {
    if (rig.weights.vertex_count() != sequence.rest.positions.size())
        fail("fit", "the rig has weights for {} vertices, the sequence has {}", rig.weights.vertex_count(),
             sequence.rest.positions.size());
    if (rig.blend == Blend::linear) return linear_transforms(sequence, rig, options);
    ProxyOptions how;
    how.rig = &rig;
    return fit_proxy(sequence, how, monitor).frames;
}

}  // namespace sinew::fit
