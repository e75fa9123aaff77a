#pragma once
// Motions onto characters, shared by retarget and animate.

#include "solving.h"

#include "sinew/gait/gait.h"
#include "sinew/motion/retarget.h"

namespace sinew::cli {

/// Retargeting as the command line has it.
struct RetargetChoice {
    motion::RetargetOptions options;
    bool no_contacts = false;
    bool no_facing = false;
    std::filesystem::path map;       ///< --map: which joint follows which
    std::filesystem::path save_map;  ///< --save-map
    SolveChoice solve;               ///< of motions that are markers
};
void add_retarget_options(CLI::App& verb, RetargetChoice& choice);

/// A motion, and which of its joints were measured: all but those that a solver of markers held.
struct Motion {
    io::Asset asset;
    std::vector<bool> measured;
};

/// A motion file with a skeleton and at least one clip: BVH, AMC and the like, the curves of a gait cycle, or
/// markers, which are solved; arms without markers hang.
/// \throws Error that says what the file holds instead, or why it cannot be solved.
Motion load_motion(Run& run, const std::filesystem::path& path, const io::ReadOptions& read,
                   const SolveChoice& solve);

/// --unmeasured: ghost, hide or hold what no marker measured.
void add_unmeasured_option(CLI::App& verb, gait::Unmeasured& unmeasured);

/// The files of a folder that hold motion, by name; just the path itself when it is a file.
/// \throws Error when a folder has none.
std::vector<std::filesystem::path> motion_files(const std::filesystem::path& path);

/// Moves the chosen clip of a motion onto a skeleton and tells the report.
motion::RetargetResult retarget_onto(Run& run, const Motion& source, const std::filesystem::path& path,
                                     const std::string& clip, const model::Skeleton& target,
                                     const RetargetChoice& choice);

}  // namespace sinew::cli
