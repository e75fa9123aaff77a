// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A curve skeleton as one tree, and paths through it as lines with a radius.

#include "sinew/rig/curve/curve_skeleton.h"

namespace sinew::rig {

/// A polyline with radii, by arc length.
class CurveLine {
  public:
    void push(const Vec3d& point, double radius);
    bool empty() const { return points_.empty(); }
    std::size_t size() const { return points_.size(); }
    double length() const { return points_.empty() ? 0 : arc_.back(); }
    Vec3d point(double s) const;
    double radius(double s) const;
    double arc(std::size_t i) const { return arc_[i]; }
    const Vec3d& operator[](std::size_t i) const { return points_[i]; }
    /// Arc length of the nearest position to a point.
    double nearest(const Vec3d& point) const;
    /// Angle by which the line bends at s, between the chords of length `window` before and behind it.
    double bend(double s, double window) const;
    double median_radius(double from, double to) const;

  private:
    std::size_t segment(double s) const;
    std::vector<Vec3d> points_;
    std::vector<double> radii_, arc_;
};

class CurveTree {
  public:
    /// Pieces are joined where they are nearest, if that is within `reach`; the longest piece with all pieces
    /// joined to it is the tree, and the other pieces are counted.
    CurveTree(const CurveSkeleton& curve, double reach);

    const std::vector<int>& tips() const {
        return tips_;
    }  ///< free ends, in increasing order, then blunt ends
    /// A blunt end has no branch of its own: the crown of a round head between two ears. It lies beyond a
    /// junction, on the straight extension of one of its branches, where there is no other branch.
    bool is_blunt(int n) const { return n >= sharp_; }
    /// The neighbour of its junction that a blunt end lies opposite to; -1 for other nodes.
    int continues(int n) const { return is_blunt(n) ? continues_[static_cast<std::size_t>(n - sharp_)] : -1; }
    int left_out() const { return left_out_; }  ///< pieces
    double distance(int a, int b) const { return line(a, b).length(); }
    std::vector<int> path(int a, int b) const;
    CurveLine line(int a, int b) const;
    CurveLine line(const std::vector<int>& path) const;
    /// The node where the paths between three nodes meet.
    int median(int a, int b, int c) const;
    const CurveNode& node(int n) const { return curve_.nodes[static_cast<std::size_t>(n)]; }
    bool empty() const { return tips_.empty(); }
    double total_length() const { return total_; }

  private:
    void join_pieces(double reach);
    void keep_largest();
    void add_blunt_ends();
    CurveSkeleton curve_;
    std::vector<std::vector<int>> around_;
    std::vector<int> piece_;
    std::vector<int> up_, depth_;  ///< rooted tree for paths
    std::vector<int> tips_;
    int kept_ = -1;               ///< number of the largest piece
    int sharp_ = 0;               ///< nodes of the curve; blunt ends follow
    std::vector<int> continues_;  ///< per blunt end
    int left_out_ = 0;
    double total_ = 0;
};

}  // namespace sinew::rig
