// SPDX-License-Identifier: MIT
#include "viewport_input.h"

#include <cmath>
#include <optional>

#include "actions.h"

namespace sinew::studio {
namespace {

/// A press that moves less than this is a click.
constexpr float click_pixels = 4;
/// Reach of the rings.
constexpr float ring_pixels = 7;
/// A rotation of the camera by 360 degrees is about as wide as the picture.
constexpr float radians_per_pixel = 0.006f;

Vec3f position_of(const PosedBody& posed, int joint) {
    return posed.world[static_cast<std::size_t>(joint)].topRightCorner<3, 1>().cast<float>();
}

bool shows_skeleton(const State& state) {
    return state.character().has_skeleton() && state.view.skeleton != SkeletonMode::hidden;
}

Mat3d gizmo_axes(const State& state, int joint) {
    return axes_of(state.character().skeleton, pose_now(state), joint, state.edit.space);
}

}  // namespace

Selection pick(const State& state, const PosedBody& posed, const Vec2f& pixel,
               const render::PictureArea& area) {
    const render::Camera camera = to_camera(state.camera);
    const model::Character& character = state.character();
    if (shows_skeleton(state) && state.view.pick != PickTarget::surface) {
        const auto hit = render::pick_skeleton(character.skeleton, posed.world, camera, pixel, area);
        if (hit && hit->joint >= 0) return {SelectionKind::joint, hit->joint};
        if (hit) return {SelectionKind::bone, hit->bone};
    }
    if (!character.has_mesh() || state.view.pick == PickTarget::skeleton) return {};
    const auto hit = render::pick_triangle(posed.positions, character.mesh.triangles,
                                           render::pixel_ray(camera, pixel, area));
    if (!hit) return {};
    return {SelectionKind::part, state.document.parts->part_of[hit->triangle]};
}

GizmoLook ViewportInput::gizmo(const State& state, const PosedBody& posed) const {
    const int joint = selected_joint(state);
    const bool shown = state.edit.gizmo && joint >= 0 && state.selection.kind != SelectionKind::part &&
                       state.page != Page::joints && state.page != Page::weights;
    if (!shown) return {};
    const render::Camera camera = to_camera(state.camera);
    const float depth = -(position_of(posed, joint) - camera.eye).dot(camera.backward());
    return {drag_ == Drag::ring ? axis_ : hover_, 0.22f * depth * std::tan(camera.fov / 2)};
}

int ViewportInput::ring_at(const State& state, const PosedBody& posed, const render::PictureArea& area,
                           const Vec2f& pixel) const {
    const GizmoLook look = gizmo(state, posed);
    if (look.radius <= 0) return -1;
    const int joint = selected_joint(state);
    const render::Camera camera = to_camera(state.camera);
    const Mat3d axes = gizmo_axes(state, joint);
    int best = -1;
    float nearest = ring_pixels;
    for (int axis = 0; axis < 3; ++axis) {
        const auto ring = gizmo_ring(position_of(posed, joint), axes, axis, look.radius);
        const float pixels = render::pixels_to_line(camera, ring, pixel, area);
        if (pixels >= nearest) continue;
        nearest = pixels;
        best = axis;
    }
    return best;
}

void ViewportInput::press(State& state, const PosedBody& posed, const render::PictureArea& area,
                          const Pointer& pointer) {
    start_ = last_ = pointer.position;
    if (pointer.middle || pointer.right || pointer.shift) {
        drag_ = Drag::pan;
        return;
    }
    drag_ = Drag::press;
    if (state.page != Page::motion || ring_at(state, posed, area, pointer.position) < 0)
        tool_ = begin_tool(state, posed, pointer.position, area, pointer.ctrl);
    if (tool_) {
        drag_ = Drag::tool;
        // A brush paints at the press; a drag begins when the mouse moves.
        if (state.page == Page::weights)
            tool_->move(state, render::pixel_ray(to_camera(state.camera), pointer.position, area));
        return;
    }
    const int joint = selected_joint(state);
    if (joint < 0 || state.selection.kind == SelectionKind::part) return;
    axis_ = pointer.axis_key;
    if (axis_ >= 0) {
        drag_ = Drag::axis;
        anchor_ = position_of(posed, joint);
        moved_ = 0;
        remember(state, "move joint");
        return;
    }
    axis_ = ring_at(state, posed, area, pointer.position);
    if (axis_ < 0) return;
    drag_ = Drag::ring;
    rotated_ = applied_ = 0;
    remember(state, "rotate");
}

void ViewportInput::rotation_ring(State& state, const PosedBody& posed, const render::PictureArea& area,
                                  const Pointer& pointer) {
    const int joint = selected_joint(state);
    if (joint < 0) return;
    const render::Camera camera = to_camera(state.camera);
    const Vec3f center = position_of(posed, joint);
    const Mat3d axes = gizmo_axes(state, joint);
    const Vec3f normal = axes.col(axis_).cast<float>();
    const auto angle_at = [&](const Vec2f& pixel) -> std::optional<float> {
        const render::Ray ray = render::pixel_ray(camera, pixel, area);
        if (std::abs(ray.direction.dot(normal)) < 0.15f) return std::nullopt;
        const auto hit = render::plane_hit(ray, center, normal);
        if (!hit) return std::nullopt;
        const Vec3f from = *hit - center;
        return std::atan2(from.dot(axes.col((axis_ + 2) % 3).cast<float>()),
                          from.dot(axes.col((axis_ + 1) % 3).cast<float>()));
    };
    const auto before = angle_at(last_), now = angle_at(pointer.position);
    // A ring seen from its edge has no angle under the mouse: horizontal movement rotates it.
    float angle = before && now ? *now - *before : 0.01f * (pointer.position - last_).sum();
    angle = std::remainder(angle, 2 * static_cast<float>(math::pi));
    rotated_ += angle;
    const auto step = static_cast<float>(math::radians(std::max(state.edit.step, 0.1)));
    const float wanted = pointer.ctrl ? step * std::round(rotated_ / step) : rotated_;
    rotate(state.pose, state.character().skeleton, pose_below(state), joint, Vec3d::Unit(axis_),
           static_cast<double>(wanted - applied_), state.edit.space);
    applied_ = wanted;
}

std::optional<float> ViewportInput::rotated() const {
    if (drag_ != Drag::ring) return std::nullopt;
    return static_cast<float>(math::degrees(static_cast<double>(applied_)));
}

void ViewportInput::move_along(State& state, const render::PictureArea& area, const Pointer& pointer) {
    const int joint = selected_joint(state);
    if (joint < 0) return;
    const render::Camera camera = to_camera(state.camera);
    const Vec3f axis = Vec3f::Unit(axis_), side = Vec3f::Unit((axis_ + 1) % 3);
    const auto from = render::along_axis(render::pixel_ray(camera, start_, area), anchor_, axis, side);
    const auto to =
        render::along_axis(render::pixel_ray(camera, pointer.position, area), anchor_, axis, side);
    if (!from || !to) return;
    move_joint(state, joint, (*to - *from - moved_) * axis.cast<double>());
    moved_ = *to - *from;
}

void ViewportInput::drag(State& state, const PosedBody& posed, const render::PictureArea& area,
                         const Pointer& pointer) {
    const Vec2f by = pointer.position - last_;
    if (drag_ == Drag::press && (pointer.position - start_).norm() > click_pixels) drag_ = Drag::orbit;
    if (drag_ == Drag::press || by.isZero()) return;
    if (drag_ == Drag::orbit)
        render::orbit(state.camera, -radians_per_pixel * by.x(), -radians_per_pixel * by.y());
    if (drag_ == Drag::pan) render::pan(state.camera, by.x() / area.height, -by.y() / area.height);
    if (drag_ == Drag::ring) rotation_ring(state, posed, area, pointer);
    if (drag_ == Drag::axis) move_along(state, area, pointer);
    if (drag_ == Drag::tool)
        tool_->move(state, render::pixel_ray(to_camera(state.camera), pointer.position, area));
    last_ = pointer.position;
}

void ViewportInput::update(State& state, const PosedBody& posed, const render::PictureArea& area,
                           const Pointer& pointer) {
    const bool down = pointer.left || pointer.middle || pointer.right;
    if (drag_ == Drag::none) hover_ = pointer.inside ? ring_at(state, posed, area, pointer.position) : -1;
    if (down && !was_down_ && pointer.inside) press(state, posed, area, pointer);
    if (down && drag_ != Drag::none) drag(state, posed, area, pointer);
    if (!down && drag_ != Drag::none) {
        if (drag_ == Drag::press && state.page != Page::weights)
            state.selection = pick(state, posed, start_, area);
        if (tool_) tool_->end(state);
        tool_.reset();
        drag_ = Drag::none;
    }
    if (pointer.double_click && pointer.inside && drag_ != Drag::tool) look_at_all(state);
    const float size = scene_size(state.document);
    if (pointer.inside && pointer.wheel != 0)
        render::zoom(state.camera, std::pow(0.88f, pointer.wheel), 1e-3f * size, 50 * size);
    was_down_ = down;
}

}  // namespace sinew::studio
