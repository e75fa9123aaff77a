// SPDX-License-Identifier: MIT
#include "stage.h"

#include <algorithm>
#include <cmath>

#include "actions.h"
#include "contacts.h"
#include "painter.h"
#include "sticks.h"

#include "sinew/math/quaternion.h"
#include "sinew/render/renderer.h"
#include "sinew/render/view.h"

namespace sinew::studio {
namespace {

using math::Vec4f;
using render::Layer;
using render::Overlay;

const Vec3f accent(0.95f, 0.42f, 0.05f);
const Vec4f axis_colors[3] = {{0.80f, 0.06f, 0.06f, 1}, {0.10f, 0.60f, 0.10f, 1}, {0.08f, 0.25f, 0.95f, 1}};

Vec4f opaque(const Vec3f& color) {
    return {color.x(), color.y(), color.z(), 1};
}

float power_of_ten_below(float value) {
    return std::pow(10.0f, std::floor(std::log10(std::max(value, 1e-20f))));
}

std::vector<Vec4f> part_colors(const geometry::Mesh& mesh, const BodyParts& parts) {
    std::vector<Vec4f> colors(mesh.vertex_count(), Vec4f(0.36f, 0.375f, 0.40f, 1));
    for (std::size_t t = 0; t < parts.part_of.size(); ++t)
        for (const std::uint32_t v : mesh.triangles[t])
            colors[v] = opaque(render::joint_color(static_cast<std::size_t>(parts.part_of[t])));
    return colors;
}

/// Weights of one joint as heat colours, cold everywhere when it moves nothing.
std::vector<Vec4f> heat_of_joint(const model::Skin& skin, int joint) {
    for (std::size_t entry = 0; entry < skin.joints.size(); ++entry)
        if (skin.joints[entry].joint == joint) return render::joint_weight_colors(skin, entry);
    return {skin.vertex_count(), opaque(render::heat_color(0))};
}

Overlay axes_overlay(float floor, float size) {
    Overlay overlay;
    const Vec3f origin(0, floor, 0);
    for (int axis = 0; axis < 3; ++axis)
        overlay.segments.push_back({origin, origin + 0.3f * size * Vec3f::Unit(axis), axis_colors[axis], 3});
    return overlay;
}

/// The selected joint or bone, slightly enlarged.
void mark_selected(Overlay& overlay, const State& state, const PosedBody& posed) {
    const auto index = static_cast<std::size_t>(state.selection.index);
    if (state.selection.kind == SelectionKind::joint && index < overlay.spheres.size()) {
        render::SphereShape sphere = overlay.spheres[index];
        sphere.radius *= 1.6f;
        sphere.color = accent;
        overlay.spheres.push_back(sphere);
    }
    if (state.selection.kind != SelectionKind::bone) return;
    const auto bones = model::bones(state.character().skeleton, posed.world);
    if (index >= bones.size()) return;
    const Vec3f start = bones[index].start.cast<float>(), end = bones[index].end.cast<float>();
    for (render::BoneShape& bone : overlay.bones)
        if (bone.start == start && bone.end == end) {
            bone.color = accent;
            bone.radius *= 1.3f;
        }
}

/// Green where the position of a joint is certain, red where the user should check it.
void color_by_confidence(Overlay& overlay, const State& state) {
    const auto& confidence = state.document.confidence;
    if (state.page != Page::joints || !state.view.confidence || !confidence) return;
    for (std::size_t j = 0; j < confidence->size() && j < overlay.spheres.size(); ++j)
        overlay.spheres[j].color =
            render::color_from_oklch(0.7f, 0.18f, static_cast<float>(0.08 + 0.32 * (*confidence)[j]));
}

Overlay skeleton_of(const State& state, const PosedBody& posed) {
    render::SkeletonStyle style;
    style.layer = state.view.skeleton == SkeletonMode::over ? Layer::top : Layer::scene;
    style.joint_colors = state.view.coloring == Coloring::weights;
    style.bone_color = {0.62f, 0.60f, 0.52f};
    style.sphere_color = {0.20f, 0.42f, 0.72f};
    Overlay overlay = render::skeleton_overlay(state.character().skeleton, posed.world, style);
    color_by_confidence(overlay, state);
    mark_selected(overlay, state, posed);
    return overlay;
}

Overlay box_overlay(const State& state, const PosedBody& posed) {
    Overlay overlay;
    const auto count = static_cast<int>(state.document.parts->parts.size());
    for (int part = 0; state.view.all_boxes && part < count; ++part)
        render::add_box(overlay, part_box(state, posed, part),
                        opaque(render::joint_color(static_cast<std::size_t>(part))), 1.5f);
    if (state.selection.kind == SelectionKind::part && state.selection.index < count)
        render::add_box(overlay, part_box(state, posed, state.selection.index), opaque(accent), 2.5f);
    return overlay;
}

Overlay gizmo_overlay(const State& state, const PosedBody& posed, const GizmoLook& gizmo) {
    Overlay overlay;
    overlay.layer = Layer::top;
    const int joint = selected_joint(state);
    if (joint < 0 || gizmo.radius <= 0) return overlay;
    const Vec3f center = posed.world[static_cast<std::size_t>(joint)].topRightCorner<3, 1>().cast<float>();
    const Mat3d axes = axes_of(state.character().skeleton, pose_now(state), joint, state.edit.space);
    for (int axis = 0; axis < 3; ++axis) {
        const std::vector<Vec3f> ring = gizmo_ring(center, axes, axis, gizmo.radius);
        const bool active = gizmo.active == axis;
        const Vec4f color = active ? Vec4f(0.95f, 0.80f, 0.15f, 1) : axis_colors[axis];
        for (std::size_t i = 0; i + 1 < ring.size(); ++i)
            overlay.segments.push_back({ring[i], ring[i + 1], color, active ? 4.0f : 2.5f});
    }
    return overlay;
}

/// Edges of the triangles in contact at the present time, on top of everything else.
Overlay contact_overlay(const State& state, const PosedBody& posed) {
    Overlay overlay;
    overlay.layer = Layer::top;
    const auto& track = state.contacts;
    if (state.page != Page::measure || !track || track->character != state.document.character ||
        track->clip != state.clip || track->triangles.empty())
        return overlay;
    const Vec4f color(0.95f, 0.25f, 0.05f, 1);
    for (const std::uint32_t t : track->triangles[track->frame_at(state.timeline.time)]) {
        const auto& corners = state.character().mesh.triangles[t];
        for (std::size_t i = 0; i < 3; ++i)
            overlay.segments.push_back(
                {posed.positions[corners[i]], posed.positions[corners[(i + 1) % 3]], color, 1.5f});
    }
    return overlay;
}

Overlay stick_overlay(const std::vector<std::pair<int, int>>& sticks, const PosedBody& posed) {
    Overlay overlay;
    const auto at = [&](int joint) -> Vec3f {
        return posed.world[static_cast<std::size_t>(joint)].topRightCorner<3, 1>().cast<float>();
    };
    for (const auto& [a, b] : sticks)
        if (static_cast<std::size_t>(std::max(a, b)) < posed.world.size())
            overlay.segments.push_back({at(a), at(b), Vec4f(0.75f, 0.72f, 0.60f, 1), 2});
    return overlay;
}

/// Bones as lines at times before and after the present one, paler with increasing distance.
void add_onion_skins(render::Scene& scene, const State& state) {
    const model::Clip* clip = state.playing_clip();
    if (clip == nullptr) return;
    const model::Skeleton& skeleton = state.character().skeleton;
    Overlay overlay;
    overlay.layer = Layer::top;
    for (int i = -state.view.onion; i <= state.view.onion; ++i) {
        const double time = state.timeline.time + i * state.view.onion_step / state.timeline.rate;
        if (i == 0 || time < state.timeline.start - 1e-9 || time > state.timeline.end + 1e-9) continue;
        const float alpha =
            0.9f - 0.7f * static_cast<float>(std::abs(i)) / static_cast<float>(state.view.onion + 1);
        const Vec4f color = i < 0 ? Vec4f(0.10f, 0.35f, 0.95f, alpha) : Vec4f(0.95f, 0.45f, 0.05f, alpha);
        const auto world = model::world_matrices(skeleton, model::sample(*clip, skeleton, time));
        for (const model::Bone& bone : model::bones(skeleton, world))
            overlay.segments.push_back({bone.start.cast<float>(), bone.end.cast<float>(), color, 2});
    }
    scene.overlays.push_back(std::move(overlay));
}

/// The mesh with the triangles of one part alone.
geometry::Mesh mesh_of_part(const geometry::Mesh& mesh, const BodyParts& parts, int part) {
    geometry::Mesh result;
    result.positions = mesh.positions;
    result.normals = mesh.normals;
    for (std::size_t t = 0; t < parts.part_of.size(); ++t)
        if (parts.part_of[t] == part) result.triangles.push_back(mesh.triangles[t]);
    return result;
}

}  // namespace

std::vector<Vec3f> gizmo_ring(const Vec3f& center, const Mat3d& axes, int axis, float radius) {
    constexpr int steps = 64;
    std::vector<Vec3f> ring;
    const Vec3d u = axes.col((axis + 1) % 3), v = axes.col((axis + 2) % 3);
    for (int i = 0; i <= steps; ++i) {
        const double angle = 2 * math::pi * i / steps;
        ring.push_back(center + radius * Vec3f((std::cos(angle) * u + std::sin(angle) * v).cast<float>()));
    }
    return ring;
}

OrientedBox part_box(const State& state, const PosedBody& posed, int part) {
    const BodyPart& body = state.document.parts->parts[static_cast<std::size_t>(part)];
    Mat3d rotation = Mat3d::Identity();
    if (body.entry >= 0 && static_cast<std::size_t>(body.entry) < posed.palette.size()) {
        const Mat3d linear = posed.palette[static_cast<std::size_t>(body.entry)].topLeftCorner<3, 3>();
        rotation = math::from_matrix<double>(linear).toRotationMatrix();
    }
    return posed_box(body, state.character().mesh.positions, posed.positions, rotation);
}

void Stage::set_up(const State& state, Monitor& monitor) {
    const bool same_parts = parts_ == state.document.parts;
    if (!same_parts) {
        parts_ = state.document.parts;
        highlight_.reset();
        highlighted_ = -1;
        colors_.clear();
    }
    if (character_ == state.document.character) return;
    character_ = state.document.character;
    colors_.clear();
    // Weights, joints and clips change more often than the mesh, which takes long to upload.
    if (surface_ != state.document.surface) {
        surface_ = state.document.surface;
        body_.reset();
        if (character_->has_mesh()) body_.emplace(renderer_, character_->mesh, monitor);
    }
    const geometry::Box& box = state.document.box;
    size_ = scene_size(state.document);
    floor_ = box.empty() || std::abs(box.low.y()) < 0.05f * size_ ? 0.0f : box.low.y();
}

void Stage::color_body(const State& state, render::Drawable& body) {
    const bool data = state.view.coloring == Coloring::parts ||
                      (state.character().has_skin() && (state.view.coloring == Coloring::weights ||
                                                        state.view.coloring == Coloring::joint_weights));
    const int joint = selected_joint(state);
    if (!data) {
        if (state.view.coloring != Coloring::material) body.surface = render::Surface::plain;
        return;
    }
    // Before a joint is selected, the regions of all joints are shown.
    const bool one = state.view.coloring == Coloring::joint_weights && joint >= 0;
    if (state.painter && one) {
        if (colored_dabs_ != state.painter->dabs() || colored_joint_ != joint)
            colors_ = render::scalar_colors(state.painter->heat(joint), {0, 1});
        colored_dabs_ = state.painter->dabs();
        colored_joint_ = joint;
    } else if (colors_.empty() || colored_ != state.view.coloring || colored_joint_ != joint ||
               colored_dabs_ != 0) {
        colored_dabs_ = 0;
        colored_ = state.view.coloring;
        colored_joint_ = joint;
        colors_ = colored_ == Coloring::parts ? part_colors(character_->mesh, *parts_)
                  : one                       ? heat_of_joint(character_->skin, joint)
                                              : render::weight_colors(character_->skin);
    }
    body.surface = render::Surface::colors;
    body.colors = colors_;
}

void Stage::add_body(const State& state, const PosedBody& posed, Monitor& monitor) {
    render::Drawable body;
    const ViewSettings& view = state.view;
    if (posed.closed) {
        closed_.reset();
        closed_.emplace(renderer_, *posed.closed, monitor);
        body.mesh = closed_->id();
        if (view.coloring != Coloring::material) body.surface = render::Surface::plain;
    } else {
        closed_.reset();
        body.mesh = body_->id();
        body.positions = posed.positions;
        body.normals = posed.normals;
        color_body(state, body);
    }
    body.fill = view.mode == RenderMode::points ? render::Fill::points
                : view.mode == RenderMode::wire ? render::Fill::wire
                                                : render::Fill::surface;
    body.wireframe = view.mode == RenderMode::solid_wire;
    if (view.mode == RenderMode::wire) body.wire_color = {0.42f, 0.50f, 0.60f, 0.8f};
    body.point_size = 2.5f;
    // X-ray: the skeleton inside is visible.
    const bool xray = view.skeleton == SkeletonMode::inside && state.character().has_skeleton();
    body.opacity = view.transparent ? std::clamp(view.opacity, 0.05f, 0.99f)
                   : xray           ? (state.page == Page::weights ? 0.8f : 0.45f)
                                    : 1.0f;
    body.casts_shadow = view.shadows;
    scene_.drawables.push_back(body);
}

void Stage::add_highlight(const State& state, const PosedBody& posed) {
    const int part = state.selection.kind == SelectionKind::part ? state.selection.index : -1;
    if (part != highlighted_) {
        highlight_.reset();
        highlighted_ = part;
        if (part >= 0) highlight_.emplace(renderer_, mesh_of_part(character_->mesh, *parts_, part));
    }
    if (!highlight_) return;
    render::Drawable glow;
    glow.mesh = highlight_->id();
    glow.positions = posed.positions;
    glow.normals = posed.normals;
    glow.surface = render::Surface::plain;
    glow.color = opaque(accent);
    glow.opacity = 0.45f;
    glow.fill = state.view.mode == RenderMode::points ? render::Fill::points
                : state.view.mode == RenderMode::wire ? render::Fill::wire
                                                      : render::Fill::surface;
    glow.wire_color = {accent.x(), accent.y(), accent.z(), 1};
    glow.point_size = 3.5f;
    glow.casts_shadow = false;
    scene_.drawables.push_back(glow);
}

render::Scene& Stage::update(const State& state, const PosedBody& posed, const GizmoLook& gizmo,
                             Monitor& monitor) {
    set_up(state, monitor);
    const ViewSettings& view = state.view;
    scene_.drawables.clear();
    scene_.overlays.clear();
    scene_.background = {};
    if (!view.light) {
        scene_.background.center = {0.055f, 0.061f, 0.072f};
        scene_.background.edge = {0.016f, 0.018f, 0.023f};
    }
    scene_.lighting.azimuth = math::radians(view.lamp);
    scene_.ground.visible = view.floor;
    scene_.ground.height = floor_;
    scene_.ground.shadow = view.shadows;
    scene_.ground.spacing = power_of_ten_below(size_);
    scene_.ground.reach = 5 * size_;
    scene_.lighting.shadows = view.shadows;
    if (body_ && !state.cast.hidden) {
        add_body(state, posed, monitor);
        add_highlight(state, posed);
        scene_.overlays.push_back(box_overlay(state, posed));
    }
    others_.update(state, monitor);
    others_.add_to(scene_, state);
    if (state.document.trial != trial_) {
        trial_ = state.document.trial;
        forces_ = trial_ ? render::ForceOverlay(*trial_, {}, monitor) : render::ForceOverlay();
        sticks_.clear();
        if (trial_ && !state.character().clips.empty())
            sticks_ = marker_sticks(state.character(), state.character().clips.front());
    }
    if (view.sticks && trial_) scene_.overlays.push_back(stick_overlay(sticks_, posed));
    if (view.forces && !forces_.empty() && state.clip >= 0)
        scene_.overlays.push_back(forces_.at(state.timeline.time));
    if (const Overlay touching = contact_overlay(state, posed); !touching.segments.empty())
        scene_.overlays.push_back(touching);
    if (view.onion > 0 && state.page == Page::motion) add_onion_skins(scene_, state);
    if (view.axes) scene_.overlays.push_back(axes_overlay(floor_, size_));
    if (state.character().has_skeleton() && !state.cast.hidden) {
        if (view.skeleton != SkeletonMode::hidden) scene_.overlays.push_back(skeleton_of(state, posed));
        scene_.overlays.push_back(gizmo_overlay(state, posed, gizmo));
    }
    return scene_;
}

}  // namespace sinew::studio
