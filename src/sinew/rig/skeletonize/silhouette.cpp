#include "sinew/rig/skeletonize/silhouette.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/error.h"
#include "sinew/rig/skeletonize/silhouette_trace.h"
#include "sinew/rig/skeletonize/view_raster.h"

namespace sinew::rig {
namespace {

constexpr int shadow_size = 512;

/// The sides of loops as an even-odd filled picture on the grid of a mask.
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
    switch (variant) {
        case SilhouetteVariant::search:
            return "search";
        case SilhouetteVariant::linkage:
            return "linkage";
        case SilhouetteVariant::linkage_modified:
            return "linkage-modified";
        case SilhouetteVariant::walk:
            return "walk";
        case SilhouetteVariant::raster:
            return "raster";
    }
    return "";
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

double clockwise(const Vec2d& u, const Vec2d& v) {
    const double turn = -std::atan2(geometry::cross2(u, v), u.dot(v));
    return turn < 0 ? turn + 2 * math::pi : turn;
}

std::uint32_t start_vertex(const WeldedSurface& surface, const Projection& projection) {
    std::uint32_t best = surface.triangles.front()[0];
    const auto key = [&](std::uint32_t v) {
        return std::array{-projection.xy[v].y(), projection.xy[v].x(), static_cast<double>(v)};
    };
    for (const Triangle& t : surface.triangles) {
        for (const std::uint32_t v : t) {
            if (key(v) < key(best)) best = v;
        }
    }
    return best;
}

Silhouette silhouette_of(SilhouetteVariant variant, const std::vector<std::uint32_t>& vertices,
                         const Projection& projection) {
    SilhouettePiece piece;
    for (const std::uint32_t v : vertices) {
        piece.outer.push_back({projection.xy[v], projection.z[v], static_cast<int>(v), {}, 1});
    }
    Silhouette out{variant, {}};
    if (piece.outer.size() >= 3) out.pieces.push_back(std::move(piece));
    return out;
}

std::vector<SilhouettePiece> sort_into_pieces(std::vector<SilhouetteLoop> loops,
                                              const OutlineOptions& options) {
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
        if (s.area < options.least_piece * outlines.front().area) break;
        indices.emplace_back(geometry::Polygon2{points_of(*s.loop), {}});
        pieces.push_back({std::move(*s.loop), {}});
    }
    for (const Sized& s : holes) {
        if (-s.area < options.least_hole * total) continue;
        // The smallest outline around it; they come with the largest first.
        for (std::size_t p = pieces.size(); p-- > 0;) {
            const Vec2d middle = (s.loop->front().xy + (*s.loop)[1].xy) / 2;
            if (!indices[p].contains(middle) && indices[p].distance(middle) > 0) continue;
            SilhouettePiece with = pieces[p];
            with.holes.push_back(*s.loop);
            // A hole that touches the outline in a point is not one.
            if (geometry::PolygonIndex(polygon_of(with)).simple()) pieces[p] = std::move(with);
            break;
        }
    }
    return pieces;
}

Silhouette trace_silhouette(const WeldedSurface& surface, const Projection& projection,
                            SilhouetteVariant variant, const OutlineOptions& options) {
    switch (variant) {
        case SilhouetteVariant::search:
            return trace_search(surface, projection, options);
        case SilhouetteVariant::linkage:
            return trace_linkage(surface, projection);
        case SilhouetteVariant::linkage_modified:
            return trace_linkage_modified(surface, projection);
        case SilhouetteVariant::walk:
            return trace_walk(surface, projection, options);
        case SilhouetteVariant::raster:
            return trace_raster(surface, projection, options);
    }
    return {};
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
        // What lies in a hole that was closed for being small still lies inside.
        result.simple = result.simple && geometry::PolygonIndex(polygon_of(piece)).simple() &&
                        geometry::signed_area(points_of(piece.outer)) > 0;
        indices.emplace_back(geometry::Polygon2{points_of(piece.outer), {}});
    }
    // A picture knows the outline to about a pixel.
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
                           const OutlineOptions& options, Monitor& monitor) {
    std::vector<SilhouetteVariant> order{options.variant};
    if (options.fall_back) {
        for (const auto variant : {SilhouetteVariant::walk, SilhouetteVariant::raster}) {
            if (variant != options.variant) order.push_back(variant);
        }
    }
    const Mask shadow = shadow_of(surface, projection);
    Silhouette best;
    OutlineCheck best_check;
    for (std::size_t i = 0; i < order.size(); ++i) {
        Silhouette found = order[i] == SilhouetteVariant::walk
                               ? trace_walk(surface, projection, options, &shadow)
                               : trace_silhouette(surface, projection, order[i], options);
        const OutlineCheck result = check(found, surface, projection, shadow);
        if (result.holds() || !options.fall_back) return found;
        if (i + 1 < order.size()) {
            warn(monitor, "silhouette-fallback",
                 "the {} outline does not hold ({}, {:.2f} % of the vertices inside, overlap {:.4f}); trying "
                 "{}",
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

}  // namespace sinew::rig
