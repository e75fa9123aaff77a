// SPDX-License-Identifier: MIT
#include "view_marks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "actions.h"
#include "marks.h"
#include "tools.h"
#include "ui.h"
#include <imgui.h>

#include "sinew/render/view.h"

namespace sinew::studio {
namespace {

constexpr std::array<ImU32, 3> axis_inks = {IM_COL32(232, 82, 78, 255), IM_COL32(104, 200, 96, 255),
                                            IM_COL32(88, 140, 250, 255)};

/// Directions of the axes, in the lower left corner; the farthest first.
void corner_axes(const State& state, ImDrawList& list) {
    const math::Quatf to_view = orientation(state.camera).conjugate();
    std::array<Vec3f, 3> ends;
    for (int axis = 0; axis < 3; ++axis) ends[static_cast<std::size_t>(axis)] = to_view * Vec3f::Unit(axis);
    std::array<std::size_t, 3> order = {0, 1, 2};
    std::ranges::sort(order, {}, [&](std::size_t i) { return ends[i].z(); });
    const ImVec2 middle{state.area.left + 46, state.area.top + state.area.height - 46};
    for (const std::size_t i : order) {
        const ImVec2 end{middle.x + 30 * ends[i].x(), middle.y - 30 * ends[i].y()};
        list.AddLine(middle, end, axis_inks[i], 2.5f);
        const char name[2] = {static_cast<char>('x' + i), 0};
        list.AddText({end.x + 6 * ends[i].x() - 4, end.y - 6 * ends[i].y() - 7}, axis_inks[i], name);
    }
}

void joint_names(const State& state, const PosedBody& posed, ImDrawList& list) {
    const render::PictureArea area{state.area.width, state.area.height};
    const render::Camera camera = to_camera(state.camera);
    const auto& joints = state.character().skeleton.joints;
    for (std::size_t j = 0; j < joints.size() && j < posed.world.size(); ++j) {
        const auto seen = render::to_pixel(camera, posed.world[j].topRightCorner<3, 1>().cast<float>(), area);
        if (!seen) continue;
        const ImVec2 position{state.area.left + seen->x() + 7, state.area.top + seen->y() - 8};
        list.AddText({position.x + 1, position.y + 1}, IM_COL32(0, 0, 0, 200), joints[j].name.c_str());
        list.AddText(position, IM_COL32(225, 228, 232, 255), joints[j].name.c_str());
    }
}

void welcome(const State& state, ImDrawList& list) {
    const std::array lines = {"Drop a file here, or open one with Ctrl+O.",
                              "File > Samples has characters that walk."};
    float y = state.area.top + 0.45f * state.area.height;
    for (const char* line : lines) {
        const float width = ImGui::CalcTextSize(line).x;
        list.AddText({state.area.left + (state.area.width - width) / 2, y}, IM_COL32(170, 176, 186, 255),
                     line);
        y += 24;
    }
}

bool mouse_inside(const State& state) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const ViewArea& area = state.area;
    return mouse.x > area.left && mouse.x < area.left + area.width && mouse.y > area.top &&
           mouse.y < area.top + area.height && state.dialog == Dialog::none;
}

/// The brush, in its size at the position where it would paint.
void brush_ring(const State& state, ImDrawList& list) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (state.page != Page::weights || !mouse_inside(state)) return;
    const float radius = state.weight_tool.radius * scene_size(state.document);
    const float pixels =
        radius / (state.camera.distance * std::tan(state.camera.fov / 2)) * state.area.height / 2;
    list.AddCircle(mouse, std::max(pixels, 2.0f), IM_COL32(0, 0, 0, 160), 48, 3);
    list.AddCircle(mouse, std::max(pixels, 2.0f), IM_COL32(255, 255, 255, 230), 48, 1.5f);
}

/// Labelled markers of a trial are joints, whose names are shown; pins have a square.
void pins(const State& state, const PosedBody& posed, ImDrawList& list) {
    const render::PictureArea area{state.area.width, state.area.height};
    for (const int joint : state.motion_tool.pins) {
        if (joint < 0 || static_cast<std::size_t>(joint) >= posed.world.size()) continue;
        const Vec3f at = posed.world[static_cast<std::size_t>(joint)].topRightCorner<3, 1>().cast<float>();
        if (const auto seen = render::to_pixel(to_camera(state.camera), at, area)) {
            const ImVec2 p{state.area.left + seen->x(), state.area.top + seen->y()};
            list.AddRect({p.x - 7, p.y - 7}, {p.x + 7, p.y + 7}, IM_COL32(240, 200, 60, 255), 0, 0, 2.5f);
        }
    }
}

/// Marks of the body, and the mark that the next click sets.
void body_marks(const State& state, ImDrawList& list) {
    const render::PictureArea area{state.area.width, state.area.height};
    const bool placing = state.joint_tool.mark >= 0;
    if (state.document.marks && (placing || !state.character().has_skeleton()))
        for (int i = 0; i < mark_count; ++i) {
            const auto& at = state.document.marks->at[static_cast<std::size_t>(i)];
            const auto seen = at ? render::to_pixel(to_camera(state.camera), at->cast<float>(), area)
                                 : std::optional<Vec2f>();
            if (!seen) continue;
            const ImVec2 p{state.area.left + seen->x(), state.area.top + seen->y()};
            ui::mark_at("mark/" + std::string(name_of(static_cast<Mark>(i))), p);
            list.AddCircleFilled(p, 6, IM_COL32(20, 22, 26, 220));
            list.AddCircle(p, 6, IM_COL32(240, 200, 60, 255), 24, 2.5f);
            // Names of the right side are on the left of the picture.
            const std::string name(name_of(static_cast<Mark>(i)));
            const bool right = name.starts_with("right");
            const float off = right ? -10 - ImGui::CalcTextSize(name.c_str()).x : 10;
            const ImVec2 corner{p.x + off, p.y - 8}, size = ImGui::CalcTextSize(name.c_str());
            list.AddRectFilled({corner.x - 4, corner.y - 2}, {corner.x + size.x + 4, corner.y + size.y + 2},
                               IM_COL32(20, 22, 26, 200), 4);
            list.AddText(corner, IM_COL32(240, 220, 150, 255), name.c_str());
        }
    if (!placing) return;
    const auto next = static_cast<Mark>(state.joint_tool.mark);
    const bool both = state.joint_tool.symmetry && twin_of(next) != next;
    std::string what(name_of(next));
    if (both)
        what = "a " + what.substr(what.find(' ') + 1);
    else
        what = "the " + what;
    const std::string text = "Click " + what;
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    const ImVec2 at{state.area.left + (state.area.width - width) / 2, state.area.top + 14};
    list.AddRectFilled({at.x - 12, at.y - 6}, {at.x + width + 12, at.y + 22}, IM_COL32(20, 22, 26, 220), 6);
    list.AddText(at, IM_COL32(240, 200, 60, 255), text.c_str());
    ui::remember_value("Next mark", what);
}

ImU32 ink_of_confidence(double confidence) {
    const Vec3f color = render::color_from_oklch(0.7f, 0.18f, static_cast<float>(0.08 + 0.32 * confidence));
    const auto part = [](float linear) {
        return static_cast<int>(255 * std::pow(std::clamp(linear, 0.0f, 1.0f), 1 / 2.2f));
    };
    return IM_COL32(part(color.x()), part(color.y()), part(color.z()), 255);
}

/// Joints as points that the mouse can drag, even if their bones are short; the one under the mouse shows its
/// name.
void joint_handles(const State& state, const PosedBody& posed, ImDrawList& list) {
    const bool moves =
        state.page == Page::joints || (state.page == Page::motion && state.motion_tool.drag_ends);
    if (!moves || state.joint_tool.mark >= 0 || state.view.skeleton == SkeletonMode::hidden) return;
    const render::PictureArea area{state.area.width, state.area.height};
    const render::Camera camera = to_camera(state.camera);
    const auto& joints = state.character().skeleton.joints;
    const auto pixel_of = [&](std::size_t joint) -> std::optional<ImVec2> {
        const auto seen =
            render::to_pixel(camera, posed.world[joint].topRightCorner<3, 1>().cast<float>(), area);
        if (!seen) return std::nullopt;
        return ImVec2{state.area.left + seen->x(), state.area.top + seen->y()};
    };
    const auto& confidence = state.document.confidence;
    const bool sure = state.view.confidence && confidence && confidence->size() == joints.size();
    const float scale = ImGui::GetIO().FontGlobalScale;
    for (std::size_t j = 0; state.page == Page::joints && j < joints.size(); ++j) {
        const auto p = pixel_of(j);
        if (!p) continue;
        const bool chosen = selected_joint(state) == static_cast<int>(j);
        const ImU32 ink = chosen ? IM_COL32(245, 150, 40, 255)
                          : sure ? ink_of_confidence((*confidence)[j])
                                 : IM_COL32(120, 170, 235, 255);
        list.AddCircleFilled(*p, (chosen ? 6.5f : 4.5f) * scale, IM_COL32(16, 18, 22, 200));
        list.AddCircleFilled(*p, (chosen ? 5.0f : 3.2f) * scale, ink);
    }
    if (!mouse_inside(state)) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const int near = joint_at(state, posed, {mouse.x - state.area.left, mouse.y - state.area.top}, area);
    if (near < 0) return;
    const auto index = static_cast<std::size_t>(near);
    const auto p = pixel_of(index);
    if (!p) return;
    std::string text = joints[index].name;
    if (sure && state.page == Page::joints)
        text += fmt::format("  {:.0f} % certain", 100 * (*confidence)[index]);
    list.AddCircle(*p, 8 * scale, IM_COL32(255, 255, 255, 230), 24, 2);
    const ImVec2 at{p->x + 14 * scale, p->y - 22 * scale}, size = ImGui::CalcTextSize(text.c_str());
    list.AddRectFilled({at.x - 6, at.y - 3}, {at.x + size.x + 6, at.y + size.y + 3},
                       IM_COL32(20, 22, 26, 215), 4);
    list.AddText(at, IM_COL32(235, 237, 240, 255), text.c_str());
    ui::remember_value("Joint under the mouse", joints[index].name);
}

/// The angle by which a ring has been dragged.
void angle_beside_mouse(float degrees, ImDrawList& list) {
    const std::string text = fmt::format("{:+.1f}\xc2\xb0", degrees);
    const ImVec2 mouse = ImGui::GetIO().MousePos, size = ImGui::CalcTextSize(text.c_str());
    const ImVec2 at{mouse.x + 18, mouse.y - 24};
    list.AddRectFilled({at.x - 6, at.y - 3}, {at.x + size.x + 6, at.y + size.y + 3},
                       IM_COL32(20, 22, 26, 225), 4);
    list.AddText(at, IM_COL32(245, 205, 70, 255), text.c_str());
    ui::remember_value("Rotated", text);
}

/// The newest message for a few seconds: the list of all is in a corner that is easily missed.
void notice(const State& state, ImDrawList& list) {
    if (!state.show_times || state.messages.list().empty()) return;
    const Message& message = state.messages.list().back();
    const double seconds = message.severity == Severity::note ? 4 : 9;
    if (seconds_now() - state.messages.newest() > seconds) return;
    const ImU32 ink = message.severity == Severity::error     ? IM_COL32(255, 128, 110, 255)
                      : message.severity == Severity::warning ? IM_COL32(245, 196, 100, 255)
                                                              : IM_COL32(225, 228, 232, 255);
    const float scale = ImGui::GetIO().FontGlobalScale;
    const float wide = std::min(state.area.width - 140 * scale, 620 * scale);
    if (wide < 80) return;
    const ImVec2 size = ImGui::CalcTextSize(message.text.c_str(), nullptr, false, wide);
    const ImVec2 at{state.area.left + (state.area.width - size.x) / 2,
                    state.area.top + state.area.height - size.y - 26 * scale};
    list.AddRectFilled({at.x - 12, at.y - 8}, {at.x + size.x + 12, at.y + size.y + 8},
                       IM_COL32(20, 22, 26, 225), 6);
    list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), at, ink, message.text.c_str(), nullptr, wide);
    ui::remember_value("Notice", message.text);
}

}  // namespace

void draw_marks(const State& state, const PosedBody& posed, std::optional<float> rotated) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (state.view.axes) corner_axes(state, list);
    if (state.view.names) joint_names(state, posed, list);
    if (state.page == Page::motion) pins(state, posed, list);
    joint_handles(state, posed, list);
    if (state.page == Page::joints) body_marks(state, list);
    brush_ring(state, list);
    if (rotated) angle_beside_mouse(*rotated, list);
    if (state.document.empty() && !state.job.running()) welcome(state, list);
    notice(state, list);
}

}  // namespace sinew::studio
