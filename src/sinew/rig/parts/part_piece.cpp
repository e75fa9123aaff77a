// SPDX-License-Identifier: MIT
#include "sinew/rig/parts/part_piece.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace sinew::rig {
namespace {

/// The middle of the points of a part whose distance from `from` is between two parts of the largest.
Vec3d middle_between(const geometry::PartSurface& surface, const Vec3d& from, double low, double high) {
    Vec3d sum = Vec3d::Zero();
    double count = 0;
    for (std::size_t p = 0; p < surface.own_points; ++p) {
        const double distance = (surface.points[p] - from).norm();
        if (distance < low || distance > high) continue;
        sum += surface.points[p];
        ++count;
    }
    return count > 0 ? Vec3d(sum / count) : from;
}

/// The piece of a leaf whose nodes end before 0.85 of the distance from its opening to its farthest point
/// becomes the bone to its tip, or two where that bends; no change when these would leave the part.
void lead_to_tip(Piece& piece, const PartOpenings& openings, const geometry::PartShape& shape) {
    constexpr double near_enough = 0.85;
    const geometry::PartSurface& surface = shape.surface;
    const Vec3d opening = openings.at.front();
    double reach = 0, farthest = 0;
    int ends = 0;
    for (const PartNode& node : piece.nodes) {
        reach = std::max(reach, (node.position - opening).norm());
        if (node.kind == PartNodeKind::axis_end) ++ends;
    }
    for (std::size_t p = 0; p < surface.own_points; ++p)
        farthest = std::max(farthest, (surface.points[p] - opening).norm());
    if (ends > 1 || reach >= near_enough * farthest) return;
    const auto inside = [&](const Vec3d& p) { return geometry::winding_number(surface, p) >= 0.5; };
    const Vec3d tip = middle_between(surface, opening, 0.9 * farthest, farthest);
    if (!inside(tip)) return;
    std::vector<PartNode> path{piece.nodes.front()};
    if (inside_part(surface, opening, tip) < 0.99) {
        const Vec3d bend = middle_between(surface, opening, 0.4 * farthest, 0.6 * farthest);
        if (!inside(bend) || inside_part(surface, opening, bend) < near_enough ||
            inside_part(surface, bend, tip) < near_enough)
            return;
        path.push_back({bend, PartNodeKind::link, openings.part});
    }
    path.push_back({tip, PartNodeKind::axis_end, openings.part});
    piece.nodes = std::move(path);
    piece.edges.clear();
    for (int i = 0; i + 1 < static_cast<int>(piece.nodes.size()); ++i) piece.edges.push_back({i, i + 1});
    piece.root = 0;
}

using geometry::PartFeatures;
using geometry::PartShape;

/// Ends of axes move in by this part of the length to the centre, because the surface is not inside.
constexpr double inset = 0.05;
/// Of half the width of a part across its axis: a link used by only one opening, and nearer to it than this,
/// moves there.
constexpr double near_opening = 0.75;

/// The openings as the first nodes of a piece.
Piece start_piece(const PartOpenings& openings, PartMethod method) {
    Piece piece;
    piece.figures.method = method;
    for (std::size_t i = 0; i < openings.at.size(); ++i) {
        const int child = openings.child[i];
        piece.nodes.push_back({openings.at[i], PartNodeKind::opening, child < 0 ? openings.part : child});
    }
    piece.root = openings.parent;
    return piece;
}

int add_node(Piece& piece, const Vec3d& position, PartNodeKind kind, int part) {
    piece.nodes.push_back({position, kind, part});
    return static_cast<int>(piece.nodes.size()) - 1;
}

/// Centroid of the interior, or of the surface where that is flat.
Vec3d middle_of(const geometry::PartSurface& surface) {
    const geometry::SolidMoments solid = geometry::solid_moments(surface.points, surface.triangles);
    const double size = geometry::box_around(surface.points, math::Mat3d::Identity()).radius();
    return solid.volume < 1e-9 * size * size * size
               ? geometry::sheet_moments(surface.points, surface.triangles).centroid
               : solid.centroid;
}

/// Where the openings are attached to an axis: fractions of the path from A to B.
struct AxisFeet {
    Vec3d a, b;
    double length = 0;
    std::vector<int> order;         ///< openings along the axis
    std::vector<OpeningFoot> feet;  ///< in that order

    double at(const Vec3d& p) const { return length > 0 ? (p - a).dot(b - a) / (length * length) : 0; }
};

AxisFeet feet_on(const PartOpenings& openings, const Vec3d& a, const Vec3d& b) {
    AxisFeet axis{a, b, (b - a).norm(), std::vector<int>(openings.at.size()), {}};
    std::iota(axis.order.begin(), axis.order.end(), 0);
    std::vector<double> position_of;
    for (const Vec3d& p : openings.at) position_of.push_back(std::clamp(axis.at(p), 0.0, 1.0));
    std::stable_sort(axis.order.begin(), axis.order.end(), [&](int x, int y) {
        return position_of[static_cast<std::size_t>(x)] < position_of[static_cast<std::size_t>(y)];
    });
    for (const int i : axis.order) {
        const auto at = static_cast<std::size_t>(i);
        axis.feet.push_back({openings.at[at], a + position_of[at] * (b - a)});
    }
    return axis;
}

/// Links along the axis and, for each opening in the order of the feet, the link that it uses.
struct Links {
    std::vector<Vec3d> at;
    std::vector<std::size_t> of_foot;
};

Links grouped_links(const AxisFeet& axis) {
    Links links;
    for (const OpeningGroup& group : group_openings(axis.feet, axis.length).groups) {
        for (int i = group.first; i <= group.last; ++i) links.of_foot.push_back(links.at.size());
        links.at.push_back(group.link);
    }
    return links;
}

Links spaced_links(const AxisFeet& axis) {
    constexpr std::size_t count = 5;  // a quarter of the axis apart
    Links links;
    for (std::size_t i = 0; i < count; ++i)
        links.at.push_back(axis.a +
                           static_cast<double>(i) / static_cast<double>(count - 1) * (axis.b - axis.a));
    for (const OpeningFoot& foot : axis.feet)
        links.of_foot.push_back(
            static_cast<std::size_t>(std::lround(axis.at(foot.foot) * static_cast<double>(count - 1))));
    return links;
}

/// Which ends of an axis are bones, by their lengths beyond the outer links. A limb runs from joint to joint
/// and has one tip, unless its opening is in the middle.
std::array<bool, 2> ends_kept(double a, double b, std::size_t openings, double spur) {
    if (openings == 1) {
        constexpr double even = 0.8;
        return {a >= b || (a >= spur && a >= even * b), b > a || (b >= spur && b >= even * a)};
    }
    const double min = openings == 2 ? 3 * spur : spur;
    return {a >= min, b >= min};
}

/// Chain of nodes along the axis; those at its ends only where the chain would not reach the centre, and
/// where they are long enough.
std::vector<int> chain_of(Piece& piece, const AxisFeet& axis, const std::vector<int>& links,
                          const Vec3d& centre, int part, double spur) {
    std::vector<int> chain = links;
    const auto position_of = [&](int node) {
        return axis.at(piece.nodes[static_cast<std::size_t>(node)].position);
    };
    const double middle = axis.at(centre);
    const double first = links.empty() ? middle : position_of(links.front()),
                 last = links.empty() ? middle : position_of(links.back());
    const auto [keep_a, keep_b] =
        ends_kept(first * axis.length, (1 - last) * axis.length, axis.order.size(), spur);
    // A to the first link unless that is closer to A than to the centre; the same at B.
    if (!(first < std::abs(first - middle)) && keep_a)
        chain.insert(chain.begin(), add_node(piece, axis.a, PartNodeKind::axis_end, part));
    if (!(1 - last < std::abs(last - middle)) && keep_b)
        chain.push_back(add_node(piece, axis.b, PartNodeKind::axis_end, part));
    return chain;
}

/// Half the width of a part across its principal axis.
double half_width(const PartFeatures& features) {
    const Vec3d& half = features.box.half;
    return (half.sum() - half[features.main_axis]) / 2;
}

/// Links that only one opening uses, and that are near it, move there; so does that of a leaf whose tip is
/// visible from its opening.
void move_links(Piece& piece, const AxisFeet& axis, const Links& found, const std::vector<int>& links,
                const PartShape& shape, double near) {
    for (std::size_t i = 0; i < axis.order.size(); ++i) {
        const std::size_t link = found.of_foot[i];
        const Vec3d& opening = axis.feet[i].opening;
        if (std::count(found.of_foot.begin(), found.of_foot.end(), link) != 1) continue;
        const bool one_tip = links.size() == 1 && axis.order.size() == 1 &&
                             piece.nodes.back().kind == PartNodeKind::axis_end &&
                             piece.nodes[piece.nodes.size() - 2].kind != PartNodeKind::axis_end;
        if ((opening - found.at[link]).norm() < near ||
            (one_tip && inside_part(shape.surface, opening, piece.nodes.back().position) > 0.99))
            piece.nodes[static_cast<std::size_t>(links[link])].position = opening;
    }
}

void insert_centre(Piece& piece, const AxisFeet& axis, std::vector<int>& chain, int centre) {
    const auto position_of = [&](int node) {
        return axis.at(piece.nodes[static_cast<std::size_t>(node)].position);
    };
    const double middle = position_of(centre);
    const auto behind =
        std::find_if(chain.begin(), chain.end(), [&](int node) { return position_of(node) > middle; });
    chain.insert(behind, centre);
}

void add_other_axes(Piece& piece, const PartShape& shape, const PartFeatures& features, int centre,
                    int part) {
    for (int axis = 0; axis < 3; ++axis) {
        if (axis == features.main_axis) continue;
        Vec3d ends[2];
        geometry::clip_inside(shape.surface, features.centre, features.box.axes.col(axis), ends);
        for (const Vec3d& end : ends) {
            const Vec3d inside = end + inset * (features.centre - end);
            piece.edges.push_back({centre, add_node(piece, inside, PartNodeKind::extra_end, part)});
        }
    }
}

/// The node of lower rank is kept when two nodes merge.
int rank(PartNodeKind kind) {
    constexpr int ranks[] = {1, 0, 2, 4, 3, 5};  // root, opening, link, axis end, centre, extra end
    return ranks[static_cast<std::size_t>(kind)];
}

/// Edges shorter than `shortest` vanish: their ends become one node, openings before links before others; two
/// openings never become one.
void collapse_short(Piece& piece, double shortest) {
    std::vector<int> into(piece.nodes.size());
    std::iota(into.begin(), into.end(), 0);
    const auto top = [&](int node) {
        while (into[static_cast<std::size_t>(node)] != node) node = into[static_cast<std::size_t>(node)];
        return node;
    };
    const auto at = [&](int node) -> const PartNode& { return piece.nodes[static_cast<std::size_t>(node)]; };
    for (const auto& [x, y] : piece.edges) {
        int a = top(x), b = top(y);
        if (a == b || (at(a).position - at(b).position).norm() > shortest) continue;
        if (at(a).kind == PartNodeKind::opening && at(b).kind == PartNodeKind::opening) continue;
        if (rank(at(b).kind) < rank(at(a).kind)) std::swap(a, b);
        into[static_cast<std::size_t>(b)] = a;
    }
    std::vector<int> position_of(piece.nodes.size(), -1);
    std::vector<PartNode> nodes;
    for (std::size_t i = 0; i < piece.nodes.size(); ++i) {
        if (into[i] != static_cast<int>(i)) continue;
        position_of[i] = static_cast<int>(nodes.size());
        nodes.push_back(piece.nodes[i]);
    }
    std::vector<std::array<int, 2>> edges;
    for (const auto& [x, y] : piece.edges) {
        const int a = position_of[static_cast<std::size_t>(top(x))],
                  b = position_of[static_cast<std::size_t>(top(y))];
        if (a != b) edges.push_back({a, b});
    }
    piece.root = position_of[static_cast<std::size_t>(top(piece.root))];
    piece.nodes = std::move(nodes);
    piece.edges = std::move(edges);
}

}  // namespace

std::vector<PartOpenings> openings_of_parts(const geometry::PartTree& tree) {
    std::vector<PartOpenings> all(tree.parent.size());
    for (std::size_t p = 0; p < all.size(); ++p) {
        all[p].part = static_cast<int>(p);
        if (tree.parent[p] < 0) continue;
        all[p].parent = 0;
        all[p].at.push_back(tree.openings[p].centre);
        all[p].child.push_back(-1);
    }
    for (std::size_t c = 0; c < all.size(); ++c) {
        if (tree.parent[c] < 0) continue;
        PartOpenings& up = all[static_cast<std::size_t>(tree.parent[c])];
        up.at.push_back(tree.openings[c].centre);
        up.child.push_back(static_cast<int>(c));
    }
    return all;
}

Piece opening_piece(const PartOpenings& openings, const PartShape* shape) {
    Piece piece = start_piece(openings, PartMethod::opening);
    const std::size_t count = openings.at.size();
    if (piece.root < 0)
        piece.root = add_node(piece, middle_of(shape->surface), PartNodeKind::root, openings.part);
    for (std::size_t i = 0; i < count; ++i)
        if (static_cast<int>(i) != piece.root) piece.edges.push_back({piece.root, static_cast<int>(i)});
    return piece;
}

Piece centroid_piece(const PartOpenings& openings, const PartFeatures& features) {
    Piece piece = start_piece(openings, PartMethod::centroid);
    const auto count = static_cast<int>(openings.at.size());
    const int centre = add_node(piece, features.centre, PartNodeKind::centre, openings.part);
    if (piece.root < 0) piece.root = centre;
    for (int i = 0; i < count; ++i) piece.edges.push_back({i, centre});
    return piece;
}

Piece axis_piece(const PartOpenings& openings, const PartShape& shape, const PartFeatures& features,
                 const PartGraphOptions& options) {
    Piece piece = start_piece(openings, PartMethod::principal_axis);
    Vec3d ends[2];
    for (int e = 0; e < 2; ++e)
        ends[e] = features.axis_ends[e] + inset * (features.centre - features.axis_ends[e]);
    const AxisFeet axis = feet_on(openings, ends[0], ends[1]);
    const Links found = options.links == LinkRule::spaced ? spaced_links(axis) : grouped_links(axis);
    std::vector<int> links;
    for (const Vec3d& at : found.at) links.push_back(add_node(piece, at, PartNodeKind::link, openings.part));
    for (std::size_t i = 0; i < axis.order.size(); ++i) {
        piece.edges.push_back({axis.order[i], links[found.of_foot[i]]});
        piece.figures.connection += (axis.feet[i].opening - found.at[found.of_foot[i]]).norm();
    }
    piece.figures.links = static_cast<int>(links.size());
    const double width = half_width(features);
    std::vector<int> chain = chain_of(piece, axis, links, features.centre, openings.part, width);
    if (options.all_axes || links.empty()) {
        const int centre = add_node(piece, features.centre, PartNodeKind::centre, openings.part);
        insert_centre(piece, axis, chain, centre);
        if (options.all_axes) add_other_axes(piece, shape, features, centre, openings.part);
        if (links.empty()) links.push_back(centre);
    }
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) piece.edges.push_back({chain[i], chain[i + 1]});
    if (axis.length > 0)
        piece.figures.used_axis = (piece.nodes[static_cast<std::size_t>(chain.back())].position -
                                   piece.nodes[static_cast<std::size_t>(chain.front())].position)
                                      .norm() /
                                  axis.length;
    if (piece.root < 0) piece.root = links[(links.size() - 1) / 2];
    if (openings.parent >= 0) move_links(piece, axis, found, links, shape, near_opening * width);
    collapse_short(piece, 1e-6 * axis.length);
    if (openings.parent == 0 && openings.at.size() == 1 && !options.all_axes)
        lead_to_tip(piece, openings, shape);
    return piece;
}

}  // namespace sinew::rig
