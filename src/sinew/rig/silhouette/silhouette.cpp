// SPDX-License-Identifier: MIT
#include "sinew/rig/silhouette/silhouette.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/rig/silhouette/silhouette_surface.h"

namespace sinew::rig {

namespace {

constexpr int shadow_size = 512;
constexpr double min_piece = 1e-4;  // part of the largest shadow below which another is dropped

/// Loops as an even-odd filled picture on the grid of a mask.
std::vector<std::uint8_t> filled(const Silhouette& silhouette, const Mask& grid) {
    std::vector<std::uint8_t> out(grid.covered.size(), 0);
    std::vector<std::vector<double>> rows(static_cast<std::size_t>(grid.height));
    const auto add = [&](const SilhouetteLoop& loop) {
        for (std::size_t i = 0; i < loop.size(); ++i) {
            const Vec2d a = (loop[i].xy - grid.origin) / grid.pixel;
            const Vec2d b = (loop[(i + 1) % loop.size()].xy - grid.origin) / grid.pixel;
            const int first = std::max(0, static_cast<int>(std::ceil(std::min(a.y(), b.y()))));
            for (int y = first; y < grid.height && y < std::max(a.y(), b.y()); ++y) {
                rows[static_cast<std::size_t>(y)].push_back(a.x() +
                                                            (y - a.y()) / (b.y() - a.y()) * (b.x() - a.x()));
            }
        }
    };
    for (const SilhouettePiece& piece : silhouette.pieces) {
        add(piece.outer);
        for (const SilhouetteLoop& hole : piece.holes) add(hole);
    }
    for (int y = 0; y < grid.height; ++y) {
        auto& row = rows[static_cast<std::size_t>(y)];
        std::ranges::sort(row);
        for (std::size_t i = 0; i + 1 < row.size(); i += 2) {
            const int first = std::max(0, static_cast<int>(std::ceil(row[i])));
            for (int x = first; x < grid.width && x <= row[i + 1]; ++x) out[grid.index(x, y)] = 1;
        }
    }
    return out;
}

}  // namespace

std::string_view name_of(SilhouetteVariant variant) {
    constexpr std::string_view names[] = {"walk", "raster", "given"};
    return names[static_cast<std::size_t>(variant)];
}

geometry::Loop2 points_of(const SilhouetteLoop& loop) {
    geometry::Loop2 out;
    out.reserve(loop.size());
    for (const SilhouetteNode& node : loop) out.push_back(node.xy);
    return out;
}

geometry::Polygon2 polygon_of(const SilhouettePiece& piece) {
    geometry::Polygon2 out{points_of(piece.outer), {}};
    for (const SilhouetteLoop& hole : piece.holes) out.holes.push_back(points_of(hole));
    return out;
}

std::vector<SilhouettePiece> sort_into_pieces(std::vector<SilhouetteLoop> loops) {
    struct Sized {
        double area;
        SilhouetteLoop* loop;
    };
    std::vector<Sized> outlines, holes;
    double total = 0;
    for (SilhouetteLoop& loop : loops) {
        const double size = geometry::signed_area(points_of(loop));
        total += size;
        (size > 0 ? outlines : holes).push_back({size, &loop});
    }
    std::ranges::stable_sort(outlines, [](const Sized& a, const Sized& b) { return a.area > b.area; });
    std::vector<SilhouettePiece> pieces;
    std::vector<geometry::PolygonIndex> indices;
    for (const Sized& s : outlines) {
        if (s.area < min_piece * outlines.front().area) break;
        indices.emplace_back(geometry::Polygon2{points_of(*s.loop), {}});
        pieces.push_back({std::move(*s.loop), {}});
    }
    for (const Sized& s : holes) {
        if (-s.area < min_hole * total) continue;
        // The smallest outline around it; outlines are sorted, the largest first.
        for (std::size_t p = pieces.size(); p-- > 0;) {
            const Vec2d middle = (s.loop->front().xy + (*s.loop)[1].xy) / 2;
            if (!indices[p].contains(middle) && indices[p].distance(middle) > 0) continue;
            SilhouettePiece with = pieces[p];
            with.holes.push_back(*s.loop);
            // A hole that touches the outline in a point does not count as a hole.
            if (geometry::PolygonIndex(polygon_of(with)).simple()) pieces[p] = std::move(with);
            break;
        }
    }
    return pieces;
}

Mask shadow_of(const WeldedSurface& surface, const Projection& projection) {
    return rasterize(projection, surface.triangles, shadow_size);
}

OutlineCheck check(const Silhouette& silhouette, const WeldedSurface& surface, const Projection& projection) {
    return check(silhouette, surface, projection, shadow_of(surface, projection));
}

OutlineCheck check(const Silhouette& silhouette, const WeldedSurface& surface, const Projection& projection,
                   const Mask& shadow) {
    OutlineCheck result;
    result.closed = !silhouette.pieces.empty();
    if (!result.closed) return result;
    result.simple = true;
    std::vector<geometry::PolygonIndex> indices;
    for (const SilhouettePiece& piece : silhouette.pieces) {
        // Points in a hole that was closed because it is small still count as inside.
        result.simple = result.simple && geometry::PolygonIndex(polygon_of(piece)).simple() &&
                        geometry::signed_area(points_of(piece.outer)) > 0;
        indices.emplace_back(geometry::Polygon2{points_of(piece.outer), {}});
    }
    // A picture has the outline to about a pixel.
    const bool raster = silhouette.variant == SilhouetteVariant::raster;
    const double tolerance = (raster ? 2e-3 : 1e-6) * surface.diagonal;
    std::vector<char> seen(surface.positions.size(), 0);
    std::size_t all = 0, inside = 0;
    for (const Triangle& t : surface.triangles) {
        for (const std::uint32_t v : t) {
            if (seen[v] != 0) continue;
            seen[v] = 1;
            ++all;
            inside += std::ranges::any_of(indices, [&](const geometry::PolygonIndex& index) {
                return index.contains(projection.xy[v]) || index.distance(projection.xy[v]) <= tolerance;
            });
        }
    }
    result.inside = static_cast<double>(inside) / static_cast<double>(all);
    const auto fill = filled(silhouette, shadow);
    std::size_t both = 0, either = 0;
    for (std::size_t i = 0; i < fill.size(); ++i) {
        both += fill[i] != 0 && shadow.covered[i] != 0;
        either += fill[i] != 0 || shadow.covered[i] != 0;
    }
    result.overlap = either > 0 ? static_cast<double>(both) / static_cast<double>(either) : 0;
    return result;
}

Silhouette find_silhouette(const WeldedSurface& surface, const Projection& projection,
                           SilhouetteVariant variant, Monitor& monitor, const OutlineTracer& other) {
    std::vector<SilhouetteVariant> order{variant};
    for (const auto next : {SilhouetteVariant::walk, SilhouetteVariant::raster})
        if (next != variant) order.push_back(next);
    const auto trace = [&](SilhouetteVariant by, const Mask& shadow) {
        if (by == SilhouetteVariant::walk) return trace_walk(surface, projection, &shadow);
        if (by == SilhouetteVariant::raster) return trace_raster(surface, projection);
        return other ? other(surface, projection) : Silhouette();
    };
    const Mask shadow = shadow_of(surface, projection);
    Silhouette best;
    OutlineCheck best_check;
    for (std::size_t i = 0; i < order.size(); ++i) {
        Silhouette found = trace(order[i], shadow);
        const OutlineCheck result = check(found, surface, projection, shadow);
        if (result.holds()) return found;
        if (i + 1 < order.size()) {
            warn(monitor, "silhouette-fallback",
                 "the {} outline fails its checks ({}, {:.2f} % of the vertices inside, overlap {:.4f}); "
                 "trying {}",
                 name_of(order[i]), result.simple ? "simple" : "not simple", 100 * result.inside,
                 result.overlap, name_of(order[i + 1]));
        }
        if (result.closed && result.simple && (!best_check.closed || result.overlap > best_check.overlap)) {
            best = std::move(found);
            best_check = result;
        }
    }
    if (best.pieces.empty()) fail("", "the body has no outline in this view");
    warn(monitor, "silhouette-rough", "no outline passed all checks; the {} one overlaps by {:.4f}",
         name_of(best.variant), best_check.overlap);
    return best;
}

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
        // An unreliable depth is ignored.
        const double wa = (1 - t) * a.trust, wb = t * b.trust;
        node.z = wa + wb > 0 ? (wa * a.z + wb * b.z) / (wa + wb) : a.z + t * (b.z - a.z);
        return node;
    }

  private:
    const SilhouetteLoop& loop_;
    std::vector<double> start_;
};

/// Nodes where the curve, sampled in steps of `spacing`, bends sharply and more than its surroundings.
std::vector<std::size_t> corners(const SilhouetteLoop& loop, const Arc& arc, double spacing) {
    std::vector<double> sharpness(loop.size());
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const double s = arc.at_node(i);
        const Vec2d in = loop[i].xy - arc(s - spacing).xy, out = arc(s + spacing).xy - loop[i].xy;
        const double size = in.norm() * out.norm();
        sharpness[i] = size > 0 ? 1 - in.dot(out) / size : sharpest;
    }
    std::vector<std::size_t> order, kept;
    for (std::size_t i = 0; i < loop.size(); ++i) {
        if (sharpness[i] > 1 - corner_cosine) order.push_back(i);
    }
    std::ranges::stable_sort(order,
                             [&](std::size_t a, std::size_t b) { return sharpness[a] > sharpness[b]; });
    std::vector<char> taken(loop.size(), 0);
    const auto near_taken = [&](std::size_t i) {
        for (const int step : {1, -1}) {
            double distance = 0;
            std::size_t at = i;
            for (std::size_t count = 0; count < loop.size(); ++count) {
                const std::size_t to = (at + (step > 0 ? 1 : loop.size() - 1)) % loop.size();
                distance += (loop[to].xy - loop[at].xy).norm();
                if (distance > spacing * 0.99) break;
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
        const double min = marks.size() == 2 ? 3 : marks.size() == 3 ? 2 : 1;
        const auto count = static_cast<int>(std::max(min, std::round(span / spacing)));
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
