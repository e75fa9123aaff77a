// SPDX-License-Identifier: MIT
#include "sinew/rig/body/body_axes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sinew/geometry/part_shape.h"
#include "sinew/rig/body/body_frame.h"

namespace sinew::rig {

namespace {

using math::Mat3d;
using math::Vec3f;

/// A plane near another: its normal is rotated by `angle` about the vertical, and upwards by `roll`.
struct NearPlane {
    double angle = 0, roll = 0, offset = 0;
};

/// A plane of symmetry, found exactly from the surface itself. A plane found from a lattice depends on the
/// orientation of the lattice.
class PlanePolish {
  public:
    PlanePolish(SurfaceOnDemand& surface, const MirrorPlane& start, const Vec3d& up)
        : mesh_(surface.mesh()),
          queries_(surface.queries()),
          start_(start),
          up_(up),
          front_(start.normal.cross(up)),
          size_(static_cast<double>(geometry::bounds(mesh_.positions).diagonal())) {
        sample(mesh_);
        near_.assign(points_.size(), none);
        for (const Vec3d& p : points_) center_ += p / static_cast<double>(points_.size());
    }

    /// Upright, unless the body is symmetric: then the roll is also known.
    MirrorPlane run() {
        const auto [rolled, miss] = search(math::radians(4));
        if (miss < max_mean_miss * size_ * counted * static_cast<double>(points_.size()))
            return plane(rolled);
        return plane(search(0).first);
    }

  private:
    static constexpr std::size_t samples = 300;
    static constexpr double counted = 0.8;          ///< share of the samples, the best ones
    static constexpr double max_miss = 0.08;        ///< of the size: larger distances count as this one
    static constexpr double max_mean_miss = 0.006;  ///< of the size: halves that differ less are equal

    std::pair<NearPlane, double> search(double max_roll) {
        constexpr std::array<std::array<int, 3>, 10> moves = {{{-1, -1, 0},
                                                               {-1, 0, 0},
                                                               {-1, 1, 0},
                                                               {0, -1, 0},
                                                               {0, 1, 0},
                                                               {1, -1, 0},
                                                               {1, 0, 0},
                                                               {1, 1, 0},
                                                               {0, 0, -1},
                                                               {0, 0, 1}}};
        constexpr double first = math::radians(2), last = math::radians(1e-4);
        NearPlane best;
        double least = miss(best);
        for (double reach = first; reach > last; reach /= 2) {
            for (bool moved = true; moved;) {
                moved = false;
                const NearPlane here = best;
                for (const auto& [i, k, roll] : moves) {
                    const NearPlane next{here.angle + i * reach, here.roll + roll * reach,
                                         here.offset + k * reach * size_ / 4};
                    if (std::abs(next.roll) > max_roll) continue;
                    const double value = miss(next);
                    if (!(value < least)) continue;
                    least = value;
                    best = next;
                    moved = true;
                }
            }
        }
        return {best, least};
    }

    /// Centres of triangles at equal steps of area: the same for any rotation of the mesh.
    void sample(const geometry::Mesh& mesh) {
        std::vector<double> until;
        double area = 0;
        for (const geometry::Triangle& t : mesh.triangles) {
            const Vec3f a = mesh.positions[t[0]], ab = mesh.positions[t[1]] - a,
                        ac = mesh.positions[t[2]] - a;
            area += static_cast<double>(ab.cross(ac).norm());
            until.push_back(area);
        }
        for (std::size_t i = 0; i < samples && area > 0; ++i) {
            const double wanted = area * (static_cast<double>(i) + 0.5) / samples;
            const auto at = static_cast<std::size_t>(std::ranges::lower_bound(until, wanted) - until.begin());
            const geometry::Triangle& t = mesh.triangles[std::min(at, until.size() - 1)];
            const Vec3f sum = mesh.positions[t[0]] + mesh.positions[t[1]] + mesh.positions[t[2]];
            points_.emplace_back(sum.cast<double>() / 3);
        }
    }

    MirrorPlane plane(const NearPlane& of) const {
        MirrorPlane plane;
        plane.normal =
            std::cos(of.roll) * (std::cos(of.angle) * start_.normal + std::sin(of.angle) * front_) +
            std::sin(of.roll) * up_;
        // Rotated about the middle of the samples, so that angle and offset are independent.
        plane.offset = plane.normal.dot(center_) - start_.side(center_) + of.offset;
        return plane;
    }

    /// Distance of the surface from the image of a sample. The triangle that was nearest to the previous
    /// image limits the search.
    std::optional<float> distance(std::size_t sample, const Vec3f& image, float most) {
        constexpr float rounding = 1.001f;
        std::uint32_t& last = near_[sample];
        std::optional<geometry::NearestPoint> near;
        if (last != none) {
            const geometry::Triangle& t = mesh_.triangles[last];
            const Vec3f there = geometry::nearest_on_triangle(image, mesh_.positions[t[0]],
                                                              mesh_.positions[t[1]], mesh_.positions[t[2]]);
            near = queries_.nearest(image, std::min(most, rounding * (there - image).norm()));
        }
        if (!near) near = queries_.nearest(image, most);
        if (!near) return std::nullopt;
        last = near->triangle;
        return near->distance;
    }

    double miss(const NearPlane& of) {
        const MirrorPlane mirror = plane(of);
        std::vector<double> misses;
        const double most = max_miss * size_;
        for (std::size_t i = 0; i < points_.size(); ++i) {
            const auto near = distance(i, mirror.reflect(points_[i]).cast<float>(), static_cast<float>(most));
            misses.push_back(near ? static_cast<double>(*near) : most);
        }
        const auto end =
            misses.begin() + static_cast<std::ptrdiff_t>(counted * static_cast<double>(misses.size()));
        std::nth_element(misses.begin(), end, misses.end());
        double sum = 0;
        for (auto value = misses.begin(); value != end; ++value) sum += *value;
        return sum;
    }

    static constexpr std::uint32_t none = 0xffffffff;
    const geometry::Mesh& mesh_;
    const geometry::SurfaceQueries& queries_;
    MirrorPlane start_;
    Vec3d up_, front_, center_ = Vec3d::Zero();
    double size_;
    std::vector<Vec3d> points_;
    std::vector<std::uint32_t>
        near_;  ///< per sample the triangle that was nearest to its last image, or none
};

/// Third moment of the area along a direction: positive when the thinner end lies there.
double skewness(const geometry::Mesh& mesh, const Vec3d& along) {
    double area = 0, mean = 0;
    std::vector<std::pair<double, double>> parts;  // along the direction, and area
    for (const geometry::Triangle& t : mesh.triangles) {
        const Vec3d a = mesh.positions[t[0]].cast<double>(), b = mesh.positions[t[1]].cast<double>(),
                    c = mesh.positions[t[2]].cast<double>();
        parts.emplace_back(along.dot(a + b + c) / 3, (b - a).cross(c - a).norm());
        area += parts.back().second;
        mean += parts.back().first * parts.back().second;
    }
    mean /= std::max(area, 1e-300);
    double sum = 0;
    for (const auto& [at, weight] : parts) sum += weight * std::pow(at - mean, 3);
    return sum;
}

}  // namespace

model::Similarity body_axes(const geometry::Mesh& mesh, const Vec3d& about_up) {
    SurfaceOnDemand surface(mesh);
    return body_axes(surface, about_up);
}

model::Similarity body_axes(SurfaceOnDemand& surface, const Vec3d& about_up) {
    const geometry::Mesh& mesh = surface.mesh();
    constexpr int coarse = 56;  // cells along the longest side are enough to begin with
    const BodyField field = body_field(mesh, {.resolution = coarse, .closed_gap = closed_gap});
    const MirrorPlane rough = symmetry_frames(field, BodyGraph(field), about_up, 1)[0].plane;
    Vec3d left = PlanePolish(surface, rough, about_up).run().normal;
    const Vec3d up = (about_up - about_up.dot(left) * left).normalized();
    if (skewness(mesh, left.cross(up)) < 0) left = -left;
    Mat3d rotation;
    rotation << left, up, left.cross(up);
    Vec3d low = Vec3d::Constant(1e300), high = -low;
    for (const Vec3f& p : mesh.positions) {
        const Vec3d at = rotation.transpose() * p.cast<double>();
        low = low.cwiseMin(at);
        high = high.cwiseMax(at);
    }
    return {(high - low).norm(), math::Quatd(rotation), rotation * (low + high) / 2};
}

geometry::Mesh in_axes(const geometry::Mesh& mesh, const model::Similarity& axes) {
    constexpr double step = 1.0 / (1 << 14);
    geometry::Mesh out = mesh;
    const model::Similarity to = inverse(axes);
    for (Vec3f& p : out.positions) {
        const Vec3d at = to * p.cast<double>() / step;
        p = (Vec3d(std::round(at.x()), std::round(at.y()), std::round(at.z())) * step).cast<float>();
    }
    for (Vec3f& n : out.normals) n = (to.rotation * n.cast<double>()).cast<float>();
    return out;
}

void apply(model::Skeleton& skeleton, const model::Similarity& axes) {
    model::Character character;
    character.skeleton = std::move(skeleton);
    model::apply(character, axes);
    skeleton = std::move(character.skeleton);
}

model::Similarity inverse(const model::Similarity& axes) {
    const math::Quatd back = axes.rotation.conjugate();
    return {1 / axes.scale, back, -(back * axes.translation) / axes.scale};
}

namespace {

/// Height of a point over the floor, when `up` is up.
double height_over(const std::vector<Vec3d>& hull, const Vec3d& point, const Vec3d& up) {
    double lowest = 1e300;
    for (const Vec3d& p : hull) lowest = std::min(lowest, up.dot(p));
    return up.dot(point) - lowest;
}

/// Whether a body returns after a small push: its centroid rises when it is tilted in any direction.
bool is_stable(const std::vector<Vec3d>& hull, const Vec3d& centroid, const Vec3d& up) {
    constexpr int directions = 16;
    constexpr double push = math::radians(5);
    const Vec3d side = up.unitOrthogonal(), front = up.cross(side);
    const double height = height_over(hull, centroid, up);
    for (int i = 0; i < directions; ++i) {
        const double a = 2 * std::numbers::pi * i / directions;
        const Vec3d pushed =
            std::cos(push) * up + std::sin(push) * (std::cos(a) * side + std::sin(a) * front);
        if (height_over(hull, centroid, pushed) < height) return false;
    }
    return true;
}

}  // namespace

std::optional<Vec3d> resting_up(const geometry::Mesh& mesh) {
    constexpr double most = math::radians(25);
    constexpr double same = math::radians(3);  // facets of one floor: soles are not exactly flat
    std::vector<Vec3d> points;
    for (const Vec3f& p : mesh.positions) points.emplace_back(p.cast<double>());
    const Vec3d centroid = geometry::sheet_moments(points, mesh.triangles).centroid;
    const geometry::Hull hull = geometry::convex_hull(points);
    std::vector<Vec3d> facets;  // upwards, as long as twice their area
    for (const geometry::Triangle& t : hull.triangles) {
        const Vec3d& a = hull.points[t[0]];
        const Vec3d normal = (hull.points[t[2]] - a).cross(hull.points[t[1]] - a);
        if (normal.y() > std::cos(most) * normal.norm()) facets.push_back(normal);
    }
    Vec3d widest = Vec3d::Zero();
    for (const Vec3d& facet : facets) {
        Vec3d floor = Vec3d::Zero();
        for (const Vec3d& other : facets)
            if (facet.dot(other) >= std::cos(same) * facet.norm() * other.norm()) floor += other;
        if (floor.norm() > widest.norm() && is_stable(hull.points, centroid, floor.normalized()))
            widest = floor;
    }
    return widest.isZero() ? std::nullopt : std::optional<Vec3d>(widest.normalized());
}

}  // namespace sinew::rig
