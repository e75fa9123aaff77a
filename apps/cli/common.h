// SPDX-License-Identifier: MIT
#pragma once
// Functions that several verbs share: loading and saving with a report, the choice of a time.

#include <optional>

#include "program.h"
#include "shared/asset_options.h"
#include "shared/help.h"
#include "shared/plural.h"

#include "sinew/pipeline/publish.h"
#include "sinew/rig/edit.h"

namespace sinew::cli {

using namespace app;
using pipeline::make_playable;
using pipeline::posed_mesh;

/// The message of an error; for a missing file, it suggests a similar name in the folder.
std::string explained(const Error& error);

/// Reads a file as a stage of the run and adds it to the report.
io::Asset load(Run& run, const std::filesystem::path& path, const io::ReadOptions& options = {});

/// Writes a file as a stage of the run and adds it to the report.
void save(Run& run, const std::filesystem::path& path, const io::Asset& asset,
          const io::WriteOptions& options = {});

/// Suffixes of the output formats, in families. A model is a character or any part of one.
namespace output {
extern const std::string scenes, skeletons, meshes, models, caches, trials, cycles;  // output formats of io
inline constexpr std::string_view pictures = "png mp4 mov mkv webm gif", pages = "html htm", folder = "/";
}  // namespace output
using OutputFamilies = std::vector<std::string_view>;
bool is_of(std::string_view family, const std::filesystem::path& path);

/// Checks, before any work, that the output can be written: it fails for a suffix of no family of the verb, a
/// missing or write-protected folder, or a file that is also an input. Standard output accepts formats that
/// are a single stream. Where only a folder is possible, its name may have any suffix. An empty path is
/// valid: nothing is written.
/// \throws Error.
void check_output(const Run& run, const std::filesystem::path& path, const OutputFamilies& families);

/// \throws Error when an output file is also an input of the command line, unless --force is set. Every verb
/// calls this through check_output() or save().
void check_not_input(const Run& run, const std::filesystem::path& path);

/// The same for a file whose suffix does not matter.
void check_location(const std::filesystem::path& path);

/// --names: renames the joints of a character for another program.
void add_names_option(CLI::App& verb, std::optional<rig::JointNames>& names);
/// Renames if requested. \throws Error when no joint of the skeleton has a role.
void use_names(const Run& run, const std::optional<rig::JointNames>& names, model::Character& character);

/// A time in a clip: --clip, --frame, --time.
struct Instant {
    std::string clip;
    std::optional<std::size_t> frame;
    std::optional<double> time;
    bool given() const { return frame || time; }
};
void add_instant_options(CLI::App& verb, Instant& instant);

/// A clip by name or number, by default the first; null when there are none.
/// \throws Error naming --clip and the available clips.
const model::Clip* clip_named(const model::Character& character, const std::string& name);

/// Seconds of an instant in a clip; the start by default. \throws Error when it is outside the clip.
double seconds_of(const Instant& instant, const model::Clip* clip);

}  // namespace sinew::cli
