#pragma once
// Motions onto characters, shared by retarget and animate.

#include "common.h"

#include "sinew/motion/retarget.h"

namespace sinew::cli {

/// Retargeting as the command line has it.
struct RetargetChoice {
    motion::RetargetOptions options;
    bool no_contacts = false;
    bool no_facing = false;
    std::filesystem::path map;       ///< --map: which joint follows which
    std::filesystem::path save_map;  ///< --save-map
};
void add_retarget_options(CLI::App& verb, RetargetChoice& choice);

/// A motion file with a skeleton and at least one clip: BVH, AMC and the like, or the curves of a gait cycle.
/// \throws Error that says what the file holds instead.
io::Asset load_motion(Run& run, const std::filesystem::path& path, const io::ReadOptions& read);

/// The files of a folder that hold motion, by name; just the path itself when it is a file.
/// \throws Error when a folder has none.
std::vector<std::filesystem::path> motion_files(const std::filesystem::path& path);

/// Moves the chosen clip of a motion onto a skeleton and tells the report.
model::Clip retarget_onto(Run& run, const io::Asset& source, const std::filesystem::path& path,
                          const std::string& clip, const model::Skeleton& target,
                          const RetargetChoice& choice);

}  // namespace sinew::cli
