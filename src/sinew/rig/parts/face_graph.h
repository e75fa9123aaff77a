// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Faces of a surface, their neighbours, and labels on them.

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/geometry/cut_mesh.h"
#include "sinew/geometry/topology.h"

namespace sinew::rig {
using math::Vec3d;

/// Two faces that share an edge.
struct FaceLink {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    double length = 0;  ///< of the edge
    double bend = 0;    ///< radians between the normals; positive where the surface is concave
};

struct FaceGraph {
    std::vector<Vec3d> middles;
    std::vector<Vec3d> normals;  ///< unit, or zero
    std::vector<double> areas;
    std::vector<FaceLink> links;
    geometry::Rows around;  ///< links of each face
    double area = 0;

    std::size_t size() const { return areas.size(); }
    std::uint32_t across(std::uint32_t link, std::uint32_t face) const {
        return links[link].a == face ? links[link].b : links[link].a;
    }
};

/// Of a welded surface; faces at an edge with more than two are linked one after the other.
FaceGraph face_graph(const geometry::CutMesh& surface);

/// Connected pieces of faces with the same label.
struct LabelPieces {
    std::vector<int> of_face;
    std::vector<int> label;     ///< of each piece
    std::vector<double> areas;  ///< of each piece
};
LabelPieces label_pieces(const FaceGraph& graph, const std::vector<int>& labels);

/// Of each label only the largest piece stays; others take the label on the other side of most of their
/// border, smallest first. A piece without a border, which is a whole shell, gets the most frequent label of
/// the shell, and joins faces with that label that it does not touch.
void absorb_islands(const FaceGraph& graph, std::vector<int>& labels);

/// Borders between labels: for each label its neighbours, in increasing order.
struct LabelBorder {
    int neighbour = -1;
    double length = 0;
    double radius = 0;  ///< mean distance from its middle, the same for a jagged and a straight line
    Vec3d middle = Vec3d::Zero();
};
std::vector<std::vector<LabelBorder>> label_borders(const FaceGraph& graph, const std::vector<int>& labels,
                                                    std::size_t label_count);

/// Labels from 0 on without gaps, in the order of the old ones; returns the old label of each.
std::vector<int> pack_labels(std::vector<int>& labels);

/// Labels with less area than `min_area` of all, and with less length between their borders than
/// `min_length` of their thickness, join the neighbour with the longest border, the smallest first. Trunks,
/// where three borders or more meet, must have `min_trunk` only.
void join_small(const FaceGraph& graph, std::vector<int>& labels, double min_area, double min_length,
                double min_trunk = 0);

/// Labels that are patches between two others that touch each other join the one with the longest border, the
/// smallest first: along limbs only two labels meet at a position. A patch shares at least `min_share` of its
/// border with the second of them, and has a third neighbour: the limb that starts there.
void join_patches(const FaceGraph& graph, std::vector<int>& labels, double min_share);

/// Labels with one neighbour that have less area than `min_area` of all, or reach less far from their border
/// than `min_reach` of its width, join that neighbour, the smallest first; of two labels the larger stays.
/// Labels with the same number in `twins`, other than -1, are twins: all stay when one of them does.
void join_leaves(const FaceGraph& graph, std::vector<int>& labels, double min_area, double min_reach,
                 const std::vector<int>& twins = {});

/// Borders move, within `band` of their radius, to where they are shortest and run through concave regions: a
/// minimum cut for each pair of neighbours. With the thickness of the body at each face, faces go to the
/// neighbour that is about as thick.
void smooth_borders(const FaceGraph& graph, std::vector<int>& labels, double band,
                    std::span<const double> thickness = {});

// --- Minimum cuts of graphs with two terminals.

/// The cheapest set of edges that separates the nodes held by one terminal from those held by the other
/// (Dinic 1970). Nodes are numbered from 0.
class MinCut {
  public:
    explicit MinCut(std::size_t nodes);

    /// The cost is the same in both directions.
    void add_edge(std::uint32_t a, std::uint32_t b, double capacity);
    /// Cost of the node on the second side, and on the first.
    void add_terminal(std::uint32_t node, double first, double second);

    /// Cost of the cut.
    double solve();
    /// After `solve`: whether a node is on the first side.
    bool on_first_side(std::uint32_t node) const { return level_[node] >= 0; }

  private:
    struct Arc {
        std::uint32_t to;
        std::uint32_t next;  ///< of the same node; the last has `none`
        double left;
    };
    static constexpr std::uint32_t none = 0xffffffff;

    void add_arcs(std::uint32_t a, std::uint32_t b, double there, double back);
    bool find_levels();
    double push();
    double augment(const std::vector<std::uint32_t>& path);

    std::uint32_t source_, sink_;
    std::vector<Arc> arcs_;  ///< pairs: arcs i and i ^ 1 have opposite directions
    std::vector<std::uint32_t> first_, current_;
    std::vector<int> level_;
    std::vector<std::uint32_t> queue_;
};

}  // namespace sinew::rig
