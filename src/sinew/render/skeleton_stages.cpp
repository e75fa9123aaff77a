#include "sinew/render/skeleton_stages.h"

#include "sinew/render/annotate.h"
#include "sinew/render/color.h"
#include "sinew/render/contact_sheet.h"
#include "sinew/render/skeleton_overlay.h"

namespace sinew::render {
namespace {

using math::Vec3d;

const Vec4f red(0.75f, 0.02f, 0.02f, 1), blue(0.02f, 0.10f, 0.75f, 1), yellow(0.80f, 0.50f, 0.0f, 1),
    green(0.02f, 0.45f, 0.08f, 1);

SegmentShape segment(const Vec3d& a, const Vec3d& b, const Vec4f& color, float width) {
    return {a.cast<float>(), b.cast<float>(), color, width};
}

/// Draws one body again and again, each time with other things over it.
class StagePainter {
  public:
    StagePainter(Renderer& renderer, const geometry::Mesh& mesh, const StagePictureOptions& options)
        : renderer_(renderer), mesh_(mesh), options_(options), held_(renderer, mesh) {}

    Picture paint(const ViewAxes& axes, Overlay overlay, float opacity, const std::vector<Vec4f>& colors) {
        Drawable body;
        body.mesh = held_.id();
        body.surface = colors.empty() ? Surface::plain : Surface::colors;
        body.color = {0.45f, 0.47f, 0.50f, 1};
        body.colors = colors;
        body.opacity = opacity;
        Scene scene;
        scene.drawables.push_back(body);
        overlay.layer = Layer::top;
        scene.overlays.push_back(std::move(overlay));
        scene.ground.visible = false;
        scene.background.center = scene.background.edge = Vec3f(0.95f, 0.95f, 0.95f);
        const float aspect = static_cast<float>(options_.width) / static_cast<float>(options_.height);
        FitOptions fit_options;
        fit_options.orthographic = true;
        const Camera camera = fit(axes, mesh_.positions, aspect, fit_options);
        return renderer_.render(scene, camera, {options_.width, options_.height});
    }

  private:
    Renderer& renderer_;
    const geometry::Mesh& mesh_;
    StagePictureOptions options_;
    MeshHold held_;
};

class StageOverlays {
  public:
    explicit StageOverlays(const rig::SilhouetteResult& result) : result_(result) {}

    Overlay silhouette() const {
        Overlay overlay;
        for (const rig::SilhouettePiece& piece : result_.silhouette.pieces) {
            add_loop(overlay, piece.outer, red);
            for (const rig::SilhouetteLoop& hole : piece.holes) add_loop(overlay, hole, yellow);
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
                    overlay.segments.push_back(segment(place(nodes[a]), place(nodes[b]),
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
                segment(place(loop[i]), place(loop[(i + 1) % loop.size()]), color, 2.5f));
    }
    static void add_graph(Overlay& overlay, const rig::BranchGraph& graph, const Vec4f& color, float width) {
        const rig::CurveSkeleton curve = rig::curve_of(graph);
        for (const auto& [a, b] : curve.edges)
            overlay.segments.push_back(segment(curve.nodes[static_cast<std::size_t>(a)].position,
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
    constexpr float glass = 0.35f;
    return {
        {"silhouette", "3D silhouette in the chosen view",
         painter.paint(front, overlays.silhouette(), glass, {})},
        {"triangulation", "its triangles: outer sides red, junctions green",
         painter.paint(front, overlays.triangulation(), glass, {})},
        {"axis", "curve: coarse blue, refined red", painter.paint(front, overlays.axes(), glass, {})},
        {"depth", "the same from the side", painter.paint(side, overlays.axes(), glass, {})},
        {"parts", "parts of the surface by branch", painter.paint(front, {}, 1, overlays.parts())},
        {"joints", "joints: ends and junctions green, bends and necks blue",
         painter.paint(front, overlays.joints(), glass, {})},
    };
}

Picture stage_sheet(const std::vector<StagePicture>& stages) {
    std::vector<Picture> pictures;
    for (const StagePicture& stage : stages)
        pictures.push_back(with_caption(stage.picture, stage.name + ": " + stage.what));
    return contact_sheet(pictures, {.columns = 3});
}

}  // namespace sinew::render
