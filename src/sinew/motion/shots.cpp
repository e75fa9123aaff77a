#include "sinew/motion/shots.h"

#include <list>

#include "sinew/base/error.h"
#include "sinew/base/text.h"

namespace sinew::motion {
namespace {

std::string listed_names(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text.append(text.empty() ? "" : ", ").append(name);
    return text;
}

bool fits(std::string_view wanted, std::string_view name) {
    return wanted.empty() || equal_ignoring_case(wanted, name);
}

/// The clip between the times of its shot.
model::Clip range_of(const Shot& shot, const model::Clip& clip) {
    const model::TimeRange range = model::time_range(clip);
    const double start = shot.start.value_or(range.start), end = shot.end.value_or(range.end);
    constexpr double rounding = 1e-6;
    if (start < range.start - rounding || end > range.end + rounding)
        fail(shot.place, "{} s to {} s is outside the clip, which goes from {:.3f} s to {:.3f} s", start, end,
             range.start, range.end);
    return shot.start || shot.end ? model::trimmed(clip, start, end) : clip;
}

}  // namespace

Production selected(const Production& production, std::string_view sequence, std::string_view shot) {
    Production result = production;
    std::vector<std::string> sequences, shots;
    result.sequences.clear();
    for (const Sequence& each : production.sequences) {
        sequences.push_back(each.name);
        if (!fits(sequence, each.name)) continue;
        Sequence kept{each.name, {}};
        for (const Shot& own : each.shots) {
            shots.push_back(own.name);
            if (fits(shot, own.name)) kept.shots.push_back(own);
        }
        if (!kept.shots.empty()) result.sequences.push_back(std::move(kept));
    }
    if (shots.empty())
        fail(production.name, "has no sequence \"{}\"; there are {}", sequence, listed_names(sequences));
    if (result.sequences.empty())
        fail(production.name, "has no shot \"{}\"; there are {}", shot, listed_names(shots));
    return result;
}

Produced produce(const Production& production, const model::Skeleton& skeleton, const ShotClip& clip_of,
                 const StepFinder& steps, Monitor& monitor) {
    std::list<model::Clip> clips;  // pieces point at them
    std::vector<JoinPiece> pieces;
    Produced result;
    std::vector<std::size_t> last;  // piece of each shot
    for (const Sequence& sequence : production.sequences) {
        for (const Shot& shot : sequence.shots) {
            clips.push_back(range_of(shot, clip_of(shot)));
            for (int i = 0; i < shot.repeat; ++i)
                pieces.push_back({&clips.back(), shot.place, shot.fade, shot.match_steps, shot.align});
            result.shots.push_back({sequence.name, shot.name, 0, 0});
            last.push_back(pieces.size() - 1);
        }
    }
    JoinResult joined = join_clips(skeleton, pieces, {production.rate, steps}, monitor);
    for (std::size_t i = 0; i < result.shots.size(); ++i) {
        result.shots[i].start = joined.parts[i == 0 ? 0 : last[i - 1] + 1].start;
        result.shots[i].end = joined.parts[last[i]].end;
    }
    result.clip = std::move(joined.clip);
    if (!production.name.empty()) result.clip.name = production.name;
    return result;
}

}  // namespace sinew::motion
