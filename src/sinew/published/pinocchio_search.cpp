// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <queue>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/math/types.h"
#include "sinew/published/pinocchio.h"

namespace sinew::published {

namespace {

double square(double x) {
    return x * x;
}

}  // namespace

EmbeddingPenalties::EmbeddingPenalties(const SphereGraph& graph, const TemplatePlan& plan,
                                       const ReducedTemplate& pattern, double scale,
                                       const EmbeddingWeights& weights)
    : graph_(graph), plan_(plan), pattern_(pattern), scale_(scale), weights_(weights) {
    double top = std::numeric_limits<double>::lowest();
    bottom_ = std::numeric_limits<double>::max();
    for (std::size_t s = 0; s < graph.size(); ++s) {
        bottom_ = std::min(bottom_, graph.center[s].y() - graph.radius[s]);
        top = std::max(top, graph.center[s].y() + graph.radius[s]);
    }
    height_ = top - bottom_;
    find_ends();
}

/// From every sphere in the direction of increasing distance, along the graph from the middle of its longest
/// path, until no neighbour is farther.
void EmbeddingPenalties::find_ends() {
    const auto farthest = [](const std::vector<double>& length) {
        return static_cast<int>(std::ranges::max_element(length) - length.begin());
    };
    const int end = farthest(paths_from(graph_, 0).length);
    const SpherePaths across = paths_from(graph_, end);
    const std::vector<int> longest = across.path_to(farthest(across.length));
    const double half = across.length[at(longest.back())] / 2;
    const int middle = *std::ranges::min_element(
        longest, {}, [&](int sphere) { return std::abs(across.length[at(sphere)] - half); });
    const std::vector<double> far = paths_from(graph_, middle).length;
    std::vector<std::size_t> order(graph_.size());
    for (std::size_t s = 0; s < order.size(); ++s) order[s] = s;
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return far[a] > far[b]; });
    to_end_.assign(graph_.size(), 0);
    for (const std::size_t s : order) {
        for (const SphereGraph::Link& link : graph_.around[s]) {
            if (far[at(link.to)] > far[s])
                to_end_[s] = std::max(to_end_[s], link.length + to_end_[at(link.to)]);
        }
    }
}

double EmbeddingPenalties::alone(std::size_t joint, int sphere) const {
    const ReducedTemplate::Joint& j = pattern_.joints[joint];
    double sum = 0;
    if (j.is_foot)
        sum +=
            weights_.foot * (graph_.center[at(sphere)].y() - graph_.radius[at(sphere)] - bottom_) / height_;
    // A limb ends where its rest is only the sphere that fills its end.
    const double rest = std::max(0.0, to_end_[at(sphere)] - graph_.radius[at(sphere)]);
    if (j.is_end) sum += weights_.not_an_end * std::min(1.0, rest / (0.3 * scale_ * j.length));
    return sum;
}

/// Between the directions in the template and in the body; 1 where one of them is undefined.
double EmbeddingPenalties::cosine(std::size_t from, std::size_t to, int from_sphere, int to_sphere) const {
    const Vec3d wanted =
        plan_.points[at(pattern_.joints[to].point)] - plan_.points[at(pattern_.joints[from].point)];
    const Vec3d have = graph_.center[at(to_sphere)] - graph_.center[at(from_sphere)];
    const double size = wanted.norm() * have.norm();
    return size > 0 ? wanted.dot(have) / size : 1;
}

double EmbeddingPenalties::chain(std::size_t joint, int parent, int sphere, double length) const {
    const ReducedTemplate::Joint& j = pattern_.joints[joint];
    if (parent == sphere) return weights_.no_length;
    const double ratio = length / (scale_ * std::max(j.length, 1e-6 * plan_.size));
    double sum = weights_.orientation * square(1 - cosine(at(j.parent), joint, parent, sphere));
    sum += weights_.short_bone * square(std::max(0.0, 1 - 2 * ratio));
    sum += weights_.detour * square(std::max(0.0, ratio - 1));
    return sum;
}

double EmbeddingPenalties::pair(std::size_t first, int first_sphere, std::size_t second,
                                int second_sphere) const {
    if (first_sphere == second_sphere) return weights_.no_length;
    const double apart =
        (plan_.points[at(pattern_.joints[first].point)] - plan_.points[at(pattern_.joints[second].point)])
            .norm();
    if (apart < 0.05 * plan_.size) return 0;
    return weights_.direction * square(1 - cosine(first, second, first_sphere, second_sphere));
}

double EmbeddingPenalties::twins(double d1, const std::array<int, 2>& first_ends, double d2,
                                 const std::array<int, 2>& second_ends) const {
    const auto radii = [&](const std::array<int, 2>& ends) {
        return graph_.radius[at(ends[0])] + graph_.radius[at(ends[1])];
    };
    if (!(d1 > 0) || !(d2 > 0)) return 0;  // counted as chains without length
    const double q = 0.2 * std::max(d1 / d2, d2 / d1) + 0.8 * std::max(d1 / (d2 + 0.7 * radii(second_ends)),
                                                                       d2 / (d1 + 0.7 * radii(first_ends)));
    return weights_.asymmetry * std::max(0.0, q * q * q - 1.2);
}

double EmbeddingPenalties::shared(std::size_t spheres, std::size_t count) const {
    if (count == 0) return 0;
    const double share = static_cast<double>(spheres) / static_cast<double>(count);
    return weights_.shared * square(std::max(0.0, 2 * share - 1));
}

namespace {

using math::infinity;

constexpr std::size_t fat_spheres = 50;        // junctions lie in one of this many largest spheres
constexpr std::size_t max_states = 1'000'000;  // partial embeddings before the search fails

/// A state with one more joint than the previous one.
struct State {
    int before = -1;
    int sphere = -1;
    double cost = 0;  ///< so far
};

class EmbeddingSearch {
  public:
    EmbeddingSearch(const SphereGraph& graph, const TemplatePlan& plan, const ReducedTemplate& pattern,
                    double scale, const EmbeddingOptions& options)
        : graph_(graph),
          pattern_(pattern),
          options_(options),
          penalties_(graph, plan, pattern, scale, options.weights),
          paths_(graph.size()) {
        for (std::size_t j = 0; j < joint_count(); ++j) {
            const bool fat = !pattern.joints[j].is_end;
            spheres_of_.push_back(fat ? std::min(fat_spheres, graph.size()) : graph.size());
        }
        bound_chains();
    }

    Embedding run(Monitor& monitor) {
        start();
        while (!queue_.empty()) {
            const int best = queue_.top().second;
            queue_.pop();
            const std::vector<int> placed = spheres_of(best);
            if (placed.size() == joint_count()) return finished(placed, states_[at(best)].cost);
            extend(best, placed);
            if (states_.size() > max_states)
                fail("pinocchio", "no embedding of the template was found among {} partial ones",
                     states_.size());
            step(monitor, "embedding", static_cast<double>(states_.size()) / static_cast<double>(max_states));
        }
        fail("pinocchio", "the template has no embedding in this body");
    }

  private:
    std::size_t joint_count() const { return pattern_.joints.size(); }

    const SpherePaths& paths(int from) {
        if (!paths_[at(from)]) paths_[at(from)] = paths_from(graph_, from);
        return *paths_[at(from)];
    }

    /// min_[j][p]: minimum cost of joint j and its descendants when its parent lies in sphere p;
    /// below_[j][s]: minimum cost of the descendants of joint j when it lies in s. Computed from the ends to
    /// the root.
    void bound_chains() {
        min_.assign(joint_count(), {});
        below_.assign(joint_count(), {});
        for (std::size_t j = 0; j < joint_count(); ++j) below_[j].assign(spheres_of_[j], 0.0);
        for (std::size_t j = joint_count(); j-- > 1;) {
            const std::size_t parent = at(pattern_.joints[j].parent);
            min_[j].assign(spheres_of_[parent], infinity);
            for (std::size_t p = 0; p < spheres_of_[parent]; ++p) {
                const SpherePaths& from = paths(static_cast<int>(p));
                for (std::size_t s = 0; s < spheres_of_[j]; ++s) {
                    const double cost =
                        own_cost(j, static_cast<int>(p), static_cast<int>(s), from) + below_[j][s];
                    min_[j][p] = std::min(min_[j][p], cost);
                }
                below_[parent][p] += min_[j][p];
            }
        }
    }

    double own_cost(std::size_t joint, int parent, int sphere, const SpherePaths& from) const {
        return penalties_.alone(joint, sphere) +
               penalties_.chain(joint, parent, sphere, from.length[at(sphere)]);
    }

    void start() {
        for (std::size_t s = 0; s < spheres_of_[0]; ++s) {
            const double cost = penalties_.alone(0, static_cast<int>(s));
            push({-1, static_cast<int>(s), cost}, cost + below_[0][s]);
        }
    }

    void push(const State& state, double bound) {
        if (bound > options_.max_cost * static_cast<double>(joint_count())) return;
        queue_.emplace(bound, static_cast<int>(states_.size()));
        states_.push_back(state);
    }

    std::vector<int> spheres_of(int state) const {
        std::vector<int> out;
        for (int s = state; s >= 0; s = states_[at(s)].before) out.push_back(states_[at(s)].sphere);
        std::ranges::reverse(out);
        return out;
    }

    /// Minimum cost of the joints that are not placed yet, for their given parents.
    double rest_of(const std::vector<int>& placed) const {
        double sum = 0;
        for (std::size_t j = placed.size(); j < joint_count(); ++j) {
            const std::size_t parent = at(pattern_.joints[j].parent);
            if (parent < placed.size()) sum += min_[j][at(placed[parent])];
        }
        return sum;
    }

    /// All states with the next joint placed.
    void extend(int before, const std::vector<int>& placed) {
        const std::size_t joint = placed.size();
        const std::size_t parent = at(pattern_.joints[joint].parent);
        const SpherePaths& from = paths(placed[parent]);
        const double done = states_[at(before)].cost;
        const double rest = rest_of(placed) - min_[joint][at(placed[parent])];
        const std::vector<char> used = spheres_used(placed);
        for (std::size_t s = 0; s < spheres_of_[joint]; ++s) {
            const int sphere = static_cast<int>(s);
            double cost = done + own_cost(joint, placed[parent], sphere, from);
            if (cost + rest + below_[joint][s] > options_.max_cost * static_cast<double>(joint_count()))
                continue;
            cost += with_others(joint, sphere, placed) + sharing(from.path_to(sphere), used);
            push({before, sphere, cost}, cost + rest + below_[joint][s]);
        }
    }

    /// Spheres inside the chains that are placed; their ends may be shared, where chains meet.
    std::vector<char> spheres_used(const std::vector<int>& placed) {
        std::vector<char> used(graph_.size(), 0);
        for (std::size_t j = 1; j < placed.size(); ++j) {
            const std::vector<int> path = paths(placed[at(pattern_.joints[j].parent)]).path_to(placed[j]);
            for (std::size_t i = 1; i < path.size(); ++i) used[at(path[i])] = 1;
        }
        return used;
    }

    double sharing(const std::vector<int>& path, const std::vector<char>& used) const {
        const auto taken = std::ranges::count_if(path.begin() + 1, path.end(),
                                                 [&](int sphere) { return used[at(sphere)] != 0; });
        return penalties_.shared(static_cast<std::size_t>(taken), path.size() - 1);
    }

    double with_others(std::size_t joint, int sphere, const std::vector<int>& placed) {
        const ReducedTemplate::Joint& j = pattern_.joints[joint];
        double sum = 0;
        for (std::size_t other = 0; other < placed.size(); ++other) {
            if (static_cast<int>(other) == j.parent) continue;
            sum += penalties_.pair(other, placed[other], joint, sphere);
        }
        if (j.twin < 0 || pattern_.joints[at(j.twin)].parent < 0) return sum;
        const int twin_sphere = placed[at(j.twin)];
        const int own_start = placed[at(j.parent)],
                  twin_start = placed[at(pattern_.joints[at(j.twin)].parent)];
        return sum + penalties_.twins(paths(own_start).length[at(sphere)], {own_start, sphere},
                                      paths(twin_start).length[at(twin_sphere)], {twin_start, twin_sphere});
    }

    Embedding finished(const std::vector<int>& placed, double cost) {
        Embedding out;
        out.sphere = placed;
        out.paths.resize(joint_count());
        for (std::size_t j = 1; j < joint_count(); ++j)
            out.paths[j] = paths(placed[at(pattern_.joints[j].parent)]).path_to(placed[j]);
        out.cost = cost;
        out.states = states_.size();
        return out;
    }

    using Entry = std::pair<double, int>;  // bound and state; for equal bounds the first

    const SphereGraph& graph_;
    const ReducedTemplate& pattern_;
    const EmbeddingOptions& options_;
    EmbeddingPenalties penalties_;
    std::vector<std::optional<SpherePaths>> paths_;
    std::vector<std::size_t> spheres_of_;  ///< per joint: number of the largest spheres in which it may lie
    std::vector<std::vector<double>> min_, below_;
    std::vector<State> states_;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

}  // namespace

Embedding embed(const SphereGraph& graph, const TemplatePlan& plan, const ReducedTemplate& pattern,
                double scale, const EmbeddingOptions& options, Monitor& monitor) {
    if (graph.size() < 2) fail("pinocchio", "the body is too thin for spheres: there is nothing to embed in");
    if (pattern.joints.size() < 2) fail("pinocchio", "the template has no limbs to embed");
    return EmbeddingSearch(graph, plan, pattern, scale, options).run(monitor);
}

}  // namespace sinew::published
