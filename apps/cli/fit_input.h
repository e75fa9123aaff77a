#pragma once
// The motions that `sinew fit` reads: whole, or point caches frame by frame.

#include <memory>

#include "common.h"

#include "sinew/fit/fit.h"
#include "sinew/io/interchange.h"

namespace sinew::cli {

/// One motion or several of the same mesh, one behind the other.
class FitInput {
  public:
    /// With `streamed` the frames of point caches stay in their files.
    FitInput(Run& run, const std::vector<std::filesystem::path>& paths, const io::ReadOptions& options,
             bool streamed);
    FitInput(const FitInput&) = delete;
    FitInput& operator=(const FitInput&) = delete;

    const fit::FrameSource& source() const { return source_; }
    /// Empty when the frames stay in their files.
    const model::MeshSequence& sequence() const { return sequence_; }
    /// More than one when there are several motions; otherwise none.
    const std::vector<fit::ClipRange>& clips() const { return clips_; }
    /// Forgets the frames in memory.
    void drop_frames() { sequence_.frames = {}; }

  private:
    void open(Run& run, const std::vector<std::filesystem::path>& paths, const io::ReadOptions& options);
    void read(Run& run, const std::vector<std::filesystem::path>& paths, const io::ReadOptions& options);

    std::vector<std::unique_ptr<io::CacheStream>> caches_;
    model::MeshSequence sequence_;
    fit::FrameSource source_;
    std::vector<fit::ClipRange> clips_;
};

}  // namespace sinew::cli
