// SPDX-License-Identifier: MIT
// sinew sample: list or write a built-in model, mesh sequence or trial.

#include "common.h"

#include "sinew/base/error.h"
#include "sinew/sample/samples.h"
#include "sinew/sample/sequences.h"

namespace sinew::cli {
namespace {

struct SampleArguments {
    std::string name;
    std::filesystem::path output;
    bool bare = false;
    sample::SampleOptions make;
};

void list_samples(Run& run) {
    Json names = Json::array();
    run.say("Built-in samples (sinew sample NAME -o FILE):");
    for (const sample::Sample& sample : sample::list()) {
        run.say("  {:<10} {}", sample.name, sample.what);
        names.push_back(sample.name);
    }
    run.say("Mesh sequences (sinew sample NAME -o FOLDER_OR_POINT_CACHE):");
    for (const sample::SequenceSample& sample : sample::sequences()) {
        run.say("  {:<17} {}", sample.name, sample.what);
        names.push_back(sample.name);
    }
    run.say("Trials of markers (sinew sample NAME -o FILE.c3d):");
    for (const sample::TrialSample& sample : sample::trials()) {
        run.say("  {:<17} {}", sample.name, sample.what);
        names.push_back(sample.name);
    }
    run.report.extra["names"] = names;
}

bool is_one_of(const auto& samples, const std::string& name) {
    return std::ranges::any_of(samples, [&](const auto& sample) { return sample.name == name; });
}

void write_trial(const SampleArguments& options, Run& run) {
    io::Asset asset;
    asset.trial = sample::make_trial(options.name);
    save(run, options.output, asset);
    run.report.extra["name"] = options.name;
    run.report.extra["markers"] = asset.trial.markers.count();
    run.report.extra["frames"] = asset.trial.frames;
    run.say("wrote {}: {}, {}", options.output.string(), count_of(asset.trial.markers.count(), "marker"),
            count_of(asset.trial.frames, "frame"));
}

void write_sequence(const SampleArguments& options, Run& run) {
    io::Asset asset;
    {
        const StageTimer timer(run.report, "make");
        asset.sequence = sample::make_sequence(options.name);
    }
    save(run, options.output, asset);
    run.report.extra["name"] = options.name;
    run.report.extra["vertices"] = asset.sequence.rest.positions.size();
    run.report.extra["frames"] = asset.sequence.frames.size();
    run.say("wrote {}: {}, {}", options.output.string(),
            count_of(asset.sequence.rest.positions.size(), "vertex"),
            count_of(asset.sequence.frames.size(), "frame"));
}

void write_sample(const SampleArguments& options, Run& run) {
    if (options.output.empty())
        throw UsageError(
            "", fmt::format("give a file to write \"{}\" to: -o {}.glb", options.name, options.name));
    const bool sequence = is_one_of(sample::sequences(), options.name);
    const bool trial = is_one_of(sample::trials(), options.name);
    check_output(run, options.output,
                 sequence ? OutputFamilies{output::scenes, output::caches, output::pictures, output::folder}
                 : trial  ? OutputFamilies{output::trials}
                          : OutputFamilies{output::models, output::pictures});
    if (sequence) return write_sequence(options, run);
    if (trial) return write_trial(options, run);
    io::Asset asset;
    {
        const StageTimer timer(run.report, "make");
        asset.character = sample::make(options.name, options.make);
    }
    model::Character& character = asset.character;
    if (options.bare) {
        character.skeleton = {};
        character.skin = {};
        character.clips.clear();
    }
    save(run, options.output, asset);
    run.report.extra["name"] = options.name;
    run.report.extra["vertices"] = character.mesh.vertex_count();
    run.report.extra["joints"] = character.skeleton.size();
    run.say("wrote {}: {}, {}, {}", options.output.string(),
            count_of(character.mesh.vertex_count(), "vertex"), count_of(character.skeleton.size(), "joint"),
            count_of(character.clips.size(), "clip"));
}

}  // namespace

void add_sample(Program& program) {
    auto options = std::make_shared<SampleArguments>();
    CLI::App& verb = program.verb(
        "sample", "List the built-in characters, mesh sequences and trials, or write one",
        "  sinew sample\n"
        "  sinew sample man -o man.glb\n"
        "  sinew sample man --bare -o body.obj\n"
        "  sinew sample horse --faces 40000 -o horse.glb\n"
        "  sinew sample walk-trial -o walk.c3d",
        [options](Run& run) { options->name.empty() ? list_samples(run) : write_sample(*options, run); });
    verb.add_option("name", options->name, "Sample to write; left out, all are listed")->type_name("NAME");
    verb.add_option("-o,--output", options->output, "File to write; the suffix chooses the format")
        ->type_name("FILE");
    verb.add_option("--faces", options->make.faces, "Number of triangles, for samples of any resolution")
        ->type_name("N");
    verb.add_flag("--bare", options->bare, "Write the mesh only: no skeleton, weights or clips");
}

}  // namespace sinew::cli
