// SPDX-License-Identifier: MIT
/// \file
/// The edges of a projected surface that can lie on its outline, as an exact arrangement: vertices snapped to
/// a fine lattice of integers, so that every side test and every order along an edge is decided without
/// rounding.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "sinew/rig/silhouette/silhouette.h"

namespace sinew::rig {

namespace {

using Int2 = Eigen::Matrix<std::int64_t, 2, 1>;

class Arrangement {
  public:
    Arrangement(const WeldedSurface& surface, const Projection& projection);

    /// A position on an edge with an event: an end, a point that lies on it, crossings.
    struct Stop {
        std::int64_t num = 0, den = 1;  ///< position along the edge, num / den
        int point = -1;                 ///< the point there, if there is one
        std::vector<int> crossed;       ///< edges crossed there, in increasing order
    };
    /// A stop of an edge with a direction to leave: forwards or backwards.
    struct HalfEdge {
        int edge = -1;
        int stop = 0;
        int step = 1;
        bool operator==(const HalfEdge&) const = default;
        bool operator<(const HalfEdge& o) const {
            return std::array{edge, stop, step} < std::array{o.edge, o.stop, o.step};
        }
    };
    struct WalkPoint {
        HalfEdge at;  ///< a canonical name of the point
        SilhouetteNode node;
    };

    bool empty() const { return edges_.empty(); }
    int point_count() const { return static_cast<int>(points_.size()); }
    const Vec2d& position(int point) const { return xy_[static_cast<std::size_t>(point)]; }
    /// The topmost, then leftmost, of the remaining points; -1 when there is none.
    int topmost(const std::vector<char>& left) const;

    /// Leaves a topmost point so that everything lies to the left.
    HalfEdge leave_top(int point);
    /// The side of a face below a point inside it, walked so that the face lies to the right.
    std::optional<HalfEdge> side_below(const Vec2d& walk_point);
    /// The half-edge after this one with the same face to the right: at the next stop the first direction
    /// anticlockwise from the incoming one.
    HalfEdge next(const HalfEdge& from);
    /// Where a half-edge starts.
    WalkPoint walk_point(const HalfEdge& at);

    /// The complete loop of a face; empty when it is longer than any outline can be.
    std::vector<WalkPoint> face(const HalfEdge& start);

  private:
    struct Edge {
        int a = 0, b = 0;
    };
    struct Departure {
        HalfEdge half;
        Int2 direction;
    };
    void add_edges(const WeldedSurface& surface, const Projection& projection);
    void build_grid();
    template <class Body>
    void cells_of(int edge, const Body& body) const;
    const std::vector<Stop>& stops(int edge);
    std::vector<Stop> find_stops(int edge);
    void meet(int edge, int other, std::vector<Stop>& out) const;
    std::vector<Departure> departures_from(const HalfEdge& at);
    void departures_from_point(int point, std::vector<Departure>& out);
    static void prefer(const Int2& back, const std::vector<Departure>& departures, HalfEdge& best);
    const Int2& at(int point) const { return points_[static_cast<std::size_t>(point)]; }
    const Edge& edge(int e) const { return edges_[static_cast<std::size_t>(e)]; }
    Int2 along(int e) const { return at(edge(e).b) - at(edge(e).a); }
    std::int64_t side(int a, int b, int p) const;
    std::array<int, 2> cell_of(const Int2& p) const;

    double scale_ = 1;
    Vec2d center_ = Vec2d::Zero();
    std::vector<Int2> points_;
    std::vector<Vec2d> xy_;
    std::vector<double> z_;
    std::vector<std::uint32_t> vertex_;  ///< the lowest vertex of the mesh at each point
    std::vector<Edge> edges_;
    geometry::Rows edges_at_;  ///< of each point
    std::map<int, std::vector<Stop>> stops_;
    std::array<int, 2> size_{1, 1};
    std::int64_t cell_ = 1;
    Int2 low_ = Int2::Zero();
    std::vector<std::uint32_t> offsets_, items_;
    std::vector<int> seen_;
    int stamp_ = 0;
};

__extension__ typedef __int128 Wide;  // products of two 62-bit numbers

std::int64_t cross(const Int2& a, const Int2& b) {
    return a.x() * b.y() - a.y() * b.x();
}

int compare(const Arrangement::Stop& a, const Arrangement::Stop& b) {
    const Wide left = static_cast<Wide>(a.num) * b.den, right = static_cast<Wide>(b.num) * a.den;
    return left < right ? -1 : left > right ? 1 : 0;
}

/// 0 for directions to the right of the incoming one (anticlockwise by less than 180 degrees), 1 straight on,
/// 2 to the left, 3 straight back.
int quadrant(const Int2& back, const Int2& direction) {
    const std::int64_t c = cross(back, direction);
    if (c != 0) return c > 0 ? 0 : 2;
    return back.dot(direction) < 0 ? 1 : 3;
}

}  // namespace

Arrangement::Arrangement(const WeldedSurface& surface, const Projection& projection) {
    Vec2d low = Vec2d::Constant(std::numeric_limits<double>::max()), high = -low;
    for (const Triangle& t : surface.triangles) {
        for (const std::uint32_t v : t) {
            low = low.cwiseMin(projection.xy[v]);
            high = high.cwiseMax(projection.xy[v]);
        }
    }
    center_ = (low + high) / 2;
    // Coordinates of 30 bits: products of two differences stay below 2^62, exact in 64 bits.
    const double half = (high - low).maxCoeff() / 2;
    scale_ = half > 0 ? std::ldexp(1.0, 29) / half : 1;
    add_edges(surface, projection);
    build_grid();
}

std::int64_t Arrangement::side(int a, int b, int p) const {
    return cross(at(b) - at(a), at(p) - at(a));
}

/// An edge with triangles on both its sides in the view is covered by them, and so never part of the outline.
/// The remaining edges are folds, borders and edges of triangles seen edge-on.
void Arrangement::add_edges(const WeldedSurface& surface, const Projection& projection) {
    const auto snapped = [&](std::uint32_t v) {
        const Vec2d p = (projection.xy[v] - center_) * scale_;
        return Int2(std::llround(p.x()), std::llround(p.y()));
    };
    std::vector<geometry::Edge> kept;
    for (const geometry::Edge& e : surface.edges.edges) {
        const Int2 a = snapped(e.a), d = snapped(e.b) - a;
        if (d == Int2::Zero()) continue;
        bool left = false, right = false;
        for (const std::uint32_t t : surface.edges.around(e)) {
            for (const std::uint32_t v : surface.triangles[t]) {
                if (v == e.a || v == e.b) continue;
                const std::int64_t c = cross(d, snapped(v) - a);
                left |= c > 0;
                right |= c < 0;
            }
        }
        if (!(left && right)) kept.push_back(e);
    }
    std::vector<std::uint32_t> used;
    for (const geometry::Edge& e : kept) used.insert(used.end(), {e.a, e.b});
    std::ranges::sort(used);
    used.erase(std::unique(used.begin(), used.end()), used.end());
    struct Spot {
        std::array<std::int64_t, 2> walk_point;
        std::uint32_t vertex;
    };
    std::vector<Spot> spots;
    for (const std::uint32_t v : used) {
        const Int2 p = snapped(v);
        spots.push_back({{p.x(), p.y()}, v});
    }
    std::ranges::stable_sort(spots, {}, &Spot::walk_point);
    std::vector<int> point_of(surface.positions.size(), -1);
    for (std::size_t i = 0; i < spots.size();) {
        std::size_t end = i;
        double depth = 0;
        for (; end < spots.size() && spots[end].walk_point == spots[i].walk_point; ++end) {
            point_of[spots[end].vertex] = point_count();
            depth += projection.z[spots[end].vertex];
        }
        points_.emplace_back(spots[i].walk_point[0], spots[i].walk_point[1]);
        xy_.push_back(projection.xy[spots[i].vertex]);
        z_.push_back(depth / static_cast<double>(end - i));
        vertex_.push_back(spots[i].vertex);
        i = end;
    }
    std::vector<std::array<int, 2>> pairs;
    for (const geometry::Edge& e : kept) {
        const int a = point_of[e.a], b = point_of[e.b];
        pairs.push_back({std::min(a, b), std::max(a, b)});
    }
    std::ranges::sort(pairs);
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    std::vector<std::vector<std::uint32_t>> rows(points_.size());
    for (const auto& [a, b] : pairs) {
        for (const int p : {a, b}) {
            rows[static_cast<std::size_t>(p)].push_back(static_cast<std::uint32_t>(edges_.size()));
        }
        edges_.push_back({a, b});
    }
    for (const auto& row : rows) {
        edges_at_.items.insert(edges_at_.items.end(), row.begin(), row.end());
        edges_at_.offsets.push_back(static_cast<std::uint32_t>(edges_at_.items.size()));
    }
}

std::array<int, 2> Arrangement::cell_of(const Int2& p) const {
    const Int2 q = (p - low_) / cell_;
    return {static_cast<int>(std::clamp<std::int64_t>(q.x(), 0, size_[0] - 1)),
            static_cast<int>(std::clamp<std::int64_t>(q.y(), 0, size_[1] - 1))};
}

/// Row by row, the cells that an edge passes, with one extra cell where rounding could matter.
template <class Body>
void Arrangement::cells_of(int e, const Body& body) const {
    Int2 a = at(edge(e).a), b = at(edge(e).b);
    if (a.y() > b.y()) std::swap(a, b);
    const int first = cell_of(a)[1], last = cell_of(b)[1];
    const double slope =
        b.y() > a.y() ? static_cast<double>(b.x() - a.x()) / static_cast<double>(b.y() - a.y()) : 0;
    for (int row = first; row <= last; ++row) {
        double x0 = static_cast<double>(a.x()), x1 = static_cast<double>(b.x());
        if (first != last) {
            const auto at_height = [&](std::int64_t y) {
                return static_cast<double>(a.x()) + slope * static_cast<double>(y - a.y());
            };
            const std::int64_t bottom = low_.y() + row * cell_;
            if (row != first) x0 = at_height(bottom);
            if (row != last) x1 = at_height(bottom + cell_);
        }
        const auto column = [&](double x) { return cell_of(Int2(std::llround(x), 0))[0]; };
        const double slack = static_cast<double>(cell_) * 1e-3 + 1;
        const int from = column(std::min(x0, x1) - slack), to = column(std::max(x0, x1) + slack);
        for (int c = from; c <= to; ++c) {
            body(static_cast<std::size_t>(row) * static_cast<std::size_t>(size_[0]) +
                 static_cast<std::size_t>(c));
        }
    }
}

void Arrangement::build_grid() {
    if (edges_.empty()) return;
    Int2 high = points_[0];
    low_ = high;
    double length = 0;
    for (const Int2& p : points_) {
        low_ = low_.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    for (int e = 0; e < static_cast<int>(edges_.size()); ++e) length += along(e).cast<double>().norm();
    const Int2 extent = high - low_;
    const double mean = length / static_cast<double>(edges_.size());
    // At most four cells per edge, also for very short edges.
    const double min = std::sqrt(static_cast<double>(extent.x()) * static_cast<double>(extent.y()) /
                                 (4 * static_cast<double>(edges_.size()) + 64));
    const double coarse = static_cast<double>(extent.maxCoeff()) / 4096;
    cell_ = std::max<std::int64_t>(1, std::llround(std::max({mean, min, coarse})));
    for (int axis = 0; axis < 2; ++axis) {
        size_[static_cast<std::size_t>(axis)] = static_cast<int>(extent[axis] / cell_) + 1;
    }
    offsets_.assign(static_cast<std::size_t>(size_[0]) * static_cast<std::size_t>(size_[1]) + 1, 0);
    const int count = static_cast<int>(edges_.size());
    for (int e = 0; e < count; ++e) cells_of(e, [&](std::size_t cell) { ++offsets_[cell + 1]; });
    for (std::size_t i = 1; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
    items_.resize(offsets_.back());
    std::vector<std::uint32_t> next(offsets_.begin(), offsets_.end() - 1);
    for (int e = 0; e < count; ++e) {
        cells_of(e, [&](std::size_t cell) { items_[next[cell]++] = static_cast<std::uint32_t>(e); });
    }
    seen_.assign(edges_.size(), 0);
}

/// Where `other` intersects `e`: in a proper crossing, or with an end on it.
void Arrangement::meet(int e, int other, std::vector<Stop>& out) const {
    const Edge &g = edge(e), &f = edge(other);
    const std::int64_t fa = side(g.a, g.b, f.a), fb = side(g.a, g.b, f.b);
    if ((fa > 0 && fb > 0) || (fa < 0 && fb < 0)) return;
    const Int2 d = along(e);
    const std::int64_t length = d.squaredNorm();
    const auto end_on = [&](int p) {
        const std::int64_t where = d.dot(at(p) - at(g.a));
        if (where > 0 && where < length) out.push_back({where, length, p, {}});
    };
    if (fa == 0) end_on(f.a);
    if (fb == 0) end_on(f.b);
    if (fa == 0 || fb == 0) return;
    const std::int64_t ga = side(f.a, f.b, g.a), gb = side(f.a, f.b, g.b);
    if ((ga > 0) == (gb > 0) || ga == 0 || gb == 0) return;
    const std::int64_t before = std::abs(ga);
    out.push_back({before, before + std::abs(gb), -1, {other}});
}

std::vector<Arrangement::Stop> Arrangement::find_stops(int e) {
    ++stamp_;
    seen_[static_cast<std::size_t>(e)] = stamp_;
    std::vector<Stop> found{{0, 1, edge(e).a, {}}, {1, 1, edge(e).b, {}}};
    cells_of(e, [&](std::size_t cell) {
        for (std::uint32_t i = offsets_[cell]; i < offsets_[cell + 1]; ++i) {
            const std::uint32_t other = items_[i];
            if (seen_[other] == stamp_) continue;
            seen_[other] = stamp_;
            meet(e, static_cast<int>(other), found);
        }
    });
    std::stable_sort(found.begin(), found.end(),
                     [](const Stop& a, const Stop& b) { return compare(a, b) < 0; });
    std::vector<Stop> merged;
    for (Stop& stop : found) {
        if (merged.empty() || compare(merged.back(), stop) != 0) {
            merged.push_back(std::move(stop));
            continue;
        }
        Stop& last = merged.back();
        last.point = std::max(last.point, stop.point);
        last.crossed.insert(last.crossed.end(), stop.crossed.begin(), stop.crossed.end());
    }
    for (Stop& stop : merged) std::ranges::sort(stop.crossed);
    return merged;
}

const std::vector<Arrangement::Stop>& Arrangement::stops(int e) {
    const auto found = stops_.find(e);
    if (found != stops_.end()) return found->second;
    return stops_.emplace(e, find_stops(e)).first->second;
}

/// All paths along the edges that end at a point or pass through it.
void Arrangement::departures_from_point(int point, std::vector<Departure>& out) {
    for (const std::uint32_t item : edges_at_[static_cast<std::size_t>(point)]) {
        const int e = static_cast<int>(item);
        const bool starts = edge(e).a == point;
        const int last = static_cast<int>(stops(e).size()) - 1;
        out.push_back({{e, starts ? 0 : last, starts ? 1 : -1}, starts ? along(e) : Int2(-along(e))});
    }
    const auto cell = cell_of(at(point));
    const auto index = static_cast<std::size_t>(cell[1]) * static_cast<std::size_t>(size_[0]) +
                       static_cast<std::size_t>(cell[0]);
    for (std::uint32_t i = offsets_[index]; i < offsets_[index + 1]; ++i) {
        const int e = static_cast<int>(items_[i]);
        if (side(edge(e).a, edge(e).b, point) != 0) continue;
        const Int2 d = along(e);
        const std::int64_t where = d.dot(at(point) - at(edge(e).a));
        if (where <= 0 || where >= d.squaredNorm()) continue;
        const auto& list = stops(e);
        const auto stop = std::ranges::find(list, point, &Stop::point);
        if (stop == list.end()) continue;
        const int s = static_cast<int>(stop - list.begin());
        out.push_back({{e, s, 1}, d});
        out.push_back({{e, s, -1}, -d});
    }
}

std::vector<Arrangement::Departure> Arrangement::departures_from(const HalfEdge& from) {
    std::vector<Departure> out;
    const Stop stop = stops(from.edge)[static_cast<std::size_t>(from.stop)];
    if (stop.point >= 0) {
        departures_from_point(stop.point, out);
        return out;
    }
    const auto add = [&](int e, int s) {
        out.push_back({{e, s, 1}, along(e)});
        out.push_back({{e, s, -1}, -along(e)});
    };
    add(from.edge, from.stop);
    for (const int other : stop.crossed) {
        const auto& list = stops(other);
        for (std::size_t s = 0; s < list.size(); ++s) {
            if (std::ranges::binary_search(list[s].crossed, from.edge)) add(other, static_cast<int>(s));
        }
    }
    return out;
}

/// The first edge anticlockwise from the incoming direction: the largest clockwise angle (spec of the walk).
/// Of equal directions the lowest edge is used.
void Arrangement::prefer(const Int2& back, const std::vector<Departure>& departures, HalfEdge& best) {
    const Departure* chosen = nullptr;
    const auto before = [&](const Departure& a, const Departure& b) {
        const int qa = quadrant(back, a.direction), qb = quadrant(back, b.direction);
        if (qa != qb) return qa < qb;
        const std::int64_t c = cross(a.direction, b.direction);
        return c != 0 ? c > 0 : a.half < b.half;
    };
    for (const Departure& departure : departures) {
        if (chosen == nullptr || before(departure, *chosen)) chosen = &departure;
    }
    if (chosen != nullptr) best = chosen->half;
}

int Arrangement::topmost(const std::vector<char>& left) const {
    int best = -1;
    for (int p = 0; p < point_count(); ++p) {
        if (left[static_cast<std::size_t>(p)] == 0) continue;
        if (best < 0 || at(p).y() > at(best).y() || (at(p).y() == at(best).y() && at(p).x() < at(best).x())) {
            best = p;
        }
    }
    return best;
}

Arrangement::HalfEdge Arrangement::leave_top(int point) {
    std::vector<Departure> departures;
    departures_from_point(point, departures);
    HalfEdge best;
    // As if the walk came from the right.
    prefer(Int2(1, 0), departures, best);
    return best;
}

std::optional<Arrangement::HalfEdge> Arrangement::side_below(const Vec2d& walk_point) {
    const Vec2d q = (walk_point - center_) * scale_;
    double best = -std::numeric_limits<double>::infinity();
    int hit = -1;
    for (int e = 0; e < static_cast<int>(edges_.size()); ++e) {
        const Vec2d a = at(edge(e).a).cast<double>(), b = at(edge(e).b).cast<double>();
        if ((a.x() > q.x()) == (b.x() > q.x())) continue;
        const double y = a.y() + (q.x() - a.x()) / (b.x() - a.x()) * (b.y() - a.y());
        if (y < q.y() && y > best) {
            best = y;
            hit = e;
        }
    }
    if (hit < 0) return std::nullopt;
    // Walked leftwards, the side below the point has the face to the right. The stop before the point in that
    // direction:
    const Int2 d = along(hit);
    const int step = d.x() < 0 ? 1 : -1;
    const double where = (q.x() - static_cast<double>(at(edge(hit).a).x())) / static_cast<double>(d.x());
    const auto& list = stops(hit);
    int stop = 0;
    while (stop + 1 < static_cast<int>(list.size()) &&
           static_cast<double>(list[static_cast<std::size_t>(stop + 1)].num) <=
               where * static_cast<double>(list[static_cast<std::size_t>(stop + 1)].den)) {
        ++stop;
    }
    return HalfEdge{hit, step > 0 ? stop : std::min(stop + 1, static_cast<int>(list.size()) - 1), step};
}

Arrangement::HalfEdge Arrangement::next(const HalfEdge& from) {
    const HalfEdge arrival{from.edge, from.stop + from.step, from.step};
    const Int2 back = from.step > 0 ? Int2(-along(from.edge)) : along(from.edge);
    HalfEdge best{from.edge, arrival.stop, -from.step};
    prefer(back, departures_from(arrival), best);
    return best;
}

Arrangement::WalkPoint Arrangement::walk_point(const HalfEdge& half) {
    const Stop stop = stops(half.edge)[static_cast<std::size_t>(half.stop)];
    if (stop.point >= 0) {
        const auto p = static_cast<std::size_t>(stop.point);
        return {{-1, stop.point, 1}, {xy_[p], z_[p], static_cast<int>(vertex_[p]), {}, 1}};
    }
    // The lowest edge names a crossing, so that its name does not depend on the edge it is reached from.
    const int lowest = std::min(half.edge, stop.crossed.front());
    const int other = lowest == half.edge ? stop.crossed.front() : half.edge;
    const auto along_edge = [&](int e, int with) {
        const auto& list = stops(e);
        for (std::size_t s = 0; s < list.size(); ++s) {
            if (std::ranges::binary_search(list[s].crossed, with)) return static_cast<int>(s);
        }
        return 0;
    };
    const HalfEdge name{lowest, along_edge(lowest, other), 1};
    const auto parameter = [&](int e, int s) {
        const Stop& at_stop = stops(e)[static_cast<std::size_t>(s)];
        return static_cast<double>(at_stop.num) / static_cast<double>(at_stop.den);
    };
    const double ta = parameter(lowest, name.stop), tb = parameter(other, along_edge(other, lowest));
    const auto mix = [&](int e, double t) {
        const auto a = static_cast<std::size_t>(edge(e).a), b = static_cast<std::size_t>(edge(e).b);
        return std::pair{Vec2d(xy_[a] + t * (xy_[b] - xy_[a])), z_[a] + t * (z_[b] - z_[a])};
    };
    const auto ends = [&](int e) {
        return std::array{vertex_[static_cast<std::size_t>(edge(e).a)],
                          vertex_[static_cast<std::size_t>(edge(e).b)]};
    };
    const auto [xy, za] = mix(lowest, ta);
    const double zb = mix(other, tb).second;
    return {name, {xy, (za + zb) / 2, -1, EdgeCrossing{ends(lowest), ends(other), ta, tb, za, zb}, 0}};
}

std::vector<Arrangement::WalkPoint> Arrangement::face(const HalfEdge& start) {
    std::vector<WalkPoint> out;
    // The first step may start in any direction; the second is the first one chosen by the rule.
    const HalfEdge first = next(start);
    HalfEdge at_half = first;
    const std::size_t max = 64 * edges_.size() + 1024;
    do {
        out.push_back(walk_point(at_half));
        at_half = next(at_half);
        if (out.size() > max) return {};
    } while (!(at_half == first));
    return out;
}

// --------------------
// Variant D: the face outside everything, and the faces of the holes, of the exact arrangement of edges.

namespace {

using geometry::Polygon2;
using geometry::PolygonIndex;

constexpr std::size_t max_pieces = 64;

/// Cuts a closed walk wherever it returns to an earlier point: the results are simple loops. Paths out and
/// back along the same edge vanish.
std::vector<SilhouetteLoop> lobes(const std::vector<Arrangement::WalkPoint>& walk) {
    std::vector<SilhouetteLoop> out;
    std::vector<const Arrangement::WalkPoint*> stack;
    std::map<Arrangement::HalfEdge, std::size_t> position;
    const auto cut = [&](std::size_t from) {
        SilhouetteLoop loop;
        for (std::size_t i = from; i < stack.size(); ++i) {
            loop.push_back(stack[i]->node);
            position.erase(stack[i]->at);
        }
        stack.resize(from);
        if (loop.size() >= 3) out.push_back(std::move(loop));
    };
    for (const Arrangement::WalkPoint& walk_point : walk) {
        const auto seen = position.find(walk_point.at);
        if (seen != position.end()) cut(seen->second);
        position[walk_point.at] = stack.size();
        stack.push_back(&walk_point);
    }
    cut(0);
    return out;
}

/// The points that remain to be explored after a new outline.
void leave_out(const Arrangement& edges, const SilhouetteLoop& loop, double tolerance,
               std::vector<char>& left) {
    const PolygonIndex index(Polygon2{points_of(loop), {}});
    for (int p = 0; p < edges.point_count(); ++p) {
        char& flag = left[static_cast<std::size_t>(p)];
        if (flag == 0) continue;
        const Vec2d& at = edges.position(p);
        if (index.contains(at) || index.distance(at) <= tolerance) flag = 0;
    }
}

/// Outlines of all shadows with points in `left`.
void trace_outlines(Arrangement& edges, double tolerance, std::vector<char> left,
                    std::vector<SilhouetteLoop>& loops) {
    for (std::size_t found = 0; found < max_pieces; ++found) {
        const int top = edges.topmost(left);
        if (top < 0) return;
        const auto walk = edges.face(edges.leave_top(top));
        for (const Arrangement::WalkPoint& walk_point : walk) {
            if (walk_point.at.edge < 0) left[static_cast<std::size_t>(walk_point.at.stop)] = 0;
        }
        left[static_cast<std::size_t>(top)] = 0;
        for (SilhouetteLoop& loop : lobes(walk)) {
            if (!(geometry::signed_area(points_of(loop)) > tolerance * tolerance)) continue;
            leave_out(edges, loop, tolerance, left);
            loops.push_back(std::move(loop));
        }
    }
}

/// Holes that a picture of the shadow shows, and the separate shadows inside them.
void trace_holes(Arrangement& edges, const Mask& mask, double min, double tolerance,
                 std::vector<SilhouetteLoop>& loops) {
    const double covered = mask.area() / (mask.pixel * mask.pixel);
    for (const MaskHole& hole : holes_of(mask, min * covered)) {
        const auto start = edges.side_below(mask.center(hole.deepest[0], hole.deepest[1]));
        if (!start) continue;
        std::vector<SilhouetteLoop> around = lobes(edges.face(*start));
        const auto size = [](const SilhouetteLoop& loop) { return -geometry::signed_area(points_of(loop)); };
        const auto largest = std::ranges::max_element(around, {}, size);
        if (largest == around.end() || !(size(*largest) > 0)) continue;
        std::vector<char> left(static_cast<std::size_t>(edges.point_count()), 0);
        auto inner = points_of(*largest);
        std::ranges::reverse(inner);
        const PolygonIndex index(Polygon2{inner, {}});
        for (int p = 0; p < edges.point_count(); ++p) {
            const Vec2d& at = edges.position(p);
            left[static_cast<std::size_t>(p)] = index.contains(at) && index.distance(at) > tolerance ? 1 : 0;
        }
        loops.push_back(*largest);
        trace_outlines(edges, tolerance, std::move(left), loops);
    }
}

}  // namespace

Silhouette trace_walk(const WeldedSurface& surface, const Projection& projection, const Mask* shadow) {
    Arrangement edges(surface, projection);
    if (edges.empty()) return {};
    const double tolerance = 1e-7 * surface.diagonal;
    std::vector<SilhouetteLoop> loops;
    trace_outlines(edges, tolerance, std::vector<char>(static_cast<std::size_t>(edges.point_count()), 1),
                   loops);
    if (shadow != nullptr) trace_holes(edges, *shadow, min_hole, tolerance, loops);
    return {SilhouetteVariant::walk, sort_into_pieces(std::move(loops))};
}

}  // namespace sinew::rig
