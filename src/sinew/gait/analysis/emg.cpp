// SPDX-License-Identifier: MIT
// Muscles from analog channels.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/gait/gait.h"
#include "sinew/motion/clean.h"

namespace sinew::gait {
namespace {

constexpr double high_pass = 20, low_pass = 6;  // Hz

bool says_emg(std::string_view text) {
    return to_lower(text).find("emg") != std::string::npos;
}

std::vector<double> envelope_of(const std::vector<double>& values, double rate) {
    return motion::filtered(values, motion::zero_lag_butterworth(low_pass, rate));
}

}  // namespace

std::vector<EmgChannel> emg_channels(const model::Trial& trial, std::span<const std::string> labels) {
    std::vector<EmgChannel> channels;
    const model::Analog& analog = trial.analog;
    const double rate = trial.rate * static_cast<double>(analog.samples_per_frame);
    for (const std::string& label : labels)
        if (std::ranges::none_of(analog.channels, [&](const model::AnalogChannel& each) {
                return equal_ignoring_case(each.label, label);
            }))
            fail(trial.name, "has no analog channel \"{}\"", label);
    for (std::size_t c = 0; c < analog.count(); ++c) {
        const model::AnalogChannel& info = analog.channels[c];
        const bool wanted = labels.empty() ? says_emg(info.label) || says_emg(info.description)
                                           : std::ranges::any_of(labels, [&](const std::string& label) {
                                                 return equal_ignoring_case(info.label, label);
                                             });
        if (!wanted || analog.samples() < 32 || rate < 2.5 * high_pass) continue;
        EmgChannel channel{info.label, info.unit, rate, {}, {}, {}};
        for (std::size_t s = 0; s < analog.samples(); ++s)
            channel.raw.push_back(static_cast<double>(analog.at(s, c)));
        // A constant channel has no sensor connected.
        const auto [low, high] = std::ranges::minmax(channel.raw);
        if (!(high > low)) continue;
        const std::vector<double> slow =
            motion::filtered(channel.raw, motion::zero_lag_butterworth(high_pass, rate));
        for (std::size_t s = 0; s < slow.size(); ++s)
            channel.rectified.push_back(std::abs(channel.raw[s] - slow[s]));
        channel.envelope = envelope_of(channel.rectified, rate);
        channels.push_back(std::move(channel));
    }
    return channels;
}

}  // namespace sinew::gait
