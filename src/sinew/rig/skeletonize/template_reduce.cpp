#include "sinew/rig/skeletonize/template_reduce.h"

#include <algorithm>

#include "sinew/base/array.h"

namespace sinew::rig {
namespace {

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

}  // namespace sinew::rig
