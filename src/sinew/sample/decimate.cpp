#include "sinew/sample/decimate.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/base/array.h"
#include "sinew/geometry/topology.h"

namespace sinew::sample {
namespace {

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

    /// Removes up to `excess` triangles; how many went.
    std::size_t run(std::size_t excess) {
        const std::vector<std::size_t> order = shortest_first();
        // A part of the edges only, so that the next pass sees lengths that have been evened out.
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
        Vec3d place = seam_a == seam_b ? middle : mesh_.positions[keep];
        if (seam_a && seam_b) place.x() = 0;
        if (folds(a, b, place) || folds(b, a, place) || bridges_seam(keep, drop)) return false;
        for (const std::uint32_t v : {a, b}) {
            touched_[v] = 1;
            for (const std::uint32_t n : neighbors_[v]) touched_[n] = 1;
        }
        mesh_.positions[keep] = place;
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

    /// True when a triangle at `moved` that does not vanish with `other` would turn over.
    bool folds(std::uint32_t moved, std::uint32_t other, const Vec3d& place) const {
        for (const std::uint32_t t : fans_[moved]) {
            std::array<Vec3d, 3> before, after;
            bool vanishes = false;
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t v = mesh_.triangles[t][k];
                vanishes = vanishes || v == other;
                before[k] = mesh_.positions[v];
                after[k] = v == moved ? place : before[k];
            }
            if (vanishes) continue;
            const Vec3d n = (before[1] - before[0]).cross(before[2] - before[0]),
                        m = (after[1] - after[0]).cross(after[2] - after[0]);
            if (n.dot(m) < 0.5 * n.norm() * m.norm()) return true;
        }
        return false;
    }

    void compact() {
        std::vector<std::uint32_t> place(kept_.size());
        std::uint32_t next = 0;
        for (std::uint32_t v = 0; v < kept_.size(); ++v) {
            if (kept_[v] != v) continue;
            place[v] = next;
            mesh_.positions[next] = mesh_.positions[v];
            sizes_[next++] = sizes_[v];
        }
        mesh_.positions.resize(next);
        sizes_.resize(next);
        mesh_.row.assign(next, -1);
        std::vector<Triangle> triangles;
        for (const Triangle& t : mesh_.triangles) {
            const Triangle u{place[kept_[t[0]]], place[kept_[t[1]]], place[kept_[t[2]]]};
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

}  // namespace

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

void decimate(HalfMesh& mesh, const ImplicitBody& body, std::vector<double> sizes, std::size_t target) {
    while (mesh.triangles.size() > target) {
        if (CollapsePass(mesh, body, sizes).run(mesh.triangles.size() - target) == 0) break;
        flip_edges(mesh, 2);
        relax(mesh, body, {}, 1);
    }
}

}  // namespace sinew::sample
