// SPDX-License-Identifier: MIT
// Heat weights: each bone heats the skin that is visible from it, and the heat diffuses over the surface.

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/SparseCholesky>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/geometry/surface_queries.h"
#include "sinew/geometry/topology.h"
#include "sinew/rig/bind/bind_input.h"
#include "sinew/rig/bind/methods.h"

namespace sinew::rig {
namespace {

/// Which bones are visible from the skin through the inside of the mesh. Queries are thread-safe.
class InteriorVisibility {
  public:
    explicit InteriorVisibility(const BindInput& input);

    /// Whether the straight line from a point to the nearest position on a bone goes inwards and hits
    /// nothing. Both ends are moved off the surface: the point is on it, and a bone may be.
    bool reaches(std::size_t point, const BoneSegment& bone) const;

  private:
    const BindInput& input_;
    geometry::SurfaceQueries surface_;
    std::vector<math::Vec3f> normals_;
};

/// In diagonals of the mesh.
constexpr float clearance = 1e-4f;

std::vector<math::Vec3f> normals_of(const BindInput& input) {
    const geometry::Mesh mesh = mesh_of(input);
    return geometry::vertex_normals(mesh.positions, mesh.triangles);
}

InteriorVisibility::InteriorVisibility(const BindInput& input)
    : input_(input), surface_(mesh_of(input)), normals_(normals_of(input)) {}

bool InteriorVisibility::reaches(std::size_t point, const BoneSegment& bone) const {
    const Vec3d& position = input_.points[point];
    const Vec3d to = bone.start + nearest_fraction(bone, position) * (bone.end - bone.start);
    const math::Vec3f from = position.cast<float>(), along = (to - position).cast<float>();
    const float length = along.norm();
    if (length <= 2 * clearance) return true;
    if (along.dot(normals_[point]) > 1e-3f * length) return false;
    return surface_.sees(from + along * (clearance / length), from + along * (1 - clearance / length));
}

using Sparse = Eigen::SparseMatrix<double>;

/// The joints that heat a point, and their distance.
struct Source {
    double distance = 0;
    std::vector<int> joints;
};

/// The nearest joints that are visible from a point; may be empty.
Source source_of(const BindInput& input, const InteriorVisibility& visibility, std::size_t point) {
    constexpr double tie = 1e-4;  // of the distance: joints that differ by less share a vertex
    thread_local std::vector<double> distances;
    thread_local std::vector<std::size_t> order;
    joint_distances(input, input.points[point], distances);
    order.resize(distances.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [](std::size_t a, std::size_t b) { return distances[a] < distances[b]; });
    Source source;
    for (const std::size_t j : order) {
        if (!source.joints.empty() && distances[j] > source.distance * (1 + tie)) break;
        const NearBone near = nearest_bone(input, j, input.points[point]);
        if (!visibility.reaches(point, input.bones[near.bone])) continue;
        if (source.joints.empty()) source.distance = distances[j];
        source.joints.push_back(static_cast<int>(j));
    }
    return source;
}

/// Stiffness without weights below 0, and a third of the area of the triangles around each point.
struct Surface {
    std::vector<Eigen::Triplet<double>> stiffness;
    std::vector<double> areas;
};

Surface surface_of(const BindInput& input) {
    struct Side {
        std::uint32_t a, b;
        double weight;
    };
    Surface surface;
    surface.areas.assign(input.points.size(), 0);
    std::vector<Side> sides;
    for (const geometry::Triangle& t : input.triangles) {
        const Vec3d normal =
            (input.points[t[1]] - input.points[t[0]]).cross(input.points[t[2]] - input.points[t[0]]);
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t apex = t[i], a = t[(i + 1) % 3], b = t[(i + 2) % 3];
            surface.areas[apex] += normal.norm() / 6;
            const double half = geometry::cotangent(input.points[apex], input.points[a], input.points[b]) / 2;
            sides.push_back({std::min(a, b), std::max(a, b), half});
        }
    }
    std::stable_sort(sides.begin(), sides.end(),
                     [](const Side& x, const Side& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
    for (std::size_t i = 0; i < sides.size();) {
        const Side side = sides[i];
        double weight = 0;
        for (; i < sides.size() && sides[i].a == side.a && sides[i].b == side.b; ++i)
            weight += sides[i].weight;
        // A small value remains, so that no point loses all its neighbours.
        weight = std::max(weight, 1e-6);
        const int a = static_cast<int>(side.a), b = static_cast<int>(side.b);
        for (const auto& [row, column, value] :
             {std::tuple{a, a, weight}, {b, b, weight}, {std::max(a, b), std::min(a, b), -weight}})
            surface.stiffness.emplace_back(row, column, value);
    }
    return surface;
}

/// Which points are in a piece of the surface that some bone heats.
std::vector<char> warm_points(const BindInput& input, std::span<const Source> sources) {
    const geometry::Shells shells = geometry::shells_of(mesh_of(input));
    std::vector<char> warm_shell(shells.count, 0), warm(sources.size(), 0);
    for (std::size_t p = 0; p < sources.size(); ++p)
        if (!sources[p].joints.empty() && shells.of_vertex[p] != geometry::Shells::none)
            warm_shell[shells.of_vertex[p]] = 1;
    for (std::size_t p = 0; p < sources.size(); ++p)
        warm[p] = shells.of_vertex[p] != geometry::Shells::none && warm_shell[shells.of_vertex[p]] != 0;
    return warm;
}

/// The equations: matrix and, per point, the heat M H that the right sides share.
struct Equations {
    Sparse matrix;
    std::vector<double> heat;
};

Equations equations_of(const BindInput& input, std::span<const Source> sources) {
    Surface surface = surface_of(input);
    Equations equations;
    equations.heat.assign(sources.size(), 0);
    const std::vector<char> warm = warm_points(input, sources);
    for (std::size_t p = 0; p < sources.size(); ++p) {
        const double d = std::max(sources[p].distance, 1e-6);
        if (!sources[p].joints.empty()) equations.heat[p] = (surface.areas[p] + 1e-12) / (d * d);
        // A piece without heat has no solution; a diagonal of 1 separates its rows from the rest, with the
        // result 0.
        surface.stiffness.emplace_back(static_cast<int>(p), static_cast<int>(p),
                                       warm[p] != 0 ? equations.heat[p] : 1);
    }
    equations.matrix.resize(static_cast<int>(sources.size()), static_cast<int>(sources.size()));
    equations.matrix.setFromTriplets(surface.stiffness.begin(), surface.stiffness.end());
    return equations;
}

}  // namespace

WeightTable heat_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton, Monitor& monitor) {
    const BindInput input = bind_input(mesh, skeleton);
    const InteriorVisibility visibility(input);
    std::vector<Source> sources(input.points.size());
    parallel_for(sources.size(), 64, [&](std::size_t p) { sources[p] = source_of(input, visibility, p); });
    step(monitor, "weights", 0.3);
    const Equations equations = equations_of(input, sources);
    Eigen::SimplicialLDLT<Sparse> solver(equations.matrix);
    if (solver.info() != Eigen::Success) fail(mesh.name, "the heat equation has no solution on this mesh");
    step(monitor, "weights", 0.7);
    std::vector<Eigen::VectorXd> right(input.joints());
    for (std::size_t p = 0; p < sources.size(); ++p) {
        for (const int joint : sources[p].joints) {
            Eigen::VectorXd& side = right[at(joint)];
            if (side.size() == 0) side = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(sources.size()));
            side[static_cast<Eigen::Index>(p)] =
                equations.heat[p] / static_cast<double>(sources[p].joints.size());
        }
    }
    parallel_for(right.size(), 1, [&](std::size_t j) {
        if (right[j].size() > 0) right[j] = solver.solve(right[j]).eval();
    });
    step(monitor, "weights", 1);
    return table_by_point(input, [&](std::size_t p, std::vector<JointWeight>& row) {
        for (std::size_t j = 0; j < right.size(); ++j) {
            const double weight = right[j].size() > 0 ? right[j][static_cast<Eigen::Index>(p)] : 0;
            if (weight > 1e-12) row.push_back({static_cast<int>(j), weight});
        }
    });
}

}  // namespace sinew::rig
