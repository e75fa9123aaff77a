// SPDX-License-Identifier: MIT
#include "sinew/rig/templates/template_match.h"

#include <algorithm>
#include <cmath>

namespace sinew::rig {

namespace {

constexpr std::size_t beam_width = 2000;
constexpr std::size_t most_tips = 14;
constexpr double missing_cost = 1.2;
constexpr double forgotten = 1.2;
constexpr double lopsided = 1.0;

using Table = std::vector<std::vector<double>>;

Table template_paths(const TemplatePlan& plan) {
    const std::size_t n = plan.limbs.limbs.size();
    std::vector<int> end(n);
    for (std::size_t l = 0; l < n; ++l) end[l] = plan.limb_points(l).back();
    Table table(n, std::vector<double>(n, 0));
    for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = a + 1; b < n; ++b)
            table[a][b] = table[b][a] = plan.length(plan.path(end[a], end[b]));
    }
    return table;
}

std::vector<std::size_t> twin_limbs(const TemplatePlan& plan) {
    std::vector<std::size_t> twin(plan.limbs.limbs.size());
    for (std::size_t l = 0; l < twin.size(); ++l) {
        twin[l] = l;
        const int other = plan.mirror[static_cast<std::size_t>(plan.limb_points(l).back())];
        for (std::size_t k = 0; k < twin.size(); ++k) {
            if (plan.limb_points(k).back() == other) twin[l] = k;
        }
    }
    return twin;
}

/// The tips that protrude most: by the distance to their next junction, a lower bound of the path to any
/// other tip, farthest first.
std::vector<int> chosen_tips(const CurveTree& tree) {
    std::vector<int> tips = tree.tips();
    if (tips.size() <= most_tips) return tips;
    std::vector<std::pair<double, int>> ranked;
    for (const int a : tips) {
        double least = 1e300;
        for (const int b : tips) {
            if (a != b) least = std::min(least, tree.distance(a, b));
        }
        ranked.emplace_back(-least, a);
    }
    std::sort(ranked.begin(), ranked.end());
    tips.clear();
    for (std::size_t i = 0; i < most_tips; ++i) tips.push_back(ranked[i].second);
    std::sort(tips.begin(), tips.end());
    return tips;
}

struct Partial {
    std::vector<int> slot;  ///< index of the tip per limb so far, or -1
    double cost = 0;
    double scale = 1;
};

class LimbSearch {
  public:
    LimbSearch(const TemplatePlan& plan, const CurveTree& tree)
        : paths_(template_paths(plan)),
          twin_(twin_limbs(plan)),
          kinds_(plan.kinds),
          tips_(chosen_tips(tree)) {
        const std::size_t m = tips_.size();
        find_sides(tree);
        stand_out(tree);
        curve_.assign(m, std::vector<double>(m, 0));
        for (std::size_t a = 0; a < m; ++a) {
            for (std::size_t b = a + 1; b < m; ++b) {
                const double ends = tree.node(tips_[a]).radius + tree.node(tips_[b]).radius;
                curve_[a][b] = curve_[b][a] = tree.distance(tips_[a], tips_[b]) + ends;
            }
        }
    }

    std::vector<LimbMatch> run(std::size_t most) {
        std::vector<Partial> beam = {{}};
        for (std::size_t limb = 0; limb < paths_.size(); ++limb) {
            std::vector<Partial> next;
            for (const Partial& partial : beam) extend(partial, next);
            if (limb + 1 == paths_.size()) {
                for (Partial& whole : next)
                    whole.cost += forgotten * left_over(whole) + lopsided * imbalance(whole);
            }
            std::stable_sort(next.begin(), next.end(),
                             [](const Partial& a, const Partial& b) { return a.cost < b.cost; });
            if (next.size() > beam_width) next.resize(beam_width);
            beam = std::move(next);
        }
        std::vector<LimbMatch> result;
        for (const Partial& partial : beam) {
            if (result.size() == most) break;
            LimbMatch match;
            for (const int slot : partial.slot)
                match.tip.push_back(slot < 0 ? -1 : tips_[static_cast<std::size_t>(slot)]);
            match.cost = partial.cost;
            match.scale = partial.scale;
            result.push_back(std::move(match));
        }
        return result;
    }

  private:
    void extend(const Partial& partial, std::vector<Partial>& next) const {
        for (int slot = -1; slot < static_cast<int>(tips_.size()); ++slot) {
            const bool used =
                slot >= 0 && std::find(partial.slot.begin(), partial.slot.end(), slot) != partial.slot.end();
            if (used) continue;
            Partial longer = partial;
            longer.slot.push_back(slot);
            if (!allowed(longer)) continue;
            rate(longer);
            next.push_back(std::move(longer));
        }
    }

    /// For every blunt end the side of its junction on which each tip lies: the next node of the path there.
    void find_sides(const CurveTree& tree) {
        for (const int tip : tips_) {
            side_.emplace_back();
            neck_.push_back(tree.continues(tip));
            if (!tree.is_blunt(tip)) continue;
            for (const int other : tips_) {
                const std::vector<int> path = tree.path(tip, other);
                side_.back().push_back(path.size() > 2 ? path[2] : -1);
            }
        }
    }
    bool is_blunt(int slot) const { return !side_[static_cast<std::size_t>(slot)].empty(); }

    /// Heads may be blunt; hands and feet protrude. Protrusions of a blunt head (ears, a trunk) are part of
    /// it: the other limbs all lie on one side, that of the neck, and the crown lies opposite to it.
    bool allowed(const Partial& partial) const {
        const int slot = partial.slot.back();
        if (slot >= 0 && is_blunt(slot) && kinds_[partial.slot.size() - 1] != LimbKind::head) return false;
        for (const int head : partial.slot)
            if (head >= 0 && is_blunt(head) && body_side(partial, head) == elsewhere) return false;
        return true;
    }

    /// Side of a blunt head on which the other matched limbs lie, which must be the side that the head
    /// continues; -1 when there is none yet.
    int body_side(const Partial& partial, int head) const {
        const int neck = neck_[static_cast<std::size_t>(head)];
        int side = -1;
        for (const int slot : partial.slot) {
            if (slot < 0 || slot == head) continue;
            side = side_[static_cast<std::size_t>(head)][static_cast<std::size_t>(slot)];
            if (side != neck) return elsewhere;
        }
        return side;
    }

    bool part_of_head(const Partial& partial, std::size_t tip) const {
        for (const int head : partial.slot) {
            if (head < 0 || !is_blunt(head)) continue;
            const int body = body_side(partial, head);
            if (body >= 0 && side_[static_cast<std::size_t>(head)][tip] != body) return true;
        }
        return false;
    }

    /// Mean of |s d_T - d_C| / (s d_T + d_C), twice, over the pairs of matched limbs, at the scale that fits.
    void rate(Partial& partial) const {
        double tc = 0, tt = 0;
        int none = 0;
        for_pairs(partial, [&](double t, double c) {
            tc += t * c;
            tt += t * t;
        });
        for (const int slot : partial.slot) none += slot < 0;
        partial.scale = tt > 0 ? tc / tt : 1;
        double sum = 0;
        int pairs = 0;
        for_pairs(partial, [&](double t, double c) {
            const double s = partial.scale * t;
            sum += s + c > 0 ? 2 * std::abs(s - c) / (s + c) : 0;
            ++pairs;
        });
        const auto limbs = static_cast<double>(partial.slot.size());
        partial.cost = (pairs > 0 ? sum / pairs : 0) + missing_cost * none / limbs;
    }

    /// For every tip and every pair of tips: how far the tip protrudes from the path between the two, beyond
    /// the sphere around the point where it leaves that path.
    void stand_out(const CurveTree& tree) {
        const std::size_t m = tips_.size();
        out_.assign(m * m * m, 0);
        std::vector<double> least(m, infinity);
        for (std::size_t a = 0; a < m; ++a) {
            for (std::size_t b = 0; b < m; ++b) {
                for (std::size_t t = 0; t < m; ++t) {
                    if (a == b || t == a || t == b) continue;
                    const int leaves = tree.median(tips_[t], tips_[a], tips_[b]);
                    const double length = tree.distance(leaves, tips_[t]) - tree.node(leaves).radius;
                    out_[(a * m + b) * m + t] = std::max(length, 0.0);
                    least[t] = std::min(least[t], out_[(a * m + b) * m + t]);
                }
            }
        }
        for (const double length : least) all_ += length < infinity ? length : 0;
    }

    /// Fraction of the body's limbs that no limb of the template explains: a template must not lie in the
    /// head while the arms are not matched.
    double left_over(const Partial& partial) const {
        double sum = 0;
        for (std::size_t t = 0; t < tips_.size(); ++t) {
            if (has(partial, t) || part_of_head(partial, t)) continue;
            double least = infinity;
            for (std::size_t i = 0; i < partial.slot.size(); ++i) {
                for (std::size_t k = i + 1; k < partial.slot.size(); ++k) {
                    if (partial.slot[i] < 0 || partial.slot[k] < 0) continue;
                    least = std::min(least, out_of(static_cast<std::size_t>(partial.slot[i]),
                                                   static_cast<std::size_t>(partial.slot[k]), t));
                }
            }
            if (least < infinity) sum += least;
        }
        return all_ + sum > 0 ? sum / (all_ + sum) : 0;
    }
    double out_of(std::size_t a, std::size_t b, std::size_t t) const {
        return out_[(a * tips_.size() + b) * tips_.size() + t];
    }

    /// Mean relative difference between the paths from both limbs of a pair to any third limb.
    double imbalance(const Partial& partial) const {
        double sum = 0;
        int count = 0;
        const auto path = [&](std::size_t a, std::size_t b) {
            return curve_[static_cast<std::size_t>(partial.slot[a])]
                         [static_cast<std::size_t>(partial.slot[b])];
        };
        for (std::size_t a = 0; a < twin_.size(); ++a) {
            const std::size_t b = twin_[a];
            if (b <= a || partial.slot[a] < 0 || partial.slot[b] < 0) continue;
            for (std::size_t c = 0; c < twin_.size(); ++c) {
                if (c == a || c == b || partial.slot[c] < 0) continue;
                const double x = path(a, c), y = path(b, c);
                sum += x + y > 0 ? std::abs(x - y) / (x + y) : 0;
                ++count;
            }
        }
        return count > 0 ? sum / count : 0;
    }

    static bool has(const Partial& partial, std::size_t tip) {
        return std::find(partial.slot.begin(), partial.slot.end(), static_cast<int>(tip)) !=
               partial.slot.end();
    }

    template <class Body>
    void for_pairs(const Partial& partial, const Body& body) const {
        for (std::size_t a = 0; a < partial.slot.size(); ++a) {
            for (std::size_t b = a + 1; b < partial.slot.size(); ++b) {
                if (partial.slot[a] < 0 || partial.slot[b] < 0) continue;
                body(paths_[a][b], curve_[static_cast<std::size_t>(partial.slot[a])]
                                         [static_cast<std::size_t>(partial.slot[b])]);
            }
        }
    }

    static constexpr double infinity = 1e300;
    static constexpr int elsewhere = -2;
    Table paths_;
    std::vector<std::size_t> twin_;  ///< per limb the one on the other side, or itself
    std::vector<LimbKind> kinds_;
    std::vector<int> tips_;
    std::vector<std::vector<int>> side_;  ///< per tip: of a blunt end, where the tips lie; else empty
    std::vector<int> neck_;               ///< per tip: of a blunt end, the side that it continues
    std::vector<double> out_;
    double all_ = 0;  ///< sum over the tips of the minimum protrusion of each
    Table curve_;
};

}  // namespace

std::vector<LimbMatch> match_limbs(const TemplatePlan& plan, const CurveTree& tree, std::size_t most) {
    return LimbSearch(plan, tree).run(most);
}

}  // namespace sinew::rig
