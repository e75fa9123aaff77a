// SPDX-License-Identifier: MIT
#include "sinew/rig/parts/face_graph.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace sinew::rig {
namespace {

using geometry::Edge;
using geometry::EdgeTable;

FaceLink link_of(const FaceGraph& graph, const geometry::CutMesh& surface, const Edge& edge, std::uint32_t a,
                 std::uint32_t b) {
    FaceLink link{a, b, (surface.points[edge.a] - surface.points[edge.b]).norm(), 0};
    const Vec3d &m = graph.normals[a], &n = graph.normals[b];
    const double angle = std::atan2(m.cross(n).norm(), m.dot(n));
    // Concave where the other face rises above the plane of the first.
    link.bend = m.dot(graph.middles[b] - graph.middles[a]) > 0 ? angle : -angle;
    return link;
}

geometry::Rows links_of_faces(const FaceGraph& graph) {
    geometry::Rows rows;
    rows.offsets.assign(graph.size() + 1, 0);
    for (const FaceLink& link : graph.links) {
        ++rows.offsets[link.a + 1];
        ++rows.offsets[link.b + 1];
    }
    std::partial_sum(rows.offsets.begin(), rows.offsets.end(), rows.offsets.begin());
    rows.items.resize(2 * graph.links.size());
    std::vector<std::uint32_t> next(rows.offsets.begin(), rows.offsets.end() - 1);
    for (std::uint32_t l = 0; l < graph.links.size(); ++l) {
        rows.items[next[graph.links[l].a]++] = l;
        rows.items[next[graph.links[l].b]++] = l;
    }
    return rows;
}

/// The label on the other side of most of a piece's border; -1 without a border.
int strongest_neighbour(const FaceGraph& graph, const std::vector<int>& labels,
                        const std::vector<std::uint32_t>& faces, const LabelPieces& pieces) {
    std::map<int, double> border;
    for (const std::uint32_t f : faces)
        for (const std::uint32_t l : graph.around[f]) {
            const std::uint32_t other = graph.across(l, f);
            if (pieces.of_face[other] != pieces.of_face[f]) border[labels[other]] += graph.links[l].length;
        }
    int best = -1;
    double longest = -1;
    for (const auto& [label, length] : border) {
        if (length <= longest) continue;
        best = label;
        longest = length;
    }
    return best;
}

/// Areas of a shell in the labels of the largest, and its position.
struct ShellVotes {
    std::map<int, double> area;
    Vec3d weighted_sum = Vec3d::Zero();
    double weight = 0;
};

/// The label of most of a shell, or of the face of the largest shell that is nearest to its middle.
int shell_label(const FaceGraph& graph, const std::vector<int>& labels, const LabelPieces& shells,
                int largest, const ShellVotes& votes) {
    if (!votes.area.empty())
        return std::max_element(votes.area.begin(), votes.area.end(),
                                [](const auto& x, const auto& y) { return x.second < y.second; })
            ->first;
    const Vec3d middle = votes.weighted_sum / std::max(votes.weight, 1e-300);
    double nearest = std::numeric_limits<double>::infinity();
    int label = 0;
    for (std::size_t f = 0; f < graph.size(); ++f) {
        const double distance = (graph.middles[f] - middle).squaredNorm();
        if (shells.of_face[f] != largest || distance >= nearest) continue;
        nearest = distance;
        label = labels[f];
    }
    return label;
}

/// Every shell except the largest gets one label, which also occurs on the largest.
void unify_shells(const FaceGraph& graph, std::vector<int>& labels) {
    const LabelPieces shells = label_pieces(graph, std::vector<int>(graph.size(), 0));
    if (shells.areas.size() < 2) return;
    const auto largest =
        static_cast<int>(std::max_element(shells.areas.begin(), shells.areas.end()) - shells.areas.begin());
    std::set<int> known;
    for (std::size_t f = 0; f < graph.size(); ++f)
        if (shells.of_face[f] == largest) known.insert(labels[f]);
    std::vector<ShellVotes> votes(shells.areas.size());
    for (std::size_t f = 0; f < graph.size(); ++f) {
        ShellVotes& own = votes[static_cast<std::size_t>(shells.of_face[f])];
        if (known.contains(labels[f])) own.area[labels[f]] += graph.areas[f];
        own.weighted_sum += graph.areas[f] * graph.middles[f];
        own.weight += graph.areas[f];
    }
    std::vector<int> choice;
    for (const ShellVotes& own : votes) choice.push_back(shell_label(graph, labels, shells, largest, own));
    for (std::size_t f = 0; f < graph.size(); ++f)
        if (shells.of_face[f] != largest) labels[f] = choice[static_cast<std::size_t>(shells.of_face[f])];
}

struct BorderSum {
    double length = 0;
    Vec3d weighted_sum = Vec3d::Zero();
    double distance = 0;
};

}  // namespace

FaceGraph face_graph(const geometry::CutMesh& surface) {
    FaceGraph graph;
    for (const auto& [a, b, c] : surface.triangles) {
        const Vec3d &p = surface.points[a], &q = surface.points[b], &r = surface.points[c];
        const Vec3d across = (q - p).cross(r - p);
        graph.middles.push_back((p + q + r) / 3);
        graph.areas.push_back(across.norm() / 2);
        graph.normals.push_back(across.norm() > 0 ? Vec3d(across.normalized()) : Vec3d(Vec3d::Zero()));
        graph.area += graph.areas.back();
    }
    const EdgeTable table = geometry::edge_table(surface.triangles);
    for (const Edge& edge : table.edges) {
        const auto around = table.around(edge);
        for (std::size_t i = 0; i + 1 < around.size(); ++i)
            graph.links.push_back(link_of(graph, surface, edge, around[i], around[i + 1]));
    }
    graph.around = links_of_faces(graph);
    return graph;
}

LabelPieces label_pieces(const FaceGraph& graph, const std::vector<int>& labels) {
    LabelPieces pieces;
    pieces.of_face.assign(graph.size(), -1);
    std::vector<std::uint32_t> queue;
    for (std::uint32_t start = 0; start < graph.size(); ++start) {
        if (pieces.of_face[start] >= 0) continue;
        const auto piece = static_cast<int>(pieces.label.size());
        pieces.label.push_back(labels[start]);
        pieces.areas.push_back(0);
        pieces.of_face[start] = piece;
        queue.assign(1, start);
        for (std::size_t i = 0; i < queue.size(); ++i) {
            pieces.areas.back() += graph.areas[queue[i]];
            for (const std::uint32_t l : graph.around[queue[i]]) {
                const std::uint32_t next = graph.across(l, queue[i]);
                if (pieces.of_face[next] >= 0 || labels[next] != labels[start]) continue;
                pieces.of_face[next] = piece;
                queue.push_back(next);
            }
        }
    }
    return pieces;
}

void absorb_islands(const FaceGraph& graph, std::vector<int>& labels) {
    unify_shells(graph, labels);
    const LabelPieces pieces = label_pieces(graph, labels);
    std::map<int, int> main_piece;
    for (std::size_t p = 0; p < pieces.label.size(); ++p) {
        const auto [at, fresh] = main_piece.try_emplace(pieces.label[p], static_cast<int>(p));
        if (!fresh && pieces.areas[p] > pieces.areas[static_cast<std::size_t>(at->second)])
            at->second = static_cast<int>(p);
    }
    std::vector<std::vector<std::uint32_t>> faces(pieces.label.size());
    for (std::uint32_t f = 0; f < graph.size(); ++f)
        faces[static_cast<std::size_t>(pieces.of_face[f])].push_back(f);
    std::vector<std::size_t> order(pieces.label.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t x, std::size_t y) { return pieces.areas[x] < pieces.areas[y]; });
    for (const std::size_t p : order) {
        if (main_piece[pieces.label[p]] == static_cast<int>(p)) continue;
        const int label = strongest_neighbour(graph, labels, faces[p], pieces);
        if (label < 0) continue;
        for (const std::uint32_t f : faces[p]) labels[f] = label;
    }
}

std::vector<std::vector<LabelBorder>> label_borders(const FaceGraph& graph, const std::vector<int>& labels,
                                                    std::size_t label_count) {
    std::map<std::array<int, 2>, BorderSum> sums;
    for (const bool second : {false, true}) {
        for (const FaceLink& link : graph.links) {
            const auto [a, b] = std::minmax(labels[link.a], labels[link.b]);
            if (a == b) continue;
            BorderSum& sum = sums[{a, b}];
            const Vec3d at = (graph.middles[link.a] + graph.middles[link.b]) / 2;
            if (second) {
                sum.distance += link.length * (at - sum.weighted_sum / sum.length).norm();
            } else {
                sum.length += link.length;
                sum.weighted_sum += link.length * at;
            }
        }
    }
    std::vector<std::vector<LabelBorder>> borders(label_count);
    for (const auto& [pair, sum] : sums) {
        const double radius = sum.length > 0 ? sum.distance / sum.length : 0;
        const Vec3d middle = sum.weighted_sum / std::max(sum.length, 1e-300);
        borders[static_cast<std::size_t>(pair[0])].push_back({pair[1], sum.length, radius, middle});
        borders[static_cast<std::size_t>(pair[1])].push_back({pair[0], sum.length, radius, middle});
    }
    for (auto& list : borders)
        std::sort(list.begin(), list.end(),
                  [](const LabelBorder& x, const LabelBorder& y) { return x.neighbour < y.neighbour; });
    return borders;
}

std::vector<int> pack_labels(std::vector<int>& labels) {
    std::vector<int> old(labels.begin(), labels.end());
    std::sort(old.begin(), old.end());
    old.erase(std::unique(old.begin(), old.end()), old.end());
    for (int& label : labels)
        label = static_cast<int>(std::lower_bound(old.begin(), old.end(), label) - old.begin());
    return old;
}

namespace {

struct Size {
    double area = 0;
    double length = 0;  ///< over thickness
};

/// A part is modelled as a tube: area = length x girth, thickness = girth / pi.
Size size_of(double area, const std::vector<LabelBorder>& borders) {
    double girth = 0;
    for (const LabelBorder& b : borders)
        girth += 2 * math::pi * b.radius / static_cast<double>(borders.size());
    return {area, girth > 0 ? math::pi * area / (girth * girth) : 1e9};
}

std::vector<double> areas_of(const FaceGraph& graph, const std::vector<int>& labels, std::size_t count) {
    std::vector<double> areas(count, 0);
    for (std::size_t f = 0; f < graph.size(); ++f)
        areas[static_cast<std::size_t>(labels[f])] += graph.areas[f];
    return areas;
}

const LabelBorder& longest(const std::vector<LabelBorder>& borders) {
    return *std::max_element(borders.begin(), borders.end(),
                             [](const auto& x, const auto& y) { return x.length < y.length; });
}

/// Whether a label shares much of its border with a second neighbour that touches the first (longest border).
bool is_patch(const std::vector<std::vector<LabelBorder>>& borders, std::size_t label, double min_share) {
    if (borders[label].size() < 3) return false;  // an end of a limb, with any neighbours
    const LabelBorder& max = longest(borders[label]);
    double all = 0;
    for (const LabelBorder& border : borders[label]) all += border.length;
    const auto touches = [&](int neighbour) {
        const auto& around = borders[static_cast<std::size_t>(max.neighbour)];
        return std::any_of(around.begin(), around.end(),
                           [&](const LabelBorder& b) { return b.neighbour == neighbour; });
    };
    return std::any_of(borders[label].begin(), borders[label].end(), [&](const LabelBorder& border) {
        return border.neighbour != max.neighbour && border.length >= min_share * all &&
               touches(border.neighbour);
    });
}

/// Whether one of the twins of a label stays.
bool has_large_twin(const std::vector<int>& twins, const std::vector<double>& areas,
                    const std::vector<char>& stays, std::size_t label) {
    if (label >= twins.size() || twins[label] < 0) return false;
    for (std::size_t l = 0; l < twins.size() && l < stays.size(); ++l)
        if (l != label && twins[l] == twins[label] && areas[l] > 0 && stays[l] != 0) return true;
    return false;
}

}  // namespace

void join_small(const FaceGraph& graph, std::vector<int>& labels, double min_area, double min_length,
                double min_trunk) {
    const auto count = static_cast<std::size_t>(*std::max_element(labels.begin(), labels.end())) + 1;
    for (std::size_t round = 0; round < count; ++round) {
        const std::vector<double> areas = areas_of(graph, labels, count);
        const auto borders = label_borders(graph, labels, count);
        int smallest = -1;
        for (std::size_t l = 0; l < count; ++l) {
            if (borders[l].empty()) continue;
            const Size size = size_of(areas[l], borders[l]);
            const bool too_short = size.length < (borders[l].size() < 3 ? min_length : min_trunk);
            if (!too_short && size.area >= min_area * graph.area) continue;
            if (smallest < 0 || areas[l] < areas[static_cast<std::size_t>(smallest)])
                smallest = static_cast<int>(l);
        }
        if (smallest < 0) return;
        std::replace(labels.begin(), labels.end(), smallest,
                     longest(borders[static_cast<std::size_t>(smallest)]).neighbour);
    }
}

void join_patches(const FaceGraph& graph, std::vector<int>& labels, double min_share) {
    const auto count = static_cast<std::size_t>(*std::max_element(labels.begin(), labels.end())) + 1;
    for (std::size_t round = 0; round < count; ++round) {
        const std::vector<double> areas = areas_of(graph, labels, count);
        const auto borders = label_borders(graph, labels, count);
        int smallest = -1;
        for (std::size_t l = 0; l < count; ++l) {
            if (!is_patch(borders, l, min_share)) continue;
            if (smallest < 0 || areas[l] < areas[static_cast<std::size_t>(smallest)])
                smallest = static_cast<int>(l);
        }
        if (smallest < 0) return;
        std::replace(labels.begin(), labels.end(), smallest,
                     longest(borders[static_cast<std::size_t>(smallest)]).neighbour);
    }
}

void join_leaves(const FaceGraph& graph, std::vector<int>& labels, double min_area, double min_reach,
                 const std::vector<int>& twins) {
    const auto count = static_cast<std::size_t>(*std::max_element(labels.begin(), labels.end())) + 1;
    for (std::size_t round = 0; round < count; ++round) {
        const auto borders = label_borders(graph, labels, count);
        std::vector<double> areas(count, 0), reach(count, 0);
        for (std::size_t f = 0; f < graph.size(); ++f) {
            const auto l = static_cast<std::size_t>(labels[f]);
            areas[l] += graph.areas[f];
            if (borders[l].size() == 1)
                reach[l] = std::max(reach[l], (graph.middles[f] - borders[l].front().middle).norm());
        }
        std::vector<char> stays(count, 1);
        for (std::size_t l = 0; l < count; ++l) {
            if (borders[l].size() != 1) continue;
            const LabelBorder& border = borders[l].front();
            const bool too_short = reach[l] < min_reach * 2 * border.radius;
            if (!too_short && areas[l] >= min_area * graph.area) continue;
            stays[l] = areas[l] > areas[static_cast<std::size_t>(border.neighbour)] ? 1 : 0;
        }
        int smallest = -1;
        for (std::size_t l = 0; l < count; ++l) {
            if (stays[l] != 0 || has_large_twin(twins, areas, stays, l)) continue;
            if (smallest < 0 || areas[l] < areas[static_cast<std::size_t>(smallest)])
                smallest = static_cast<int>(l);
        }
        if (smallest < 0) return;
        std::replace(labels.begin(), labels.end(), smallest,
                     borders[static_cast<std::size_t>(smallest)].front().neighbour);
    }
}

}  // namespace sinew::rig
