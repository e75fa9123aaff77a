// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sinew/rig/parts/part_piece.h"

namespace sinew::rig {
namespace {

constexpr double equal = 1e-12;  // scores closer than this are ties

/// A division of a run, with the values that its parents need.
struct Division {
    std::vector<OpeningGroup> groups;
    double score = 0;
    double moved = 0;  ///< sum of V over the run
};

bool better(const Division& a, const Division& b) {
    if (std::abs(a.score - b.score) > equal) return a.score < b.score;
    if (a.groups.size() != b.groups.size()) return a.groups.size() < b.groups.size();
    return a.moved < b.moved - equal;
}

class Program {
  public:
    Program(std::span<const OpeningFoot> feet, const std::vector<char>& may_split)
        : feet_(feet), may_split_(may_split) {
        whole_ = (feet.back().foot - feet.front().foot).norm();
    }

    Division run() {
        const std::size_t n = feet_.size();
        table_.resize(n * n);
        for (std::size_t length = 1; length <= n; ++length)
            for (std::size_t i = 0; i + length <= n; ++i) at(i, i + length - 1) = best(i, i + length - 1);
        return at(0, n - 1);
    }

  private:
    Division& at(std::size_t i, std::size_t j) { return table_[i * feet_.size() + j]; }

    Division best(std::size_t i, std::size_t j) {
        Division result = one_group(i, j);
        for (std::size_t k = i; k < j; ++k) {
            if (!may_split_[k]) continue;
            Division split = joined(at(i, k), at(k + 1, j), k);
            if (better(split, result)) result = std::move(split);
        }
        return result;
    }

    /// F1: the mean V, and the part of the whole length, with one link for all.
    Division one_group(std::size_t i, std::size_t j) const {
        Division result;
        Vec3d link = Vec3d::Zero();
        for (std::size_t l = i; l <= j; ++l) link += feet_[l].foot;
        link /= static_cast<double>(j - i + 1);
        for (std::size_t l = i; l <= j; ++l) result.moved += moved_part(feet_, l, link);
        result.groups = {{static_cast<int>(i), static_cast<int>(j), link}};
        result.score = (result.moved / static_cast<double>(j - i + 1) +
                        (feet_[i].foot - feet_[j].foot).norm() / whole_) /
                       2;
        return result;
    }

    /// F2: every V with the link of its own group, the mean over all members of each side.
    Division joined(const Division& x, const Division& y, std::size_t k) const {
        const auto members = [](const Division& d) {
            return static_cast<double>(d.groups.back().last - d.groups.front().first + 1);
        };
        Division result;
        result.groups = x.groups;
        result.groups.insert(result.groups.end(), y.groups.begin(), y.groups.end());
        result.moved = x.moved + y.moved;
        const double gap = (feet_[k].foot - feet_[k + 1].foot).norm() / whole_;
        result.score = (x.moved / members(x) + y.moved / members(y) + 1 - gap) / 3;
        return result;
    }

    std::span<const OpeningFoot> feet_;
    const std::vector<char>& may_split_;
    double whole_ = 0;
    std::vector<Division> table_;
};

/// Whether the run may be divided behind each opening: not inside a cluster of near feet.
std::vector<char> splits(std::span<const OpeningFoot> feet, double nearer) {
    std::vector<char> may(feet.size(), 1);
    std::size_t start = 0;
    for (std::size_t i = 0; i + 1 < feet.size(); ++i) {
        const bool near = (feet[i + 1].foot - feet[start].foot).norm() < nearer;
        may[i] = near ? 0 : 1;
        if (!near) start = i + 1;
    }
    return may;
}

/// The division of the reversed run, in the original order.
Division turned_round(Division d, int count) {
    std::reverse(d.groups.begin(), d.groups.end());
    for (OpeningGroup& g : d.groups) {
        const int first = count - 1 - g.last;
        g.last = count - 1 - g.first;
        g.first = first;
    }
    return d;
}

Vec3d mean_foot(std::span<const OpeningFoot> feet) {
    Vec3d sum = Vec3d::Zero();
    for (const OpeningFoot& f : feet) sum += f.foot;
    return sum / static_cast<double>(feet.size());
}

}  // namespace

double moved_part(std::span<const OpeningFoot> feet, std::size_t opening, const Vec3d& link) {
    const Vec3d& from = feet[opening].opening;
    const double min = (from - feet[opening].foot).norm();
    double max = min;
    for (const OpeningFoot& f : feet) max = std::max(max, (from - f.foot).norm());
    const double range = max - min;
    if (range <= 1e-12 * max) return 0;
    return ((from - link).norm() - min) / range;
}

Grouping group_openings(std::span<const OpeningFoot> feet, double axis_length) {
    constexpr double merge = 0.02;  // of the axis
    if (feet.empty()) return {};
    const auto count = static_cast<int>(feet.size());
    const std::vector<char> may_split = splits(feet, merge * axis_length);
    const bool one = std::none_of(may_split.begin(), may_split.end() - 1, [](char c) { return c != 0; });
    if (one || (feet.back().foot - feet.front().foot).norm() <= 1e-12 * axis_length)
        return {{{0, count - 1, mean_foot(feet)}}, 0, 0};
    Division best = Program(feet, may_split).run();
    const std::vector<OpeningFoot> reversed(feet.rbegin(), feet.rend());
    std::vector<char> back(may_split.rbegin() + 1, may_split.rend());
    back.push_back(1);
    Division other = turned_round(Program(reversed, back).run(), count);
    if (better(other, best)) best = std::move(other);
    return {std::move(best.groups), best.score, best.moved};
}

}  // namespace sinew::rig
