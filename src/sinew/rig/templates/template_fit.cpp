// SPDX-License-Identifier: MIT
#include "sinew/rig/templates/template_fit.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/rig/curve/voxel_skeleton.h"
#include "sinew/rig/templates/symmetry.h"
#include "sinew/rig/templates/template_relax.h"

namespace sinew::rig {

namespace {

constexpr double closed_gap = 6;  // percent of the diagonal: loose parts nearer than this belong to the body
constexpr double max_asymmetry = 3;  // percent of the diagonal: twins that are nearer to images are averaged
constexpr double upright = 0.08;     // how much +y up and +z forward are preferred where shapes tie
constexpr double min_sure = 0.5;     // joints with less confidence are reported
constexpr double join_reach = 0.12;  // of the diagonal, between pieces of the curve

struct MatchChoice {
    LimbMatch match;
    TemplateTargets targets;
    Similarity similarity;
    double cost = 1e300;
};

/// How far the targets are from symmetric, as a cost: limbs of one pair do not end in an arm and an ear.
double asymmetry_cost(const TemplatePlan& plan, const TemplateTargets& targets) {
    constexpr double per_percent = 0.015, most = 20;
    const std::optional<MirrorPlane> plane = mirror_plane(targets.position, twins_of(plan, targets));
    return plane ? per_percent * std::min(plane->residual, most) : 0;
}

/// Arms may hang, reach or be spread: only where they start says how the body stands.
TemplateTargets for_pose(const TemplatePlan& plan, TemplateTargets targets) {
    for (std::size_t l = 0; l < plan.limbs.limbs.size(); ++l) {
        if (plan.kinds[l] != LimbKind::arm) continue;
        double factor = 1;
        for (const int point : plan.limb_points(l)) {
            targets.weight[at(point)] *= factor;
            if (targets.weight[at(point)] > 0) factor *= 0.4;
        }
    }
    return targets;
}

/// Among assignments that the paths cannot tell apart, the one whose pose is most like the template's.
MatchChoice choose(const TemplatePlan& plan, const CurveTree& tree) {
    MatchChoice best;
    for (const LimbMatch& match : match_limbs(plan, tree)) {
        MatchChoice choice;
        choice.match = match;
        choice.targets = place_targets(plan, tree, match);
        choice.similarity = align(plan, for_pose(plan, choice.targets));
        const Mat3d& turn = choice.similarity.rotation;
        choice.cost = match.cost + choice.similarity.residual + asymmetry_cost(plan, choice.targets) +
                      upright * ((1 - turn(1, 1)) + 0.25 * (1 - turn(2, 2)));
        if (choice.cost < best.cost) best = std::move(choice);
    }
    return best;
}

/// Targets at the ends of matched limbs only, where the surface says best what is where.
TemplateTargets ends_of(const TemplatePlan& plan, const LimbMatch& match, const TemplateTargets& targets) {
    TemplateTargets ends = targets;
    std::fill(ends.weight.begin(), ends.weight.end(), 0.0);
    for (std::size_t l = 0; l < plan.limbs.limbs.size(); ++l) {
        if (match.tip[l] < 0) continue;
        const int last = plan.limbs.limbs[l].joints.back();
        const int end = plan.tip_of[at(last)] >= 0 ? plan.tip_of[at(last)] : last;
        ends.weight[at(end)] = plan.virtual_tip[at(last)] != 0 ? 0.5 : 1;
    }
    return ends;
}

/// The similarity that most targets agree on: an arm that hangs, or a snout taken for the crown, does not
/// turn the body (iterated least squares with the weights of a Cauchy distribution).
Similarity align_robustly(const TemplatePlan& plan, TemplateTargets targets, Similarity fit) {
    constexpr double scale = 0.03;  // of the size: misses beyond this count little
    const std::vector<double> full = targets.weight;
    for (int round = 0; round < 20; ++round) {
        for (std::size_t p = 0; p < full.size(); ++p) {
            const double miss = (fit(plan.points[p]) - targets.position[p]).norm();
            targets.weight[p] = full[p] / (1 + std::pow(miss / (scale * fit.scale * plan.size), 2));
        }
        fit = align(plan, targets);
    }
    return fit;
}

/// 1 up to `from`, 0 beyond `to`.
double falling(double value, double from, double to) {
    return std::clamp((to - value) / (to - from), 0.0, 1.0);
}

/// How much each point should follow the template's own shape: not at all unless the ends of limbs lie where
/// the template has them, and less in limbs whose own end does not.
std::vector<double> trust_of(const TemplatePlan& plan, const LimbMatch& match, const TemplateTargets& ends,
                             const Similarity& whole) {
    double misses = 0, count = 0;
    std::vector<double> of_limb(plan.limbs.limbs.size(), 0);
    for (std::size_t l = 0; l < of_limb.size(); ++l) {
        if (match.tip[l] < 0) continue;
        const auto end = at(plan.limb_points(l).back());
        const double miss = (whole(plan.points[end]) - ends.position[end]).norm() / (whole.scale * plan.size);
        of_limb[l] = falling(miss, 0.04, 0.08);
        misses += miss;
        count += 1;
    }
    const double all = count > 2 ? falling(misses / count, 0.018, 0.028) : 0;
    std::vector<double> trust(plan.points.size(), all);
    for (std::size_t l = 0; l < of_limb.size(); ++l) {
        for (const int joint : plan.limbs.limbs[l].joints) {
            trust[at(joint)] *= of_limb[l];
            if (plan.tip_of[at(joint)] >= 0) trust[at(plan.tip_of[at(joint)])] *= of_limb[l];
        }
    }
    return trust;
}

/// A template that already stands like the body knows more than the body's middle line: how far from it the
/// spine runs, where in a straight limb the knee is.
void trust_shape(const TemplatePlan& plan, const LimbMatch& match, TemplateTargets& targets) {
    const TemplateTargets ends = ends_of(plan, match, targets);
    const Similarity middle = align_robustly(plan, targets, align(plan, for_pose(plan, targets)));
    const Similarity whole = align_robustly(plan, ends, middle);
    const std::vector<double> trust = trust_of(plan, match, ends, whole);
    for (std::size_t p = 0; p < plan.points.size(); ++p) {
        targets.position[p] += trust[p] * (whole(plan.points[p]) - targets.position[p]);
        targets.weight[p] = std::max(targets.weight[p], trust[p]);
        targets.bone_scale[p] += trust[p] * (whole.scale - targets.bone_scale[p]);
    }
}

/// How far a bone's length is from the template's, beyond what bodies differ by anyway.
double odd_length(const TemplatePlan& plan, const RelaxedTemplate& relaxed, std::size_t p, double scale) {
    if (plan.parent[p] < 0) return 0;
    const auto parent = at(plan.parent[p]);
    const double want = scale * (plan.points[p] - plan.points[parent]).norm();
    const double have = (relaxed.points[p] - relaxed.points[parent]).norm();
    if (want < 0.02 * scale * plan.size) return 0;
    return have > 0 ? std::max(std::abs(std::log(have / want)) - 0.35, 0.0) : 1;
}

void rate(TemplateFit& fit, const TemplatePlan& plan, const MatchChoice& choice,
          const RelaxedTemplate& relaxed, const BodyField& field) {
    const double whole = std::exp(-2 * std::max(choice.match.cost - 0.1, 0.0));
    std::vector<double> known(plan.joint_count(), 1);
    for (std::size_t l = 0; l < plan.limbs.limbs.size(); ++l) {
        if (choice.match.tip[l] >= 0) continue;
        for (const int joint : plan.limbs.limbs[l].joints) known[at(joint)] = 0.2;
        fit.missing.push_back(plan.skeleton.joints[at(plan.limbs.limbs[l].joints.back())].name);
    }
    for (std::size_t j = 0; j < plan.joint_count(); ++j) {
        double value = whole * known[j] * (choice.targets.weight[j] > 0 ? 1 : 0.75);
        value *= std::exp(-odd_length(plan, relaxed, j, fit.scale));
        if (field.depth_at(relaxed.points[j]) < 0) value *= 0.5;
        fit.confidence_of.push_back(value);
        fit.confidence += value / static_cast<double>(plan.joint_count());
        if (value < min_sure) fit.unsure.push_back(static_cast<int>(j));
    }
}

void tell(const TemplateFit& fit, const CurveTree& tree, Monitor& monitor) {
    if (tree.left_out() > 0)
        warn(monitor, "body-left-out", "{} parts lie too far away to be of the same body", tree.left_out());
    for (const std::string& name : fit.missing)
        warn(monitor, "limb-not-found", "the body shows no limb for {}: it is placed by proportion", name);
    if (!fit.unsure.empty())
        warn(monitor, "unsure-joints", "{} of {} joints may be misplaced", fit.unsure.size(),
             fit.skeleton.size());
}

}  // namespace

TemplateFit fit_template(const geometry::Mesh& mesh, const model::Skeleton& skeleton, Monitor& monitor) {
    const TemplatePlan plan = plan_template(skeleton);
    const BodyField field = body_field(mesh, {.closed_gap = closed_gap}, monitor);
    const BodyGraph graph(field);
    step(monitor, "template", 0.4);
    TemplateFit fit;
    fit.curve = voxel_curve(field, graph);
    const CurveTree tree(fit.curve, join_reach * field.diagonal);
    if (tree.tips().size() < 2) fail("template", "the body has no limbs to match with a skeleton");
    step(monitor, "template", 0.7);
    MatchChoice choice = choose(plan, tree);
    step(monitor, "template", 0.9);
    make_symmetric(plan, choice.targets, max_asymmetry);
    trust_shape(plan, choice.match, choice.targets);
    choice.similarity = align(plan, for_pose(plan, choice.targets));
    RelaxedTemplate relaxed = relax_template(plan, choice.targets, choice.similarity);
    pull_inside(plan, field, relaxed.points);
    pull_into_thin(plan, mesh, field.diagonal, relaxed.points);
    fit.skeleton = posed(plan, relaxed, skeleton);
    fit.roles = plan.roles;
    fit.scale = choice.similarity.scale;
    fit.rotation = choice.similarity.rotation;
    rate(fit, plan, choice, relaxed, field);
    tell(fit, tree, monitor);
    step(monitor, "template", 1);
    return fit;
}

}  // namespace sinew::rig
