#pragma once
// A film of the character beside the video of the trial, both at the same moment.

#include "common.h"

namespace sinew::cli {

struct BesideOptions {
    std::filesystem::path video;
    double start = 0;  ///< second of the video at which the motion begins
    bool any() const { return !video.empty(); }
};
void add_beside_options(CLI::App& verb, BesideOptions& options);

/// Puts the video to the right of a film that was written, as high as it, for as long as both last; sound and
/// what the video says about itself are left out. Warns that a person may be seen.
/// \throws Error when there is no ffmpeg, or with what it says.
void set_beside(Run& run, const BesideOptions& options, int height, const std::filesystem::path& film);

}  // namespace sinew::cli
