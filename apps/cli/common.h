// SPDX-License-Identifier: MIT
#pragma once
// Pieces that several verbs share: loading and saving with the report kept, the choice of an instant.

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

/// What an error says; of a file that is not there, the neighbour with nearly the same name.
std::string explained(const Error& error);

/// Reads a file as a stage of the run and names it in the report.
io::Asset load(Run& run, const std::filesystem::path& path, const io::ReadOptions& options = {});

/// Writes a file as a stage of the run and names it in the report.
void save(Run& run, const std::filesystem::path& path, const io::Asset& asset,
          const io::WriteOptions& options = {});

/// Suffixes of what verbs write, in families. A model is a character or any part of one.
namespace output {
extern const std::string scenes, skeletons, meshes, models, caches, trials, cycles;  // what io can write
inline constexpr std::string_view pictures = "png mp4 mov mkv webm gif", pages = "html htm", folder = "/";
}  // namespace output
using OutputFamilies = std::vector<std::string_view>;
bool is_of(std::string_view family, const std::filesystem::path& path);

/// Says before any work what could not be written after it: a suffix of no family that the verb writes, a
/// folder that is missing or closed, a file that is read too. Standard output takes what is one stream. Where
/// only a folder is possible its name may have any suffix. An empty path is fine: nothing is written. \throws
/// Error.
void check_output(const Run& run, const std::filesystem::path& path, const OutputFamilies& families);

/// \throws Error when a file to be written is one that the command line names to be read, unless the user
/// said --force. Every verb asks here, through check_output() or save().
void check_not_input(const Run& run, const std::filesystem::path& path);

/// The same for a file whose suffix does not matter.
void check_location(const std::filesystem::path& path);

/// --names: the joints of a character get the names that another program knows.
void add_names_option(CLI::App& verb, std::optional<rig::JointNames>& names);
/// Renames when it was asked for. \throws Error when no joint of the skeleton has a role.
void use_names(const Run& run, const std::optional<rig::JointNames>& names, model::Character& character);

/// A moment of a clip: --clip, --frame, --time.
struct Instant {
    std::string clip;
    std::optional<std::size_t> frame;
    std::optional<double> time;
    bool given() const { return frame || time; }
};
void add_instant_options(CLI::App& verb, Instant& instant);

/// A clip by name or number, the first by default; null when there is none.
/// \throws Error naming --clip and the clips that there are.
const model::Clip* clip_named(const model::Character& character, const std::string& name);

/// Seconds of an instant on a clip; the start when none was given. \throws Error when it is outside the clip.
double seconds_of(const Instant& instant, const model::Clip* clip);

}  // namespace sinew::cli
