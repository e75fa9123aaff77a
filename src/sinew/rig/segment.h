// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Parts of a body: a mesh cut into the parts that a person would name, the tree of these parts, and a
/// skeleton from them.
///
/// \code
/// const rig::Segmentation parts = rig::segment(mesh);           // parts.names, parts.part_of
/// const geometry::Mesh grouped = rig::with_parts(mesh, parts.part_of, parts.names);
///
/// const rig::PartBody body = rig::part_body(grouped);           // parts and their tree
/// const model::Skeleton skeleton = rig::part_skeleton(body.cut, body.tree).skeleton;
/// \endcode

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/geometry/cut_mesh.h"
#include "sinew/geometry/part_shape.h"
#include "sinew/model/character.h"

namespace sinew::rig {

using math::Vec3d;

// --- Cutting a mesh into parts

enum class SegmentMethod : std::uint8_t {
    skeleton,  ///< by the joints of a curve skeleton: also where a straight limb shows no joint
    diameter,  ///< by how thick the body is (shape-diameter function; Shapira, Shamir and Cohen-Or 2008)
};
std::string_view name_of(SegmentMethod method);

struct SegmentationOptions {
    SegmentMethod method = SegmentMethod::skeleton;
    double min_area = 0.005;  ///< of the surface: smaller parts join their neighbours
    double band = 1;  ///< of the radius of a cut: how far it may move to a better position; 0 leaves it
    int rays = 25;    ///< a face, of `diameter`
    int levels = 4;   ///< of thickness, of `diameter`
    /// A body of several shells is cut by its visible outer volume, and a part may have pieces in many of
    /// them. Rigid parts whose joints close need parts in one piece: false.
    bool across_shells = false;
};

struct Segmentation {
    std::vector<int> part_of;        ///< of each triangle
    std::vector<std::string> names;  ///< after the joints where their roles are known
    model::Skeleton guide;           ///< that the mesh was cut by; empty for `diameter`
    std::vector<int> parents;        ///< of each part, -1 for the root; empty without a rig or shells
    bool across_shells = false;      ///< parts have pieces in several shells and need not touch
    double seconds = 0;

    std::size_t part_count() const { return names.size(); }
};

/// Every part is connected over edges; shells that are not connected with the largest belong to the part
/// that is nearest to them, unless parts may go across shells. Parts meet only their parents and children,
/// each in one line. The same for every thread count.
/// \param mesh any mesh with triangles
/// \param options method and limits
/// \param monitor progress and warnings
/// \return the part of each triangle and the names of the parts
/// \throws Error when the mesh has no extent.
Segmentation segment(const geometry::Mesh& mesh, const SegmentationOptions& options = {},
                     Monitor& monitor = silent());

/// By the joint with most weight on each face of a character that has a rig; small parts join as above, and
/// names are those of the joints.
/// \throws Error when the character has no skin or no triangles.
Segmentation segment(const model::Character& character, const SegmentationOptions& options = {},
                     Monitor& monitor = silent());

/// The tree of the parts: as the rig has it where its parts touch (see geometry::wanted_part_tree), without a
/// rig the automatic one. Of parts across shells, as the segmentation says, without openings.
geometry::PartTree segment_tree(const geometry::CutMesh& cut, const Segmentation& segmentation,
                                Monitor& monitor = silent());

/// The mesh with its triangles sorted by part, each part under its name.
geometry::Mesh with_parts(const geometry::Mesh& mesh, const std::vector<int>& part_of,
                          const std::vector<std::string>& names);

// --- A mesh as a tree of parts: its own parts where it has them, otherwise those that it is cut into

struct PartBody {
    geometry::CutMesh cut;
    geometry::PartTree tree;
    bool automatic = false;                                 ///< the mesh was cut here
    std::vector<std::optional<model::JointLimits>> limits;  ///< by part, of a given hierarchy; or empty
};

struct PartBodyOptions {
    const model::Skeleton* hierarchy = nullptr;  ///< names and limits, as a .skel file gives them
    SegmentationOptions segmentation;
};

/// A given hierarchy must fit the parts of the mesh. Without one, parts that are not connected are given
/// up for an automatic cut, with the warning `parts-automatic`; a mesh in one piece is cut without a warning.
/// \throws Error of `join_hierarchy` and of geometry::part_tree, and when the mesh has no triangles.
PartBody part_body(const geometry::Mesh& mesh, const PartBodyOptions& options = {},
                   Monitor& monitor = silent());

/// A hierarchy of names, as a .skel file gives it, joined with the parts of a mesh.
struct PartHierarchy {
    std::vector<int> parents;                               ///< of each part of the mesh, -1 for the root
    std::vector<int> joint_of_part;                         ///< joint of the hierarchy
    std::vector<std::optional<model::JointLimits>> limits;  ///< of each part
};

/// Names match whatever their case is.
/// \throws Error that names the parts that only one side has, and what to do; on several roots; when two
///     parts or two joints have the same name but for its case.
PartHierarchy join_hierarchy(const geometry::CutMesh& cut, const model::Skeleton& hierarchy);

// --- A skeleton from parts (Vasilakis 2008)

enum class PartMethod : std::uint8_t {
    opening,         ///< root points to openings: fast, may leave the part, leaves have no bone
    centroid,        ///< openings to kernel centroids: cannot express crosses
    principal_axis,  ///< openings to links on the principal axis
    automatic,       ///< for each part the one whose bones are most inside
};
std::string_view name_of(PartMethod method);

/// Positions of the links on the principal axis.
enum class LinkRule : std::uint8_t {
    grouped,  ///< where openings that are near each other share one
    spaced,   ///< evenly along the whole axis (Lien, Keyser and Amato 2006)
};

/// How the axes of a part follow its openings.
enum class LocalRefinement : std::uint8_t {
    off,
    sequential,  ///< one weighted rotation after the other
    procrustes,  ///< one rotation that fits all openings best (weighted; Kabsch 1976)
};

struct PartGraphOptions {
    PartMethod method = PartMethod::principal_axis;
    bool all_axes = false;  ///< also the ends of the two other axes, which meet in the centre
    LinkRule links = LinkRule::grouped;
};

inline constexpr double unlimited_angle = std::numeric_limits<double>::infinity();

struct PartRefineOptions {
    LocalRefinement local = LocalRefinement::sequential;
    bool parent = true;                       ///< axes also rotate towards those of the parent part
    double max = math::radians(20.0);         ///< rotation towards openings; farther ones are ignored
    double max_parent = math::radians(20.0);  ///< the same towards the parent; see unlimited_angle
};

struct PartSkeletonOptions {
    PartGraphOptions graph;
    PartRefineOptions refine;
};

enum class PartNodeKind : std::uint8_t {
    root,      ///< root point of the root part, when it is none of the others
    opening,   ///< middle of the opening between a part and its parent: the joint of the part
    link,      ///< on the axis of a part, where openings join it
    axis_end,  ///< end of the principal axis
    centre,    ///< kernel centroid, or its substitute
    extra_end  ///< end of another axis
};

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

/// What can be said about one part's piece of the skeleton.
struct PartPiece {
    PartMethod method = PartMethod::principal_axis;
    int links = 0;
    double connection = 0;  ///< length of the paths from the openings to their links
    double used_axis = 0;   ///< part of the axis that the chain covers
    double inside = 1;      ///< part of the length that is inside the part; of `automatic` only
};

/// Seconds by the clock on the wall.
struct PartTimes {
    double features = 0;  ///< hulls, kernels, boxes
    double refine = 0;
    double graph = 0;
};

struct PartSkeleton {
    model::Skeleton skeleton;
    std::vector<int> joint_of_part;  ///< that moves the part: at its opening, or the root point
    PartGraph graph;
    std::vector<PartPiece> pieces;                   ///< by part
    std::vector<geometry::PartFeatures> features;    ///< by part, before refinement; none of `opening`
    std::vector<geometry::PartFeatures> refinement;  ///< after it
    PartTimes seconds;
};

/// Joints are at the nodes of the graph and are named after their parts. A node at the end of a part that
/// is the only one below another becomes that joint's tip.
/// \param cut the mesh in parts
/// \param tree which part is attached to which
/// \param options method and refinement
/// \param monitor progress and warnings
PartSkeleton part_skeleton(const geometry::CutMesh& cut, const geometry::PartTree& tree,
                           const PartSkeletonOptions& options = {}, Monitor& monitor = silent());

}  // namespace sinew::rig
