// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include <libqhull_r/qhull_ra.h>

#include "sinew/base/error.h"
#include "sinew/base/system.h"
#include "sinew/geometry/part_shape.h"

namespace sinew::geometry {
namespace {

/// One run of Qhull and the memory that it holds.
class Qhull {
  public:
    Qhull() : messages_(open_null_file()) { qh_zero(&state_, messages_); }
    Qhull(const Qhull&) = delete;
    Qhull& operator=(const Qhull&) = delete;
    ~Qhull() {
        qh_freeqhull(&state_, qh_ALL);
        int current = 0, total = 0;
        qh_memfreeshort(&state_, &current, &total);
        if (messages_ != nullptr) std::fclose(messages_);
    }

    /// False when the points have no volume.
    bool run(std::vector<double>& coordinates) {
        char options[] = "qhull Qt Pp";
        const auto count = static_cast<int>(coordinates.size() / 3);
        return qh_new_qhull(&state_, 3, count, coordinates.data(), False, options, nullptr, messages_) == 0;
    }

    std::vector<Triangle> triangles() {
        std::vector<Triangle> result;
        for (facetT* facet = state_.facet_list; facet != nullptr && facet->next != nullptr;
             facet = facet->next) {
            Triangle triangle{};
            std::size_t corners = 0;
            for (void** at = &facet->vertices->e[0].p; *at != nullptr && corners < 3; ++at)
                triangle[corners++] =
                    static_cast<std::uint32_t>(qh_pointid(&state_, static_cast<vertexT*>(*at)->point));
            if (corners < 3) continue;
            if (facet->toporient != 0) std::swap(triangle[1], triangle[2]);
            result.push_back(triangle);
        }
        return result;
    }

  private:
    std::FILE* messages_;  ///< receives Qhull's messages about flat input, which are not shown
    qhT state_{};
};

/// Rotates each triangle so that its lowest corner is first, and sorts the triangles: the order does not
/// depend on Qhull.
void put_in_order(std::vector<Triangle>& triangles) {
    for (Triangle& t : triangles) std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    std::sort(triangles.begin(), triangles.end());
}

double volume6(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles) {
    double sum = 0;
    for (const auto& [a, b, c] : triangles)
        sum += (points[a] - points[0]).dot((points[b] - points[0]).cross(points[c] - points[0]));
    return sum;
}

/// Drops the points that no triangle uses.
Hull compact(const std::vector<Vec3d>& points, std::vector<Triangle> triangles) {
    constexpr std::uint32_t none = 0xffffffff;
    std::vector<std::uint32_t> new_index(points.size(), none);
    for (const Triangle& t : triangles)
        for (const std::uint32_t v : t) new_index[v] = 0;
    Hull hull;
    for (std::size_t v = 0; v < points.size(); ++v) {
        if (new_index[v] == none) continue;
        new_index[v] = static_cast<std::uint32_t>(hull.points.size());
        hull.points.push_back(points[v]);
    }
    for (Triangle& t : triangles)
        for (std::uint32_t& v : t) v = new_index[v];
    hull.triangles = std::move(triangles);
    put_in_order(hull.triangles);
    return hull;
}

}  // namespace

Hull convex_hull(const std::vector<Vec3d>& points) {
    if (points.size() < 4) return {};
    std::vector<double> coordinates;
    coordinates.reserve(3 * points.size());
    Vec3d low = points[0], high = points[0];
    for (const Vec3d& p : points) {
        if (!p.allFinite()) fail("", "a convex hull needs finite points");
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    // Relative to the centre, so that a distant origin costs no accuracy.
    const Vec3d middle = (low + high) / 2;
    for (const Vec3d& p : points)
        for (int i = 0; i < 3; ++i) coordinates.push_back(p[i] - middle[i]);
    Qhull qhull;
    if (!qhull.run(coordinates)) return {};
    std::vector<Triangle> triangles = qhull.triangles();
    if (volume6(points, triangles) < 0)
        for (Triangle& t : triangles) std::swap(t[1], t[2]);
    return compact(points, std::move(triangles));
}

SheetMoments sheet_moments(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles) {
    SheetMoments moments;
    if (points.empty()) return moments;
    const Vec3d origin = points[0];
    math::Mat3d second = math::Mat3d::Zero();
    for (const auto& [a, b, c] : triangles) {
        const Vec3d p = points[a] - origin, q = points[b] - origin, r = points[c] - origin;
        const Vec3d m = (p + q + r) / 3;
        const double area = (q - p).cross(r - p).norm() / 2;
        moments.area += area;
        moments.centroid += area * m;
        second +=
            area / 12 * (9 * m * m.transpose() + p * p.transpose() + q * q.transpose() + r * r.transpose());
    }
    if (moments.area <= 0) return {0, origin, math::Mat3d::Zero()};
    moments.centroid /= moments.area;
    moments.covariance = second / moments.area - moments.centroid * moments.centroid.transpose();
    moments.centroid += origin;
    return moments;
}

OrientedBox box_around(const std::vector<math::Vec3d>& points, const math::Mat3d& axes) {
    OrientedBox box;
    box.axes = axes;
    if (points.empty()) return box;
    math::Vec3d low = math::Vec3d::Constant(std::numeric_limits<double>::infinity()), high = -low;
    for (const math::Vec3d& point : points) {
        const math::Vec3d along = axes.transpose() * point;
        low = low.cwiseMin(along);
        high = high.cwiseMax(along);
    }
    box.half = (high - low) / 2;
    box.centre = axes * ((low + high) / 2);
    return box;
}

using math::Mat3d;
using math::Vec3d;

bool overlap(const OrientedBox& a, const OrientedBox& b) {
    // All in the frame of a: the columns of `turn` are the axes of b.
    const Mat3d relative = a.axes.transpose() * b.axes;
    const Vec3d apart = a.axes.transpose() * (b.centre - a.centre);
    const Mat3d size = relative.cwiseAbs();
    const auto separates = [&](const Vec3d& axis) {
        const double reach_a = axis.cwiseAbs().dot(a.half);
        const double reach_b = (relative.transpose() * axis).cwiseAbs().dot(b.half);
        return std::abs(axis.dot(apart)) > reach_a + reach_b;
    };
    for (int i = 0; i < 3; ++i) {
        if (std::abs(apart[i]) > a.half[i] + size.row(i).dot(b.half)) return false;
        if (separates(relative.col(i))) return false;
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const Vec3d axis = Vec3d::Unit(i).cross(relative.col(j));
            if (axis.squaredNorm() < 1e-12) continue;  // parallel: the face axes cover this case
            if (separates(axis)) return false;
        }
    }
    return true;
}

}  // namespace sinew::geometry
