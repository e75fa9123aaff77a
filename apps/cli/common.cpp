#include "common.h"

#include "picture.h"

#include "sinew/base/error.h"

namespace sinew::cli {

io::Asset load(Run& run, const std::filesystem::path& path, const io::ReadOptions& options) {
    run.report.inputs.push_back(path.string());
    const StageTimer timer(run.report, "read");
    io::Asset asset = io::read(path, options, run.monitor);
    if (asset.character.name.empty()) asset.character.name = path.stem().string();
    return asset;
}

namespace {

/// A film plays; in a picture of what does not, the skeleton is seen through the skin.
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
    const StageTimer timer(run.report, "write");
    io::write(path, asset, options, run.monitor);
    run.report.output = path.string();
}

void add_instant_options(CLI::App& verb, Instant& instant) {
    verb.add_option("--clip", instant.clip, "Clip by name or number; the first by default")
        ->type_name("CLIP");
    CLI::Option* frame = verb.add_option("--frame", instant.frame, "Frame of the clip, from 0");
    verb.add_option("--time", instant.time, "Time on the clip in seconds")->excludes(frame);
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
