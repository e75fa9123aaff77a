// sinew study: a blind study of animations, and its scores.

#include "sinew/gait/report.h"

#include "common.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"

namespace sinew::cli {
namespace {

struct StudyArguments {
    std::vector<std::filesystem::path> inputs;
    std::filesystem::path output;
    const CommonOptions* common = nullptr;
};

/// Numbered copies in an order that says nothing, the form, and the key that stays with who runs the study.
void prepare(Run& run, const StudyArguments& options) {
    std::filesystem::create_directories(options.output);
    gait::Study study;
    study.truth = gait::blind_order(options.inputs.size(), options.common->seed);
    for (std::size_t item = 0; item < options.inputs.size(); ++item) {
        io::Asset asset = load(run, options.inputs[item], {});
        if (asset.character.clips.empty()) fail(options.inputs[item].string(), "holds no animation");
        gait::anonymise(asset.character);
        const std::string name = fmt::format("animation_{}.glb", study.truth.answer[item] + 1);
        save(run, options.output / name, asset, {});
    }
    write_file(options.output / "key.json", gait::to_json(study).dump(1));
    write_file(options.output / "form.html", gait::study_form(options.inputs.size()));
    run.report.output = options.output.string();
    run.report.extra["items"] = options.inputs.size();
    run.say("wrote {} animations, form.html and key.json into {}", options.inputs.size(),
            options.output.string());
}

/// The key and the answers of the forms, taken together.
void score_answers(Run& run, const StudyArguments& options) {
    gait::Study all;
    for (const std::filesystem::path& path : options.inputs) {
        const FileView file(path);
        gait::Study part = gait::parse_study(file.text(), path.string());
        if (!part.truth.answer.empty()) all.truth = std::move(part.truth);
        all.matching.insert(all.matching.end(), part.matching.begin(), part.matching.end());
        all.ratings.insert(all.ratings.end(), part.ratings.begin(), part.ratings.end());
    }
    if (all.matching.empty() && all.ratings.empty()) fail("", "the files hold no matching and no ratings");
    if (!all.matching.empty() && all.truth.answer.empty())
        fail("", "the files hold no \"truth\": add key.json");
    const Json scores = gait::score(all);
    write_file(options.output, scores.dump(1));
    run.report.output = options.output.string();
    run.report.extra.update(scores);
    if (scores.contains("matching"))
        run.say("matching   {} of {} right, {} by chance", scores["matching"]["right"].get<int>(),
                scores["matching"]["asked"].get<int>(), scores["matching"]["by_chance"].get<double>());
    if (scores.contains("ratings"))
        run.say("likeness   {:.2f} of 3 over {} ratings", scores["ratings"]["mean"].get<double>(),
                scores["ratings"]["count"].get<int>());
}

void execute(const StudyArguments& options, Run& run) {
    const bool answers = suffix(options.inputs.front()) == "json";
    check_output(run, options.output, {answers ? "json" : output::folder});
    if (answers)
        score_answers(run, options);
    else
        prepare(run, options);
}

}  // namespace

void add_study(Program& program) {
    auto options = std::make_shared<StudyArguments>();
    options->common = &program.common();
    CLI::App& verb = program.verb(
        "study", "Prepare a blind study of how alike animations and videos are, or score its answers",
        "  sinew study a.glb b.glb c.glb -o study/          (numbered animations, form.html, key.json)\n"
        "  sinew study study/key.json answers*.json -o scores.json",
        [options](Run& run) { execute(*options, run); });
    verb.add_option("inputs", options->inputs, "Animations in the order of the videos, or key and answers")
        ->required()
        ->type_name("FILE");
    verb.add_option("-o,--output", options->output, "Folder, or json with the scores")
        ->required()
        ->type_name("OUT");
}

}  // namespace sinew::cli
