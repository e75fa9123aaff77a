// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "actions.h"
#include "panels.h"
#include "ui.h"

#include "sinew/rig/skeletonize.h"

namespace sinew::studio {
namespace {

using rig::SkeletonMethod;

struct MethodRow {
    SkeletonMethod method;
    const char* name;
    const char* text;
};

constexpr std::array method_rows = {
    MethodRow{SkeletonMethod::automatic, "auto",
              "fits a template to bipeds and quadrupeds; else tries the methods and keeps the best skeleton"},
    MethodRow{SkeletonMethod::silhouette, "silhouette",
              "medial axis of the outline in the best view, depth by rays"},
    MethodRow{SkeletonMethod::contraction, "contraction", "mesh contraction to a curve"},
    MethodRow{SkeletonMethod::voxel, "voxel", "deepest paths through the voxelised interior"},
    MethodRow{SkeletonMethod::from_template, "template", "fits a given skeleton into the body"},
    MethodRow{SkeletonMethod::opening, "opening", "from parts: connects the centres of their openings"},
    MethodRow{SkeletonMethod::centroid, "centroid", "from parts: connects openings with the centroids"},
    MethodRow{SkeletonMethod::principal_axis, "principal-axis",
              "from parts: connects openings with the principal axes"},
    MethodRow{SkeletonMethod::parts, "parts", "from parts: the best of these three for each part"},
};

template <class Rows, class Value, class Get>
void row_choice(const char* label, Value& value, const Rows& rows, const Get& value_of) {
    std::vector<std::string> names, texts;
    int index = 0;
    for (const auto& row : rows) {
        if (value_of(row) == value) index = static_cast<int>(names.size());
        names.emplace_back(row.name);
        texts.emplace_back(row.text);
    }
    ImGui::SetNextItemWidth(-112);
    if (ui::choice(label, index, names, texts)) value = value_of(rows[static_cast<std::size_t>(index)]);
}

void method_choice(State& state) {
    row_choice("Skeleton method", state.skeleton_choice.options.method, method_rows,
               [](const MethodRow& row) { return row.method; });
    for (const MethodRow& row : method_rows)
        if (row.method == state.skeleton_choice.options.method) {
            ImGui::PushTextWrapPos(0);
            ImGui::TextDisabled("%s", row.text);
            ImGui::PopTextWrapPos();
        }
}

/// Refinement of the methods by parts (Vasilakis 2008).
void part_options(app::SkeletonChoice& choice) {
    rig::PartRefineOptions& refine = choice.options.parts.refine;
    rig::PartGraphOptions& graph = choice.options.parts.graph;
    static const std::array<std::string, 3> rules = {"off", "one by one", "all at once"};
    static const std::array<std::string, 3> texts = {"", "one weighted rotation after another",
                                                     "the rotation that fits all openings best"};
    int local = static_cast<int>(refine.local);
    ImGui::SetNextItemWidth(-140);
    if (ui::choice("Follow openings", local, rules, texts))
        refine.local = static_cast<rig::LocalRefinement>(local);
    ImGui::SetNextItemWidth(-140);
    ui::slider("Max degrees", choice.max_angle, 0, 90, "%.0f");
    ui::toggle("Follow parents", refine.parent);
    ImGui::SetNextItemWidth(-140);
    ui::slider("Max for parents", choice.max_parent_angle, 0, 90, "%.0f");
    ui::toggle("All axes", graph.all_axes);
    ui::tip("principal axis: also the ends of the two other axes");
    ImGui::SameLine(140);
    bool spaced = graph.links == rig::LinkRule::spaced;
    if (ui::toggle("Even links", spaced))
        graph.links = spaced ? rig::LinkRule::spaced : rig::LinkRule::grouped;
    ui::tip("principal axis: links evenly along it, not where openings are grouped");
}

void silhouette_options(rig::SilhouetteOptions& options) {
    static const std::array<std::string, 2> modes = {"off", "rays"};
    constexpr std::array order = {rig::RefineMode::off, rig::RefineMode::ray_midpoint};
    int depth = options.depth == rig::RefineMode::off ? 0 : 1;
    ImGui::SetNextItemWidth(-112);
    if (ui::choice("Depth by", depth, modes)) options.depth = order[static_cast<std::size_t>(depth)];
    ImGui::SetNextItemWidth(-112);
    ui::slider("Prune", options.prune, 0, 3);
}

}  // namespace

void template_options(app::SkeletonChoice& choice) {
    std::vector<std::string> names = {choice.options.method == SkeletonMethod::automatic ? "auto" : "none"},
                             texts = {""};
    int index = 0;
    for (const rig::SkeletonTemplate& known : rig::skeleton_templates()) {
        if (known.name == choice.pattern) index = static_cast<int>(names.size());
        names.emplace_back(known.name);
        texts.emplace_back(known.what);
    }
    if (index == 0 && !choice.pattern.empty()) {
        index = static_cast<int>(names.size());
        names.push_back(choice.pattern);
    }
    ImGui::SetNextItemWidth(-112);
    if (ui::choice("Template", index, names, texts))
        choice.pattern = index == 0 ? "" : names[static_cast<std::size_t>(index)];
    ui::tip("the kind of body; auto finds it");
    if (choice.options.method == SkeletonMethod::automatic && index == 0) {
        ui::toggle("Fingers", choice.options.fingers);
        ui::tip("hands of a biped get the fingers that they show");
    }
}

namespace {

void method_options(State& state) {
    app::SkeletonChoice& choice = state.skeleton_choice;
    switch (choice.options.method) {
        case SkeletonMethod::opening:
        case SkeletonMethod::centroid:
        case SkeletonMethod::principal_axis:
        case SkeletonMethod::parts:
            part_options(choice);
            break;
        case SkeletonMethod::silhouette:
            silhouette_options(choice.options.silhouette);
            break;
        case SkeletonMethod::automatic:
        case SkeletonMethod::from_template:
            template_options(choice);
            break;
        default:
            break;
    }
}

void bind_options(State& state) {
    std::vector<std::string> names = {"auto"};
    int index = 0;
    const auto methods = rig::bind_methods();
    for (std::size_t i = 0; i < methods.size(); ++i) {
        if (methods[i] == state.bind.method) index = static_cast<int>(i) + 1;
        names.emplace_back(rig::name_of(methods[i]));
    }
    ImGui::SetNextItemWidth(-112);
    if (ui::choice("Bind method", index, names))
        state.bind.method =
            index == 0 ? rig::BindMethod::automatic : methods[static_cast<std::size_t>(index) - 1];
    ImGui::SetNextItemWidth(-112);
    ui::slider("Softness", state.bind.softness, 0, 1);
    ui::tip("how wide a bend is: 0 is rigid; of the methods regions and voxel");
    ImGui::SetNextItemWidth(-112);
    ui::slider("Influences", state.bind.max_influences, 1, 8);
    ui::tip("joints that may move one vertex; engines take 4");
}

}  // namespace

void rig_panel(State& state) {
    if (!ui::section("Rig")) return;
    method_choice(state);
    method_options(state);
    ui::toggle("Bind the skin to it", state.bind_after);
    bind_options(state);
    const bool idle = !state.job.running(), mesh = state.character().has_mesh();
    const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
    if (ui::button("Find skeleton", idle && mesh, half)) find_skeleton(state);
    ImGui::SameLine();
    if (ui::button("Bind skin", idle && mesh && state.character().has_skeleton(), half)) bind_skin(state);
    if (state.rig_reason.empty()) return;
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled("%s", state.rig_reason.c_str());
    ImGui::PopTextWrapPos();
}

namespace {

/// Smoothing or limiting of the skin after blending.
void correction_choice(State& state) {
    using deform::Corrective;
    static const std::array<Corrective, 5> kinds = {Corrective::none, Corrective::delta_mush,
                                                    Corrective::direct_delta_mush, Corrective::swing_twist,
                                                    Corrective::limit_bulge};
    static const std::array<std::string, 5> names = {"none", "Delta Mush", "direct Delta Mush",
                                                     "swing and twist", "limit bulge"};
    static const std::array<std::string, 5> texts = {
        "", "smooths every frame and puts the detail of the rest pose back",
        "Delta Mush that is prepared once: faster, a little softer",
        "bends and twists of a joint are blended apart",
        "pulls the skin back to its distance from the bone: no bulge of dual quaternions"};
    int index = static_cast<int>(std::ranges::find(kinds, state.skin.correction) - kinds.begin());
    ImGui::BeginDisabled(!state.character().has_skin() || state.skin.close_gaps);
    ImGui::SetNextItemWidth(-84);
    if (ui::choice("Correction", index, names, texts))
        state.skin.correction = kinds[static_cast<std::size_t>(index)];
    ImGui::EndDisabled();
    ui::tip(
        "corrects what blending does wrong at bends, in the view; a film or page shows the skin without it");
}

/// A second method in the right part of the picture.
void compare_options(State& state, std::span<const std::string> names, std::span<const SkinSettings> rows) {
    CompareSettings& compare = state.compare;
    ImGui::BeginDisabled(!state.character().has_skin());
    ui::toggle("Compare", compare.on);
    ui::tip("shows a second method on the right of the view");
    ImGui::EndDisabled();
    if (!compare.on) return;
    if (compare.weights) {
        ui::field("Weights", "of " + compare.bound_by);
        ui::tip("the right side has other weights; the page Weights chooses them");
    }
    int index = 0;
    std::vector<std::string> methods;
    std::vector<deform::Method> values;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].close_gaps) continue;
        if (rows[i].method == compare.method) index = static_cast<int>(values.size());
        methods.push_back(names[i]);
        values.push_back(rows[i].method);
    }
    if (!compare.weights) ImGui::SameLine(124);
    ImGui::SetNextItemWidth(-1);
    if (ui::choice("##Other method", index, methods))
        compare.method = values[static_cast<std::size_t>(index)];
    ui::toggle("Difference", compare.heat);
    ui::tip("colours the distance between the two methods");
    ImGui::SameLine(124);
    ImGui::SetNextItemWidth(-1);
    ui::slider("##Border", compare.border, 0, 1, "");
    ui::field("Largest", fmt::format("{:.4f}", state.compared));
}

}  // namespace

void skin_panel(State& state) {
    if (!ui::section("Skinning")) return;
    std::vector<std::string> names, texts;
    std::vector<SkinSettings> rows;
    int index = 0;
    const auto add = [&](std::string name, std::string text, const SkinSettings& row) {
        if (row.method == state.skin.method && row.close_gaps == state.skin.close_gaps)
            index = static_cast<int>(rows.size());
        names.push_back(std::move(name));
        texts.push_back(std::move(text));
        rows.push_back(row);
    };
    for (const deform::MethodInfo& info : deform::methods()) {
        if (info.method == deform::Method::cor) continue;  // minutes of set-up: not for animation
        add(std::string(info.name), std::string(info.text), {info.method, false});
    }
    add("rigid, gaps closed", "each part follows its joint; overlaps are cut and gaps closed",
        {deform::Method::rigid, true});
    ImGui::BeginDisabled(!state.character().has_skin());
    ImGui::SetNextItemWidth(-70);
    if (ui::choice("Method", index, names, texts)) {
        const deform::Corrective correction = state.skin.correction;
        state.skin = rows[static_cast<std::size_t>(index)];
        state.skin.correction = correction;
    }
    ImGui::EndDisabled();
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled("%s", state.character().has_skin() ? texts[static_cast<std::size_t>(index)].c_str()
                                                           : "there is no skin yet");
    ImGui::PopTextWrapPos();
    correction_choice(state);
    compare_options(state, names, rows);
}

}  // namespace sinew::studio
