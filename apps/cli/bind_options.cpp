// What bind and rig tell of weights.

#include "rig_options.h"

#include "sinew/rig/measure.h"

namespace sinew::cli {

rig::BindResult bind_skin(Run& run, const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                          const rig::BindOptions& options) {
    rig::BindResult result = [&] {
        const StageTimer timer(run.report, "bind");
        return rig::bind(mesh, skeleton, options, run.monitor);
    }();
    model::Character bound;
    bound.mesh = mesh;
    bound.skeleton = skeleton;
    bound.skin = result.skin;
    const rig::WeightQuality quality = rig::weight_quality(bound);
    const auto sets = model::group_by_influences(bound.skin, &skeleton);
    run.report.extra.update({{"method", rig::name_of(result.method)},
                             {"reason", result.reason},
                             {"max_influences", quality.most_influences},
                             {"influence_sets", sets.sets.size()},
                             {"leakage", quality.leakage},
                             {"steepest", quality.steepest},
                             {"unused_joints", quality.unused}});
    run.say("bound {} to {} by {} ({})", count_of(mesh.vertex_count(), "vertex"),
            count_of(skeleton.size(), "joint"), rig::name_of(result.method), result.reason);
    return result;
}

}  // namespace sinew::cli
