// SPDX-License-Identifier: MIT
// sinew publish: one page that plays a character, a motion, a trial or a mesh sequence.

#include "publish.h"

#include "page_shell.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"

namespace sinew::cli {
namespace {

struct PublishArguments {
    std::filesystem::path input;
    std::filesystem::path output;
    io::ReadOptions read;
    pipeline::PublishOptions page;
    bool keep_names = false;
};

void execute(const PublishArguments& options, Run& run) {
    check_output(run, options.output, {output::pages});
    io::Asset asset = load(run, options.input, options.read);
    pipeline::PublishOptions page = options.page;
    page.source = options.input.lexically_normal().filename().string();
    // A trial or a gait cycle belongs to a person, whose name is omitted unless requested.
    if (!options.keep_names && (!asset.trial.empty() || !asset.cycle.empty())) page.anonymous = true;
    write_page(run, std::move(asset), std::move(page), options.output);
}

}  // namespace

bool is_page(const std::filesystem::path& path) {
    return is_of(output::pages, path);
}

bool can_publish() {
    return !web::page_shell().empty();
}

void write_page(Run& run, io::Asset asset, pipeline::PublishOptions options,
                const std::filesystem::path& output) {
    options.shell = web::page_shell();
    if (options.title.empty()) options.title = output.stem().string();
    const pipeline::Published published = pipeline::publish(std::move(asset), options, run.monitor);
    run.add_seconds(published.seconds);
    {
        const StageTimer timer(run.report, "write");
        write_file(output, published.page);
    }
    run.report.output = output.string();
    run.report.extra["bytes"] = published.page.size();
    run.say("wrote {} ({:.1f} MB): open it in any browser", output.string(),
            static_cast<double>(published.page.size()) * 1e-6);
}

void add_publish(Program& program) {
    auto options = std::make_shared<PublishArguments>();
    CLI::App& verb = program.verb(
        "publish", "Write one HTML page that plays the input in any browser, offline",
        "  sinew publish character.glb -o character.html              (orbit, play, scrub)\n"
        "  sinew publish walk.bvh -o walk.html --title \"Normal walk\"\n"
        "  sinew publish trial.c3d -o trial.html                       (markers; no names of persons)\n"
        "  sinew publish cloth.pc2 --rest cloth.obj -o cloth.html      (a mesh sequence)",
        [options](Run& run) { execute(*options, run); });
    verb.add_option("input", options->input, "Character, mesh, motion, trial or mesh sequence")
        ->required()
        ->type_name("IN");
    verb.add_option("-o,--output", options->output, "The page; it needs no other file and no network")
        ->required()
        ->type_name("PAGE.html");
    verb.add_option("--title", options->page.title, "Title of the page; the name of its file by default")
        ->type_name("TEXT");
    verb.add_option("--clip", options->page.clip, "Only this clip, by name or number; all by default")
        ->type_name("CLIP");
    static const std::map<std::string, deform::Method> methods = {{"dqs", deform::Method::dqs},
                                                                  {"lbs", deform::Method::lbs}};
    verb.add_option("--method", options->page.method, "Skinning at the start; the page can switch")
        ->transform(CLI::CheckedTransformer(methods).description("dqs|lbs"));
    verb.add_flag("--anonymous", options->page.anonymous,
                  "Remove names of files, persons and clips, and label prefixes; always done for trials");
    verb.add_flag("--keep-names", options->keep_names, "Keep the names in the page of a trial");
    add_read_options(verb, options->read);
}

}  // namespace sinew::cli
