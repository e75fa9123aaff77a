// SPDX-License-Identifier: MIT
// sinew study: a blind study of animations, and its scores.

#include "common.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/gait/report.h"

namespace sinew::cli {
namespace {

struct StudyArguments {
    std::vector<std::filesystem::path> inputs;
    std::filesystem::path output;
    const CommonOptions* common = nullptr;
};

/// Writes numbered copies in random order, the form, and the key that only the organiser of the study gets.
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
    write_file(options.output / "key.json", json_text(gait::to_json(study), 1));
    write_file(options.output / "form.html", gait::study_form(options.inputs.size()));
    run.report.output = options.output.string();
    run.report.extra["items"] = options.inputs.size();
    run.say("wrote {} animations, form.html and key.json into {}", options.inputs.size(),
            options.output.string());
}

/// Scores the key and the answers of all forms together.
void score_answers(Run& run, const StudyArguments& options) {
    gait::Study all;
    for (const std::filesystem::path& path : options.inputs) {
        const FileView file(path);
        gait::Study part = gait::parse_study(file.text(), path.string());
        if (!part.truth.answer.empty()) all.truth = std::move(part.truth);
        all.matching.insert(all.matching.end(), part.matching.begin(), part.matching.end());
        all.ratings.insert(all.ratings.end(), part.ratings.begin(), part.ratings.end());
    }
    if (all.matching.empty() && all.ratings.empty()) fail("", "the files contain no matching and no ratings");
    if (!all.matching.empty() && all.truth.answer.empty())
        fail("", "the files hold no \"truth\": add key.json");
    const Json scores = gait::score(all);
    write_file(options.output, json_text(scores, 1));
    run.report.output = options.output.string();
    run.report.extra.update(scores);
    if (scores.contains("matching"))
        run.say("matching   {} of {} right, {} by chance", scores["matching"]["right"].get<int>(),
                scores["matching"]["asked"].get<int>(), scores["matching"]["by_chance"].get<double>());
    if (scores.contains("ratings"))
        run.say("likeness   {:.2f} of 3 over {} ratings", scores["ratings"]["mean"].get<double>(),
                scores["ratings"]["count"].get<int>());
}

/// The observational checklist without findings: the user removes the "#" from lines that apply.
void write_blank_checklist(Run& run, const StudyArguments& options) {
    std::string text = "# Observational gait checklist: take the # from what is seen, and keep its phases.\n";
    for (const gait::ChecklistRow& row : gait::checklist_rows()) {
        text += fmt::format("# {}:", row.finding);
        for (std::size_t p = 0; p < gait::phase_count; ++p)
            if (row.applicable[p])
                text += fmt::format(" {}", gait::short_name(static_cast<gait::GaitPhase>(p)));
        text += "\n";
    }
    write_file(options.output, text);
    run.report.output = options.output.string();
    run.say("wrote {}", options.output.string());
}

/// Agreement of other sheets with the first: between raters, or between an animation and its video.
void compare_checklists(Run& run, const StudyArguments& options) {
    if (options.inputs.size() < 2) fail("", "two checklists are compared: the first is the reference");
    const auto sheet = [](const std::filesystem::path& path) {
        return gait::parse_checklist(FileView(path).text(), path.string());
    };
    const gait::Checklist reference = sheet(options.inputs.front());
    Json rows = Json::array();
    for (std::size_t i = 1; i < options.inputs.size(); ++i) {
        const gait::Agreement agreement = gait::agreement(reference, sheet(options.inputs[i]));
        rows.push_back({{"sheet", options.inputs[i].string()},
                        {"hits", agreement.hits},
                        {"misses", agreement.misses},
                        {"extra", agreement.extra},
                        {"neither", agreement.neither},
                        {"percent", agreement.percent()},
                        {"kappa", agreement.kappa()}});
        run.say("{}: {:.1f} % agree, kappa {:.2f}", options.inputs[i].string(), agreement.percent(),
                agreement.kappa());
    }
    const Json result = {{"reference", options.inputs.front().string()}, {"agreement", rows}};
    write_file(options.output, result.dump(1));
    run.report.output = options.output.string();
    run.report.extra.update(result);
}

void execute(const StudyArguments& options, Run& run) {
    if (options.inputs.empty()) {
        check_output(run, options.output, {"txt"});
        return write_blank_checklist(run, options);
    }
    const std::string kind = suffix(options.inputs.front());
    const bool answers = kind == "json", sheets = kind == "txt";
    check_output(run, options.output, {answers || sheets ? "json" : output::folder});
    if (sheets)
        compare_checklists(run, options);
    else if (answers)
        score_answers(run, options);
    else
        prepare(run, options);
}

}  // namespace

void add_study(Program& program) {
    auto options = std::make_shared<StudyArguments>();
    options->common = &program.common();
    CLI::App& verb = program.verb(
        "study", "Prepare a blind study of animations and videos, or score its answers",
        "  sinew study a.glb b.glb c.glb -o study/          (numbered animations, form.html, key.json)\n"
        "  sinew study study/key.json answers*.json -o scores.json\n"
        "  sinew study -o checklist.txt                     (the observational gait checklist, empty)\n"
        "  sinew study video.txt animation.txt -o agreement.json   (how far filled checklists agree)",
        [options](Run& run) { execute(*options, run); });
    verb.add_option("inputs", options->inputs,
                    "Animations in the order of the videos, or key and answers, or filled checklists")
        ->type_name("FILE");
    verb.add_option("-o,--output", options->output, "Folder; json with the scores; txt for a blank checklist")
        ->required()
        ->type_name("OUT");
}

}  // namespace sinew::cli
