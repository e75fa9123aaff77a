#include <algorithm>
#include <cmath>

#include "sinew/io/c3d/describe.h"

namespace sinew::io::c3d {
namespace {

using model::AnalogChannel;

/// Whether the values of a channel can be stored with its scale and offset; integers only when they came
/// from integers, because another scale would round them.
bool holds(const model::Analog& analog, std::size_t channel, bool integers, bool is_unsigned) {
    const AnalogChannel& info = analog.channels[channel];
    const double low = is_unsigned ? 0 : -32768, high = is_unsigned ? 65535 : 32767;
    for (std::size_t s = 0; s < analog.samples(); ++s) {
        const double value = static_cast<double>(analog.at(s, channel));
        if (info.scale == 0) {
            if (value != 0) return false;
            continue;
        }
        if (!integers) continue;
        const double raw = value / info.scale + info.offset;
        if (!(raw > low - 0.5 && raw < high + 0.5 && std::abs(raw - std::round(raw)) < 0.02)) return false;
    }
    return true;
}

AnalogChannel rescaled(const model::Analog& analog, std::size_t channel, bool integers) {
    AnalogChannel info = analog.channels[channel];
    info.scale = 1;
    info.offset = 0;
    if (!integers) return info;
    float greatest = 0;
    for (std::size_t s = 0; s < analog.samples(); ++s) {
        const float size = std::abs(analog.at(s, channel));
        if (size > greatest && std::isfinite(size)) greatest = size;
    }
    if (greatest > 0) info.scale = static_cast<double>(greatest) / 32000;
    return info;
}

void set_channels(const std::vector<AnalogChannel>& channels, Parameters& parameters) {
    std::vector<std::string> labels, descriptions, units;
    std::vector<float> scales, offsets;
    bool whole = true;
    for (const AnalogChannel& channel : channels) {
        labels.push_back(channel.label);
        descriptions.push_back(channel.description);
        units.push_back(channel.unit);
        scales.push_back(static_cast<float>(channel.scale));
        offsets.push_back(static_cast<float>(channel.offset));
        whole = whole && std::abs(channel.offset) < 32768 && channel.offset == std::round(channel.offset);
    }
    set_texts(parameters, "ANALOG", "LABELS", labels);
    set_texts(parameters, "ANALOG", "DESCRIPTIONS", descriptions);
    set_texts(parameters, "ANALOG", "UNITS", units);
    set_real(parameters, "ANALOG", "GEN_SCALE", 1);
    set_numbers(parameters, "ANALOG", "SCALE", scales);
    if (whole) {
        set_numbers(parameters, "ANALOG", "OFFSET",
                    std::vector<std::int16_t>(offsets.begin(), offsets.end()));
    } else {
        set_numbers(parameters, "ANALOG", "OFFSET", offsets);
    }
}

}  // namespace

Channels describe_analog(const model::Trial& trial, bool integers, Parameters& parameters) {
    const model::Analog& analog = trial.analog;
    Tally tally("");
    set_word(parameters, "ANALOG", "USED", analog.count());
    set_real(parameters, "ANALOG", "RATE", trial.rate * static_cast<double>(analog.samples_per_frame));
    Channels known = analog_channels(parameters, analog.count(), tally);
    std::vector<AnalogChannel> wanted = analog.channels;
    for (std::size_t c = 0; c < wanted.size(); ++c) {
        if (!holds(analog, c, integers, known.is_unsigned)) wanted[c] = rescaled(analog, c, integers);
    }
    if (known.list == wanted && parameters.find("ANALOG", "SCALE") != nullptr) return known;
    if (known.is_unsigned) {
        // Offsets of a file without FORMAT must not tell UNSIGNED by themselves again.
        set_text(parameters, "ANALOG", "FORMAT", "UNSIGNED");
        const bool fits = std::all_of(wanted.begin(), wanted.end(),
                                      [](const AnalogChannel& c) { return c.offset >= 16384; });
        if (!fits && integers) {
            for (std::size_t c = 0; c < wanted.size(); ++c) wanted[c] = rescaled(analog, c, integers);
            set_text(parameters, "ANALOG", "FORMAT", "SIGNED");
        }
    }
    set_channels(wanted, parameters);
    return analog_channels(parameters, analog.count(), tally);
}

}  // namespace sinew::io::c3d
