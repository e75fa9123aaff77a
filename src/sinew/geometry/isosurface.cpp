// SPDX-License-Identifier: MIT
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/geometry/voxel_solid.h"

namespace sinew::geometry {
namespace {

constexpr std::size_t block = 8;  // cells along a side of a block that may be filled from one sample

// --- Cells
// ---------------------------------------------------------------------------------------------------------
// Corner c of a cell has offsets (c & 1, c >> 1 & 1, c >> 2). Edge 4 a + m runs along axis a; bits 0 and 1 of
// m are the offsets along axes a + 1 and a + 2 (mod 3).

constexpr int corner(int axis, int along, int m) {
    const int b = (axis + 1) % 3, c = (axis + 2) % 3;
    return along << axis | (m & 1) << b | (m >> 1) << c;
}

constexpr int edge_between(int c0, int c1) {
    const int axis = (c0 ^ c1) == 1 ? 0 : (c0 ^ c1) == 2 ? 1 : 2;
    const int b = (axis + 1) % 3, c = (axis + 2) % 3;
    return 4 * axis + ((c0 >> b & 1) | (c0 >> c & 1) << 1);
}

/// Corner k (in turn) of face 2 a + s, which is normal to axis a on side s.
constexpr int face_corner(int face, int k) {
    constexpr std::array<int, 4> order{0, 1, 3, 2};
    return corner(face / 2, face % 2, order[static_cast<std::size_t>(k & 3)]);
}

/// The sheets of the surface in a cell: for each of the twelve edges the number of its sheet, -1 where the
/// surface does not intersect it.
struct Sheets {
    std::array<std::int16_t, 12> of{};
    int count = 0;
};

/// Joins the intersected edges across each face. A face with four intersections joins them around its inside
/// corners, or around its outside corners if `flipped` has the face's bit.
Sheets find_sheets(int inside, int flipped) {
    Sheets sheets;
    sheets.of.fill(-1);
    std::array<std::int16_t, 12> parent{};
    for (std::int16_t e = 0; e < 12; ++e) parent[static_cast<std::size_t>(e)] = e;
    const auto root = [&](int e) {
        while (parent[static_cast<std::size_t>(e)] != e) e = parent[static_cast<std::size_t>(e)];
        return e;
    };
    const auto join = [&](int a, int b) {
        parent[static_cast<std::size_t>(root(a))] = static_cast<std::int16_t>(root(b));
    };
    for (int face = 0; face < 6; ++face) {
        std::array<int, 4> cut{};
        int cuts = 0;
        for (int k = 0; k < 4; ++k) {
            const int a = face_corner(face, k), b = face_corner(face, k + 1);
            if ((inside >> a & 1) != (inside >> b & 1))
                cut[static_cast<std::size_t>(cuts++)] = edge_between(a, b);
        }
        if (cuts == 2) join(cut[0], cut[1]);
        if (cuts == 4) {
            // Edge k runs from corner k to k + 1, so edges k - 1 and k meet at corner k.
            const bool first = ((inside >> face_corner(face, 0) & 1) != 0) != ((flipped >> face & 1) != 0);
            join(cut[first ? 3 : 0], cut[first ? 0 : 1]);
            join(cut[first ? 1 : 2], cut[first ? 2 : 3]);
        }
    }
    std::array<std::int16_t, 12> number{};
    number.fill(-1);
    for (int e = 0; e < 12; ++e) {
        const int axis = e / 4, a = corner(axis, 0, e % 4), b = corner(axis, 1, e % 4);
        if ((inside >> a & 1) == (inside >> b & 1)) continue;
        std::int16_t& n = number[static_cast<std::size_t>(root(e))];
        if (n < 0) n = static_cast<std::int16_t>(sheets.count++);
        sheets.of[static_cast<std::size_t>(e)] = n;
    }
    return sheets;
}

/// Bits of the faces with four intersections whose two arcs belong to one sheet of the cell.
int folded_faces(int inside) {
    const Sheets sheets = find_sheets(inside, 0);
    int bits = 0;
    for (int face = 0; face < 6; ++face) {
        std::array<int, 4> sheet{};
        for (int k = 0; k < 4; ++k)
            sheet[static_cast<std::size_t>(k)] = sheets.of[static_cast<std::size_t>(
                edge_between(face_corner(face, k), face_corner(face, k + 1)))];
        if (sheet[0] >= 0 && sheet[0] == sheet[1] && sheet[1] == sheet[2] && sheet[2] == sheet[3])
            bits |= 1 << face;
    }
    return bits;
}

struct CellTable {
    std::array<Sheets, 256> sheets;
    std::array<int, 256> folded;
    CellTable() {
        for (int inside = 0; inside < 256; ++inside) {
            sheets[static_cast<std::size_t>(inside)] = find_sheets(inside, 0);
            folded[static_cast<std::size_t>(inside)] = folded_faces(inside);
        }
    }
};

const CellTable& cell_table() {
    static const CellTable table;
    return table;
}

// --- Extraction
// ----------------------------------------------------------------------------------------------------

using Index3 = std::array<std::size_t, 3>;

Vec3d to_vector(const Index3& index) {
    return {static_cast<double>(index[0]), static_cast<double>(index[1]), static_cast<double>(index[2])};
}

class Extractor {
  public:
    Extractor(const Lattice& lattice, std::span<const float> values)
        : lattice_(lattice),
          values_(values),
          stride_{1, lattice.points[0], lattice.points[0] * lattice.points[1]} {
        for (std::size_t a = 0; a < 3; ++a) cells_[a] = lattice.points[a] - 1;
    }

    Mesh run() {
        make_vertices();
        make_triangles();
        return std::move(mesh_);
    }

  private:
    std::size_t cell_index(const Index3& c) const { return c[0] + cells_[0] * (c[1] + cells_[1] * c[2]); }
    bool is_inside(std::size_t point) const { return values_[point] < 0; }

    int inside_bits(const Index3& c) const {
        const std::size_t base = lattice_.index(c[0], c[1], c[2]);
        int bits = 0;
        for (std::size_t k = 0; k < 8; ++k)
            bits |= int(is_inside(base + (k & 1) + (k >> 1 & 1) * stride_[1] + (k >> 2) * stride_[2])) << k;
        return bits;
    }

    /// If two neighbours both fold at their common face, four quadrilaterals would share one edge. In this
    /// case both use the other connection.
    Sheets sheets_of(const Index3& c, int inside) const {
        const CellTable& table = cell_table();
        const int folded = table.folded[static_cast<std::size_t>(inside)];
        int flipped = 0;
        for (int face = 0; face < 6 && folded != 0; ++face) {
            if ((folded >> face & 1) == 0) continue;
            const std::size_t axis = static_cast<std::size_t>(face / 2);
            Index3 other = c;
            if (face % 2 == 0 ? c[axis] == 0 : c[axis] + 1 == cells_[axis]) continue;
            other[axis] = face % 2 == 0 ? c[axis] - 1 : c[axis] + 1;
            if ((table.folded[static_cast<std::size_t>(inside_bits(other))] >> (face ^ 1) & 1) != 0)
                flipped |= 1 << face;
        }
        return flipped == 0 ? table.sheets[static_cast<std::size_t>(inside)] : find_sheets(inside, flipped);
    }

    Vec3d crossing(const Index3& c, int edge) const {
        const int axis = edge / 4;
        const auto point = [&](int k) {
            return Index3{c[0] + (k & 1), c[1] + (k >> 1 & 1), c[2] + static_cast<std::size_t>(k >> 2)};
        };
        const Index3 p = point(corner(axis, 0, edge % 4)), q = point(corner(axis, 1, edge % 4));
        const double fp = values_[lattice_.index(p[0], p[1], p[2])],
                     fq = values_[lattice_.index(q[0], q[1], q[2])];
        double t = fp / (fp - fq);
        if (!std::isfinite(t)) t = 0.5;
        return (1 - t) * lattice_.point(to_vector(p)) + t * lattice_.point(to_vector(q));
    }

    void cell_vertices(const Index3& c, int inside, std::vector<Vec3f>& out) const {
        const Sheets sheets = sheets_of(c, inside);
        std::array<Vec3d, 4> sum;
        sum.fill(Vec3d::Zero());
        std::array<int, 4> count{};
        for (int e = 0; e < 12; ++e) {
            const int s = sheets.of[static_cast<std::size_t>(e)];
            if (s < 0) continue;
            sum[static_cast<std::size_t>(s)] += crossing(c, e);
            ++count[static_cast<std::size_t>(s)];
        }
        for (std::size_t s = 0; s < static_cast<std::size_t>(sheets.count); ++s)
            out.push_back((sum[s] / count[s]).cast<float>());
    }

    /// Slabs of cells are processed independently; their vertices are then numbered slab by slab.
    void make_vertices() {
        first_vertex_.assign(cells_[0] * cells_[1] * cells_[2], 0);
        std::vector<std::vector<Vec3f>> slabs(cells_[2]);
        parallel_for(cells_[2], 1, [&](std::size_t k) {
            for (std::size_t j = 0; j < cells_[1]; ++j)
                for (std::size_t i = 0; i < cells_[0]; ++i) {
                    const int inside = inside_bits({i, j, k});
                    if (inside == 0 || inside == 255) continue;
                    first_vertex_[cell_index({i, j, k})] = static_cast<std::uint32_t>(slabs[k].size());
                    cell_vertices({i, j, k}, inside, slabs[k]);
                }
        });
        slab_start_.assign(1, 0);
        for (const auto& slab : slabs) {
            mesh_.positions.insert(mesh_.positions.end(), slab.begin(), slab.end());
            slab_start_.push_back(static_cast<std::uint32_t>(mesh_.positions.size()));
        }
    }

    std::uint32_t vertex(const Index3& c, int edge) const {
        const Sheets sheets = sheets_of(c, inside_bits(c));
        return slab_start_[c[2]] + first_vertex_[cell_index(c)] +
               static_cast<std::uint32_t>(sheets.of[static_cast<std::size_t>(edge)]);
    }

    /// The quadrilateral around the lattice edge that starts at point p along an axis.
    void edge_quad(const Index3& p, int axis, std::vector<Triangle>& out) const {
        const std::size_t a = static_cast<std::size_t>(axis), b = (a + 1) % 3, c = (a + 2) % 3;
        if (p[a] == cells_[a] || p[b] == 0 || p[b] == cells_[b] || p[c] == 0 || p[c] == cells_[c]) return;
        const std::size_t at = lattice_.index(p[0], p[1], p[2]);
        const bool start_inside = is_inside(at);
        if (start_inside == is_inside(at + stride_[a])) return;
        std::array<std::uint32_t, 4> v{};
        constexpr std::array<int, 4> order{
            3, 2, 0, 1};  // cells around the edge, as its position m within each of them
        for (std::size_t n = 0; n < 4; ++n) {
            Index3 cell = p;
            cell[b] -= static_cast<std::size_t>(order[n] & 1);
            cell[c] -= static_cast<std::size_t>(order[n] >> 1);
            v[n] = vertex(cell, 4 * axis + order[n]);
        }
        if (!start_inside) std::swap(v[1], v[3]);
        const auto& x = mesh_.positions;
        if ((x[v[0]] - x[v[2]]).squaredNorm() <= (x[v[1]] - x[v[3]]).squaredNorm())
            out.insert(out.end(), {Triangle{v[0], v[1], v[2]}, Triangle{v[0], v[2], v[3]}});
        else
            out.insert(out.end(), {Triangle{v[0], v[1], v[3]}, Triangle{v[1], v[2], v[3]}});
    }

    void make_triangles() {
        std::vector<std::vector<Triangle>> slabs(lattice_.points[2]);
        parallel_for(lattice_.points[2], 1, [&](std::size_t k) {
            for (std::size_t j = 0; j <= cells_[1]; ++j)
                for (std::size_t i = 0; i <= cells_[0]; ++i)
                    for (int axis = 0; axis < 3; ++axis) edge_quad({i, j, k}, axis, slabs[k]);
        });
        for (const auto& slab : slabs)
            mesh_.triangles.insert(mesh_.triangles.end(), slab.begin(), slab.end());
    }

    const Lattice& lattice_;
    std::span<const float> values_;
    Index3 stride_;
    Index3 cells_{};
    std::vector<std::uint32_t> first_vertex_;  ///< of each cell, within its slab
    std::vector<std::uint32_t> slab_start_;
    Mesh mesh_;
};

/// Fills one block of points. The bounding sphere at the centre of the block contains all its points and half
/// a cell more.
void sample_block(const ScalarField& field, const Lattice& lattice, double slope, const Index3& low,
                  const Index3& high, std::vector<float>& values) {
    const Vec3d first = to_vector(low), last = to_vector(high) - Vec3d::Ones();
    bool one_side = false;
    float filling = 0;
    if (slope > 0) {
        const Vec3d middle = lattice.point((first + last) / 2);
        double radius = 0;
        for (int k = 0; k < 8; ++k) {
            const Vec3d c((k & 1) != 0 ? last.x() + 0.5 : first.x() - 0.5,
                          (k & 2) != 0 ? last.y() + 0.5 : first.y() - 0.5,
                          (k & 4) != 0 ? last.z() + 0.5 : first.z() - 0.5);
            radius = std::max(radius, (lattice.point(c) - middle).norm());
        }
        filling = static_cast<float>(field(middle));
        one_side = std::abs(filling) > slope * radius;
    }
    for (std::size_t k = low[2]; k < high[2]; ++k)
        for (std::size_t j = low[1]; j < high[1]; ++j)
            for (std::size_t i = low[0]; i < high[0]; ++i)
                values[lattice.index(i, j, k)] =
                    one_side ? filling : static_cast<float>(field(lattice.point(to_vector({i, j, k}))));
}

}  // namespace

Lattice lattice_over(const Box& box, double cell_size) {
    if (!(cell_size > 0)) fail("lattice", "the cell size must be above 0, not {}", cell_size);
    Lattice lattice;
    if (box.empty()) return lattice;
    lattice.step = Vec3d::Constant(cell_size);
    lattice.origin = box.low.cast<double>() - lattice.step;
    for (std::size_t a = 0; a < 3; ++a) {
        const double cells = std::ceil(double(box.size()[static_cast<int>(a)]) / cell_size) + 2;
        if (!(cells < 1e6))
            fail("lattice", "cells of {} are too small for a box of {}", cell_size, box.diagonal());
        lattice.points[a] = static_cast<std::size_t>(cells) + 1;
    }
    return lattice;
}

std::vector<float> sample_field(const ScalarField& field, const Lattice& lattice, double slope) {
    std::vector<float> values(lattice.size());
    Index3 blocks{};
    for (std::size_t a = 0; a < 3; ++a) blocks[a] = (lattice.points[a] + block - 1) / block;
    parallel_for(blocks[0] * blocks[1] * blocks[2], 4, [&](std::size_t n) {
        const Index3 b{n % blocks[0], n / blocks[0] % blocks[1], n / (blocks[0] * blocks[1])};
        Index3 low{}, high{};
        for (std::size_t a = 0; a < 3; ++a) {
            low[a] = b[a] * block;
            high[a] = std::min(low[a] + block, lattice.points[a]);
        }
        sample_block(field, lattice, slope, low, high, values);
    });
    return values;
}

Mesh surface_nets(const Lattice& lattice, std::span<const float> values) {
    if (values.size() != lattice.size())
        fail("surface nets", "{} values for a lattice of {} points", values.size(), lattice.size());
    if (std::min({lattice.points[0], lattice.points[1], lattice.points[2]}) < 2) return {};
    return Extractor(lattice, values).run();
}

Mesh surface_nets(const ScalarField& field, const Lattice& lattice, double slope) {
    return surface_nets(lattice, sample_field(field, lattice, slope));
}

}  // namespace sinew::geometry
