#include "sinew/geometry/polygon.h"

#include <cmath>

namespace sinew::geometry {
namespace {

/// 1 when a, b, c turn left, -1 when right, 0 when they are in line or rounding could say either (Shewchuk
/// 1997: the first bound of the adaptive test).
int turn_of(const Vec2d& a, const Vec2d& b, const Vec2d& c) {
    const double left = (b.x() - a.x()) * (c.y() - a.y()), right = (b.y() - a.y()) * (c.x() - a.x());
    const double turn = left - right, doubt = 4e-16 * (std::abs(left) + std::abs(right));
    return turn > doubt ? 1 : turn < -doubt ? -1 : 0;
}

/// What is left of a loop, as a ring.
class Ring {
  public:
    explicit Ring(const Loop2& loop) : loop_(loop), next_(loop.size()), before_(loop.size()) {
        const std::size_t n = loop.size();
        for (std::size_t i = 0; i < n; ++i) {
            next_[i] = (i + 1) % n;
            before_[i] = (i + n - 1) % n;
        }
        for (std::size_t i = 0; i < n; ++i) {
            if (turn_at(i) <= 0) reflex_.push_back(i);
        }
    }

    std::size_t next(std::size_t i) const { return next_[i]; }
    std::array<int, 3> corner(std::size_t i) const {
        return {static_cast<int>(before_[i]), static_cast<int>(i), static_cast<int>(next_[i])};
    }

    /// Turns left, and no other corner lies in its triangle: only those that turn right can.
    bool is_ear(std::size_t i) const {
        if (turn_at(i) <= 0) return false;
        const Vec2d &a = loop_[before_[i]], &b = loop_[i], &c = loop_[next_[i]];
        const Vec2d low = a.cwiseMin(b).cwiseMin(c), high = a.cwiseMax(b).cwiseMax(c);
        for (const std::size_t r : reflex_) {
            const Vec2d& p = loop_[r];
            if (p.x() < low.x() || p.x() > high.x() || p.y() < low.y() || p.y() > high.y()) continue;
            if (r == before_[i] || r == next_[i]) continue;
            if (turn_of(a, b, p) >= 0 && turn_of(b, c, p) >= 0 && turn_of(c, a, p) >= 0) return false;
        }
        return true;
    }

    /// Without corner i its neighbours may turn left that turned right before.
    void cut(std::size_t i) {
        next_[before_[i]] = next_[i];
        before_[next_[i]] = before_[i];
        std::erase_if(reflex_,
                      [&](std::size_t r) { return (r == before_[i] || r == next_[i]) && turn_at(r) > 0; });
    }

  private:
    int turn_at(std::size_t i) const { return turn_of(loop_[before_[i]], loop_[i], loop_[next_[i]]); }

    const Loop2& loop_;
    std::vector<std::size_t> next_, before_, reflex_;
};

}  // namespace

std::optional<std::vector<std::array<int, 3>>> clip_ears(const Loop2& loop) {
    std::vector<std::array<int, 3>> out;
    if (loop.size() < 3) return std::nullopt;
    Ring ring(loop);
    std::size_t at = 0, refused = 0;
    for (std::size_t left = loop.size(); left > 2;) {
        if (refused > left) return std::nullopt;
        const std::size_t next = ring.next(at);
        if (ring.is_ear(at)) {
            out.push_back(ring.corner(at));
            ring.cut(at);
            --left;
            refused = 0;
            // Not the corner beside it at once, which would make a fan of slivers.
            at = ring.next(next);
        } else {
            ++refused;
            at = next;
        }
    }
    return out;
}

}  // namespace sinew::geometry
