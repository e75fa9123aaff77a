#include "sinew/rig/skeletonize/template_fit.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/geometry/surface_queries.h"
#include "sinew/rig/skeletonize/template_relax.h"
#include "sinew/rig/symmetry.h"

namespace sinew::rig {
namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

struct Choice {
    LimbMatch match;
    TemplateTargets targets;
    Similarity similarity;
    double cost = 1e300;
};

/// Twins of points that have targets, and points of the middle; -1 for others.
std::vector<int> twins(const TemplatePlan& plan, const TemplateTargets& targets) {
    std::vector<int> twin(plan.points.size(), -1);
    for (std::size_t p = 0; p < plan.points.size(); ++p) {
        const auto other = at(plan.mirror[p]);
        const bool middle =
            other == p && p < plan.joint_count() && plan.roles[p] && plan.roles[p].side == model::Side::none;
        const bool known = targets.weight[p] > 0 && targets.weight[other] > 0;
        if (known && (other != p || middle)) twin[p] = plan.mirror[p];
    }
    return twin;
}

/// How far the targets are from symmetric, as a cost: limbs of one pair do not end in an arm and an ear.
double asymmetry_cost(const TemplatePlan& plan, const TemplateTargets& targets) {
    constexpr double per_percent = 0.015, most = 20;
    const std::optional<MirrorPlane> plane = mirror_plane(targets.position, twins(plan, targets));
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

/// Among assignments that the ways cannot tell apart, the one whose pose is most like the template's.
Choice choose(const TemplatePlan& plan, const CurveTree& tree, const TemplateOptions& options) {
    Choice best;
    for (const LimbMatch& match : match_limbs(plan, tree)) {
        Choice choice;
        choice.match = match;
        choice.targets = place_targets(plan, tree, match);
        choice.similarity = align(plan, for_pose(plan, choice.targets));
        const Mat3d& turn = choice.similarity.rotation;
        choice.cost = match.cost + choice.similarity.residual + asymmetry_cost(plan, choice.targets) +
                      options.upright * ((1 - turn(1, 1)) + 0.25 * (1 - turn(2, 2)));
        if (choice.cost < best.cost) best = std::move(choice);
    }
    return best;
}

/// Averages twins when they are nearly each other's image.
void make_symmetric(const TemplatePlan& plan, TemplateTargets& targets, double limit) {
    const std::vector<int> twin = twins(plan, targets);
    const std::optional<MirrorPlane> plane = mirror_plane(targets.position, twin);
    if (!plane || plane->residual > limit) return;
    const std::vector<Vec3d> before = targets.position;
    for (std::size_t p = 0; p < plan.points.size(); ++p) {
        if (twin[p] >= 0) targets.position[p] = (before[p] + plane->reflect(before[at(twin[p])])) / 2;
    }
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

/// Points outside move up the depth until they are in.
void pull_inside(const TemplatePlan& plan, const BodyField& field, std::vector<Vec3d>& points) {
    for (std::size_t p = 0; p < plan.joint_count(); ++p) {
        for (int i = 0; i < 12 && field.depth_at(points[p]) < 0.5 * field.cell(); ++i) {
            const Vec3d slope = field.gradient_at(points[p]);
            if (!(slope.norm() > 1e-9)) break;
            points[p] += slope.normalized() * (0.75 * field.cell() - field.depth_at(points[p]));
        }
    }
}

/// True when most of what a point sees is the outer side of the surface.
bool sees_outside(const geometry::SurfaceQueries& surface, const math::Vec3f& point) {
    int outer = 0, inner = 0;
    for (int axis = 0; axis < 3; ++axis) {
        for (const float sign : {1.0f, -1.0f}) {
            const auto hit = surface.first_hit(point, sign * math::Vec3f::Unit(axis));
            if (!hit)
                ++outer;
            else
                ++(hit->entering ? outer : inner);
        }
    }
    return outer > inner;
}

/// Joints beside a finger, which is thinner than the cells of the field, go to its middle: through the
/// nearest place of the surface, half-way to the other side.
void pull_into_thin(const TemplatePlan& plan, const geometry::Mesh& mesh, double diagonal,
                    std::vector<Vec3d>& points) {
    const geometry::SurfaceQueries surface(mesh);
    const auto most = static_cast<float>(0.03 * diagonal);
    for (std::size_t p = 0; p < plan.joint_count(); ++p) {
        const math::Vec3f point = points[p].cast<float>();
        if (!sees_outside(surface, point)) continue;
        const auto nearest = surface.nearest(point, most);
        if (!nearest || !(nearest->distance > 0)) continue;
        const math::Vec3f inwards = (nearest->position - point) / nearest->distance;
        const math::Vec3f start = nearest->position + 1e-3f * most * inwards;
        const auto across = surface.first_hit(start, inwards);
        if (!across || across->entering) continue;
        points[p] = (start + std::min(across->distance / 2, most) * inwards).cast<double>();
    }
}

/// Rest transforms from points and the turn of every joint's frame.
model::Skeleton posed(const TemplatePlan& plan, const RelaxedTemplate& relaxed,
                      const model::Skeleton& source) {
    const std::vector<math::Mat4d> rest = model::rest_world_matrices(source);
    std::vector<Mat3d> frame(source.size());
    model::Skeleton result = source;
    for (std::size_t j = 0; j < source.size(); ++j) {
        frame[j] = relaxed.rotation[j] * math::nearest_rotation(rest[j].topLeftCorner<3, 3>());
        model::Joint& joint = result.joints[j];
        const int parent = joint.parent;
        const Mat3d above = parent < 0 ? Mat3d(Mat3d::Identity()) : frame[at(parent)];
        const Vec3d origin = parent < 0 ? Vec3d(Vec3d::Zero()) : relaxed.points[at(parent)];
        joint.rest.translation = above.transpose() * (relaxed.points[j] - origin);
        joint.rest.rotation = math::Quatd(Mat3d(above.transpose() * frame[j])).normalized();
        joint.rest.scale = Vec3d::Ones();
        if (joint.tip)
            joint.tip = frame[j].transpose() * (relaxed.points[at(plan.tip_of[j])] - relaxed.points[j]);
    }
    return result;
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

void rate(TemplateFit& fit, const TemplatePlan& plan, const Choice& choice, const RelaxedTemplate& relaxed,
          const BodyField& field, const TemplateOptions& options) {
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
        if (value < options.unsure) fit.unsure.push_back(static_cast<int>(j));
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

TemplateFit fit_template(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                         const TemplateOptions& options, Monitor& monitor) {
    const TemplatePlan plan = plan_template(skeleton);
    BodyOptions body = options.curve.body;
    body.closed_gap = std::max(body.closed_gap, options.closed_gap);
    const BodyField field = body_field(mesh, body, monitor);
    const BodyGraph graph(field);
    step(monitor, "template", 0.4);
    TemplateFit fit;
    fit.curve = voxel_curve(field, graph, options.curve);
    const CurveTree tree(fit.curve, 0.12 * field.diagonal);
    if (tree.tips().size() < 2) fail("template", "the body has no limbs to match with a skeleton");
    step(monitor, "template", 0.7);
    Choice choice = choose(plan, tree, options);
    step(monitor, "template", 0.9);
    if (options.symmetric) make_symmetric(plan, choice.targets, options.asymmetry);
    trust_shape(plan, choice.match, choice.targets);
    choice.similarity = align(plan, for_pose(plan, choice.targets));
    RelaxedTemplate relaxed = relax_template(plan, choice.targets, choice.similarity, options.stiffness);
    pull_inside(plan, field, relaxed.points);
    pull_into_thin(plan, mesh, field.diagonal, relaxed.points);
    fit.skeleton = posed(plan, relaxed, skeleton);
    fit.roles = plan.roles;
    fit.scale = choice.similarity.scale;
    fit.rotation = choice.similarity.rotation;
    rate(fit, plan, choice, relaxed, field, options);
    tell(fit, tree, monitor);
    step(monitor, "template", 1);
    return fit;
}

}  // namespace sinew::rig
