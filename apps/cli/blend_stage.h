#pragma once
// The skeleton that several motions are played on, and the motions brought onto it.

#include <map>

#include "motion_options.h"

namespace sinew::cli {

/// Where clips of different files meet. Motions of other skeletons are retargeted.
class BlendStage {
  public:
    /// An empty rig leaves the choice to the first motion.
    BlendStage(Run& run, const std::filesystem::path& rig, const io::ReadOptions& read);

    /// A clip by name or number of a file, on the skeleton of the stage.
    model::Clip clip_of(const std::filesystem::path& path, const std::string& clip);
    const model::Character& character() const { return character_; }
    bool empty() const { return character_.skeleton.empty(); }

  private:
    const pipeline::Motion& motion_of(const std::filesystem::path& path);

    Run& run_;
    io::ReadOptions read_;
    model::Character character_;
    std::map<std::filesystem::path, pipeline::Motion> motions_;
};

}  // namespace sinew::cli
