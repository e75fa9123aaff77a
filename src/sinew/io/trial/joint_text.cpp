// SPDX-License-Identifier: MIT
#include <cmath>
#include <iterator>
#include <limits>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/text/scan.h"
#include "sinew/io/text/units.h"
#include "sinew/io/trial/trial_formats.h"

namespace sinew::io {
namespace {

using math::Vec3f;

bool is_gap(char c) {
    return is_blank(c) || c == ',' || c == ';';
}

/// Exactly three numbers. \throws Error
Vec3f read_line(std::string_view text, const char* at, const char* line_end, std::string_view file) {
    const char* const start = at;
    Vec3f point;
    for (int axis = 0; axis < 3; ++axis) {
        while (at < line_end && is_gap(*at)) ++at;
        const char* const behind = at == line_end ? nullptr : scan_float(at, line_end, point[axis]);
        if (behind == nullptr || !(behind == line_end || is_gap(*behind))) {
            fail(location_at(text, static_cast<std::size_t>(start - text.data()), file),
                 "expected three numbers, found {}", found_at(at, line_end));
        }
        at = behind;
    }
    while (at < line_end && is_gap(*at)) ++at;
    if (at != line_end) {
        fail(location_at(text, static_cast<std::size_t>(start - text.data()), file),
             "expected three numbers, found {} after them", found_at(at, line_end));
    }
    return point;
}

std::vector<Vec3f> read_points(std::string_view text, std::string_view file) {
    std::vector<Vec3f> points;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at < end) {
        const char* const line_end = find_line_end(at, end);
        const char* const first = skip_blanks(at, line_end);
        if (first != line_end && *first != '#') points.push_back(read_line(text, first, line_end, file));
        at = line_end == end ? end : line_end + 1;
    }
    return points;
}

/// Counts between 3 and 200 that divide the number of lines.
std::string fitting_counts(std::size_t lines) {
    std::string counts;
    for (std::size_t n = 3; n <= 200 && n <= lines; ++n) {
        if (lines % n == 0) fmt::format_to(std::back_inserter(counts), "{}{}", counts.empty() ? "" : ", ", n);
    }
    return counts.empty() ? "no count from 3 to 200 fits" : counts + " would fit";
}

void fill(model::Trial& trial, const std::vector<Vec3f>& points, std::size_t joints, Monitor& monitor,
          std::string_view file) {
    trial.frames = points.size() / joints;
    if (points.size() % joints != 0) {
        warn(monitor, "joint-text-partial",
             "{}: the last {} lines are no whole frame of {} joints and are left out", file,
             points.size() % joints, joints);
    }
    for (std::size_t j = 1; j <= joints; ++j) {
        trial.markers.info.emplace_back();
        trial.markers.info.back().label = fmt::format("joint_{}", j);
    }
    const Vec3f nowhere = Vec3f::Constant(std::numeric_limits<float>::quiet_NaN());
    std::size_t infinite = 0;
    for (std::size_t i = 0; i < trial.frames * joints; ++i) {
        const bool good = points[i].allFinite();
        if (!good && !points[i].hasNaN()) ++infinite;
        trial.markers.positions.push_back(good ? points[i] : nowhere);
        trial.markers.residuals.push_back(good ? 0 : model::Points::missing);
    }
    if (infinite > 0) {
        warn(monitor, "joint-text-number",
             "{}: {} joints have numbers that are too large; they are missing there", file, infinite);
    }
}

}  // namespace

Asset read_joint_text(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options,
                      Monitor& monitor) {
    const std::string file = path.string();
    if (bytes.empty()) fail(file, "the file is empty");
    std::string utf8, lines;
    const std::string_view text = with_line_feeds(as_utf8(as_text(bytes), utf8), lines);
    const std::vector<Vec3f> points = read_points(text, file);
    if (points.empty()) fail(file, "there are no lines of three numbers");
    if (options.joints == 0) {
        fail(file,
             "raw joint text does not say how many joints a frame has, and the number was not given; of its "
             "{} lines, {}",
             points.size(), fitting_counts(points.size()));
    }
    if (options.joints > points.size()) {
        fail(file, "{} lines are less than one frame of {} joints", points.size(), options.joints);
    }
    if (options.rate < 0 || !std::isfinite(options.rate))
        fail(file, "{} frames per second is not a frame rate", options.rate);
    Asset asset;
    asset.trial.name = path.stem().string();
    asset.trial.rate = options.rate > 0 ? options.rate : 30;
    if (options.rate == 0) asset.guesses.push_back({"fps", "30", "raw joint text states no rate", 30});
    fill(asset.trial, points, options.joints, monitor, file);
    set_world_frame(asset.trial, {}, options, asset.guesses);
    return asset;
}

std::string write_joint_text(const Asset& asset, const std::filesystem::path& path, const WriteOptions&,
                             Monitor&) {
    const model::Trial& trial = asset.trial;
    if (trial.markers.empty() || trial.frames == 0) fail(path.string(), "raw joint text needs markers");
    std::string text;
    for (std::size_t i = 0; i < trial.markers.positions.size(); ++i) {
        const Vec3f& p = trial.markers.positions[i];
        if (trial.markers.residuals[i] < 0) {
            text += "nan nan nan\n";
        } else {
            fmt::format_to(std::back_inserter(text), "{} {} {}\n", p.x(), p.y(), p.z());
        }
    }
    return text;
}

}  // namespace sinew::io
