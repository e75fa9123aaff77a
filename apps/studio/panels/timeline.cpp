// SPDX-License-Identifier: MIT
#include "timeline.h"

#include <algorithm>
#include <cmath>

#include "actions.h"
#include "panels.h"
#include "shared/plural.h"
#include "ui.h"

namespace sinew::studio {
namespace {

void clip_choice(State& state) {
    std::vector<std::string> names = {"rest pose"};
    for (const model::Clip& clip : state.character().clips)
        names.push_back(clip.name.empty() ? "unnamed" : clip.name);
    if (state.document.sequence) names = {"sequence"};
    int index = state.clip + 1;
    ImGui::SetNextItemWidth(180);
    if (ui::choice("##Clip", index, names)) choose_clip(state, index - 1);
    ui::tip("the clip that plays", "C");
}

void transport(State& state) {
    Timeline& timeline = state.timeline;
    ImGui::BeginDisabled(timeline.empty());
    if (ui::icon_button("First frame", ui::Icon::to_start, "first frame", "Home"))
        seek(timeline, timeline.start);
    ImGui::SameLine();
    if (ui::icon_button("Back", ui::Icon::back, "previous frame", ",")) step(timeline, -1);
    ImGui::SameLine();
    if (ui::icon_button("Play", timeline.playing ? ui::Icon::pause : ui::Icon::play, "play or pause",
                        "Space"))
        toggle_play(timeline);
    ImGui::SameLine();
    if (ui::icon_button("Forward", ui::Icon::forward, "next frame", ".")) step(timeline, 1);
    ImGui::SameLine();
    if (ui::icon_button("Last frame", ui::Icon::to_end, "last frame", "End")) seek(timeline, timeline.end);
    ImGui::EndDisabled();
    ImGui::SameLine(0, 18);
    ui::toggle("Loop", timeline.loop);
    ui::tip("begins again at the end", "L");
    ImGui::SameLine(0, 18);
    ImGui::SetNextItemWidth(110);
    ui::slider("Speed", timeline.speed, 0.1, 3, "%.2f x");
    ImGui::SameLine(0, 18);
    if (ui::button("Reset pose")) reset_pose(state);
    ui::tip("back to the rest pose", "R");
}

/// Round steps of frames with a minimum distance between lines.
int tick_step(int frames, float width) {
    for (const int step : {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000})
        if (static_cast<float>(frames) / static_cast<float>(step) * 46 < width) return step;
    return std::max(frames / 8, 1);
}

void draw_ruler(const Timeline& timeline, const ImVec2& low, const ImVec2& high) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(low, high, ImGui::GetColorU32(ImGuiCol_FrameBg), 4);
    const float width = high.x - low.x;
    const int frames = timeline.frame_count();
    const auto slot = [&](double frame) {
        return low.x + width * static_cast<float>(frame / std::max(frames - 1, 1));
    };
    const int step = tick_step(frames, width);
    for (int frame = 0; frame < frames; frame += step) {
        const float x = slot(frame);
        list.AddLine({x, high.y - 7}, {x, high.y}, ImGui::GetColorU32(ImGuiCol_TextDisabled));
        const std::string text = std::to_string(frame);
        if (x + ImGui::CalcTextSize(text.c_str()).x + 4 < high.x)
            list.AddText({x + 3, low.y + 2}, ImGui::GetColorU32(ImGuiCol_TextDisabled), text.c_str());
    }
    const float x = slot((timeline.time - timeline.start) * timeline.rate);
    const ImU32 accent = ImGui::GetColorU32(ImGuiCol_CheckMark);
    list.AddLine({x, low.y}, {x, high.y}, accent, 2);
    list.AddTriangleFilled({x - 6, low.y}, {x + 6, low.y}, {x, low.y + 8}, accent);
}

/// Frames that the mouse can set: a press or a drag seeks.
void ruler(State& state) {
    Timeline& timeline = state.timeline;
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const ImVec2 size{std::max(ImGui::GetContentRegionAvail().x, 50.0f), 26};
    ImGui::InvisibleButton("##Ruler", size);
    ui::mark("Ruler");
    if (ImGui::IsItemActive() && !timeline.empty()) {
        const double part = std::clamp((ImGui::GetIO().MousePos.x - low.x) / size.x, 0.0f, 1.0f);
        seek_frame(timeline, static_cast<int>(std::lround(part * (timeline.frame_count() - 1))));
    }
    draw_ruler(timeline, low, {low.x + size.x, low.y + size.y});
}

/// "about 12 s left" of a stage, once it can be estimated; before and between, the total time so far.
std::string time_left(const State& state, const Job::Progress& now) {
    static std::string stage;
    static double since = 0, before = 1;
    if (stage != now.stage || now.fraction < before) since = seconds_now();
    stage = now.stage;
    before = now.fraction;
    const double elapsed = seconds_now() - since;
    if (now.fraction < 0.05 || now.fraction > 0.995 || elapsed < 1)
        return fmt::format("{:.0f} s", state.job.seconds());
    return fmt::format("about {:.0f} s left", std::ceil(elapsed * (1 - now.fraction) / now.fraction));
}

/// The running task, its progress, and a button that cancels it.
void work_in_progress(State& state) {
    const Job::Progress now = state.job.progress();
    const float scale = ImGui::GetIO().FontGlobalScale, width = ImGui::GetWindowWidth();
    ImGui::SameLine(width - 560 * scale);
    const std::string stage = now.stage.empty() ? "" : ": " + now.stage;
    ImGui::TextUnformatted((state.job.what() + stage).c_str());
    ImGui::SameLine(width - 310 * scale);
    ImGui::TextDisabled("%s", time_left(state, now).c_str());
    ImGui::SameLine(width - 190 * scale);
    ImGui::ProgressBar(static_cast<float>(now.fraction), {100 * scale, 14 * scale}, "");
    ImGui::SameLine();
    ImGui::SetCursorPosY(2);
    if (ui::button("Cancel##job", !state.job.cancelling())) state.job.cancel();
}

}  // namespace

void timeline_panel(State& state) {
    const Timeline& timeline = state.timeline;
    clip_choice(state);
    ImGui::SameLine(0, 18);
    transport(state);
    ImGui::SameLine(0, 24);
    ImGui::AlignTextToFramePadding();
    if (timeline.empty())
        ImGui::TextDisabled("no clip");
    else
        ImGui::Text("frame %d of %d     %.3f of %.3f s     clip at %.4g Hz", timeline.frame(),
                    timeline.frame_count() - 1, timeline.time, timeline.end, timeline.rate);
    ruler(state);
    lane(state);
}

void status_bar(State& state) {
    if (state.show_times) {
        ImGui::TextDisabled("%.0f fps", state.times.frame > 0 ? 1 / state.times.frame : 0);
        ImGui::SameLine(80);
        ImGui::TextDisabled("skinning %.2f ms", 1e3 * state.times.skin);
        ImGui::SameLine(220);
        ImGui::TextDisabled("drawing %.1f ms", 1e3 * state.times.draw);
        ImGui::SameLine(350);
        ImGui::TextDisabled("interface %.1f ms", 1e3 * state.times.interface);
        ui::tip("processor time of the panels in this frame");
        ImGui::SameLine(490);
        ImGui::TextDisabled("answer %.0f ms", 1e3 * state.times.answer);
        ui::tip("time from your last event to the picture that showed it");
        ImGui::SameLine(610);
    }
    ImGui::TextDisabled("%s", app::count_of(state.character().mesh.vertex_count(), "vertex").c_str());
    if (state.camera_mode.fly) {
        ImGui::SameLine(740);
        ImGui::TextDisabled("flying at %.2f", static_cast<double>(state.camera_mode.velocity));
    }
    if (state.job.running()) work_in_progress(state);
}

}  // namespace sinew::studio
