#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/acclaim/acclaim.h"
#include "sinew/io/acclaim/amc_motion.h"
#include "sinew/io/text/scan.h"

namespace sinew::io {
namespace {

constexpr double usual_rate = 120;

bool is_asf(const std::filesystem::path& path) {
    return suffix(path) == "asf";
}

/// All skeletons of a folder, in the order of their names.
std::vector<std::filesystem::path> skeletons_in(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> found;
    std::error_code code;
    const auto start = folder.empty() ? std::filesystem::path(".") : folder;
    for (std::filesystem::directory_iterator at(start, code), end; !code && at != end; at.increment(code)) {
        if (is_asf(at->path())) found.push_back(folder / at->path().filename());
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::filesystem::path find_skeleton(const std::filesystem::path& path, const ReadOptions& options) {
    if (!options.skeleton.empty()) return options.skeleton;
    const std::vector<std::filesystem::path> found = skeletons_in(path.parent_path());
    const std::string stem = path.stem().string();
    for (const std::string& wanted : {stem, stem.substr(0, stem.find('_'))}) {
        for (const std::filesystem::path& each : found) {
            if (each.stem() == wanted) return each;
        }
    }
    if (found.size() == 1) return found[0];
    fail(path.string(),
         "an AMC motion needs its ASF skeleton, and {} beside it: name it with --skeleton-file FILE.asf, or "
         "put "
         "{}.asf there",
         found.empty() ? "there is none" : fmt::format("none of {} fits", found.size()), stem);
}

}  // namespace

Asset read_amc(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    const std::string file = path.string();
    if (bytes.empty()) fail(file, "the file is empty");
    if (options.rate < 0 || !std::isfinite(options.rate))
        fail(file, "{} frames a second is no rate", options.rate);
    const std::filesystem::path skeleton = find_skeleton(path, options);
    std::string utf8, lines;
    bvh::Tally tally;
    const FileView view(skeleton);
    asf::Figure figure = asf::read_figure(as_utf8(view.text(), utf8), skeleton.string(), tally);
    const std::string_view text = with_line_feeds(as_utf8(as_text(bytes), utf8), lines);
    const double rate = options.rate > 0 ? options.rate : usual_rate;
    Asset asset;
    model::Clip clip;
    clip.tracks = amc::read_motion(text, file, figure, rate, tally, monitor);
    tally.report(monitor);
    if (clip.tracks.empty()) warn(monitor, "amc-no-frames", "{}: no motion: only the skeleton is read", file);
    asset.character.name = clip.name = path.stem().string();
    if (options.units.empty()) asset.guesses.push_back(asf::unit_guess(figure));
    if (options.rate == 0) {
        asset.guesses.push_back(
            {"fps", fmt::format("{}", usual_rate), "AMC files state no rate; most are at 120", usual_rate});
    }
    asset.character.skeleton = std::move(figure.skeleton);
    if (!clip.tracks.empty()) asset.character.clips.push_back(std::move(clip));
    return asset;
}

}  // namespace sinew::io
