#include "sinew/deform/parts/gap_scattered.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sinew/geometry/tetrahedra.h"

namespace sinew::deform {
namespace {

using geometry::Tetrahedron;
using geometry::Triangle;

/// By the corner of the Voronoi cells (the centre of the sphere through all four): of flat tetrahedra along
/// the surface it lies clearly on one side, where their middles are undecided.
bool is_inside(const ScatteredPoints& samples, const Tetrahedron& t) {
    const auto& p = samples.points;
    math::Mat3d sides;
    for (int i = 0; i < 3; ++i) sides.row(i) = p[t[static_cast<std::size_t>(i) + 1]] - p[t[0]];
    const Vec3d squares = sides.rowwise().squaredNorm();
    const double volume = sides.determinant();
    Vec3d place = (p[t[0]] + p[t[1]] + p[t[2]] + p[t[3]]) / 4;
    if (std::abs(volume) > 1e-9 * std::pow(squares.maxCoeff(), 1.5))
        place = p[t[0]] + sides.inverse() * (squares / 2);
    double vote = 0;
    for (const std::uint32_t corner : t) {
        const Vec3d way = place - p[corner];
        if (way.norm() > 0) vote += way.normalized().dot(samples.normals[corner]);
    }
    return vote < 0;
}

Vec3d facet_normal(const ScatteredPoints& samples, const Triangle& t) {
    const auto& p = samples.points;
    return (p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]);
}

/// Points of a strip, with those of the child's loop that are welded replaced by their twins.
std::vector<std::uint32_t> aliases(const GapPatch& patch) {
    const StripPatch& strip = patch.strip;
    std::vector<std::uint32_t> alias(strip.points.size());
    for (std::uint32_t i = 0; i < alias.size(); ++i) alias[i] = i;
    for (const Rib& rib : patch.ribs.ribs)
        if (rib.welded)
            alias[strip.parent_count + rib.to % strip.child_count] =
                static_cast<std::uint32_t>(rib.from % strip.parent_count);
    return alias;
}

/// The samples without twins, and where each was.
ScatteredPoints without_twins(const ScatteredPoints& samples, const std::vector<std::uint32_t>& alias,
                              std::vector<std::uint32_t>& place) {
    ScatteredPoints kept;
    for (std::uint32_t i = 0; i < samples.points.size(); ++i) {
        if (i < alias.size() && alias[i] != i) continue;
        kept.points.push_back(samples.points[i]);
        kept.normals.push_back(samples.normals[i]);
        kept.part.push_back(samples.part[i]);
        place.push_back(i);
    }
    return kept;
}

/// Samples of a patch: its own points in their order, then the kept neighbours of its ends.
ScatteredPoints samples_of(const Gap& gap, const PartBody& body, const GapPatch& patch,
                           std::vector<std::pair<int, std::uint32_t>>& origin) {
    ScatteredPoints samples;
    const StripPatch& strip = patch.strip;
    const auto turned = [&](int s, const Vec3d& n) {
        return s == 0 ? n : Vec3d(patch.motion.relative.rotation * n);
    };
    samples.points = strip.points;
    for (std::size_t i = 0; i < strip.loop_points(); ++i) {
        const int s = i < strip.parent_count ? 0 : 1;
        const std::uint32_t p = patch.cut.sides[s].loop[s == 0 ? i : i - strip.parent_count];
        samples.normals.push_back(turned(s, gap.sides[s].normals[p]));
        samples.part.push_back(s);
        origin.emplace_back(s, p);
    }
    // Normals of new points go from that of one end of their rib to that of the other.
    for (std::size_t r = 0; r < patch.ribs.ribs.size(); ++r) {
        const Rib& rib = patch.ribs.ribs[r];
        const Vec3d a = samples.normals[rib.from % strip.parent_count];
        const Vec3d b = samples.normals[strip.parent_count + rib.to % strip.child_count];
        const std::size_t count = strip.first_new[r + 1] - strip.first_new[r];
        for (std::size_t i = 1; i <= count; ++i) {
            const double t = static_cast<double>(i) / static_cast<double>(count + 1);
            const Vec3d mixed = (1 - t) * a + t * b;
            samples.normals.push_back(mixed.norm() > 1e-9 ? Vec3d(mixed.normalized()) : a);
        }
    }
    samples.normals.resize(strip.points.size(),
                           samples.normals.empty() ? Vec3d::UnitZ() : samples.normals.back());
    samples.part.resize(strip.points.size(), 2);
    for (int s = 0; s < 2; ++s) {
        std::set<std::uint32_t> ends(patch.cut.sides[s].loop.begin(), patch.cut.sides[s].loop.end()), extra;
        for (const std::uint32_t p : ends)
            for (const std::uint32_t q : gap.sides[s].neighbours[p])
                if (!ends.contains(q) && !patch.cut.sides[s].removed[q]) extra.insert(q);
        for (const std::uint32_t p : extra) {
            samples.points.push_back(patch.motion.place(s, patch.motion.rest(gap, body, s, p)));
            samples.normals.push_back(turned(s, gap.sides[s].normals[p]));
            samples.part.push_back(s);
        }
    }
    return samples;
}

using EdgeCounts = std::map<std::pair<std::uint32_t, std::uint32_t>, int>;

/// Directed edges of some facets, and those that the kept parts provide along the two loops.
EdgeCounts count_edges(const StripPatch& strip, const std::vector<std::uint32_t>& alias,
                       const std::vector<Triangle>& facets) {
    EdgeCounts edges;
    for (const Triangle& t : facets)
        for (std::size_t k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
    const auto side = [&](std::size_t from, std::size_t count, bool forwards) {
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t a = alias[from + i], b = alias[from + (i + 1) % count];
            ++(forwards ? edges[{a, b}] : edges[{b, a}]);
        }
    };
    side(0, strip.parent_count, false);
    side(strip.parent_count, strip.child_count, true);
    return edges;
}

int count_of(const EdgeCounts& edges, std::uint32_t a, std::uint32_t b) {
    const auto found = edges.find({a, b});
    return found == edges.end() ? 0 : found->second;
}

/// Every edge once in each direction.
bool closes(const EdgeCounts& edges) {
    return std::ranges::all_of(edges, [&](const auto& edge) {
        return edge.second == 1 && count_of(edges, edge.first.second, edge.first.first) == 1;
    });
}

/// Takes away facets at edges that run the same way twice, those that agree least with the normals of their
/// corners first.
void drop_doubled(const ScatteredPoints& samples, const StripPatch& strip,
                  const std::vector<std::uint32_t>& alias, std::vector<Triangle>& facets) {
    const auto agreement = [&](const Triangle& t) {
        const Vec3d normal = facet_normal(samples, t).normalized();
        double least = 1;
        for (const std::uint32_t corner : t) least = std::min(least, normal.dot(samples.normals[corner]));
        return least;
    };
    std::ranges::stable_sort(facets, {}, agreement);
    EdgeCounts edges = count_edges(strip, alias, facets);
    std::erase_if(facets, [&](const Triangle& t) {
        bool doubled = false;
        for (std::size_t k = 0; k < 3; ++k) doubled = doubled || edges[{t[k], t[(k + 1) % 3]}] > 1;
        for (std::size_t k = 0; k < 3 && doubled; ++k) --edges[{t[k], t[(k + 1) % 3]}];
        return doubled;
    });
}

/// Points at which a hole touches itself or another one.
std::set<std::uint32_t> pinches(const EdgeCounts& edges) {
    std::set<std::uint32_t> once, twice;
    for (const auto& [edge, count] : edges)
        if (count_of(edges, edge.second, edge.first) == 0 && !once.insert(edge.second).second)
            twice.insert(edge.second);
    return twice;
}

/// Takes away the facets at such points, so that what touched becomes one hole with a simple border. A few
/// times, because larger holes may touch others.
void open_pinches(const StripPatch& strip, const std::vector<std::uint32_t>& alias,
                  std::vector<Triangle>& facets) {
    for (int round = 0; round < 8; ++round) {
        const std::set<std::uint32_t> at = pinches(count_edges(strip, alias, facets));
        if (at.empty()) return;
        std::erase_if(facets, [&](const Triangle& t) {
            return std::ranges::any_of(t, [&](std::uint32_t corner) { return at.contains(corner); });
        });
    }
}

/// Closes holes by triangulations of least weight without edges that exist already. False when a hole touches
/// itself or has no such triangulation.
bool fill_holes(const StripPatch& strip, const std::vector<std::uint32_t>& alias,
                std::vector<Triangle>& facets) {
    const EdgeCounts edges = count_edges(strip, alias, facets);
    std::map<std::uint32_t, std::uint32_t> next;
    for (const auto& [edge, count] : edges)
        if (count_of(edges, edge.second, edge.first) == 0 &&
            !next.try_emplace(edge.second, edge.first).second)
            return false;
    while (!next.empty()) {
        std::vector<std::uint32_t> hole;
        for (auto at = next.begin(); at != next.end(); at = next.find(hole.back())) {
            if (hole.empty()) hole.push_back(at->first);
            const std::uint32_t to = at->second;
            next.erase(at);
            if (to == hole.front()) break;
            hole.push_back(to);
        }
        const auto allowed = [&](std::size_t i, std::size_t j) {
            return count_of(edges, hole[i], hole[j]) + count_of(edges, hole[j], hole[i]) == 0;
        };
        const std::vector<Triangle> filled = least_triangulation(hole, strip.points, allowed);
        if (filled.empty()) return false;
        facets.insert(facets.end(), filled.begin(), filled.end());
    }
    return true;
}

}  // namespace

std::vector<Triangle> enclosing_surface(const ScatteredPoints& samples) {
    std::map<Triangle, std::pair<int, Triangle>> faces;  // sorted corners -> count, oriented outwards
    for (const Tetrahedron& t : geometry::delaunay_tetrahedra(samples.points)) {
        if (!is_inside(samples, t)) continue;
        for (std::size_t k = 0; k < 4; ++k) {
            const Triangle key = {t[(k + 1) % 4], t[(k + 2) % 4], t[(k + 3) % 4]};
            Triangle sorted = key, outward = key;
            std::ranges::sort(sorted);
            if (facet_normal(samples, key).dot(samples.points[t[k]] - samples.points[key[0]]) > 0)
                std::swap(outward[1], outward[2]);
            auto& face = faces[sorted];
            ++face.first;
            face.second = outward;
        }
    }
    std::vector<Triangle> surface;
    for (const auto& [corners, face] : faces)
        if (face.first == 1) surface.push_back(face.second);
    return surface;
}

std::vector<Triangle> filter_facets(const ScatteredPoints& samples, std::vector<Triangle> facets,
                                    const std::function<bool(const Triangle&)>& existing) {
    const double nearly = std::cos(math::radians(30));
    std::erase_if(facets, [&](const Triangle& t) {
        const int part = samples.part[t[0]];
        if (part == 2 || samples.part[t[1]] != part || samples.part[t[2]] != part) return false;
        if (existing(t)) return true;
        const Vec3d normal = facet_normal(samples, t).normalized();
        return std::ranges::any_of(t,
                                   [&](auto corner) { return normal.dot(samples.normals[corner]) < nearly; });
    });
    return facets;
}

bool retriangulate_scattered(const Gap& gap, const PartBody& body, GapPatch& patch) {
    std::vector<std::pair<int, std::uint32_t>> origin;
    const ScatteredPoints samples = samples_of(gap, body, patch, origin);
    std::set<Triangle> own[2];
    for (int s = 0; s < 2; ++s)
        for (Triangle t : gap.sides[s].triangles) {
            std::ranges::sort(t);
            own[s].insert(t);
        }
    const auto existing = [&](const Triangle& t) {
        Triangle local{};
        for (std::size_t k = 0; k < 3; ++k) {
            if (t[k] >= origin.size()) return true;  // reaches the extra points: beside the patch
            local[k] = origin[t[k]].second;
        }
        std::ranges::sort(local);
        return own[samples.part[t[0]]].contains(local);
    };
    std::vector<std::uint32_t> place;
    std::vector<Triangle> facets = enclosing_surface(without_twins(samples, aliases(patch), place));
    for (Triangle& t : facets)
        for (std::uint32_t& corner : t) corner = place[corner];
    facets = filter_facets(samples, std::move(facets), existing);
    std::erase_if(facets, [&](const Triangle& t) {
        return std::ranges::any_of(t, [&](auto corner) { return corner >= patch.strip.points.size(); });
    });
    const std::vector<std::uint32_t> alias = aliases(patch);
    drop_doubled(samples, patch.strip, alias, facets);
    open_pinches(patch.strip, alias, facets);
    if (!fill_holes(patch.strip, alias, facets) || !closes(count_edges(patch.strip, alias, facets)))
        return false;
    patch.strip.triangles = std::move(facets);
    return true;
}

}  // namespace sinew::deform
