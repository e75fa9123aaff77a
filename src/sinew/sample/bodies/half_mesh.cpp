// SPDX-License-Identifier: MIT
#include "sinew/sample/bodies/half_mesh.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>

#include "sinew/base/array.h"
#include "sinew/base/parallel.h"
#include "sinew/geometry/topology.h"

namespace sinew::sample {
namespace {

/// Mean of the neighbours that a vertex is attracted to. On the seam the neighbours of the other half also
/// count.
Vec3d target_of(const HalfMesh& mesh, const geometry::Rows& neighbors, std::size_t v) {
    Vec3d sum = Vec3d::Zero();
    double count = 0;
    const bool seam = mesh.on_seam(v);
    for (const std::uint32_t n : neighbors[v]) {
        if (mesh.row[v] >= 0 && mesh.row[n] != mesh.row[v]) continue;
        const double weight = seam && !mesh.on_seam(n) ? 2 : 1;
        sum += weight * mesh.positions[n];
        count += weight;
    }
    return count > 0 ? Vec3d(sum / count) : mesh.positions[v];
}

Vec3d relaxed(const HalfMesh& mesh, const ImplicitBody& body, const std::vector<Border>& borders,
              const geometry::Rows& neighbors, std::size_t v) {
    const Vec3d& here = mesh.positions[v];
    const bool seam = mesh.on_seam(v);
    const auto kept = [&](Vec3d p) {
        if (seam) p.x() = 0;
        return p;
    };
    const int row = mesh.row[v];
    if (row >= 0) {
        if (seam) return here;
        const Border& border = borders[at(row / 2)];
        const double target = row % 2 == 0 ? -border.half_width : border.half_width;
        return project_to_border(body, border, target, 0.5 * (here + target_of(mesh, neighbors, v)));
    }
    // Along the tangent, then one Newton step with the gradient that is already known.
    const Vec3d gradient = body.slope(here).gradient;
    const double squared = std::max(gradient.squaredNorm(), 1e-2);
    Vec3d move = 0.5 * (target_of(mesh, neighbors, v) - here);
    move -= gradient.dot(move) / squared * gradient;
    const Vec3d there = kept(here + move);
    return kept(there - std::clamp(body(there), -0.01, 0.01) / squared * gradient);
}

template <class Wanted>
void relax_some(HalfMesh& mesh, const ImplicitBody& body, const std::vector<Border>& borders, int rounds,
                const Wanted& wanted) {
    const geometry::Rows neighbors = geometry::vertex_neighbors(mesh.positions.size(), mesh.triangles);
    std::vector<Vec3d> next(mesh.positions.size());
    for (int round = 0; round < rounds; ++round) {
        parallel_for(next.size(), 256, [&](std::size_t v) {
            next[v] = wanted(v) ? relaxed(mesh, body, borders, neighbors, v) : mesh.positions[v];
        });
        mesh.positions.swap(next);
    }
}

double angle_at(const Vec3d& apex, const Vec3d& a, const Vec3d& b) {
    const Vec3d u = a - apex, v = b - apex;
    return std::atan2(u.cross(v).norm(), u.dot(v));
}

Vec3d face_normal(const HalfMesh& mesh, const Triangle& t) {
    const auto& p = mesh.positions;
    return (p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]).normalized();
}

std::uint32_t opposite(const Triangle& t, std::uint32_t a, std::uint32_t b) {
    return t[0] != a && t[0] != b ? t[0] : t[1] != a && t[1] != b ? t[1] : t[2];
}

/// True when a comes directly before b in the triangle.
bool runs(const Triangle& t, std::uint32_t a, std::uint32_t b) {
    return (t[0] == a && t[1] == b) || (t[1] == a && t[2] == b) || (t[2] == a && t[0] == b);
}

/// Flips the edge a-b of two triangles when that makes it Delaunay and does not fold the surface.
bool try_flip(HalfMesh& mesh, Triangle& first, Triangle& second, std::uint32_t a, std::uint32_t b) {
    if (!runs(first, a, b)) std::swap(a, b);
    const std::uint32_t c = opposite(first, a, b), d = opposite(second, a, b);
    const auto& p = mesh.positions;
    if (angle_at(p[c], p[a], p[b]) + angle_at(p[d], p[a], p[b]) <= math::pi + 1e-3) return false;
    const Triangle left{c, d, b}, right{d, c, a};
    const Vec3d normal = face_normal(mesh, first) + face_normal(mesh, second);
    if (face_normal(mesh, left).dot(normal) < 0.8 || face_normal(mesh, right).dot(normal) < 0.8) return false;
    first = left;
    second = right;
    return true;
}

/// Edges on a line: the seam, and the two sides of a border strip.
bool is_fixed(const HalfMesh& mesh, std::uint32_t a, std::uint32_t b) {
    return (mesh.row[a] >= 0 && mesh.row[a] == mesh.row[b]) || (mesh.on_seam(a) && mesh.on_seam(b));
}

std::size_t flip_sweep(HalfMesh& mesh) {
    const geometry::EdgeTable table = geometry::edge_table(mesh.triangles);
    const geometry::Rows neighbors = geometry::vertex_neighbors(mesh.positions.size(), mesh.triangles);
    std::vector<char> touched(mesh.triangles.size(), 0);
    std::set<std::pair<std::uint32_t, std::uint32_t>> made;
    for (const geometry::Edge& edge : table.edges) {
        if (edge.count != 2 || is_fixed(mesh, edge.a, edge.b)) continue;
        const auto around = table.around(edge);
        if (touched[around[0]] != 0 || touched[around[1]] != 0) continue;
        Triangle &first = mesh.triangles[around[0]], &second = mesh.triangles[around[1]];
        const auto ends = std::minmax({opposite(first, edge.a, edge.b), opposite(second, edge.a, edge.b)});
        // Both halves would have an edge between two vertices of the seam: four triangles on it.
        if (mesh.on_seam(ends.first) && mesh.on_seam(ends.second)) continue;
        const auto known = neighbors[ends.first];
        if (std::binary_search(known.begin(), known.end(), ends.second) || made.contains(ends)) continue;
        if (!try_flip(mesh, first, second, edge.a, edge.b)) continue;
        touched[around[0]] = touched[around[1]] = 1;
        made.insert(ends);
    }
    return made.size();
}

/// The two triangles of a triangle that is divided by the vertex `middle` on its edge a-b.
std::array<Triangle, 2> halves(const Triangle& t, std::uint32_t a, std::uint32_t b, std::uint32_t middle) {
    std::array<Triangle, 2> parts{t, t};
    for (std::size_t k = 0; k < 3; ++k) {
        if (t[k] == a) parts[0][k] = middle;
        if (t[k] == b) parts[1][k] = middle;
    }
    return parts;
}

/// How much too long an edge is; below 0 for one that must not be split.
using Excess = std::function<double(std::uint32_t a, std::uint32_t b)>;

/// Splits edges with an excess above 0, the largest first, at most one edge of each triangle, while that adds
/// at most `limit` triangles. Returns how many it added.
std::size_t split_long_edges(HalfMesh& mesh, const ImplicitBody& body, const Excess& excess,
                             std::size_t limit = std::numeric_limits<std::size_t>::max()) {
    const geometry::EdgeTable table = geometry::edge_table(mesh.triangles);
    std::vector<std::pair<double, std::size_t>> longest;
    for (std::size_t e = 0; e < table.edges.size(); ++e)
        if (const double over = excess(table.edges[e].a, table.edges[e].b); over > 0)
            longest.emplace_back(-over, e);
    std::sort(longest.begin(), longest.end());
    std::vector<char> touched(mesh.triangles.size(), 0);
    std::size_t added = 0;
    for (const auto& [over, e] : longest) {
        const geometry::Edge& edge = table.edges[e];
        const auto around = table.around(edge);
        if (edge.count > limit - added ||
            std::any_of(around.begin(), around.end(), [&](std::uint32_t t) { return touched[t] != 0; }))
            continue;
        Vec3d middle = body.project((mesh.positions[edge.a] + mesh.positions[edge.b]) / 2, 2);
        if (mesh.on_seam(edge.a) && mesh.on_seam(edge.b)) middle.x() = 0;
        const std::uint32_t v = static_cast<std::uint32_t>(mesh.positions.size());
        mesh.positions.push_back(middle);
        mesh.row.push_back(-1);
        for (const std::uint32_t t : around) {
            const auto parts = halves(mesh.triangles[t], edge.a, edge.b, v);
            mesh.triangles[t] = parts[0];
            mesh.triangles.push_back(parts[1]);
            touched[t] = 1;
        }
        added += edge.count;
    }
    return added;
}

}  // namespace

void refine(HalfMesh& mesh, const ImplicitBody& body, const std::function<double(const Vec3d&)>& size,
            int passes) {
    constexpr double unlimited = 0.5;   // metres: no limit was set there
    constexpr double tolerated = 1.33;  // a split edge is then not much shorter than wanted
    const auto excess = [&](std::uint32_t a, std::uint32_t b) {
        const Vec3d &p = mesh.positions[a], &q = mesh.positions[b];
        return (p - q).norm() / size((p + q) / 2) - tolerated;
    };
    for (int n = 0; n < passes && split_long_edges(mesh, body, excess) > 0; ++n) {
        flip_edges(mesh, 2);
        relax_some(mesh, body, {}, 1, [&](std::size_t v) { return size(mesh.positions[v]) < unlimited; });
    }
}

void densify(HalfMesh& mesh, const ImplicitBody& body, std::size_t target) {
    const auto excess = [&](std::uint32_t a, std::uint32_t b) {
        return mesh.row[a] >= 0 && mesh.row[b] >= 0 ? -1.0 : (mesh.positions[a] - mesh.positions[b]).norm();
    };
    while (mesh.triangles.size() < target)
        if (split_long_edges(mesh, body, excess, target - mesh.triangles.size()) == 0) break;
}

Vec3d project_to_border(const ImplicitBody& body, const Border& border, double target, const Vec3d& point) {
    constexpr double h = 1e-4, reach = 0.01;
    Vec3d p = point;
    for (int n = 0; n < 4; ++n) {
        p = body.project(p, 1);
        const double value = border.side(p);
        Vec3d gradient;
        for (int a = 0; a < 3; ++a) gradient[a] = (border.side(p + h * Vec3d::Unit(a)) - value) / h;
        const Vec3d normal = body.normal(p);
        gradient -= normal.dot(gradient) * normal;
        if (gradient.squaredNorm() < 1e-4) break;
        Vec3d move = (target - value) / gradient.squaredNorm() * gradient;
        if (move.norm() > reach) move *= reach / move.norm();
        p += move;
    }
    return body.project(p, 2);
}

void relax(HalfMesh& mesh, const ImplicitBody& body, const std::vector<Border>& borders, int rounds) {
    relax_some(mesh, body, borders, rounds, [](std::size_t) { return true; });
}

void flip_edges(HalfMesh& mesh, int sweeps) {
    for (int n = 0; n < sweeps; ++n)
        if (flip_sweep(mesh) == 0) break;
}

// insert_border: cut the half mesh where a function changes sign, then open the cut.

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

    /// Vertices near the line move onto it, which avoids slivers at the cut; never all three corners of a
    /// triangle, and never a vertex of another border.
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
        const auto [entry, fresh] = cuts_.try_emplace(std::minmax(a, b), 0);
        if (fresh) {
            const auto [low, high] = entry->first;
            const double t = sides_[low] / (sides_[low] - sides_[high]);
            const bool seam = mesh_.on_seam(low) && mesh_.on_seam(high);
            const Vec3d point = (1 - t) * mesh_.positions[low] + t * mesh_.positions[high];
            entry->second = add_vertex(placed(point, 0, seam), 0);
        }
        return entry->second;
    }

    void split() {
        std::vector<Triangle> whole;
        for (const Triangle& t : mesh_.triangles) {
            // Rotated so that the single corner on its side, or the one on the line, comes first.
            int first_corner = -1;
            for (int k = 0; k < 3; ++k) {
                const int s0 = sign(t[at(k)]), s1 = sign(t[at((k + 1) % 3)]), s2 = sign(t[at((k + 2) % 3)]);
                if ((s0 == 0 && s1 * s2 < 0) || (s0 != 0 && s1 == -s0 && s2 == -s0)) first_corner = k;
            }
            if (first_corner < 0) {
                whole.push_back(t);
                continue;
            }
            const auto corner = [&](int k) { return t[at((first_corner + k) % 3)]; };
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

    /// Gives every vertex of the line a twin above it, assigns the triangles above to the twins, and fills
    /// the gap.
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
