// SPDX-License-Identifier: MIT
// Trees of parts: given, or derived from contacts of parts.

#include <algorithm>
#include <limits>
#include <numeric>

#include "sinew/base/error.h"
#include "sinew/geometry/cut_mesh.h"
#include "sinew/geometry/part_shape.h"

namespace sinew::geometry {
namespace {

const std::string& name_of(const CutMesh& cut, int part) {
    return cut.names[static_cast<std::size_t>(part)];
}

const PartContact* find_contact(const std::vector<PartContact>& contacts, int a, int b) {
    const auto [low, high] = std::minmax(a, b);
    const auto at =
        std::lower_bound(contacts.begin(), contacts.end(), std::array{low, high},
                         [](const PartContact& c, const auto& key) { return std::array{c.a, c.b} < key; });
    return at != contacts.end() && at->a == low && at->b == high ? &*at : nullptr;
}

/// Checks that parents are in range, and that there is one root and no cycle.
void check_parents(const CutMesh& cut, const std::vector<int>& parents) {
    const auto count = static_cast<int>(cut.part_count());
    if (parents.size() != cut.part_count())
        fail("", "{} parents are given for {} parts", parents.size(), cut.part_count());
    int root = -1;
    for (int p = 0; p < count; ++p) {
        const int parent = parents[static_cast<std::size_t>(p)];
        if (parent >= count || parent < -1) fail("", "part \"{}\" has no parent {}", name_of(cut, p), parent);
        if (parent >= 0) continue;
        if (root >= 0)
            fail("", "parts \"{}\" and \"{}\" are both roots: one must be a descendant of the other",
                 name_of(cut, root), name_of(cut, p));
        root = p;
    }
    for (int p = 0; p < count; ++p) {
        int at = p;
        for (int i = 0; at >= 0 && i <= count; ++i) at = parents[static_cast<std::size_t>(at)];
        if (at < 0) continue;
        fail("", "parts \"{}\" and \"{}\" form a cycle: one of them must be the root", name_of(cut, at),
             name_of(cut, parents[static_cast<std::size_t>(at)]));
    }
}

std::vector<int> depth_first(const std::vector<int>& parents) {
    std::vector<std::vector<int>> children(parents.size());
    std::vector<int> order, stack;
    for (std::size_t p = 0; p < parents.size(); ++p) {
        if (parents[p] < 0) stack.push_back(static_cast<int>(p));
        if (parents[p] >= 0) children[static_cast<std::size_t>(parents[p])].push_back(static_cast<int>(p));
    }
    while (!stack.empty()) {
        const int p = stack.back();
        stack.pop_back();
        order.push_back(p);
        const auto& below = children[static_cast<std::size_t>(p)];
        stack.insert(stack.end(), below.rbegin(), below.rend());
    }
    return order;
}

void warn_about(const CutMesh& cut, const PartTree& tree, const std::vector<PartContact>& contacts,
                Monitor& monitor) {
    for (const Opening& opening : tree.openings) {
        if (opening.loop_count < 2) continue;
        warn(monitor, "opening-several-loops",
             "parts \"{}\" and \"{}\" meet in {} lines: their joint is in the middle of all; cut one of the "
             "parts in two, or join them",
             name_of(cut, opening.parent), name_of(cut, opening.child), opening.loop_count);
    }
    for (const PartContact& contact : contacts) {
        const bool linked = tree.parent[static_cast<std::size_t>(contact.a)] == contact.b ||
                            tree.parent[static_cast<std::size_t>(contact.b)] == contact.a;
        if (linked || !contact.along_edges()) continue;
        warn(monitor, "parts-touch",
             "parts \"{}\" and \"{}\" touch along {} edges, but neither is the other's parent: their border "
             "will crack when they move; move the border, or make one the parent",
             name_of(cut, contact.a), name_of(cut, contact.b), contact.edges.size());
    }
}

/// The parts to which a part could be attached: "touches ..." for a message.
std::string touching(const CutMesh& cut, const std::vector<PartContact>& contacts, int part) {
    std::string list;
    for (const PartContact& contact : contacts) {
        if ((contact.a != part && contact.b != part) || !contact.along_edges()) continue;
        list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ",
                            name_of(cut, contact.a == part ? contact.b : contact.a));
    }
    return list.empty() ? "It touches no part: weld the mesh where they should meet"
                        : fmt::format(
                              "It touches {}: make one of these its parent, or weld the mesh where they "
                              "should meet",
                              list);
}

PartTree assemble(const CutMesh& cut, std::vector<int> parents, const std::vector<PartContact>& contacts,
                  Monitor& monitor) {
    PartTree tree;
    tree.order = depth_first(parents);
    tree.openings.resize(parents.size());
    for (const int p : tree.order) {
        const int parent = parents[static_cast<std::size_t>(p)];
        Opening& opening = tree.openings[static_cast<std::size_t>(p)];
        opening.child = p;
        if (parent < 0) continue;
        const PartContact* contact = find_contact(contacts, p, parent);
        if (contact == nullptr)
            fail(
                "",
                "part \"{}\" and its parent \"{}\" do not touch: they must share vertices along a border. {}",
                name_of(cut, p), name_of(cut, parent), touching(cut, contacts, p));
        if (!contact->along_edges())
            fail("",
                 "part \"{}\" and its parent \"{}\" meet in {} single points only: they must share edges. {}",
                 name_of(cut, p), name_of(cut, parent), contact->points.size(), touching(cut, contacts, p));
        opening = opening_of(cut, *contact, parent, p);
    }
    tree.parent = std::move(parents);
    warn_about(cut, tree, contacts, monitor);
    return tree;
}

std::vector<double> volumes(const CutMesh& cut) {
    std::vector<double> list;
    for (const PartSurface& surface : part_surfaces(cut))
        list.push_back(solid_moments(surface.points, surface.triangles).volume);
    return list;
}

/// A forest of parts that grows by contacts.
class Forest {
  public:
    explicit Forest(const CutMesh& cut) : cut_(cut), group_(cut.part_count()), neighbours_(cut.part_count()) {
        std::iota(group_.begin(), group_.end(), 0);
    }

    /// Does nothing when both parts are already connected.
    void join(const PartContact& contact) {
        const int a = group_[static_cast<std::size_t>(contact.a)],
                  b = group_[static_cast<std::size_t>(contact.b)];
        if (a == b) return;
        std::replace(group_.begin(), group_.end(), b, a);
        neighbours_[static_cast<std::size_t>(contact.a)].push_back(contact.b);
        neighbours_[static_cast<std::size_t>(contact.b)].push_back(contact.a);
    }

    /// Neighbours of each part, if all parts form one tree.
    std::vector<std::vector<int>> tree() && {
        const auto apart =
            std::find_if(group_.begin(), group_.end(), [&](int g) { return g != group_.front(); });
        if (apart != group_.end())
            fail("",
                 "parts \"{}\" and \"{}\" are not connected by parts that touch: weld the mesh, or give a "
                 "mesh in one piece and let it be cut automatically",
                 cut_.names.front(), cut_.names[static_cast<std::size_t>(apart - group_.begin())]);
        return std::move(neighbours_);
    }

  private:
    const CutMesh& cut_;
    std::vector<int> group_;
    std::vector<std::vector<int>> neighbours_;
};

/// Contacts along edges, the longest first.
std::vector<const PartContact*> longest_first(const std::vector<PartContact>& contacts) {
    std::vector<const PartContact*> order;
    for (const PartContact& contact : contacts)
        if (contact.along_edges()) order.push_back(&contact);
    std::stable_sort(order.begin(), order.end(),
                     [](const PartContact* x, const PartContact* y) { return x->length > y->length; });
    return order;
}

/// Neighbours of each part in the spanning tree of the longest borders (Kruskal).
std::vector<std::vector<int>> spanning_tree(const CutMesh& cut, const std::vector<PartContact>& contacts) {
    Forest forest(cut);
    for (const PartContact* contact : longest_first(contacts)) forest.join(*contact);
    return std::move(forest).tree();
}

/// The same, but first the wanted links between parts that touch, then the links of parts whose wanted link
/// is missing, so that their subtrees keep together.
std::vector<std::vector<int>> wanted_tree(const CutMesh& cut, const std::vector<PartContact>& contacts,
                                          const std::vector<int>& wanted) {
    Forest forest(cut);
    std::vector<char> lacking(cut.part_count(), 0);
    for (std::size_t p = 0; p < wanted.size(); ++p) {
        const auto* contact =
            wanted[p] < 0 ? nullptr : find_contact(contacts, static_cast<int>(p), wanted[p]);
        lacking[p] = contact == nullptr || !contact->along_edges();
        if (lacking[p] == 0) forest.join(*contact);
    }
    const auto order = longest_first(contacts);
    for (const PartContact* contact : order)
        if (lacking[static_cast<std::size_t>(contact->a)] != 0 ||
            lacking[static_cast<std::size_t>(contact->b)] != 0)
            forest.join(*contact);
    for (const PartContact* contact : order) forest.join(*contact);
    return std::move(forest).tree();
}

/// Parents and depths for the root `root`.
std::pair<std::vector<int>, int> hung_on(const std::vector<std::vector<int>>& neighbours, int root) {
    std::vector<int> parents(neighbours.size(), -1), level(neighbours.size(), 0), queue{root};
    for (std::size_t i = 0; i < queue.size(); ++i) {
        const auto p = static_cast<std::size_t>(queue[i]);
        for (const int n : neighbours[p]) {
            if (n == parents[p]) continue;
            parents[static_cast<std::size_t>(n)] = queue[i];
            level[static_cast<std::size_t>(n)] = level[p] + 1;
            queue.push_back(n);
        }
    }
    return {parents, level[static_cast<std::size_t>(queue.back())]};
}

/// The largest of some parts, or one with more neighbours that is not much smaller: a large head with ears is
/// attached to the body, which has the limbs.
int trunk_of(const std::vector<int>& parts, const std::vector<std::vector<int>>& neighbours,
             const std::vector<double>& volume) {
    constexpr double smaller = 0.3;
    const auto of = [](const auto& list, int part) -> const auto& {
        return list[static_cast<std::size_t>(part)];
    };
    double largest = 0;
    for (const int part : parts) largest = std::max(largest, of(volume, part));
    int best = -1;
    for (const int part : parts) {
        if (of(volume, part) < smaller * largest) continue;
        const auto rank = [&](int p) { return std::pair(of(neighbours, p).size(), of(volume, p)); };
        if (best < 0 || rank(part) > rank(best)) best = part;
    }
    return best;
}

}  // namespace

PartTree part_tree(const CutMesh& cut, std::vector<int> parents, Monitor& monitor) {
    check_parents(cut, parents);
    return assemble(cut, std::move(parents), part_contacts(cut), monitor);
}

PartTree part_tree(const CutMesh& cut, Monitor& monitor) {
    if (cut.part_count() == 0) fail("", "there are no parts: the mesh has no triangles");
    const std::vector<PartContact> contacts = part_contacts(cut);
    const auto neighbours = spanning_tree(cut, contacts);
    const std::vector<double> volume = volumes(cut);
    std::vector<int> depth;
    for (std::size_t p = 0; p < neighbours.size(); ++p)
        depth.push_back(hung_on(neighbours, static_cast<int>(p)).second);
    const int min = *std::min_element(depth.begin(), depth.end());
    std::vector<int> middle;
    for (std::size_t p = 0; p < neighbours.size(); ++p)
        if (depth[p] <= min + 1 && (neighbours[p].size() > 1 || neighbours.size() < 3))
            middle.push_back(static_cast<int>(p));
    return assemble(cut, hung_on(neighbours, trunk_of(middle, neighbours, volume)).first, contacts, monitor);
}

PartTree wanted_part_tree(const CutMesh& cut, const std::vector<int>& wanted, Monitor& monitor) {
    if (wanted.size() != cut.part_count() || wanted.empty())
        fail("", "{} parents are given for {} parts", wanted.size(), cut.part_count());
    const std::vector<PartContact> contacts = part_contacts(cut);
    const auto root = std::find_if(wanted.begin(), wanted.end(), [](int parent) { return parent < 0; });
    if (root == wanted.end()) fail("", "the parts form a cycle: one must be the root");
    std::vector<int> parents =
        hung_on(wanted_tree(cut, contacts, wanted), static_cast<int>(root - wanted.begin())).first;
    for (std::size_t p = 0; p < wanted.size(); ++p) {
        if (wanted[p] < 0 || parents[p] == wanted[p]) continue;
        warn(monitor, "parts-apart",
             "part \"{}\" is not a child of \"{}\" as in the rig, because they do not touch: its parent is "
             "\"{}\"",
             cut.names[p], name_of(cut, wanted[p]), parents[p] < 0 ? "nothing" : name_of(cut, parents[p]));
    }
    return assemble(cut, std::move(parents), contacts, monitor);
}

}  // namespace sinew::geometry
