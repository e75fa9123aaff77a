// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Segmentation of a mesh into anatomical parts, the tree of the parts, and a skeleton from them.
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
    skeleton,  ///< by the joints of a curve skeleton; also finds joints where a straight limb shows none
    diameter,  ///< by thickness (shape-diameter function; Shapira, Shamir and Cohen-Or 2008)
};
std::string_view name_of(SegmentMethod method);

struct SegmentationOptions {
    SegmentMethod method = SegmentMethod::skeleton;
    double min_area = 0.005;  ///< fraction of the surface; smaller parts are merged with neighbours
    double band = 1;  ///< how far a cut may move to a better position, in multiples of its radius; 0 keeps it
    int rays = 25;    ///< rays per face, for `diameter`
    int levels = 4;   ///< levels of thickness, for `diameter`
    /// Segment a body of several shells by its visible outer volume, so that a part may have pieces in many
    /// shells. Use false for rigid parts with closed joints, which need connected parts.
    bool across_shells = false;
};

struct Segmentation {
    std::vector<int> part_of;        ///< part of each triangle
    std::vector<std::string> names;  ///< named after joints when their roles are known
    model::Skeleton guide;           ///< skeleton that guided the cuts; empty for `diameter`
    std::vector<int> parents;        ///< parent of each part, -1 for the root; empty without a rig or shells
    bool across_shells = false;      ///< parts have pieces in several shells and need not touch
    double seconds = 0;

    std::size_t part_count() const { return names.size(); }
};

/// Segments a mesh. Every part is connected through edges. Shells that are separate from the largest belong
/// to the nearest part, unless `across_shells` is set. Parts touch only their parents and children, each
/// along one line. The result does not depend on the thread count.
/// \param mesh any mesh with triangles
/// \param options method and limits
/// \param monitor receives progress and warnings
/// \return the part of each triangle and the names of the parts
/// \throws Error when the mesh has no extent
Segmentation segment(const geometry::Mesh& mesh, const SegmentationOptions& options = {},
                     Monitor& monitor = silent());

/// Segments a rigged character by the joint with the largest weight on each face. Small parts are merged as
/// above; parts are named after the joints.
/// \throws Error when the character has no skin or no triangles
Segmentation segment(const model::Character& character, const SegmentationOptions& options = {},
                     Monitor& monitor = silent());

/// The tree of the parts. With a rig it follows the joints where parts touch (see
/// geometry::wanted_part_tree), otherwise it is found automatically. Parts across shells follow the
/// segmentation, without openings.
geometry::PartTree segment_tree(const geometry::CutMesh& cut, const Segmentation& segmentation,
                                Monitor& monitor = silent());

/// The mesh with triangles sorted by part and the parts named.
geometry::Mesh with_parts(const geometry::Mesh& mesh, const std::vector<int>& part_of,
                          const std::vector<std::string>& names);

// --- A mesh as a tree of parts: its own parts if it has them, otherwise those of a segmentation

struct PartBody {
    geometry::CutMesh cut;
    geometry::PartTree tree;
    bool automatic = false;  ///< the mesh was segmented automatically
    std::vector<std::optional<model::JointLimits>>
        limits;  ///< joint limits per part, from a given hierarchy; may be empty
};

struct PartBodyOptions {
    const model::Skeleton* hierarchy = nullptr;  ///< names and limits, as read from a .skel file; may be null
    SegmentationOptions segmentation;
};

/// Parts and tree of a mesh. A given hierarchy must match the parts of the mesh. Without one, parts that are
/// not connected are replaced by an automatic segmentation (warning `parts-automatic`); a mesh without parts
/// is segmented without a warning.
/// \throws Error as `join_hierarchy` and geometry::part_tree, and when the mesh has no triangles
PartBody part_body(const geometry::Mesh& mesh, const PartBodyOptions& options = {},
                   Monitor& monitor = silent());

/// A hierarchy of names, as read from a .skel file, matched with the parts of a mesh.
struct PartHierarchy {
    std::vector<int> parents;        ///< parent of each part of the mesh; -1 for the root
    std::vector<int> joint_of_part;  ///< joint of the hierarchy for each part
    std::vector<std::optional<model::JointLimits>> limits;  ///< joint limits of each part
};

/// Matches parts and joints by name, ignoring case.
/// \throws Error that lists the names that only one side has and suggests a correction; also for several
/// roots, and for names that differ only in case
PartHierarchy join_hierarchy(const geometry::CutMesh& cut, const model::Skeleton& hierarchy);

// --- A skeleton from parts (Vasilakis 2008)

enum class PartMethod : std::uint8_t {
    opening,   ///< connects root points to openings; fast, but bones may leave the part, and leaf parts have
               ///< no bone
    centroid,  ///< connects openings to kernel centroids; cannot represent crossing limbs
    principal_axis,  ///< connects openings to links on the principal axis
    automatic,       ///< for each part the method whose bones are most inside
};
std::string_view name_of(PartMethod method);

/// Positions of the links on the principal axis.
enum class LinkRule : std::uint8_t {
    grouped,  ///< nearby openings share one link
    spaced,   ///< evenly spaced along the whole axis (Lien, Keyser and Amato 2006)
};

/// How the axes of a part are rotated towards its openings.
enum class LocalRefinement : std::uint8_t {
    off,
    sequential,  ///< one weighted rotation after the other
    procrustes,  ///< one rotation that fits all openings best (weighted; Kabsch 1976)
};

struct PartGraphOptions {
    PartMethod method = PartMethod::principal_axis;
    bool all_axes = false;  ///< also add the ends of the two other axes, connected at the centre
    LinkRule links = LinkRule::grouped;
};

inline constexpr double unlimited_angle = std::numeric_limits<double>::infinity();

struct PartRefineOptions {
    LocalRefinement local = LocalRefinement::sequential;
    bool parent = true;  ///< also rotate axes towards those of the parent part
    double max = math::radians(
        20.0);  ///< largest rotation towards openings in radians; openings beyond it are ignored
    double max_parent = math::radians(20.0);  ///< the same towards the parent; see unlimited_angle
};

struct PartSkeletonOptions {
    PartGraphOptions graph;
    PartRefineOptions refine;
};

enum class PartNodeKind : std::uint8_t {
    root,      ///< root point of the root part, unless it is one of the others
    opening,   ///< centre of the opening between a part and its parent: the joint of the part
    link,      ///< point on the axis of a part where openings are connected
    axis_end,  ///< end of the principal axis
    centre,    ///< kernel centroid or its substitute
    extra_end  ///< end of another axis
};

struct PartNode {
    Vec3d position = Vec3d::Zero();
    PartNodeKind kind = PartNodeKind::link;
    int part = -1;
};

/// Graph of the skeleton; a single tree.
struct PartGraph {
    std::vector<PartNode> nodes;
    std::vector<std::array<int, 2>> edges;
    int root = -1;
    std::vector<int> node_of_part;  ///< root point of each part
};

/// Measures of one part's piece of the skeleton.
struct PartPiece {
    PartMethod method = PartMethod::principal_axis;
    int links = 0;
    double connection = 0;  ///< total length of the paths from the openings to their links
    double used_axis = 0;   ///< fraction of the axis that the chain covers
    double inside = 1;      ///< fraction of the length that is inside the part; only for `automatic`
};

/// Wall time in seconds.
struct PartTimes {
    double features = 0;  ///< hulls, kernels and boxes
    double refine = 0;
    double graph = 0;
};

struct PartSkeleton {
    model::Skeleton skeleton;
    std::vector<int> joint_of_part;  ///< joint that moves the part: at its opening, or the root point
    PartGraph graph;
    std::vector<PartPiece> pieces;                 ///< by part index
    std::vector<geometry::PartFeatures> features;  ///< by part index, before refinement; empty for `opening`
    std::vector<geometry::PartFeatures> refinement;  ///< after refinement
    PartTimes seconds;
};

/// Builds a skeleton from parts. Joints are at the nodes of the graph and named after their parts. A node at
/// the end of a part that is the only node below another becomes the tip of that joint.
/// \param cut the mesh in parts
/// \param tree parent and opening of each part
/// \param options method and refinement
/// \param monitor receives progress and warnings
PartSkeleton part_skeleton(const geometry::CutMesh& cut, const geometry::PartTree& tree,
                           const PartSkeletonOptions& options = {}, Monitor& monitor = silent());

}  // namespace sinew::rig
