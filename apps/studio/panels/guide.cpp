// SPDX-License-Identifier: MIT
// The guide: the steps from a mesh to a file, each of which can be skipped.

#include <algorithm>
#include <array>

#include "actions.h"
#include "guide_work.h"
#include "keys.h"
#include "marks.h"
#include "panels.h"
#include "ui.h"

namespace sinew::studio {
namespace {

constexpr std::array titles = {"Mesh", "Skeleton", "Joints", "Weights", "Motion", "Export"};
constexpr int last_step = static_cast<int>(titles.size()) - 1;

void text(const std::string& words) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(words.c_str());
    ImGui::PopTextWrapPos();
}

void mesh_step(State& state, bool idle) {
    const bool mesh = state.character().has_mesh();
    const float half = ui::part_width(2);
    text(mesh ? "The body should stand upright and face you." : "Open the mesh that is to move.");
    if (ui::button("Open a mesh", idle, half)) state.dialog = Dialog::open;
    ui::tip("OBJ, PLY, OFF, glTF, FBX and others", "Ctrl+O");
    ImGui::SameLine();
    if (ui::button("Front view", mesh, half)) look_from(state, render::View::front);
    ui::tip("from the front", "1");
    if (!mesh || state.character().has_skeleton()) return;
    if (ui::button("Rotate left", idle, half)) rotate_mesh(state, 1, 1);
    ui::tip("rotates the body by 90 degrees to its left");
    ImGui::SameLine();
    if (ui::button("Tip forward", idle, half)) rotate_mesh(state, 0, 1);
    ui::tip("for a body that lies on its back; three times for one that lies on its face");
    const geometry::Box box = geometry::bounds(state.character().mesh.positions);
    ui::field("Height", fmt::format("{:.3g} m", box.size().y()));
    ui::tip("if this is wrong, choose the units when you open the file");
}

void skeleton_step(State& state, bool idle) {
    const bool mesh = state.character().has_mesh();
    const float half = ui::part_width(2);
    text("Sinew finds a skeleton and binds the skin to it.");
    template_options(state.skeleton_choice);
    if (ui::button("Find skeleton###Guide: find", idle && mesh, half)) find_skeleton(state);
    ui::tip("in the background; a template for people and animals, else one by the shape");
    ImGui::SameLine();
    if (ui::button("Mark by hand", idle && mesh, half)) {
        show_page(state, Page::joints);
        begin_marks(state);
    }
    ui::tip("for a body that no method understands: click chin, groin, a wrist, an elbow and a knee");
}

void joints_step(State& state) {
    const std::vector<int> doubtful = doubtful_joints(state.document);
    if (!state.document.confidence)
        text("Drag joints that are not in the middle of their limb.");
    else if (doubtful.empty())
        text("All joints were found with confidence. Drag one that you want elsewhere.");
    else
        text(fmt::format("{} joints are uncertain (red). Drag those that are wrong.", doubtful.size()));
    if (ui::button("Next uncertain joint", !doubtful.empty(), -1)) next_doubtful_joint(state);
}

void weights_step(State& state, bool idle) {
    const float half = ui::part_width(2);
    text("Bend the body. Paint where the skin follows the wrong joint.");
    if (ui::button("Test pose###Guide: test pose", state.character().has_skin(), half)) take_test_pose(state);
    ui::tip("bends all limbs");
    ImGui::SameLine();
    if (ui::button("Bind again", idle && state.character().has_skeleton(), half)) bind_skin(state);
    ui::tip("computes new weights after joints were moved");
}

void motion_step(State& state, bool idle) {
    const bool can = idle && state.character().has_skeleton();
    const float half = ui::part_width(2);
    text("Open a motion, or try a walk. It is retargeted to the body.");
    if (ui::button("Open a motion", can, half)) state.dialog = Dialog::open;
    ui::tip("BVH, AMC, C3D, TRC, glTF, FBX and others", "Ctrl+O");
    ImGui::SameLine();
    if (ui::button("Try a walk", can, half)) walk_like_a_sample(state);
    ui::tip("the walk of a built-in character");
}

void export_step(State& state) {
    text("Write a file for your engine, a film, or a web page.");
    if (ui::button("Export ...###Guide: export", !state.document.empty(), -1)) state.dialog = Dialog::write;
    ui::tip("GLB, FBX, BVH, film, page and others", "Ctrl+E");
}

bool is_done(const State& state, int step) {
    const model::Character& character = state.character();
    return step == 0   ? character.has_mesh()
           : step == 1 ? character.has_skeleton()
           : step == 3 ? character.has_skin()
           : step == 4 ? !character.clips.empty()
                       : true;
}

}  // namespace

void go_to_guide_step(State& state, int step) {
    state.guide.step = std::clamp(step, 0, last_step);
    constexpr std::array pages = {Page::body,    Page::body,   Page::joints,
                                  Page::weights, Page::motion, Page::motion};
    const Page wanted = pages[static_cast<std::size_t>(state.guide.step)];
    if (state.page != wanted) show_page(state, wanted);
}

void guide_panel(State& state) {
    if (!state.guide.on) return;
    const bool idle = !state.job.running();
    const int step = state.guide.step;
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ImGui::GetColorU32(ImGuiCol_PopupBg));
    const float rows = step == 0 || step == 1 ? 7.0f : 4.5f;
    ImGui::BeginChild("guide", {0, rows * ImGui::GetFrameHeightWithSpacing()}, true);
    ImGui::TextDisabled("Step %d of %d", step + 1, last_step + 1);
    ImGui::SameLine();
    ImGui::TextUnformatted(titles[static_cast<std::size_t>(step)]);
    ImGui::SameLine(ImGui::GetWindowWidth() - 34 * ImGui::GetIO().FontGlobalScale);
    if (ImGui::SmallButton("x##close guide")) state.guide.on = false;
    ui::mark("close guide");
    ui::control("close guide");
    ui::tip("closes the guide; Help > Guide opens it again");
    switch (step) {
        case 0:
            mesh_step(state, idle);
            break;
        case 1:
            skeleton_step(state, idle);
            break;
        case 2:
            joints_step(state);
            break;
        case 3:
            weights_step(state, idle);
            break;
        case 4:
            motion_step(state, idle);
            break;
        default:
            export_step(state);
    }
    const float half = ui::part_width(2);
    if (ui::button("Previous step", step > 0, half)) go_to_guide_step(state, step - 1);
    ImGui::SameLine();
    const char* next = step == last_step      ? "Finish###Next step"
                       : is_done(state, step) ? "Next step###Next step"
                                              : "Skip###Next step";
    if (ui::button(next, true, half)) {
        if (step == last_step)
            state.guide = {};
        else
            go_to_guide_step(state, step + 1);
    }
    ImGui::EndChild();
    ImGui::PopStyleColor();
}

}  // namespace sinew::studio
