// SPDX-License-Identifier: MIT
#include "sinew/model/skin.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/base/error.h"

namespace sinew::model {
namespace {

/// Sorts by joint and merges equal joints; returns the number of merged entries.
std::size_t merge_equal(std::vector<Influence>& list) {
    std::sort(list.begin(), list.end(),
              [](const Influence& a, const Influence& b) { return a.joint < b.joint; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (kept > 0 && list[kept - 1].joint == list[i].joint) {
            list[kept - 1].weight += list[i].weight;
        } else {
            list[kept++] = list[i];
        }
    }
    const std::size_t merged = list.size() - kept;
    list.resize(kept);
    return merged;
}

double weight_sum(const std::vector<Influence>& list) {
    double sum = 0;
    for (const Influence& influence : list) sum += influence.weight;
    return sum;
}

/// Keeps at most `limit` influences, the heaviest that are at least `least`, and always the heaviest one. The
/// list is then sorted by joint.
std::size_t prune(std::vector<Influence>& list, std::size_t limit, float smallest) {
    const std::size_t before = list.size();
    std::stable_sort(list.begin(), list.end(),
                     [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
    if (limit > 0 && list.size() > limit) list.resize(limit);
    while (list.size() > 1 && list.back().weight < smallest) list.pop_back();
    std::sort(list.begin(), list.end(),
              [](const Influence& a, const Influence& b) { return a.joint < b.joint; });
    return before - list.size();
}

}  // namespace

void Skin::push_vertex(std::span<const Influence> list) {
    influences.insert(influences.end(), list.begin(), list.end());
    offsets.push_back(static_cast<std::uint32_t>(influences.size()));
}

SkinCleanReport clean(Skin& skin, const SkinCleanOptions& options,
                      const std::function<std::uint32_t(std::size_t)>& fallback) {
    SkinCleanReport report;
    Skin result;
    result.joints = std::move(skin.joints);
    result.offsets.reserve(skin.offsets.size());
    result.influences.reserve(skin.influences.size());
    std::vector<Influence> list;
    for (std::size_t v = 0; v < skin.vertex_count(); ++v) {
        list.clear();
        for (const Influence& influence : skin.of(v)) {
            if (influence.weight > 0 && std::isfinite(influence.weight)) list.push_back(influence);
        }
        // Files fill lists with zeros, so a plain zero does not count as dropped.
        for (const Influence& influence : skin.of(v)) {
            report.dropped += !(influence.weight >= 0 && std::isfinite(influence.weight));
        }
        report.merged += merge_equal(list);
        // Removed weight is reported as pruning, not as a list whose sum is not 1.
        report.renormalized += !list.empty() && std::abs(weight_sum(list) - 1) > 1e-3;
        report.pruned +=
            prune(list, static_cast<std::size_t>(std::max(0, options.max_influences)), options.prune_below);
        const double sum = weight_sum(list);
        for (Influence& influence : list) influence.weight = static_cast<float>(influence.weight / sum);
        std::erase_if(list, [](const Influence& influence) { return !(influence.weight > 0); });
        if (list.empty()) {
            ++report.empty;
            list.push_back({fallback ? fallback(v) : 0u, 1});
        }
        result.push_vertex(list);
    }
    skin = std::move(result);
    return report;
}

void warn_about(const SkinCleanReport& report, std::string_view location, Monitor& monitor) {
    if (report.dropped > 0) {
        warn(monitor, "weights-dropped", "{}: {} weights were negative or not finite and were dropped",
             location, report.dropped);
    }
    if (report.merged > 0) {
        warn(monitor, "weights-merged", "{}: {} influences named a joint twice and were merged", location,
             report.merged);
    }
    if (report.renormalized > 0) {
        warn(monitor, "weights-not-normalized",
             "{}: the weights of {} vertices did not sum to 1 and were scaled", location,
             report.renormalized);
    }
    if (report.empty > 0) {
        warn(monitor, "weights-missing", "{}: {} vertices had no weight and were bound to one joint",
             location, report.empty);
    }
}

void validate(const Skin& skin, std::size_t vertex_count, std::size_t joint_count,
              std::string_view location) {
    if (skin.offsets.empty() || skin.offsets.front() != 0 || skin.offsets.back() != skin.influences.size() ||
        !std::is_sorted(skin.offsets.begin(), skin.offsets.end())) {
        fail(location, "the skin's lists do not follow each other");
    }
    if (skin.vertex_count() != vertex_count) {
        fail(location, "the skin has {} vertices, the mesh {}", skin.vertex_count(), vertex_count);
    }
    for (const SkinJoint& entry : skin.joints) {
        if (entry.joint < 0 || static_cast<std::size_t>(entry.joint) >= joint_count) {
            fail(location, "the skin names joint {} of {}", entry.joint, joint_count);
        }
        if (!entry.inverse_bind.allFinite())
            fail(location, "joint {} has a bind matrix that is not finite", entry.joint);
    }
    for (std::size_t v = 0; v < vertex_count; ++v) {
        double sum = 0;
        std::int64_t previous = -1;
        for (const Influence& influence : skin.of(v)) {
            if (influence.joint >= skin.joints.size()) {
                fail(location, "vertex {} names skin joint {} of {}", v, influence.joint, skin.joints.size());
            }
            if (std::int64_t{influence.joint} <= previous)
                fail(location, "vertex {}: influences are not sorted", v);
            if (!(influence.weight > 0)) fail(location, "vertex {} has a weight of {}", v, influence.weight);
            previous = influence.joint;
            sum += influence.weight;
        }
        if (std::abs(sum - 1) > 1e-5) fail(location, "the weights of vertex {} sum to {}", v, sum);
    }
}

std::vector<Mat4d> palette(const Skin& skin, std::span<const Mat4d> world) {
    std::vector<Mat4d> result;
    result.reserve(skin.joints.size());
    for (const SkinJoint& entry : skin.joints) {
        result.emplace_back(world[static_cast<std::size_t>(entry.joint)] * entry.inverse_bind);
    }
    return result;
}

std::vector<SkinJoint> bind_at_rest(const Skeleton& skeleton) {
    const std::vector<Mat4d> world = rest_world_matrices(skeleton);
    std::vector<SkinJoint> joints;
    joints.reserve(world.size());
    for (std::size_t j = 0; j < world.size(); ++j) {
        joints.push_back({static_cast<int>(j), math::inverse_affine(world[j])});
    }
    return joints;
}

std::vector<std::vector<VertexWeight>> weights_by_joint(const Skin& skin) {
    std::vector<std::vector<VertexWeight>> result(skin.joints.size());
    for (std::uint32_t v = 0; v < skin.vertex_count(); ++v) {
        for (const Influence& influence : skin.of(v))
            result[influence.joint].push_back({v, influence.weight});
    }
    return result;
}

namespace {

/// Order of sets: fewer joints first, then by the joints.
bool same_joints(std::span<const Influence> a, std::span<const Influence> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Influence& x, const Influence& y) { return x.joint == y.joint; });
}

bool before(std::span<const Influence> a, std::span<const Influence> b) {
    if (a.size() != b.size()) return a.size() < b.size();
    return std::lexicographical_compare(
        a.begin(), a.end(), b.begin(), b.end(),
        [](const Influence& x, const Influence& y) { return x.joint < y.joint; });
}

void append_set(InfluenceSets& sets, const Skin& skin, std::uint32_t first, std::uint32_t count) {
    const std::span<const Influence> lead = skin.of(sets.vertices[first]);
    InfluenceSet set;
    set.first_joint = static_cast<std::uint32_t>(sets.joints.size());
    set.joint_count = static_cast<std::uint32_t>(lead.size());
    set.first_vertex = first;
    set.vertex_count = count;
    set.first_weight = static_cast<std::uint32_t>(sets.weights.size());
    sets.weights.resize(sets.weights.size() + lead.size() * count);
    std::vector<double> sums(lead.size(), 0.0);
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint32_t vertex = sets.vertices[first + k];
        sets.set_of[vertex] = static_cast<std::uint32_t>(sets.sets.size());
        const std::span<const Influence> list = skin.of(vertex);
        for (std::size_t i = 0; i < list.size(); ++i) {
            sets.weights[set.first_weight + i * count + k] = list[i].weight;
            sums[i] += list[i].weight;
        }
    }
    for (const Influence& influence : lead) sets.joints.push_back(influence.joint);
    set.pivot = static_cast<std::uint32_t>(std::max_element(sums.begin(), sums.end()) - sums.begin());
    sets.sets.push_back(set);
}

/// Position in the set of the nearest ancestor of a skin joint, or -1.
std::int32_t nearest_ancestor(const InfluenceSets& sets, const InfluenceSet& set, std::uint32_t slot,
                              const Skin& skin, const Skeleton& skeleton) {
    const auto joints = sets.joints_of(set);
    int joint = skin.joints[joints[slot]].joint;
    while ((joint = skeleton.joints[static_cast<std::size_t>(joint)].parent) >= 0) {
        for (std::uint32_t i = 0; i < joints.size(); ++i) {
            if (i != slot && skin.joints[joints[i]].joint == joint) return static_cast<std::int32_t>(i);
        }
    }
    return -1;
}

/// True when following sign parents from `slot` leads to `target`.
bool leads_to(std::span<const std::int32_t> parents, std::int32_t slot, std::int32_t target) {
    while (slot >= 0 && slot != target) slot = parents[static_cast<std::size_t>(slot)];
    return slot == target;
}

void settle_signs(InfluenceSets& sets, const InfluenceSet& set, const Skin& skin, const Skeleton* skeleton) {
    const std::span<std::int32_t> parents(sets.sign_parent.data() + set.first_joint, set.joint_count);
    std::fill(parents.begin(), parents.end(), -1);
    if (skeleton != nullptr) {
        for (std::uint32_t i = 0; i < parents.size(); ++i)
            parents[i] = nearest_ancestor(sets, set, i, skin, *skeleton);
    }
    // Joints without an ancestor in the set get the heaviest joint as parent, except the topmost joint of the
    // heaviest joint's own chain.
    const auto pivot = static_cast<std::int32_t>(set.pivot);
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(parents.size()); ++i) {
        if (parents[static_cast<std::size_t>(i)] < 0 && !leads_to(parents, pivot, i)) {
            parents[static_cast<std::size_t>(i)] = pivot;
        }
    }
}

}  // namespace

InfluenceSets group_by_influences(const Skin& skin, const Skeleton* skeleton) {
    InfluenceSets sets;
    const auto count = static_cast<std::uint32_t>(skin.vertex_count());
    sets.vertices.resize(count);
    sets.set_of.resize(count);
    sets.weights.reserve(skin.influences.size());
    std::iota(sets.vertices.begin(), sets.vertices.end(), 0u);
    std::stable_sort(sets.vertices.begin(), sets.vertices.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return before(skin.of(a), skin.of(b)); });
    for (std::uint32_t first = 0; first < count;) {
        std::uint32_t end = first + 1;
        while (end < count && same_joints(skin.of(sets.vertices[first]), skin.of(sets.vertices[end]))) ++end;
        append_set(sets, skin, first, end - first);
        first = end;
    }
    sets.sign_parent.resize(sets.joints.size());
    for (const InfluenceSet& set : sets.sets) settle_signs(sets, set, skin, skeleton);
    return sets;
}

std::vector<std::uint32_t> sign_order(const InfluenceSets& sets, const InfluenceSet& set) {
    const auto parents = sets.sign_parents_of(set);
    std::vector<std::uint32_t> order;
    std::vector<bool> positioned(parents.size(), false);
    while (order.size() < parents.size()) {
        for (std::uint32_t i = 0; i < parents.size(); ++i) {
            const std::int32_t parent = parents[i];
            if (positioned[i] || (parent >= 0 && !positioned[static_cast<std::size_t>(parent)])) continue;
            positioned[i] = true;
            order.push_back(i);
        }
    }
    return order;
}

}  // namespace sinew::model
