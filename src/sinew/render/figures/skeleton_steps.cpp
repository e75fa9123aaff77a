// SPDX-License-Identifier: MIT
#include <string>

#include "sinew/base/array.h"
#include "sinew/render/figures/steps.h"
#include "sinew/render/renderer.h"
#include "sinew/render/view.h"
#include "sinew/rig/segment.h"
#include "sinew/rig/silhouette/view.h"

namespace sinew::render {
namespace {

using math::Vec3d;

using step_colors::blue;
using step_colors::green;
using step_colors::red;

const Vec4f amber(0.80f, 0.50f, 0.0f, 1);

class StepOverlays {
  public:
    explicit StepOverlays(const rig::SilhouetteResult& result) : result_(result) {}

    Overlay silhouette() const {
        Overlay overlay;
        for (const rig::SilhouettePiece& piece : result_.silhouette.pieces) {
            add_loop(overlay, piece.outer, red);
            for (const rig::SilhouetteLoop& hole : piece.holes) add_loop(overlay, hole, amber);
        }
        return overlay;
    }

    Overlay triangulation() const {
        Overlay overlay;
        for (const rig::SilhouetteStage& level : result_.stages) {
            const std::vector<rig::SilhouetteNode> nodes = rig::nodes_of(level.outline);
            for (std::size_t t = 0; t < level.triangulation.triangles.size(); ++t) {
                const auto& triangle = level.triangulation.triangles[t];
                const bool junction = level.classes[t] == rig::TriangleClass::junction;
                for (std::size_t side = 0; side < 3; ++side) {
                    const auto a = static_cast<std::size_t>(triangle.corners[(side + 1) % 3]),
                               b = static_cast<std::size_t>(triangle.corners[(side + 2) % 3]);
                    const bool outer = triangle.external(side);
                    overlay.segments.push_back(step_line(position(nodes[a]), position(nodes[b]),
                                                         outer      ? red
                                                         : junction ? green
                                                                    : blue,
                                                         outer ? 2.0f : 1.0f));
                }
            }
        }
        return overlay;
    }

    Overlay axes() const {
        Overlay overlay;
        add_graph(overlay, result_.coarse, blue, 2);
        add_graph(overlay, result_.refined, red, 2.5f);
        return overlay;
    }

    /// Green for joints at mandatory positions, blue where the curve bends or narrows.
    Overlay joints() const {
        Overlay overlay = skeleton_overlay(result_.skeleton, model::rest_world_matrices(result_.skeleton));
        overlay.spheres.clear();
        for (const rig::PlacedJoint& joint : result_.joints.joints) {
            const bool key = joint.kind == rig::JointKind::key;
            overlay.points.push_back({joint.position.cast<float>(), key ? green : blue, 5});
        }
        return overlay;
    }

    std::vector<Vec4f> parts() const {
        std::vector<Vec4f> colors;
        for (const int branch : result_.parts.branch) {
            const Vec3f color =
                branch < 0 ? Vec3f(0.5f, 0.5f, 0.5f) : joint_color(static_cast<std::size_t>(branch));
            colors.push_back({color.x(), color.y(), color.z(), 1});
        }
        return colors;
    }

  private:
    Vec3d position(const rig::SilhouetteNode& node) const {
        return result_.view.frame.to_world(node.xy.x(), node.xy.y(), node.z);
    }
    void add_loop(Overlay& overlay, const rig::SilhouetteLoop& loop, const Vec4f& color) const {
        for (std::size_t i = 0; i < loop.size(); ++i)
            overlay.segments.push_back(
                step_line(position(loop[i]), position(loop[(i + 1) % loop.size()]), color, 2.5f));
    }
    static void add_graph(Overlay& overlay, const rig::MedialGraph& graph, const Vec4f& color, float width) {
        const rig::CurveSkeleton curve = rig::curve_of(graph);
        for (const auto& [a, b] : curve.edges)
            overlay.segments.push_back(
                step_line(curve.nodes[at(a)].position, curve.nodes[at(b)].position, color, width));
    }

    const rig::SilhouetteResult& result_;
};

}  // namespace

std::vector<StepPicture> draw_skeleton_steps(Renderer& renderer, const geometry::Mesh& mesh,
                                             const StepPictureOptions& options, Monitor& monitor) {
    return draw_skeleton_steps(renderer, mesh, rig::silhouette_skeleton(mesh, {}, {}, monitor), options);
}

std::vector<StepPicture> draw_skeleton_steps(Renderer& renderer, const geometry::Mesh& mesh,
                                             const rig::SilhouetteResult& result,
                                             const StepPictureOptions& options) {
    StepPainter painter(renderer, mesh, options);
    const StepOverlays overlays(result);
    const rig::ViewFrame& frame = result.view.frame;
    const ViewAxes front = {frame.z.cast<float>(), frame.y.cast<float>()};
    const ViewAxes side = {frame.x.cast<float>(), frame.y.cast<float>()};
    return {
        {"silhouette", "3D silhouette in the chosen view", painter.glass(front, overlays.silhouette())},
        {"triangulation", "its triangles: outer sides red, junctions green",
         painter.glass(front, overlays.triangulation())},
        {"axis", "curve: coarse blue, refined red", painter.glass(front, overlays.axes())},
        {"depth", "the same from the side", painter.glass(side, overlays.axes())},
        {"parts", "parts of the surface by branch", painter.colored(front, overlays.parts())},
        {"joints", "joints: ends and junctions green, bends and necks blue",
         painter.glass(front, overlays.joints())},
    };
}

namespace {

using geometry::CutMesh;
using geometry::PartFeatures;
using geometry::PartTree;
using math::Vec3d;

using step_colors::blue;
using step_colors::green;
using step_colors::ink;
using step_colors::red;
using step_colors::yellow;

const Vec4f violet(0.45f, 0.05f, 0.60f, 1);

Vec4f part_color(int part) {
    const Vec3f color = joint_color(static_cast<std::size_t>(part));
    return {color.x(), color.y(), color.z(), 1};
}

/// Separate corners for every triangle, so that colours change exactly at the borders of parts.
geometry::Mesh split_mesh(const geometry::Mesh& mesh) {
    geometry::Mesh split;
    const std::vector<Vec3f> normals = geometry::vertex_normals(mesh.positions, mesh.triangles);
    for (const geometry::Triangle& t : mesh.triangles) {
        const auto first = static_cast<std::uint32_t>(split.positions.size());
        for (const std::uint32_t v : t) {
            split.positions.push_back(mesh.positions[v]);
            split.normals.push_back(normals[v]);
        }
        split.triangles.push_back({first, first + 1, first + 2});
    }
    return split;
}

std::vector<Vec4f> part_colors(const CutMesh& cut) {
    std::vector<Vec4f> colors;
    for (const int part : cut.part_of) colors.insert(colors.end(), 3, part_color(part));
    return colors;
}

Overlay opening_overlay(const CutMesh& cut, const PartTree& tree) {
    Overlay overlay;
    for (const geometry::Opening& opening : tree.openings) {
        if (opening.parent < 0) continue;
        double radius = 0;
        for (std::size_t i = 0; i < opening.loop.size(); ++i) {
            const Vec3d &a = cut.points[opening.loop[i]],
                        &b = cut.points[opening.loop[(i + 1) % opening.loop.size()]];
            overlay.segments.push_back(step_line(a, b, yellow, 2.5f));
            radius = std::max(radius, (a - opening.centre).norm());
        }
        overlay.segments.push_back(
            step_line(opening.centre, opening.centre + radius * opening.normal, red, 2));
        overlay.points.push_back({opening.centre.cast<float>(), ink, 3});
    }
    return overlay;
}

/// Boxes in the colours of their parts, with the principal axis and the centre.
Overlay box_overlay(const std::vector<PartFeatures>& features) {
    Overlay overlay;
    for (std::size_t p = 0; p < features.size(); ++p) {
        add_box(overlay, features[p].box, part_color(static_cast<int>(p)));
        overlay.segments.push_back(step_line(features[p].axis_ends[0], features[p].axis_ends[1], ink, 2));
        overlay.points.push_back({features[p].centre.cast<float>(),
                                  features[p].centre_kind == geometry::CentreKind::kernel ? green : red, 4});
    }
    return overlay;
}

Vec4f node_color(rig::PartNodeKind kind) {
    switch (kind) {
        case rig::PartNodeKind::opening:
            return yellow;
        case rig::PartNodeKind::link:
            return blue;
        case rig::PartNodeKind::centre:
            return green;
        case rig::PartNodeKind::root:
            return violet;
        default:
            return red;
    }
}

Overlay graph_overlay(const rig::PartGraph& graph) {
    Overlay overlay;
    for (const auto& [a, b] : graph.edges)
        overlay.segments.push_back(
            step_line(graph.nodes[at(a)].position, graph.nodes[at(b)].position, ink, 2.5f));
    for (const rig::PartNode& node : graph.nodes)
        overlay.points.push_back({node.position.cast<float>(), node_color(node.kind), 5});
    const Vec3d& root = graph.nodes[at(graph.root)].position;
    overlay.points.push_back({root.cast<float>(), violet, 7});
    return overlay;
}

}  // namespace

std::vector<StepPicture> draw_part_steps(Renderer& renderer, const geometry::Mesh& mesh, const CutMesh& cut,
                                         const PartTree& tree, const StepPictureOptions& size) {
    const geometry::Mesh split = split_mesh(mesh);
    StepPainter painter(renderer, split, size);
    const rig::ViewFrame frame = rig::choose_view(rig::welded_surface(mesh)).frame;
    const ViewAxes view = {frame.z.cast<float>(), frame.y.cast<float>()};
    std::vector<StepPicture> steps;
    steps.push_back({"parts", std::to_string(cut.part_count()) + " parts in their colours",
                     painter.colored(view, part_colors(cut))});
    steps.push_back({"openings", "loops yellow, planes towards the children red",
                     painter.glass(view, opening_overlay(cut, tree))});
    const auto add = [&](rig::PartMethod method, bool all_axes, const std::string& name) {
        rig::PartSkeletonOptions own;
        own.graph.method = method;
        own.graph.all_axes = all_axes;
        rig::PartSkeleton skeleton = rig::part_skeleton(cut, tree, own);
        steps.push_back({name, "openings yellow, links blue, centres green, ends red, root purple",
                         painter.glass(view, graph_overlay(skeleton.graph))});
        return skeleton;
    };
    add(rig::PartMethod::opening, false, "opening");
    add(rig::PartMethod::centroid, false, "centroid");
    const rig::PartSkeleton axis = add(rig::PartMethod::principal_axis, false, "principal-axis");
    add(rig::PartMethod::principal_axis, true, "all-axes");
    steps.push_back({"boxes-before", "boxes and principal axes of the hulls",
                     painter.glass(view, box_overlay(axis.features))});
    steps.push_back({"boxes-after", "after refinement by openings and parents",
                     painter.glass(view, box_overlay(axis.refinement))});
    return steps;
}

}  // namespace sinew::render
