#include "sinew/rig/skeletonize/skeletonize.h"

#include <vector>

#include <fmt/format.h>

#include "sinew/base/error.h"
#include "sinew/geometry/topology.h"
#include "sinew/model/roles.h"
#include "sinew/rig/skeletonize/segment_template.h"
#include "sinew/rig/skeletonize/unit_frame.h"

namespace sinew::rig {
namespace {

JointOptions joint_options(const geometry::Mesh& mesh, const SkeletonizeOptions& options) {
    JointOptions joints = options.joints;
    if (joints.diagonal <= 0)
        joints.diagonal = static_cast<double>(geometry::bounds(mesh.positions).diagonal());
    return joints;
}

bool by_parts(SkeletonMethod method) {
    return method >= SkeletonMethod::opening;
}

/// A skeleton from the parts of the mesh; joints take the limits of a given hierarchy.
void run_parts(const geometry::Mesh& mesh, const SkeletonizeOptions& options, SkeletonizeResult& result,
               Monitor& monitor) {
    constexpr PartMethod methods[] = {PartMethod::opening, PartMethod::centroid, PartMethod::principal_axis,
                                      PartMethod::automatic};
    PartSkeletonOptions parts = options.parts;
    parts.graph.method =
        methods[static_cast<std::size_t>(result.method) - static_cast<std::size_t>(SkeletonMethod::opening)];
    result.body = part_body(mesh, options.part_body, monitor);
    result.parts = part_skeleton(result.body->cut, result.body->tree, parts, monitor);
    result.skeleton = result.parts->skeleton;
    for (std::size_t p = 0; p < result.body->limits.size(); ++p)
        result.skeleton.joints[static_cast<std::size_t>(result.parts->joint_of_part[p])].limits =
            result.body->limits[p];
    const double diagonal = static_cast<double>(geometry::bounds(mesh.positions).diagonal());
    result.curve = curve_of(result.skeleton, diagonal / 200);
}

/// What one method makes of the mesh, measured.
SkeletonizeResult run(SkeletonMethod method, const geometry::Mesh& mesh, const SkeletonizeOptions& options,
                      Monitor& monitor) {
    SkeletonizeResult result;
    result.method = method;
    switch (method) {
        case SkeletonMethod::silhouette:
            result.stages = silhouette_skeleton(mesh, options.silhouette, monitor);
            result.curve = result.stages->curve;
            result.skeleton = result.stages->skeleton;
            break;
        case SkeletonMethod::contraction:
            result.curve = contraction_skeleton(mesh, options.contraction, monitor).curve;
            break;
        case SkeletonMethod::reeb:
            result.curve = reeb_skeleton(mesh, options.reeb, monitor);
            break;
        case SkeletonMethod::thinning:
            result.curve = thinning_skeleton(mesh, options.thinning, monitor);
            break;
        case SkeletonMethod::fitted:
        case SkeletonMethod::pinocchio:
            if (options.pattern == nullptr)
                fail("", "fitting needs a skeleton to fit: give one with --template");
            result.fit = method == SkeletonMethod::fitted
                             ? fit_template(mesh, *options.pattern, options.fit, monitor)
                             : pinocchio_fit(mesh, *options.pattern, options.pinocchio, monitor);
            result.curve = result.fit->curve;
            result.skeleton = result.fit->skeleton;
            break;
        case SkeletonMethod::opening:
        case SkeletonMethod::centroid:
        case SkeletonMethod::principal_axis:
        case SkeletonMethod::parts:
            run_parts(mesh, options, result, monitor);
            break;
        default:
            result.curve = voxel_skeleton(mesh, options.voxel, monitor).curve;
    }
    if (result.skeleton.empty()) result.skeleton = skeleton_of(result.curve, joint_options(mesh, options));
    result.quality = skeleton_quality(result.curve, mesh, {}, monitor);
    return result;
}

/// Limbs of the body, which do not depend on how it is turned, scaled or tessellated.
int limb_count(const geometry::Mesh& mesh, const VoxelSkeletonOptions& options) {
    const BodyField field = body_field(in_unit(mesh, unit_frame(mesh)), options.body);
    return static_cast<int>(all_tips(field, BodyGraph(field), options).size());
}

bool good_enough(const SkeletonizeResult& result, int limbs, const SkeletonizeOptions& options) {
    if (result.fit && result.fit->confidence < options.least_confidence) return false;
    // An outline may hide limbs, and show folds as limbs: a little noise changes them.
    if (result.stages && result.quality.topology.ends != limbs) return false;
    return result.quality.topology.pieces == 1 && result.quality.inside_fraction >= options.least_inside &&
           result.quality.centredness.limb_mean <= options.max_center_offset;
}

std::string figures(const SkeletonizeResult& result) {
    return fmt::format("{} ends, {:.3g} % inside, off centre by {:.2g}{}", result.quality.topology.ends,
                       100 * result.quality.inside_fraction, result.quality.centredness.limb_mean,
                       result.fit ? fmt::format(", confidence {:.2g}", result.fit->confidence) : "");
}

bool better(const SkeletonizeResult& a, const SkeletonizeResult& b) {
    if (a.quality.topology.pieces != b.quality.topology.pieces)
        return a.quality.topology.pieces < b.quality.topology.pieces;
    if (a.quality.inside_fraction != b.quality.inside_fraction)
        return a.quality.inside_fraction > b.quality.inside_fraction;
    return a.quality.centredness.limb_mean < b.quality.centredness.limb_mean;
}

std::vector<SkeletonMethod> candidates(const geometry::Mesh& mesh, const SkeletonizeOptions& options) {
    std::vector<SkeletonMethod> list;
    if (options.pattern != nullptr) list.push_back(SkeletonMethod::fitted);
    const geometry::Topology topology = geometry::topology(mesh);
    if (topology.closed && topology.components == 1) list.push_back(SkeletonMethod::silhouette);
    list.push_back(SkeletonMethod::contraction);
    list.push_back(SkeletonMethod::voxel);
    return list;
}

SkeletonizeResult choose(const geometry::Mesh& mesh, const SkeletonizeOptions& options, Monitor& monitor) {
    std::optional<SkeletonizeResult> best;
    const int limbs = limb_count(mesh, options.voxel);
    std::string refused = fmt::format("{} limbs; ", limbs);
    for (const SkeletonMethod method : candidates(mesh, options)) {
        try {
            SkeletonizeResult result = run(method, mesh, options, monitor);
            if (good_enough(result, limbs, options)) {
                result.reason = refused + fmt::format("{}: {}", name_of(method), figures(result));
                return result;
            }
            refused += fmt::format("{} was not good enough ({}); ", name_of(method), figures(result));
            if (!best || better(result, *best)) best = std::move(result);
        } catch (const Error& error) {
            refused += fmt::format("{} failed ({}); ", name_of(method), error.what());
        }
    }
    if (!best) fail("", "no method finds a skeleton: {}", refused.substr(0, refused.size() - 2));
    best->reason = refused + fmt::format("{} is the best of them", name_of(best->method));
    warn(monitor, "skeleton-doubtful", "{}: look at the result", best->reason);
    return *std::move(best);
}

}  // namespace

std::string_view name_of(SkeletonMethod method) {
    constexpr std::string_view names[] = {"auto",    "silhouette", "contraction",    "voxel",
                                          "reeb",    "thinning",   "template",       "pinocchio",
                                          "opening", "centroid",   "principal-axis", "parts"};
    return names[static_cast<std::size_t>(method)];
}

SkeletonizeResult skeletonize(const geometry::Mesh& mesh, const SkeletonizeOptions& options,
                              Monitor& monitor) {
    SkeletonizeResult result;
    if (options.method == SkeletonMethod::automatic) {
        result = choose(mesh, options, monitor);
    } else {
        result = run(options.method, mesh, options, monitor);
        result.reason = "asked for: " + figures(result);
    }
    const bool keep_names = result.body && !result.body->automatic;
    if (!result.fit && !keep_names) {
        if (options.middle_joints && !by_parts(result.method))
            result.skeleton = with_middle_joints(result.skeleton, result.curve);
        model::use_canonical_names(result.skeleton, model::find_roles(result.skeleton));
        model::make_names_unique(result.skeleton);
    }
    return result;
}

}  // namespace sinew::rig
