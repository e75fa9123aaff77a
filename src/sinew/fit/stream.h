#pragma once
/// \file
/// Sequences that are larger than memory: bones and weights from some of the frames, transformations chunk by
/// chunk.

#include <functional>

#include "sinew/fit/choice.h"

namespace sinew::fit {

/// Frames that are made when they are asked for.
struct FrameSource {
    geometry::Mesh rest;
    double rate = 30;
    std::size_t count = 0;
    std::function<std::vector<math::Vec3f>(std::size_t frame)> frame;
};

/// A sequence in memory as a source; it must outlive the source.
FrameSource source_of(const model::MeshSequence& sequence);

struct StreamOptions {
    FitOptions choice;
    std::size_t chunk = 64;  ///< frames in memory at a time
};

/// Fits `chunk` frames, spread evenly over the sequence, with all that the choice says; then transformations
/// only, for all frames. With no more frames than `chunk` the fit is the one of `fit`.
/// The error is measured frame by frame. \throws Error naming a broken frame; Cancelled.
Fitted fit_stream(const FrameSource& source, const StreamOptions& options,
                           Monitor& monitor = silent());

}  // namespace sinew::fit
