#include "fit_input.h"

#include <algorithm>

#include "sinew/base/error.h"

namespace sinew::cli {
namespace {

bool is_cache(const std::filesystem::path& path) {
    const std::string kind = suffix(path);
    return kind == "pc2" || kind == "mdd";
}

/// "walk" for walk.pc2 and for the folder walk/.
std::string name_of(const std::filesystem::path& path) {
    return (path.has_filename() ? path : path.parent_path()).stem().string();
}

/// The point cache within a folder that is a sequence by it; other paths as they are.
std::filesystem::path resolved(const std::filesystem::path& path) {
    std::error_code code;
    if (!std::filesystem::is_directory(path, code) || std::filesystem::is_directory(path / "frames", code))
        return path;
    for (const char* name : {"animation.pc2", "animation.mdd"})
        if (std::filesystem::exists(path / name, code)) return path / name;
    return path;
}

model::MeshSequence read_sequence(Run& run, const std::filesystem::path& given,
                                  const io::ReadOptions& options) {
    const std::filesystem::path path = resolved(given);
    // Frame by frame, so that the file and its frames are not in memory together; units go the usual way.
    if (is_cache(path) && options.units.empty() && options.up.empty() && !options.strict) {
        const StageTimer timer(run.report, "read");
        run.report.inputs.push_back(given.string());
        const io::CacheStream cache(path, options, run.monitor);
        model::MeshSequence sequence;
        sequence.rest = cache.rest();
        sequence.rate = cache.rate();
        for (std::size_t f = 0; f < cache.size(); ++f) {
            step(run.monitor, "reading", static_cast<double>(f) / static_cast<double>(cache.size()));
            sequence.frames.push_back(cache.frame(f));
        }
        return sequence;
    }
    io::Asset asset = load(run, given, options);
    if (asset.sequence.empty())
        fail(given.string(), "holds no mesh sequence: a folder of frames, a point cache or animated morphs");
    return std::move(asset.sequence);
}

}  // namespace

FitInput::FitInput(Run& run, const std::vector<std::filesystem::path>& paths, const io::ReadOptions& options,
                   bool streamed) {
    const auto in_parts = [](const std::filesystem::path& path) { return is_cache(resolved(path)); };
    if (streamed && std::all_of(paths.begin(), paths.end(), in_parts)) {
        open(run, paths, options);
    } else {
        read(run, paths, options);
    }
    if (paths.size() == 1) clips_.clear();
}

void FitInput::open(Run& run, const std::vector<std::filesystem::path>& paths,
                    const io::ReadOptions& options) {
    std::vector<fit::NamedSource> motions;
    for (const std::filesystem::path& path : paths) {
        run.report.inputs.push_back(path.string());
        caches_.push_back(std::make_unique<io::CacheStream>(resolved(path), options, run.monitor));
        const io::CacheStream& cache = *caches_.back();
        motions.push_back({name_of(path),
                           {cache.rest(), cache.rate(), cache.size(),
                            [&cache](std::size_t frame) { return cache.frame(frame); }}});
    }
    fit::JoinedSource joined = fit::joined(std::move(motions));
    source_ = std::move(joined.source);
    clips_ = std::move(joined.clips);
}

void FitInput::read(Run& run, const std::vector<std::filesystem::path>& paths,
                    const io::ReadOptions& options) {
    std::vector<std::pair<std::string, model::MeshSequence>> motions;
    for (const std::filesystem::path& path : paths)
        motions.emplace_back(name_of(path), read_sequence(run, path, options));
    fit::JoinedSequence joined = fit::joined(std::move(motions));
    sequence_ = std::move(joined.sequence);
    clips_ = std::move(joined.clips);
    source_ = fit::source_of(sequence_);
}

}  // namespace sinew::cli
