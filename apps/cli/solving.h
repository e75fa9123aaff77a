#pragma once
// Markers to motion, shared by solve, animate, retarget and gait.

#include "common.h"

#include "sinew/motion/solve.h"

namespace sinew::cli {

/// Solving as the command line has it.
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

/// A trial that has markers. \throws Error that says what the file holds instead.
model::Trial load_trial(Run& run, const std::filesystem::path& path, const io::ReadOptions& read);

/// Cleans and solves a trial as stages of the run, onto `bones` as they are or, without, onto a generic
/// skeleton made to measure.
motion::SolveResult solve_trial(Run& run, const model::Trial& trial, const model::Skeleton* bones,
                                const SolveChoice& choice, const io::ReadOptions& read);

/// What the report says of a fit: residuals, marker by marker, and what was not measured.
Json fit_report(const motion::SolveResult& result);

/// The same for a person, with or without a line for each marker.
void say_fit(Run& run, const motion::SolveResult& result, bool markers);

}  // namespace sinew::cli
