// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sinew/collide/query/leaf_search.h"

namespace sinew::collide {
namespace {

/// An empty stack, then the roots if they are near.
void push_roots(PosedBody& a, PosedBody& b, SearchScratch& scratch, float tolerance) {
    scratch.stack.clear();
    if (!a.tree().nodes.empty() && !b.tree().nodes.empty()) push_if_near(a, 0, b, 0, scratch, tolerance);
}

/// Radix sort of many contacts by one member: counting is faster than comparing.
void sort_by(std::vector<Contact>& contacts, std::vector<Contact>& spare, std::uint32_t Contact::* member) {
    std::uint32_t all = 0;
    for (const Contact& c : contacts) all |= c.*member;
    constexpr int digit = 9;
    for (int shift = 0; shift < 32 && all >> shift != 0; shift += digit) {
        std::uint32_t slots[(1u << digit) + 1]{};
        const auto key = [&](const Contact& c) { return c.*member >> shift & ((1u << digit) - 1); };
        for (const Contact& c : contacts) ++slots[key(c) + 1];
        for (std::uint32_t k = 0; k < 1u << digit; ++k) slots[k + 1] += slots[k];
        spare.resize(contacts.size());
        for (const Contact& c : contacts) spare[slots[key(c)]++] = c;
        contacts.swap(spare);
    }
}

void sort_contacts(std::vector<Contact>& contacts, std::vector<Contact>& spare) {
    constexpr std::size_t many = 200;
    if (contacts.size() < many) {
        std::ranges::sort(contacts, {}, [](const Contact& c) { return std::uint64_t{c.a} << 32 | c.b; });
        return;
    }
    sort_by(contacts, spare, &Contact::b);
    sort_by(contacts, spare, &Contact::a);
}

/// A search that may end at any time does not justify the best spheres.
struct RoughSpheres {
    explicit RoughSpheres(RefitScratch& scratch) : scratch_(scratch) { scratch_.rough = true; }
    ~RoughSpheres() { scratch_.rough = false; }
    RoughSpheres(const RoughSpheres&) = delete;
    RoughSpheres& operator=(const RoughSpheres&) = delete;

  private:
    RefitScratch& scratch_;
};

/// See touching(); the leaves that touch end `scratch.stack`.
bool search_touch(PosedBody& a, PosedBody& b, SearchScratch& scratch, double tolerance) {
    const RoughSpheres rough(scratch.refit);
    const float reach = rounded_up(tolerance);
    push_roots(a, b, scratch, reach);
    while (!scratch.stack.empty()) {
        const NodePair pair = popped(scratch.stack);
        if (both_leaves(a, b, pair)) {
            if (search_leaves(a, pair.a, b, pair.b, scratch, tolerance, never, never)) continue;
            ++scratch.counts().contacts;
            scratch.stack.push_back(pair);
            return true;
        }
        const auto before = static_cast<std::ptrdiff_t>(scratch.stack.size());
        open_larger(a, b, pair, scratch,
                    [&](std::uint32_t x, std::uint32_t y) { push_if_near(a, x, b, y, scratch, reach); });
        // The pair with the deepest overlap is popped first.
        for (auto it = scratch.stack.begin() + before; it != scratch.stack.end(); ++it)
            it->overlap = overlap_of(a.sphere(it->a, scratch.refit), b.sphere(it->b, scratch.refit));
        std::sort(scratch.stack.begin() + before, scratch.stack.end(),
                  [](const NodePair& x, const NodePair& y) { return x.overlap < y.overlap; });
    }
    return false;
}

/// Best-first search by the gap between spheres.
class NearestSearch {
  public:
    NearestSearch(PosedBody& a, PosedBody& b, SearchScratch& scratch) : a_(a), b_(b), scratch_(scratch) {}

    Nearest run() {
        scratch_.stack.clear();
        if (!a_.tree().nodes.empty() && !b_.tree().nodes.empty()) push(0, 0);
        while (!scratch_.stack.empty() && best_.distance > 0) {
            // Gaps only increase towards the leaves, so the first that is too large ends the search.
            std::pop_heap(scratch_.stack.begin(), scratch_.stack.end(), wider);
            const NodePair pair = popped(scratch_.stack);
            if (-pair.overlap > best_.distance) break;
            if (both_leaves(a_, b_, pair)) {
                a_.need_leaf(pair.a, scratch_.refit);
                b_.need_leaf(pair.b, scratch_.refit);
                test(a_.tree().nodes[pair.a], b_.tree().nodes[pair.b]);
            } else {
                open_larger(a_, b_, pair, scratch_, [&](std::uint32_t x, std::uint32_t y) { push(x, y); });
            }
        }
        return best_;
    }

  private:
    static bool wider(const NodePair& x, const NodePair& y) { return x.overlap < y.overlap; }

    void push(std::uint32_t x, std::uint32_t y) {
        const StoredSphere &sphere_a = a_.sphere(x, scratch_.refit), &sphere_b = b_.sphere(y, scratch_.refit);
        ++scratch_.counts().sphere_tests;
        const double overlap = overlap_of(sphere_a, sphere_b) * (1 - 1e-12) + 1e-12;
        if (-overlap > best_.distance) return;
        scratch_.stack.push_back({x, y, overlap});
        std::push_heap(scratch_.stack.begin(), scratch_.stack.end(), wider);
    }

    void test(const Node& x, const Node& y) {
        for (std::uint32_t i = 0; i < x.block_count(); ++i) {
            a_.vertices().fill_block(x, i, own_);
            for (std::uint32_t k = 0; k < y.block_count(); ++k) {
                const Region region(a_.vertices().block_box(x.first_block + i), best_.distance);
                if (region.meets(b_.vertices().block_box(y.first_block + k))) test_blocks(x, i, y, k);
            }
        }
    }

    void test_blocks(const Node& x, std::uint32_t block_a, const Node& y, std::uint32_t block_b) {
        b_.vertices().fill_block(y, block_b, other_);
        const std::uint32_t first = block_a * block_size;
        // The first region is unbounded, so it overlaps lanes without a triangle too.
        const std::uint32_t all = (1u << std::min(block_size, y.triangle_count - block_b * block_size)) - 1;
        for (std::uint32_t i = 0; i < std::min(block_size, x.triangle_count - first); ++i) {
            const std::uint32_t ta = x.first_triangle + first + i;
            const Corners corners = made_corners(a_, ta);
            for (std::uint32_t near = all & near_box(i); near != 0; near &= near - 1) {
                const auto k = static_cast<std::uint32_t>(std::countr_zero(near));
                measure(ta, corners, y.first_triangle + block_b * block_size + k);
            }
        }
    }

    /// Triangles of the other block within the best distance of triangle i.
    std::uint32_t near_box(std::uint32_t i) const {
        Box4 box;
        for (int axis = 0; axis < 3; ++axis) {
            box.low.at[axis] = own_.boxes.low[axis][i];
            box.high.at[axis] = own_.boxes.high[axis][i];
        }
        return Region(box, best_.distance).bits(other_.boxes);
    }

    void measure(std::uint32_t ta, const Corners& corners, std::uint32_t tb) {
        ++scratch_.counts().triangle_tests;
        const double distance = std::sqrt(squared_distance(corners, made_corners(b_, tb)));
        const Contact contact{a_.tree().triangle_ids[ta], b_.tree().triangle_ids[tb]};
        if (distance < best_.distance || (distance == best_.distance && contact < best_.pair))
            best_ = {distance, contact};
    }

    PosedBody& a_;
    PosedBody& b_;
    SearchScratch& scratch_;
    TriangleBlock own_, other_;
    Nearest best_{std::numeric_limits<double>::infinity(), {}};
};

}  // namespace

bool touching(Body& a, Body& b, QueryScratch& scratch, double tolerance) {
    return search_touch(a.posed(), b.posed(), scratch.buffers(), tolerance);
}

bool touching(Body& body_a, Body& body_b, QueryScratch& query, TouchMemory& memory, double tolerance) {
    PosedBody &a = body_a.posed(), &b = body_b.posed();
    SearchScratch& scratch = query.buffers();
    const bool known = memory.trees[0] == &a.tree() && memory.trees[1] == &b.tree();
    if (known && !search_leaves(a, memory.leaves[0], b, memory.leaves[1], scratch, tolerance, never, never)) {
        ++scratch.counts().contacts;
        return true;
    }
    memory = {};
    if (!search_touch(a, b, scratch, tolerance)) return false;
    const NodePair& met = scratch.stack.back();
    memory = {{&a.tree(), &b.tree()}, {met.a, met.b}};
    return true;
}

void find_contacts(Body& body_a, Body& body_b, std::vector<Contact>& out, QueryScratch& query,
                   double tolerance) {
    PosedBody &a = body_a.posed(), &b = body_b.posed();
    SearchScratch& scratch = query.buffers();
    out.clear();
    const float reach = rounded_up(tolerance);
    push_roots(a, b, scratch, reach);
    const auto keep = [&](std::uint32_t ta, std::uint32_t tb) {
        out.push_back({a.tree().triangle_ids[ta], b.tree().triangle_ids[tb]});
        return true;
    };
    while (!scratch.stack.empty()) {
        const NodePair pair = popped(scratch.stack);
        if (both_leaves(a, b, pair)) {
            search_leaves(a, pair.a, b, pair.b, scratch, tolerance, keep, never);
        } else {
            open_larger(a, b, pair, scratch,
                        [&](std::uint32_t x, std::uint32_t y) { push_if_near(a, x, b, y, scratch, reach); });
        }
    }
    sort_contacts(out, scratch.sorted);
    scratch.counts().contacts += out.size();
}

Nearest find_nearest(Body& a, Body& b, QueryScratch& scratch) {
    return NearestSearch(a.posed(), b.posed(), scratch.buffers()).run();
}

}  // namespace sinew::collide
