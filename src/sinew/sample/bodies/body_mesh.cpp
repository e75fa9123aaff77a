// SPDX-License-Identifier: MIT
#include "sinew/sample/bodies/body_mesh.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/geometry/topology.h"
#include "sinew/sample/bodies/half_mesh.h"

namespace sinew::sample {
namespace {

// Reduces the triangles of a half mesh to an exact count.

using geometry::Edge;
using geometry::Rows;

/// Neighbours that two vertices share.
std::size_t common_count(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    std::size_t count = 0;
    for (const std::uint32_t v : a) count += std::binary_search(b.begin(), b.end(), v);
    return count;
}

/// One pass of collapses whose neighbourhoods do not touch each other.
class CollapsePass {
  public:
    CollapsePass(HalfMesh& mesh, const ImplicitBody& body, std::vector<double>& sizes)
        : mesh_(mesh),
          body_(body),
          sizes_(sizes),
          table_(geometry::edge_table(mesh.triangles)),
          neighbors_(geometry::vertex_neighbors(mesh.positions.size(), mesh.triangles)),
          fans_(geometry::vertex_triangles(mesh.positions.size(), mesh.triangles)),
          touched_(mesh.positions.size(), 0),
          kept_(mesh.positions.size()) {
        for (std::uint32_t v = 0; v < kept_.size(); ++v) kept_[v] = v;
    }

    /// Removes up to `excess` triangles; returns how many were removed.
    std::size_t run(std::size_t excess) {
        const std::vector<std::size_t> order = shortest_first();
        // Only a part of the edges, so that the next pass uses lengths after smoothing.
        const std::size_t looked_at =
            std::max<std::size_t>(order.size() / 2, std::min<std::size_t>(order.size(), 64));
        std::size_t gone = 0;
        for (std::size_t n = 0; n < order.size() && gone < excess; ++n) {
            if (n >= looked_at && gone > 0) break;
            const Edge& edge = table_.edges[order[n]];
            if (edge.count <= excess - gone && collapse(edge)) gone += edge.count;
        }
        compact();
        return gone;
    }

  private:
    std::vector<std::size_t> shortest_first() const {
        std::vector<std::pair<double, std::size_t>> scored(table_.edges.size());
        parallel_for(scored.size(), 1024, [&](std::size_t e) {
            const Edge& edge = table_.edges[e];
            const double squared = (mesh_.positions[edge.a] - mesh_.positions[edge.b]).squaredNorm();
            scored[e] = {squared / (sizes_[edge.a] * sizes_[edge.b]), e};
        });
        std::sort(scored.begin(), scored.end());
        std::vector<std::size_t> order;
        for (const auto& [score, e] : scored) order.push_back(e);
        return order;
    }

    bool collapse(const Edge& edge) {
        const std::uint32_t a = edge.a, b = edge.b;
        if (touched_[a] != 0 || touched_[b] != 0) return false;
        const bool seam_a = mesh_.on_seam(a), seam_b = mesh_.on_seam(b);
        if (seam_a && seam_b && edge.count != 1) return false;  // would pinch the seam
        if (common_count(neighbors_[a], neighbors_[b]) != edge.count) return false;
        const std::uint32_t keep = seam_b ? b : a, drop = keep == a ? b : a;
        const Vec3d middle = body_.project((mesh_.positions[a] + mesh_.positions[b]) / 2, 2);
        Vec3d target = seam_a == seam_b ? middle : mesh_.positions[keep];
        if (seam_a && seam_b) target.x() = 0;
        if (folds(a, b, target) || folds(b, a, target) || bridges_seam(keep, drop)) return false;
        for (const std::uint32_t v : {a, b}) {
            touched_[v] = 1;
            for (const std::uint32_t n : neighbors_[v]) touched_[n] = 1;
        }
        mesh_.positions[keep] = target;
        sizes_[keep] = std::sqrt(sizes_[a] * sizes_[b]);
        kept_[drop] = keep;
        return true;
    }

    /// True when the collapse would join two vertices of the seam across the surface: after mirroring four
    /// triangles would share that edge.
    bool bridges_seam(std::uint32_t keep, std::uint32_t drop) const {
        if (!mesh_.on_seam(keep) || mesh_.on_seam(drop)) return false;
        const auto known = neighbors_[keep];
        return std::any_of(neighbors_[drop].begin(), neighbors_[drop].end(), [&](std::uint32_t n) {
            return n != keep && mesh_.on_seam(n) && !std::binary_search(known.begin(), known.end(), n);
        });
    }

    /// True when a triangle at `moved` that does not vanish with `other` would flip.
    bool folds(std::uint32_t moved, std::uint32_t other, const Vec3d& target) const {
        for (const std::uint32_t t : fans_[moved]) {
            std::array<Vec3d, 3> before, after;
            bool vanishes = false;
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t v = mesh_.triangles[t][k];
                vanishes = vanishes || v == other;
                before[k] = mesh_.positions[v];
                after[k] = v == moved ? target : before[k];
            }
            if (vanishes) continue;
            const Vec3d n = (before[1] - before[0]).cross(before[2] - before[0]),
                        m = (after[1] - after[0]).cross(after[2] - after[0]);
            if (n.dot(m) < 0.5 * n.norm() * m.norm()) return true;
        }
        return false;
    }

    void compact() {
        std::vector<std::uint32_t> target(kept_.size());
        std::uint32_t next = 0;
        for (std::uint32_t v = 0; v < kept_.size(); ++v) {
            if (kept_[v] != v) continue;
            target[v] = next;
            mesh_.positions[next] = mesh_.positions[v];
            sizes_[next++] = sizes_[v];
        }
        mesh_.positions.resize(next);
        sizes_.resize(next);
        mesh_.row.assign(next, -1);
        std::vector<Triangle> triangles;
        for (const Triangle& t : mesh_.triangles) {
            const Triangle u{target[kept_[t[0]]], target[kept_[t[1]]], target[kept_[t[2]]]};
            if (u[0] != u[1] && u[1] != u[2] && u[2] != u[0]) triangles.push_back(u);
        }
        mesh_.triangles = std::move(triangles);
    }

    HalfMesh& mesh_;
    const ImplicitBody& body_;
    std::vector<double>& sizes_;
    geometry::EdgeTable table_;
    Rows neighbors_;
    Rows fans_;
    std::vector<char> touched_;
    std::vector<std::uint32_t> kept_;
};

/// Edge length that each vertex should have relative to the others: shorter where the surface bends more,
/// within a factor of `range`.
std::vector<double> sizes_by_curvature(const HalfMesh& mesh, const ImplicitBody& body, double range) {
    const Rows neighbors = geometry::vertex_neighbors(mesh.positions.size(), mesh.triangles);
    const std::size_t count = mesh.positions.size();
    std::vector<Vec3d> normals(count);
    parallel_for(count, 256, [&](std::size_t v) { normals[v] = body.normal(mesh.positions[v]); });
    std::vector<double> bend(count);
    parallel_for(count, 256, [&](std::size_t v) {
        for (const std::uint32_t n : neighbors[v])
            bend[v] = std::max(bend[v], (normals[v] - normals[n]).norm() /
                                            std::max((mesh.positions[v] - mesh.positions[n]).norm(), 1e-9));
    });
    std::vector<double> next(count);
    for (int round = 0; round < 6; ++round) {
        parallel_for(count, 256, [&](std::size_t v) {
            double sum = bend[v];
            for (const std::uint32_t n : neighbors[v]) sum += bend[n];
            next[v] = sum / static_cast<double>(neighbors[v].size() + 1);
        });
        bend.swap(next);
    }
    const double usual = std::max(median(bend), 1e-9), limit = std::sqrt(range);
    for (double& b : bend) b = std::clamp(std::sqrt(usual / std::max(b, 1e-9)), 1 / limit, limit);
    return bend;
}

/// Collapses edges, the shortest relative to `sizes` first, until exactly `target` triangles are left;
/// between passes the rest is smoothed. The surface stays manifold and the seam stays in its plane. Not for
/// meshes with border rows. Ends with more triangles when no edge can go without folding the surface, and
/// with one more when the number is odd and there is no seam.
void decimate(HalfMesh& mesh, const ImplicitBody& body, std::vector<double> sizes, std::size_t target) {
    while (mesh.triangles.size() > target) {
        if (CollapsePass(mesh, body, sizes).run(mesh.triangles.size() - target) == 0) break;
        flip_edges(mesh, 2);
        relax(mesh, body, {}, 1);
    }
}
HalfMesh extract(const ImplicitBody& body, const geometry::Lattice& lattice, bool symmetric = true) {
    const geometry::Mesh raw = geometry::surface_nets(body, lattice);
    HalfMesh half;
    half.positions.resize(raw.positions.size());
    half.triangles = raw.triangles;
    half.row.assign(raw.positions.size(), -1);
    // Crossings in the first layer of cells come in mirrored pairs, so their mean has x = 0 up to rounding.
    for (std::size_t v = 0; v < raw.positions.size(); ++v) {
        half.positions[v] = raw.positions[v].cast<double>();
        if (symmetric && std::abs(half.positions[v].x()) < 1e-6) half.positions[v].x() = 0;
    }
    return half;
}

/// Order of the vertices of the half: the seam first.
std::vector<std::uint32_t> seam_first(const HalfMesh& half, std::uint32_t& seam_count) {
    std::vector<std::uint32_t> target(half.positions.size());
    std::uint32_t next = 0;
    for (const bool seam : {true, false}) {
        for (std::size_t v = 0; v < target.size(); ++v)
            if (half.on_seam(v) == seam) target[v] = next++;
        if (seam) seam_count = next;
    }
    return target;
}

geometry::Lattice lattice_of(const CountedMeshOptions& options, double step) {
    geometry::Lattice lattice = geometry::lattice_over(options.box, step);
    if (!options.symmetric) return lattice;
    lattice.origin.x() = -lattice.step.x() / 2;
    lattice.points[0] = static_cast<std::size_t>(options.box.high.x() / lattice.step.x()) + 3;
    return lattice;
}

/// The body with at least twice the wanted triangles, so that those to remove can be chosen.
HalfMesh extract_finely(const ImplicitBody& body, const CountedMeshOptions& options, std::size_t wanted) {
    const HalfMesh coarse = extract(body, lattice_of(options, options.step), options.symmetric);
    const double ratio = 2.0 * static_cast<double>(wanted) / static_cast<double>(coarse.triangles.size());
    if (ratio <= 1) return coarse;
    return extract(body, lattice_of(options, options.step / std::sqrt(1.05 * ratio)), options.symmetric);
}

BodyMesh whole(HalfMesh mesh, const ImplicitBody& body) {
    BodyMesh result;
    result.positions = std::move(mesh.positions);
    result.triangles = std::move(mesh.triangles);
    result.normals.resize(result.positions.size());
    result.twin.resize(result.positions.size());
    parallel_for(result.positions.size(), 256, [&](std::size_t v) {
        result.normals[v] = body.normal(result.positions[v]);
        result.twin[v] = static_cast<std::uint32_t>(v);
    });
    return result;
}

BodyMesh mirrored_body(const HalfMesh& half, const ImplicitBody& body) {
    std::uint32_t seam = 0;
    const std::vector<std::uint32_t> target = seam_first(half, seam);
    const std::uint32_t count = static_cast<std::uint32_t>(target.size()), shift = count - seam;
    BodyMesh mesh;
    mesh.positions.resize(count + shift);
    mesh.normals.resize(count + shift);
    mesh.twin.resize(count + shift);
    parallel_for(count, 256, [&](std::size_t v) {
        const std::uint32_t at = target[v], other = at < seam ? at : at + shift;
        Vec3d position = half.positions[v], normal = body.normal(position);
        if (at < seam) normal.x() = 0;
        normal.normalize();
        mesh.positions[at] = position;
        mesh.normals[at] = normal;
        mesh.twin[at] = other;
        if (other == at) return;
        mesh.twin[other] = at;
        mesh.positions[other] = {-position.x(), position.y(), position.z()};
        mesh.normals[other] = {-normal.x(), normal.y(), normal.z()};
    });
    for (const Triangle& t : half.triangles)
        mesh.triangles.push_back({target[t[0]], target[t[1]], target[t[2]]});
    for (std::size_t n = half.triangles.size(), t = 0; t < n; ++t) {
        const auto [a, b, c] = mesh.triangles[t];
        mesh.triangles.push_back({mesh.twin[a], mesh.twin[c], mesh.twin[b]});
    }
    return mesh;
}

}  // namespace

BodyMesh mesh_body(const ImplicitBody& body, const BodyMeshOptions& options) {
    HalfMesh half = extract(body, options.lattice);
    relax(half, body, options.borders, options.rounds / 2);
    flip_edges(half, 4);
    if (options.size) refine(half, body, options.size, 6);
    for (std::size_t b = 0; b < options.borders.size(); ++b) insert_border(half, body, options.borders, b);
    flip_edges(half, 4);
    relax(half, body, options.borders, options.rounds - options.rounds / 2);
    flip_edges(half, 4);
    if (2 * half.triangles.size() < options.faces) {
        densify(half, body, (options.faces + 1) / 2);
        flip_edges(half, 2);
        relax(half, body, options.borders, 1);
    }
    return mirrored_body(half, body);
}

BodyMesh mesh_body(const ImplicitBody& body, const CountedMeshOptions& options) {
    const std::size_t faces = options.faces + options.faces % 2,
                      wanted = options.symmetric ? faces / 2 : faces;
    if (faces < options.min) fail("faces", "at least {} triangles are needed, not {}", options.min, faces);
    HalfMesh mesh = extract_finely(body, options, wanted);
    relax(mesh, body, {}, 2);
    flip_edges(mesh, 4);
    decimate(mesh, body, sizes_by_curvature(mesh, body, options.size_range), wanted);
    if (mesh.triangles.size() != wanted) fail("faces", "{} triangles are too few for this body", faces);
    for (int round = 0; round < 3; ++round) {
        relax(mesh, body, {}, 1);
        flip_edges(mesh, 2);
    }
    return options.symmetric ? mirrored_body(mesh, body) : whole(std::move(mesh), body);
}

geometry::Mesh colored_mesh(const std::string& name, const BodyMesh& body,
                            const std::function<math::Vec4f(const Vec3d&)>& color) {
    geometry::Mesh mesh;
    mesh.name = name;
    for (std::size_t v = 0; v < body.positions.size(); ++v) {
        mesh.positions.push_back(body.positions[v].cast<float>());
        mesh.normals.push_back(body.normals[v].cast<float>());
        mesh.colors.push_back(color(body.positions[v]));
    }
    mesh.triangles = body.triangles;
    geometry::Material material;
    material.name = name;
    mesh.materials.push_back(material);
    mesh.parts.push_back({name, 0, static_cast<std::uint32_t>(mesh.triangles.size()), 0});
    return mesh;
}

}  // namespace sinew::sample
