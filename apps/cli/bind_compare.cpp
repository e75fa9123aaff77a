#include "bind_compare.h"

#include <chrono>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/deform/reference.h"
#include "sinew/render/figures.h"
#include "sinew/render/film.h"
#include "sinew/rig/measure.h"

namespace sinew::cli {
namespace {

constexpr int picture_side = 360;

struct Binding {
    std::string name;
    model::Character character;
    double seconds = 0;
    rig::WeightQuality quality;
    rig::SweepQuality sweep;
    std::optional<double> mean_l1;  ///< from the given weights
};

std::vector<Binding> bind_all(Run& run, const model::Character& body, rig::BindOptions options) {
    std::vector<Binding> bindings;
    if (body.has_skin()) bindings.push_back({"given", body, 0, {}, {}, {}});
    const auto methods = rig::bind_methods();
    for (std::size_t m = 0; m < methods.size(); ++m) {
        Binding binding{std::string(rig::name_of(methods[m])), body, 0, {}, {}, {}};
        options.method = methods[m];
        const auto start = std::chrono::steady_clock::now();
        try {
            binding.character.skin = rig::bind(body.mesh, body.skeleton, options, run.monitor).skin;
        } catch (const Error& error) {
            warn(run.monitor, "bind-failed", "{}: {}", binding.name, error.what());
            continue;
        }
        binding.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        bindings.push_back(std::move(binding));
        step(run.monitor, "bind", static_cast<double>(m + 1) / static_cast<double>(methods.size()));
    }
    for (Binding& binding : bindings) {
        binding.quality = rig::weight_quality(binding.character);
        binding.sweep = rig::sweep_joints(binding.character);
        if (body.has_skin() && binding.name != "given")
            binding.mean_l1 = rig::measure_weights(body, binding.character).mean_l1;
    }
    return bindings;
}

void write_tables(Run& run, const std::vector<Binding>& bindings, const std::filesystem::path& folder) {
    std::string csv =
        "method,seconds,leakage,most_leakage,steepest,influences,torn,unused_joints,volume_change,stretch,"
        "worst_stretch,mean_l1\n";
    std::string markdown =
        "| method | seconds | leakage | steepest | joints a vertex | volume change % | edge change % | L1 to "
        "given "
        "|\n| --- | --- | --- | --- | --- | --- | --- | --- |\n";
    Json rows = Json::array();
    for (const Binding& b : bindings) {
        const std::string l1 = b.mean_l1 ? fmt::format("{:.4f}", *b.mean_l1) : "";
        csv += fmt::format("{},{:.4f},{:.6f},{:.4f},{:.3f},{:.3f},{},{},{:.5f},{:.5f},{:.4f},{}\n", b.name,
                           b.seconds, b.quality.leakage, b.quality.most_leakage, b.quality.steepest,
                           b.quality.influences, b.quality.torn, b.quality.unused, b.sweep.volume_change,
                           b.sweep.stretch, b.sweep.worst_stretch, l1);
        markdown += fmt::format("| {} | {:.3f} | {:.4f} | {:.1f} | {:.2f} | {:.2f} | {:.2f} | {} |\n", b.name,
                                b.seconds, b.quality.leakage, b.quality.steepest, b.quality.influences,
                                100 * b.sweep.volume_change, 100 * b.sweep.stretch, l1);
        rows.push_back({{"method", b.name},
                        {"seconds", b.seconds},
                        {"leakage", b.quality.leakage},
                        {"steepest", b.quality.steepest},
                        {"influences", b.quality.influences},
                        {"volume_change", b.sweep.volume_change},
                        {"stretch", b.sweep.stretch}});
        if (b.mean_l1) rows.back()["mean_l1"] = *b.mean_l1;
    }
    run.report.extra["bindings"] = rows;
    write_file(folder / "comparison.csv", csv);
    write_file(folder / "comparison.md", markdown);
    run.say("{}", markdown);
}

render::RenderOptions picture_options(render::View view) {
    render::RenderOptions options;
    options.width = options.height = picture_side;
    options.view = view;
    options.coloring = render::Coloring::weights;
    options.ground = false;
    return options;
}

void draw_weights(render::Renderer& renderer, const std::vector<Binding>& bindings,
                  const std::filesystem::path& folder) {
    std::vector<render::Picture> pictures;
    for (const Binding& binding : bindings) {
        for (const render::View view : {render::View::front, render::View::back}) {
            const render::Picture picture =
                render::render_character(renderer, binding.character, nullptr, 0, picture_options(view));
            pictures.push_back(
                render::with_caption(picture, fmt::format("{}, {}", binding.name, render::name_of(view))));
        }
    }
    render::save_png(folder / "weights.png",
                     render::contact_sheet(pictures, {.columns = bindings.size() > 4 ? 4 : 2}));
}

/// A row for each method, a column for each angle.
void draw_bends(render::Renderer& renderer, const std::vector<Binding>& bindings, int joint,
                const std::filesystem::path& path) {
    std::vector<render::Picture> pictures;
    const rig::SweepOptions sweep;
    for (const Binding& binding : bindings) {
        const model::Character& character = binding.character;
        render::CharacterRenderer stage(renderer, character, picture_options(render::View::three_quarter));
        const auto sets = model::group_by_influences(character.skin, &character.skeleton);
        for (const double degrees : sweep.degrees) {
            const auto pose = rig::bent_pose(character.skeleton, joint, math::radians(degrees));
            const auto palette =
                model::palette(character.skin, model::world_matrices(character.skeleton, pose));
            stage.pose(
                deform::deform(character.mesh, character.skin, sets, palette, deform::Method::lbs).positions);
            pictures.push_back(render::with_caption(
                stage.picture(stage.camera()), fmt::format("{}, {:+.0f} degrees", binding.name, degrees)));
        }
    }
    render::save_png(path, render::contact_sheet(pictures, {.columns = 4}));
}

/// A joint's name as a file name.
std::string file_name(std::string name) {
    for (char& c : name)
        if (std::string_view("/\\:*?\"<>| ").find(c) != std::string_view::npos) c = '_';
    return name;
}

}  // namespace

void compare_bindings(Run& run, const model::Character& character, const rig::BindOptions& options,
                      const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    const std::vector<Binding> bindings = bind_all(run, character, options);
    write_tables(run, bindings, folder);
    render::Renderer renderer;
    draw_weights(renderer, bindings, folder);
    const auto& joints = bindings.front().sweep.joints;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const std::string& name = character.skeleton.joints[static_cast<std::size_t>(joints[i].joint)].name;
        draw_bends(renderer, bindings, joints[i].joint, folder / ("bend_" + file_name(name) + ".png"));
        step(run.monitor, "pictures", static_cast<double>(i + 1) / static_cast<double>(joints.size()));
    }
    run.say("wrote {}: comparison.csv, comparison.md, weights.png and a picture of each joint's bends",
            folder.string());
}

}  // namespace sinew::cli
