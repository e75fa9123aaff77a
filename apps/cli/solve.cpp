// SPDX-License-Identifier: MIT
// sinew solve: computes the motion of a skeleton from the markers of a trial.

#include "motion_options.h"

#include "sinew/base/error.h"

namespace sinew::cli {
namespace {

struct SolveArguments {
    std::filesystem::path trial;
    std::filesystem::path skeleton;
    std::filesystem::path output;
    SolveChoice solve;
    io::ReadOptions read;
    io::WriteOptions write;
};

void execute(const SolveArguments& options, Run& run) {
    check_output(run, options.output, {output::scenes, output::skeletons, output::pictures});
    const model::Trial trial = load_trial(run, options.trial, options.read);
    pipeline::SolveOptions solve = load_solve_options(run, options.solve, options.read);
    io::Asset out;
    if (!options.skeleton.empty()) {
        io::Asset given = load(run, options.skeleton, options.read);
        if (given.character.skeleton.empty()) fail(options.skeleton.string(), "holds no skeleton");
        out.character.unit = given.character.unit;
        solve.skeleton = std::move(given.character.skeleton);
    }
    pipeline::SolvedTrial fit = pipeline::solve_trial(trial, solve, run.monitor);
    run.add_seconds(fit.seconds);
    report_fit(run, fit, run.report.extra);
    motion::SolveResult& result = fit.result;
    tell(run, result, true);
    out.character.name = options.trial.stem().string();
    result.clip.name = options.trial.stem().string();
    out.character.skeleton = std::move(result.skeleton);
    out.character.clips = {std::move(result.clip)};
    save(run, options.output, out, options.write);
    run.say("wrote {}", options.output.string());
}

}  // namespace

void add_solve(Program& program) {
    auto options = std::make_shared<SolveArguments>();
    CLI::App& verb = program.verb(
        "solve", "Solve the markers of a trial for the motion of a skeleton scaled to the subject",
        "  sinew solve walk.c3d -o walk.glb\n"
        "  sinew solve walk.c3d --static standing.c3d -o walk.bvh --report fit.json\n"
        "  sinew solve 02_01.c3d 02.bvh -o solved.bvh     (onto a skeleton as it is)",
        [options](Run& run) { execute(*options, run); });
    verb.add_option("trial", options->trial, "Markers: c3d or trc")->required()->type_name("TRIAL");
    verb.add_option("skeleton", options->skeleton,
                    "Skeleton to animate, with its own bone lengths; left out, a generic one is scaled to "
                    "the subject")
        ->type_name("SKELETON");
    verb.add_option("-o,--output", options->output, "glb, gltf, bvh, ...")->required()->type_name("OUT");
    add_solve_options(verb, options->solve, true);
    add_read_options(verb, options->read);
}

}  // namespace sinew::cli
