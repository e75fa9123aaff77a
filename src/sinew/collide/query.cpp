#include "sinew/collide/query.h"

#include <algorithm>
#include <cmath>

#include "sinew/collide/query_search.h"

namespace sinew::collide {
namespace {

constexpr auto keep_all = [](std::uint32_t, std::uint32_t) { return false; };

/// An empty stack, then the roots if they are near.
void push_roots(Body& a, Body& b, QueryScratch& room, float tolerance) {
    room.stack.clear();
    if (!a.tree().nodes.empty() && !b.tree().nodes.empty()) push_if_near(a, 0, b, 0, room, tolerance);
}

NodePair popped(std::vector<NodePair>& stack) {
    const NodePair pair = stack.back();
    stack.pop_back();
    return pair;
}

bool both_leaves(const Body& a, const Body& b, const NodePair& pair) {
    return a.tree().nodes[pair.a].leaf() && b.tree().nodes[pair.b].leaf();
}

/// Many contacts by the digits of one member: counting is faster than comparing.
void sort_by(std::vector<Contact>& contacts, std::vector<Contact>& spare, std::uint32_t Contact::* member) {
    std::uint32_t all = 0;
    for (const Contact& c : contacts) all |= c.*member;
    constexpr int digit = 9;
    for (int shift = 0; shift < 32 && all >> shift != 0; shift += digit) {
        std::uint32_t places[(1u << digit) + 1]{};
        const auto key = [&](const Contact& c) { return c.*member >> shift & ((1u << digit) - 1); };
        for (const Contact& c : contacts) ++places[key(c) + 1];
        for (std::uint32_t k = 0; k < 1u << digit; ++k) places[k + 1] += places[k];
        spare.resize(contacts.size());
        for (const Contact& c : contacts) spare[places[key(c)]++] = c;
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

double overlap_of(const StoredBall& x, const StoredBall& y) {
    const Ball a = x.widen(), b = y.widen();
    return a.radius + b.radius - (a.center - b.center).norm();
}

/// A search that may end any time is not worth the best balls.
struct RoughBalls {
    explicit RoughBalls(QueryScratch& room) : room_(room) { room_.rough = true; }
    ~RoughBalls() { room_.rough = false; }
    RoughBalls(const RoughBalls&) = delete;
    RoughBalls& operator=(const RoughBalls&) = delete;

  private:
    QueryScratch& room_;
};

}  // namespace

bool touching(Body& a, Body& b, QueryScratch& room, double tolerance) {
    const RoughBalls rough(room.refit);
    const float reach = rounded_up(tolerance);
    push_roots(a, b, room, reach);
    const auto stop = [](std::uint32_t, std::uint32_t) { return false; };
    while (!room.stack.empty()) {
        const NodePair pair = popped(room.stack);
        if (both_leaves(a, b, pair)) {
            if (search_leaves(a, pair.a, b, pair.b, room, tolerance, stop, keep_all)) continue;
            ++room.counts().contacts;
            room.stack.push_back(pair);
            return true;
        }
        const auto before = static_cast<std::ptrdiff_t>(room.stack.size());
        open_larger(a, b, pair, room,
                    [&](std::uint32_t x, std::uint32_t y) { push_if_near(a, x, b, y, room, reach); });
        // The deepest overlap of the new pairs comes out first.
        for (auto it = room.stack.begin() + before; it != room.stack.end(); ++it)
            it->overlap = overlap_of(a.kept_ball(it->a, room.refit), b.kept_ball(it->b, room.refit));
        std::sort(room.stack.begin() + before, room.stack.end(),
                  [](const NodePair& x, const NodePair& y) { return x.overlap < y.overlap; });
    }
    return false;
}

void find_contacts(Body& a, Body& b, std::vector<Contact>& out, QueryScratch& room, double tolerance) {
    out.clear();
    const float reach = rounded_up(tolerance);
    push_roots(a, b, room, reach);
    const auto keep = [&](std::uint32_t ta, std::uint32_t tb) {
        out.push_back({a.tree().triangle_ids[ta], b.tree().triangle_ids[tb]});
        return true;
    };
    while (!room.stack.empty()) {
        const NodePair pair = popped(room.stack);
        if (both_leaves(a, b, pair)) {
            search_leaves(a, pair.a, b, pair.b, room, tolerance, keep, keep_all);
        } else {
            open_larger(a, b, pair, room,
                        [&](std::uint32_t x, std::uint32_t y) { push_if_near(a, x, b, y, room, reach); });
        }
    }
    sort_contacts(out, room.sorted);
    room.counts().contacts += out.size();
}

std::vector<Contact> brute_force_contacts(Body& a, Body& b, double tolerance) {
    QueryScratch room;
    std::vector<Contact> out;
    const auto corners_of = [&](Body& body) {
        std::vector<Corners> corners;
        for (std::uint32_t t = 0; t < body.tree().triangles.size(); ++t)
            corners.push_back(body.corners(t, room));
        return corners;
    };
    const std::vector<Corners> all_a = corners_of(a), all_b = corners_of(b);
    const auto low = [](const Corners& t) { return Vec3d(t[0].cwiseMin(t[1]).cwiseMin(t[2])); };
    const auto high = [](const Corners& t) { return Vec3d(t[0].cwiseMax(t[1]).cwiseMax(t[2])); };
    for (std::size_t i = 0; i < all_a.size(); ++i) {
        const Vec3d low_a = low(all_a[i]).array() - tolerance, high_a = high(all_a[i]).array() + tolerance;
        for (std::size_t k = 0; k < all_b.size(); ++k) {
            if ((low_a.array() > high(all_b[k]).array()).any() ||
                (low(all_b[k]).array() > high_a.array()).any())
                continue;
            const bool near = tolerance > 0 ? squared_distance(all_a[i], all_b[k]) <= tolerance * tolerance
                                            : triangles_meet_reference(all_a[i], all_b[k]);
            if (near) out.push_back({a.tree().triangle_ids[i], b.tree().triangle_ids[k]});
        }
    }
    std::ranges::sort(out);
    return out;
}

namespace {

/// Best-first search by the gap between balls.
class NearestSearch {
  public:
    NearestSearch(Body& a, Body& b, QueryScratch& room) : a_(a), b_(b), room_(room) {}

    Nearest run() {
        room_.stack.clear();
        if (!a_.tree().nodes.empty() && !b_.tree().nodes.empty()) push(0, 0);
        while (!room_.stack.empty() && best_.distance > 0) {
            // Gaps only grow below, so the first that is too wide ends the search.
            std::pop_heap(room_.stack.begin(), room_.stack.end(), wider);
            const NodePair pair = popped(room_.stack);
            if (-pair.overlap > best_.distance) break;
            if (both_leaves(a_, b_, pair)) {
                a_.need_leaf(pair.a, room_.refit);
                b_.need_leaf(pair.b, room_.refit);
                test(a_.tree().nodes[pair.a], b_.tree().nodes[pair.b]);
            } else {
                open_larger(a_, b_, pair, room_, [&](std::uint32_t x, std::uint32_t y) { push(x, y); });
            }
        }
        return best_;
    }

  private:
    static bool wider(const NodePair& x, const NodePair& y) { return x.overlap < y.overlap; }

    void push(std::uint32_t x, std::uint32_t y) {
        const StoredBall &ball_a = a_.kept_ball(x, room_.refit), &ball_b = b_.kept_ball(y, room_.refit);
        ++room_.counts().ball_tests;
        const double overlap = overlap_of(ball_a, ball_b) * (1 - 1e-12) + 1e-12;
        if (-overlap > best_.distance) return;
        room_.stack.push_back({x, y, overlap});
        std::push_heap(room_.stack.begin(), room_.stack.end(), wider);
    }

    void test(const Node& x, const Node& y) {
        for (std::uint32_t i = 0; i < x.block_count(); ++i) {
            a_.fill_block(x, i, own_);
            for (std::uint32_t k = 0; k < y.block_count(); ++k) {
                const Region region(a_.block_box(x.first_block + i), best_.distance);
                if (region.meets(b_.block_box(y.first_block + k))) test_blocks(x, i, y, k);
            }
        }
    }

    void test_blocks(const Node& x, std::uint32_t block_a, const Node& y, std::uint32_t block_b) {
        b_.fill_block(y, block_b, other_);
        const std::uint32_t first = block_a * block_size;
        // At first the region is everywhere, and so meets places without a triangle too.
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
        ++room_.counts().triangle_tests;
        const double distance = std::sqrt(squared_distance(corners, made_corners(b_, tb)));
        const Contact contact{a_.tree().triangle_ids[ta], b_.tree().triangle_ids[tb]};
        if (distance < best_.distance || (distance == best_.distance && contact < best_.pair))
            best_ = {distance, contact};
    }

    Body& a_;
    Body& b_;
    QueryScratch& room_;
    TriangleBlock own_, other_;
    Nearest best_{std::numeric_limits<double>::infinity(), {}};
};

}  // namespace

Nearest find_nearest(Body& a, Body& b, QueryScratch& room) {
    return NearestSearch(a, b, room).run();
}

}  // namespace sinew::collide
