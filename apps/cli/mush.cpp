#include "mush.h"

#include "sinew/deform/optimized_centers.h"
#include "sinew/deform/reference.h"

namespace sinew::cli {

SkinFrames::SkinFrames(const model::Character& character, const model::Clip* clip, deform::Method method,
                       const MushOptions& options, Monitor& monitor)
    : character_(character), clip_(clip), method_(method) {
    if (options.kind == "direct") {
        direct_.emplace(character.mesh, character.skin, options.smoothing);
        if (!character.mesh.morphs.empty())
            warn(monitor, "direct-mush-morphs",
                 "{}: morphs are left out, Direct Delta Mush is made for one shape", character.name);
        return;
    }
    centers_ = deform::centers_for(method, character.mesh, character.skin);
    if (options.kind == "delta") delta_.emplace(character.mesh, options.smoothing);
}

std::vector<geometry::Vec3f> SkinFrames::at(double time) const {
    if (direct_)
        return direct_->apply(
            model::palette(character_.skin, model::world_matrices(character_, clip_, time)));
    deform::DeformOptions how;
    how.centers = centers_;
    std::vector<geometry::Vec3f> positions =
        deform::deform<float>(character_, clip_, time, method_, how).positions;
    return delta_ ? delta_->apply(positions) : positions;
}

void add_mush_options(CLI::App& verb, MushOptions& options) {
    const OptionHeading heading(verb, "Delta Mush");
    verb.add_option("--mush", options.kind,
                    "Smooth the skin and put its detail back, so that coarse weights bend softly:\n"
                    "delta = smooth each frame of the --method (Delta Mush)\n"
                    "direct = smooth once, linear blending inside (Direct Delta Mush)")
        ->check(CLI::IsMember({"off", "delta", "direct"}));
    verb.add_option("--mush-passes", options.smoothing.iterations, "Passes of smoothing")
        ->check(CLI::Range(0, 1000));
    verb.add_option(
        "--mush-strength", options.smoothing.strength,
        "How far a pass goes towards the mean of the neighbours, up to 1; any with --mush-implicit");
    verb.add_flag("--mush-implicit", options.smoothing.implicit,
                  "Solve for the smooth surface: few passes of a large strength do (4 of 2.5)");
}

}  // namespace sinew::cli
