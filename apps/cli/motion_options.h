// SPDX-License-Identifier: MIT
#pragma once
// Options for motions, shared by solve, retarget, animate, blend and gait.

#include "common.h"

#include "sinew/pipeline/motion.h"

namespace sinew::cli {

/// Solving of markers.
struct SolveChoice {
    std::filesystem::path static_trial;
    std::filesystem::path names;
    std::string hips = "auto";
    bool keep_lengths = false;
    bool no_refine = false;
    bool neutral = false;
    bool raw = false;
    double cutoff = 6;
};
/// --static and --markers; with `all`, also the options that only the verb solve has.
void add_solve_options(CLI::App& verb, SolveChoice& choice, bool all);
/// Reads the files of the choice.
pipeline::SolveOptions load_solve_options(Run& run, const SolveChoice& choice, const io::ReadOptions& read);

/// A trial with markers. \throws Error that states the content of the file otherwise.
model::Trial load_trial(Run& run, const std::filesystem::path& path, const io::ReadOptions& read);

struct RetargetChoice {
    pipeline::RetargetOptions retarget;
    bool no_contacts = false;
    bool no_facing = false;
    SolveChoice solve;  ///< for motions that are markers
};
void add_retarget_options(CLI::App& verb, RetargetChoice& choice);
pipeline::RetargetOptions retarget_options(const RetargetChoice& choice);

/// --unmeasured: ghost, hide or hold body parts without markers.
void add_unmeasured_option(CLI::App& verb, gait::Unmeasured& unmeasured);

/// Reads a motion as a stage of the run; adds it to the report and to the messages.
pipeline::Motion load_motion(Run& run, const std::filesystem::path& path, const io::ReadOptions& read,
                             const SolveChoice& solve);

/// Adds the results of cleaning and solving to the report: `cleaned`, and the fit to `where`.
void report_fit(Run& run, const pipeline::SolvedTrial& fit, Json& where);
/// Prints these results, with or without a line for each marker.
void tell(const Run& run, const motion::SolveResult& result, bool markers);
void tell(const Run& run, const motion::RetargetResult& result, std::size_t joints);

}  // namespace sinew::cli
