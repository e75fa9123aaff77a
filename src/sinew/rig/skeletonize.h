// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A skeleton for a mesh: one function, several methods, and how good the result is.
///
/// \code
/// const geometry::Mesh mesh = io::read("body.obj").character.mesh;
/// const rig::SkeletonizeResult found = rig::skeletonize(mesh);          // found.skeleton, found.reason
///
/// rig::SkeletonizeOptions options;                                      // the joints of a motion, in this
/// body options.template_skeleton = io::read("walk.bvh").character.skeleton; const model::Skeleton same =
/// rig::skeletonize(mesh, options).skeleton;
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

// --- Curve skeletons: the thin graph in the middle of a body, before joints are chosen on it

/// A point of the curve and the distance from there to the surface.
struct CurveNode {
    Vec3d position = Vec3d::Zero();
    double radius = 0;
};

struct CurveSkeleton {
    std::vector<CurveNode> nodes;
    std::vector<std::array<int, 2>> edges;     ///< lower index first, sorted, none twice
    std::vector<std::int32_t> node_of_vertex;  ///< per vertex of the mesh the node it belongs to, or -1

    bool empty() const { return nodes.empty(); }
};

/// The bones of a skeleton at rest as a curve.
/// \param skeleton whose joints and tips become nodes
/// \param spacing no node is farther from the next than this
/// \return a curve with radii 0
CurveSkeleton curve_of(const model::Skeleton& skeleton, double spacing);

// --- How good a curve is, without a reference

/// How well a curve runs through the middle of a body. Of each node e = |mean of the hits - node| / mean ray
/// length, over rays in the plane across the curve: 0 in the middle. Junctions, which no one plane crosses,
/// and nodes whose rays mostly hit nothing do not count.
struct Centredness {
    double mean = 0;
    double p95 = 0;
    double max = 0;
    double limb_mean = 0;         ///< only of nodes outside the spheres of the junctions
    std::size_t nodes = 0;        ///< that were measured
    std::vector<double> of_node;  ///< e, or -1 where it was not measured
};

struct CurveTopology {
    int ends = 0;       ///< nodes with one edge
    int junctions = 0;  ///< nodes with three or more
    int branches = 0;
    int pieces = 0;
    int rings = 0;  ///< independent ones: edges - nodes + pieces
    /// Tells trees apart up to the order of branches and to nodes with two edges: equal when and only when
    /// the trees are the same (Aho, Hopcroft and Ullman 1974). Empty when there is a ring.
    std::string shape;
};

struct SkeletonQuality {
    Centredness centredness;
    double inside_fraction = 0;  ///< of the nodes, in the interior
    double turning = 0;          ///< radians along the branches, per diagonal of length
    CurveTopology topology;
};

/// Rays hit the mesh itself when it is one closed shell, and otherwise the surface of its solid, because eyes
/// and teeth would stop them.
/// \param curve to be measured, in the coordinates of the mesh
/// \param mesh any mesh
/// \param monitor progress
/// \return what can be said without a reference; `rig::measure` compares with one
/// \throws Error when the mesh has no extent.
SkeletonQuality skeleton_quality(const CurveSkeleton& curve, const geometry::Mesh& mesh,
                                 Monitor& monitor = silent());

/// `automatic` accepts a curve that is centred and inside at least this well, and a template with this
/// confidence.
inline constexpr double max_center_offset = 0.15, min_inside = 0.99, min_confidence = 0.5;

// --- Options

enum class SkeletonMethod : std::uint8_t {
    automatic,
    silhouette,     ///< outline in the best view, its chordal axis, depth by rays (Xie 2009)
    contraction,    ///< mean-curvature flow (Tagliasacchi et al. 2012)
    voxel,          ///< deepest paths inside the interior, from the tips inwards
    from_template,  ///< a given skeleton placed inside the body
    /// From the parts of the mesh, or the parts that it is cut into (Vasilakis 2008):
    opening,         ///< openings joined
    centroid,        ///< openings to the centres of the parts
    principal_axis,  ///< openings to the axes of the parts
    parts,           ///< for each part the best of these three
};
std::string_view name_of(SkeletonMethod method);

enum class ViewMode : std::uint8_t {
    max_outline,   ///< largest outline, snapped to an axis that is nearly as good
    mean_normals,  ///< the mean of the absolute normals (Xie 2009, 3.2)
    axis_x,
    axis_y,
    axis_z,
    user,  ///< ViewOptions::direction
};

struct ViewOptions {
    ViewMode mode = ViewMode::max_outline;
    Vec3d direction = Vec3d::UnitZ();  ///< of ViewMode::user
    Vec3d up = Vec3d::UnitY();         ///< upright in the picture
};

enum class SilhouetteVariant : std::uint8_t {
    walk,    ///< the outer boundary of all projected edges, exact
    raster,  ///< the contour of a picture
    other,   ///< traced by a method outside of this module
};

/// What a vertex at distance d from a node with radius l costs its branch.
enum class DecompositionCost : std::uint8_t {
    abs_diff,     ///< |d - l| (Xie 2009, 3.5)
    signed_diff,  ///< d - l
    ratio,        ///< d / l
    nearest,      ///< d
};

enum class RefineMode : std::uint8_t {
    off,
    ray_midpoint,  ///< depth from where a line through the node enters and leaves the body
};

/// Of SkeletonMethod::silhouette.
struct SilhouetteOptions {
    ViewOptions view;
    SilhouetteVariant outline = SilhouetteVariant::walk;
    double spacing = 0;    ///< of the outline's points; 0 by the mesh
    double prune = 1;      ///< a branch to an end is kept when its length reaches this many radii of its root
    double cluster = 0.2;  ///< junctions closer than this part of the sum of their radii are one
    DecompositionCost cost = DecompositionCost::ratio;
    RefineMode depth = RefineMode::ray_midpoint;
};

enum class JunctionJoints : std::uint8_t {
    separate,   ///< each branch has its own joint at a junction (Xie 2009; knuckles of a hand)
    automatic,  ///< one joint where three branches meet and its position is inside; otherwise near ones merge
    merged,     ///< one joint at every junction
};

/// Where joints are placed on a curve.
struct JointOptions {
    double bend = 160;   ///< degrees: a joint where the curve bends more than this (180 is straight)
    double longest = 0;  ///< longer bones are divided evenly; 0: those longer than ten radii
    JunctionJoints junctions = JunctionJoints::automatic;
};

struct SkeletonizeOptions {
    SkeletonMethod method = SkeletonMethod::automatic;
    /// To be fitted; needed by `from_template`, preferred by `automatic`.
    std::optional<model::Skeleton> template_skeleton;
    bool fingers = true;  ///< `automatic`: hands of a biped get the fingers that they show
    SilhouetteOptions silhouette;
    JointOptions joints;        ///< not of templates and parts
    PartSkeletonOptions parts;  ///< its method is taken from `method`
    /// Tree and limits of the parts, as a .skel file gives them; found when not given.
    std::optional<model::Skeleton> hierarchy;
};

// --- Result

/// How sure a fitted template is.
struct TemplateConfidence {
    double confidence = 0;              ///< of the whole, 0 to 1
    double cost = 0;                    ///< of how its limbs were assigned: what the confidence comes from
    std::vector<double> confidence_of;  ///< per joint, 0 to 1
    std::vector<int> unsure;            ///< joints that deserve a look
    std::vector<std::string> missing;   ///< limbs of the template without a counterpart, by their last joint
};

/// Seconds of the stages of the silhouette method, by the clock on the wall.
struct SilhouetteTimes {
    double view = 0, silhouette = 0, axis = 0, refine = 0, decompose = 0, joints = 0;
    double total() const { return view + silhouette + axis + refine + decompose + joints; }
};

/// What the silhouette method went through.
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
    SkeletonMethod method = SkeletonMethod::automatic;  ///< the one that was taken
    std::string method_name;                            ///< of it; also of methods of other modules
    std::string reason;                                 ///< why it was taken
    SkeletonQuality quality;
    std::optional<SilhouetteCounts> silhouette;  ///< of the silhouette method
    std::optional<TemplateConfidence> fit;       ///< of a fitted template
    std::string kind;                   ///< of the body: biped, quadruped, hand or free; empty when not asked
    double kind_confidence = 0;         ///< the share of such bodies in which it is right
    std::optional<PartSkeleton> parts;  ///< of the methods by parts
    std::optional<PartBody> body;       ///< that they worked on
};

/// `automatic` takes a given template, or the built-in one of the kind of body that the mesh is, when it is
/// sure enough of it. Otherwise joints have no roles (warning `unknown-body`), and the first of these counts
/// whose curve is good enough: the silhouette (only for one closed shell), contraction, voxels; when none is,
/// the one that is most inside, then the best centred, with the warning `skeleton-doubtful`.
/// \param mesh any mesh with triangles; only one closed shell is contracted or outlined itself, of others the
///     voxel solid is
/// \param options the method, and what can be set of it
/// \param monitor progress, warnings, cancelling
/// \return the skeleton at rest, and why it is this one
/// \throws Error when the mesh has no extent, or the requested method fails; Cancelled when the
/// monitor
///     asks for it.
SkeletonizeResult skeletonize(const geometry::Mesh& mesh, const SkeletonizeOptions& options = {},
                              Monitor& monitor = silent());

struct SkeletonTemplate {
    std::string_view name;
    std::string_view what;  ///< one line for a person
};

/// \return all templates: biped, biped-hands, quadruped, hand.
std::span<const SkeletonTemplate> skeleton_templates();

/// \param name one of `skeleton_templates()`
/// \return the skeleton in its rest pose, in metres
/// \throws Error that lists the names when there is no such template.
model::Skeleton skeleton_template(std::string_view name);

}  // namespace sinew::rig
