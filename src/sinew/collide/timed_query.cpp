#include "sinew/collide/query.h"

#include <algorithm>
#include <cmath>

#include "sinew/collide/query_search.h"

namespace sinew::collide {
namespace {

constexpr auto skip_none = [](std::uint32_t, std::uint32_t) { return false; };

/// Breadth first: all pairs of one level before the next, the deepest overlaps of a level first.
class LevelSearch {
  public:
    LevelSearch(Body& a, Body& b, const QueryBudget& budget, BudgetedContacts& out, QueryScratch& room)
        : a_(a), b_(b), budget_(budget), out_(out), room_(room), before_(room.counts()), next_(room.stack) {}

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
            // What the budget did not reach stays as it is.
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
        const QueryCounts& now = room_.refit.counts;
        const auto over = [](std::size_t count, std::size_t start, std::size_t most) {
            return most > 0 && count - start >= most;
        };
        return over(now.ball_tests, before_.ball_tests, budget_.ball_tests) ||
               over(now.refits, before_.refits, budget_.refits) ||
               over(now.triangle_tests, before_.triangle_tests, budget_.triangle_tests);
    }

    void add(std::uint32_t x, std::uint32_t y, std::vector<NodePair>& pairs) {
        const StoredBall &ball_a = a_.kept_ball(x, room_.refit), &ball_b = b_.kept_ball(y, room_.refit);
        ++room_.counts().ball_tests;
        const double overlap = overlap_of(ball_a, ball_b);
        // Both nodes have vertices, so the bodies are no farther apart than the far sides of their balls.
        const double both = static_cast<double>(ball_a.radius) + static_cast<double>(ball_b.radius);
        most_ = std::min(most_, (2 * both - overlap) * (1 + 1e-9));
        if (apart(ball_a, ball_b, 0)) {
            gap_ = std::min(gap_, -overlap);
        } else {
            pairs.push_back({x, y, overlap});
        }
    }

    static double overlap_of(const StoredBall& x, const StoredBall& y) {
        const Ball a = x.widen(), b = y.widen();
        return a.radius + b.radius - (a.center - b.center).norm();
    }

    void look_into(const NodePair& pair) {
        if (a_.tree().nodes[pair.a].leaf() && b_.tree().nodes[pair.b].leaf()) return test_leaves(pair);
        open_larger(a_, b_, pair, room_, [&](std::uint32_t x, std::uint32_t y) { add(x, y, next_); });
    }

    /// Leaves that overlap without a contact may be as near as can be.
    void test_leaves(const NodePair& pair) {
        const auto keep = [&](std::uint32_t ta, std::uint32_t tb) {
            out_.contacts.push_back({a_.tree().triangle_ids[ta], b_.tree().triangle_ids[tb]});
            return true;
        };
        search_leaves(a_, pair.a, b_, pair.b, room_, 0, keep, skip_none);
        gap_ = 0;
    }

    void finish() {
        std::ranges::sort(out_.contacts);
        out_.deepest = out_.precision = 0;
        for (const NodePair& pair : out_.open) {
            const Ball x = a_.ball(pair.a, room_.refit), y = b_.ball(pair.b, room_.refit);
            out_.deepest = std::max(out_.deepest, pair.overlap);
            out_.precision = std::max({out_.precision, x.radius, y.radius});
        }
        if (!out_.open.empty()) gap_ = 0;
        out_.nearest_least = out_.contacts.empty() ? std::max(0.0, gap_ * (1 - 1e-9)) : 0;
        out_.nearest_most = out_.contacts.empty() ? most_ : 0;
        room_.counts().contacts += out_.contacts.size();
    }

    Body& a_;
    Body& b_;
    const QueryBudget& budget_;
    BudgetedContacts& out_;
    QueryScratch& room_;
    QueryCounts before_;
    std::vector<NodePair>& next_;
    double gap_ = 0;  ///< smallest between balls that are apart
    double most_ = std::numeric_limits<double>::infinity();
};

}  // namespace

void find_contacts_budgeted(Body& a, Body& b, const QueryBudget& budget, BudgetedContacts& out, QueryScratch& room) {
    LevelSearch(a, b, budget, out, room).run();
}

}  // namespace sinew::collide
