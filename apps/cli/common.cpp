// SPDX-License-Identifier: MIT
#include "common.h"

#include <cerrno>
#include <cstring>
#include <map>

#include "picture.h"
#include "shared/plain_error.h"

#include "sinew/base/error.h"
#include "sinew/base/system.h"

namespace sinew::cli {
namespace {
/// The report of reading a file.
const std::string no_such_file = fmt::format("cannot open: {}", std::strerror(ENOENT));
}  // namespace

namespace output {

namespace {
std::string writable(std::initializer_list<io::Family> families) {
    std::vector<std::string_view> all;
    for (const io::Family family : families) {
        const std::vector<std::string_view> some = io::writable_suffixes(family);
        all.insert(all.end(), some.begin(), some.end());
    }
    return fmt::format("{}", fmt::join(all, " "));
}
}  // namespace

using io::Family;
const std::string scenes = writable({Family::scene}), skeletons = writable({Family::skeleton}),
                  meshes = writable({Family::mesh}),
                  models = writable({Family::scene, Family::skeleton, Family::mesh, Family::weights}),
                  caches = writable({Family::cache}), trials = writable({Family::trial}),
                  cycles = writable({Family::cycle});

}  // namespace output

std::string explained(const Error& error) {
    const std::filesystem::path path(error.location());
    std::error_code code;
    if (path.empty() || error.reason() != no_such_file || std::filesystem::exists(path, code))
        return error.what();
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    if (!std::filesystem::is_directory(folder, code))
        return fmt::format("{}: there is no folder {}", path.string(), folder.string());
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder, code))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    const std::string near = nearest_word(path.filename().string(), names);
    return fmt::format("{}: there is no such file{}", path.string(),
                       near.empty() ? "" : fmt::format("; did you mean {}?", near));
}

io::Asset load(Run& run, const std::filesystem::path& path, const io::ReadOptions& options) {
    run.report.inputs.push_back(path.string());
    const StageTimer timer(run.report, "read");
    io::Asset asset = io::read(path, options, run.monitor);
    if (asset.character.name.empty()) asset.character.name = path.stem().string();
    return asset;
}

namespace {

/// A film shows the motion; in a picture of a character without motion, the skeleton is visible through the
/// skin.
void save_picture(Run& run, const std::filesystem::path& path, io::Asset asset) {
    PictureOptions options;
    if (asset.character.clips.empty() && asset.character.skeleton.size() > 0)
        options.render.skeleton = render::SkeletonView::xray;
    make_playable(asset, run.monitor);
    write_picture(run, asset, {}, deform::Method::dqs, options, path);
}

}  // namespace

void save(Run& run, const std::filesystem::path& path, const io::Asset& asset,
          const io::WriteOptions& options) {
    if (is_picture(path)) return save_picture(run, path, asset);
    check_not_input(run, path);
    const StageTimer timer(run.report, "write");
    // Parent folders of a folder of frames are created, as check_output announced; "frames/" is "frames".
    const std::filesystem::path target = path.has_filename() ? path : path.parent_path();
    if (suffix(target).empty() && target.has_parent_path())
        std::filesystem::create_directories(target.parent_path());
    io::write(target, asset, options, run.monitor);
    run.report.output = path.string();
}

namespace {

/// "glb gltf obj" of all families except folders.
std::string suffixes_of(OutputFamilies families) {
    std::erase(families, output::folder);
    return fmt::format("{}", fmt::join(families, " "));
}

/// \throws Error when it is not possible to write to a folder.
void check_folder(const std::filesystem::path& path, const std::filesystem::path& folder) {
    std::error_code code;
    if (!std::filesystem::exists(folder, code))
        fail(path.string(), "cannot write: the folder {} does not exist; make it first: mkdir -p {}",
             folder.string(), folder.string());
    if (!std::filesystem::is_directory(folder, code))
        fail(path.string(), "cannot write: {} is a file, not a folder; choose another folder",
             folder.string());
    if (!may_write(folder))
        fail(path.string(),
             "cannot write: no permission for the folder {}; choose another one, or allow it (chmod u+wx {})",
             folder.string(), folder.string());
}

/// The part of a path that exists; missing folders below it are created.
std::filesystem::path existing_part(std::filesystem::path path) {
    std::error_code code;
    while (!path.empty() && !std::filesystem::exists(path, code)) path = path.parent_path();
    return path.empty() ? "." : path;
}

}  // namespace

void check_not_input(const Run& run, const std::filesystem::path& path) {
    std::error_code code;
    if (run.force || path.empty() || is_standard_output(path) || !std::filesystem::exists(path, code)) return;
    if (!std::filesystem::is_regular_file(path, code) && !std::filesystem::is_directory(path, code)) return;
    for (const std::filesystem::path& input : run.named) {
        // A word without a dot may be the name of a clip; only folders have such names.
        if (!input.has_extension() && !std::filesystem::is_directory(input, code)) continue;
        if (std::filesystem::equivalent(input, path, code))
            fail(path.string(),
                 "is an input and would be overwritten: choose another name, or overwrite it with --force");
    }
}

void check_location(const std::filesystem::path& path) {
    std::error_code code;
    if (path.empty() || is_standard_output(path)) return;
    if (std::filesystem::is_directory(path, code))
        fail(path.string(), "cannot write: is a folder; name a file in it");
    check_folder(path, path.has_parent_path() ? path.parent_path() : ".");
}

bool is_of(std::string_view family, const std::filesystem::path& path) {
    const std::string kind = suffix(path);
    return !kind.empty() && fmt::format(" {} ", family).find(fmt::format(" {} ", kind)) != std::string::npos;
}

namespace {

/// \throws Error when standard output cannot carry the format after the dash.
void check_stream(const std::filesystem::path& path, std::string_view suffixes) {
    const std::string first(suffixes.substr(0, suffixes.find(' ')));
    if (suffix(path).empty())
        throw UsageError(path.string(),
                         fmt::format("standard output has no suffix to choose the format: write -.{} or "
                                     "another of {}",
                                     first, suffixes));
    if ((is_of(output::pictures, path) && suffix(path) != "png") || suffix(path) == "amc")
        fail(path.string(),
             "cannot be written to standard output, because it is more than one stream: name "
             "a file");
}

}  // namespace

void check_output(const Run& run, const std::filesystem::path& path, const OutputFamilies& families) {
    if (path.empty()) return;
    check_not_input(run, path);
    if (is_standard_output(path)) check_stream(path, suffixes_of(families));
    std::error_code code;
    const std::string kind = suffix(path);
    const bool can_be_folder = std::ranges::count(families, output::folder) > 0;
    if (can_be_folder && !is_standard_output(path) &&
        (kind.empty() || families.size() == 1 || std::filesystem::is_directory(path, code)))
        return check_folder(path, existing_part(path));
    const std::string suffixes = suffixes_of(families);
    if (!is_of(suffixes, path))
        throw UsageError(path.string(),
                         fmt::format("{}: {} writes {}{}",
                                     kind.empty() ? "the name has no suffix to choose the format"
                                                  : fmt::format("cannot write .{} files", kind),
                                     run.report.verb, suffixes, can_be_folder ? " and folders" : ""));
    check_location(path);
}

void add_names_option(CLI::App& verb, std::optional<rig::JointNames>& names) {
    using rig::JointNames;
    static const std::map<std::string, JointNames> words = {{"sinew", JointNames::sinew},
                                                            {"mixamo", JointNames::mixamo},
                                                            {"vrm", JointNames::vrm},
                                                            {"unreal", JointNames::unreal}};
    verb.add_option("--names", names, "Joint names of another program, such as unreal's upperarm_l")
        ->transform(CLI::CheckedTransformer(words, CLI::ignore_case).description("sinew|mixamo|vrm|unreal"));
}

void use_names(const Run& run, const std::optional<rig::JointNames>& names, model::Character& character) {
    if (!names) return;
    if (!character.has_skeleton()) fail(character.name, "has no joints to name");
    const int named = rig::rename_joints(character.skeleton, *names);
    if (named == 0)
        fail(character.name, "none of its joints has a known role, so --names cannot rename them");
    run.say("named {} of {}", named, count_of(character.skeleton.size(), "joint"));
}

void add_instant_options(CLI::App& verb, Instant& instant) {
    verb.add_option("--clip", instant.clip, "Clip by name or number; the first by default")
        ->type_name("CLIP");
    CLI::Option* frame = verb.add_option("--frame", instant.frame, "Frame of the clip, from 0");
    verb.add_option("--time", instant.time, "Time in the clip, in seconds")->excludes(frame);
}

const model::Clip* clip_named(const model::Character& character, const std::string& name) {
    try {
        return model::find_clip(character, name);
    } catch (const Error& error) {
        fail("", "--clip {}: {}", name, error.reason());
    }
}

double seconds_of(const Instant& instant, const model::Clip* clip) {
    if (clip == nullptr) {
        if (instant.time || instant.frame.value_or(0) > 0) fail("", "there is no clip to take a frame from");
        return 0;
    }
    const model::TimeRange range = model::time_range(*clip);
    if (instant.time) {
        if (*instant.time < range.start - 1e-6 || *instant.time > range.end + 1e-6) {
            fail("", "--time {} is outside the clip \"{}\", which runs from {:.4g} to {:.4g} s",
                 *instant.time, clip->name, range.start, range.end);
        }
        return *instant.time;
    }
    const std::size_t frame = instant.frame.value_or(0), count = model::frame_count(*clip);
    if (frame >= count)
        fail("", "--frame {} is outside the clip \"{}\", which has {} frames", frame, clip->name, count);
    return model::frame_time(*clip, frame);
}

}  // namespace sinew::cli
