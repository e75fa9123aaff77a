// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/articulated/closing/stages.h"
#include "sinew/math/planar.h"

namespace sinew::articulated {

namespace {

/// The position on the seam nearest to a point: only a circular seam is mapped to itself by a twist.
Vec3d nearest_on_seam(const Gap& gap, const PartBody& body, const GapMotion& motion, const Vec3d& point) {
    const auto at = [&](std::size_t i) {
        return motion.rest(gap, body, 0, static_cast<std::uint32_t>(i % gap.loop_size));
    };
    Vec3d best = at(0);
    for (std::size_t i = 0; i < gap.loop_size; ++i) {
        const Vec3d a = at(i), edge = at(i + 1) - a;
        const double t =
            edge.squaredNorm() > 0 ? std::clamp((point - a).dot(edge) / edge.squaredNorm(), 0.0, 1.0) : 0;
        const Vec3d position = a + t * edge;
        if ((position - point).squaredNorm() < (best - point).squaredNorm()) best = position;
    }
    return best;
}

}  // namespace

Vec3d SeamPath::at(double t) const {
    const math::Quatd identity = math::Quatd::Identity();
    const math::Quatd q = math::slerp(t, identity, rotation);
    return pivot + t * shift + q * ((1 - t) * from + t * to - pivot);
}

double SeamPath::length() const {
    const Vec3d axis = math::rotation_vector(rotation);
    const double angle = axis.norm();
    const double bend =
        angle > 0 ? axis.cross(from - pivot).norm() : 0;  // angle times distance from the axis
    return std::max(bend, (at(1) - at(0)).norm());
}

SeamPath seam_path(const Gap& gap, const PartBody& body, const GapMotion& motion, std::size_t i) {
    const auto point = static_cast<std::uint32_t>(i);
    SeamPath path{gap.pivot, motion.rest(gap, body, 0, point), motion.rest(gap, body, 1, point),
                  motion.relative.rotation, motion.shift};
    if (motion.band) {
        path.rotation = motion.swing;
        path.to = gap.pivot + motion.twist * (path.to - gap.pivot);
        // A small share of the twisted point keeps the starts of neighbours apart at corners of the seam.
        path.from = 0.8 * nearest_on_seam(gap, body, motion, path.to) + 0.2 * path.to;
    }
    return path;
}

std::vector<Vec3d> arc_points(const SeamPath& path, double spacing) {
    const int pieces = math::pieces_of(path.length(), spacing);
    std::vector<Vec3d> points;
    for (int i = 1; i < pieces; ++i) points.push_back(path.at(static_cast<double>(i) / pieces));
    return points;
}

InnerCurve inner_curve(const CurveEnd& child, const CurveEnd& parent, const Vec3d& middle, const Vec3d& plane,
                       const GapOptions& options) {
    const Vec3d x = plane.unitOrthogonal(), y = plane.cross(x);
    const auto flat = [&](const Vec3d& v) { return math::Vec2d(x.dot(v), y.dot(v)); };
    const auto tangent = [&](const CurveEnd& end) {
        return Vec3d(end.inward - end.inward.dot(end.normal) * end.normal);
    };
    InnerCurve result;
    result.crossing = middle;
    const Vec3d child_line = tangent(child), parent_line = tangent(parent);
    const auto meet =
        math::cross_lines(flat(child.point), flat(child_line), flat(parent.point), flat(parent_line));
    // Both lines must point back to the joint to intersect.
    if (meet && meet->t1 <= 0 && meet->t2 <= 0) {
        const math::Vec2d position = flat(child.point) + meet->t1 * flat(child_line);
        const double height = (plane.dot(child.point) + plane.dot(parent.point)) / 2;
        const Vec3d crossing = position.x() * x + position.y() * y + height * plane;
        const double reach = (child.point - parent.point).norm() + (child.point - middle).norm();
        if ((crossing - middle).norm() <= 2 * reach) result.crossing = crossing;
    }
    result.control = (1 - options.lambda) * result.crossing + options.lambda * middle;
    const double weight = options.sharpness
                              ? math::weight_of_sharpness(std::min(*options.sharpness, 0.99))
                              : math::circular_weight(child.point, result.control, parent.point);
    result.curve =
        math::conic_of_control(child.point, result.control, parent.point, std::clamp(weight, 0.05, 20.0));
    return result;
}

double slice_cost(const Vec3d& middle, const Vec3d& point, const Vec3d& plane) {
    return std::abs(plane.dot(point - middle)) + 0.1 * (point - middle).norm();
}

namespace {

constexpr std::size_t no_slot = static_cast<std::size_t>(-1);

class RibMaker {
  public:
    RibMaker(const Gap& gap, const PartBody& body, const GapMotion& motion, const Cut& cut,
             const GapOptions& options)
        : gap_(gap), body_(body), motion_(motion), cut_(cut), options_(options), plane_(motion.axis) {
        for (int s = 0; s < 2; ++s) {
            slots_[s].assign(gap.loop_size, no_slot);
            const std::vector<std::uint32_t>& loop = cut.sides[s].loop;
            for (std::size_t i = 0; i < loop.size(); ++i) {
                loops_[s].push_back(motion.position(s, motion.rest(gap, body, s, loop[i])));
                if (loop[i] < gap.loop_size) slots_[s][loop[i]] = i;
            }
        }
        for (std::size_t i = 0; i < gap.loop_size; ++i) {
            paths_.push_back(seam_path(gap, body, motion, i));
            for (int s = 0; s < 2; ++s) ends_[s].push_back(paths_.back().at(s));
            // In a band the copies of a point are not the ends of one rib, even where they could not be
            // removed.
            if ((!motion.band || one_slot(i)) && slots_[0][i] != no_slot && slots_[1][i] != no_slot)
                anchors_.push_back(i);
        }
    }

    RibSet make() {
        RibSet set;
        if (anchors_.empty()) {
            bridge(0, gap_.loop_size, nearest_slot(0), nearest_slot(1), true, set);
        } else {
            std::size_t from = slots_[0][anchors_[0]], to = slots_[1][anchors_[0]];
            for (std::size_t a = 0; a < anchors_.size(); ++a) {
                add_anchor(anchors_[a], from, to, set);
                if (!gap_.closed && a + 1 == anchors_.size()) break;
                const std::size_t next = anchors_[(a + 1) % anchors_.size()];
                const std::size_t next_from = after(slots_[0][next], from, 0),
                                  next_to = after(slots_[1][next], to, 1);
                const std::size_t between = (next + gap_.loop_size - anchors_[a] - 1) % gap_.loop_size;
                if (between > 0)
                    bridge(anchors_[a] + 1, between, {from, next_from}, {to, next_to}, false, set);
                from = next_from;
                to = next_to;
            }
        }
        drop_doubles(set);
        return set;
    }

  private:
    struct Range {
        std::size_t first, last;
    };

    /// Soft skin keeps the copies of the point at one position.
    bool one_slot(std::size_t seam) const {
        return !motion_.bent[0].empty() && cut_.seam[seam] == SeamPoint::together;
    }
    std::size_t size(int s) const { return loops_[s].size(); }
    const Vec3d& at(int s, std::size_t slot) const { return loops_[s][slot % size(s)]; }

    /// The next position of loop point `slot` after `before`; a full cycle later when both are the same
    /// point.
    std::size_t after(std::size_t slot, std::size_t before, int s) const {
        const std::size_t base = before - before % size(s) + slot;
        return base > before ? base : base + size(s);
    }

    Range nearest_slot(int s) const {
        const Vec3d& guide = ends_[s][0];
        const auto found = std::ranges::min_element(
            loops_[s], {}, [&](const Vec3d& p) { return (p - guide).squaredNorm(); });
        const auto first = static_cast<std::size_t>(found - loops_[s].begin());
        return {first, first + size(s)};
    }

    void add_anchor(std::size_t seam, std::size_t from, std::size_t to, RibSet& set) const {
        Rib rib{seam, from, to, RibKind::outer, true, false, {}};
        const SeamPath& path = paths_[seam];
        const bool same =
            cut_.seam[seam] !=
            SeamPoint::apart;  // a pressed point that could not be removed is pulled to the middle
        if (options_.constant_topology) {
            for (int i = 1; i < constant_pieces; ++i)
                rib.points.push_back(path.at(static_cast<double>(i) / constant_pieces));
        } else if (same) {
            rib.welded = true;
        } else {
            rib.points = arc_points(path, gap_.spacing);
        }
        set.ribs.push_back(std::move(rib));
    }

    /// Ribs for `count` points of the seam from `first` on, between two ranges of positions.
    void bridge(std::size_t first, std::size_t count, Range parent, Range child, bool whole,
                RibSet& set) const {
        const auto seam = [&](std::size_t i) { return (first + i) % gap_.loop_size; };
        const std::vector<std::size_t> from = ordered_slots(
            count, parent.first, parent.last,
            [&](auto i, auto p) { return cost(0, seam(i), p, whole && i == 0 && p != parent.first); });
        const std::vector<std::size_t> to = ordered_slots(
            count, child.first, child.last,
            [&](auto i, auto p) { return cost(1, seam(i), p, whole && i == 0 && p != child.first); });
        // A point that is at one position and removed from one side is on the loop of the other.
        for (std::size_t i = 0; i < count; ++i)
            if (!motion_.band || !one_slot(seam(i))) add_bridge(seam(i), from[i], to[i], set);
    }

    double cost(int s, std::size_t seam, std::size_t slot, bool forbidden) const {
        if (forbidden) return 1e30;
        if (motion_.band) return (at(s, slot) - ends_[s][seam]).norm();
        return slice_cost(middle(seam), at(s, slot), plane_);
    }

    Vec3d middle(std::size_t seam) const { return (ends_[0][seam] + ends_[1][seam]) / 2; }

    CurveEnd end_of(int s, std::size_t slot) const {
        const std::uint32_t point = cut_.sides[s].loop[slot % size(s)];
        CurveEnd end{at(s, slot), gap_.sides[s].normals[point], s == 0 ? Vec3d(-gap_.normal) : gap_.normal};
        if (s == 1) {
            end.normal = motion_.relative.rotation * end.normal;
            end.inward = motion_.relative.rotation * end.inward;
        }
        return end;
    }

    void add_bridge(std::size_t seam, std::size_t from, std::size_t to, RibSet& set) const {
        Rib rib{seam, from, to, RibKind::inner, false, false, {}};
        const bool pressed = cut_.seam[seam] == SeamPoint::pressed || !motion_.band;
        if (pressed) {
            set.middles.push_back(middle(seam));
            const InnerCurve inner =
                inner_curve(end_of(1, to), end_of(0, from), middle(seam), plane_, options_);
            std::vector<Vec3d> line = math::sample(inner.curve, 16);
            std::ranges::reverse(line);
            line = math::resample_uniform(line, math::pieces_of(math::length(line), gap_.spacing));
            rib.points.assign(line.begin() + 1, line.end() - 1);
        } else {
            // New copies of the seam point, connected by an arc.
            rib.kind = RibKind::outer;
            const SeamPath& path = paths_[seam];
            const int pieces = static_cast<int>(std::lround(path.length() / gap_.spacing));
            if (pieces == 0) {
                rib.points = {path.at(0.5)};
            } else {
                for (int i = 0; i <= pieces; ++i)
                    rib.points.push_back(path.at(static_cast<double>(i) / pieces));
            }
        }
        // Where the loop itself could not be removed, its point already exists.
        if (motion_.band)
            std::erase_if(rib.points, [&](const Vec3d& p) {
                return std::min((p - at(0, from)).norm(), (p - at(1, to)).norm()) < 0.3 * gap_.spacing;
            });
        set.ribs.push_back(std::move(rib));
    }

    /// Of adjacent ribs with the same positions only one is kept, the point's own or the middle one: two
    /// would enclose a closed pocket.
    void drop_doubles(RibSet& set) const {
        std::vector<Rib> kept;
        const auto same = [&](const Rib& a, const Rib& b) { return a.from == b.from && a.to == b.to; };
        for (std::size_t i = 0; i < set.ribs.size();) {
            std::size_t end = i + 1;
            while (end < set.ribs.size() && same(set.ribs[i], set.ribs[end])) ++end;
            std::size_t stays = i + (end - i) / 2;
            for (std::size_t k = i; k < end; ++k)
                if (set.ribs[k].own) stays = k;
            kept.push_back(std::move(set.ribs[stays]));
            i = end;
        }
        if (gap_.closed && kept.size() > 1 && kept.back().from == kept.front().from + size(0) &&
            kept.back().to == kept.front().to + size(1))
            kept.pop_back();
        set.ribs = std::move(kept);
        drop_beside_welds(set);
    }

    /// A welded point is on both loops: a rib from it would be an edge inside one part, which may already
    /// exist.
    void drop_beside_welds(RibSet& set) const {
        std::vector<std::uint8_t> welded[2] = {std::vector<std::uint8_t>(size(0), 0),
                                               std::vector<std::uint8_t>(size(1), 0)};
        for (const Rib& rib : set.ribs) {
            if (!rib.welded) continue;
            welded[0][rib.from % size(0)] = 1;
            welded[1][rib.to % size(1)] = 1;
        }
        std::erase_if(set.ribs, [&](const Rib& rib) {
            return !rib.welded && (welded[0][rib.from % size(0)] || welded[1][rib.to % size(1)]);
        });
    }

    const Gap& gap_;
    const PartBody& body_;
    const GapMotion& motion_;
    const Cut& cut_;
    const GapOptions& options_;
    Vec3d plane_;
    std::vector<std::size_t> slots_[2];  ///< per point of the seam
    std::vector<Vec3d> loops_[2];
    std::vector<SeamPath> paths_;
    std::vector<Vec3d> ends_[2];  ///< per path
    std::vector<std::size_t> anchors_;
};

}  // namespace

std::vector<std::size_t> ordered_slots(std::size_t count, std::size_t first, std::size_t last,
                                       const std::function<double(std::size_t, std::size_t)>& cost) {
    const std::size_t width = last - first + 1;
    std::vector<double> sums(width, 0);
    std::vector<std::size_t> choice(count * width);  // best position up to this one, for the previous item
    for (std::size_t i = 0; i < count; ++i) {
        std::size_t best = 0;
        double smallest = std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j < width; ++j) {
            if (sums[j] < smallest) {
                smallest = sums[j];
                best = j;
            }
            choice[i * width + j] = best;
            sums[j] = smallest + cost(i, first + j);
        }
    }
    std::vector<std::size_t> slots(count);
    auto at = static_cast<std::size_t>(std::ranges::min_element(sums) - sums.begin());
    for (std::size_t i = count; i-- > 0;) {
        slots[i] = first + at;
        at = choice[i * width + at];
    }
    return slots;
}

RibSet make_ribs(const Gap& gap, const PartBody& body, const GapMotion& motion, const Cut& cut,
                 const GapOptions& options) {
    return RibMaker(gap, body, motion, cut, options).make();
}

}  // namespace sinew::articulated
