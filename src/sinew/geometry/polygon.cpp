// SPDX-License-Identifier: MIT
#include "sinew/geometry/polygon.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::geometry {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

int side_of(const Vec2d& a, const Vec2d& b, const Vec2d& p) {
    const double c = cross2(b - a, p - a);
    return c > 0 ? 1 : c < 0 ? -1 : 0;
}

/// True when a point on the line through a and b is between them.
bool between(const Vec2d& a, const Vec2d& b, const Vec2d& p) {
    return (p - a).dot(p - b) <= 0;
}

}  // namespace

double signed_area(std::span<const Vec2d> loop) {
    double sum = 0;
    for (std::size_t i = 2; i < loop.size(); ++i) sum += cross2(loop[i - 1] - loop[0], loop[i] - loop[0]);
    return sum / 2;
}

double area(const Polygon2& polygon) {
    double sum = signed_area(polygon.outer);
    for (const Loop2& hole : polygon.holes) sum += signed_area(hole);
    return sum;
}

double distance_to_segment(const Vec2d& point, const Vec2d& a, const Vec2d& b) {
    const Vec2d side = b - a;
    const double length = side.squaredNorm();
    const double t = length > 0 ? std::clamp((point - a).dot(side) / length, 0.0, 1.0) : 0;
    return (point - a - t * side).norm();
}

bool segments_meet(const Vec2d& a, const Vec2d& b, const Vec2d& c, const Vec2d& d) {
    const int c_side = side_of(a, b, c), d_side = side_of(a, b, d);
    const int a_side = side_of(c, d, a), b_side = side_of(c, d, b);
    if (c_side * d_side < 0 && a_side * b_side < 0) return true;
    return (c_side == 0 && between(a, b, c)) || (d_side == 0 && between(a, b, d)) ||
           (a_side == 0 && between(c, d, a)) || (b_side == 0 && between(c, d, b));
}

PolygonIndex::PolygonIndex(const Polygon2& polygon) {
    const auto add = [&](const Loop2& loop, std::uint32_t number) {
        const auto count = static_cast<std::uint32_t>(loop.size());
        for (std::uint32_t i = 0; i < count; ++i) {
            sides_.push_back({loop[i], loop[(i + 1) % count], number, i, count});
        }
    };
    add(polygon.outer, 0);
    for (std::size_t h = 0; h < polygon.holes.size(); ++h) {
        add(polygon.holes[h], static_cast<std::uint32_t>(h + 1));
    }
    if (sides_.empty()) {
        offsets_.assign(2, 0);
        return;
    }
    Vec2d high = sides_[0].a;
    low_ = high;
    for (const Side& side : sides_) {
        low_ = low_.cwiseMin(side.a);
        high = high.cwiseMax(side.a);
    }
    // About one side per bucket row, so that a loop of m sides makes about m buckets.
    const Vec2d extent = high - low_;
    cell_ = extent.maxCoeff() / std::clamp(std::sqrt(static_cast<double>(sides_.size())) * 2, 4.0, 512.0);
    if (!(cell_ > 0)) cell_ = 1;
    for (int axis = 0; axis < 2; ++axis) {
        size_[static_cast<std::size_t>(axis)] = static_cast<int>(extent[axis] / cell_) + 1;
    }
    const auto visit = [&](const auto& body) {
        for (std::uint32_t s = 0; s < sides_.size(); ++s) {
            const Cell first = cell_of(sides_[s].a.cwiseMin(sides_[s].b));
            const Cell last = cell_of(sides_[s].a.cwiseMax(sides_[s].b));
            for (int y = first[1]; y <= last[1]; ++y) {
                for (int x = first[0]; x <= last[0]; ++x) body(static_cast<std::size_t>(y * size_[0] + x), s);
            }
        }
    };
    offsets_.assign(static_cast<std::size_t>(size_[0] * size_[1]) + 1, 0);
    visit([&](std::size_t cell, std::uint32_t) { ++offsets_[cell + 1]; });
    for (std::size_t i = 1; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
    items_.resize(offsets_.back());
    std::vector<std::uint32_t> next(offsets_.begin(), offsets_.end() - 1);
    visit([&](std::size_t cell, std::uint32_t side) { items_[next[cell]++] = side; });
}

PolygonIndex::Cell PolygonIndex::cell_of(const Vec2d& point) const {
    const Vec2d at = (point - low_) / cell_;
    const auto one = [](double v, int n) { return static_cast<int>(std::clamp(v, 0.0, n - 1.0)); };
    return {one(at.x(), size_[0]), one(at.y(), size_[1])};
}

template <class Body>
void PolygonIndex::each_in(const Cell& cell, const Body& body) const {
    const auto c = static_cast<std::size_t>(cell[1] * size_[0] + cell[0]);
    for (std::uint32_t i = offsets_[c]; i < offsets_[c + 1]; ++i) body(sides_[items_[i]]);
}

bool PolygonIndex::contains(const Vec2d& point) const {
    if (sides_.empty() || point.y() < low_.y() || point.y() > low_.y() + cell_ * size_[1]) return false;
    // Crossings of the ray to the right. A side in several buckets counts only in the one that contains its
    // crossing.
    const Cell start = cell_of(point);
    bool inside = false;
    for (Cell cell = start; cell[0] < size_[0]; ++cell[0]) {
        each_in(cell, [&](const Side& s) {
            if ((s.a.y() > point.y()) == (s.b.y() > point.y())) return;
            const double x = s.a.x() + (point.y() - s.a.y()) / (s.b.y() - s.a.y()) * (s.b.x() - s.a.x());
            if (x > point.x() && cell_of(Vec2d(x, point.y()))[0] == cell[0]) inside = !inside;
        });
    }
    return inside;
}

double PolygonIndex::distance(const Vec2d& point) const {
    double best = infinity;
    const Cell center = cell_of(point);
    // Distance of the point from the buckets, so that rings of buckets bound the distance.
    const Vec2d high = low_ + cell_ * Vec2d(size_[0], size_[1]);
    const double outside = (point - point.cwiseMax(low_).cwiseMin(high)).norm();
    const int max = std::max(size_[0], size_[1]);
    for (int ring = 0; ring <= max; ++ring) {
        if (best <= (ring - 1) * cell_ - outside) break;
        for (int y = std::max(0, center[1] - ring); y <= std::min(size_[1] - 1, center[1] + ring); ++y) {
            const bool full = std::abs(y - center[1]) == ring;
            for (int x = center[0] - ring; x <= center[0] + ring; x += full || ring == 0 ? 1 : 2 * ring) {
                if (x < 0 || x >= size_[0]) continue;
                each_in({x, y},
                        [&](const Side& s) { best = std::min(best, distance_to_segment(point, s.a, s.b)); });
            }
        }
    }
    return best;
}

double PolygonIndex::ray(const Vec2d& origin, const Vec2d& direction) const {
    double best = infinity;
    for (const Side& s : sides_) {
        const Vec2d along = s.b - s.a;
        const double slope = cross2(direction, along);
        if (slope == 0) continue;
        const double t = cross2(s.a - origin, along) / slope;
        const double u = cross2(s.a - origin, direction) / slope;
        if (t > 0 && u >= 0 && u <= 1) best = std::min(best, t);
    }
    return best < infinity ? best * direction.norm() : -1;
}

bool PolygonIndex::clash(const Side& s, const Side& t) const {
    if (s.loop == t.loop) {
        const bool follows = (s.index + 1) % s.count == t.index, leads = (t.index + 1) % t.count == s.index;
        // Neighbours intersect when one folds back onto the other.
        if (follows || leads) {
            const Vec2d& corner = follows ? s.b : s.a;
            const Vec2d u = (follows ? s.a : s.b) - corner, v = (follows ? t.b : t.a) - corner;
            return u.squaredNorm() == 0 || v.squaredNorm() == 0 || (cross2(u, v) == 0 && u.dot(v) > 0);
        }
    }
    return segments_meet(s.a, s.b, t.a, t.b);
}

bool PolygonIndex::simple() const {
    for (std::size_t c = 0; c + 1 < offsets_.size(); ++c) {
        for (std::uint32_t i = offsets_[c]; i < offsets_[c + 1]; ++i) {
            for (std::uint32_t j = i + 1; j < offsets_[c + 1]; ++j) {
                if (clash(sides_[items_[i]], sides_[items_[j]])) return false;
            }
        }
    }
    return true;
}

namespace {

/// 1 when a, b, c turn left, -1 when right, 0 when they are collinear or rounding makes the sign uncertain
/// (Shewchuk 1997: the first bound of the adaptive test).
int orientation(const Vec2d& a, const Vec2d& b, const Vec2d& c) {
    const double left = (b.x() - a.x()) * (c.y() - a.y()), right = (b.y() - a.y()) * (c.x() - a.x());
    const double area = left - right, doubt = 4e-16 * (std::abs(left) + std::abs(right));
    return area > doubt ? 1 : area < -doubt ? -1 : 0;
}

/// The remaining corners of a loop, as a ring.
class Ring {
  public:
    explicit Ring(const Loop2& loop) : loop_(loop), next_(loop.size()), before_(loop.size()) {
        const std::size_t n = loop.size();
        for (std::size_t i = 0; i < n; ++i) {
            next_[i] = (i + 1) % n;
            before_[i] = (i + n - 1) % n;
        }
        for (std::size_t i = 0; i < n; ++i) {
            if (orientation_at(i) <= 0) reflex_.push_back(i);
        }
    }

    std::size_t next(std::size_t i) const { return next_[i]; }
    std::array<int, 3> corner(std::size_t i) const {
        return {static_cast<int>(before_[i]), static_cast<int>(i), static_cast<int>(next_[i])};
    }

    /// True for a convex corner whose triangle contains no other corner. Only reflex corners need a test.
    bool is_ear(std::size_t i) const {
        if (orientation_at(i) <= 0) return false;
        const Vec2d &a = loop_[before_[i]], &b = loop_[i], &c = loop_[next_[i]];
        const Vec2d low = a.cwiseMin(b).cwiseMin(c), high = a.cwiseMax(b).cwiseMax(c);
        for (const std::size_t r : reflex_) {
            const Vec2d& p = loop_[r];
            if (p.x() < low.x() || p.x() > high.x() || p.y() < low.y() || p.y() > high.y()) continue;
            if (r == before_[i] || r == next_[i]) continue;
            if (orientation(a, b, p) >= 0 && orientation(b, c, p) >= 0 && orientation(c, a, p) >= 0)
                return false;
        }
        return true;
    }

    /// After corner i is removed, its neighbours may change from reflex to convex.
    void cut(std::size_t i) {
        next_[before_[i]] = next_[i];
        before_[next_[i]] = before_[i];
        std::erase_if(reflex_, [&](std::size_t r) {
            return (r == before_[i] || r == next_[i]) && orientation_at(r) > 0;
        });
    }

  private:
    int orientation_at(std::size_t i) const {
        return orientation(loop_[before_[i]], loop_[i], loop_[next_[i]]);
    }

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
            // Skips the adjacent corner, which would give a fan of slivers.
            at = ring.next(next);
        } else {
            ++refused;
            at = next;
        }
    }
    return out;
}

}  // namespace sinew::geometry
