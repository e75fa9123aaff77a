// SPDX-License-Identifier: MIT
#include "sinew/rig/bind/regions/dividing_points.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "sinew/math/types.h"

namespace sinew::rig {
std::vector<double> smooth_profile(std::span<const double> profile, double sigma) {
    std::vector<double> out(profile.begin(), profile.end());
    const auto n = static_cast<std::ptrdiff_t>(profile.size());
    const auto reach = static_cast<std::ptrdiff_t>(std::ceil(3 * sigma));
    if (!(sigma > 0) || n < 2) return out;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
        if (!std::isfinite(profile[static_cast<std::size_t>(i)])) continue;
        double sum = 0, weights = 0;
        for (std::ptrdiff_t k = -reach; k <= reach; ++k) {
            std::ptrdiff_t at = i + k;
            if (at < 0) at = -at - 1;
            if (at >= n) at = 2 * n - 1 - at;
            if (at < 0 || at >= n) continue;
            const double value = profile[static_cast<std::size_t>(at)];
            if (!std::isfinite(value)) continue;
            const double weight = std::exp(-0.5 * static_cast<double>(k * k) / (sigma * sigma));
            sum += weight * value;
            weights += weight;
        }
        out[static_cast<std::size_t>(i)] = sum / weights;
    }
    return out;
}

double second_derivative(std::span<const double> profile, std::size_t ray, const MinimumOptions& options) {
    const std::size_t stride =
        std::min({static_cast<std::size_t>(options.stride), ray, profile.size() - 1 - ray});
    if (stride == 0) return 0;
    const double width = static_cast<double>(stride) * options.step;
    const double value = (profile[ray - stride] - 2 * profile[ray] + profile[ray + stride]) / (width * width);
    return std::isfinite(value) ? value : 0;
}

int choose_minimum(std::span<const double> profile, std::span<const char> counts,
                   const MinimumOptions& options) {
    const double none = std::numeric_limits<double>::infinity();
    const auto value = [&](std::ptrdiff_t i) {
        if (i < 0 || i >= static_cast<std::ptrdiff_t>(profile.size())) return none;
        const auto at = static_cast<std::size_t>(i);
        return counts.empty() || counts[at] != 0 ? profile[at] : none;
    };
    const auto n = static_cast<std::ptrdiff_t>(profile.size());
    double min = none;
    for (std::ptrdiff_t i = 0; i < n; ++i) min = std::min(min, value(i));
    if (!std::isfinite(min)) return -1;
    const double middle = options.middle >= 0 ? options.middle : static_cast<double>(n - 1) / 2;
    int best = -1;
    double best_score = -none, best_off = none;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
        if (value(i) > options.near * min) continue;
        if (value(i - 1) < value(i) || value(i + 1) < value(i)) continue;
        const double score = second_derivative(profile, static_cast<std::size_t>(i), options);
        const double off = std::abs(static_cast<double>(i) - middle);
        const double margin = 1e-9 * std::max(std::abs(score), min);
        if (score > best_score + margin || (score >= best_score - margin && off < best_off)) {
            best = static_cast<int>(i);
            best_score = std::max(score, best_score);
            best_off = off;
        }
    }
    return best;
}

namespace {

using math::infinity;

/// The part of v perpendicular to the unit vector x.
Vec3d square_to(const Vec3d& x, const Vec3d& v) {
    return v - v.dot(x) * x;
}

Vec3d any_side(const Vec3d& x, const Vec3d& wish) {
    const Vec3d side = square_to(x, wish);
    return side.norm() > 1e-6 * wish.norm() ? Vec3d(side.normalized()) : Vec3d(x.unitOrthogonal());
}

/// Angle from -x to a direction about z, in [0, 2 pi).
double angle_from_parent(const Vec3d& x, const Vec3d& z, const Vec3d& direction) {
    const Vec3d y = z.cross(x);
    const double angle = std::atan2(-direction.dot(y), -direction.dot(x));
    return angle < 0 ? angle + 2 * math::pi : angle;
}

/// Angle from the bone to the parent around to the bone of a child; about z, `anticlockwise` or clockwise.
Sector towards(const Vec3d& x, const Vec3d& y, const Vec3d& link, bool on_y) {
    const Vec3d across = square_to(x, link);
    const double between = std::acos(std::clamp(-link.normalized().dot(x), -1.0, 1.0));
    if (across.norm() < 1e-3 * link.norm()) return {-x, on_y ? y : Vec3d(-y), math::pi};
    const bool same = (across.dot(y) > 0) == on_y;
    const Vec3d toward = same ? Vec3d(across.normalized()) : Vec3d(-across.normalized());
    return {-x, toward, same ? between : 2 * math::pi - between};
}

Vec3d mean_direction(const std::vector<Vec3d>& links) {
    Vec3d sum = Vec3d::Zero();
    for (const Vec3d& link : links) sum += link.normalized();
    return sum;
}

/// Half-way between the incoming bone and the outgoing ones; the direction of the outgoing ones where they
/// point backwards.
Vec3d axis_of(const Vec3d& incoming, const std::vector<Vec3d>& links) {
    const Vec3d out = mean_direction(links);
    if (out.norm() < 0.3) return incoming;
    const Vec3d sum = incoming + out.normalized();
    return sum.norm() > 0.5 ? Vec3d(sum.normalized()) : Vec3d(out.normalized());
}

void plan_single(SearchPlan& plan, const JointShape& shape, const Vec3d& link) {
    const Vec3d& x = shape.incoming;
    const Vec3d across = square_to(x, link);
    const Vec3d y = across.norm() > 1e-3 * link.norm() ? Vec3d(across.normalized()) : any_side(x, shape.side);
    const Vec3d z = x.cross(y);
    plan.sectors = {towards(x, y, link, true), Sector{-x, z, math::pi}, towards(x, y, link, false),
                    Sector{-x, -z, math::pi}};
}

/// Normal of the plane nearest to parent and children; nothing when they are in one line.
std::optional<Vec3d> fitted_normal(const JointShape& shape) {
    std::vector<Vec3d> points{-shape.parent_length * shape.incoming};
    points.insert(points.end(), shape.links.begin(), shape.links.end());
    Vec3d mean = Vec3d::Zero();
    for (const Vec3d& p : points) mean += p / static_cast<double>(points.size());
    math::Mat3d spread = math::Mat3d::Zero();
    for (const Vec3d& p : points) spread += (p - mean) * (p - mean).transpose();
    const Eigen::SelfAdjointEigenSolver<math::Mat3d> solver(spread);
    if (solver.eigenvalues()[1] < 1e-4 * solver.eigenvalues()[2]) return std::nullopt;
    return Vec3d(solver.eigenvectors().col(0));
}

bool plan_multi(SearchPlan& plan, const JointShape& shape) {
    const auto normal = fitted_normal(shape);
    if (!normal) return false;
    const Vec3d along = square_to(*normal, shape.incoming);
    if (along.norm() < 0.3) return false;
    const Vec3d x = along.normalized(), z = *normal, y = z.cross(x);
    const BorderChildren borders = border_children(x, z, shape.links);
    // Anticlockwise from the parent come first -y, then +y.
    plan.sectors = {towards(x, y, shape.links[borders.last], true), Sector{-x, z, math::pi},
                    towards(x, y, shape.links[borders.first], false), Sector{-x, -z, math::pi}};
    return true;
}

}  // namespace

BorderChildren border_children(const Vec3d& x, const Vec3d& z, std::span<const Vec3d> links) {
    BorderChildren out;
    for (std::size_t i = 0; i < links.size(); ++i) {
        const double angle = angle_from_parent(x, z, links[i]);
        if (i == 0 || angle < out.first_angle) {
            out.first = i;
            out.first_angle = angle;
        }
        if (i == 0 || angle > out.last_angle) {
            out.last = i;
            out.last_angle = angle;
        }
    }
    return out;
}

SearchPlan search_plan(const JointShape& shape) {
    SearchPlan plan;
    plan.at = shape.at;
    plan.leaf = shape.leaf;
    plan.axis = axis_of(shape.incoming, shape.links);
    plan.bones.push_back(-shape.incoming);
    for (const Vec3d& link : shape.links) plan.bones.push_back(link.normalized());
    if (shape.links.size() > 1 && plan_multi(plan, shape)) return plan;
    const auto longest = std::max_element(shape.links.begin(), shape.links.end(),
                                          [](auto& a, auto& b) { return a.squaredNorm() < b.squaredNorm(); });
    plan_single(plan, shape, longest == shape.links.end() ? shape.incoming : *longest);
    return plan;
}

Vec3d section_side(const RegionSurface& surface, const Vec3d& at, const Vec3d& x, const Vec3d& side) {
    constexpr int rays = 32;
    const Vec3d y = any_side(x, side), z = x.cross(y);
    Eigen::Matrix2d spread = Eigen::Matrix2d::Zero();
    int hits = 0;
    for (int i = 0; i < rays; ++i) {
        const double angle = 2 * math::pi * (i + 0.5) / rays;
        const Eigen::Vector2d direction(std::cos(angle), std::sin(angle));
        const auto out = exit_point(surface, at, direction.x() * y + direction.y() * z);
        if (!out) continue;
        spread += out->distance * out->distance * direction * direction.transpose();
        ++hits;
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver(spread);
    // The axes of a nearly round section change with noise.
    if (hits < rays || solver.eigenvalues()[1] < 1.2 * solver.eigenvalues()[0]) return y;
    const Eigen::Vector2d axis = solver.eigenvectors().col(0);
    return axis.x() * y + axis.y() * z;
}

namespace {

constexpr std::size_t rays_of_fan = 100;
constexpr double min_angle = 10;  // degrees: rays nearer to a bone than this are skipped
constexpr double max_lean = 80;   // degrees: maximum angle of a ray to the plane perpendicular to the axis
constexpr double leaf_lean = 60;  // the same at a leaf, where the tip would otherwise be nearest

bool takes_part(const SearchPlan& plan, const Vec3d& ray) {
    if (std::abs(ray.dot(plan.axis)) > std::sin(math::radians(plan.leaf ? leaf_lean : max_lean)))
        return false;
    const double nearest = std::cos(math::radians(min_angle));
    return std::none_of(plan.bones.begin(), plan.bones.end(),
                        [&](const Vec3d& bone) { return ray.dot(bone) > nearest; });
}

DividingPoint dividing_point(const RegionSurface& surface, const SearchPlan& plan, const Sector& sector) {
    constexpr std::size_t rays = rays_of_fan;
    DividingPoint point;
    point.from = plan.at;
    point.fan = sector;
    point.profile.assign(rays, infinity);
    std::vector<char> counts(rays, 0);
    std::vector<double> leaning(rays, 1);
    std::vector<std::optional<ExitPoint>> hits(rays);
    const double step = sector.sweep / static_cast<double>(rays + 1);
    double middle = 0, straightest = infinity;
    for (std::size_t i = 0; i < rays; ++i) {
        const Vec3d ray = ray_direction(sector, i, rays);
        if (const double lean = std::abs(ray.dot(plan.axis)); lean < straightest) {
            straightest = lean;
            middle = static_cast<double>(i);
        }
        const double upright = std::max(0.1, std::sqrt(std::max(0.0, 1 - std::pow(ray.dot(plan.axis), 2))));
        leaning[i] = std::pow(upright, -2.0);
        hits[i] = exit_point(surface, plan.at, ray);
        if (!hits[i]) continue;
        point.profile[i] = hits[i]->distance;
        counts[i] = takes_part(plan, ray) ? 1 : 0;
    }
    point.smoothed = smooth_profile(point.profile);
    MinimumOptions minimum;
    minimum.step = step;
    minimum.middle = middle;
    point.judged = point.smoothed;
    for (std::size_t i = 0; i < rays; ++i) point.judged[i] *= leaning[i];
    point.ray = choose_minimum(point.judged, counts, minimum);
    if (point.ray < 0) return point;
    const ExitPoint& hit = *hits[static_cast<std::size_t>(point.ray)];
    point.position = hit.position;
    point.triangle = hit.triangle;
    point.distance = hit.distance;
    return point;
}

}  // namespace

Vec3d ray_direction(const Sector& fan, std::size_t i, std::size_t rays) {
    const double angle = fan.sweep / static_cast<double>(rays + 1) * static_cast<double>(i + 1);
    return std::cos(angle) * fan.start + std::sin(angle) * fan.toward;
}

std::vector<DividingPoint> dividing_points(const RegionSurface& surface, const SearchPlan& plan) {
    std::vector<DividingPoint> points;
    for (const Sector& sector : plan.sectors) points.push_back(dividing_point(surface, plan, sector));
    const Vec3d u = plan.axis.unitOrthogonal(), v = plan.axis.cross(u);
    for (int extra = 0; extra < 4; ++extra) {
        std::vector<double> around;
        for (const DividingPoint& p : points) {
            const Vec3d ray = p.position - plan.at;
            if (p.ray >= 0) around.push_back(std::atan2(ray.dot(v), ray.dot(u)));
        }
        if (around.empty()) return points;
        std::sort(around.begin(), around.end());
        double widest = 0, middle = 0;
        for (std::size_t i = 0; i < around.size(); ++i) {
            const double next = i + 1 < around.size() ? around[i + 1] : around[0] + 2 * math::pi;
            if (next - around[i] <= widest) continue;
            widest = next - around[i];
            middle = (next + around[i]) / 2;
        }
        if (widest < math::radians(170)) return points;
        const Vec3d toward = std::cos(middle) * u + std::sin(middle) * v;
        points.push_back(dividing_point(surface, plan, {-plan.axis, toward, math::pi}));
        if (points.back().ray < 0) return points;
    }
    return points;
}

}  // namespace sinew::rig
