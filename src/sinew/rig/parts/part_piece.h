#pragma once
/// \file
/// The piece of a skeleton graph inside one part.

#include <span>

#include "sinew/rig/parts/part_graph.h"

namespace sinew::rig {

/// Openings of a part: the nodes that it shares with its neighbours.
struct PartOpenings {
    int part = -1;
    int parent = -1;         ///< place in `at` of the opening to the parent, or -1
    std::vector<Vec3d> at;   ///< middles, the parent's first, then by child
    std::vector<int> child;  ///< part beyond each; -1 for the parent's
};
std::vector<PartOpenings> openings_of_parts(const geometry::PartTree& tree);

/// Nodes 0 .. openings-1 are the openings; `root` is where the way from the parent starts, or the root point.
struct Piece {
    std::vector<PartNode> nodes;
    std::vector<std::array<int, 2>> edges;
    int root = -1;
    PartPiece figures;
};

Piece opening_piece(const PartOpenings& openings, const geometry::PartShape* shape,
                    const PartGraphOptions& options);
Piece centroid_piece(const PartOpenings& openings, const geometry::PartFeatures& features);
Piece axis_piece(const PartOpenings& openings, const geometry::PartShape& shape,
                 const geometry::PartFeatures& features, const PartGraphOptions& options);

/// The piece of a leaf whose nodes end before 0.85 of the distance from its opening to its farthest point
/// becomes the bone to its tip, or two where that bends; stays when these would leave the part.
void lead_to_tip(Piece& piece, const PartOpenings& openings, const geometry::PartShape& shape);

/// Edges shorter than `shortest` vanish: their ends become one node, openings before links before others; two
/// openings never become one.
void collapse_short(Piece& piece, double shortest);

}  // namespace sinew::rig
