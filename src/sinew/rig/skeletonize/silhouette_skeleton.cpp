#include "sinew/rig/skeletonize/silhouette_skeleton.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/rig/skeletonize/refine_hidden.h"
#include "sinew/rig/skeletonize/refine_links.h"

namespace sinew::rig {
namespace {

class Stopwatch {
  public:
    /// Seconds since the last call.
    double lap() {
        const auto now = std::chrono::steady_clock::now();
        const std::chrono::duration<double> spent = now - last_;
        last_ = now;
        return spent.count();
    }

  private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

SilhouetteStage stage_of(const SilhouettePiece& piece, double spacing, MedialOptions options) {
    SilhouetteStage stage;
    stage.outline = resampled(piece, spacing);
    const geometry::Polygon2 polygon = polygon_of(stage.outline);
    stage.triangulation = geometry::triangulate(polygon);
    stage.classes = classes(stage.triangulation);
    const geometry::PolygonIndex index(polygon);
    const std::vector<SilhouetteNode> nodes = nodes_of(stage.outline);
    options.spacing = spacing;
    options.break_cycles = false;  // the body decides where
    stage.axis = medial_axis(stage.triangulation, nodes, index, options);
    const auto junctions = std::ranges::count(stage.classes, TriangleClass::junction);
    const auto ends = std::ranges::count(stage.classes, TriangleClass::terminal);
    // Every chain has two ends; a terminal has one of them and a junction three.
    stage.raw_branches = static_cast<int>((3 * junctions + ends) / 2);
    return stage;
}

/// Radii become distances to the surface, and the share of nodes inside is counted.
double finish(const BranchGraph& graph, const Body& body, CurveSkeleton& curve) {
    curve = curve_of(graph);
    std::size_t inside = 0;
    for (CurveNode& node : curve.nodes) {
        node.radius = body.clearance(node.position);
        inside += body.contains(node.position);
    }
    return curve.empty() ? 0 : static_cast<double>(inside) / static_cast<double>(curve.nodes.size());
}

Vec3d volume_centroid(const WeldedSurface& surface) {
    Vec3d middle = Vec3d::Zero();
    for (const Triangle& t : surface.triangles) middle += surface.positions[t[0]];
    middle /= static_cast<double>(surface.triangles.size());
    Vec3d sum = Vec3d::Zero();
    double total = 0;
    for (const Triangle& t : surface.triangles) {
        const Vec3d a = surface.positions[t[0]] - middle, b = surface.positions[t[1]] - middle,
                    c = surface.positions[t[2]] - middle;
        const double volume = a.dot(b.cross(c));
        sum += volume * (a + b + c) / 4;
        total += volume;
    }
    const double scale = std::pow(surface.diagonal, 3);
    return std::abs(total) > 1e-6 * scale ? Vec3d(middle + sum / total) : middle;
}

/// Adds what the view hides, joins the pieces, and labels the vertices anew. Returns the number of pieces.
int complete(SilhouetteResult& out, const SilhouetteOptions& options, const WeldedSurface& surface,
             const Body& body, Monitor& monitor) {
    int hidden = 0;
    if (options.recover_hidden && options.refine.mode != RefineMode::off) {
        HiddenOptions settings;
        settings.medial = options.medial;
        settings.outline = options.outline;
        settings.refine = options.refine;
        hidden = add_hidden(out.refined, surface, out.parts, body, out.view.frame.z, settings);
    }
    const BranchGraph before = out.refined;
    const int pieces = join_pieces(out.refined, body, options.join_pieces * surface.diagonal);
    const int outside = pull_inside(out.refined, body);
    if (outside > 0) warn(monitor, "nodes-outside", "{} nodes of the curve lie outside the body", outside);
    if (hidden > 0 || before.branches.size() != out.refined.branches.size()) {
        out.parts = decompose(out.refined, surface, options.decompose);
    }
    return pieces;
}

}  // namespace

SilhouetteResult silhouette_skeleton(const geometry::Mesh& mesh, const SilhouetteOptions& options,
                                     Monitor& monitor) {
    SilhouetteResult out;
    Stopwatch watch;
    const WeldedSurface surface = welded_surface(mesh);
    step(monitor, "view", 0);
    out.view = choose_view(surface, options.view);
    out.seconds.view = watch.lap();

    step(monitor, "silhouette", 0.2);
    const Projection projection = project(surface, out.view.frame);
    out.silhouette = find_silhouette(surface, projection, options.outline, monitor);
    out.seconds.silhouette = watch.lap();

    step(monitor, "axis", 0.4);
    const double spacing =
        options.spacing > 0 ? options.spacing : resampling_step(out.silhouette, surface.diagonal);
    for (const SilhouettePiece& piece : out.silhouette.pieces) {
        out.stages.push_back(stage_of(piece, spacing, options.medial));
        append(out.coarse, out.stages.back().axis, projection);
    }
    out.refined = out.coarse;
    out.seconds.axis = watch.lap();

    step(monitor, "refine", 0.6);
    const Body body(mesh, surface, options.voxel_resolution, monitor);
    if (options.refine.mode == RefineMode::ray_midpoint) {
        refine_by_rays(out.refined, body, out.view.frame.z, options.refine);
    }
    pull_inside(out.refined, body);
    const int leaps = cut_leaps(out.refined, body);
    if (leaps > 0) {
        warn(monitor, "curve-cut",
             "{} places where parts only overlap in the view, or close a ring, were cut", leaps);
    }
    out.seconds.refine = watch.lap();

    step(monitor, "decompose", 0.8);
    out.parts = decompose(out.refined, surface, options.decompose);
    const int pieces = complete(out, options, surface, body, monitor);
    if (pieces > 1) warn(monitor, "several-pieces", "the skeleton is in {} pieces, each with a root", pieces);
    out.seconds.decompose = watch.lap();

    step(monitor, "joints", 0.95);
    out.inside_fraction = finish(out.refined, body, out.curve);
    out.curve.node_of_vertex = out.parts.node;
    JointOptions joints = options.joints;
    if (!joints.inside) joints.inside = [&](const Vec3d& p) { return body.contains(p); };
    if (!joints.centroid.allFinite()) joints.centroid = volume_centroid(surface);
    if (!(joints.diagonal > 0)) joints.diagonal = surface.diagonal;
    out.joints = place_joints(out.curve, joints);
    out.skeleton = skeleton_of(out.joints);
    out.seconds.joints = watch.lap();
    return out;
}

}  // namespace sinew::rig
