// SPDX-License-Identifier: MIT
#include "sinew/rig/templates/template_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/array.h"

namespace sinew::rig {

void CurveLine::push(const Vec3d& point, double radius) {
    arc_.push_back(points_.empty() ? 0 : arc_.back() + (point - points_.back()).norm());
    points_.push_back(point);
    radii_.push_back(radius);
}

std::size_t CurveLine::segment(double s) const {
    const auto above = std::upper_bound(arc_.begin() + 1, arc_.end() - 1, s);
    return static_cast<std::size_t>(above - arc_.begin()) - 1;
}

Vec3d CurveLine::point(double s) const {
    if (points_.size() < 2) return points_.empty() ? Vec3d(Vec3d::Zero()) : points_[0];
    const std::size_t i = segment(s);
    const double length = arc_[i + 1] - arc_[i];
    // Beyond the ends the line continues straight.
    return length > 0 ? Vec3d(points_[i] + (s - arc_[i]) / length * (points_[i + 1] - points_[i]))
                      : points_[i];
}

double CurveLine::radius(double s) const {
    if (points_.size() < 2) return points_.empty() ? 0 : radii_[0];
    const std::size_t i = segment(s);
    const double length = arc_[i + 1] - arc_[i];
    const double t = length > 0 ? std::clamp((s - arc_[i]) / length, 0.0, 1.0) : 0;
    return radii_[i] + t * (radii_[i + 1] - radii_[i]);
}

double CurveLine::nearest(const Vec3d& point) const {
    double best = std::numeric_limits<double>::infinity(), arc = 0;
    for (std::size_t i = 0; i + 1 < points_.size(); ++i) {
        const Vec3d along = points_[i + 1] - points_[i];
        const double square = along.squaredNorm();
        const double t = square > 0 ? std::clamp((point - points_[i]).dot(along) / square, 0.0, 1.0) : 0;
        const double distance = (points_[i] + t * along - point).squaredNorm();
        if (!(distance < best)) continue;
        best = distance;
        arc = arc_[i] + t * std::sqrt(square);
    }
    return arc;
}

double CurveLine::bend(double s, double window) const {
    const Vec3d before = point(s) - point(std::max(s - window, 0.0));
    const Vec3d behind = point(std::min(s + window, length())) - point(s);
    const double scale = before.norm() * behind.norm();
    return scale > 0 ? std::acos(std::clamp(before.dot(behind) / scale, -1.0, 1.0)) : 0;
}

double CurveLine::median_radius(double from, double to) const {
    std::vector<double> radii;
    for (int i = 0; i <= 16; ++i) radii.push_back(radius(from + (to - from) * i / 16));
    std::nth_element(radii.begin(), radii.begin() + 8, radii.end());
    return radii[8];
}

CurveTree::CurveTree(const CurveSkeleton& curve, double reach) : curve_(curve) {
    around_.resize(curve.nodes.size());
    for (const auto& [a, b] : curve.edges) {
        around_[at(a)].push_back(b);
        around_[at(b)].push_back(a);
    }
    join_pieces(reach);
    keep_largest();
    sharp_ = static_cast<int>(curve_.nodes.size());
    add_blunt_ends();
}

/// Kruskal's algorithm over the nearest pairs of nodes of different pieces; there are few pieces.
void CurveTree::join_pieces(double reach) {
    const std::size_t n = curve_.nodes.size();
    piece_.assign(n, -1);
    std::vector<std::vector<int>> members;
    for (std::size_t start = 0; start < n; ++start) {
        if (piece_[start] >= 0) continue;
        members.push_back({static_cast<int>(start)});
        piece_[start] = static_cast<int>(members.size()) - 1;
        for (std::size_t i = 0; i < members.back().size(); ++i) {
            for (const int next : around_[at(members.back()[i])]) {
                if (piece_[at(next)] >= 0) continue;
                piece_[at(next)] = piece_[start];
                members.back().push_back(next);
            }
        }
    }
    for (std::size_t round = 1; round < members.size(); ++round) {
        double best = reach;
        int from = -1, to = -1;
        for (std::size_t a = 0; a < n; ++a) {
            for (std::size_t b = a + 1; b < n; ++b) {
                if (piece_[a] == piece_[b]) continue;
                const CurveNode &x = curve_.nodes[a], &y = curve_.nodes[b];
                const double gap = (x.position - y.position).norm() - x.radius - y.radius;
                if (!(gap < best)) continue;
                best = gap;
                from = static_cast<int>(a);
                to = static_cast<int>(b);
            }
        }
        if (from < 0) break;
        around_[at(from)].push_back(to);
        around_[at(to)].push_back(from);
        const int gone = piece_[at(to)], stays = piece_[at(from)];
        for (int& p : piece_) p = p == gone ? stays : p;
    }
}

void CurveTree::keep_largest() {
    const std::size_t n = curve_.nodes.size();
    std::vector<double> length(n, 0);
    std::vector<char> present(n, 0);
    for (std::size_t a = 0; a < n; ++a) {
        present[at(piece_[a])] = 1;
        for (const int b : around_[a])
            length[at(piece_[a])] += (curve_.nodes[a].position - curve_.nodes[at(b)].position).norm() / 2;
    }
    if (n == 0) return;
    const int best = static_cast<int>(std::max_element(length.begin(), length.end()) - length.begin());
    kept_ = best;
    total_ = length[at(best)];
    left_out_ = static_cast<int>(std::count(present.begin(), present.end(), 1)) - 1;
    up_.assign(n, -1);
    depth_.assign(n, 0);
    std::vector<int> order;
    std::vector<char> seen(n, 0);
    for (std::size_t a = 0; a < n && order.empty(); ++a) {
        if (piece_[a] == best) order.push_back(static_cast<int>(a));
    }
    seen[at(order[0])] = 1;
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (const int next : around_[at(order[i])]) {
            if (seen[at(next)] != 0) continue;
            seen[at(next)] = 1;
            up_[at(next)] = order[i];
            depth_[at(next)] = depth_[at(order[i])] + 1;
            order.push_back(next);
        }
    }
    for (std::size_t a = 0; a < n; ++a) {
        if (piece_[a] == best && around_[a].size() == 1) tips_.push_back(static_cast<int>(a));
    }
}

namespace {

/// Direction to the point where a branch leaves the sphere around its junction.
Vec3d direction_of(const std::vector<CurveNode>& nodes, const std::vector<std::vector<int>>& around, int from,
                   int next) {
    const CurveNode& start = nodes[at(from)];
    int before = from;
    while (around[at(next)].size() == 2 &&
           (nodes[at(next)].position - start.position).norm() < start.radius) {
        const int on = around[at(next)][0] == before ? around[at(next)][1] : around[at(next)][0];
        before = next;
        next = on;
    }
    return (nodes[at(next)].position - start.position).normalized();
}

}  // namespace

void CurveTree::add_blunt_ends() {
    constexpr double least_angle = 50;  // degrees from every branch; with less, that branch ends there
    const double limit = std::cos(math::radians(least_angle));
    for (int n = 0; n < sharp_; ++n) {
        if (piece_[at(n)] != kept_ || around_[at(n)].size() < 3) continue;
        std::vector<Vec3d> branches;
        for (const int next : around_[at(n)])
            branches.push_back(direction_of(curve_.nodes, around_, n, next));
        for (std::size_t b = 0; b < branches.size(); ++b) {
            const Vec3d on = -branches[b];
            if (std::ranges::any_of(branches, [&](const Vec3d& other) { return other.dot(on) > limit; }))
                continue;
            // A sphere of half the radius, half-way out, also touches the surface.
            CurveNode end = curve_.nodes[at(n)];
            end.radius *= 0.5;
            end.position += end.radius * on;
            curve_.nodes.push_back(end);
            continues_.push_back(around_[at(n)][b]);
            up_.push_back(n);
            depth_.push_back(depth_[at(n)] + 1);
            tips_.push_back(static_cast<int>(curve_.nodes.size()) - 1);
        }
    }
}

std::vector<int> CurveTree::path(int a, int b) const {
    std::vector<int> front, back;
    while (a != b) {
        if (depth_[at(a)] >= depth_[at(b)]) {
            front.push_back(a);
            a = up_[at(a)];
        } else {
            back.push_back(b);
            b = up_[at(b)];
        }
    }
    front.push_back(a);
    front.insert(front.end(), back.rbegin(), back.rend());
    return front;
}

CurveLine CurveTree::line(const std::vector<int>& path) const {
    CurveLine line;
    for (const int n : path) line.push(node(n).position, node(n).radius);
    return line;
}

CurveLine CurveTree::line(int a, int b) const {
    return line(path(a, b));
}

int CurveTree::median(int a, int b, int c) const {
    const std::vector<int> ab = path(a, b), ac = path(a, c);
    std::size_t i = 0;
    while (i + 1 < ab.size() && i + 1 < ac.size() && ab[i + 1] == ac[i + 1]) ++i;
    return ab[i];
}

}  // namespace sinew::rig
