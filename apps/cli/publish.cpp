// sinew publish: one page that plays a character, a motion, a trial or a mesh sequence.

#include "publish.h"

#include "page_shell.h"
#include "publish_page.h"
#include "shared/pelvis.h"

#include "sinew/base/error.h"
#include "sinew/io/gltf/gltf.h"
#include "sinew/gait/report.h"

namespace sinew::cli {
namespace {

constexpr int page_influences = 4;  // of a vertex: what the page's shader takes

void keep_clips(model::Character& character, const std::string& chosen) {
    if (!chosen.empty()) {
        const model::Clip* clip = model::find_clip(character, chosen);
        if (clip == nullptr) fail(character.name, "--clip {}: there are no clips", chosen);
        character.clips = {model::Clip(*clip)};
    }
    std::erase_if(character.clips, [](const model::Clip& clip) { return model::frame_count(clip) == 0; });
}

/// The page blends at most four joints.
void limit_influences(model::Character& character, Monitor& monitor) {
    if (!character.has_skin()) return;
    const model::SkinCleanReport report = model::clean(character.skin, {.max_influences = page_influences});
    if (report.pruned > 0)
        warn(monitor, "page-influences", "{}: {} weights beyond the {} heaviest of a vertex were left out",
             character.name, report.pruned, page_influences);
}

bool has_bones(const model::Skeleton& skeleton) {
    return std::any_of(skeleton.joints.begin(), skeleton.joints.end(),
                       [](const model::Joint& joint) { return joint.parent >= 0 || joint.tip.has_value(); });
}

Json clips_of(const io::Asset& asset, bool sequence) {
    Json clips = Json::array();
    if (sequence) {
        const std::size_t frames = asset.sequence.frames.size();
        clips.push_back({{"name", "sequence"},
                         {"start", 0},
                         {"end", static_cast<double>(frames - 1) / asset.sequence.rate},
                         {"frames", frames},
                         {"rate", asset.sequence.rate}});
        return clips;
    }
    for (const model::Clip& clip : asset.character.clips) {
        const model::TimeRange range = model::time_range(clip);
        const double start = std::max(0.0, range.start);  // glTF has no times before 0
        clips.push_back({{"name", clip.name.empty() ? fmt::format("clip {}", clips.size()) : clip.name},
                         {"start", start},
                         {"end", start + range.duration()},
                         {"frames", model::frame_count(clip)},
                         {"rate", model::frame_rate(clip)}});
    }
    return clips;
}

/// What the page says and needs to know beside the model.
Json about_page(const io::Asset& asset, const PageOptions& options, const std::string& title,
                const std::string& source) {
    const model::Character& character = asset.character;
    const bool sequence = !asset.sequence.empty() && !character.has_mesh();
    const geometry::Mesh& mesh = sequence ? asset.sequence.rest : character.mesh;
    const bool bones = has_bones(character.skeleton);
    const std::size_t sets = character.has_skin()
                                 ? model::group_by_influences(character.skin, &character.skeleton).sets.size()
                                 : 0;
    return {{"title", title},
            {"source", source},
            {"version", SINEW_VERSION},
            {"method", options.method == deform::Method::lbs ? "lbs" : "dqs"},
            {"joints", sequence ? 0 : character.skeleton.size()},
            {"bones", bones},
            {"anchor", sequence || !bones ? -1 : app::pelvis_of(character.skeleton)},
            {"vertices", mesh.vertex_count()},
            {"triangles", mesh.triangles.size()},
            {"influence_sets", sets},
            {"clips", clips_of(asset, sequence)}};
}

struct PublishArguments {
    std::filesystem::path input;
    std::filesystem::path output;
    io::ReadOptions read;
    PageOptions page;
    bool anonymous = false;
};

void anonymise(io::Asset& asset) {
    gait::anonymise(asset.trial);
    gait::anonymise(asset.cycle);
    gait::anonymise(asset.character);
}

void execute(const PublishArguments& options, Run& run) {
    check_output(run, options.output, {output::pages});
    io::Asset asset = load(run, options.input, options.read);
    if (options.anonymous) {
        anonymise(asset);
        asset.character.name = "subject";
    }
    const std::string source =
        options.anonymous ? "withheld" : options.input.lexically_normal().filename().string();
    write_page(run, std::move(asset), options.page, source, options.output);
}

}  // namespace

bool is_page(const std::filesystem::path& path) {
    return is_of(output::pages, path);
}

bool can_publish() {
    return !web::page_shell().empty();
}

void write_page(Run& run, io::Asset asset, const PageOptions& options, const std::string& source,
                const std::filesystem::path& output) {
    if (!can_publish())
        fail(output.string(),
             "this sinew was built without pages: install node and npm (apt-get install nodejs npm), have a "
             "network for three.js, and build again");
    if (options.method != deform::Method::dqs && options.method != deform::Method::lbs)
        warn(run.monitor, "page-method", "pages know dqs and lbs only: {} is played as dqs",
             deform::name(options.method));
    make_playable(asset, run.monitor);
    model::Character& character = asset.character;
    const bool sequence = !asset.sequence.empty() && !character.has_mesh();
    if (!sequence && !character.has_mesh() && !character.has_skeleton())
        fail(source, "holds nothing to show: no mesh, skeleton, markers or sequence");
    keep_clips(character, options.clip);
    limit_influences(character, run.monitor);
    std::string model;
    const std::string title = options.title.empty() ? output.stem().string() : options.title;
    {
        const StageTimer timer(run.report, "model");
        io::WriteOptions compact;
        compact.compact = true;
        model = io::encode(asset, "page.glb", compact, run.monitor);
    }
    const StageTimer timer(run.report, "write");
    const std::string page =
        fill_page(web::page_shell(), title, about_page(asset, options, title, source), as_bytes(model));
    write_file(output, page);
    run.report.output = output.string();
    run.report.extra["bytes"] = page.size();
    run.say("wrote {} ({:.1f} MB): open it in any browser", output.string(),
            static_cast<double>(page.size()) * 1e-6);
}

void add_publish(Program& program) {
    auto options = std::make_shared<PublishArguments>();
    CLI::App& verb = program.verb(
        "publish", "Make one HTML page that plays it: in any browser, on a phone, without a network",
        "  sinew publish character.glb -o character.html              (turn it, play it, scrub it)\n"
        "  sinew publish walk.bvh -o walk.html --title \"Normal walk\"\n"
        "  sinew publish trial.c3d -o trial.html --anonymous           (markers; no names of persons)\n"
        "  sinew publish cloth.pc2 --rest cloth.obj -o cloth.html      (a mesh sequence)",
        [options](Run& run) { execute(*options, run); });
    verb.add_option("input", options->input, "Character, mesh, motion, trial or mesh sequence")
        ->required()
        ->type_name("IN");
    verb.add_option("-o,--output", options->output, "The page; all that it needs is inside")
        ->required()
        ->type_name("PAGE.html");
    verb.add_option("--title", options->page.title, "Title of the page; the name of its file by default")
        ->type_name("TEXT");
    verb.add_option("--clip", options->page.clip, "Only this clip, by name or number; all by default")
        ->type_name("CLIP");
    static const std::map<std::string, deform::Method> methods = {{"dqs", deform::Method::dqs},
                                                                  {"lbs", deform::Method::lbs}};
    verb.add_option("--method", options->page.method,
                    "Skinning that the page begins with: dual quaternions or linear; it can change")
        ->transform(CLI::CheckedTransformer(methods).description("dqs|lbs"));
    verb.add_flag("--anonymous", options->anonymous,
                  "Take names of files, persons, clips and prefixes of labels out of the page");
    add_read_options(verb, options->read);
}

}  // namespace sinew::cli
