#include "sinew/deform/parts/gap_ribs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::deform {
namespace {

constexpr std::size_t no_place = static_cast<std::size_t>(-1);

class RibMaker {
  public:
    RibMaker(const Gap& gap, const PartBody& body, const GapMotion& motion, const Cut& cut,
             const GapOptions& options)
        : gap_(gap),
          body_(body),
          motion_(motion),
          cut_(cut),
          options_(options),
          plane_(bend_plane(gap, body, motion, options.plane)) {
        for (int s = 0; s < 2; ++s) {
            places_[s].assign(gap.loop_size, no_place);
            const std::vector<std::uint32_t>& loop = cut.sides[s].loop;
            for (std::size_t i = 0; i < loop.size(); ++i) {
                loops_[s].push_back(motion.place(s, motion.rest(gap, body, s, loop[i])));
                if (loop[i] < gap.loop_size) places_[s][loop[i]] = i;
            }
        }
        for (std::size_t i = 0; i < gap.loop_size; ++i) {
            paths_.push_back(seam_path(gap, body, motion, i, options.arcs));
            for (int s = 0; s < 2; ++s) ends_[s].push_back(paths_.back().at(s));
            // In a band the copies of a point are not each other's ends, even where they had to stay.
            if ((!motion.band || one_place(i)) && places_[0][i] != no_place && places_[1][i] != no_place)
                anchors_.push_back(i);
        }
    }

    RibSet make() {
        RibSet set;
        if (anchors_.empty()) {
            bridge(0, gap_.loop_size, nearest_place(0), nearest_place(1), true, set);
        } else {
            std::size_t from = places_[0][anchors_[0]], to = places_[1][anchors_[0]];
            for (std::size_t a = 0; a < anchors_.size(); ++a) {
                add_anchor(anchors_[a], from, to, set);
                if (!gap_.closed && a + 1 == anchors_.size()) break;
                const std::size_t next = anchors_[(a + 1) % anchors_.size()];
                const std::size_t next_from = after(places_[0][next], from, 0),
                                  next_to = after(places_[1][next], to, 1);
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

    /// Soft skin keeps the copies of the point at one place.
    bool one_place(std::size_t seam) const {
        return !motion_.bent[0].empty() && cut_.seam[seam] == SeamPoint::together;
    }
    std::size_t size(int s) const { return loops_[s].size(); }
    const Vec3d& at(int s, std::size_t place) const { return loops_[s][place % size(s)]; }

    /// The place that follows another one on a loop; once around when it is the same.
    std::size_t after(std::size_t place, std::size_t before, int s) const {
        const std::size_t base = before - before % size(s) + place;
        return base > before ? base : base + size(s);
    }

    Range nearest_place(int s) const {
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
            cut_.seam[seam] != SeamPoint::apart;  // a pressed point that had to stay is drawn in
        if (options_.constant_topology) {
            for (int i = 1; i < options_.constant_pieces; ++i)
                rib.points.push_back(path.at(static_cast<double>(i) / options_.constant_pieces));
        } else if (same) {
            rib.welded = true;
        } else {
            rib.points = arc_points(path, gap_.spacing);
        }
        set.ribs.push_back(std::move(rib));
    }

    /// Ribs for `count` points of the seam from `first` on, between two ranges of places.
    void bridge(std::size_t first, std::size_t count, Range parent, Range child, bool whole,
                RibSet& set) const {
        const auto seam = [&](std::size_t i) { return (first + i) % gap_.loop_size; };
        std::vector<std::size_t> from, to;
        if (options_.triplets == TripletRule::literal && !motion_.band && !whole) {
            std::vector<Triplet> wanted;
            for (std::size_t i = 0; i < count; ++i) wanted.push_back(literal(seam(i), parent, child));
            const auto off = [](std::size_t a, std::size_t b) {
                return std::abs(static_cast<double>(a) - static_cast<double>(b));
            };
            from = ordered_places(count, parent.first, parent.last, [&](auto i, auto place) {
                return off(place, parent.first + wanted[i].parent);
            });
            to = ordered_places(count, child.first, child.last, [&](auto i, auto place) {
                return off(place, child.first + wanted[i].child);
            });
        } else {
            from = ordered_places(count, parent.first, parent.last, [&](auto i, auto p) {
                return cost(0, seam(i), p, whole && i == 0 && p != parent.first);
            });
            to = ordered_places(count, child.first, child.last, [&](auto i, auto p) {
                return cost(1, seam(i), p, whole && i == 0 && p != child.first);
            });
        }
        // What is at one place and lost to one side is on the loop of the other.
        for (std::size_t i = 0; i < count; ++i)
            if (!motion_.band || !one_place(seam(i))) add_bridge(seam(i), from[i], to[i], set);
    }

    double cost(int s, std::size_t seam, std::size_t place, bool forbidden) const {
        if (forbidden) return 1e30;
        if (motion_.band) return (at(s, place) - ends_[s][seam]).norm();
        return slice_cost(middle(seam), at(s, place), plane_);
    }

    Triplet literal(std::size_t seam, Range parent, Range child) const {
        std::vector<Vec3d> points[2];
        for (std::size_t p = parent.first; p <= parent.last; ++p) points[0].push_back(at(0, p));
        for (std::size_t p = child.first; p <= child.last; ++p) points[1].push_back(at(1, p));
        return literal_triplet(middle(seam), points[1], points[0], plane_);
    }

    Vec3d middle(std::size_t seam) const { return (ends_[0][seam] + ends_[1][seam]) / 2; }

    CurveEnd end_of(int s, std::size_t place) const {
        const std::uint32_t point = cut_.sides[s].loop[place % size(s)];
        CurveEnd end{at(s, place), gap_.sides[s].normals[point], s == 0 ? Vec3d(-gap_.normal) : gap_.normal};
        if (options_.tangents == TangentRule::centres)
            end.inward =
                (body_.centre[static_cast<std::size_t>(gap_.sides[s].part)] - gap_.pivot).normalized();
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
            // The points of the seam are made anew, with the arc between its copies.
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
        // Where the loop itself had to stay, its point is there already.
        if (motion_.band)
            std::erase_if(rib.points, [&](const Vec3d& p) {
                return std::min((p - at(0, from)).norm(), (p - at(1, to)).norm()) < 0.3 * gap_.spacing;
            });
        set.ribs.push_back(std::move(rib));
    }

    /// Of neighbours with the same places one stays, its own or the middle one: two would enclose a bubble.
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

    /// A welded point is on both loops: a rib from it would be an edge of one part, which may exist already.
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
    std::vector<std::size_t> places_[2];  ///< of the points of the seam
    std::vector<Vec3d> loops_[2];
    std::vector<SeamPath> paths_;
    std::vector<Vec3d> ends_[2];  ///< of the paths
    std::vector<std::size_t> anchors_;
};

}  // namespace

std::vector<std::size_t> ordered_places(std::size_t count, std::size_t first, std::size_t last,
                                        const std::function<double(std::size_t, std::size_t)>& cost) {
    const std::size_t width = last - first + 1;
    std::vector<double> sums(width, 0);
    std::vector<std::size_t> choice(count * width);  // best place up to this one, for the item before
    for (std::size_t i = 0; i < count; ++i) {
        std::size_t best = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j < width; ++j) {
            if (sums[j] < least) {
                least = sums[j];
                best = j;
            }
            choice[i * width + j] = best;
            sums[j] = least + cost(i, first + j);
        }
    }
    std::vector<std::size_t> places(count);
    auto at = static_cast<std::size_t>(std::ranges::min_element(sums) - sums.begin());
    for (std::size_t i = count; i-- > 0;) {
        places[i] = first + at;
        at = choice[i * width + at];
    }
    return places;
}

RibSet make_ribs(const Gap& gap, const PartBody& body, const GapMotion& motion, const Cut& cut,
                 const GapOptions& options) {
    return RibMaker(gap, body, motion, cut, options).make();
}

}  // namespace sinew::deform
