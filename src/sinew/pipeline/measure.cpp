// SPDX-License-Identifier: MIT
// The distance between two files.

#include "sinew/rig/measure.h"

#include "sinew/base/error.h"
#include "sinew/fit/fit.h"
#include "sinew/motion/edit.h"
#include "sinew/pipeline/publish.h"

namespace sinew::pipeline {
namespace {

/// The data by which both files can be compared.
std::string choose(const io::Asset& a, const io::Asset& b) {
    if (!a.sequence.empty() || !b.sequence.empty()) return "sequences";
    const bool motion = !a.character.has_mesh() || !b.character.has_mesh();
    if (motion && !a.character.clips.empty() && !b.character.clips.empty()) return "motions";
    if (a.character.has_skin() && b.character.has_skin()) return "weights";
    return "skeletons";
}

Json sequences(const io::Asset& a, const io::Asset& b) {
    const fit::SequenceError e = fit::sequence_error(a.sequence, b.sequence);
    return {{"error_percent", e.error_percent},
            {"kg_percent", e.kg_percent},
            {"erms", e.erms},
            {"rms", e.rms},
            {"mean", e.mean},
            {"max", e.max},
            {"worst_frame", e.worst_frame},
            {"worst_vertex", e.worst_vertex},
            {"frame_rms", e.frame_rms}};
}

Json motions(const io::Asset& a, const io::Asset& b, const std::string& clip) {
    const model::Clip* first = model::find_clip(a.character, clip);
    const model::Clip* second = model::find_clip(b.character, "");
    if (first == nullptr || second == nullptr) fail("", "both files need a motion");
    const motion::MotionDifference d =
        motion::compare(a.character.skeleton, *first, b.character.skeleton, *second);
    return {{"mean_position_error", d.mean_position_error},
            {"max_position_error", d.max_position_error},
            {"mean_percent", d.mean_percent},
            {"max_percent", d.max_percent},
            {"worst_joint", d.worst_joint},
            {"worst_time", d.worst_time},
            {"joints", d.joints},
            {"frames", d.frames}};
}

Json weights(const io::Asset& a, const io::Asset& b) {
    const rig::WeightDifference d = rig::measure_weights(a.character, b.character);
    const rig::WeightQuality quality = rig::weight_quality(b.character);
    const rig::SweepQuality sweep = rig::sweep_joints(b.character);
    return {{"mean_l1", d.mean_l1},         {"max_l1", d.max_l1},
            {"precision", d.precision},     {"recall", d.recall},
            {"vertices", d.vertices},       {"leakage", quality.leakage},
            {"steepest", quality.steepest}, {"influences", quality.influences},
            {"torn", quality.torn},         {"volume_change", sweep.volume_change},
            {"stretch", sweep.stretch}};
}

Json skeletons(const io::Asset& a, const io::Asset& b, Monitor& monitor) {
    for (const io::Asset* one : {&a, &b})
        if (!one->character.has_skeleton()) fail(one->character.name, "has no skeleton to measure");
    rig::SkeletonMeasureOptions options;
    if (a.character.has_mesh()) options.diagonal = geometry::bounds(a.character.mesh.positions).diagonal();
    const rig::SkeletonDifference d = rig::measure(a.character.skeleton, b.character.skeleton, options);
    Json report = {{"j2j_percent", d.j2j_percent}, {"j2b_percent", d.j2b_percent},
                   {"b2b_percent", d.b2b_percent}, {"precision", d.precision},
                   {"recall", d.recall},           {"diagonal", d.diagonal}};
    // The position of B's skeleton in the body, when one of the files has a body.
    const geometry::Mesh& mesh = a.character.has_mesh() ? a.character.mesh : b.character.mesh;
    if (mesh.triangles.empty()) return report;
    const double spacing = 0.01 * geometry::bounds(mesh.positions).diagonal();
    const rig::SkeletonQuality quality =
        rig::skeleton_quality(rig::curve_of(b.character.skeleton, spacing), mesh, monitor);
    report.update({{"inside_fraction", quality.inside_fraction},
                   {"centredness", quality.centredness.mean},
                   {"centredness_p95", quality.centredness.p95}});
    return report;
}

}  // namespace

Json measure(const io::Asset& reference, const io::Asset& other, const MeasureOptions& options,
             Monitor& monitor) {
    const std::string what = options.what == "auto" ? choose(reference, other) : options.what;
    Json report = {{"what", what}};
    if (what == "sequences")
        report.update(sequences(reference, other));
    else if (what == "motions")
        report.update(motions(reference, other, options.clip));
    else if (what == "weights")
        report.update(weights(reference, other));
    else if (what == "skeletons")
        report.update(skeletons(reference, other, monitor));
    else
        fail("", "\"{}\" cannot be measured: auto, skeletons, weights, motions and sequences can", what);
    return report;
}

}  // namespace sinew::pipeline
