// SPDX-License-Identifier: MIT
// Opening and exporting.

#include <algorithm>
#include <array>

#include "actions.h"
#include "cast.h"
#include "export.h"
#include "panels.h"
#include "project.h"
#include "ui.h"
#include <imgui_stdlib.h>

#include "sinew/base/file.h"

namespace sinew::studio {
namespace {

namespace fs = std::filesystem;

void open_path(State& state, const fs::path& path) {
    std::error_code code;
    if (fs::is_directory(path, code) && io::find_format(path) == nullptr) {
        enter(state.browser, path);
        return;
    }
    if (state.adding)
        add_file(state, path);
    else
        open_file(state, path);
    close_dialog(state);
}

std::string size_text(std::uintmax_t bytes) {
    if (bytes < 1000) return fmt::format("{} B", bytes);
    if (bytes < 1000000) return fmt::format("{:.0f} kB", static_cast<double>(bytes) * 1e-3);
    return fmt::format("{:.1f} MB", static_cast<double>(bytes) * 1e-6);
}

void bookmark_list(State& state) {
    ImGui::BeginChild("places", {130, 0});
    ImGui::TextDisabled("Places");
    const std::vector<Bookmark> list = bookmarks(state.recent.list());
    for (const Bookmark& bookmark : list) {
        if (ImGui::Selectable(bookmark.name.c_str(), bookmark.folder == state.browser.folder))
            enter(state.browser, bookmark.folder);
        ui::mark("place/" + bookmark.name);
        ui::tip(bookmark.folder.string().c_str());
    }
    ImGui::EndChild();
}

/// The entries of the folder; a click opens a folder or selects a file, a double click opens a file.
void file_table(State& state, fs::path& wanted) {
    Browser& browser = state.browser;
    constexpr ImGuiTableFlags flags =
        ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit;
    if (!ImGui::BeginTable("files", 3, flags, {0, 0})) return;
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableNextColumn();
    if (ImGui::Selectable("..", false, ImGuiSelectableFlags_SpanAllColumns))
        wanted = browser.folder.parent_path();
    ui::mark("..");
    ImGui::TableNextColumn();
    ImGui::TableNextColumn();
    for (const FolderEntry& entry : browser.entries) {
        ImGui::TableNextColumn();
        const std::string label = entry.folder ? entry.name + "/" : entry.name;
        constexpr ImGuiSelectableFlags row =
            ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick;
        if (ImGui::Selectable(label.c_str(), !entry.folder && entry.name == browser.chosen, row)) {
            if (entry.folder || ImGui::IsMouseDoubleClicked(0)) {
                wanted = browser.folder / entry.name;
            } else {
                browser.chosen = entry.name;
                browser.path = (browser.folder / entry.name).string();
            }
        }
        ui::mark(label);
        ImGui::TableNextColumn();
        if (!entry.folder) ImGui::TextDisabled("%s", size_text(entry.size).c_str());
        ImGui::TableNextColumn();
        ImGui::TextDisabled("%s", date_text(entry.written).c_str());
    }
    ImGui::EndTable();
    if (!browser.error.empty()) ImGui::TextDisabled("%s", browser.error.c_str());
}

void preview(State& state) {
    const Browser& browser = state.browser;
    ImGui::BeginChild("preview", {0, 0});
    ImGui::TextDisabled("Content");
    ImGui::PushTextWrapPos(0);
    if (browser.chosen.empty())
        ImGui::TextDisabled("click a file");
    else
        for (const std::string& line : state.preview.lines(browser.folder / browser.chosen, state.read))
            ImGui::TextUnformatted(line.c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndChild();
}

void list_options(Browser& browser) {
    std::vector<std::string> kinds;
    for (const FileKind& kind : file_kinds()) kinds.emplace_back(kind.name);
    static const std::array<std::string, 3> orders = {"name", "date", "size"};
    ImGui::SetNextItemWidth(220);
    if (ui::choice("Show", browser.kind, kinds)) arrange(browser);
    ImGui::SameLine(0, 16);
    int sort = static_cast<int>(browser.sort);
    ImGui::SetNextItemWidth(90);
    if (ui::choice("Sort by", sort, orders)) {
        browser.sort = static_cast<SortBy>(sort);
        arrange(browser);
    }
}

/// Settings for data that a file does not contain, or contains wrongly.
void read_options(io::ReadOptions& read) {
    static const std::array<std::string, 7> units = {
        "guessed or stated", "m", "cm", "mm", "in", "ft", "file"};
    static const std::array<std::string, 4> ups = {"stated", "x", "y", "z"};
    const auto choose = [](const char* label, std::string& value, std::span<const std::string> names,
                           float width) {
        const auto found = std::find(names.begin(), names.end(), value);
        int index = found == names.end() ? 0 : static_cast<int>(found - names.begin());
        ImGui::SetNextItemWidth(width);
        if (ui::choice(label, index, names)) value = index == 0 ? "" : names[static_cast<std::size_t>(index)];
    };
    choose("Units", read.units, units, 150);
    ImGui::SameLine(0, 16);
    choose("Up", read.up, ups, 80);
    ImGui::SameLine(0, 16);
    ImGui::SetNextItemWidth(70);
    ImGui::InputDouble("fps", &read.rate, 0, 0, read.rate > 0 ? "%.3g" : "stated");
    ui::mark("fps");
    ui::control("fps");
    ui::tip("frames per second of files that do not state them; 0 uses what the file says");
    read.rate = std::max(read.rate, 0.0);
}

void go_to_start(State& state) {
    if (!state.browser.folder.empty()) return;
    const bool recent = !state.recent.list().empty();
    enter(state.browser, recent ? state.recent.list().front().parent_path() : fs::current_path());
}

}  // namespace

void open_dialog(State& state) {
    Browser& browser = state.browser;
    go_to_start(state);
    if (!ui::begin_dialog("Open", {900, 560})) return;
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(-1);
    const bool entered = ImGui::InputText("##Path", &browser.path, ImGuiInputTextFlags_EnterReturnsTrue);
    ui::mark("Path");
    ui::control("##Path");
    if (ImGui::IsItemEdited()) follow_typing(browser);
    list_options(browser);
    ImGui::SameLine(0, 16);
    read_options(state.read);
    fs::path wanted;
    const float foot = ImGui::GetFrameHeightWithSpacing() + 6;
    ImGui::BeginChild("lists", {0, -foot});
    bookmark_list(state);
    ImGui::SameLine();
    ImGui::BeginChild("table", {-230, 0});
    file_table(state, wanted);
    ImGui::EndChild();
    ImGui::SameLine();
    preview(state);
    ImGui::EndChild();
    const fs::path typed = browser.chosen.empty() ? fs::path(browser.path) : browser.folder / browser.chosen;
    const bool pressed = ui::button("Open##do", !browser.path.empty(), 100);
    ImGui::SameLine();
    const bool cancelled = ui::button("Close", true, 100) || ui::escape();
    ImGui::SameLine();
    ImGui::TextDisabled("A file can also be dropped on the window.");
    if (!wanted.empty())
        open_path(state, wanted);
    else if (pressed || entered)
        open_path(state, typed);
    else if (cancelled)
        close_dialog(state);
    ImGui::EndPopup();
}

namespace {

void format_list(State& state, std::string& path) {
    const std::string now = suffix(path);
    ImGui::BeginChild("formats", {0, -3 * ImGui::GetFrameHeightWithSpacing()});
    if (ImGui::BeginTable("formats", 3, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit)) {
        for (const ExportFormat& format : export_formats(state)) {
            ImGui::TableNextColumn();
            constexpr ImGuiSelectableFlags row = ImGuiSelectableFlags_SpanAllColumns;
            ImGui::BeginDisabled(!format.possible);
            if (ImGui::Selectable(("." + format.suffix).c_str(), format.suffix == now, row))
                path = export_target(state, path, format.suffix).string();
            ui::mark("format/" + format.suffix);
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(format.name.c_str());
            ImGui::TableNextColumn();
            ImGui::TextDisabled("%s", format.what.c_str());
            ImGui::EndDisabled();
        }
        ImGui::EndTable();
    }
    ImGui::EndChild();
}

void export_bookmarks(State& state, std::string& path) {
    ImGui::BeginChild("places", {130, -3 * ImGui::GetFrameHeightWithSpacing()});
    ImGui::TextDisabled("Places");
    for (const Bookmark& bookmark : bookmarks(state.recent.list())) {
        const fs::path file = fs::path(path).filename();
        if (ImGui::Selectable(bookmark.name.c_str(), bookmark.folder == fs::path(path).parent_path()))
            path = (bookmark.folder / file).string();
        ui::mark("place/" + bookmark.name);
        ui::tip(bookmark.folder.string().c_str());
    }
    ImGui::EndChild();
}

}  // namespace

void write_dialog(State& state) {
    if (!ui::begin_dialog("Export", {760, 520})) return;
    std::string& path = state.export_path;
    if (path.empty()) {
        const fs::path folder = state.document.path.empty() ? fs::current_path()
                                                            : fs::absolute(state.document.path).parent_path();
        const std::string stem =
            state.document.path.empty() ? state.character().name : state.document.path.stem().string();
        path = export_target(state, (folder / stem).string(), "glb").string();
    }
    export_bookmarks(state, path);
    ImGui::SameLine();
    format_list(state, path);
    ImGui::SetNextItemWidth(-1);
    const bool entered = ImGui::InputText("##Target", &path, ImGuiInputTextFlags_EnterReturnsTrue);
    ui::mark("Target");
    ui::control("##Target");
    std::error_code code;
    const bool there = fs::exists(path, code);
    const bool pressed = ui::button("Write", !path.empty(), 100);
    ImGui::SameLine();
    const bool cancelled = ui::button("Close", true, 100) || ui::escape();
    if (there) {
        ImGui::SameLine();
        ImGui::TextDisabled("this file exists already");
    }
    if (pressed || entered) {
        auto then = std::move(state.pending);
        state.pending = nullptr;
        close_dialog(state);
        ask_and_write(state, path, std::move(then));
    } else if (cancelled) {
        state.pending = nullptr;
        close_dialog(state);
    }
    ImGui::EndPopup();
}

}  // namespace sinew::studio
