// SPDX-License-Identifier: MIT
#include "sinew/published/pinocchio.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/rig/templates/template_curve.h"
#include "sinew/rig/templates/template_relax.h"

namespace sinew::published {

namespace {

constexpr double tolerance = 0.003;  // of the longest side; spheres thinner than twice this are left out
constexpr double max_asymmetry = 5;  // percent: twins that are nearer to images of each other are averaged
constexpr double refine_stiffness = 0.25;  // of the template's shape while bones move to the middle of limbs
constexpr int refine_rounds = 15;          // of that

std::vector<std::vector<int>> neighbours(const TemplatePlan& plan) {
    std::vector<std::vector<int>> out(plan.points.size());
    for (std::size_t p = 0; p < out.size(); ++p) {
        if (plan.parent[p] < 0) continue;
        out[p].push_back(plan.parent[p]);
        out[at(plan.parent[p])].push_back(static_cast<int>(p));
    }
    return out;
}

/// The first junction; of a chain an end.
int first_of(const std::vector<std::vector<int>>& around) {
    const auto has = [&](auto rule) {
        const auto found = std::ranges::find_if(around, [&](const auto& list) { return rule(list.size()); });
        return found == around.end() ? -1 : static_cast<int>(found - around.begin());
    };
    const int junction = has([](std::size_t degree) { return degree > 2; });
    return junction >= 0 ? junction : has([](std::size_t degree) { return degree == 1; });
}

/// Where a chain ends in a foot or in its toes.
void mark_feet(const TemplatePlan& plan, ReducedTemplate& out) {
    for (ReducedTemplate::Joint& joint : out.joints) {
        joint.is_foot = joint.is_end && std::ranges::any_of(joint.chain, [&](int point) {
                            if (at(point) >= plan.joint_count()) return false;
                            const model::Role role = plan.roles[at(point)].role;
                            return role == model::Role::foot || role == model::Role::toe;
                        });
    }
}

void mark_twins(const TemplatePlan& plan, ReducedTemplate& out) {
    for (std::size_t j = 0; j < out.joints.size(); ++j) {
        for (std::size_t i = 0; i < j; ++i) {
            if (plan.mirror[at(out.joints[j].point)] == out.joints[i].point)
                out.joints[j].twin = static_cast<int>(i);
        }
    }
}

}  // namespace

ReducedTemplate reduced(const TemplatePlan& plan) {
    ReducedTemplate out;
    const std::vector<std::vector<int>> around = neighbours(plan);
    const int first = first_of(around);
    if (first < 0) return out;
    out.joints.push_back({first, -1, {first}, 0, -1, around[at(first)].size() == 1, false});
    for (std::size_t j = 0; j < out.joints.size(); ++j) {
        const int start = out.joints[j].point;
        const std::vector<int> before = out.joints[j].chain;
        for (const int next : around[at(start)]) {
            if (before.size() > 1 && next == before[before.size() - 2]) continue;
            std::vector<int> chain{start, next};
            while (around[at(chain.back())].size() == 2) {
                const auto& both = around[at(chain.back())];
                chain.push_back(both[both[0] == chain[chain.size() - 2] ? 1 : 0]);
            }
            const double length = plan.length(chain);
            const bool is_end = around[at(chain.back())].size() == 1;
            out.joints.push_back(
                {chain.back(), static_cast<int>(j), std::move(chain), length, -1, is_end, false});
        }
    }
    mark_feet(plan, out);
    mark_twins(plan, out);
    return out;
}

namespace {

/// The path of a chain through its spheres; at the end of a limb extended to the surface.
CurveLine line_of(const SphereGraph& graph, const std::vector<int>& path, bool is_end) {
    CurveLine line;
    for (const int s : path) line.push(graph.center[at(s)], graph.radius[at(s)]);
    if (!is_end || path.size() < 2) return line;
    const Vec3d last = graph.center[at(path.back())];
    const Vec3d along = (last - graph.center[at(path[path.size() - 2])]).normalized();
    line.push(last + graph.radius[at(path.back())] * along, 0);
    return line;
}

/// Joints of the chains by the template's proportions.
TemplateTargets unreduced(const TemplatePlan& plan, const ReducedTemplate& pattern, const SphereGraph& graph,
                          const Embedding& embedding, double scale) {
    TemplateTargets targets;
    targets.position.assign(plan.points.size(), Vec3d::Zero());
    targets.weight.assign(plan.points.size(), 0);
    targets.bone_scale.assign(plan.points.size(), scale);
    const auto put = [&](int point, const Vec3d& position) {
        targets.position[at(point)] = position;
        targets.weight[at(point)] = 1;
    };
    put(pattern.joints[0].point, graph.center[at(embedding.sphere[0])]);
    for (std::size_t j = 1; j < pattern.joints.size(); ++j) {
        const ReducedTemplate::Joint& joint = pattern.joints[j];
        const CurveLine line = line_of(graph, embedding.paths[j], joint.is_end);
        const double stretch = joint.length > 0 ? line.length() / joint.length : 0;
        double along = 0;
        for (std::size_t i = 1; i < joint.chain.size(); ++i) {
            const int before = joint.chain[i - 1], point = joint.chain[i];
            along += (plan.points[at(point)] - plan.points[at(before)]).norm();
            put(point, line.point(stretch * along));
            // A bone belongs to its lower point, for either direction of the chain.
            targets.bone_scale[at(plan.parent[at(point)] == before ? point : before)] = stretch;
        }
    }
    return targets;
}

/// How the mean depth along the bones grows when each point moves.
std::vector<Vec3d> towards_middle(const TemplatePlan& plan, const BodyField& field,
                                  const std::vector<Vec3d>& points) {
    constexpr int samples = 8;
    std::vector<Vec3d> out(points.size(), Vec3d::Zero());
    for (std::size_t p = 0; p < points.size(); ++p) {
        if (plan.parent[p] < 0) continue;
        const auto parent = at(plan.parent[p]);
        for (int i = 0; i < samples; ++i) {
            const double t = (i + 0.5) / samples;
            const Vec3d slope = field.gradient_at((1 - t) * points[parent] + t * points[p]) / samples;
            out[parent] += (1 - t) * slope;
            out[p] += t * slope;
        }
    }
    return out;
}

/// Gradient descent on the depth of the bones, alternating with the shape of the template.
RelaxedTemplate refined(const TemplatePlan& plan, const BodyField& field, TemplateTargets targets) {
    make_symmetric(plan, targets, max_asymmetry);
    RelaxedTemplate relaxed;
    for (int round = 0; round < refine_rounds; ++round) {
        relaxed = relax_template(plan, targets, align(plan, targets), refine_stiffness);
        const std::vector<Vec3d> slope = towards_middle(plan, field, relaxed.points);
        for (std::size_t p = 0; p < slope.size(); ++p) targets.position[p] += 0.5 * field.cell() * slope[p];
        make_symmetric(plan, targets, max_asymmetry);
    }
    pull_inside(plan, field, relaxed.points);
    return relaxed;
}

CurveSkeleton chains_of(const SphereGraph& graph, const Embedding& embedding) {
    CurveSkeleton curve;
    std::vector<int> number(graph.size(), -1);
    for (const std::vector<int>& path : embedding.paths) {
        for (std::size_t i = 0; i < path.size(); ++i) {
            int& node = number[at(path[i])];
            if (node < 0) {
                node = static_cast<int>(curve.nodes.size());
                curve.nodes.push_back({graph.center[at(path[i])], graph.radius[at(path[i])]});
            }
            if (i == 0) continue;
            const int before = number[at(path[i - 1])];
            curve.edges.push_back({std::min(before, node), std::max(before, node)});
        }
    }
    std::ranges::sort(curve.edges);
    curve.edges.erase(std::unique(curve.edges.begin(), curve.edges.end()), curve.edges.end());
    return curve;
}

}  // namespace

TemplateFit pinocchio_fit(const geometry::Mesh& mesh, const model::Skeleton& skeleton, Monitor& monitor) {
    geometry::validate(mesh, mesh.name);
    const TemplatePlan plan = plan_template(skeleton);
    const ReducedTemplate pattern = reduced(plan);
    const BodyField field = body_field(mesh, {}, monitor);
    const geometry::Box box = geometry::bounds(mesh.positions);
    const double side = static_cast<double>((box.high - box.low).maxCoeff());
    // Parts thinner than a cell have no middle on the lattice.
    const SphereGraph graph = sphere_graph(field, std::max(2 * tolerance * side, field.cell()));
    if (graph.left_out > 0)
        warn(monitor, "body-left-out", "{} spheres of {} lie apart from the others and are left out",
             graph.left_out, graph.size() + static_cast<std::size_t>(graph.left_out));
    const double scale = field.diagonal / plan.size;
    const Embedding embedding = embed(graph, plan, pattern, scale, {}, monitor);
    const TemplateTargets targets = unreduced(plan, pattern, graph, embedding, scale);
    const RelaxedTemplate relaxed = refined(plan, field, targets);
    TemplateFit fit;
    fit.skeleton = posed(plan, relaxed, skeleton);
    fit.roles = plan.roles;
    fit.confidence = std::exp(-embedding.cost / static_cast<double>(pattern.joints.size()));
    fit.confidence_of.assign(skeleton.size(), fit.confidence);
    const Similarity similarity = align(plan, targets);
    fit.scale = similarity.scale;
    fit.rotation = similarity.rotation;
    fit.curve = chains_of(graph, embedding);
    return fit;
}

}  // namespace sinew::published
