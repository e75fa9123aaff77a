#include "sinew/render/skeleton_stages.h"

#include "sinew/render/color.h"
#include "sinew/render/skeleton_overlay.h"
#include "sinew/render/stage_colors.h"

namespace sinew::render {
namespace {

using math::Vec3d;

using stage_colors::blue;
using stage_colors::green;
using stage_colors::red;

const Vec4f amber(0.80f, 0.50f, 0.0f, 1);

class StageOverlays {
  public:
    explicit StageOverlays(const rig::SilhouetteResult& result) : result_(result) {}

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
        for (const rig::SilhouetteStage& stage : result_.stages) {
            const std::vector<rig::SilhouetteNode> nodes = rig::nodes_of(stage.outline);
            for (std::size_t t = 0; t < stage.triangulation.triangles.size(); ++t) {
                const auto& triangle = stage.triangulation.triangles[t];
                const bool junction = stage.classes[t] == rig::TriangleClass::junction;
                for (std::size_t side = 0; side < 3; ++side) {
                    const auto a = static_cast<std::size_t>(triangle.corners[(side + 1) % 3]),
                               b = static_cast<std::size_t>(triangle.corners[(side + 2) % 3]);
                    const bool outer = triangle.external(side);
                    overlay.segments.push_back(stage_line(place(nodes[a]), place(nodes[b]),
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

    /// Green where a joint had to be, blue where the curve bends or narrows.
    Overlay joints() const {
        Overlay overlay = skeleton_overlay(result_.skeleton, model::rest_world_matrices(result_.skeleton));
        overlay.balls.clear();
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
    Vec3d place(const rig::SilhouetteNode& node) const {
        return result_.view.frame.to_world(node.xy.x(), node.xy.y(), node.z);
    }
    void add_loop(Overlay& overlay, const rig::SilhouetteLoop& loop, const Vec4f& color) const {
        for (std::size_t i = 0; i < loop.size(); ++i)
            overlay.segments.push_back(
                stage_line(place(loop[i]), place(loop[(i + 1) % loop.size()]), color, 2.5f));
    }
    static void add_graph(Overlay& overlay, const rig::MedialGraph& graph, const Vec4f& color, float width) {
        const rig::CurveSkeleton curve = rig::curve_of(graph);
        for (const auto& [a, b] : curve.edges)
            overlay.segments.push_back(stage_line(curve.nodes[static_cast<std::size_t>(a)].position,
                                                  curve.nodes[static_cast<std::size_t>(b)].position, color,
                                                  width));
    }

    const rig::SilhouetteResult& result_;
};

}  // namespace

std::vector<StagePicture> draw_stages(Renderer& renderer, const geometry::Mesh& mesh,
                                      const rig::SilhouetteResult& result,
                                      const StagePictureOptions& options) {
    StagePainter painter(renderer, mesh, options);
    const StageOverlays overlays(result);
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

}  // namespace sinew::render
