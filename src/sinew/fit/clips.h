#pragma once
/// \file
/// Several motions of one mesh, fitted together: one rest pose, one set of bones and weights, and a clip for
/// each motion.

#include "sinew/fit/stream.h"
#include "sinew/model/character.h"

namespace sinew::fit {

/// A motion and what it is called.
struct NamedSource {
    std::string name;
    FrameSource source;
};

/// Motions one behind the other, and where each of them lies.
struct JoinedSource {
    FrameSource source;
    std::vector<ClipRange> clips;
};

/// The rest pose is that of the first motion; names that occur twice get a number.
/// \throws Error naming the motion whose vertices or triangles are not those of the first.
JoinedSource joined(std::vector<NamedSource> motions);

/// The same for sequences in memory, whose frames are moved.
struct JoinedSequence {
    model::MeshSequence sequence;
    std::vector<ClipRange> clips;
};
JoinedSequence joined(std::vector<std::pair<std::string, model::MeshSequence>> motions);

/// The clips of a fit: those it has, or one named "fit" of all frames.
std::vector<ClipRange> clips_of(const FitResult& fit);

/// Cuts the one clip of a character, with a key for every frame, into those of the fit.
void cut_clips(const FitResult& fit, model::Character& character);

/// Root mean square distance over the frames of each clip.
std::vector<double> clip_rms(std::span<const ClipRange> clips, const SequenceError& error);

}  // namespace sinew::fit
