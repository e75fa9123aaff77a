// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sinew/collide/query/leaf_search.h"

namespace sinew::collide {
namespace {

/// Breadth first: all pairs of one level before the next, those with the deepest overlap first.
class LevelSearch {
  public:
    LevelSearch(PosedBody& a, PosedBody& b, const QueryBudget& budget, BudgetedContacts& out,
                SearchScratch& scratch)
        : a_(a),
          b_(b),
          budget_(budget),
          out_(out),
          scratch_(scratch),
          before_(scratch.counts()),
          next_(scratch.stack) {}

    void run() {
        out_.contacts.clear();
        out_.open.clear();
        out_.levels = 0;
        gap_ = std::numeric_limits<double>::infinity();
        if (!a_.tree().nodes.empty() && !b_.tree().nodes.empty()) add(0, 0, out_.open);
        while (!out_.open.empty() && !spent()) {
            next_.clear();
            std::ranges::sort(out_.open, deeper);
            std::size_t done = 0;
            while (done < out_.open.size() && !spent()) look_into(out_.open[done++]);
            // Pairs that the budget did not reach are left unchanged.
            next_.insert(next_.end(), out_.open.begin() + static_cast<std::ptrdiff_t>(done), out_.open.end());
            out_.levels += done == out_.open.size();
            out_.open.swap(next_);
        }
        finish();
    }

  private:
    static bool deeper(const NodePair& x, const NodePair& y) {
        if (x.overlap != y.overlap) return x.overlap > y.overlap;
        return std::pair(x.a, x.b) < std::pair(y.a, y.b);
    }

    bool spent() const {
        const QueryCounts& now = scratch_.refit.counts;
        const auto over = [](std::size_t count, std::size_t start, std::size_t limit) {
            return limit > 0 && count - start >= limit;
        };
        return over(now.sphere_tests, before_.sphere_tests, budget_.sphere_tests) ||
               over(now.refits, before_.refits, budget_.refits) ||
               over(now.triangle_tests, before_.triangle_tests, budget_.triangle_tests);
    }

    void add(std::uint32_t x, std::uint32_t y, std::vector<NodePair>& pairs) {
        const StoredSphere &sphere_a = a_.sphere(x, scratch_.refit), &sphere_b = b_.sphere(y, scratch_.refit);
        ++scratch_.counts().sphere_tests;
        const double overlap = overlap_of(sphere_a, sphere_b);
        // Both nodes have vertices, so the distance of the bodies is at most that between the far sides of
        // the spheres.
        const double both = static_cast<double>(sphere_a.radius) + static_cast<double>(sphere_b.radius);
        max_distance_ = std::min(max_distance_, (2 * both - overlap) * (1 + 1e-9));
        if (apart(sphere_a, sphere_b, 0)) {
            gap_ = std::min(gap_, -overlap);
        } else {
            pairs.push_back({x, y, overlap});
        }
    }

    void look_into(const NodePair& pair) {
        if (both_leaves(a_, b_, pair)) return test_leaves(pair);
        open_larger(a_, b_, pair, scratch_, [&](std::uint32_t x, std::uint32_t y) { add(x, y, next_); });
    }

    /// Leaves that overlap without a contact may have any distance above 0.
    void test_leaves(const NodePair& pair) {
        const auto keep = [&](std::uint32_t ta, std::uint32_t tb) {
            out_.contacts.push_back({a_.tree().triangle_ids[ta], b_.tree().triangle_ids[tb]});
            return true;
        };
        search_leaves(a_, pair.a, b_, pair.b, scratch_, 0, keep, never);
        gap_ = 0;
    }

    void finish() {
        std::ranges::sort(out_.contacts);
        out_.deepest = out_.precision = 0;
        for (const NodePair& pair : out_.open) {
            const Sphere x = a_.sphere(pair.a, scratch_.refit).widen(),
                         y = b_.sphere(pair.b, scratch_.refit).widen();
            out_.deepest = std::max(out_.deepest, pair.overlap);
            out_.precision = std::max({out_.precision, x.radius, y.radius});
        }
        if (!out_.open.empty()) gap_ = 0;
        out_.nearest_min = out_.contacts.empty() ? std::max(0.0, gap_ * (1 - 1e-9)) : 0;
        out_.nearest_max = out_.contacts.empty() ? max_distance_ : 0;
        scratch_.counts().contacts += out_.contacts.size();
    }

    PosedBody& a_;
    PosedBody& b_;
    const QueryBudget& budget_;
    BudgetedContacts& out_;
    SearchScratch& scratch_;
    QueryCounts before_;
    std::vector<NodePair>& next_;
    double gap_ = 0;  ///< smallest between spheres that are apart
    double max_distance_ = std::numeric_limits<double>::infinity();
};

}  // namespace

void find_contacts_budgeted(Body& a, Body& b, const QueryBudget& budget, BudgetedContacts& out,
                            QueryScratch& scratch) {
    LevelSearch(a.posed(), b.posed(), budget, out, scratch.buffers()).run();
}

}  // namespace sinew::collide
