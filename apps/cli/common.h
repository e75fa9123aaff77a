#pragma once
// Pieces that several verbs share: loading and saving with the report kept, the choice of an instant.

#include <optional>

#include "program.h"
#include "shared/asset_options.h"
#include "shared/help.h"
#include "shared/playable.h"
#include "shared/words.h"

namespace sinew::cli {

using namespace app;

/// Reads a file as a stage of the run and names it in the report.
io::Asset load(Run& run, const std::filesystem::path& path, const io::ReadOptions& options = {});

/// Writes a file as a stage of the run and names it in the report.
void save(Run& run, const std::filesystem::path& path, const io::Asset& asset,
          const io::WriteOptions& options = {});

/// A moment of a clip: --clip, --frame, --time.
struct Instant {
    std::string clip;
    std::optional<std::size_t> frame;
    std::optional<double> time;
    bool given() const { return frame || time; }
};
void add_instant_options(CLI::App& verb, Instant& instant);

/// Seconds of an instant on a clip; the start when none was given. \throws Error when it is outside the clip.
double seconds_of(const Instant& instant, const model::Clip* clip);

}  // namespace sinew::cli
