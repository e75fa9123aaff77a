#pragma once
/// \file
/// The skeleton of a cut mesh as a graph of points, before it becomes joints.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sinew/geometry/part_shape.h"
#include "sinew/rig/parts/grouping.h"

namespace sinew::rig {

enum class PartNodeKind : std::uint8_t {
    root,      ///< root point of the root part, when it is none of the others
    opening,   ///< middle of the opening between a part and its parent: the joint of the part
    link,      ///< on the axis of a part, where openings join it
    axis_end,  ///< end of the principal axis
    centre,    ///< kernel centroid, or what stands for it
    extra_end  ///< end of another axis, or of a leaf of the opening method
};
std::string_view name_of(PartNodeKind kind);

struct PartNode {
    Vec3d position = Vec3d::Zero();
    PartNodeKind kind = PartNodeKind::link;
    int part = -1;
};

/// A single tree.
struct PartGraph {
    std::vector<PartNode> nodes;
    std::vector<std::array<int, 2>> edges;
    int root = -1;
    std::vector<int> node_of_part;  ///< the root point of each part
};

enum class PartMethod : std::uint8_t {
    opening,         ///< root points to openings: fast, may leave the part, leaves have no bone
    centroid,        ///< openings to kernel centroids: cannot express crosses
    principal_axis,  ///< openings to links on the principal axis
    automatic,       ///< for each part the one whose bones are most inside
};
std::string_view name_of(PartMethod method);

enum class LinkRule : std::uint8_t {
    grouped,  ///< links where grouping puts them
    spaced,   ///< evenly along the whole axis (Lien, Keyser and Amato 2006)
};
enum class RootLink : std::uint8_t { middle, nearest };

struct PartGraphOptions {
    PartMethod method = PartMethod::principal_axis;
    bool all_axes = false;    ///< also the ends of the two other axes, which meet in the centre
    bool leaf_bones = false;  ///< of the opening method: from the opening to the farthest vertex
    LinkRule links = LinkRule::grouped;
    double least_link = 0.25;  ///< of the axis: distance of evenly spaced links
    RootLink root_link = RootLink::middle;
    GroupingOptions grouping;
    /// Ends of axes move in by this part of the way to the centre, because the surface is not inside.
    double inset = 0.05;
    /// Of half the width of a part across its axis: shorter ends of the axis beyond its links are no bones,
    /// and three times that between two openings; a leaf keeps the longer. 0 is the source's behaviour.
    double least_spur = 1;
    /// Of the same, in other parts than the root: a link that only one opening takes, and that is nearer to
    /// it, moves there, because a limb goes straight from joint to joint; and that of a leaf, when the bone
    /// from its opening to its tip stays inside. 0 is the source's behaviour.
    double near_opening = 0.75;
};

/// What can be said about one part's piece.
struct PartPiece {
    PartMethod method = PartMethod::principal_axis;
    int links = 0;
    double connection = 0;  ///< length of the ways from the openings to their links
    double used_axis = 0;   ///< part of the axis that the chain covers
    double inside = 1;      ///< part of the length that is inside the part; of `automatic` only
};

struct PartGraphResult {
    PartGraph graph;
    std::vector<PartPiece> pieces;  ///< by part
};

/// Shapes and features are not looked at by the opening method, and may be empty then but for the root's
/// shape.
PartGraphResult part_graph(const geometry::CutMesh& cut, const geometry::PartTree& tree,
                           const std::vector<geometry::PartShape>& shapes,
                           const std::vector<geometry::PartFeatures>& features,
                           const PartGraphOptions& options = {});

/// Length of a segment inside a closed surface, as part of it.
double inside_part(const geometry::PartSurface& surface, const Vec3d& a, const Vec3d& b);

}  // namespace sinew::rig
