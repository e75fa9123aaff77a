#include <algorithm>

#include "sinew/io/c3d/c3d.h"
#include "sinew/io/c3d/data.h"
#include "sinew/io/c3d_world.h"

namespace sinew::io {
namespace {

using namespace c3d;

/// A rate that the file does not state.
double find_rate(double stated, const ReadOptions& options, std::vector<Guess>& guesses, Tally& tally) {
    if (stated > 0) return stated;
    tally.note("c3d-rate", field::rate, "the file does not state its frame rate");
    if (options.rate > 0) return options.rate;
    guesses.push_back({"fps", "100", "the usual rate of laboratories", 100});
    return 100;
}

}  // namespace

Asset read_c3d(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    Tally tally(path.string());
    const Source source = find_header(bytes, tally);
    const Header header = read_header(source, tally);
    ParameterSection section = read_parameters(source, header, tally);
    Layout layout = find_layout(source, header, section, tally);

    Asset asset;
    model::Trial& trial = asset.trial;
    trial.parameters = std::move(section.parameters);
    const Parameters& parameters = trial.parameters;
    trial.name = path.stem().string();
    trial.rate = layout.rate = find_rate(layout.rate, options, asset.guesses, tally);
    trial.first_frame = static_cast<std::int64_t>(layout.first_frame);
    if (layout.frames == 0) {
        // Without a frame the counts have nothing behind them: the labels tell how many there are.
        layout.points = std::min(layout.points, texts_of(parameters, "POINT", "LABELS").size());
        layout.channels = std::min(layout.channels, texts_of(parameters, "ANALOG", "LABELS").size());
    }
    Channels channels = analog_channels(parameters, layout.channels, tally);
    trial.analog.channels = std::move(channels.list);
    read_data(source, layout, point_infos(parameters, layout.points, tally),
              {options.zero_is_missing, channels.is_unsigned}, trial, tally, monitor);
    read_rotations(source, parameters, layout, trial, tally);
    trial.platforms = force_platforms(parameters, trial.analog.count(), tally);
    const Clock clock{trial.rate, layout.first_frame, trial.frames};
    trial.events = merge_events(group_events(parameters, clock, tally), header.events, clock);
    place_in_world(trial, options, asset.guesses, tally);
    tally.report(monitor);
    return asset;
}

}  // namespace sinew::io
