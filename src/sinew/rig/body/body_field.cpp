// SPDX-License-Identifier: MIT
#include "sinew/rig/body/body_field.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <queue>

#include <Eigen/Eigenvalues>

#include "sinew/base/error.h"
#include "sinew/rig/body/body_graph.h"

namespace sinew::rig {

namespace {

using geometry::VoxelSolid;

/// Connected parts over faces, edges and corners: 0 outside, then from 1 in the order of their first cell.
struct Parts {
    std::vector<std::uint32_t> of_cell;
    std::vector<std::size_t> size = {0};
};

Parts parts_of(const VoxelSolid& solid) {
    Parts parts;
    parts.of_cell.resize(solid.inside.size());
    const auto nx = static_cast<std::ptrdiff_t>(solid.lattice.points[0]);
    const auto nxy = nx * static_cast<std::ptrdiff_t>(solid.lattice.points[1]);
    std::array<std::ptrdiff_t, 27> offsets;
    for (std::ptrdiff_t d = 0; d < 27; ++d) {
        offsets[static_cast<std::size_t>(d)] = d % 3 - 1 + nx * (d / 3 % 3 - 1) + nxy * (d / 9 - 1);
    }
    std::vector<std::size_t> queue;
    for (std::size_t seed = 0; seed < solid.inside.size(); ++seed) {
        if (solid.inside[seed] == 0 || parts.of_cell[seed] != 0) continue;
        const auto label = static_cast<std::uint32_t>(parts.size.size());
        parts.size.push_back(0);
        parts.of_cell[seed] = label;
        queue.push_back(seed);
        while (!queue.empty()) {
            const std::size_t cell = queue.back();
            queue.pop_back();
            ++parts.size[label];
            for (const std::ptrdiff_t offset : offsets) {
                const auto next = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(cell) + offset);
                if (solid.inside[next] == 0 || parts.of_cell[next] != 0) continue;
                parts.of_cell[next] = label;
                queue.push_back(next);
            }
        }
    }
    return parts;
}

/// Fewer cells show no feature of a body: small fragments of generated meshes are not connected to it,
/// because they would resemble the ends of limbs.
constexpr std::size_t min_part_cells = 27;

void drop_specks(VoxelSolid& solid, Parts& parts) {
    if (*std::ranges::max_element(parts.size) < 100 * min_part_cells) return;
    for (std::size_t cell = 0; cell < solid.inside.size(); ++cell) {
        std::uint32_t& part = parts.of_cell[cell];
        if (part == 0 || parts.size[part] >= min_part_cells) continue;
        solid.inside[cell] = 0;
        part = 0;
    }
}

/// The outermost layer is emptied, so that no neighbour of a solid cell lies beyond the lattice.
void clear_border(VoxelSolid& solid) {
    const auto& n = solid.lattice.points;
    for (std::size_t k = 0; k < n[2]; ++k) {
        for (std::size_t j = 0; j < n[1]; ++j) {
            const bool face = k == 0 || j == 0 || k + 1 == n[2] || j + 1 == n[1];
            for (std::size_t i = 0; i < n[0]; i += face || n[0] < 2 ? 1 : n[0] - 1) {
                solid.inside[solid.lattice.index(i, j, k)] = 0;
            }
        }
    }
}

/// Connects the parts of a body where they are nearest (Kruskal's minimum spanning tree), if the gap is at
/// most `gap` wide. Only the space between two connected parts is filled: legs that are closer to each other
/// than to the hips stay separate.
class PartBridges {
  public:
    PartBridges(VoxelSolid& solid, const Parts& parts, double gap)
        : solid_(solid),
          label_(parts.of_cell),
          from_(parts.of_cell.size()),
          cost_(parts.of_cell.size(), far),
          max_cost_(static_cast<float>(gap / solid.cell())) {
        leader_.resize(parts.size.size());
        std::iota(leader_.begin(), leader_.end(), 0u);
        spread();
        std::ranges::stable_sort(meetings_, {}, &Meeting::length);
    }

    void fill() {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Meeting>> of_pair;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> tied;
        for (const Meeting& meeting : meetings_) {
            const auto parts = std::minmax(label_[meeting.a], label_[meeting.b]);
            std::vector<Meeting>& known = of_pair[parts];
            if (known.empty() && find(parts.first) != find(parts.second)) {
                leader_[find(parts.first)] = find(parts.second);
                tied.push_back(parts);
            }
            if (known.empty() || meeting.length <= known.front().length + slack) known.push_back(meeting);
        }
        for (const auto& parts : tied) tie(of_pair[parts]);
    }

  private:
    static constexpr float far = 1e9f,
                           slack = 2;           ///< cells by which a bridge may be longer than the shortest
    static constexpr double bridge_width = 10;  ///< cells
    struct Meeting {
        std::size_t a, b;
        float length;
    };

    Vec3d position(const Meeting& meeting) const {
        const auto& n = solid_.lattice.points;
        return Vec3d(static_cast<double>(meeting.a % n[0]), static_cast<double>(meeting.a / n[0] % n[1]),
                     static_cast<double>(meeting.a / (n[0] * n[1])));
    }

    /// Limbs hang down: an arm beside the trunk is connected to it at its upper end, not along its whole
    /// length.
    void tie(const std::vector<Meeting>& meetings) {
        Vec3d top = position(meetings.front());
        for (const Meeting& meeting : meetings)
            if (position(meeting).y() > top.y()) top = position(meeting);
        for (const Meeting& meeting : meetings) {
            if ((position(meeting) - top).norm() > bridge_width) continue;
            fill_back(meeting.a);
            fill_back(meeting.b);
        }
    }

    std::uint32_t find(std::uint32_t part) {
        while (leader_[part] != part) part = leader_[part] = leader_[leader_[part]];
        return part;
    }

    template <class Body>
    void for_each_step(std::size_t cell, const Body& body) const {
        const auto& n = solid_.lattice.points;
        const std::size_t i = cell % n[0], j = cell / n[0] % n[1], k = cell / (n[0] * n[1]);
        if (i < 2 || j < 2 || k < 2 || i + 2 >= n[0] || j + 2 >= n[1] || k + 2 >= n[2]) return;
        for (int d = 0; d < 27; ++d) {
            const int x = d % 3 - 1, y = d / 3 % 3 - 1, z = d / 9 - 1, steps = x * x + y * y + z * z;
            if (steps == 0) continue;
            const std::ptrdiff_t offset =
                x + static_cast<std::ptrdiff_t>(n[0]) * (y + static_cast<std::ptrdiff_t>(n[1]) * z);
            body(static_cast<std::size_t>(static_cast<std::ptrdiff_t>(cell) + offset),
                 std::sqrt(static_cast<float>(steps)));
        }
    }

    /// From all parts at once over empty cells, to half the gap; the cells where two parts meet are stored.
    void spread() {
        using Entry = std::pair<float, std::size_t>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
        for (std::size_t c = 0; c < label_.size(); ++c) {
            if (label_[c] == 0) continue;
            cost_[c] = 0;
            from_[c] = c;
            bool border = false;
            for_each_step(c, [&](std::size_t next, float) { border = border || label_[next] != label_[c]; });
            if (border) queue.emplace(0.0f, c);
        }
        while (!queue.empty()) {
            const auto [cost, cell] = queue.top();
            queue.pop();
            if (cost > cost_[cell]) continue;
            for_each_step(cell, [&](std::size_t next, float length) {
                if (label_[next] != 0 && label_[next] != label_[cell] &&
                    cost + cost_[next] + length <= max_cost_)
                    meetings_.push_back({cell, next, cost + cost_[next] + length});
                const float sum = cost + length;
                if (sum >= cost_[next] || sum > max_cost_ / 2 + 1) return;
                cost_[next] = sum;
                label_[next] = label_[cell];
                from_[next] = cell;
                queue.emplace(sum, next);
            });
        }
    }

    void fill_back(std::size_t cell) {
        for (; solid_.inside[cell] == 0; cell = from_[cell]) solid_.inside[cell] = 1;
    }

    VoxelSolid& solid_;
    std::vector<std::uint32_t> label_;
    std::vector<std::size_t> from_;
    std::vector<float> cost_;
    float max_cost_;
    std::vector<std::uint32_t> leader_;
    std::vector<Meeting> meetings_;
};

}  // namespace

double BodyField::depth_at(const Vec3d& point) const {
    const auto& lattice = solid.lattice;
    const Vec3d index = (point - lattice.origin) / cell();
    std::array<std::size_t, 3> low;
    Vec3d t;
    for (int a = 0; a < 3; ++a) {
        const auto i = static_cast<std::size_t>(a);
        const double at = std::clamp(index[a], 0.0, static_cast<double>(lattice.points[i] - 2));
        low[i] = static_cast<std::size_t>(at);
        t[a] = std::clamp(index[a] - static_cast<double>(low[i]), 0.0, 1.0);
    }
    const std::size_t nx = lattice.points[0], nxy = nx * lattice.points[1];
    const float* corner = &depth[lattice.index(low[0], low[1], low[2])];
    const auto line = [&](const float* c) { return c[0] + t.x() * static_cast<double>(c[1] - c[0]); };
    const auto mix = [](double a, double b, double s) { return a + s * (b - a); };
    const double front = mix(line(corner), line(corner + nx), t.y());
    const double back = mix(line(corner + nxy), line(corner + nxy + nx), t.y());
    return mix(front, back, t.z());
}

Vec3d BodyField::gradient_at(const Vec3d& point) const {
    Vec3d gradient;
    for (int a = 0; a < 3; ++a) {
        const Vec3d offset = Vec3d::Unit(a) * cell();
        gradient[a] = (depth_at(point + offset) - depth_at(point - offset)) / (2 * cell());
    }
    return gradient;
}

std::size_t BodyField::cell_at(const Vec3d& point) const {
    const Vec3d index = (point - solid.lattice.origin) / cell();
    std::array<std::size_t, 3> at;
    for (int a = 0; a < 3; ++a) {
        const auto i = static_cast<std::size_t>(a);
        const double last = static_cast<double>(solid.lattice.points[i] - 1);
        at[i] = static_cast<std::size_t>(std::clamp(std::floor(index[a] + 0.5), 0.0, last));
    }
    return solid.lattice.index(at[0], at[1], at[2]);
}

Vec3d BodyField::center(std::size_t cell) const {
    const auto& n = solid.lattice.points;
    return solid.lattice.origin + this->cell() * Vec3d(static_cast<double>(cell % n[0]),
                                                       static_cast<double>(cell / n[0] % n[1]),
                                                       static_cast<double>(cell / (n[0] * n[1])));
}

namespace {

/// Parts smaller than this fraction of the largest get no skeleton.
constexpr double min_part = 0.01;

/// A body that fills its box (a cube, a sphere) has many more cells than its skeleton needs, and takes many
/// times as long as a character: above this number, coarser cells are used. The fullest of 38 characters has
/// 228,000.
constexpr double max_cells = 250'000;

VoxelSolid solid_of(const geometry::Mesh& mesh, int resolution, Monitor& monitor) {
    VoxelSolid solid = geometry::voxel_solid(mesh, {.resolution = resolution}, monitor);
    const auto cells = static_cast<double>(std::count(solid.inside.begin(), solid.inside.end(), 1));
    if (cells <= max_cells) return solid;
    const double coarser = std::cbrt(max_cells / cells) * resolution;
    return geometry::voxel_solid(mesh, {.resolution = static_cast<int>(coarser)}, monitor);
}

BodyField field_of(const geometry::Mesh& mesh, const BodyOptions& options, Monitor& monitor) {
    BodyField field;
    const geometry::Box box = geometry::bounds(mesh.positions);
    field.diagonal = static_cast<double>(box.diagonal());
    field.solid = solid_of(mesh, options.resolution, monitor);
    Parts parts = parts_of(field.solid);
    if (parts.size.size() > 2 && options.closed_gap > 0) {
        drop_specks(field.solid, parts);
        PartBridges(field.solid, parts, options.closed_gap / 100 * field.diagonal).fill();
        clear_border(field.solid);
        parts = parts_of(field.solid);
    }
    const std::size_t largest = *std::max_element(parts.size.begin(), parts.size.end());
    std::vector<std::uint32_t> body(parts.size.size());
    for (std::size_t p = 1; p < body.size(); ++p) {
        const double share = static_cast<double>(parts.size[p]) / static_cast<double>(largest);
        if (share >= min_part) body[p] = static_cast<std::uint32_t>(++field.bodies);
    }
    field.dropped = body.size() - 1 - static_cast<std::size_t>(field.bodies);
    field.body = std::move(parts.of_cell);
    for (std::size_t c = 0; c < field.body.size(); ++c) {
        field.body[c] = body[field.body[c]];
        field.solid.inside[c] = field.body[c] != 0;
    }
    // Points of curves outside the body are moved back from nearby only.
    field.depth = geometry::signed_distance(field.solid, 16 * field.cell());
    for (float& depth : field.depth) depth = -depth;
    return field;
}

}  // namespace

void warn_of_dropped(const BodyField& field, Monitor& monitor) {
    if (field.dropped > 0)
        warn(monitor, "small-parts", "{} loose parts are too small for a skeleton of their own",
             field.dropped);
}

BodyField body_field(const geometry::Mesh& mesh, const BodyOptions& options, Monitor& monitor) {
    BodyField field = field_of(mesh, options, monitor);
    warn_of_dropped(field, monitor);
    return field;
}

UnitBody::UnitBody(const geometry::Mesh& of, Monitor& monitor)
    : frame(unit_frame(of)), mesh(in_unit(of, frame)), field(field_of(mesh, {}, monitor)), graph(field) {}

UnitFrame unit_frame(const geometry::Mesh& mesh) {
    geometry::validate(mesh, mesh.name);
    const geometry::Box box = geometry::bounds(mesh.positions);
    const auto size = static_cast<double>(box.diagonal());
    if (mesh.triangles.empty() || box.empty() || !(size > 0) || !std::isfinite(size)) {
        fail(mesh.name, "the mesh has no extent: there is no skeleton in it");
    }
    // Numbers near 1 for any unit of the mesh.
    const Vec3d middle = box.center().cast<double>();
    const auto at = [&](std::uint32_t v) {
        return Vec3d((mesh.positions[v].cast<double>() - middle) / size);
    };
    double area = 0;
    Vec3d first = Vec3d::Zero();
    math::Mat3d second = math::Mat3d::Zero();
    for (const auto& t : mesh.triangles) {
        const Vec3d a = at(t[0]), b = at(t[1]), c = at(t[2]);
        const double weight = (b - a).cross(c - a).norm() + 1e-12;
        const Vec3d centroid = (a + b + c) / 3;
        area += weight;
        first += weight * centroid;
        second += weight * centroid * centroid.transpose();
    }
    first /= area;
    UnitFrame frame;
    const Eigen::SelfAdjointEigenSolver<math::Mat3d> solver(second / area - first * first.transpose());
    frame.rotation = solver.eigenvectors();
    if (frame.rotation.determinant() < 0) frame.rotation.col(0) *= -1;
    double farthest = 0;
    for (const auto& t : mesh.triangles) {
        for (const std::uint32_t v : t) farthest = std::max(farthest, (at(v) - first).norm());
    }
    frame.center = middle + first * size;
    frame.scale = 1 / (2 * farthest * size);
    return frame;
}

geometry::Mesh in_unit(const geometry::Mesh& mesh, const UnitFrame& frame) {
    geometry::Mesh out;
    out.name = mesh.name;
    out.positions.reserve(mesh.positions.size());
    for (const auto& p : mesh.positions)
        out.positions.emplace_back(frame.to_unit(p.cast<double>()).cast<float>());
    out.triangles = mesh.triangles;
    return out;
}

void to_world(CurveSkeleton& curve, const UnitFrame& frame) {
    for (CurveNode& node : curve.nodes) {
        node.position = frame.to_world(node.position);
        node.radius /= frame.scale;
    }
}

}  // namespace sinew::rig
