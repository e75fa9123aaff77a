#include "sinew/model/channels.h"

#include <algorithm>
#include <array>

#include "sinew/base/text.h"

namespace sinew::model {
namespace {

constexpr std::array<std::string_view, 20> names = {
    "camera.azimuth",  "camera.elevation", "camera.roll",     "camera.zoom",      "camera.fov",
    "camera.eye.x",    "camera.eye.y",     "camera.eye.z",    "camera.target.x",  "camera.target.y",
    "camera.target.z", "light.azimuth",    "light.elevation", "light.exposure",   "color.red",
    "color.green",     "color.blue",       "background.red",  "background.green", "background.blue"};
static_assert(names.size() == static_cast<std::size_t>(StageValue::background_blue) + 1);

}  // namespace

std::span<const std::string_view> stage_value_names() {
    return names;
}

std::string_view name_of(StageValue value) {
    return names[static_cast<std::size_t>(value)];
}

std::optional<StageValue> stage_value_from_name(std::string_view name) {
    const auto found = std::find_if(names.begin(), names.end(),
                                    [&](std::string_view known) { return equal_ignoring_case(known, name); });
    if (found == names.end()) return std::nullopt;
    return static_cast<StageValue>(found - names.begin());
}

StagePlayer::StagePlayer(const ChannelSet& set) {
    for (const StageChannel& channel : set.stage)
        if (!channel.curve.keys.empty()) played_.push_back({channel.value, prepare(channel.curve), {}});
}

std::optional<double> StagePlayer::value(StageValue value, double time) {
    for (Played& played : played_)
        if (played.value == value) return evaluate(played.curve, time, played.cursor);
    return std::nullopt;
}

}  // namespace sinew::model
