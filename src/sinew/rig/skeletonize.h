// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A skeleton for a mesh: one function, several methods, and how good the result is.
///
/// \code
/// const geometry::Mesh mesh = io::read("body.obj").character.mesh;
/// const rig::SkeletonizeResult found = rig::skeletonize(mesh);  // found.skeleton, found.reason
///
/// rig::SkeletonizeOptions options;  // with the joints of a motion
/// options.template_skeleton = io::read("walk.bvh").character.skeleton;
/// const model::Skeleton same = rig::skeletonize(mesh, options).skeleton;
/// \endcode

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/geometry/mesh.h"
#include "sinew/model/skeleton.h"
#include "sinew/rig/segment.h"

namespace sinew::rig {

using math::Vec3d;

// --- Curve skeletons: the centreline graph of a body, before joints are placed on it

/// A point of the curve and its distance to the surface.
struct CurveNode {
    Vec3d position = Vec3d::Zero();
    double radius = 0;
};

struct CurveSkeleton {
    std::vector<CurveNode> nodes;
    std::vector<std::array<int, 2>> edges;     ///< lower index first, sorted, without duplicates
    std::vector<std::int32_t> node_of_vertex;  ///< per vertex of the mesh the node it belongs to; -1 for none

    bool empty() const { return nodes.empty(); }
};

/// Converts the bones of a skeleton at rest to a curve.
/// \param skeleton its joints and tips become nodes
/// \param spacing largest distance between neighbouring nodes
/// \return a curve with radii 0
CurveSkeleton curve_of(const model::Skeleton& skeleton, double spacing);

// --- Quality of a curve without a reference

/// How well a curve is centred in a body. For each node e = |mean of the hits - node| / mean ray length, over
/// rays in the plane perpendicular to the curve; 0 means centred. Junctions and nodes whose rays mostly hit
/// nothing are excluded.
struct Centredness {
    double mean = 0;
    double p95 = 0;
    double max = 0;
    double limb_mean = 0;         ///< only nodes outside the spheres of the junctions
    std::size_t nodes = 0;        ///< number of measured nodes
    std::vector<double> of_node;  ///< e of each node; -1 where it was not measured
};

struct CurveTopology {
    int ends = 0;       ///< nodes with one edge
    int junctions = 0;  ///< nodes with three or more edges
    int branches = 0;
    int pieces = 0;
    int rings = 0;  ///< number of independent cycles: edges - nodes + pieces
    /// Canonical form of the tree, independent of the order of branches and of nodes with two edges: equal
    /// exactly for trees of the same shape (Aho, Hopcroft and Ullman 1974). Empty when there is a cycle.
    std::string shape;
};

struct SkeletonQuality {
    Centredness centredness;
    double inside_fraction = 0;  ///< fraction of the nodes in the interior
    double turning = 0;          ///< total bending along the branches in radians, per diagonal of length
    CurveTopology topology;
};

/// Measures a curve. Rays are cast against the mesh if it is one closed shell, otherwise against the surface
/// of its voxelised interior, because inner shells such as eyes and teeth would stop them.
/// \param curve in the coordinates of the mesh
/// \param mesh any mesh
/// \param monitor receives progress
/// \return the measures; to compare with a reference, use `rig::measure`
/// \throws Error when the mesh has no extent
SkeletonQuality skeleton_quality(const CurveSkeleton& curve, const geometry::Mesh& mesh,
                                 Monitor& monitor = silent());

/// Acceptance limits of `automatic`: largest mean centring error and smallest fraction inside of a curve;
/// smallest confidence of a template.
inline constexpr double max_center_offset = 0.15, min_inside = 0.99, min_confidence = 0.5;

// --- Options

enum class SkeletonMethod : std::uint8_t {
    automatic,
    silhouette,     ///< outline in the best view, its chordal axis, depth by rays (Xie 2009)
    contraction,    ///< mean-curvature flow (Tagliasacchi et al. 2012)
    voxel,          ///< centred paths through the voxelised interior, from the tips inwards
    from_template,  ///< a given skeleton fitted into the body
    /// From the parts of the mesh, or of its segmentation (Vasilakis 2008):
    opening,         ///< connects openings
    centroid,        ///< connects openings to the centres of the parts
    principal_axis,  ///< connects openings to the axes of the parts
    parts,           ///< the best of these three for each part
};
std::string_view name_of(SkeletonMethod method);

enum class ViewMode : std::uint8_t {
    max_outline,   ///< view with the largest outline; a nearly equal axis view is preferred
    mean_normals,  ///< mean of the absolute normals (Xie 2009, 3.2)
    axis_x,
    axis_y,
    axis_z,
    user,  ///< ViewOptions::direction
};

struct ViewOptions {
    ViewMode mode = ViewMode::max_outline;
    Vec3d direction = Vec3d::UnitZ();  ///< for ViewMode::user
    Vec3d up = Vec3d::UnitY();         ///< upright direction in the picture
};

enum class SilhouetteVariant : std::uint8_t {
    walk,    ///< outer boundary of all projected edges, exact
    raster,  ///< contour of a rendered picture
    other,   ///< traced by a method of another module
};

/// Cost of assigning a vertex at distance d to a branch whose nearest node has radius l.
enum class DecompositionCost : std::uint8_t {
    abs_diff,     ///< |d - l| (Xie 2009, 3.5)
    signed_diff,  ///< d - l
    ratio,        ///< d / l
    nearest,      ///< d
};

enum class RefineMode : std::uint8_t {
    off,
    ray_midpoint,  ///< depth at the midpoint between entry and exit of a line of sight through the node
};

/// Options of SkeletonMethod::silhouette.
struct SilhouetteOptions {
    ViewOptions view;
    SilhouetteVariant outline = SilhouetteVariant::walk;
    double spacing = 0;  ///< spacing of the points of the outline; 0 derives it from the mesh
    double prune =
        1;  ///< keeps an end branch when its length is at least this many times the radius at its root
    double cluster = 0.2;  ///< merges junctions closer than this fraction of the sum of their radii
    DecompositionCost cost = DecompositionCost::ratio;
    RefineMode depth = RefineMode::ray_midpoint;
};

enum class JunctionJoints : std::uint8_t {
    separate,   ///< each branch has its own joint at a junction (Xie 2009; knuckles of a hand)
    automatic,  ///< one joint where three branches meet and their junction is inside; otherwise nearby
                ///< junctions merge
    merged,     ///< one joint at every junction
};

/// Placement of joints on a curve.
struct JointOptions {
    double bend =
        160;  ///< in degrees: a joint where the angle of the curve is smaller than this (180 is straight)
    double longest = 0;  ///< longer bones are divided evenly; 0 means ten radii
    JunctionJoints junctions = JunctionJoints::automatic;
};

struct SkeletonizeOptions {
    SkeletonMethod method = SkeletonMethod::automatic;
    /// Template to fit; required by `from_template`, preferred by `automatic`.
    std::optional<model::Skeleton> template_skeleton;
    bool fingers = true;  ///< with `automatic`, add the fingers that the hands of a biped show
    SilhouetteOptions silhouette;
    JointOptions joints;        ///< not used for templates and parts
    PartSkeletonOptions parts;  ///< its `graph.method` is set from `method`
    /// Tree and limits of the parts, as read from a .skel file; found automatically if not given.
    std::optional<model::Skeleton> hierarchy;
};

// --- Result

/// Confidence of a fitted template.
struct TemplateConfidence {
    double confidence = 0;  ///< of the whole fit, 0 to 1
    double cost = 0;        ///< cost of the assignment of limbs, from which the confidence is computed
    std::vector<double> confidence_of;  ///< per joint, 0 to 1
    std::vector<int> unsure;            ///< joints whose position is uncertain and should be checked
    std::vector<std::string>
        missing;  ///< limbs of the template that the body lacks, named by their last joint
};

/// Wall time of the stages of the silhouette method in seconds.
struct SilhouetteTimes {
    double view = 0, silhouette = 0, axis = 0, refine = 0, decompose = 0, joints = 0;
    double total() const { return view + silhouette + axis + refine + decompose + joints; }
};

/// Statistics of the silhouette method.
struct SilhouetteCounts {
    std::size_t outline_points = 0;
    std::size_t terminal_triangles = 0, sleeve_triangles = 0, junction_triangles = 0;
    std::size_t branches = 0;
    int key_joints = 0, inner_joints = 0;
    SilhouetteTimes seconds;
};

struct SkeletonizeResult {
    model::Skeleton skeleton;
    CurveSkeleton curve;
    SkeletonMethod method = SkeletonMethod::automatic;  ///< the method that was used
    std::string method_name;                            ///< its name; also for methods of other modules
    std::string reason;                                 ///< why it was used
    SkeletonQuality quality;
    std::optional<SilhouetteCounts> silhouette;  ///< for the silhouette method
    std::optional<TemplateConfidence> fit;       ///< for a fitted template
    std::string kind;  ///< kind of body: biped, quadruped, hand or free; empty when not determined
    double kind_confidence =
        0;  ///< probability that the kind is right, from the fraction of correct results on known bodies
    std::optional<PartSkeleton> parts;  ///< for the methods that use parts
    std::optional<PartBody> body;       ///< parts that these methods used
};

/// Finds a skeleton. `automatic` uses the given template, or the built-in template of the recognised kind of
/// body, if its confidence is high enough. Otherwise joints have no roles (warning `unknown-body`), and the
/// first of these methods whose curve is good enough is used: silhouette (only for one closed shell),
/// contraction, voxel. If none is good enough, the curve with the largest fraction inside, then the best
/// centred, is used, with the warning `skeleton-doubtful`.
/// \param mesh any mesh with triangles. Only a single closed shell is contracted or outlined directly; other
/// meshes are replaced by their voxelised volume.
/// \param options the method and its options
/// \param monitor receives progress and warnings; can cancel
/// \return the skeleton at rest, and the reason for the chosen method
/// \throws Error when the mesh has no extent, or the requested method fails
/// \throws Cancelled when the monitor cancels
SkeletonizeResult skeletonize(const geometry::Mesh& mesh, const SkeletonizeOptions& options = {},
                              Monitor& monitor = silent());

struct SkeletonTemplate {
    std::string_view name;
    std::string_view what;  ///< description in one line
};

/// \return all templates: biped, biped-hands, quadruped, hand
std::span<const SkeletonTemplate> skeleton_templates();

/// \param name one of `skeleton_templates()`
/// \return the skeleton in its rest pose, in metres
/// \throws Error that lists the names when there is no such template
model::Skeleton skeleton_template(std::string_view name);

}  // namespace sinew::rig
