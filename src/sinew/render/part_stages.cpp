#include "sinew/render/part_stages.h"

#include <string>

#include "sinew/render/box_overlay.h"
#include "sinew/render/renderer.h"
#include "sinew/render/step_colors.h"
#include "sinew/rig/skeletonize/view.h"

namespace sinew::render {
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

/// Every triangle with corners of its own, so that colours end where parts do.
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

/// Boxes in the colours of their parts, the principal axis through the centre, the centre.
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
        overlay.segments.push_back(step_line(graph.nodes[static_cast<std::size_t>(a)].position,
                                              graph.nodes[static_cast<std::size_t>(b)].position, ink, 2.5f));
    for (const rig::PartNode& node : graph.nodes)
        overlay.points.push_back({node.position.cast<float>(), node_color(node.kind), 5});
    const Vec3d& root = graph.nodes[static_cast<std::size_t>(graph.root)].position;
    overlay.points.push_back({root.cast<float>(), violet, 7});
    return overlay;
}

}  // namespace

std::vector<StepPicture> draw_part_steps(Renderer& renderer, const geometry::Mesh& mesh, const CutMesh& cut,
                                           const PartTree& tree, const rig::PartSkeletonOptions& options,
                                           const StepPictureOptions& size) {
    const geometry::Mesh split = split_mesh(mesh);
    StepPainter painter(renderer, split, size);
    const rig::ViewFrame frame = rig::choose_view(rig::welded_surface(mesh)).frame;
    const ViewAxes view = {frame.z.cast<float>(), frame.y.cast<float>()};
    std::vector<StepPicture> stages;
    stages.push_back({"parts", std::to_string(cut.part_count()) + " parts in their colours",
                      painter.colored(view, part_colors(cut))});
    stages.push_back({"openings", "loops yellow, planes towards the children red",
                      painter.glass(view, opening_overlay(cut, tree))});
    const auto add = [&](rig::PartMethod method, bool all_axes, const std::string& name) {
        rig::PartSkeletonOptions own = options;
        own.graph.method = method;
        own.graph.all_axes = all_axes;
        rig::PartSkeleton skeleton = rig::part_skeleton(cut, tree, own);
        stages.push_back({name, "openings yellow, links blue, centres green, ends red, root purple",
                          painter.glass(view, graph_overlay(skeleton.graph))});
        return skeleton;
    };
    add(rig::PartMethod::opening, false, "opening");
    add(rig::PartMethod::centroid, false, "centroid");
    const rig::PartSkeleton axis = add(rig::PartMethod::principal_axis, false, "principal-axis");
    add(rig::PartMethod::principal_axis, true, "all-axes");
    stages.push_back({"boxes-before", "boxes and principal axes as the hulls give them",
                      painter.glass(view, box_overlay(axis.features))});
    stages.push_back({"boxes-after", "after refinement by openings and parents",
                      painter.glass(view, box_overlay(axis.refinement))});
    return stages;
}

}  // namespace sinew::render
