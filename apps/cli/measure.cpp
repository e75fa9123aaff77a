// SPDX-License-Identifier: MIT
// sinew measure: how far B is from the reference A.

#include "sinew/rig/measure.h"

#include "common.h"

#include "sinew/base/error.h"
#include "sinew/fit/fit.h"
#include "sinew/motion/edit.h"
#include "sinew/rig/skeletonize.h"

namespace sinew::cli {
namespace {

struct MeasureArguments {
    std::filesystem::path reference;
    std::filesystem::path other;
    io::ReadOptions read;
    std::string what = "auto";
    std::string clip;
};

/// What both files can be compared by.
std::string choose(const io::Asset& a, const io::Asset& b) {
    if (!a.sequence.empty() || !b.sequence.empty()) return "sequences";
    const bool motion = !a.character.has_mesh() || !b.character.has_mesh();
    if (motion && !a.character.clips.empty() && !b.character.clips.empty()) return "motions";
    if (a.character.has_skin() && b.character.has_skin()) return "weights";
    return "skeletons";
}

void measure_sequences(const io::Asset& a, const io::Asset& b, Run& run) {
    const fit::SequenceError e = fit::sequence_error(a.sequence, b.sequence);
    run.report.extra.update({{"error_percent", e.error_percent},
                             {"kg_percent", e.kg_percent},
                             {"erms", e.erms},
                             {"rms", e.rms},
                             {"mean", e.mean},
                             {"max", e.max},
                             {"worst_frame", e.worst_frame},
                             {"frame_rms", e.frame_rms}});
    run.say("error      {:.6g} % of the motion", e.error_percent);
    run.say("E_RMS      {:.6g}", e.erms);
    run.say("distance   {:.6g} rms, {:.6g} at most (frame {}, vertex {})", e.rms, e.max, e.worst_frame,
            e.worst_vertex);
}

void measure_motions(const MeasureArguments& options, const io::Asset& a, const io::Asset& b, Run& run) {
    const model::Clip* first = model::find_clip(a.character, options.clip);
    const model::Clip* second = model::find_clip(b.character, "");
    if (first == nullptr || second == nullptr) fail("", "both files need a motion");
    const motion::MotionDifference d =
        motion::compare(a.character.skeleton, *first, b.character.skeleton, *second);
    run.report.extra.update({{"mean_position_error", d.mean_position_error},
                             {"max_position_error", d.max_position_error},
                             {"mean_percent", d.mean_percent},
                             {"max_percent", d.max_percent},
                             {"joints", d.joints},
                             {"frames", d.frames}});
    run.say("{} over {}", count_of(d.joints, "joint"), count_of(d.frames, "frame"));
    run.say("position   {:.6g} mean ({:.4g} % of the height)", d.mean_position_error, d.mean_percent);
    run.say("           {:.6g} at most ({:.4g} %), {} at {:.3f} s", d.max_position_error, d.max_percent,
            d.worst_joint, d.worst_time);
}

void measure_weights(const io::Asset& a, const io::Asset& b, Run& run) {
    const rig::WeightDifference d = rig::measure_weights(a.character, b.character);
    run.report.extra.update({{"mean_l1", d.mean_l1},
                             {"max_l1", d.max_l1},
                             {"precision", d.precision},
                             {"recall", d.recall},
                             {"vertices", d.vertices}});
    run.say("weights    {:.6g} mean L1 distance of 2, {:.6g} at most", d.mean_l1, d.max_l1);
    run.say("influences {:.4g} precision, {:.4g} recall", d.precision, d.recall);
    const rig::WeightQuality quality = rig::weight_quality(b.character);
    const rig::SweepQuality sweep = rig::sweep_joints(b.character);
    run.report.extra.update({{"leakage", quality.leakage},
                             {"steepest", quality.steepest},
                             {"influences", quality.influences},
                             {"torn", quality.torn},
                             {"volume_change", sweep.volume_change},
                             {"stretch", sweep.stretch}});
    run.say(
        "B alone    {:.4g} leakage, {:.3g} joints a vertex; every joint bent: volume changes by {:.3g} %, "
        "edges by {:.3g} %",
        quality.leakage, quality.influences, 100 * sweep.volume_change, 100 * sweep.stretch);
}

/// How B's skeleton lies in the body, when one of the files has it.
void measure_in_body(const io::Asset& a, const io::Asset& b, Run& run) {
    const geometry::Mesh& mesh = a.character.has_mesh() ? a.character.mesh : b.character.mesh;
    if (mesh.triangles.empty()) return;
    const double spacing = 0.01 * geometry::bounds(mesh.positions).diagonal();
    const rig::SkeletonQuality quality =
        rig::skeleton_quality(rig::curve_of(b.character.skeleton, spacing), mesh, run.monitor);
    run.report.extra.update({{"inside_fraction", quality.inside_fraction},
                             {"centredness", quality.centredness.mean},
                             {"centredness_p95", quality.centredness.p95}});
    run.say("in the body: {:.4g} % inside, off centre by {:.3g} of the radius", 100 * quality.inside_fraction,
            quality.centredness.mean);
}

void measure_skeletons(const io::Asset& a, const io::Asset& b, Run& run) {
    rig::SkeletonMeasureOptions options;
    if (a.character.has_mesh()) options.diagonal = geometry::bounds(a.character.mesh.positions).diagonal();
    const rig::SkeletonDifference d = rig::measure(a.character.skeleton, b.character.skeleton, options);
    run.report.extra.update({{"j2j_percent", d.j2j_percent},
                             {"j2b_percent", d.j2b_percent},
                             {"b2b_percent", d.b2b_percent},
                             {"precision", d.precision},
                             {"recall", d.recall},
                             {"diagonal", d.diagonal}});
    run.say("joint-joint {:.4g} %, joint-bone {:.4g} %, bone-bone {:.4g} % of {:.4g}", d.j2j_percent,
            d.j2b_percent, d.b2b_percent, d.diagonal);
    run.say("joints within 2 %: {:.4g} precision, {:.4g} recall", d.precision, d.recall);
    measure_in_body(a, b, run);
}

void execute(const MeasureArguments& options, Run& run) {
    const io::Asset a = load(run, options.reference, options.read);
    const io::Asset b = load(run, options.other, options.read);
    const std::string what = options.what == "auto" ? choose(a, b) : options.what;
    run.report.extra["what"] = what;
    const StageTimer timer(run.report, "measure");
    if (what == "sequences") measure_sequences(a, b, run);
    if (what == "motions") measure_motions(options, a, b, run);
    if (what == "weights") measure_weights(a, b, run);
    if (what == "skeletons") measure_skeletons(a, b, run);
}

}  // namespace

void add_measure(Program& program) {
    auto options = std::make_shared<MeasureArguments>();
    CLI::App& verb = program.verb(
        "measure", "Say how far B is from the reference A: skeletons, weights, motions or sequences",
        "  sinew measure artist.glb mine.glb --what skeletons\n"
        "  sinew measure walk.bvh retargeted.bvh --report difference.json",
        [options](Run& run) { execute(*options, run); });
    verb.add_option("reference", options->reference, "The reference")->required()->type_name("A");
    verb.add_option("other", options->other, "What is compared with it")->required()->type_name("B");
    verb.add_option("--what", options->what, "What to compare; auto looks at what both files hold")
        ->check(CLI::IsMember({"auto", "skeletons", "weights", "motions", "sequences"}));
    verb.add_option("--clip", options->clip, "Clip of A, by name or number")->type_name("CLIP");
    add_read_options(verb, options->read);
}

}  // namespace sinew::cli
