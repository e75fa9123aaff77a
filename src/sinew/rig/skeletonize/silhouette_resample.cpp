#include <algorithm>
#include <cmath>

#include "sinew/base/array.h"
#include "sinew/rig/skeletonize/silhouette.h"

namespace sinew::rig {
namespace {

constexpr double corner_cosine = 0.866;  // 30 degrees
constexpr double sharpest = 2.0;

/// A closed curve by arc length.
class Arc {
  public:
    explicit Arc(const SilhouetteLoop& loop) : loop_(loop), start_(loop.size() + 1) {
        for (std::size_t i = 0; i < loop.size(); ++i) {
            start_[i + 1] = start_[i] + (loop[(i + 1) % loop.size()].xy - loop[i].xy).norm();
        }
    }
    double length() const { return start_.back(); }
    double at_node(std::size_t i) const { return start_[i]; }

    SilhouetteNode operator()(double s) const {
        s = std::fmod(s, length());
        if (s < 0) s += length();
        const auto after = std::upper_bound(start_.begin(), start_.end() - 1, s);
        const auto i = static_cast<std::size_t>(after - start_.begin()) - 1;
        const SilhouetteNode &a = loop_[i], &b = loop_[(i + 1) % loop_.size()];
        const double side = start_[i + 1] - start_[i];
        const double t = side > 0 ? (s - start_[i]) / side : 0;
        if (t == 0) return a;
        SilhouetteNode node;
        node.xy = a.xy + t * (b.xy - a.xy);
        node.trust = a.trust + t * (b.trust - a.trust);
        // A depth that is not to be trusted does not count.
        const double wa = (1 - t) * a.trust, wb = t * b.trust;
        node.z = wa + wb > 0 ? (wa * a.z + wb * b.z) / (wa + wb) : a.z + t * (b.z - a.z);
        return node;
    }

  private:
    const SilhouetteLoop& loop_;
    std::vector<double> start_;
};

/// Nodes where the curve, looked at in steps of `spacing`, turns sharply and most sharply around.
std::vector<std::size_t> corners(const SilhouetteLoop& loop, const Arc& arc, double spacing) {
    std::vector<double> turn(loop.size());
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const double s = arc.at_node(i);
        const Vec2d in = loop[i].xy - arc(s - spacing).xy, out = arc(s + spacing).xy - loop[i].xy;
        const double size = in.norm() * out.norm();
        turn[i] = size > 0 ? 1 - in.dot(out) / size : sharpest;
    }
    std::vector<std::size_t> order, kept;
    for (std::size_t i = 0; i < loop.size(); ++i) {
        if (turn[i] > 1 - corner_cosine) order.push_back(i);
    }
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return turn[a] > turn[b]; });
    std::vector<char> taken(loop.size(), 0);
    const auto near_taken = [&](std::size_t i) {
        for (const int step : {1, -1}) {
            double way = 0;
            std::size_t at = i;
            for (std::size_t count = 0; count < loop.size(); ++count) {
                const std::size_t to = (at + (step > 0 ? 1 : loop.size() - 1)) % loop.size();
                way += (loop[to].xy - loop[at].xy).norm();
                if (way > spacing * 0.99) break;
                if (taken[to] != 0) return true;
                at = to;
            }
        }
        return false;
    };
    for (const std::size_t i : order) {
        if (near_taken(i)) continue;
        taken[i] = 1;
        kept.push_back(i);
    }
    std::ranges::sort(kept);
    return kept;
}

SilhouetteLoop resampled_loop(const SilhouetteLoop& loop, double spacing) {
    const Arc arc(loop);
    std::vector<double> marks;
    for (const std::size_t i : corners(loop, arc, spacing)) marks.push_back(arc.at_node(i));
    if (marks.empty()) marks.push_back(0);
    marks.push_back(marks.front() + arc.length());
    SilhouetteLoop out;
    for (std::size_t k = 0; k + 1 < marks.size(); ++k) {
        const double span = marks[k + 1] - marks[k];
        // A loop has at least three sides.
        const double least = marks.size() == 2 ? 3 : marks.size() == 3 ? 2 : 1;
        const auto count = static_cast<int>(std::max(least, std::round(span / spacing)));
        for (int i = 0; i < count; ++i) out.push_back(arc(marks[k] + span * i / count));
    }
    return out;
}

}  // namespace

SilhouettePiece resampled(const SilhouettePiece& piece, double spacing) {
    for (int attempt = 0; attempt < 6 && spacing > 0; ++attempt, spacing /= 2) {
        SilhouettePiece out;
        out.outer = resampled_loop(piece.outer, spacing);
        for (const SilhouetteLoop& hole : piece.holes) out.holes.push_back(resampled_loop(hole, spacing));
        const auto polygon = polygon_of(out);
        const bool turned = geometry::signed_area(polygon.outer) > 0 &&
                            std::ranges::all_of(polygon.holes, [](const geometry::Loop2& hole) {
                                return geometry::signed_area(hole) < 0;
                            });
        if (turned && geometry::PolygonIndex(polygon).simple()) return out;
    }
    return piece;
}

double resampling_step(const Silhouette& silhouette, double diagonal) {
    std::vector<double> sides;
    const auto add = [&](const SilhouetteLoop& loop) {
        for (std::size_t i = 0; i < loop.size(); ++i) {
            sides.push_back((loop[(i + 1) % loop.size()].xy - loop[i].xy).norm());
        }
    };
    for (const SilhouettePiece& piece : silhouette.pieces) {
        add(piece.outer);
        for (const SilhouetteLoop& hole : piece.holes) add(hole);
    }
    if (sides.empty()) return 0.01 * diagonal;
    return std::clamp(median(std::move(sides)), 0.003 * diagonal, 0.01 * diagonal);
}

}  // namespace sinew::rig
