#pragma once
/// \file
/// The edges of a projected surface that can lie on its outline, as an exact arrangement: vertices snapped to
/// a fine lattice of integers, so that every sidedness and every order along an edge is decided without
/// rounding.

#include <map>

#include "sinew/rig/skeletonize/silhouette.h"

namespace sinew::rig {

using Int2 = Eigen::Matrix<std::int64_t, 2, 1>;

class Arrangement {
  public:
    Arrangement(const WeldedSurface& surface, const Projection& projection);

    /// A position on an edge where something happens: an end, a point that lies on it, crossings.
    struct Stop {
        std::int64_t num = 0, den = 1;  ///< place along the edge, num / den
        int point = -1;                 ///< the point there, if there is one
        std::vector<int> crossed;       ///< edges crossed there, in rising order
    };
    /// Standing at a stop of an edge, about to leave forwards or backwards.
    struct HalfEdge {
        int edge = -1;
        int stop = 0;
        int step = 1;
        bool operator==(const HalfEdge&) const = default;
        bool operator<(const HalfEdge& o) const {
            return std::array{edge, stop, step} < std::array{o.edge, o.stop, o.step};
        }
    };
    struct Place {
        HalfEdge at;  ///< a canonical name of the place
        SilhouetteNode node;
    };

    bool empty() const { return edges_.empty(); }
    int point_count() const { return static_cast<int>(points_.size()); }
    const Vec2d& position(int point) const { return xy_[static_cast<std::size_t>(point)]; }
    /// Of the points that are left, the topmost, then the leftmost; -1 when none is.
    int topmost(const std::vector<char>& left) const;

    /// Leaves a topmost point so that everything lies to the left.
    HalfEdge leave_top(int point);
    /// The side of a face below a place inside it, walked so that the face lies to the right.
    std::optional<HalfEdge> side_below(const Vec2d& place);
    /// The half-edge after this one with the same face to the right: at the next stop the first direction
    /// anticlockwise from the way back.
    HalfEdge next(const HalfEdge& from);
    /// Where a half-edge starts.
    Place place(const HalfEdge& at);

    /// The whole loop of a face, or nothing when it is longer than any outline can be.
    std::vector<Place> face(const HalfEdge& start);

  private:
    struct Edge {
        int a = 0, b = 0;
    };
    struct Way {
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
    std::vector<Way> ways_from(const HalfEdge& at);
    void ways_from_point(int point, std::vector<Way>& out);
    static void prefer(const Int2& back, const std::vector<Way>& ways, HalfEdge& best);
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

}  // namespace sinew::rig
