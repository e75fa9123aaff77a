// SPDX-License-Identifier: MIT
#pragma once
// A plan: the jobs and their files, as JSON, as CSV, or as command-line arguments.

#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "sinew/base/report.h"

namespace sinew::cli::batch {

/// One process: one verb on its inputs.
struct Job {
    std::string id;  ///< its output relative to the output folder; unique in a plan
    std::string verb;
    std::vector<std::string> inputs;
    std::vector<std::string> options;  ///< as command-line arguments
    bool writes = true;                ///< false: the report is the only output
};

struct Plan {
    std::filesystem::path folder;  ///< absolute: base of relative names, and working folder of jobs
    std::vector<Job> jobs;
};

/// The command line in the absence of a plan.
struct PlanWords {
    std::vector<std::string>
        words;  ///< a plan (.json, .csv, .jsonl of --list), or a verb and its inputs as patterns
    std::vector<std::string> options;  ///< of the verb: "template=biped", "strict"
    std::string output;                ///< pattern of the outputs; empty means that of the verb
};

/// \param app the known verbs and their options.
/// \throws Error with the invalid entry of the plan, before any work.
Plan read_plan(const PlanWords& words, const CLI::App& app, Monitor& monitor);

/// Conversion of a job to text, for other programs that run it, and back.
Json to_json(const Job& job);
/// \throws Error when the text is not a job.
Job job_of(const Json& json);

}  // namespace sinew::cli::batch
