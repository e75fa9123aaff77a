// SPDX-License-Identifier: MIT
#include "sinew/rig/skeletonize.h"

#include <vector>

#include <fmt/format.h>

#include "sinew/base/error.h"
#include "sinew/geometry/topology.h"
#include "sinew/model/roles.h"
#include "sinew/rig/contraction/contraction.h"
#include "sinew/rig/curve/skeleton_quality.h"
#include "sinew/rig/curve/voxel_skeleton.h"
#include "sinew/rig/joints/segment_template.h"
#include "sinew/rig/joints/skeletonize_steps.h"
#include "sinew/rig/templates/fingers.h"

namespace sinew::rig {
namespace {

bool by_parts(SkeletonMethod method) {
    return method >= SkeletonMethod::opening;
}

double diagonal_of(const geometry::Mesh& mesh) {
    return static_cast<double>(geometry::bounds(mesh.positions).diagonal());
}

model::Skeleton joints_on(const CurveSkeleton& curve, const geometry::Mesh& mesh,
                          const JointOptions& options) {
    JointBody body;
    body.diagonal = diagonal_of(mesh);
    return skeleton_of(curve, options, body);
}

/// Joints in the middle of straight limbs, and canonical names, unless the limbs cannot be identified.
void complete_skeleton(SkeletonizeResult& result) {
    if (!by_parts(result.method)) result.skeleton = with_middle_joints(result.skeleton, result.curve);
    if (result.kind.empty()) model::use_canonical_names(result.skeleton, model::find_roles(result.skeleton));
    model::make_names_unique(result.skeleton);
}

std::string figures(const SkeletonizeResult& result) {
    return fmt::format("{} ends, {:.3g} % inside, off centre by {:.2g}{}", result.quality.topology.ends,
                       100 * result.quality.inside_fraction, result.quality.centredness.limb_mean,
                       result.fit ? fmt::format(", confidence {:.2g}", result.fit->confidence) : "");
}

/// Whether the curve of a silhouette also ends in every limb of the body and nowhere else.
bool good_enough(const SkeletonizeResult& result, int limbs) {
    if (result.fit) return result.fit->confidence >= min_confidence;
    // An outline may hide limbs, or show folds as limbs; small noise changes them.
    if (result.silhouette && result.quality.topology.ends != limbs) return false;
    return result.quality.topology.pieces == 1 && result.quality.inside_fraction >= min_inside &&
           result.quality.centredness.limb_mean <= max_center_offset;
}

bool better(const SkeletonizeResult& a, const SkeletonizeResult& b) {
    if (a.quality.topology.pieces != b.quality.topology.pieces)
        return a.quality.topology.pieces < b.quality.topology.pieces;
    if (a.quality.inside_fraction != b.quality.inside_fraction)
        return a.quality.inside_fraction > b.quality.inside_fraction;
    return a.quality.centredness.limb_mean < b.quality.centredness.limb_mean;
}

/// All methods on one mesh. Data that several of them need is built once, at the first use.
class Skeletonizer {
  public:
    Skeletonizer(const geometry::Mesh& mesh, const SkeletonizeOptions& options,
                 const SilhouetteStages& stages, Monitor& monitor)
        : mesh_(mesh), options_(options), stages_(stages), monitor_(monitor) {}

    /// The result of one method on the mesh, with its quality.
    SkeletonizeResult run(SkeletonMethod method) {
        SkeletonizeResult result;
        result.method = method;
        result.method_name = name_of(method);
        switch (method) {
            case SkeletonMethod::silhouette:
                run_silhouette(result);
                break;
            case SkeletonMethod::contraction:
                result.curve = contraction_skeleton(mesh_, body(), monitor_).curve;
                break;
            case SkeletonMethod::from_template:
                run_template(result);
                break;
            case SkeletonMethod::opening:
            case SkeletonMethod::centroid:
            case SkeletonMethod::principal_axis:
            case SkeletonMethod::parts:
                run_parts(result);
                break;
            default:
                result.curve = voxel_skeleton(body(), monitor_).curve;
        }
        if (result.skeleton.empty()) result.skeleton = joints_on(result.curve, mesh_, options_.joints);
        result.quality = quality(result.curve);
        return result;
    }

    SkeletonizeResult choose() {
        if (!options_.template_skeleton) {
            SkeletonizeResult known = of_known_kind();
            if (!known.skeleton.empty()) return known;
            SkeletonizeResult free = choose_turned();
            free.kind = known.kind;
            free.kind_confidence = known.kind_confidence;
            free.reason = known.reason + free.reason;
            return free;
        }
        SkeletonizeResult given = choose_free();
        if (!given.fit) complete_skeleton(given);
        return given;
    }

  private:
    /// The template for this kind of body; without a skeleton when the kind is uncertain.
    SkeletonizeResult of_known_kind() {
        SkeletonizeResult result;
        result.kind = "free";
        std::optional<TemplateFit> fit;
        BodyGuess guess;
        try {
            guess = identify_body(mesh_, &fit, monitor_);
        } catch (const Error&) {
            return result;  // without limbs
        }
        result.reason = fmt::format("nearest: {} (confidence {:.2f}); ", guess.kind, guess.confidence);
        if (guess.confidence < min_confidence) {
            warn(monitor_, "unknown-body",
                 "the body is of no known kind (nearest: {}, confidence {:.2f}), so its joints have no roles "
                 "and a motion cannot be matched to them. If it is a known body, give the template (biped, "
                 "quadruped, hand or a skeleton of your own)",
                 guess.kind, guess.confidence);
            result.kind_confidence = 1 - guess.confidence;
            return result;
        }
        result.kind = guess.kind;
        result.kind_confidence = guess.confidence;
        result.method = SkeletonMethod::from_template;
        result.method_name = name_of(result.method);
        warn_of_missing(*fit, monitor_);
        if (options_.fingers && guess.kind == "biped") {
            apply(fit->skeleton, inverse(fit->axes));
            add_fingers(in_axes(mesh_, fit->axes), fit->skeleton);
            apply(fit->skeleton, fit->axes);
            for (std::size_t j = fit->confidence_of.size(); j < fit->skeleton.size(); ++j)
                fit->confidence_of.push_back(
                    fit->confidence_of[static_cast<std::size_t>(fit->skeleton.joints[j].parent)]);
        }
        if (guess.kind == "hand") {
            finish_hand(fit->skeleton, fit->confidence_of);
            fit->roles = model::find_roles(fit->skeleton);
        }
        result.curve = std::move(fit->curve);
        result.skeleton = std::move(fit->skeleton);
        result.fit = std::move(*fit);
        result.quality = quality(curve_of(result.skeleton, diagonal_of(mesh_) / 200));
        result.reason = fmt::format("a {}: {}", guess.kind, figures(result));
        return result;
    }

    /// `choose_free` in the axes of the body, so that the skeleton rotates with it.
    SkeletonizeResult choose_turned() {
        const model::Similarity axes = body_axes(mesh_, resting_up(mesh_).value_or(Vec3d::UnitY()));
        const geometry::Mesh mesh = in_axes(mesh_, axes);
        SkeletonizeResult result = Skeletonizer(mesh, options_, stages_, monitor_).choose_free();
        result.kind = "free";
        complete_skeleton(result);
        apply(result.skeleton, axes);
        apply(result.curve, axes);
        return result;
    }

    SkeletonizeResult choose_free() {
        std::optional<SkeletonizeResult> best;
        // They do not depend on how the body is rotated, scaled or tessellated.
        const int limbs = static_cast<int>(all_tips(body().field, body().graph).size());
        std::string refused = fmt::format("{} limbs; ", limbs);
        for (const SkeletonMethod method : candidates()) {
            try {
                SkeletonizeResult result = run(method);
                if (good_enough(result, limbs)) {
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
        warn(monitor_, "skeleton-doubtful", "{}: check the result", best->reason);
        return *std::move(best);
    }

    const UnitBody& body() {
        if (!body_) body_.emplace(mesh_, monitor_);
        return *body_;
    }

    SkeletonQuality quality(const CurveSkeleton& curve) {
        if (!meter_) meter_.emplace(mesh_, monitor_);
        return (*meter_)(curve);
    }

    std::vector<SkeletonMethod> candidates() const {
        std::vector<SkeletonMethod> list;
        if (options_.template_skeleton) list.push_back(SkeletonMethod::from_template);
        list.push_back(SkeletonMethod::voxel);
        list.push_back(SkeletonMethod::contraction);
        const geometry::Topology topology = geometry::topology(mesh_);
        if (topology.closed && topology.components == 1) list.push_back(SkeletonMethod::silhouette);
        return list;
    }

    void run_silhouette(SkeletonizeResult& result) {
        SilhouetteResult found =
            silhouette_skeleton(mesh_, options_.silhouette, options_.joints, monitor_, stages_);
        result.silhouette = found.counts();
        result.curve = std::move(found.curve);
        result.skeleton = std::move(found.skeleton);
    }

    void run_template(SkeletonizeResult& result) {
        if (!options_.template_skeleton) fail("", "fitting needs a template: a skeleton to fit");
        TemplateFit fit = fit_template(mesh_, *options_.template_skeleton, monitor_);
        result.curve = std::move(fit.curve);
        result.skeleton = std::move(fit.skeleton);
        result.fit = std::move(fit);
    }

    /// A skeleton from the parts of the mesh; joints take the limits of a given hierarchy.
    void run_parts(SkeletonizeResult& result) {
        constexpr PartMethod methods[] = {PartMethod::opening, PartMethod::centroid,
                                          PartMethod::principal_axis, PartMethod::automatic};
        PartSkeletonOptions parts = options_.parts;
        parts.graph.method = methods[static_cast<std::size_t>(result.method) -
                                     static_cast<std::size_t>(SkeletonMethod::opening)];
        PartBodyOptions body;
        body.hierarchy = options_.hierarchy ? &*options_.hierarchy : nullptr;
        result.body = part_body(mesh_, body, monitor_);
        result.parts = part_skeleton(result.body->cut, result.body->tree, parts, monitor_);
        result.skeleton = result.parts->skeleton;
        for (std::size_t p = 0; p < result.body->limits.size(); ++p)
            result.skeleton.joints[static_cast<std::size_t>(result.parts->joint_of_part[p])].limits =
                result.body->limits[p];
        constexpr double spacing = 1.0 / 200;  // of the diagonal, between nodes of the curve
        result.curve = curve_of(result.skeleton, spacing * diagonal_of(mesh_));
    }

    const geometry::Mesh& mesh_;
    const SkeletonizeOptions& options_;
    const SilhouetteStages& stages_;
    Monitor& monitor_;
    std::optional<UnitBody> body_;
    std::optional<QualityMeter> meter_;
};

}  // namespace

std::string_view name_of(SkeletonMethod method) {
    constexpr std::string_view names[] = {"auto",    "silhouette", "contraction",    "voxel", "template",
                                          "opening", "centroid",   "principal-axis", "parts"};
    return names[static_cast<std::size_t>(method)];
}

SkeletonizeResult skeletonize_with(const geometry::Mesh& mesh, const SkeletonizeOptions& options,
                                   const SilhouetteStages& stages, Monitor& monitor) {
    Skeletonizer skeletonizer(mesh, options, stages, monitor);
    const bool automatic = options.method == SkeletonMethod::automatic;
    SkeletonizeResult result = automatic ? skeletonizer.choose() : skeletonizer.run(options.method);
    if (automatic) return result;
    result.reason = "requested: " + figures(result);
    const bool keep_names = result.body && !result.body->automatic;
    if (!result.fit && !keep_names) complete_skeleton(result);
    return result;
}

SkeletonizeResult skeletonized(std::string method, CurveSkeleton curve, const geometry::Mesh& mesh,
                               const SkeletonizeOptions& options, Monitor& monitor) {
    SkeletonizeResult result;
    result.method_name = std::move(method);
    result.skeleton = joints_on(curve, mesh, options.joints);
    result.quality = skeleton_quality(curve, mesh, monitor);
    result.curve = std::move(curve);
    result.reason = "requested: " + figures(result);
    complete_skeleton(result);
    return result;
}

SkeletonizeResult skeletonized(std::string method, const TemplateFit& fit, const geometry::Mesh& mesh,
                               Monitor& monitor) {
    SkeletonizeResult result;
    result.method_name = std::move(method);
    result.skeleton = fit.skeleton;
    result.curve = fit.curve;
    result.fit = fit;
    result.quality = skeleton_quality(result.curve, mesh, monitor);
    result.reason = "requested: " + figures(result);
    return result;
}

SkeletonizeResult skeletonize(const geometry::Mesh& mesh, const SkeletonizeOptions& options,
                              Monitor& monitor) {
    return skeletonize_with(mesh, options, {}, monitor);
}

}  // namespace sinew::rig
