// SPDX-License-Identifier: MIT
#include "sinew/rig/templates/template_fit.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/rig/body/body_axes.h"
#include "sinew/rig/curve/voxel_skeleton.h"
#include "sinew/rig/templates/standing_match.h"
#include "sinew/rig/templates/symmetry.h"
#include "sinew/rig/templates/template_relax.h"

namespace sinew::rig {

namespace {

constexpr double max_asymmetry = 3;   // percent of the diagonal: twins that are nearer to images are averaged
constexpr double max_residual = 0.6;  // percent of the diagonal: a body whose halves differ less is symmetric
constexpr double upright = 0.08;      // how much +y up and +z forward are preferred where shapes tie
constexpr double min_sure = 0.5;      // joints with less confidence are reported
constexpr double no_stance = 10;      // cost of a standing template in a body that does not stand on two feet
constexpr double join_reach = 0.12;   // of the diagonal, between pieces of the curve

struct MatchChoice {
    LimbMatch match;
    TemplateTargets targets;
    Similarity similarity;
    MirrorPlane plane;  ///< of the body, where it stands
    double cost = 1e300;
};

/// Asymmetry of the targets as a cost: an arm and an ear are not a pair of limbs.
double asymmetry_cost(const TemplatePlan& plan, const TemplateTargets& targets) {
    constexpr double per_percent = 0.015, most = 20;
    const std::optional<MirrorPlane> plane = mirror_plane(targets.position, twins_of(plan, targets));
    return plane ? per_percent * std::min(plane->residual, most) : 0;
}

/// Arms may hang, reach or be spread: only their start shows how the body stands.
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

/// Among assignments with equal paths, the one whose pose is most similar to the template's.
MatchChoice choose(const TemplatePlan& plan, const CurveTree& tree) {
    MatchChoice best;
    for (const LimbMatch& match : match_limbs(plan, tree)) {
        MatchChoice choice;
        choice.match = match;
        choice.targets = find_targets(plan, tree, match);
        choice.similarity = align(plan, for_pose(plan, choice.targets));
        const Mat3d& bend = choice.similarity.rotation;
        choice.cost = match.cost + choice.similarity.residual + asymmetry_cost(plan, choice.targets) +
                      upright * ((1 - bend(1, 1)) + 0.25 * (1 - bend(2, 2)));
        if (choice.cost < best.cost) best = std::move(choice);
    }
    return best;
}

/// Targets at the ends of matched limbs only, where positions are most certain.
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

/// The similarity that most targets agree on: an arm that hangs, or a snout mistaken for the crown, does not
/// rotate the body (iterated least squares with the weights of a Cauchy distribution).
Similarity align_robustly(const TemplatePlan& plan, TemplateTargets targets, Similarity fit) {
    constexpr double scale = 0.03;  // of the size: larger distances count little
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

/// A template in the pose of the body has more information than the middle line of the body: how far from it
/// the spine runs, where in a straight limb the knee is.
/// \param ends of limbs, as the body shows them
void trust_shape(const TemplatePlan& plan, const LimbMatch& match, const TemplateTargets& ends,
                 TemplateTargets& targets) {
    const Similarity middle = align_robustly(plan, targets, align(plan, for_pose(plan, targets)));
    const Similarity whole = align_robustly(plan, ends, middle);
    const std::vector<double> trust = trust_of(plan, match, ends, whole);
    for (std::size_t p = 0; p < plan.points.size(); ++p) {
        targets.position[p] += trust[p] * (whole(plan.points[p]) - targets.position[p]);
        targets.weight[p] = std::max(targets.weight[p], trust[p]);
        targets.bone_scale[p] += trust[p] * (whole.scale - targets.bone_scale[p]);
    }
}

/// Difference of a bone's length from the template's, beyond the usual variation of bodies.
double odd_length(const TemplatePlan& plan, const RelaxedTemplate& relaxed, std::size_t p, double scale) {
    if (plan.parent[p] < 0) return 0;
    const auto parent = at(plan.parent[p]);
    const double want = scale * (plan.points[p] - plan.points[parent]).norm();
    const double have = (relaxed.points[p] - relaxed.points[parent]).norm();
    if (want < 0.02 * scale * plan.size) return 0;
    return have > 0 ? std::max(std::abs(std::log(have / want)) - 0.35, 0.0) : 1;
}

// Probability of a kind of body = softmax of -cost / temperature over the kinds, and over bodies of no known
// kind, which are as likely as one with `cost_of_none`. Both by maximum likelihood over the characters of
// docs/bodies.md.
constexpr double cost_of_none = 2.0, temperature = 0.62;

/// Confidence of an assignment by stance, given the cost of other kinds.
double confidence_of(double cost, std::span<const double> others) {
    double sum = 1 + std::exp((cost - cost_of_none) / temperature);
    for (const double other : others) sum += std::exp((cost - other) / temperature);
    return 1 / sum;
}

void rate(TemplateFit& fit, const TemplatePlan& plan, const MatchChoice& choice,
          const RelaxedTemplate& relaxed, const BodyField& field, bool standing) {
    fit.cost = choice.cost;
    const double whole =
        standing ? confidence_of(choice.cost, {}) : std::exp(-2 * std::max(choice.match.cost - 0.1, 0.0));
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

}  // namespace

void apply(CurveSkeleton& curve, const model::Similarity& axes) {
    for (CurveNode& node : curve.nodes) {
        node.position = axes * node.position;
        node.radius *= axes.scale;
    }
}

namespace {

BodyField standing_field(const geometry::Mesh& mesh, Monitor& monitor) {
    BodyField field = body_field(mesh, {.closed_gap = closed_gap}, monitor);
    std::optional<BodyField> standing = without_base(field);
    if (!standing) return field;
    warn(monitor, "body-on-base",
         "the body stands on a base, which moves with the feet: remove it before the body is animated");
    return *std::move(standing);
}

/// \param hands_off becomes false when no hand rests on the body
CurveSkeleton standing_curve(const BodyField& field, const BodyFrame& frame, bool& hands_off) {
    BodyField split = split_at_plane(field, frame);
    std::optional<BodyField> open;
    if (hands_off) open = without_handles(split, frame);
    hands_off = open.has_value();
    if (open) split = *std::move(open);
    const BodyGraph graph(split);
    const StandingEnds ends = standing_ends(limb_tips(split, graph), frame, graph);
    return voxel_curve(split, graph, ends.limbs, ends.side);
}

}  // namespace

struct TemplateBody::Parts {
    Parts(SurfaceOnDemand& of, const Vec3d& up, bool take_hands_off, Monitor& monitor)
        : axes(body_axes(of, up)),
          mesh(in_axes(of.mesh(), axes)),
          field(standing_field(mesh, monitor)),
          graph(field),
          frames(symmetry_frames(field, graph, Vec3d::UnitY())),
          hands_off(take_hands_off),
          curve(standing_curve(field, frames[0], hands_off)),
          tree(curve, join_reach * field.diagonal) {
        if (tree.tips().size() < 2) fail("template", "the body has no limbs to match with a skeleton");
        // The search is cubic in the number of ends; a mesh with so many is a collection of pieces, not a
        // body.
        constexpr std::size_t max_tips = 200;
        if (tree.tips().size() > max_tips)
            fail("template", "the body has {} ends, more than any skeleton", tree.tips().size());
    }

    model::Similarity
        axes;  ///< from the axes of the body, in which all other members are, to those of the world
    geometry::Mesh mesh;
    BodyField field;
    BodyGraph graph;
    std::vector<BodyFrame> frames;
    bool hands_off;  ///< hands that rested on the body were cut off from it
    CurveSkeleton curve;
    CurveTree tree;
};

namespace {

/// How well an assignment by stance explains a body, with the facing that the body shows; where it shows
/// none, models face +z.
constexpr double cost_of_residual = 0.25;  // per percent of the diagonal by which the halves of a body differ
constexpr double cost_of_facing = 0.12, cost_of_back = 0.1;

/// Whether the fore legs of an animal lie before its hind legs.
bool goes_forward(const TemplatePlan& plan, const TemplateTargets& targets, const Vec3d& forward) {
    double along = 0;
    for (std::size_t j = 0; j < plan.joint_count(); ++j) {
        if (targets.weight[j] <= 0) continue;
        if (plan.roles[j].role == model::Role::upper_arm) along += forward.dot(targets.position[j]);
        if (plan.roles[j].role == model::Role::thigh) along -= forward.dot(targets.position[j]);
    }
    return along >= 0;
}

MatchChoice choose_standing(const TemplatePlan& plan, const StandingPlan& limbs,
                            const TemplateBody::Parts& body) {
    MatchChoice best;
    for (const BodyFrame& plane : body.frames) {
        for (const BodyFrame& frame : {plane, plane.reversed()}) {
            for (StandingMatch& found :
                 match_standing(plan, limbs, body.tree, frame, body.graph, body.mesh, 4)) {
                MatchChoice choice;
                choice.match = std::move(found.match);
                choice.plane = frame.plane;
                choice.targets = find_targets(plan, body.tree, choice.match, &frame, limbs.four_footed);
                if (limbs.four_footed && !goes_forward(plan, choice.targets, frame.forward())) continue;
                choice.similarity = align(plan, for_pose(plan, choice.targets));
                const double front = (body.axes.rotation * frame.forward()).z();
                choice.cost = choice.match.cost + cost_of_residual * std::min(frame.plane.residual, 4.0) -
                              cost_of_facing * std::clamp(found.facing, -3.0, 3.0) +
                              cost_of_back * (1 - front) / 2;
                if (choice.cost < best.cost) best = std::move(choice);
            }
        }
    }
    return best;
}

}  // namespace

TemplateBody::TemplateBody(SurfaceOnDemand& surface, const Vec3d& up, Monitor& monitor, bool hands_off)
    : parts_(std::make_unique<Parts>(surface, up, hands_off, monitor)) {}

bool TemplateBody::hands_off() const {
    return parts_->hands_off;
}

TemplateBody::~TemplateBody() = default;

namespace {

/// A template whose limbs are matched with those of a body, before its joints are placed.
struct Assignment {
    model::Skeleton skeleton;  ///< as it was given
    TemplatePlan plan;
    CurveSkeleton curve;
    MatchChoice choice;
    bool stands = false;
    int left_out = 0;

    double cost() const { return choice.cost; }
};

Assignment assign(const TemplateBody::Parts& body, const model::Skeleton& skeleton) {
    Assignment found{skeleton, plan_template(skeleton), body.curve, {}, false, 0};
    const StandingPlan standing = standing_plan(found.plan);
    std::optional<CurveTree> free_tree;
    if (!standing.valid()) {
        found.curve = voxel_curve(body.field, body.graph);
        free_tree.emplace(found.curve, join_reach * body.field.diagonal);
        if (free_tree->tips().size() < 2) fail("template", "the body has no limbs to match with a skeleton");
    }
    const CurveTree& tree = free_tree ? *free_tree : body.tree;
    if (standing.valid()) found.choice = choose_standing(found.plan, standing, body);
    found.stands = !found.choice.match.tip.empty();
    if (!found.stands) found.choice = choose(found.plan, tree);
    if (standing.valid() && !found.stands) found.choice.cost = found.choice.match.cost = no_stance;
    found.left_out = tree.left_out();
    return found;
}

TemplateFit finish_fit(const TemplateBody::Parts& body, Assignment assignment) {
    const TemplatePlan& plan = assignment.plan;
    MatchChoice& choice = assignment.choice;
    const bool stands = assignment.stands;
    TemplateFit fit;
    fit.curve = std::move(assignment.curve);
    if (stands && choice.plane.residual < max_residual) {
        mirror_short_cuts(plan, choice.targets, choice.plane, body.field.diagonal, max_asymmetry);
        settle_middle(plan, choice.targets, choice.plane, body.field.diagonal, max_asymmetry);
    }
    const TemplateTargets ends = ends_of(plan, choice.match, choice.targets);
    if (stands) end_head(plan, choice.targets, choice.plane, body.field, choice.similarity);
    make_symmetric(plan, choice.targets, max_asymmetry);
    trust_shape(plan, choice.match, ends, choice.targets);
    choice.similarity = align(plan, for_pose(plan, choice.targets));
    RelaxedTemplate relaxed = relax_template(plan, choice.targets, choice.similarity);
    pull_inside(plan, body.field, relaxed.points);
    pull_into_thin(plan, body.mesh, body.field.diagonal, relaxed.points);
    fit.skeleton = posed(plan, relaxed, assignment.skeleton);
    fit.axes = body.axes;
    apply(fit.skeleton, fit.axes);
    apply(fit.curve, fit.axes);
    fit.roles = plan.roles;
    fit.scale = choice.similarity.scale;
    fit.rotation = body.axes.rotation * choice.similarity.rotation;
    fit.left_out = assignment.left_out;
    rate(fit, plan, choice, relaxed, body.field, stands);
    fit.scale *= body.axes.scale;
    return fit;
}

}  // namespace

TemplateFit fit_template(const TemplateBody& body, const model::Skeleton& skeleton) {
    return finish_fit(body.parts(), assign(body.parts(), skeleton));
}

void warn_of_missing(const TemplateFit& fit, Monitor& monitor) {
    if (fit.left_out > 0)
        warn(monitor, "body-left-out", "{} parts are too far away to belong to the body", fit.left_out);
    for (const std::string& name : fit.missing)
        warn(monitor, "limb-not-found", "the body has no limb for {}: placed by proportion", name);
    if (!fit.unsure.empty())
        warn(monitor, "unsure-joints", "{} of {} joints may be misplaced", fit.unsure.size(),
             fit.skeleton.size());
}

namespace {

/// Where no kind of body stands better than this, other directions than +y are tried as up.
constexpr double max_upright_cost = 2;
/// A body with a higher cost is tested a second time, with exactly +y as up.
constexpr double max_sure_cost = 1;
/// A floor with a smaller inclination is the floor of the file: the body is then measured from its own floor,
/// so that an inclined file gives the same result.
constexpr double min_lean = math::radians(4);
/// Cost of other directions: files have an up direction.
constexpr double cost_of_tilt = 0.3;
/// Cost of hands that rest on the body, so that arms have no ends.
constexpr double cost_of_hands_off = 0.3;
/// Cost of an inverted body: no format has -y up.
constexpr double cost_of_headstand = 1.5;

/// The principal axes of a mesh, in both directions, except those near +y.
std::vector<Vec3d> other_ups(const geometry::Mesh& mesh) {
    const Mat3d axes = unit_frame(mesh).rotation;
    std::vector<Vec3d> ups;
    for (int a = 0; a < 3; ++a) {
        for (const double sign : {1.0, -1.0})
            if (sign * axes(1, a) < 0.9) ups.emplace_back(sign * axes.col(a));
    }
    return ups;
}

/// Calls `body` for the floor near +y (soles are not exactly flat), for an inclined body also upright, and
/// for other directions while it returns that no body stands.
template <class Body>
void for_each_up(const geometry::Mesh& mesh, Monitor& monitor, const Body& body) {
    const std::optional<Vec3d> rest = resting_up(mesh);
    const bool leans = rest && rest->y() < std::cos(min_lean);
    SurfaceOnDemand surface(mesh);
    const Vec3d first = leans || !rest ? Vec3d(Vec3d::UnitY()) : *rest;
    double best = body(TemplateBody(surface, first, monitor), 0.0);
    std::vector<Vec3d> ups;
    if (leans)
        ups.push_back(*rest);
    else if (rest && best > max_sure_cost)
        best = std::min(best, body(TemplateBody(surface, Vec3d::UnitY()), 0.0));
    if (best > max_upright_cost) {
        const TemplateBody apart(surface, first, silent(), true);
        if (apart.hands_off()) best = std::min(best, body(apart, cost_of_hands_off));
    }
    if (best > max_upright_cost) std::ranges::copy(other_ups(mesh), std::back_inserter(ups));
    for (const Vec3d& up : ups) {
        step(monitor, "template", 0.7);
        try {
            const bool rests = leans && up == *rest;
            const double tilt = up.y() < -0.5 ? cost_of_headstand : cost_of_tilt;
            best = std::min(best, body(TemplateBody(surface, up), rests ? cost_of_tilt / 2 : tilt));
        } catch (const Error&) {
            // A direction in which the body has no limbs is not its up; the result for +y is kept.
        }
    }
}

}  // namespace

TemplateFit fit_template(const geometry::Mesh& mesh, const model::Skeleton& skeleton, Monitor& monitor) {
    std::optional<TemplateFit> best;
    const bool stands = standing_plan(plan_template(skeleton)).valid();
    for_each_up(mesh, monitor, [&](const TemplateBody& body, double cost) {
        step(monitor, "template", 0.7);
        TemplateFit fit = fit_template(body, skeleton);
        fit.cost += cost;
        if (!best || fit.cost < best->cost) best = std::move(fit);
        return stands ? best->cost : 0.0;
    });
    warn_of_missing(*best, monitor);
    step(monitor, "template", 1);
    return *std::move(best);
}

namespace {

constexpr std::string_view standing_kinds[] = {"biped", "quadruped"};

// A hand has no stance: its cost is that of matching its fingers, converted to the scale of the others by two
// points: the hands of docs/bodies.md cost about 0.7, other bodies 0.89 and more.
constexpr double hand_slope = 8, hand_zero = 0.6;
/// Bodies that stand better than this are not compared with a hand.
constexpr double min_cost_of_hands = 1;

/// A skeleton without the joints of limbs that end in these.
model::Skeleton without_limbs(const model::Skeleton& skeleton, const std::vector<std::string>& ends) {
    const std::vector<std::vector<int>> children = model::children(skeleton);
    std::vector<int> doomed;
    for (const std::string& end : ends) {
        int joint = skeleton.find(end);
        for (; joint >= 0; joint = skeleton.joints[at(joint)].parent) {
            doomed.push_back(joint);
            const int parent = skeleton.joints[at(joint)].parent;
            if (parent < 0 || children[at(parent)].size() > 1) break;
        }
    }
    model::Skeleton kept;
    std::vector<int> number(skeleton.size(), -1);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        if (std::ranges::find(doomed, static_cast<int>(j)) != doomed.end()) continue;
        number[j] = static_cast<int>(kept.joints.size());
        kept.joints.push_back(skeleton.joints[j]);
        int& parent = kept.joints.back().parent;
        if (parent >= 0) parent = number[at(parent)];
    }
    return kept;
}

}  // namespace

BodyGuess identify_body(const geometry::Mesh& mesh, std::optional<TemplateFit>* fit, Monitor& monitor) {
    BodyGuess guess{"free", 0};
    double min_cost = 1e300;
    for_each_up(mesh, monitor, [&](const TemplateBody& body, double cost) {
        std::vector<Assignment> found;
        std::vector<double> costs;
        for (const std::string_view kind : standing_kinds) {
            found.push_back(assign(body.parts(), skeleton_template(kind)));
            costs.push_back(found.back().cost() + cost);
        }
        std::vector<std::string_view> kinds(std::begin(standing_kinds), std::end(standing_kinds));
        if (cost == 0 && std::ranges::min(costs) > min_cost_of_hands) {
            kinds.emplace_back("hand");
            found.push_back(assign(body.parts(), skeleton_template("hand")));
            costs.push_back(hand_slope * (found.back().cost() - hand_zero));
        }
        const auto best = static_cast<std::size_t>(std::ranges::min_element(costs) - costs.begin());
        const double own = costs[best];
        if (own >= min_cost) return min_cost;
        min_cost = own;
        costs.erase(costs.begin() + static_cast<std::ptrdiff_t>(best));
        guess = {kinds[best], confidence_of(own, costs)};
        if (fit == nullptr) return min_cost;
        *fit = finish_fit(body.parts(), std::move(found[best]));
        if (guess.kind == "hand") (*fit)->cost = own;
        if (!(*fit)->missing.empty() && (*fit)->missing.size() <= 2)
            *fit = fit_template(body, without_limbs(skeleton_template(guess.kind), (*fit)->missing));
        (*fit)->confidence = guess.confidence;
        return min_cost;
    });
    return guess;
}

}  // namespace sinew::rig
