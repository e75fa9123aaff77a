// SPDX-License-Identifier: MIT
// sinew measure: the distance of B from the reference A.

#include "common.h"

#include "sinew/pipeline/publish.h"

namespace sinew::cli {
namespace {

struct MeasureArguments {
    std::filesystem::path reference;
    std::filesystem::path other;
    io::ReadOptions read;
    std::string what = "auto";
    std::string clip;
};

/// The results as text.
void tell(const Run& run, const Json& r) {
    const auto number = [&](const char* key) { return r.at(key).get<double>(); };
    const std::string what = r.at("what");
    if (what == "sequences") {
        run.say("error      {:.6g} % of the motion", number("error_percent"));
        run.say("E_RMS      {:.6g}", number("erms"));
        run.say("distance   {:.6g} rms, {:.6g} at most (frame {}, vertex {})", number("rms"), number("max"),
                number("worst_frame"), number("worst_vertex"));
    } else if (what == "motions") {
        run.say("{} over {}", count_of(r.at("joints").get<std::size_t>(), "joint"),
                count_of(r.at("frames").get<std::size_t>(), "frame"));
        run.say("position   {:.6g} mean ({:.4g} % of the height)", number("mean_position_error"),
                number("mean_percent"));
        run.say("           {:.6g} at most ({:.4g} %), {} at {:.3f} s", number("max_position_error"),
                number("max_percent"), r.at("worst_joint").get<std::string>(), number("worst_time"));
    } else if (what == "weights") {
        run.say("weights    {:.6g} mean L1 distance of 2, {:.6g} at most", number("mean_l1"),
                number("max_l1"));
        run.say("influences {:.4g} precision, {:.4g} recall", number("precision"), number("recall"));
        run.say(
            "B alone    {:.4g} leakage, {:.3g} joints per vertex; every joint bent: volume changes by {:.3g} "
            "%, edges by {:.3g} %",
            number("leakage"), number("influences"), 100 * number("volume_change"), 100 * number("stretch"));
    } else {
        run.say("joint-joint {:.4g} %, joint-bone {:.4g} %, bone-bone {:.4g} % of {:.4g}",
                number("j2j_percent"), number("j2b_percent"), number("b2b_percent"), number("diagonal"));
        run.say("joints within 2 %: {:.4g} precision, {:.4g} recall", number("precision"), number("recall"));
        if (r.contains("inside_fraction"))
            run.say("in the body: {:.4g} % inside, off centre by {:.3g} of the radius",
                    100 * number("inside_fraction"), number("centredness"));
    }
}

void execute(const MeasureArguments& options, Run& run) {
    const io::Asset a = load(run, options.reference, options.read);
    const io::Asset b = load(run, options.other, options.read);
    const StageTimer timer(run.report, "measure");
    const Json report = pipeline::measure(a, b, {options.what, options.clip}, run.monitor);
    run.report.extra.update(report);
    tell(run, report);
}

}  // namespace

void add_measure(Program& program) {
    auto options = std::make_shared<MeasureArguments>();
    CLI::App& verb = program.verb(
        "measure", "Measure how B differs from a reference A: skeletons, weights, motions or sequences",
        "  sinew measure artist.glb mine.glb --what skeletons\n"
        "  sinew measure walk.bvh retargeted.bvh --report difference.json",
        [options](Run& run) { execute(*options, run); });
    verb.add_option("reference", options->reference, "The reference")->required()->type_name("A");
    verb.add_option("other", options->other, "What is compared with it")->required()->type_name("B");
    verb.add_option("--what", options->what, "What to compare; auto chooses by what both files contain")
        ->check(CLI::IsMember({"auto", "skeletons", "weights", "motions", "sequences"}));
    verb.add_option("--clip", options->clip, "Clip of A, by name or number")->type_name("CLIP");
    add_read_options(verb, options->read);
}

}  // namespace sinew::cli
