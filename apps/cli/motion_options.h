// SPDX-License-Identifier: MIT
#pragma once
// Motions as the command line has them, shared by solve, retarget, animate, blend and gait.

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
/// --static and --markers; with `all`, also what only the verb solve has.
void add_solve_options(CLI::App& verb, SolveChoice& choice, bool all);
/// Reads the files that the choice names.
pipeline::SolveOptions load_solve_options(Run& run, const SolveChoice& choice, const io::ReadOptions& read);

/// A trial that has markers. \throws Error that says what the file holds instead.
model::Trial load_trial(Run& run, const std::filesystem::path& path, const io::ReadOptions& read);

struct RetargetChoice {
    pipeline::RetargetOptions retarget;
    bool no_contacts = false;
    bool no_facing = false;
    SolveChoice solve;  ///< of motions that are markers
};
void add_retarget_options(CLI::App& verb, RetargetChoice& choice);
pipeline::RetargetOptions retarget_options(const RetargetChoice& choice);

/// --unmeasured: ghost, hide or hold what no marker measured.
void add_unmeasured_option(CLI::App& verb, gait::Unmeasured& unmeasured);

/// A motion as a stage of the run, told to the report and the person.
pipeline::Motion load_motion(Run& run, const std::filesystem::path& path, const io::ReadOptions& read,
                             const SolveChoice& solve);

/// Adds what cleaning and solving did to the report: `cleaned`, and the fit to `where`.
void report_fit(Run& run, const pipeline::SolvedTrial& fit, Json& where);
/// Says it to the person, with or without a line for each marker.
void tell(const Run& run, const motion::SolveResult& result, bool markers);
void tell(const Run& run, const motion::RetargetResult& result, std::size_t joints);

}  // namespace sinew::cli
