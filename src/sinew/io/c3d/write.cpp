// SPDX-License-Identifier: MIT

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/io/c3d/c3d.h"
#include "sinew/io/c3d/data.h"
#include "sinew/io/c3d/describe.h"

namespace sinew::io::c3d {
namespace {

using model::Parameter;
using model::ParameterGroup;

class SectionWriter {
  public:
    SectionWriter(Processor processor, std::string_view location)
        : processor_(processor), location_(location) {
        out_ = {'\1', '\x50', '\0', static_cast<char>(processor)};
    }

    std::string write(const model::Parameters& parameters) {
        if (parameters.groups.size() > 127) {
            fail(location_, "{} groups of parameters: C3D can count 127", parameters.groups.size());
        }
        for (std::size_t g = 0; g < parameters.groups.size(); ++g) {
            const ParameterGroup& group = parameters.groups[g];
            start_record(group.name, group.locked, -static_cast<int>(g + 1));
            finish_record(group.description, group.name);
            for (const Parameter& parameter : group.parameters) {
                write_parameter(parameter, static_cast<int>(g + 1), group.name + ":" + parameter.name);
            }
        }
        // The last record has no offset to a next one, and zeros follow it.
        if (offset_ > 0) put_word(offset_, 0);
        out_.resize((out_.size() + 2 + block_size - 1) / block_size * block_size);
        const std::size_t blocks = out_.size() / block_size;
        out_[2] = static_cast<char>(blocks <= 255 ? blocks : 0);  // 0: up to the start of the data
        return std::move(out_);
    }

  private:
    void put_word(std::size_t at, std::size_t value) {
        write_word(processor_, static_cast<std::uint16_t>(value),
                   reinterpret_cast<std::byte*>(out_.data() + at));
    }

    void start_record(const std::string& name, bool locked, int id) {
        if (name.empty() || name.size() > 127)
            fail(location_, "the name \"{}\" has no or over 127 characters", name);
        const int length = static_cast<int>(name.size());
        out_ += static_cast<char>(locked ? -length : length);
        out_ += static_cast<char>(id);
        out_ += name;
        offset_ = out_.size();
        out_ += "xx";
    }

    void finish_record(const std::string& description, const std::string& name) {
        if (description.size() > 255) fail(location_, "the description of {} has over 255 characters", name);
        out_ += static_cast<char>(description.size());
        out_ += description;
        const std::size_t size = out_.size() - offset_;
        if (size > 65535) fail(location_, "{} takes {} bytes: C3D can count 65535", name, size);
        put_word(offset_, size);
    }

    void write_parameter(const Parameter& parameter, int group, const std::string& name) {
        constexpr signed char types[] = {-1, 1, 2, 4};
        check_dimensions(parameter, name);
        start_record(parameter.name, parameter.locked, group);
        out_ += static_cast<char>(types[parameter.values.index()]);
        out_ += static_cast<char>(parameter.dimensions.size());
        for (const std::uint8_t size : parameter.dimensions) out_ += static_cast<char>(size);
        std::visit([&](const auto& values) { write_values(values, parameter); }, parameter.values);
        finish_record(parameter.description, name);
    }

    void check_dimensions(const Parameter& parameter, const std::string& name) const {
        const std::vector<std::uint8_t>& sizes = parameter.dimensions;
        const std::size_t skipped = parameter.is_text() && !sizes.empty() ? 1 : 0;
        const bool nothing = std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
        const std::size_t count = nothing
                                      ? 0
                                      : std::accumulate(sizes.begin() + static_cast<std::ptrdiff_t>(skipped),
                                                        sizes.end(), std::size_t{1}, std::multiplies<>());
        if (sizes.size() > 7 || count != parameter.size()) {
            fail(location_, "{} has {} values, but its dimensions make {}", name, parameter.size(), count);
        }
    }

    void write_values(const std::vector<std::string>& texts, const Parameter& parameter) {
        const std::size_t width = parameter.dimensions.empty() ? 1 : parameter.dimensions[0];
        for (const std::string& text : texts) {
            if (text.size() > width)
                fail(location_, "\"{}\" of {} is wider than {}", text, parameter.name, width);
            out_ += text;
            out_.append(width - text.size(), ' ');
        }
    }
    void write_values(const std::vector<std::int8_t>& bytes, const Parameter&) {
        for (const std::int8_t byte : bytes) out_ += static_cast<char>(byte);
    }
    void write_values(const std::vector<std::int16_t>& words, const Parameter&) {
        for (const std::int16_t word : words) {
            out_ += "xx";
            put_word(out_.size() - 2, static_cast<std::uint16_t>(word));
        }
    }
    void write_values(const std::vector<float>& reals, const Parameter& parameter) {
        for (const float real : reals) {
            if (processor_ == Processor::dec && std::abs(real) >= vax_limit) {
                fail(location_, "{} of {} is too large for a DEC file", real, parameter.name);
            }
            out_ += "xxxx";
            write_real(processor_, real, reinterpret_cast<std::byte*>(out_.data() + out_.size() - 4));
        }
    }

    Processor processor_;
    std::string location_;
    std::string out_;
    std::size_t offset_ = 0;  ///< of the field of the last record that holds the offset of the next
};

}  // namespace

std::string write_parameters(const model::Parameters& parameters, Processor processor,
                             std::string_view location) {
    return SectionWriter(processor, location).write(parameters);
}

namespace {

/// The largest coordinate and the largest residual.
struct Extent {
    float coordinate = 0;
    float residual = 0;
};

Extent extent_of(const model::Trial& trial) {
    Extent extent;
    for (const model::Points* set : {&trial.markers, &trial.outputs}) {
        for (std::size_t i = 0; i < set->positions.size(); ++i) {
            if (set->residuals[i] < 0) continue;
            extent.coordinate = std::max(extent.coordinate, set->positions[i].cwiseAbs().maxCoeff());
            extent.residual = std::max(extent.residual, set->residuals[i]);
        }
    }
    return extent;
}

/// The scale of the source file if it is large enough, so that values are not rounded twice.
float choose_scale(const model::Trial& trial, bool integers) {
    const Extent extent = extent_of(trial);
    const auto old = static_cast<float>(number_of(trial.parameters, "POINT", "SCALE").value_or(0));
    const bool was_integers = old > 0;
    if (integers && was_integers && extent.coordinate <= 32767 * old) return old;
    if (!integers && old != 0 && extent.residual <= 255.5f * std::abs(old)) return std::abs(old);
    const float wanted = std::max(extent.coordinate / 32000, integers ? 0 : extent.residual / 255);
    return wanted > 0 && std::isfinite(wanted) ? wanted : 1;
}

/// The data section, frame after frame.
class FrameWriter {
  public:
    FrameWriter(const model::Trial& trial, const Layout& layout, Processor processor,
                const Channels& channels, const std::vector<PointSource>& points)
        : trial_(trial), layout_(layout), processor_(processor), channels_(channels), points_(points) {}

    void write(std::size_t frame, std::byte* out) {
        for (const PointSource& point : points_) {
            const std::size_t i = frame * point.set->count() + point.index;
            write_point(*point.set, i, out);
            out += 4 * value_size();
        }
        const std::size_t count = layout_.channels * layout_.samples;
        for (std::size_t i = 0; i < count; ++i, out += value_size()) {
            const float value = trial_.analog.values[frame * count + i];
            put_analog(value, channels_.list[i % layout_.channels], out);
        }
    }

    void report(std::string_view location, Monitor& monitor) const {
        if (unsayable_ > 0) {
            fail(location, "{} values are infinite or too large for a DEC file", unsayable_.load());
        }
        if (residuals_ > 0) {
            warn(monitor, "c3d-residual", "{}: {} residuals are above 255 steps of {}", location,
                 residuals_.load(), layout_.scale);
        }
        if (clipped_ > 0) {
            warn(monitor, "c3d-clipped", "{}: {} values do not fit into 16 bits", location, clipped_.load());
        }
    }

  private:
    std::size_t value_size() const { return layout_.reals ? 4 : 2; }

    void write_point(const model::Points& set, std::size_t i, std::byte* out) {
        if (set.residuals[i] < 0) {
            for (int axis = 0; axis < 3; ++axis) put(0, out + static_cast<std::size_t>(axis) * value_size());
            put(-1, out + 3 * value_size());
            return;
        }
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const float value = set.positions[i][static_cast<Eigen::Index>(axis)];
            const double stored = layout_.reals
                                      ? static_cast<double>(value)
                                      : static_cast<double>(value) / static_cast<double>(layout_.scale);
            put(stored, out + axis * value_size());
        }
        const double steps =
            std::round(static_cast<double>(set.residuals[i]) / static_cast<double>(layout_.scale));
        if (steps > 255) ++residuals_;
        const int cameras = set.cameras.empty() ? 0 : set.cameras[i] & 127;
        put(cameras * 256 + std::min(steps, 255.0), out + 3 * value_size());
    }

    /// raw = value / scale + offset. Of the nearby reals, the one that reads back as exactly the value.
    void put_analog(float value, const model::AnalogChannel& channel, std::byte* out) {
        const double raw =
            channel.scale != 0 ? static_cast<double>(value) / channel.scale + channel.offset : channel.offset;
        if (!layout_.reals) return put(raw, out, channels_.is_unsigned);
        auto best = static_cast<float>(raw);
        const auto gives = [&](float candidate) {
            return static_cast<float>((static_cast<double>(candidate) - channel.offset) * channel.scale) ==
                   value;
        };
        float below = best, above = best;
        for (int i = 0; i < 4 && !gives(best); ++i) {
            below = std::nextafter(below, -std::numeric_limits<float>::infinity());
            above = std::nextafter(above, std::numeric_limits<float>::infinity());
            if (gives(below) || gives(above)) best = gives(below) ? below : above;
        }
        put(static_cast<double>(best), out);
    }

    void put(double value, std::byte* out, bool is_unsigned = false) {
        if (layout_.reals) {
            const auto real = static_cast<float>(value);
            if (processor_ == Processor::dec && std::abs(real) >= vax_limit) ++unsayable_;
            return write_real(processor_, real, out);
        }
        const double low = is_unsigned ? 0 : -32768, high = is_unsigned ? 65535 : 32767;
        double rounded = std::round(value);
        if (!(rounded >= low && rounded <= high)) {
            ++clipped_;
            rounded = rounded >= low ? high : rounded < low ? low : 0;
        }
        write_word(processor_, static_cast<std::uint16_t>(static_cast<int>(rounded)), out);
    }

    const model::Trial& trial_;
    const Layout& layout_;
    Processor processor_;
    const Channels& channels_;
    const std::vector<PointSource>& points_;
    std::atomic<std::size_t> residuals_ = 0, clipped_ = 0, unsayable_ = 0;
};

std::string write_header(const model::Trial& trial, const Layout& layout, Processor processor,
                         const std::vector<HeaderEvent>& events) {
    std::string header(block_size, '\0');
    const auto word = [&](std::size_t at, std::size_t value) {
        write_word(processor, static_cast<std::uint16_t>(value),
                   reinterpret_cast<std::byte*>(header.data() + at));
    };
    const auto real = [&](std::size_t at, double value) {
        write_real(processor, static_cast<float>(value), reinterpret_cast<std::byte*>(header.data() + at));
    };
    header[0] = '\2';
    header[1] = '\x50';
    word(field::points, layout.points);
    word(field::analog, layout.channels * layout.samples);
    word(field::first, layout.first_frame);
    word(field::last,
         std::min<std::size_t>(layout.first_frame + std::max<std::size_t>(trial.frames, 1) - 1, 65535));
    real(field::scale, static_cast<double>(layout.reals ? -layout.scale : layout.scale));
    word(field::data_start, layout.start / block_size + 1);
    word(field::samples, layout.samples);
    real(field::rate, trial.rate);
    word(field::event_key, key);
    word(field::event_count, events.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
        real(field::event_times + 4 * i, events[i].time);
        header[field::event_flags + i] = events[i].hidden ? '\1' : '\0';
        std::string label = events[i].label;
        label.resize(4, ' ');
        header.replace(field::event_labels + 4 * i, 4, label);
    }
    return header;
}

std::string rotation_data(const model::SegmentRotations& rotations, Processor processor) {
    std::string data(rotations.matrices.size() * rotation_values * 4, '\0');
    auto* out = reinterpret_cast<std::byte*>(data.data());
    for (std::size_t i = 0; i < rotations.matrices.size(); ++i) {
        for (std::size_t v = 0; v < rotation_values; ++v, out += 4) {
            write_real(processor, v < 16 ? rotations.matrices[i].data()[v] : rotations.reliability[i], out);
        }
    }
    return data;
}

Layout make_layout(const model::Trial& trial, bool integers, const std::string& location) {
    Layout layout;
    layout.points = trial.markers.count() + trial.outputs.count();
    layout.channels = trial.analog.count();
    layout.samples = std::max<std::size_t>(trial.analog.samples_per_frame, 1);
    layout.reals = !integers;
    layout.scale = choose_scale(trial, integers);
    layout.frames = trial.frames;
    layout.first_frame = static_cast<std::size_t>(std::max<std::int64_t>(trial.first_frame, 1));
    if (layout.points > 65535 || layout.channels > 65535 || layout.samples > 65535) {
        fail(location, "{} points and {} analog channels: C3D can count 65535", layout.points,
             layout.channels);
    }
    return layout;
}

std::size_t whole_blocks(std::size_t bytes) {
    return (bytes + block_size - 1) / block_size * block_size;
}

}  // namespace
}  // namespace sinew::io::c3d

namespace sinew::io {

std::string write_c3d(const Asset& asset, const std::filesystem::path& path, const WriteOptions&,
                      Monitor& monitor) {
    return encode_c3d(asset, path, {}, monitor);
}

std::string encode_c3d(const Asset& asset, const std::filesystem::path& path, const C3dOptions& options,
                       Monitor& monitor) {
    using namespace c3d;
    const model::Trial& trial = asset.trial;
    const std::string location = path.string();
    if (trial.empty()) fail(location, "there is no trial: C3D holds markers and analog channels only");
    model::validate(trial, location);
    const auto processor = static_cast<Processor>(84 + static_cast<int>(options.processor));
    c3d::Layout layout = make_layout(trial, options.integers, location);

    Parameters parameters = trial.parameters;
    const std::vector<PointSource> points = describe_points(trial, parameters);
    describe_world(trial, parameters, location, monitor);
    describe_frames(trial, parameters);
    const Channels channels = describe_analog(trial, options.integers, parameters);
    describe_platforms(trial, parameters);
    const std::vector<HeaderEvent> events = describe_events(trial, parameters, location, monitor);
    describe_rotations(trial, parameters);
    set_real(parameters, "POINT", "SCALE", static_cast<double>(layout.reals ? -layout.scale : layout.scale));

    // The start of the data depends on the size of the section, not the reverse.
    set_word(parameters, "POINT", "DATA_START", 0);
    if (!trial.rotations.empty()) set_word(parameters, "ROTATION", "DATA_START", 0);
    layout.start = block_size + write_parameters(parameters, processor, location).size();
    const std::size_t data_end = whole_blocks(layout.start + layout.frames * layout.frame_bytes());
    set_word(parameters, "POINT", "DATA_START", layout.start / block_size + 1);
    if (!trial.rotations.empty()) set_word(parameters, "ROTATION", "DATA_START", data_end / block_size + 1);
    if (!trial.rotations.empty() && data_end / block_size + 1 > 65535) {
        fail(location, "the segment rotations would start at block {}: C3D can count 65535",
             data_end / block_size + 1);
    }

    std::string file = write_header(trial, layout, processor, events);
    file += write_parameters(parameters, processor, location);
    file.resize(data_end);
    FrameWriter writer(trial, layout, processor, channels, points);
    auto* const data = reinterpret_cast<std::byte*>(file.data() + layout.start);
    parallel_blocks(layout.frames, 64, [&](std::size_t begin, std::size_t end) {
        for (std::size_t f = begin; f < end; ++f) writer.write(f, data + f * layout.frame_bytes());
    });
    writer.report(location, monitor);
    if (!trial.rotations.empty()) {
        file += rotation_data(trial.rotations, processor);
        file.resize(whole_blocks(file.size()));
    }
    return file;
}

}  // namespace sinew::io
