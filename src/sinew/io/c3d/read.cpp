// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "sinew/base/parallel.h"
#include "sinew/io/c3d/c3d.h"
#include "sinew/io/c3d/data.h"
#include "sinew/io/c3d/numbers.h"
#include "sinew/io/c3d/parameters.h"
#include "sinew/io/io.h"
#include "sinew/io/text/units.h"

namespace sinew::io::c3d {
namespace {

using math::nan;
using math::Vec3f;
using model::PointInfo;
using model::PointKind;
using model::Points;

/// Target of the points of a frame: one run of points of the file into one set.
struct Run {
    std::size_t from = 0;  ///< point in the frame
    std::size_t count = 0;
    Points* set = nullptr;
    std::size_t to = 0;  ///< point in the set
};

/// Files keep markers together and outputs together, so there are few runs.
std::vector<Run> assign(std::vector<PointInfo> infos, model::Trial& trial) {
    std::vector<Run> runs;
    for (std::size_t i = 0; i < infos.size(); ++i) {
        Points& set = infos[i].kind == PointKind::marker ? trial.markers : trial.outputs;
        if (runs.empty() || runs.back().set != &set) runs.push_back({i, 0, &set, set.count()});
        ++runs.back().count;
        set.info.push_back(std::move(infos[i]));
    }
    return runs;
}

/// Allocates `frames` frames in total.
void grow(model::Trial& trial, std::size_t frames) {
    for (Points* points : {&trial.markers, &trial.outputs}) {
        const std::size_t samples = points->count() * frames;
        points->positions.resize(samples);
        points->residuals.resize(samples);
        points->cameras.resize(samples);
    }
    trial.analog.values.resize(frames * trial.analog.count() * trial.analog.samples_per_frame);
}

void reserve(model::Trial& trial, std::size_t frames) {
    for (Points* points : {&trial.markers, &trial.outputs}) {
        const std::size_t samples = points->count() * frames;
        points->positions.reserve(samples);
        points->residuals.reserve(samples);
        points->cameras.reserve(samples);
    }
    trial.analog.values.reserve(frames * trial.analog.count() * trial.analog.samples_per_frame);
}

/// Observations during decoding.
struct Findings {
    std::vector<std::atomic<std::uint32_t>> zeros;  ///< by marker: samples at 0 0 0 with residual 0
    std::atomic<std::size_t> odd_residuals = 0;
};

/// x y z and the fourth number of a point. That number holds residual and cameras in one word, low and high
/// byte; below 0 the sample is missing. 65535 in a real file is -1 from a program that treated it as
/// unsigned. Without branches, because missing samples are in random order.
inline bool split(const float* raw, float factor, float scale, Vec3f& position, float& residual,
                  std::uint8_t& cameras) {
    const float x = raw[0] * factor, y = raw[1] * factor, z = raw[2] * factor, w = raw[3];
    const bool valid = (w >= 0) & (w < 32768) & (x * 0 + y * 0 + z * 0 == 0);
    const int word = static_cast<int>(valid ? w : 0.0f);
    position[0] = valid ? x : nan;
    position[1] = valid ? y : nan;
    position[2] = valid ? z : nan;
    residual = valid ? static_cast<float>(word & 255) * scale : Points::missing;
    cameras = static_cast<std::uint8_t>(word >> 8);
    return w >= 32768;
}

class FrameReader {
  public:
    FrameReader(const Source& source, const Layout& layout, bool unsigned_analog,
                const std::vector<Run>& runs, model::Trial& trial, Findings& findings)
        : source_(source), layout_(layout), runs_(runs), trial_(trial), findings_(findings) {
        point_storage_ = layout.reals ? Storage::reals : Storage::signed_words;
        analog_storage_ = layout.reals      ? Storage::reals
                          : unsigned_analog ? Storage::unsigned_words
                                            : Storage::signed_words;
        // One value for each number of a frame, so that the loop over them has no inner loop.
        for (std::size_t s = 0; s < layout.samples; ++s) {
            for (const model::AnalogChannel& channel : trial.analog.channels) {
                offsets_.push_back(channel.offset);
                scales_.push_back(channel.scale);
            }
        }
    }

    void read(std::size_t begin, std::size_t end) const {
        std::vector<float> row(std::max(4 * layout_.points, layout_.channels * layout_.samples));
        std::vector<std::uint32_t> zeros(trial_.markers.count());
        std::size_t odd = 0;
        for (std::size_t frame = begin; frame < end; ++frame) {
            const std::byte* const at = source_.at(layout_.start + frame * layout_.frame_bytes());
            decode_run(source_.processor, point_storage_, at, 4 * layout_.points, row.data());
            for (const Run& run : runs_) odd += take_points(run, frame, row.data(), zeros);
            decode_run(source_.processor, analog_storage_, at + 4 * layout_.points * size_of(point_storage_),
                       layout_.channels * layout_.samples, row.data());
            take_analog(frame, row.data());
        }
        for (std::size_t i = 0; i < zeros.size(); ++i) {
            if (zeros[i] > 0) findings_.zeros[i].fetch_add(zeros[i], std::memory_order_relaxed);
        }
        findings_.odd_residuals += odd;
    }

  private:
    std::size_t take_points(const Run& run, std::size_t frame, const float* row,
                            std::vector<std::uint32_t>& zeros) const {
        Points& set = *run.set;
        const std::size_t first = frame * set.count() + run.to;
        const float* raw = row + 4 * run.from;
        const float factor = layout_.reals ? 1.0f : layout_.scale;
        std::size_t odd = 0;
        for (std::size_t i = 0; i < run.count; ++i, raw += 4) {
            odd += split(raw, factor, layout_.scale, set.positions[first + i], set.residuals[first + i],
                         set.cameras[first + i]);
        }
        if (&set != &trial_.markers) return odd;
        raw = row + 4 * run.from;
        for (std::size_t i = 0; i < run.count; ++i, raw += 4) {
            zeros[run.to + i] += (raw[0] == 0) & (raw[1] == 0) & (raw[2] == 0) & (raw[3] == 0);
        }
        return odd;
    }

    void take_analog(std::size_t frame, const float* row) const {
        const std::size_t count = offsets_.size();
        float* const out = trial_.analog.values.data() + frame * count;
        const auto convert = [&](std::size_t i) {
            out[i] = static_cast<float>((static_cast<double>(row[i]) - offsets_[i]) * scales_[i]);
        };
        constexpr std::size_t block = 8;  // vectorised by the compiler
        std::size_t i = 0;
        for (; i + block <= count; i += block) {
            for (std::size_t j = 0; j < block; ++j) convert(i + j);
        }
        for (; i < count; ++i) convert(i);
    }

    const Source& source_;
    const Layout& layout_;
    const std::vector<Run>& runs_;
    model::Trial& trial_;
    Findings& findings_;
    Storage point_storage_;
    Storage analog_storage_;
    std::vector<double> offsets_, scales_;
};

/// A marker at the origin of the laboratory in some frames and elsewhere in others was not visible in the
/// former; one that is always at the origin is not changed.
void drop_zeros(Points& markers, const Findings& findings, Tally& tally, std::size_t slot) {
    const std::size_t frames = markers.frames();
    for (std::size_t m = 0; m < markers.count(); ++m) {
        if (findings.zeros[m] == 0 || findings.zeros[m] == frames) continue;
        const auto is_zero = [&](std::size_t i) {
            return markers.residuals[i] == 0 && markers.positions[i].isZero(0);
        };
        bool elsewhere = false;
        for (std::size_t i = m; i < markers.positions.size() && !elsewhere; i += markers.count()) {
            elsewhere = markers.residuals[i] >= 0 && !is_zero(i);
        }
        if (!elsewhere) continue;
        tally.note("c3d-zero-point", slot, "\"{}\" is at 0 0 0 in {} frames: it is taken as missing there",
                   markers.info[m].label, findings.zeros[m].load());
        for (std::size_t i = m; i < markers.positions.size(); i += markers.count()) {
            if (!is_zero(i)) continue;
            markers.positions[i].setConstant(nan);
            markers.residuals[i] = Points::missing;
        }
    }
}

}  // namespace

void read_data(const Source& source, const Layout& layout, std::vector<PointInfo> infos, bool unsigned_analog,
               model::Trial& trial, Tally& tally, Monitor& monitor) {
    trial.frames = layout.frames;
    const std::vector<Run> runs = assign(std::move(infos), trial);
    trial.analog.samples_per_frame = layout.samples;
    if (layout.frame_bytes() == 0) return;
    reserve(trial, layout.frames);
    Findings findings;
    findings.zeros = std::vector<std::atomic<std::uint32_t>>(trial.markers.count());
    const FrameReader reader(source, layout, unsigned_analog, runs, trial, findings);
    // Slab by slab, because a vector clears its new elements; they are then still in the cache when they are
    // filled.
    const std::size_t slab = std::max<std::size_t>(1, (std::size_t{1} << 20) / layout.frame_bytes());
    const std::size_t grain = std::max<std::size_t>(1, slab / 8);
    for (std::size_t first = 0; first < layout.frames; first += slab) {
        const std::size_t count = std::min(slab, layout.frames - first);
        step(monitor, "reading", static_cast<double>(first) / static_cast<double>(layout.frames));
        grow(trial, first + count);
        parallel_blocks(count, grain,
                        [&](std::size_t begin, std::size_t end) { reader.read(first + begin, first + end); });
    }
    const std::size_t slot = source.skipped + layout.start;
    if (findings.odd_residuals > 0) {
        tally.note("c3d-residual", slot, "{} samples have a residual of 32768 or more: they are missing",
                   findings.odd_residuals.load());
    }
    drop_zeros(trial.markers, findings, tally, slot);
}

void read_rotations(const Source& source, const Parameters& parameters, const Layout& layout,
                    model::Trial& trial, Tally& tally) {
    const std::size_t used = count_of(parameters, "ROTATION", "USED").value_or(0);
    if (used == 0) return;
    const std::optional<std::size_t> start = rotation_start(source, parameters);
    if (!start) {
        tally.note("c3d-rotation", source.skipped, "ROTATION:DATA_START lies outside the file");
        return;
    }
    model::SegmentRotations& rotations = trial.rotations;
    const double rate = number_of(parameters, "ROTATION", "RATE").value_or(0);
    std::size_t ratio = count_of(parameters, "ROTATION", "RATIO").value_or(0);
    if (ratio == 0 && layout.rate > 0 && rate > 0 && rate / layout.rate < 65536) {
        ratio = static_cast<std::size_t>(std::lround(rate / layout.rate));
    }
    rotations.samples_per_frame = std::max<std::size_t>(ratio, 1);
    const std::size_t frame_bytes = used * rotations.samples_per_frame * rotation_values * 4;
    const std::size_t capacity = (source.size() - *start) / frame_bytes;
    if (layout.frame_bytes() == 0 && trial.frames == 0) trial.frames = capacity;
    if (capacity < trial.frames) {
        tally.note("c3d-truncated", source.skipped + source.size(),
                   "the segment rotations end after {} of {} frames", capacity, trial.frames);
        if (layout.frame_bytes() == 0) trial.frames = capacity;
    }
    const std::size_t count = std::min(capacity, trial.frames) * rotations.samples_per_frame * used;
    if (count == 0) return;
    rotations.labels = rotation_labels(parameters);
    rotations.matrices.resize(count);
    rotations.reliability.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        float values[rotation_values];
        decode_run(source.processor, Storage::reals, source.at(*start + i * rotation_values * 4),
                   rotation_values, values);
        rotations.matrices[i] = Eigen::Map<const math::Mat4f>(values);
        const bool sound = rotations.matrices[i].allFinite() && values[16] >= 0;
        rotations.reliability[i] = sound ? values[16] : Points::missing;
    }
}

namespace {

using model::Event;

/// Seconds from frame 1 of the capture. EVENT:TIMES holds minutes and seconds; a plain list holds seconds.
std::vector<double> event_times(const Parameters& parameters) {
    const std::vector<double> numbers = numbers_of(parameters, "EVENT", "TIMES");
    const model::Parameter* const first = parameters.find("EVENT", "TIMES");
    if (first == nullptr || first->dimensions.empty() || first->dimensions[0] != 2) return numbers;
    // One event may be stored as an array of two.
    std::vector<double> times(numbers.size() / 2);
    for (std::size_t i = 0; i < times.size(); ++i) times[i] = 60 * numbers[2 * i] + numbers[2 * i + 1];
    return times;
}

/// From the clock of the capture to that of the trial.
double trial_time(double time, const Clock& clock, Tally& tally) {
    if (clock.rate <= 0) return time;
    const double frame = std::round(time * clock.rate);
    const double shifted = frame - static_cast<double>(clock.first_frame - 1);
    const auto inside = [&](double f) { return f >= 0 && f < static_cast<double>(clock.frames); };
    if (inside(shifted)) return time - clock.start();
    if (inside(frame)) {
        tally.note("c3d-event-time", 0, "the event at {} s is counted from the first frame of the trial",
                   time);
        return time;
    }
    tally.note("c3d-event-outside", 0, "the event at {} s is outside the trial", time);
    return time - clock.start();
}

}  // namespace

std::vector<Event> group_events(const Parameters& parameters, const Clock& clock, Tally& tally) {
    const std::vector<double> times = event_times(parameters);
    const std::vector<std::string> labels = texts_of(parameters, "EVENT", "LABELS");
    const std::vector<std::string> contexts = texts_of(parameters, "EVENT", "CONTEXTS");
    const std::vector<std::string> subjects = texts_of(parameters, "EVENT", "SUBJECTS");
    const std::vector<std::string> descriptions = texts_of(parameters, "EVENT", "DESCRIPTIONS");
    const std::size_t used = count_of(parameters, "EVENT", "USED").value_or(times.size());
    if (used != times.size()) {
        tally.note("c3d-event-count", 0, "EVENT:USED is {}, but there are {} times", used, times.size());
    }
    const auto text = [](const std::vector<std::string>& list, std::size_t i) {
        return i < list.size() ? list[i] : std::string();
    };
    std::vector<Event> events;
    for (std::size_t i = 0; i < std::min(used, times.size()); ++i) {
        if (!std::isfinite(times[i])) {
            tally.note("c3d-event-time", 0, "the time of event {} is not a number: it is left out", i + 1);
            continue;
        }
        events.push_back({text(labels, i), text(contexts, i), trial_time(times[i], clock, tally),
                          text(subjects, i), text(descriptions, i), false});
    }
    return events;
}

std::vector<Event> merge_events(std::vector<Event> group, const std::vector<HeaderEvent>& header,
                                const Clock& clock) {
    const std::size_t of_group = group.size();
    for (const HeaderEvent& event : header) {
        const bool known =
            std::any_of(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(of_group),
                        [&](const Event& e) { return std::abs(e.time - event.time) <= clock.half_frame(); });
        if (!known) group.push_back({event.label, "", event.time, "", "", event.hidden});
    }
    std::stable_sort(group.begin(), group.end(),
                     [](const Event& a, const Event& b) { return a.time < b.time; });
    return group;
}

namespace {

// Units and axes of a C3D trial: from the file, or from the data where the file states none.

/// Sets Trial::unit and Trial::to_world. Guesses are added to `guesses`.
/// \throws Error when ReadOptions::units or up are not known.
void set_world_frame(model::Trial& trial, const ReadOptions& options, std::vector<Guess>& guesses,
                     Tally& tally) {
    StatedWorld stated;
    stated.unit = text_of(trial.parameters, "POINT", "UNITS");
    stated.right = axis_named(text_of(trial.parameters, "POINT", "X_SCREEN"));
    stated.up = axis_named(text_of(trial.parameters, "POINT", "Y_SCREEN"));
    stated.usual_up = "z";
    stated.usual_reason = "laboratories measure so";
    if (!stated.unit.empty() && !metres_of(stated.unit) && options.units.empty()) {
        tally.note("c3d-units", 0, "POINT:UNITS is \"{}\", which is not a known length", stated.unit);
    }
    io::set_world_frame(trial, stated, options, guesses);
}

/// A rate that the file does not state.
double find_rate(double stated, const ReadOptions& options, std::vector<Guess>& guesses, Tally& tally) {
    if (stated > 0) return stated;
    tally.note("c3d-rate", field::rate, "the file does not state its frame rate");
    if (options.rate > 0) return options.rate;
    guesses.push_back({"fps", "100", "the usual rate of laboratories", 100});
    return 100;
}

}  // namespace
}  // namespace sinew::io::c3d

namespace sinew::io {

Asset read_c3d(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    using namespace c3d;
    Tally tally(path.string());
    const Source source = find_header(bytes, tally);
    const Header header = read_header(source, tally);
    ParameterSection section = read_parameters(source, header, tally);
    c3d::Layout layout = find_layout(source, header, section, tally);

    Asset asset;
    model::Trial& trial = asset.trial;
    trial.parameters = std::move(section.parameters);
    const Parameters& parameters = trial.parameters;
    trial.name = path.stem().string();
    trial.rate = layout.rate = find_rate(layout.rate, options, asset.guesses, tally);
    trial.first_frame = static_cast<std::int64_t>(layout.first_frame);
    if (layout.frames == 0) {
        // Without frames the counts cannot be verified: the number of labels is used.
        layout.points = std::min(layout.points, texts_of(parameters, "POINT", "LABELS").size());
        layout.channels = std::min(layout.channels, texts_of(parameters, "ANALOG", "LABELS").size());
    }
    Channels channels = analog_channels(parameters, layout.channels, tally);
    trial.analog.channels = std::move(channels.list);
    read_data(source, layout, point_infos(parameters, layout.points, tally), channels.is_unsigned, trial,
              tally, monitor);
    read_rotations(source, parameters, layout, trial, tally);
    trial.platforms = force_platforms(parameters, trial.analog.count(), tally);
    const Clock clock{trial.rate, layout.first_frame, trial.frames};
    trial.events = merge_events(group_events(parameters, clock, tally), header.events, clock);
    set_world_frame(trial, options, asset.guesses, tally);
    tally.report(monitor);
    return asset;
}

}  // namespace sinew::io
