#include "sinew/motion/gaps.h"

#include <algorithm>

#include <Eigen/Eigenvalues>

#include "sinew/math/transform.h"
#include "sinew/motion/marker_set.h"

namespace sinew::motion {
namespace {

using math::Vec3d;
using model::Points;

Vec3d place(const Points& points, std::size_t frame, std::size_t marker) {
    return points.at(frame, marker).cast<double>();
}

void put(Points& points, std::size_t frame, std::size_t marker, const Vec3d& position) {
    points.positions[frame * points.count() + marker] = position.cast<float>();
    points.residuals[frame * points.count() + marker] = 0;
}

struct Knot {
    double time;
    Vec3d value;
};

/// Second derivatives of the natural cubic spline through the knots (tridiagonal system, Thomas' method).
std::vector<Vec3d> spline_bends(const std::vector<Knot>& knots) {
    const std::size_t n = knots.size();
    std::vector<Vec3d> bend(n, Vec3d::Zero()), right(n, Vec3d::Zero());
    std::vector<double> upper(n, 0);
    for (std::size_t i = 1; i + 1 < n; ++i) {
        const double before = knots[i].time - knots[i - 1].time, after = knots[i + 1].time - knots[i].time;
        const Vec3d slope_change =
            (knots[i + 1].value - knots[i].value) / after - (knots[i].value - knots[i - 1].value) / before;
        const double diagonal = 2 * (before + after) - before * upper[i - 1];
        upper[i] = after / diagonal;
        right[i] = (6 * slope_change - before * right[i - 1]) / diagonal;
    }
    for (std::size_t i = n - 1; i-- > 1;) bend[i] = right[i] - upper[i] * bend[i + 1];
    return bend;
}

/// The samples nearest to a gap, at most `each` on either side.
std::vector<Knot> knots_around(const Points& points, const Gap& gap, std::size_t each) {
    std::vector<Knot> knots;
    for (std::size_t f = gap.first; f-- > 0 && knots.size() < each;) {
        if (!points.valid(f, gap.marker)) break;
        knots.push_back({static_cast<double>(f), place(points, f, gap.marker)});
    }
    std::reverse(knots.begin(), knots.end());
    const std::size_t before = knots.size(), end = gap.first + gap.count;
    for (std::size_t f = end; f < points.frames() && knots.size() < before + each; ++f) {
        if (!points.valid(f, gap.marker)) break;
        knots.push_back({static_cast<double>(f), place(points, f, gap.marker)});
    }
    return knots;
}

void fill_by_spline(Points& points, const Gap& gap) {
    const std::vector<Knot> knots = knots_around(points, gap, 4);
    const std::vector<Vec3d> bend = spline_bends(knots);
    std::size_t k = 0;
    while (knots[k + 1].time < static_cast<double>(gap.first)) ++k;
    const double h = knots[k + 1].time - knots[k].time;
    for (std::size_t f = gap.first; f < gap.first + gap.count; ++f) {
        const double b = (static_cast<double>(f) - knots[k].time) / h, a = 1 - b;
        const Vec3d curve = (a * a * a - a) * bend[k] + (b * b * b - b) * bend[k + 1];
        put(points, f, gap.marker, a * knots[k].value + b * knots[k + 1].value + h * h / 6 * curve);
    }
}

/// The rigid motion that takes the others from one frame to another (Kabsch 1976); false when fewer than
/// three are seen in both, or they lie on a line.
bool motion_between(const Points& points, const std::vector<std::size_t>& others, std::size_t from,
                    std::size_t to, math::Rigidd& motion) {
    std::vector<Vec3d> a, b;
    for (const std::size_t m : others) {
        if (!points.valid(from, m) || !points.valid(to, m)) continue;
        a.push_back(place(points, from, m));
        b.push_back(place(points, to, m));
    }
    if (a.size() < 3) return false;
    Vec3d mean_a = Vec3d::Zero(), mean_b = Vec3d::Zero();
    for (std::size_t i = 0; i < a.size(); ++i) {
        mean_a += a[i] / static_cast<double>(a.size());
        mean_b += b[i] / static_cast<double>(a.size());
    }
    math::Mat3d covariance = math::Mat3d::Zero(), spread = math::Mat3d::Zero();
    for (std::size_t i = 0; i < a.size(); ++i) {
        covariance += (b[i] - mean_b) * (a[i] - mean_a).transpose();
        spread += (a[i] - mean_a) * (a[i] - mean_a).transpose();
    }
    const Vec3d sizes = spread.selfadjointView<Eigen::Lower>().eigenvalues();
    if (sizes[1] < 1e-4 * sizes[2]) return false;
    motion.rotation = math::from_matrix<double>(math::nearest_rotation(covariance));
    motion.translation = mean_b - motion.rotation * mean_a;
    return true;
}

/// Fills nothing unless it can fill all.
bool fill_by_segment(Points& points, const Gap& gap, const std::vector<std::vector<std::size_t>>& bodies) {
    std::vector<std::size_t> others;
    for (const auto& body : bodies) {
        if (std::find(body.begin(), body.end(), gap.marker) == body.end()) continue;
        for (const std::size_t m : body) {
            if (m != gap.marker) others.push_back(m);
        }
    }
    const std::size_t before = gap.first - 1, after = gap.first + gap.count;
    std::vector<Vec3d> filled;
    for (std::size_t f = gap.first; f < after; ++f) {
        math::Rigidd forward, backward;
        if (!motion_between(points, others, before, f, forward) ||
            !motion_between(points, others, after, f, backward)) {
            return false;
        }
        const double t = static_cast<double>(f - before) / static_cast<double>(after - before);
        filled.push_back((1 - t) * (forward * place(points, before, gap.marker)) +
                         t * (backward * place(points, after, gap.marker)));
    }
    for (std::size_t i = 0; i < filled.size(); ++i) put(points, gap.first + i, gap.marker, filled[i]);
    return true;
}

}  // namespace

std::vector<Gap> find_gaps(const Points& points) {
    std::vector<Gap> gaps;
    for (std::size_t m = 0; m < points.count(); ++m) {
        bool inside = false;
        for (std::size_t f = 0; f < points.frames(); ++f) {
            const bool missing = !points.valid(f, m);
            if (missing && !inside) gaps.push_back({m, f, 0});
            if (missing) ++gaps.back().count;
            inside = missing;
        }
    }
    return gaps;
}

GapReport fill_gaps(model::Trial& trial, const GapOptions& options) {
    Points& points = trial.markers;
    const auto bodies = options.bodies.empty() ? rigid_bodies(map_markers(points)) : options.bodies;
    GapReport report;
    std::vector<Gap> longer;
    for (const Gap& gap : find_gaps(points)) {
        const bool inner = gap.first > 0 && gap.first + gap.count < points.frames();
        if (inner && gap.count <= options.longest_spline) {
            fill_by_spline(points, gap);
            report.spline += gap.count;
        } else {
            longer.push_back(gap);
        }
    }
    for (const Gap& gap : longer) {
        const bool inner = gap.first > 0 && gap.first + gap.count < points.frames();
        if (inner && gap.count <= options.longest_rigid && fill_by_segment(points, gap, bodies)) {
            report.rigid += gap.count;
        } else {
            report.left.push_back(gap);
        }
    }
    return report;
}

}  // namespace sinew::motion
