// SPDX-License-Identifier: MIT
#include "tools.h"

#include <algorithm>
#include <cmath>

#include "actions.h"
#include "limb.h"
#include "marks.h"
#include "painter.h"
#include "rig_edit.h"

#include "sinew/base/error.h"

namespace sinew::studio {
namespace {

constexpr float joint_reach = 10;  ///< pixels

Vec3f position_of(const PosedBody& posed, int joint) {
    return posed.world[static_cast<std::size_t>(joint)].topRightCorner<3, 1>().cast<float>();
}

/// Moves a joint in the plane that faces the camera, or to the middle of the volume under the mouse.
class MoveJoint : public Tool {
  public:
    MoveJoint(State& state, const PosedBody& posed, int joint)
        : drag_(state, joint), anchor_(position_of(posed, joint)) {
        normal_ = to_camera(state.camera).backward();
        if (state.joint_tool.center && state.character().has_mesh())
            surface_ = skin_surface(state, posed.positions);
    }
    void move(State& state, const render::Ray& ray) override {
        auto position = render::plane_hit(ray, anchor_, normal_);
        if (!position) return;
        if (surface_)
            if (const auto middle = middle_of_volume(surface_->queries, ray, (*position - ray.origin).norm()))
                position = middle;
        drag_.move(state, position->cast<double>());
    }
    void end(State& state) override { drag_.end(state); }

  private:
    JointDrag drag_;
    Vec3f anchor_, normal_;
    std::shared_ptr<const SkinSurface> surface_;
};

class Stroke : public Tool {
  public:
    Stroke(State& state, std::shared_ptr<Painter> painter, int joint)
        : painter_(std::move(painter)),
          joint_(joint),
          radius_(static_cast<double>(state.weight_tool.radius * scene_size(state.document))) {
        state.painter = painter_;
    }
    void move(State& state, const render::Ray& ray) override {
        const auto hit = painter_->hit(ray);
        if (!hit) return;
        // Dabs overlap, so that a fast movement leaves no gaps.
        const double spacing = 0.3 * radius_;
        const Vec3f from = last_.value_or(hit->position);
        const double length = static_cast<double>((hit->position - from).norm());
        const int count = last_ ? std::min(static_cast<int>(length / spacing), 50) : 1;
        for (int i = 1; i <= count; ++i) {
            Painter::Hit between = *hit;
            between.position =
                from + (hit->position - from) * (static_cast<float>(i) / static_cast<float>(count));
            painter_->dab(between, joint_, state.weight_tool, radius_);
        }
        if (count > 0) last_ = hit->position;
    }
    void end(State& state) override {
        state.painter.reset();
        if (painter_->dabs() == 0) return;
        edit_rig(state, "paint", [&](const model::Character&) { return painter_->finished(); });
        const model::Side side = side_of(state.character().skeleton, joint_);
        if (state.weight_tool.symmetry && side != model::Side::none) mirror_stroke(state, side);
    }

  private:
    std::shared_ptr<Painter> painter_;
    int joint_;
    double radius_;
    std::optional<Vec3f> last_;
};

/// Hands, feet and other joints below two bones follow the mouse; pinned joints stay.
class BendLimb : public Tool {
  public:
    BendLimb(State& state, const PosedBody& posed, int joint)
        : limb_(state, joint), anchor_(position_of(posed, joint)) {
        normal_ = to_camera(state.camera).backward();
    }
    void move(State& state, const render::Ray& ray) override {
        const auto position = render::plane_hit(ray, anchor_, normal_);
        if (!position) return;
        if (!moved_) remember(state, "drag limb");
        moved_ = true;
        limb_.move(state, position->cast<double>());
    }
    void end(State&) override {}

  private:
    LimbDrag limb_;
    Vec3f anchor_, normal_;
    bool moved_ = false;
};

/// A press that ends immediately: the rest of the drag does nothing.
class Picked : public Tool {
  public:
    void move(State&, const render::Ray&) override {}
    void end(State&) override {}
};

/// The joint that moves the skin under the mouse most is selected for painting.
void choose_joint_by_skin(State& state, const std::vector<std::pair<int, double>>& weights) {
    const auto most = std::ranges::max_element(weights, {}, &std::pair<int, double>::second);
    if (most == weights.end()) return;
    state.selection = {SelectionKind::joint, most->first};
    const auto& joint = state.character().skeleton.joints[static_cast<std::size_t>(most->first)];
    state.messages.add(Severity::note,
                       "the brush paints " + joint.name + "; Ctrl+click chooses another joint");
}

std::unique_ptr<Tool> begin_stroke(State& state, const PosedBody& posed, const render::Ray& ray, bool pick) {
    const int joint = selected_joint(state);
    if (!state.character().has_skin() || posed.closed) return nullptr;
    auto painter = std::make_shared<Painter>(state.document.character, skin_surface(state, posed.positions));
    const auto hit = painter->hit(ray);
    if (!hit) return nullptr;
    if (state.weight_tool.picking) {
        state.weight_tool.copied = painter->weights_at(hit->vertex);
        state.weight_tool.action = BrushAction::paste;
        state.weight_tool.picking = false;
        return std::make_unique<Picked>();
    }
    if (joint < 0 || pick) {
        choose_joint_by_skin(state, painter->weights_at(hit->vertex));
        return std::make_unique<Picked>();
    }
    return std::make_unique<Stroke>(state, std::move(painter), joint);
}

}  // namespace

int joint_at(const State& state, const PosedBody& posed, const Vec2f& pixel,
             const render::PictureArea& area) {
    if (!state.character().has_skeleton() || state.view.skeleton == SkeletonMode::hidden) return -1;
    const auto hit = render::pick_skeleton(state.character().skeleton, posed.world, to_camera(state.camera),
                                           pixel, area, joint_reach);
    return hit ? hit->joint : -1;
}

std::optional<Vec3f> middle_of_volume(const geometry::SurfaceQueries& surface, const render::Ray& ray,
                                      float depth) {
    std::vector<geometry::RayHit> hits;
    surface.all_hits(ray.origin, ray.direction, hits);
    std::optional<float> best;
    float nearest = std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i + 1 < hits.size(); ++i) {
        if (!hits[i].entering || hits[i + 1].entering) continue;
        const float from = hits[i].distance, to = hits[i + 1].distance;
        const float off = std::max({from - depth, depth - to, 0.0f});
        if (off >= nearest) continue;
        nearest = off;
        best = (from + to) / 2;
    }
    if (!best) return std::nullopt;
    return Vec3f(ray.origin + *best * ray.direction);
}

std::unique_ptr<Tool> begin_tool(State& state, const PosedBody& posed, const Vec2f& pixel,
                                 const render::PictureArea& area, bool pick) {
    const render::Ray ray = render::pixel_ray(to_camera(state.camera), pixel, area);
    if (state.page == Page::weights) return begin_stroke(state, posed, ray, pick);
    if (state.page != Page::joints && state.page != Page::motion) return nullptr;
    if (state.page == Page::joints && (state.joint_tool.mark >= 0 || state.document.marks))
        if (auto mark = begin_mark(state, posed, pixel, area)) return mark;
    const int joint = joint_at(state, posed, pixel, area);
    if (joint < 0) return nullptr;
    state.selection = {SelectionKind::joint, joint};
    if (state.page == Page::joints) return std::make_unique<MoveJoint>(state, posed, joint);
    if (!state.motion_tool.drag_ends) return nullptr;
    return std::make_unique<BendLimb>(state, posed, joint);
}

}  // namespace sinew::studio
