// SPDX-License-Identifier: MIT
#include "body_work.h"

#include "actions.h"

#include "sinew/base/error.h"
#include "sinew/fit/fit.h"
#include "sinew/pipeline/rig.h"
#include "sinew/rig/segment.h"

namespace sinew::studio {

void cut_into_parts(State& state) {
    if (!state.character().has_mesh()) {
        state.messages.add(Severity::error, "there is no mesh to cut into parts");
        return;
    }
    const auto work = [open = state.document](Monitor& monitor) -> Job::Apply {
        const geometry::Mesh mesh = pipeline::rest_mesh(*open.character);
        const rig::Segmentation cut = rig::segment(mesh, {}, monitor);
        Document document = open;
        document.parts = std::make_shared<const BodyParts>(body_parts(mesh, cut.part_of, cut.names));
        return [document, count = cut.part_count()](State& now) {
            change(now, "cut into parts", document);
            now.view.coloring = Coloring::parts;
            now.messages.add(Severity::note, fmt::format("{} parts", count));
        };
    };
    state.job.start("Cutting into parts", work);
}

void fit_sequence(State& state, int bones) {
    if (!state.document.sequence) {
        state.messages.add(Severity::error, "there is no mesh sequence to fit: open one (pc2, a folder ...)");
        return;
    }
    const auto work = [open = state.document, bones](Monitor& monitor) -> Job::Apply {
        fit::FitOptions options;
        options.bones = bones;
        const fit::Fitted fitted = fit::fit(*open.sequence, options, monitor);
        Document document(fit::to_character(fitted.fit), open.path);
        auto errors = std::make_shared<const std::vector<double>>(fitted.error.frame_rms);
        const std::string text = fmt::format("{} bones by {}: {:.2f} % of the motion is missed", bones,
                                             fitted.method, fitted.error.error_percent);
        return [document, errors, text](State& now) {
            change(now, "fit sequence", document);
            choose_clip(now, now.character().clips.empty() ? -1 : 0);
            now.fit_error = errors;
            now.view.coloring = Coloring::parts;
            now.messages.add(Severity::note, text);
        };
    };
    state.job.start("Fitting the sequence", work);
}

}  // namespace sinew::studio
