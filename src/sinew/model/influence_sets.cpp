#include <algorithm>
#include <numeric>

#include "sinew/model/skin.h"

namespace sinew::model {
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

/// Place in the set of the nearest ancestor of a skin joint, or -1.
std::int32_t nearest_ancestor(const InfluenceSets& sets, const InfluenceSet& set, std::uint32_t place,
                              const Skin& skin, const Skeleton& skeleton) {
    const auto joints = sets.joints_of(set);
    int joint = skin.joints[joints[place]].joint;
    while ((joint = skeleton.joints[static_cast<std::size_t>(joint)].parent) >= 0) {
        for (std::uint32_t i = 0; i < joints.size(); ++i) {
            if (i != place && skin.joints[joints[i]].joint == joint) return static_cast<std::int32_t>(i);
        }
    }
    return -1;
}

/// True when following sign parents from `place` leads to `target`.
bool leads_to(std::span<const std::int32_t> parents, std::int32_t place, std::int32_t target) {
    while (place >= 0 && place != target) place = parents[static_cast<std::size_t>(place)];
    return place == target;
}

void settle_signs(InfluenceSets& sets, const InfluenceSet& set, const Skin& skin, const Skeleton* skeleton) {
    const std::span<std::int32_t> parents(sets.sign_parent.data() + set.first_joint, set.joint_count);
    std::fill(parents.begin(), parents.end(), -1);
    if (skeleton != nullptr) {
        for (std::uint32_t i = 0; i < parents.size(); ++i)
            parents[i] = nearest_ancestor(sets, set, i, skin, *skeleton);
    }
    // Joints without an ancestor in the set follow the heaviest; the top of the heaviest joint's own chain
    // leads.
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
    std::vector<bool> placed(parents.size(), false);
    while (order.size() < parents.size()) {
        for (std::uint32_t i = 0; i < parents.size(); ++i) {
            const std::int32_t parent = parents[i];
            if (placed[i] || (parent >= 0 && !placed[static_cast<std::size_t>(parent)])) continue;
            placed[i] = true;
            order.push_back(i);
        }
    }
    return order;
}

}  // namespace sinew::model
