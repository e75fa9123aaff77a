#pragma once
// The suites of `sinew bench`, each in its own file.

#include <filesystem>

#include "program.h"

namespace sinew::cli {

struct SuiteOptions {
    bool quick = false;            ///< seconds instead of minutes; the long tables are left out
    std::filesystem::path folder;  ///< for plots and pictures; none when empty
};

/// What is wrong with each method: numbers beside the formulas, and a picture for each scene.
void bench_artifacts(Run& run, const SuiteOptions& options);
/// Axioms of the blends, and how far the fast ones are from constant speed.
void bench_blending(Run& run, const SuiteOptions& options);
/// Fits of cloth and soft bodies beside the published columns, and how the time grows.
void bench_fit(Run& run, const SuiteOptions& options);
/// Skinning speed against the layout that most engines use.
void bench_skinning(Run& run, const SuiteOptions& options);

}  // namespace sinew::cli
