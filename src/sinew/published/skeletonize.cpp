// SPDX-License-Identifier: MIT
#include "sinew/published/skeletonize.h"

#include "sinew/base/error.h"
#include "sinew/published/contraction_au.h"
#include "sinew/published/curve_methods.h"
#include "sinew/published/pinocchio.h"
#include "sinew/published/silhouette_variants.h"
#include "sinew/rig/joints/skeletonize_steps.h"

namespace sinew::published {
namespace {

Silhouette trace(const WeldedSurface& surface, const Projection& projection, OutlineMethod method,
                 double radius_scale) {
    switch (method) {
        case OutlineMethod::search:
            return trace_search(surface, projection, radius_scale);
        case OutlineMethod::linkage:
            return trace_linkage(surface, projection);
        case OutlineMethod::linkage_modified:
            return trace_linkage_modified(surface, projection);
    }
    return {};
}

rig::SkeletonizeResult by_silhouette(const geometry::Mesh& mesh, const published::SkeletonizeOptions& options,
                                     Monitor& monitor) {
    rig::SkeletonizeOptions own = options.rig;
    SilhouetteStages stages;
    if (options.outline) {
        own.silhouette.outline = SilhouetteVariant::other;
        stages.trace = [&](const WeldedSurface& surface, const Projection& projection) {
            return trace(surface, projection, *options.outline, options.radius_scale);
        };
    }
    if (options.depth_by_outlines) stages.depth = refine_by_silhouettes;
    return skeletonize_with(mesh, own, stages, monitor);
}

}  // namespace

std::string_view name_of(published::SkeletonMethod method) {
    constexpr std::string_view names[] = {"reeb", "thinning", "au", "pinocchio"};
    return names[static_cast<std::size_t>(method)];
}

rig::SkeletonizeResult skeletonize(const geometry::Mesh& mesh, const published::SkeletonizeOptions& options,
                                   Monitor& monitor) {
    if (!options.method) return by_silhouette(mesh, options, monitor);
    const std::string name(published::name_of(*options.method));
    const auto finished = [&](CurveSkeleton curve) {
        return skeletonized(name, std::move(curve), mesh, options.rig, monitor);
    };
    switch (*options.method) {
        case SkeletonMethod::reeb:
            return finished(reeb_skeleton(mesh, monitor));
        case SkeletonMethod::thinning:
            return finished(thinning_skeleton(mesh, monitor));
        case SkeletonMethod::au:
            return finished(au_skeleton(mesh, monitor));
        case SkeletonMethod::pinocchio:
            break;
    }
    if (!options.rig.template_skeleton) fail("", "fitting needs a template: a skeleton to fit");
    return skeletonized(name, pinocchio_fit(mesh, *options.rig.template_skeleton, monitor), mesh, monitor);
}

}  // namespace sinew::published
