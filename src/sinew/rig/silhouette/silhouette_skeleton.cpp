// SPDX-License-Identifier: MIT
#include "sinew/rig/silhouette/silhouette_skeleton.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/rig/silhouette/refine.h"

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

constexpr double max_gap = 0.05;  // part of the diagonal: shadows closer than this get one skeleton

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
double finish(const MedialGraph& graph, const Body& body, CurveSkeleton& curve) {
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

/// The stages in their order, over one surface and one body.
class Pipeline {
  public:
    Pipeline(const geometry::Mesh& mesh, const SilhouetteOptions& options, const JointOptions& joints,
             Monitor& monitor, const SilhouetteStages& stages)
        : mesh_(mesh),
          options_(options),
          joints_(joints),
          monitor_(monitor),
          stages_(stages),
          surface_(welded_surface(mesh)) {}

    SilhouetteResult run() {
        step(monitor_, "view", 0);
        out_.view = choose_view(surface_, options_.view);
        out_.seconds.view = watch_.lap();
        step(monitor_, "silhouette", 0.2);
        const Projection projection = project(surface_, out_.view.frame);
        out_.silhouette = find_silhouette(surface_, projection, options_.outline, monitor_, stages_.trace);
        out_.seconds.silhouette = watch_.lap();
        step(monitor_, "axis", 0.4);
        find_axis(projection);
        out_.seconds.axis = watch_.lap();
        step(monitor_, "refine", 0.6);
        const Body body(mesh_, surface_, monitor_);
        refine(body);
        out_.seconds.refine = watch_.lap();
        step(monitor_, "decompose", 0.8);
        complete(body);
        out_.seconds.decompose = watch_.lap();
        step(monitor_, "joints", 0.95);
        add_joints(body);
        out_.seconds.joints = watch_.lap();
        return std::move(out_);
    }

  private:
    MedialOptions medial() const { return {.prune = options_.prune, .cluster = options_.cluster}; }
    bool refines() const { return options_.depth != RefineMode::off; }

    void find_axis(const Projection& projection) {
        const double spacing =
            options_.spacing > 0 ? options_.spacing : resampling_step(out_.silhouette, surface_.diagonal);
        for (const SilhouettePiece& piece : out_.silhouette.pieces) {
            out_.stages.push_back(stage_of(piece, spacing, medial()));
            append(out_.coarse, out_.stages.back().axis, projection);
        }
        out_.refined = out_.coarse;
    }

    Decomposition labels() const {
        return decompose(out_.refined, surface_, options_.cost,
                         silhouette_seeds(out_.refined, out_.silhouette, out_.view.frame));
    }

    void refine(const Body& body) {
        const Vec3d& view = out_.view.frame.z;
        if (refines() && stages_.depth) {
            out_.parts = labels();
            out_.second = stages_.depth(out_.refined, surface_, out_.parts, view);
        } else if (refines()) {
            refine_by_rays(out_.refined, body, view);
        }
        if (refines()) pull_inside(out_.refined, body);
        const int cuts = cut_branches_outside(out_.refined, body);
        if (cuts == 0) return;
        warn(monitor_, "curve-cut",
             "{} false connections were cut, where parts overlap in the view or form a ring", cuts);
    }

    /// Adds what the view hides, joins the pieces, and labels the vertices.
    void complete(const Body& body) {
        out_.parts = labels();
        int hidden = 0;
        if (refines())
            hidden = add_hidden(out_.refined, surface_, out_.parts, body, out_.view.frame.z, medial());
        const std::size_t before = out_.refined.branches.size();
        const int pieces = join_pieces(out_.refined, body, max_gap * surface_.diagonal);
        const int outside = refines() ? pull_inside(out_.refined, body) : 0;
        if (outside > 0) {
            warn(monitor_, "nodes-outside", "{} nodes of the curve lie outside the body", outside);
        }
        if (pieces > 1) {
            warn(monitor_, "several-pieces", "the skeleton is in {} pieces, each with a root", pieces);
        }
        if (hidden > 0 || before != out_.refined.branches.size()) {
            out_.parts = labels();
        }
    }

    void add_joints(const Body& body) {
        out_.inside_fraction = finish(out_.refined, body, out_.curve);
        out_.curve.node_of_vertex = out_.parts.node;
        const auto inside = [&](const Vec3d& p) { return body.contains(p); };
        out_.joints =
            place_joints(out_.curve, joints_, {volume_centroid(surface_), surface_.diagonal, inside});
        out_.skeleton = skeleton_of(out_.joints);
    }

    const geometry::Mesh& mesh_;
    const SilhouetteOptions& options_;
    const JointOptions& joints_;
    Monitor& monitor_;
    const SilhouetteStages& stages_;
    Stopwatch watch_;  // runs from before the surface is built
    WeldedSurface surface_;
    SilhouetteResult out_;
};

}  // namespace

SilhouetteCounts SilhouetteResult::counts() const {
    SilhouetteCounts out;
    std::size_t triangles[4] = {0, 0, 0, 0};
    for (const SilhouetteStage& stage : stages) {
        out.outline_points += stage.outline.outer.size();
        for (const TriangleClass kind : stage.classes) ++triangles[static_cast<std::size_t>(kind)];
    }
    out.terminal_triangles = triangles[1];
    out.sleeve_triangles = triangles[2];
    out.junction_triangles = triangles[3];
    out.branches = refined.branches.size();
    out.key_joints = joints.key_joints;
    out.inner_joints = joints.inner_joints;
    out.seconds = seconds;
    return out;
}

SilhouetteResult silhouette_skeleton(const geometry::Mesh& mesh, const SilhouetteOptions& options,
                                     const JointOptions& joints, Monitor& monitor,
                                     const SilhouetteStages& stages) {
    return Pipeline(mesh, options, joints, monitor, stages).run();
}

}  // namespace sinew::rig
