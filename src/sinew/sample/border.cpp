// insert_border: cut the half mesh where a function changes sign, then open the cut.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "sinew/geometry/topology.h"
#include "sinew/sample/half_mesh.h"

namespace sinew::sample {
namespace {

using EdgeKey = std::pair<std::uint32_t, std::uint32_t>;

class BorderCutter {
  public:
    BorderCutter(HalfMesh& mesh, const ImplicitBody& body, const Border& border, int row)
        : mesh_(mesh), body_(body), border_(border), row_(row) {}

    void run() {
        sides_.resize(mesh_.positions.size());
        for (std::size_t v = 0; v < sides_.size(); ++v) sides_[v] = border_.side(mesh_.positions[v]);
        snap();
        split();
        open();
    }

  private:
    int sign(std::uint32_t v) const { return sides_[v] > 0 ? 1 : sides_[v] < 0 ? -1 : 0; }
    bool on_line(std::uint32_t v) const { return sides_[v] == 0; }

    Vec3d placed(const Vec3d& point, double target, bool seam) const {
        Vec3d p = project_to_border(body_, border_, target, point);
        if (seam) p.x() = 0;
        return p;
    }

    /// For each vertex how near the line is, as a part of the longest edge that crosses it; 0 where none
    /// does.
    std::vector<double> nearness() const {
        std::vector<double> near(sides_.size(), 0);
        for (const Triangle& t : mesh_.triangles)
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t a = t[k], b = t[(k + 1) % 3];
                if (sign(a) * sign(b) >= 0) continue;
                const double span = std::abs(sides_[a]) + std::abs(sides_[b]);
                near[a] = std::max(near[a], std::abs(sides_[b]) / span);
                near[b] = std::max(near[b], std::abs(sides_[a]) / span);
            }
        return near;
    }

    /// Vertices near the line move onto it, which saves the slivers that cutting would leave; never all three
    /// corners of a triangle, and never a vertex of another border.
    void snap() {
        constexpr double enough = 0.65;
        const std::vector<double> near = nearness();
        const auto wanted = [&](std::uint32_t v) { return near[v] > enough && mesh_.row[v] < 0; };
        std::vector<Triangle> close;
        std::copy_if(mesh_.triangles.begin(), mesh_.triangles.end(), std::back_inserter(close),
                     [&](const Triangle& t) { return wanted(t[0]) || wanted(t[1]) || wanted(t[2]); });
        const geometry::Rows around = geometry::vertex_triangles(mesh_.positions.size(), close);
        for (std::uint32_t v = 0; v < sides_.size(); ++v) {
            if (!wanted(v)) continue;
            const bool flat = std::any_of(around[v].begin(), around[v].end(), [&](std::uint32_t t) {
                return std::count_if(close[t].begin(), close[t].end(),
                                     [&](std::uint32_t c) { return on_line(c); }) == 2;
            });
            if (flat) continue;
            mesh_.positions[v] = placed(mesh_.positions[v], 0, mesh_.on_seam(v));
            sides_[v] = 0;
        }
    }

    std::uint32_t add_vertex(const Vec3d& position, double side) {
        mesh_.positions.push_back(position);
        mesh_.row.push_back(-1);
        sides_.push_back(side);
        return static_cast<std::uint32_t>(mesh_.positions.size() - 1);
    }

    /// The vertex where an edge crosses the line.
    std::uint32_t cut(std::uint32_t a, std::uint32_t b) {
        const auto [place, fresh] = cuts_.try_emplace(std::minmax(a, b), 0);
        if (fresh) {
            const auto [low, high] = place->first;
            const double t = sides_[low] / (sides_[low] - sides_[high]);
            const bool seam = mesh_.on_seam(low) && mesh_.on_seam(high);
            const Vec3d point = (1 - t) * mesh_.positions[low] + t * mesh_.positions[high];
            place->second = add_vertex(placed(point, 0, seam), 0);
        }
        return place->second;
    }

    void split() {
        std::vector<Triangle> whole;
        for (const Triangle& t : mesh_.triangles) {
            // Turned so that the corner that is alone on its side, or the one on the line, comes first.
            int turn = -1;
            for (int k = 0; k < 3; ++k) {
                const int s0 = sign(t[static_cast<std::size_t>(k)]),
                          s1 = sign(t[static_cast<std::size_t>((k + 1) % 3)]),
                          s2 = sign(t[static_cast<std::size_t>((k + 2) % 3)]);
                if ((s0 == 0 && s1 * s2 < 0) || (s0 != 0 && s1 == -s0 && s2 == -s0)) turn = k;
            }
            if (turn < 0) {
                whole.push_back(t);
                continue;
            }
            const auto corner = [&](int k) { return t[static_cast<std::size_t>((turn + k) % 3)]; };
            const std::uint32_t a = corner(0), b = corner(1), c = corner(2);
            if (on_line(a)) {
                const std::uint32_t m = cut(b, c);
                whole.insert(whole.end(), {Triangle{a, b, m}, Triangle{a, m, c}});
            } else {
                const std::uint32_t m = cut(a, b), n = cut(a, c);
                whole.insert(whole.end(), {Triangle{a, m, n}, Triangle{m, b, n}, Triangle{n, b, c}});
            }
        }
        mesh_.triangles = std::move(whole);
    }

    int side_of(const Triangle& t) const {
        for (const std::uint32_t v : t)
            if (!on_line(v)) return sign(v);
        return 0;
    }

    /// Edges of the line between a triangle below and one above, as they run in the triangle below.
    std::vector<EdgeKey> line_edges() const {
        std::vector<Triangle> close;
        std::copy_if(mesh_.triangles.begin(), mesh_.triangles.end(), std::back_inserter(close),
                     [&](const Triangle& t) {
                         return std::count_if(t.begin(), t.end(),
                                              [&](std::uint32_t v) { return on_line(v); }) == 2;
                     });
        const geometry::EdgeTable table = geometry::edge_table(close);
        std::vector<EdgeKey> line;
        for (const geometry::Edge& edge : table.edges) {
            if (edge.count != 2 || !on_line(edge.a) || !on_line(edge.b)) continue;
            const Triangle &first = close[table.around(edge)[0]], &second = close[table.around(edge)[1]];
            if (side_of(first) * side_of(second) >= 0) continue;
            const Triangle& below = side_of(first) < 0 ? first : second;
            const bool forward = (below[0] == edge.a && below[1] == edge.b) ||
                                 (below[1] == edge.a && below[2] == edge.b) ||
                                 (below[2] == edge.a && below[0] == edge.b);
            line.push_back(forward ? EdgeKey{edge.a, edge.b} : EdgeKey{edge.b, edge.a});
        }
        return line;
    }

    /// Gives every vertex of the line a twin above it, hands the triangles above to the twins, and fills the
    /// gap.
    void open() {
        const std::vector<EdgeKey> line = line_edges();
        std::map<std::uint32_t, std::uint32_t> twin;
        for (const auto& [a, b] : line)
            for (const std::uint32_t v : {a, b})
                if (!twin.contains(v)) twin[v] = add_vertex(mesh_.positions[v], 0);
        for (Triangle& t : mesh_.triangles) {
            if (side_of(t) <= 0) continue;
            for (std::uint32_t& v : t)
                if (const auto found = twin.find(v); found != twin.end()) v = found->second;
        }
        for (const auto& [a, b] : line)
            mesh_.triangles.insert(mesh_.triangles.end(),
                                   {Triangle{b, a, twin[a]}, Triangle{b, twin[a], twin[b]}});
        for (const auto& [below, above] : twin) {
            const Vec3d middle = mesh_.positions[below];
            mesh_.positions[below] = placed(middle, -border_.half_width, middle.x() == 0);
            mesh_.positions[above] = placed(middle, border_.half_width, middle.x() == 0);
            mesh_.row[below] = row_;
            mesh_.row[above] = row_ + 1;
        }
    }

    HalfMesh& mesh_;
    const ImplicitBody& body_;
    const Border& border_;
    int row_;
    std::vector<double> sides_;
    std::map<EdgeKey, std::uint32_t> cuts_;
};

}  // namespace

void insert_border(HalfMesh& mesh, const ImplicitBody& body, const std::vector<Border>& borders,
                   std::size_t which) {
    BorderCutter(mesh, body, borders[which], static_cast<int>(2 * which)).run();
}

}  // namespace sinew::sample
