// SPDX-License-Identifier: MIT
#pragma once
// A plan: what is done with which files, as JSON, as CSV, or in the words of the command line.

#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "sinew/base/report.h"

namespace sinew::cli::batch {

/// One process: one verb on its inputs.
struct Job {
    std::string id;  ///< its output below the output folder; unique in a plan
    std::string verb;
    std::vector<std::string> inputs;
    std::vector<std::string> options;  ///< as words of the command line
    bool writes = true;                ///< false: the report is all there is
};

struct Plan {
    std::filesystem::path folder;  ///< absolute: where relative names begin and jobs run
    std::vector<Job> jobs;
};

/// What the command line says instead of a plan.
struct PlanWords {
    std::vector<std::string>
        words;  ///< a plan (.json, .csv, .jsonl of --list), or a verb and its inputs as patterns
    std::vector<std::string> options;  ///< of the verb: "template=biped", "strict"
    std::string output;                ///< pattern of the outputs; empty takes that of the verb
};

/// \param app knows the verbs and their options.
/// \throws Error with the entry of the plan that is wrong, before anything is done.
Plan read_plan(const PlanWords& words, const CLI::App& app, Monitor& monitor);

/// A job as text, for other programs that run it, and back.
Json to_json(const Job& job);
/// \throws Error when it is not one.
Job job_of(const Json& json);

}  // namespace sinew::cli::batch
