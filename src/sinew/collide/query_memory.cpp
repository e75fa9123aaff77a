#include "sinew/collide/query.h"

#include "sinew/collide/query_search.h"

namespace sinew::collide {

bool touching(Body& a, Body& b, QueryScratch& room, TouchMemory& memory, double tolerance) {
    const auto stop = [](std::uint32_t, std::uint32_t) { return false; };
    const auto skip_none = [](std::uint32_t, std::uint32_t) { return false; };
    const bool known = memory.trees[0] == &a.tree() && memory.trees[1] == &b.tree();
    if (known && !search_leaves(a, memory.leaves[0], b, memory.leaves[1], room, tolerance, stop, skip_none)) {
        ++room.counts().contacts;
        return true;
    }
    memory = {};
    if (!touching(a, b, room, tolerance)) return false;
    const NodePair& met = room.stack.back();
    memory = {{&a.tree(), &b.tree()}, {met.a, met.b}};
    return true;
}

}  // namespace sinew::collide
