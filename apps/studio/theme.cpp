// SPDX-License-Identifier: MIT
#include "theme.h"

#include <filesystem>

#include <imgui.h>

#include "sinew/base/system.h"

namespace sinew::studio {
namespace {

ImVec4 gray(float value, float alpha = 1) {
    return {0.94f * value, 0.97f * value, 1.04f * value, alpha};
}

void set_dark_colors(ImGuiStyle& style) {
    ImGui::StyleColorsDark(&style);
    const ImVec4 accent{0.93f, 0.55f, 0.18f, 1}, dim{0.93f, 0.55f, 0.18f, 0.45f};
    const auto set = [&](ImGuiCol slot, const ImVec4& color) { style.Colors[slot] = color; };
    set(ImGuiCol_Text, gray(0.86f));
    set(ImGuiCol_TextDisabled, gray(0.52f));
    set(ImGuiCol_WindowBg, gray(0.125f));
    set(ImGuiCol_ChildBg, gray(0.105f));
    set(ImGuiCol_PopupBg, gray(0.145f, 0.98f));
    set(ImGuiCol_Border, gray(0.21f));
    set(ImGuiCol_FrameBg, gray(0.185f));
    set(ImGuiCol_FrameBgHovered, gray(0.24f));
    set(ImGuiCol_FrameBgActive, gray(0.28f));
    set(ImGuiCol_MenuBarBg, gray(0.11f));
    set(ImGuiCol_Header, {0.44f, 0.27f, 0.11f, 1});
    set(ImGuiCol_HeaderHovered, gray(0.26f));
    set(ImGuiCol_HeaderActive, gray(0.30f));
    set(ImGuiCol_Button, gray(0.22f));
    set(ImGuiCol_ButtonHovered, gray(0.30f));
    set(ImGuiCol_ButtonActive, {0.62f, 0.36f, 0.12f, 1});
    set(ImGuiCol_CheckMark, accent);
    // The number is drawn over the handle.
    set(ImGuiCol_SliderGrab, {0.62f, 0.36f, 0.12f, 1});
    set(ImGuiCol_SliderGrabActive, {0.70f, 0.42f, 0.14f, 1});
    set(ImGuiCol_PlotHistogram, accent);
    set(ImGuiCol_TextSelectedBg, dim);
    set(ImGuiCol_Separator, gray(0.21f));
    set(ImGuiCol_ScrollbarBg, gray(0.125f));
    set(ImGuiCol_ScrollbarGrab, gray(0.26f));
    set(ImGuiCol_TitleBg, gray(0.11f));
    set(ImGuiCol_TitleBgActive, gray(0.15f));
    set(ImGuiCol_ModalWindowDimBg, {0, 0, 0, 0.45f});
}

void set_light_colors(ImGuiStyle& style) {
    ImGui::StyleColorsLight(&style);
    const ImVec4 accent{0.80f, 0.42f, 0.06f, 1}, dim{0.93f, 0.55f, 0.18f, 0.45f};
    const auto set = [&](ImGuiCol slot, const ImVec4& color) { style.Colors[slot] = color; };
    set(ImGuiCol_WindowBg, gray(0.93f));
    set(ImGuiCol_ChildBg, gray(0.96f));
    set(ImGuiCol_PopupBg, gray(0.97f, 0.99f));
    set(ImGuiCol_MenuBarBg, gray(0.87f));
    set(ImGuiCol_FrameBg, gray(0.82f));
    set(ImGuiCol_FrameBgHovered, gray(0.76f));
    set(ImGuiCol_FrameBgActive, gray(0.72f));
    set(ImGuiCol_HeaderActive, gray(0.72f));
    set(ImGuiCol_Button, gray(0.80f));
    set(ImGuiCol_ButtonHovered, gray(0.72f));
    set(ImGuiCol_ButtonActive, {0.93f, 0.66f, 0.36f, 1});
    set(ImGuiCol_Header, {0.95f, 0.78f, 0.56f, 1});
    set(ImGuiCol_HeaderHovered, gray(0.76f));
    set(ImGuiCol_TextDisabled, gray(0.42f));
    set(ImGuiCol_CheckMark, accent);
    set(ImGuiCol_SliderGrab, {0.93f, 0.66f, 0.36f, 1});
    set(ImGuiCol_SliderGrabActive, {0.93f, 0.60f, 0.26f, 1});
    set(ImGuiCol_PlotHistogram, accent);
    set(ImGuiCol_TextSelectedBg, dim);
}

/// Once: a font cannot be changed later.
void load_font() {
    ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
    const std::filesystem::path font = interface_font();
    // File names in European scripts, and the signs of units and formulas.
    static constexpr ImWchar signs[] = {0x20,   0x24F,  0x370,  0x52F,  0x2010, 0x2027, 0x2070,
                                        0x209F, 0x2190, 0x2193, 0x2200, 0x22FF, 0};
    if (fonts.Fonts.empty() && !font.empty()) fonts.AddFontFromFileTTF(font.c_str(), 14.0f, nullptr, signs);
}

}  // namespace

void apply_theme(const Preferences& preferences) {
    load_font();
    ImGuiStyle& style = ImGui::GetStyle();
    style = ImGuiStyle();
    if (preferences.light)
        set_light_colors(style);
    else
        set_dark_colors(style);
    style.WindowRounding = 0;
    style.FrameRounding = 4;
    style.GrabRounding = 4;
    style.PopupRounding = 5;
    style.ScrollbarRounding = 6;
    style.ScrollbarSize = 11;
    style.WindowBorderSize = 0;
    style.PopupBorderSize = 1;
    style.WindowPadding = {12, 10};
    style.FramePadding = {8, 4};
    style.ItemSpacing = {8, 6};
    style.ItemInnerSpacing = {7, 4};
    style.ScaleAllSizes(preferences.scale);
    ImGui::GetIO().FontGlobalScale = preferences.scale;
}

}  // namespace sinew::studio
