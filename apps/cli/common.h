#pragma once
// Pieces that several verbs share: loading and saving with the report kept, the choice of an instant, a baked
// frame.

#include <optional>

#include "program.h"

#include "sinew/deform/method.h"
#include "sinew/io/asset.h"

namespace sinew::cli {

/// Reads a file as a stage of the run and names it in the report.
io::Asset load(Run& run, const std::filesystem::path& path, const io::ReadOptions& options = {});

/// Writes a file as a stage of the run and names it in the report.
void save(Run& run, const std::filesystem::path& path, const io::Asset& asset,
          const io::WriteOptions& options = {});

/// Makes a character of a trial (its markers as joints) or of a gait cycle (a walking lower body) that has
/// none, for everything that plays or draws one.
void make_playable(io::Asset& asset, Monitor& monitor);

/// Options of reading: --strict, --units, --up, --convention and the like; without --fps for a verb that has
/// its own.
void add_read_options(CLI::App& verb, io::ReadOptions& options, bool with_rate = true);

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

/// --method with the names of the deformers.
void add_method_option(CLI::App& verb, deform::Method& method);

/// The mesh of a character as it looks at a time: positions and normals replaced, morphs baked.
geometry::Mesh posed_mesh(const model::Character& character, const model::Clip* clip, double time,
                          deform::Method method);

/// "10,240" for people.
std::string with_commas(std::size_t number);

/// "1 joint", "22 joints".
std::string count_of(std::size_t number, std::string_view thing);

}  // namespace sinew::cli
