#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "sinew/base/error.h"
#include "sinew/io/text/scan.h"
#include "sinew/io/trial/trial_formats.h"
#include "sinew/io/trc_header.h"
#include "sinew/io/trc_rows.h"
#include "sinew/io/text/units.h"

namespace sinew::io {
namespace {

using namespace trc;

/// Everything that the steps of reading one file share.
struct Source {
    TextCursor cursor;
    bvh::Tally tally;
    Header header;
    Rows rows;

    template <class... Args>
    void note(std::string_view code, std::size_t row, fmt::format_string<Args...> text, Args&&... args) {
        if (row < rows.rows.size()) cursor.seek(rows.rows[row].cells);
        tally.note(code, cursor, text, std::forward<Args>(args)...);
    }
};

/// As many markers as labels; more when NumMarkers says so and the rows have them.
void settle_markers(std::string_view text, Source& source) {
    Header& header = source.header;
    const std::size_t labels = header.labels.size();
    const double claimed = header.markers.value_or(static_cast<double>(labels));
    if (claimed == static_cast<double>(labels)) return;
    source.cursor.seek(header.rows);
    source.tally.note("trc-marker-count", source.cursor, "NumMarkers says {}, but there are {} labels",
                      claimed, labels);
    const std::string_view line = text.substr(header.rows, text.find('\n', header.rows) - header.rows);
    const std::size_t cells = cells_of(line, separator_of(line)).size();
    if (!(claimed > static_cast<double>(labels)) || static_cast<double>(cells) < 2 + 3 * claimed) return;
    while (static_cast<double>(header.labels.size()) < claimed)
        header.labels.push_back(fmt::format("marker_{}", header.labels.size() + 1));
}

/// "Subject:LASI" has a subject; equal labels get a number.
std::vector<model::PointInfo> marker_info(Source& source) {
    std::vector<model::PointInfo> result;
    std::set<std::string> taken;
    for (const std::string& label : source.header.labels) {
        model::PointInfo info;
        const std::size_t colon = label.find(':');
        const bool named = colon != std::string::npos && colon > 0 && colon + 1 < label.size();
        info.subject = named ? label.substr(0, colon) : "";
        const std::string base = named ? label.substr(colon + 1) : label;
        info.label = base;
        for (int n = 2; !taken.insert(info.label).second; ++n) info.label = fmt::format("{}_{}", base, n);
        if (info.label != base) {
            source.note("trc-double-label", 0, "the label \"{}\" is given twice; {} stands in",
                        base.substr(0, 40), info.label.substr(0, 40));
        }
        result.push_back(std::move(info));
    }
    return result;
}

/// Rows a second from the median step of their times; the steps near it are averaged, because times are
/// rounded. 0 when there are no steps.
double measured_rate(const std::vector<Row>& rows) {
    std::vector<double> steps;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const double step = rows[i].time - rows[i - 1].time;
        if (step > 0 && std::isfinite(step)) steps.push_back(step);
    }
    if (steps.empty()) return 0;
    const auto middle = steps.begin() + (std::ssize(steps) - 1) / 2;
    std::nth_element(steps.begin(), middle, steps.end());
    const double median = *middle;
    double sum = 0, count = 0;
    for (const double step : steps) {
        if (std::abs(step - median) > 0.3 * median) continue;
        sum += step;
        ++count;
    }
    const double rate = count / sum;
    return std::abs(rate - std::round(rate)) < 0.002 * rate ? std::round(rate) : rate;
}

double find_rate(const ReadOptions& options, Source& source, std::vector<Guess>& guesses) {
    const double measured = measured_rate(source.rows.rows);
    if (source.header.rate > 0) {
        if (measured > 0 && std::abs(measured / source.header.rate - 1) > 0.05) {
            source.note("trc-rate", 0, "DataRate is {}, but the times say {:.6g}", source.header.rate,
                        measured);
        }
        return source.header.rate;
    }
    source.note("trc-no-rate", 0, "DataRate is not given");
    if (options.rate > 0) return options.rate;
    constexpr double usual = 100;
    const bool timed = measured > 0 && std::isfinite(measured);
    guesses.push_back({"fps", fmt::format("{:.6g}", timed ? measured : usual),
                       timed ? "from the median step of the times" : "there are no times to tell it",
                       timed ? measured : usual});
    return timed ? measured : usual;
}

/// The frame of every row: rows that the times show to be missing leave a hole.
std::vector<std::size_t> frames_of_rows(double rate, Source& source) {
    const std::vector<Row>& rows = source.rows.rows;
    std::vector<std::size_t> frames(rows.size());
    const double most = 2 * static_cast<double>(rows.size()) + 100;
    bool holes = false;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const double steps = (rows[i].time - rows[i - 1].time) * rate;
        const double whole = std::round(steps);
        std::size_t next = 1;
        if (steps <= 0) {
            source.note("trc-time-order", i, "the time does not rise; the order of the rows counts");
        } else if (whole >= 2 && std::abs(steps - whole) < 0.3) {
            if (static_cast<double>(frames[i - 1]) + whole < most) next = static_cast<std::size_t>(whole);
            source.note("trc-time-gap", i, "{} frames are missing; {}", whole - 1,
                        next > 1 ? "they have no markers" : "that is too many, so the gap is closed");
            holes = true;
        }
        frames[i] = frames[i - 1] + next;
    }
    if (source.rows.jump && !holes) {
        source.note("trc-frame-number", *source.rows.jump,
                    "frame numbers do not follow each other, times do");
    }
    return frames;
}

model::Trial read_trial(std::string_view text, const ReadOptions& options, Source& source,
                        std::vector<Guess>& guesses) {
    model::Trial trial;
    trial.markers.info = marker_info(source);
    trial.first_frame = source.rows.first_frame;
    trial.rate = find_rate(options, source, guesses);
    const std::size_t rows = source.rows.rows.size();
    if (!source.header.frames || *source.header.frames != static_cast<double>(rows)) {
        source.note("trc-frame-count", rows - 1, "NumFrames says {}, but there are {} rows",
                    source.header.frames ? fmt::format("{}", *source.header.frames) : "nothing", rows);
    }
    const std::vector<std::size_t> frames = frames_of_rows(trial.rate, source);
    trial.frames = frames.back() + 1;
    const std::size_t samples = trial.frames * trial.markers.count();
    // A row with its blanks takes 3 bytes a marker.
    if (samples > text.size() + 100'000) {
        fail(source.cursor.place(), "{} frames of {} markers, but cells for few of them", trial.frames,
             trial.markers.count());
    }
    trial.markers.positions.assign(samples, math::Vec3f::Constant(std::numeric_limits<float>::quiet_NaN()));
    trial.markers.residuals.assign(samples, model::Points::missing);
    read_cells(source.rows, frames, source.cursor, source.tally, trial.markers);
    return trial;
}

}  // namespace

Asset read_trc(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    const std::string file = path.string();
    if (bytes.empty()) fail(file, "the file is empty");
    std::string utf8, lines, tabs;
    std::string_view text = with_line_feeds(as_utf8(as_text(bytes), utf8), lines);
    Source source{TextCursor(text, file), {}, {}, {}};
    source.header = read_header(text, file, source.tally);
    settle_markers(text, source);
    source.cursor.seek(source.header.rows);
    text =
        with_tabs(text, source.header.rows, source.header.labels.size(), source.cursor, tabs, source.tally);
    source.cursor = TextCursor(text, file);
    source.rows = find_rows(text, source.header.rows, source.cursor, source.tally);
    source.cursor.seek(text.size());
    if (source.rows.rows.empty()) fail(source.cursor.place(), "there are no rows of markers");
    Asset asset;
    asset.trial = read_trial(text, options, source, asset.guesses);
    asset.trial.name = path.stem().string();
    if (!metres_of(source.header.unit) && options.units.empty()) {
        source.note("trc-units", 0, "the unit \"{}\" is not known", source.header.unit.substr(0, 40));
    }
    place_in_world(asset.trial, {.unit = source.header.unit}, options, asset.guesses);
    source.tally.report(monitor);
    return asset;
}

}  // namespace sinew::io
