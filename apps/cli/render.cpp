// SPDX-License-Identifier: MIT
// sinew render: a picture or a film of any file.

#include "render_contacts.h"

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/render/figures.h"

namespace sinew::cli {
namespace {

struct RenderArguments {
    std::filesystem::path input;
    std::filesystem::path output;
    io::ReadOptions read;
    Instant instant;
    deform::Method method = deform::Method::dqs;
    std::string difference;
    bool stages = false;
    ContactOptions contacts;
    PictureOptions picture;
    std::size_t crowd = 0;  ///< number of copies; 0 draws the character alone
};

/// The two names of "lbs,dqs".
std::pair<deform::Method, deform::Method> two_methods(const std::string& text) {
    const auto comma = text.find(',');
    if (comma == std::string::npos) fail("", "--difference {}: write two methods, such as lbs,dqs", text);
    return {deform::parse_method(trim(std::string_view(text).substr(0, comma))),
            deform::parse_method(trim(std::string_view(text).substr(comma + 1)))};
}

/// The steps of the silhouette skeleton of a bare mesh, or of the weights of a mesh with a skeleton.
std::vector<render::StepPicture> stages_of(Run& run, const model::Character& character,
                                           const RenderArguments& options) {
    if (!character.has_mesh()) fail(options.input.string(), "--stages needs a mesh");
    render::Renderer renderer;
    if (!character.has_skeleton()) {
        if (!options.picture.joint.empty())
            fail(options.input.string(), "--joint {}: there is no skeleton", options.picture.joint);
        return render::draw_skeleton_steps(renderer, character.mesh, {}, run.monitor);
    }
    render::WeightStepOptions shown;
    if (!options.picture.joint.empty()) {
        shown.joint = character.skeleton.find(options.picture.joint);
        if (shown.joint < 0) fail(character.name, "no joint is named \"{}\"", options.picture.joint);
    }
    return render::draw_weight_steps(renderer, character.mesh, character.skeleton, shown, run.monitor);
}

/// Writes one sheet, or a folder with a picture of each stage.
void write_stages(Run& run, const io::Asset& asset, const RenderArguments& options) {
    const std::vector<render::StepPicture> stages = stages_of(run, asset.character, options);
    run.report.extra["stages"] = Json::array();
    for (const render::StepPicture& stage : stages) run.report.extra["stages"].push_back(stage.name);
    if (is_picture(options.output)) {
        render::save_png(options.output, render::step_sheet(stages, stages.size() > 6 ? 5 : 3));
        return;
    }
    std::filesystem::create_directories(options.output);
    for (const render::StepPicture& stage : stages)
        render::save_png(options.output / (stage.name + ".png"), stage.picture);
}

void write_crowd(Run& run, const model::Character& character, const RenderArguments& options) {
    const model::Clip* clip = clip_named(character, options.instant.clip);
    if (clip == nullptr) fail(character.name, "has no clip for a crowd to play");
    const StageTimer timer(run.report, "render");
    const render::RenderOptions settings = picture_settings(options.picture, character, options.method);
    render::Renderer renderer;
    render::save_png(options.output,
                     render::render_crowd(renderer, character, *clip, options.crowd, settings));
    run.report.output = options.output.string();
    run.report.extra["frames"] = 1;
    run.report.extra["crowd"] = options.crowd;
    run.report.extra["width"] = settings.width;
    run.report.extra["height"] = settings.height;
}

/// Stages are a sheet or a folder of pictures; a difference or a crowd is one picture; all others may be a
/// film.
OutputFamilies outputs_of(const RenderArguments& options) {
    if (options.stages) return {"png", output::folder};
    return {options.difference.empty() && options.crowd == 0 ? output::pictures : "png"};
}

void execute(const RenderArguments& options, Run& run) {
    check_output(run, options.output, outputs_of(options));
    if (!options.contacts.wanted && (!options.contacts.second.empty() || options.contacts.level))
        fail("", "a second body and --level are for --contacts");
    if (options.contacts.wanted) {
        write_contacts(run, options.input, options.read, options.instant, options.method, options.contacts,
                       options.picture, options.output);
        run.say("wrote {}", options.output.string());
        return;
    }
    io::Asset asset = load(run, options.input, options.read);
    make_playable(asset, run.monitor);  // trials are shown as their markers
    if (options.stages) {
        write_stages(run, asset, options);
    } else if (options.crowd > 0) {
        write_crowd(run, asset.character, options);
    } else if (options.difference.empty()) {
        write_picture(run, asset, options.instant, options.method, options.picture, options.output);
    } else {
        const auto [a, b] = two_methods(options.difference);
        write_difference(run, asset.character, options.instant, a, b, options.picture, options.output);
    }
    run.say("wrote {}", options.output.string());
}

}  // namespace

void add_render(Program& program) {
    auto options = std::make_shared<RenderArguments>();
    CLI::App& verb = program.verb(
        "render", "Render a picture or a film; needs no display",
        "  sinew render character.glb -o front.png --camera front --skeleton\n"
        "  sinew render character.glb -o weights.png --style weights\n"
        "  sinew render character.glb -o heat.png --difference lbs,dqs --frame 10\n"
        "  sinew render walk.glb cat.glb -o touch.png --contacts --frame 10 --level 4\n"
        "  sinew render walk.glb -o crowd.png --crowd 100 --method dqs\n"
        "  sinew render walk.bvh -o walk.mp4\n"
        "  sinew render trial.c3d -o trial.mp4                      (markers, force plates and forces)",
        [options](Run& run) { execute(*options, run); });
    verb.add_option("input", options->input, "Mesh, character, motion, trial or sequence")
        ->required()
        ->type_name("IN");
    verb.add_option("-o,--output", options->output, "Picture .png or film .mp4")
        ->required()
        ->type_name("OUT");
    add_read_options(verb, options->read);
    add_instant_options(verb, options->instant);
    add_method_option(verb, options->method);
    verb.add_option("--difference", options->difference,
                    "Colour the skin of the second method by its distance from the first, with a scale")
        ->type_name("A,B");
    verb.add_flag("--stages", options->stages,
                  "Draw the steps of an algorithm: one sheet as .png, or a folder of pictures. For a bare "
                  "mesh the silhouette\n"
                  "skeleton: silhouette, triangulation, axis, depth, parts, joints; for a mesh with a "
                  "skeleton the weights by\n"
                  "regions: rays, boundaries, regions, distances, shadows, weights, and the profile of one "
                  "joint (--joint)");
    verb.add_option("--crowd", options->crowd,
                    "Draw this many copies in rows, each at another time of the clip, skinned on the GPU")
        ->check(CLI::Range(1, 10000));
    add_contact_options(verb, options->contacts);
    add_picture_options(verb, options->picture);
}

}  // namespace sinew::cli
