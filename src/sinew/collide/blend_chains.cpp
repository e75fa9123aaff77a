#include "sinew/collide/blend_chains.h"

#include <map>

#include "sinew/collide/sphere_tree.h"

namespace sinew::collide {
namespace {

/// Place of a value in a list that holds it once.
template <class Key, class Value>
std::uint32_t place_of(std::map<Key, std::uint32_t>& places, const Key& key, std::vector<Value>& list,
                       const Value& value) {
    const auto [it, fresh] = places.emplace(key, static_cast<std::uint32_t>(list.size()));
    if (fresh) list.push_back(value);
    return it->second;
}

}  // namespace

BlendChains make_chains(const SphereTree& tree) {
    BlendChains chains;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> edges;
    std::map<std::pair<std::int32_t, std::uint32_t>, std::uint32_t> links;
    for (const TreeSet& set : tree.sets) {
        std::vector<std::int32_t> ways(set.joint_count, -1);
        std::size_t firsts = 0;
        for (std::uint32_t k = 0; k < set.joint_count; ++k) {
            const std::uint32_t i = tree.sign_order[set.first_joint + k];
            const std::int32_t leader = tree.sign_parents[set.first_joint + i];
            firsts += leader < 0;
            if (leader < 0) continue;
            const BlendChains::Edge edge{
                tree.set_joints[set.first_joint + static_cast<std::uint32_t>(leader)],
                tree.set_joints[set.first_joint + i]};
            const std::uint32_t e =
                place_of(edges, std::pair(edge.leader, edge.follower), chains.edges, edge);
            const std::int32_t before = ways[static_cast<std::size_t>(leader)];
            ways[i] = static_cast<std::int32_t>(
                place_of(links, std::pair(before, e), chains.links, BlendChains::Link{before, e}));
        }
        if (firsts != 1) chains.whole = false;
    }
    return chains;
}

}  // namespace sinew::collide
