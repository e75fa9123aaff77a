#include "skin_frames.h"

#include "sinew/base/error.h"
#include "sinew/deform/skinner.h"

namespace sinew::cli {
namespace {

const std::map<std::string, Refinement>& refinements() {
    static const std::map<std::string, Refinement> table = {{"none", Refinement::none},
                                                            {"mush", Refinement::mush},
                                                            {"direct-mush", Refinement::direct_mush},
                                                            {"swing-twist", Refinement::swing_twist}};
    return table;
}

std::vector<geometry::Vec3f> narrowed(const std::vector<math::Vec3d>& points) {
    std::vector<geometry::Vec3f> result;
    result.reserve(points.size());
    for (const math::Vec3d& p : points) result.push_back(p.cast<float>());
    return result;
}

}  // namespace

SkinFrames::SkinFrames(Run& run, const model::Character& character, const model::Clip* clip,
                       deform::Method method, const RefineOptions& options, const ExampleOptions& examples)
    : character_(character),
      clip_(clip),
      method_(method),
      options_(options),
      centers_(deform::centers_for(method, character.mesh, character.skin)),
      sets_(model::group_by_influences(character.skin, &character.skeleton)) {
    if (examples.any() && options.any())
        fail("", "examples are made for the skin of a --method: no --refine with them");
    if (examples.any()) shaper_.emplace(run, character, clip, method_, centers_, examples);
    if (options.kind == Refinement::mush) mush_.emplace(character.mesh, options.smoothing);
    if (options.kind != Refinement::direct_mush) return;
    direct_.emplace(character.mesh, character.skin, options.smoothing);
    if (!character.mesh.morphs.empty())
        warn(run.monitor, "direct-mush-morphs",
             "{}: morphs are left out, Direct Delta Mush is made for one shape", character.name);
}

std::vector<geometry::Vec3f> SkinFrames::at(double time) const {
    const std::vector<math::Mat4d> palette =
        model::palette(character_.skin, model::world_matrices(character_, clip_, time));
    if (direct_) return direct_->apply(palette);
    const deform::RestShape<double> rest =
        shaper_ ? shaper_->at(time)
                : deform::morphed<double>(character_.mesh, deform::morph_weights(character_, clip_, time));
    if (options_.kind == Refinement::swing_twist)
        return narrowed(deform::deform_swing_twist(rest, character_.skin, character_.skeleton, palette,
                                                   options_.swing_twist));
    deform::DeformOptions how;
    how.centers = centers_;
    const std::vector<geometry::Vec3f> positions =
        deform::deform<float>({narrowed(rest.positions)}, character_.skin, sets_, palette, method_, how)
            .positions;
    return mush_ ? mush_->apply(positions) : positions;
}

std::string name_of(Refinement kind) {
    for (const auto& [name, value] : refinements())
        if (value == kind) return name;
    return "";
}

void add_refine_options(CLI::App& verb, RefineOptions& options) {
    const OptionHeading heading(verb, "Beyond blending");
    verb.add_option("--refine", options.kind,
                    "mush = smooth each frame of the --method and put the detail back (Delta Mush):\n"
                    "coarse weights bend softly\n"
                    "direct-mush = smooth once, at set-up; linear blending inside (Direct Delta Mush)\n"
                    "swing-twist = bend and twist of a joint blended apart, radius kept; dqs elsewhere")
        ->transform(CLI::CheckedTransformer(refinements()).description("none|mush|direct-mush|swing-twist"));
    verb.add_option("--mush-passes", options.smoothing.iterations, "Passes of smoothing")
        ->check(CLI::Range(0, 1000));
    verb.add_option("--mush-strength", options.smoothing.strength,
                    "How far a pass goes towards the mean of the neighbours, up to 1; more with "
                    "--mush-implicit");
    verb.add_flag("--mush-implicit", options.smoothing.implicit,
                  "Solve for the smooth surface: few passes of a large strength do (4 of 2.5)");
    verb.add_option("--stretch", options.swing_twist.stretch,
                    "Swing-twist: how far the rest distance from the bones is kept")
        ->check(CLI::Range(0.0, 1.0));
    verb.add_option("--swing-sharpness", options.swing_twist.swing_sharpness,
                    "Swing-twist: how steeply the bend follows the weights; 1 as they are")
        ->check(CLI::PositiveNumber);
    verb.add_option("--twist-sharpness", options.swing_twist.twist_sharpness, "The same for the twist")
        ->check(CLI::PositiveNumber);
}

}  // namespace sinew::cli
