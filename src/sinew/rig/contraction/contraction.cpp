// SPDX-License-Identifier: MIT
#include "sinew/rig/contraction/contraction.h"

#include <algorithm>
#include <cmath>

#include <Eigen/SparseCholesky>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/geometry/surface_queries.h"
#include "sinew/geometry/topology.h"
#include "sinew/rig/contraction/collapse.h"
#include "sinew/rig/curve/curve_growth.h"
#include "sinew/rig/curve/voxel_skeleton.h"

namespace sinew::rig {

namespace {

std::vector<Vec3d> normals_of(const ContractionMesh& mesh) {
    std::vector<Vec3d> normals(mesh.vertex_slots(), Vec3d::Zero());
    for (const auto& face : mesh.faces()) {
        if (face[0] < 0) continue;
        const Vec3d& a = mesh.position[static_cast<std::size_t>(face[0])];
        const Vec3d& b = mesh.position[static_cast<std::size_t>(face[1])];
        const Vec3d& c = mesh.position[static_cast<std::size_t>(face[2])];
        for (const int v : face) normals[static_cast<std::size_t>(v)] += (b - a).cross(c - a);
    }
    for (Vec3d& normal : normals) normal.normalize();
    return normals;
}

geometry::SurfaceQueries queries_of(const ContractionMesh& mesh) {
    std::vector<geometry::Vec3f> positions;
    for (const Vec3d& p : mesh.position) positions.emplace_back(p.cast<float>());
    std::vector<geometry::Triangle> triangles;
    for (const auto& f : mesh.faces()) {
        if (f[0] < 0) continue;
        triangles.push_back({static_cast<std::uint32_t>(f[0]), static_cast<std::uint32_t>(f[1]),
                             static_cast<std::uint32_t>(f[2])});
    }
    return {positions, triangles};
}

/// Starts with the sphere between the point and the opposite wall, and shrinks it to the nearest surface
/// point until it is empty. A point at a small angle from the centre is a neighbour on the same wall; its
/// roughness must not count.
double sphere_radius(const geometry::SurfaceQueries& surface, const Vec3d& point, const Vec3d& inward) {
    const Vec3d start = point + 1e-4 * inward;
    const auto hit = surface.first_hit(start.cast<float>(), inward.cast<float>());
    if (!hit) return 0;
    double radius = static_cast<double>(hit->distance) / 2;
    for (int i = 0; i < 12; ++i) {
        const Vec3d center = point + radius * inward;
        const auto near = surface.nearest(center.cast<float>(), static_cast<float>(radius));
        if (!near || static_cast<double>(near->distance) > 0.99 * radius) break;
        const Vec3d wall = near->position.cast<double>();
        const double angle =
            std::acos(std::clamp((wall - center).normalized().dot((point - center).normalized()), -1.0, 1.0));
        if (angle < math::radians(60)) break;
        const Vec3d across = wall - point;
        const double along = across.dot(inward);
        if (!(along > 0)) break;
        radius = std::min(radius, across.squaredNorm() / (2 * along));
    }
    return radius;
}

}  // namespace

void find_poles(ContractionMesh& mesh) {
    const std::vector<Vec3d> normals = normals_of(mesh);
    const geometry::SurfaceQueries surface = queries_of(mesh);
    parallel_for(mesh.vertex_slots(), 64, [&](std::size_t v) {
        mesh.pole[v] = mesh.position[v];
        if (!mesh.has_vertex(static_cast<int>(v))) return;
        mesh.pole[v] -= sphere_radius(surface, mesh.position[v], -normals[v]) * normals[v];
    });
}

namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr double stay_weight = 0.1;  // w_H: how strongly vertices stay where they are
constexpr double pole_weight = 0.2;  // w_M: how strongly they are attracted to their medial sphere
constexpr double min_edge = 0.2;     // of the even edge length: shorter edges collapse
constexpr double flat_angle = 110;   // degrees: faces with a larger angle are split
constexpr double still_area = 1e-3;  // of the initial area: stops when it changes by less
constexpr int max_iterations = 200;
constexpr std::size_t even_vertices = 1500;  // of the surface before it shrinks

class Flow {
  public:
    explicit Flow(ContractionMesh& mesh) : mesh_(mesh) {
        const double even =
            std::sqrt(2 * mesh.area() / (std::sqrt(3.0) * static_cast<double>(mesh.vertex_count())));
        min_edge_ = min_edge * even;
    }

    /// One implicit step of the flow, then the surface is remeshed for the next.
    void iterate() {
        shrink();
        collapse_short();
        split_flat();
        fix_arrived();
    }

  private:
    /// (L + w_H + w_M) x = w_H x_now + w_M pole, with L the cotangent Laplacian: the implicit Euler step of
    /// the flow. Negative weights are left out, so that every vertex moves into the hull of its neighbours.
    void shrink() {
        number_vertices();
        const auto count = static_cast<Eigen::Index>(vertices_.size());
        std::vector<Eigen::Triplet<double>> entries;
        entries.reserve(8 * vertices_.size());
        Eigen::MatrixXd right(count, 3);
        std::vector<double> diagonal(vertices_.size());
        add_laplacian(entries, diagonal);
        for (std::size_t i = 0; i < vertices_.size(); ++i) {
            const auto v = static_cast<std::size_t>(vertices_[i]);
            const bool fixed = mesh_.is_fixed[v] != 0;
            const double stay = fixed ? 1e6 : stay_weight, pull = fixed ? 0 : pole_weight;
            right.row(static_cast<Eigen::Index>(i)) = stay * mesh_.position[v] + pull * mesh_.pole[v];
            entries.emplace_back(static_cast<int>(i), static_cast<int>(i), diagonal[i] + stay + pull);
        }
        Sparse matrix(count, count);
        matrix.setFromTriplets(entries.begin(), entries.end());
        const Eigen::SimplicialLDLT<Sparse, Eigen::Lower> solver(matrix);
        if (solver.info() != Eigen::Success) return;
        const Eigen::MatrixXd solution = solver.solve(right);
        for (std::size_t i = 0; i < vertices_.size(); ++i) {
            mesh_.position[static_cast<std::size_t>(vertices_[i])] =
                solution.row(static_cast<Eigen::Index>(i));
        }
    }

    void number_vertices() {
        vertices_.clear();
        number_.assign(mesh_.vertex_slots(), -1);
        for (std::size_t v = 0; v < mesh_.vertex_slots(); ++v) {
            if (!mesh_.has_vertex(static_cast<int>(v))) continue;
            number_[v] = static_cast<int>(vertices_.size());
            vertices_.push_back(static_cast<int>(v));
        }
    }

    /// Lower triangle only.
    void add_laplacian(std::vector<Eigen::Triplet<double>>& entries, std::vector<double>& diagonal) {
        std::vector<int> on;
        mesh_.for_each_edge([&](int a, int b) {
            mesh_.faces_on(a, b, on);
            double weight = 0;
            for (const int f : on)
                weight += geometry::cotangent(at(mesh_.opposite(f, a, b)), at(a), at(b)) / 2;
            weight = std::clamp(weight, 1e-4, 1e3);
            const int i = number_[static_cast<std::size_t>(a)], j = number_[static_cast<std::size_t>(b)];
            entries.emplace_back(std::max(i, j), std::min(i, j), -weight);
            diagonal[static_cast<std::size_t>(i)] += weight;
            diagonal[static_cast<std::size_t>(j)] += weight;
        });
    }

    void collapse_short() {
        for (bool again = true; again;) {
            again = false;
            int found = 0;
            mesh_.for_each_edge([&](int a, int b) {
                if (mesh_.length(a, b) >= min_edge_ || !mesh_.can_collapse(a, b)) return;
                // Converged vertices stay; of two poles, the one nearer to its vertex is more precise.
                const bool fixed_a = mesh_.is_fixed[static_cast<std::size_t>(a)] != 0;
                const bool fixed_b = mesh_.is_fixed[static_cast<std::size_t>(b)] != 0;
                const Vec3d point = fixed_a == fixed_b ? Vec3d((at(a) + at(b)) / 2) : fixed_a ? at(a) : at(b);
                const double far_a = (mesh_.pole[static_cast<std::size_t>(a)] - point).squaredNorm();
                const double far_b = (mesh_.pole[static_cast<std::size_t>(b)] - point).squaredNorm();
                mesh_.collapse(a, b, point);
                if (far_b < far_a)
                    mesh_.pole[static_cast<std::size_t>(a)] = mesh_.pole[static_cast<std::size_t>(b)];
                mesh_.is_fixed[static_cast<std::size_t>(a)] = fixed_a || fixed_b;
                ++found;
            });
            again = found > 20;
        }
    }

    /// Splits an edge that is opposite flat angles in both faces, at the foot of the first face's corner.
    void split_flat() {
        const double limit = std::cos(math::radians(flat_angle));
        std::vector<int> on;
        mesh_.for_each_edge([&](int a, int b) {
            const double length = mesh_.length(a, b);
            if (length < 2 * min_edge_) return;
            mesh_.faces_on(a, b, on);
            for (const int f : on) {
                const Vec3d& apex = at(mesh_.opposite(f, a, b));
                if ((at(a) - apex).normalized().dot((at(b) - apex).normalized()) > limit) return;
            }
            const Vec3d along = at(b) - at(a);
            const Vec3d& apex = at(mesh_.opposite(on[0], a, b));
            const double t = std::clamp((apex - at(a)).dot(along) / along.squaredNorm(), 0.2, 0.8);
            mesh_.split(a, b, at(a) + t * along);
        });
    }

    /// Where a tube has shrunk to a line, its edges can no longer collapse: two such edges fix a vertex.
    void fix_arrived() {
        std::vector<char> stuck(mesh_.vertex_slots());
        mesh_.for_each_edge([&](int a, int b) {
            if (mesh_.length(a, b) >= min_edge_ || mesh_.can_collapse(a, b)) return;
            ++stuck[static_cast<std::size_t>(a)];
            ++stuck[static_cast<std::size_t>(b)];
        });
        for (std::size_t v = 0; v < stuck.size(); ++v) {
            if (stuck[v] >= 2) mesh_.is_fixed[v] = 1;
        }
    }

    const Vec3d& at(int v) const { return mesh_.position[static_cast<std::size_t>(v)]; }

    ContractionMesh& mesh_;
    double min_edge_ = 0;
    std::vector<int> vertices_, number_;
};

}  // namespace

int contract(ContractionMesh& mesh, Monitor& monitor) {
    Flow flow(mesh);
    const double first = mesh.area();
    double last = first;
    int iteration = 0;
    while (iteration < max_iterations && first > 0) {
        flow.iterate();
        ++iteration;
        const double area = mesh.area();
        step(monitor, "contraction", 1 - area / std::max(first, area));
        if (std::abs(last - area) < still_area * first) break;
        last = area;
    }
    return iteration;
}

namespace {

using geometry::Mesh;

/// Why a mesh cannot be contracted itself, or an empty text.
std::string obstacle(const Mesh& mesh) {
    const geometry::Topology topology = geometry::topology(mesh);
    if (!topology.closed) return "the mesh has holes";
    if (!topology.manifold) return "the mesh is not manifold";
    if (!topology.oriented) return "the faces of the mesh are not oriented consistently";
    if (topology.components > 1) return fmt::format("the mesh has {} shells", topology.components);
    if (topology.degenerate_faces > 0) return "the mesh has faces without area";
    return {};
}

/// The welded surface, oriented outwards.
ContractionMesh contractible(const Mesh& mesh) {
    std::vector<Vec3d> positions;
    positions.reserve(mesh.positions.size());
    for (const auto& p : mesh.positions) positions.emplace_back(p.cast<double>());
    std::vector<ContractionMesh::Face> faces;
    for (const auto& t : geometry::welded(mesh.triangles, geometry::weld_map(mesh.positions))) {
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
        faces.push_back({static_cast<int>(t[0]), static_cast<int>(t[1]), static_cast<int>(t[2])});
    }
    if (geometry::signed_volume(mesh.positions, mesh.triangles) < 0) {
        for (auto& face : faces) std::swap(face[1], face[2]);
    }
    return {std::move(positions), std::move(faces)};
}

/// Contraction loses short limbs and creates branches that end at no limb: the tips of the body decide which
/// stay.
CurveSkeleton limbs_of(const CurveSkeleton& raw, const BodyField& field, const BodyGraph& graph) {
    const std::vector<BodyTip> tips = limb_tips(field, graph);
    // Contraction shortens limbs: the tips that they reach are more reliable than their length.
    CurveSkeleton curve = refine_curve(raw, field, {.spur = 1, .rounds = 2});
    std::vector<int> node_of_tip = nodes_of_tips(curve, field, graph, tips);
    curve = without_idle(curve, node_of_tip);
    curve = refine_curve(with_all_tips(curve, graph, tips, node_of_tip, path_centring), field,
                         RefineOptions::lenient());
    const std::vector<BodyTip> side = side_tips(curve, tips, field, graph);
    if (side.empty()) return curve;
    return refine_curve(with_side_tips(curve, graph, side, path_centring), field, RefineOptions::lenient());
}

}  // namespace

ContractibleSurface contractible_surface(const Mesh& mesh, const UnitBody& body, std::size_t vertices,
                                         Monitor& monitor) {
    const std::string why = obstacle(mesh);
    if (!why.empty())
        warn(monitor, "contracts-solid", "{}, so its voxelised volume was contracted instead", why);
    ContractibleSurface found{
        contractible(why.empty() ? body.mesh : geometry::surface_of(body.field.solid, false)), !why.empty()};
    if (found.surface.face_count() < 4) fail(mesh.name, "nothing is left to contract");
    remesh_evenly(found.surface, vertices);
    return found;
}

ContractionResult contraction_skeleton(const Mesh& mesh, const UnitBody& body, Monitor& monitor) {
    warn_of_dropped(body.field, monitor);
    auto [surface, from_solid] = contractible_surface(mesh, body, even_vertices, monitor);
    ContractionResult result;
    result.from_solid = from_solid;
    result.start_vertices = surface.vertex_count();
    find_poles(surface);
    result.iterations = contract(surface, monitor);
    result.curve = limbs_of(collapse_to_curve(surface), body.field, body.graph);
    finish_curve(result.curve, body.mesh, body.field, body.graph, monitor);
    to_world(result.curve, body.frame);
    return result;
}

ContractionResult contraction_skeleton(const Mesh& mesh, Monitor& monitor) {
    return contraction_skeleton(mesh, UnitBody(mesh, monitor), monitor);
}

}  // namespace sinew::rig
