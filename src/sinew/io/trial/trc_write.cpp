// SPDX-License-Identifier: MIT

#include <iterator>

#include "sinew/base/error.h"
#include "sinew/io/trial/trial_formats.h"

namespace sinew::io {
namespace {

/// A label without the characters that separate cells.
std::string safe_label(const model::PointInfo& info, Monitor& monitor) {
    const std::string label = info.subject.empty() ? info.label : info.subject + ":" + info.label;
    std::string safe = label;
    for (char& c : safe) {
        if (static_cast<unsigned char>(c) < ' ') c = '_';
    }
    if (safe.empty()) safe = "marker";
    if (safe != label) warn(monitor, "trc-label", "\"{}\" is written as \"{}\"", label, safe);
    return safe;
}

void put_header(std::string& text, const model::Trial& trial, const std::filesystem::path& path,
                Monitor& monitor) {
    const model::Points& markers = trial.markers;
    fmt::format_to(std::back_inserter(text), "PathFileType\t4\t(X/Y/Z)\t{}\n", path.filename().string());
    text +=
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames"
        "\n";
    fmt::format_to(std::back_inserter(text), "{0}\t{0}\t{1}\t{2}\t{3}\t{0}\t{4}\t{1}\nFrame#\tTime",
                   trial.rate, trial.frames, markers.count(), trial.unit, trial.first_frame);
    for (const model::PointInfo& info : markers.info) text += "\t" + safe_label(info, monitor) + "\t\t";
    text += "\n\t";
    for (std::size_t m = 1; m <= markers.count(); ++m)
        fmt::format_to(std::back_inserter(text), "\tX{0}\tY{0}\tZ{0}", m);
    text += "\n\n";
}

void put_row(std::string& text, const model::Trial& trial, std::size_t frame) {
    const auto number = trial.first_frame + static_cast<std::int64_t>(frame);
    fmt::format_to(std::back_inserter(text), "{}\t{:.6f}", number,
                   static_cast<double>(number - 1) / trial.rate);
    for (std::size_t m = 0; m < trial.markers.count(); ++m) {
        if (!trial.markers.valid(frame, m)) {
            text += "\t\t\t";
            continue;
        }
        const math::Vec3f& p = trial.markers.at(frame, m);
        fmt::format_to(std::back_inserter(text), "\t{}\t{}\t{}", p.x(), p.y(), p.z());
    }
    text += '\n';
}

}  // namespace

std::string write_trc(const Asset& asset, const std::filesystem::path& path, const WriteOptions&,
                      Monitor& monitor) {
    const model::Trial& trial = asset.trial;
    if (trial.markers.empty() || trial.frames == 0) fail(path.string(), "a TRC file needs markers");
    if (!(trial.rate > 0)) fail(path.string(), "{} frames per second is not a frame rate", trial.rate);
    const bool more = !trial.outputs.empty() || !trial.analog.empty() || !trial.events.empty() ||
                      !trial.platforms.empty() || !trial.rotations.empty();
    if (more) {
        warn(monitor, "trc-markers-only",
             "{} model outputs, {} analog channels, {} events and {} force platforms are left out",
             trial.outputs.count(), trial.analog.count(), trial.events.size(), trial.platforms.size());
    }
    std::string text;
    put_header(text, trial, path, monitor);
    for (std::size_t f = 0; f < trial.frames; ++f) {
        if (f % 256 == 0)
            step(monitor, "write markers", static_cast<double>(f) / static_cast<double>(trial.frames));
        put_row(text, trial, f);
    }
    return text;
}

}  // namespace sinew::io
