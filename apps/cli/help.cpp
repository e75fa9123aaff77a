// SPDX-License-Identifier: MIT
// sinew help: topics for several verbs. Lists are generated from the program itself.

#include "common.h"
#include "shared/plain_error.h"

#include "sinew/io/io.h"

namespace sinew::cli {
namespace {

std::string contents_of(io::Content set) {
    using io::Content;
    static constexpr std::pair<Content, std::string_view> names[] = {
        {Content::mesh, "mesh"},         {Content::materials, "materials"}, {Content::skeleton, "skeleton"},
        {Content::skin, "skin"},         {Content::morphs, "morphs"},       {Content::motion, "motion"},
        {Content::sequence, "sequence"}, {Content::trial, "trial"},         {Content::cycle, "gait cycle"}};
    std::vector<std::string_view> held;
    for (const auto& [content, name] : names)
        if (io::holds(set, content)) held.push_back(name);
    return held.empty() ? "-" : fmt::format("{}", fmt::join(held, ", "));
}

std::string formats_text(const CLI::App&) {
    std::string text = "The suffix of a file chooses its format; contents are checked against it.\n\n";
    text += fmt::format("  {:<9}{:<29}{}\n", "suffix", "format", "read / written");
    for (const io::Format& format : io::formats()) {
        const std::string reads = contents_of(format.reads), writes = contents_of(format.writes);
        text += fmt::format("  .{:<8}{:<29}{}\n", format.suffix, format.name,
                            reads == writes ? reads : reads + " / " + writes);
    }
    return text +
           "  folder   mesh sequence                obj, off or ply frames\n"
           "  png      picture; mp4, mov, mkv, webm and gif need ffmpeg; html is a page that plays "
           "offline\n\n"
           "Formats from Collada on are read by sinew-import, a process of its own that uses assimp.\n"
           "docs/reference/formats.md says what each format keeps and what it loses.\n";
}

/// The description of an option, indented.
std::string described(const CLI::App& app, const char* verb, const char* option) {
    std::string text = "  " + app.get_subcommand(verb)->get_option(option)->get_description() + "\n";
    for (std::size_t at = 0; (at = text.find('\n', at)) + 1 < text.size(); at += 3) text.insert(at + 1, "  ");
    return text;
}

std::string methods_text(const CLI::App& app) {
    return "Skinning (deform, animate, render: --method)\n" + described(app, "render", "--method") +
           "\nRefinements after skinning (deform: --refine)\n" + described(app, "deform", "--refine") +
           "\nSkeletons (skeletonize: --method; rig, animate: --skeleton-method)\n" +
           described(app, "skeletonize", "--method") +
           "\nSkin weights (bind: --method; rig, animate: --bind-method)\n" +
           described(app, "bind", "--method") + "\nMesh sequences (fit: --method)\n" +
           described(app, "fit", "--method");
}

std::string motions_text(const CLI::App&) {
    return "A motion comes from a BVH, ASF/AMC, glTF, FBX, .clip or .x file, from markers (C3D, TRC), or "
           "from\n"
           "another clip of the character.\n\n"
           "  joints      are matched by name and by role (hips, upper arm, ...). `retarget --save-map "
           "FILE`\n"
           "              writes what was matched; edit the file and give it back with --map FILE.\n"
           "  markers     are solved for a skeleton scaled to the subject first. --static TRIAL calibrates,\n"
           "              --markers FILE.json names labels of your own.\n"
           "  units       BVH and AMC files state none: Sinew guesses them from the height of the figure "
           "and\n"
           "              says so. --units overrides the guess.\n"
           "  feet        are pinned while they stand on the ground; --no-foot-contacts leaves them free.\n"
           "  arms        are held off the body as far as they would go into it; `animate --arm-space "
           "DEGREES`\n"
           "              sets how far.\n"
           "  travel      is scaled by the ratio of the hip heights; --in-place removes it.\n"
           "  AMC         needs its skeleton: --skeleton-file FILE.asf.\n\n"
           "Verbs: animate, retarget, solve, blend, clean, gait, measure.\n";
}

std::string units_text(const CLI::App&) {
    return "Inside, Sinew is right-handed with +Y up and +Z forward, in metres, seconds and radians.\n\n"
           "  files that state units and axes (glTF, FBX, C3D, ...) are converted.\n"
           "  motions that state none (BVH, ASF/AMC) are brought to metres by a guess from their height, "
           "with\n"
           "  a warning; written back, they have their own unit again (--write-units changes it).\n"
           "  meshes that state none (OBJ, OFF, PLY, STL) keep their numbers.\n\n"
           "--units m|cm|mm|in|ft says what the numbers of the input are, --up x|y|z which axis points up,\n"
           "`convert --scale N` multiplies all lengths. `sinew info FILE` prints the size.\n";
}

std::string reports_text(const CLI::App&) {
    return "--report FILE.json writes what was done; - writes it to standard output, and messages go to\n"
           "standard error. `info` and `measure` print it with --json. A failed run writes a report too.\n\n"
           "  sinew, schema   version of the program and of the keys\n"
           "  verb, options   what was asked for\n"
           "  inputs, output  files\n"
           "  also_read       files that inputs name, such as materials and textures\n"
           "  seconds         time of each stage\n"
           "  warnings        a list of {\"code\", \"text\"}; codes do not change between versions\n"
           "  error           the message, if the run failed\n"
           "  ...             results of the verb\n\n"
           "docs/reference/report.schema.json is the JSON Schema of reports, docs/troubleshooting.md "
           "explains\n"
           "the warning codes.\n";
}

std::string settings_text(const CLI::App&) {
    return "--settings FILE reads options from a file, one per line. Options of the command line override "
           "it.\n\n"
           "  # rig.ini\n"
           "  template = biped\n"
           "  max-influences = 8\n"
           "  symmetric            (a switch; also: symmetric = true)\n";
}

struct Topic {
    const char* name;
    const char* summary;
    std::string (*text)(const CLI::App&);
};

std::string codes_text(const CLI::App&) {
    return std::string(exit_codes) + "\n";
}

constexpr Topic topics[] = {
    {"formats", "files that are read and written", formats_text},
    {"motions", "where motions come from and how they reach a character", motions_text},
    {"methods", "skinning, skeletons, skin weights, mesh sequences", methods_text},
    {"units", "metres, axes and files that state neither", units_text},
    {"reports", "--report and its keys", reports_text},
    {"settings", "options in a file", settings_text},
    {"exit-codes", "what the program returns", codes_text},
};

std::vector<std::string> known_topics(const CLI::App& app) {
    std::vector<std::string> names;
    for (const Topic& topic : topics) names.emplace_back(topic.name);
    for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(verb->get_name());
    return names;
}

std::string help_on(const CLI::App& app, const std::string& name) {
    if (name.empty()) {
        std::string text = "Topics of `sinew help TOPIC`:\n";
        for (const Topic& topic : topics) text += fmt::format("  {:<12}{}\n", topic.name, topic.summary);
        return text + "  VERB        the same as `sinew VERB --help`; `sinew --help` lists the verbs\n";
    }
    for (const Topic& topic : topics)
        if (name == topic.name) return topic.text(app);
    return app.get_subcommand(name)->help();
}

}  // namespace

void add_help(Program& program) {
    struct Options {
        std::string topic;
        const CLI::App* app = nullptr;
    };
    auto options = std::make_shared<Options>();
    CLI::App& verb =
        program.verb("help", "Explain a verb or a topic: formats, motions, methods, units, reports",
                     "  sinew help formats\n"
                     "  sinew help methods\n"
                     "  sinew help animate",
                     [options](Run& run) {
                         if (!run.quiet) fmt::print(run.lines, "{}", help_on(*options->app, options->topic));
                     });
    options->app = verb.get_parent();
    verb.add_option("topic", options->topic, "Topic or verb; left out, the topics are listed")
        ->type_name("TOPIC")
        ->check([app = options->app](const std::string& word) -> std::string {
            const std::vector<std::string> known = known_topics(*app);
            if (std::ranges::count(known, word) > 0) return {};
            const std::string near = nearest_word(word, known);
            return fmt::format(
                "there is no topic {}{}", word,
                near.empty() ? "; `sinew help` lists them" : fmt::format("; did you mean {}?", near));
        });
}

}  // namespace sinew::cli
