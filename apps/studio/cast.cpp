// SPDX-License-Identifier: MIT
#include "cast.h"

#include <algorithm>
#include <cmath>

#include "actions.h"

#include "sinew/base/error.h"
#include "sinew/sample/samples.h"

namespace sinew::studio {
namespace {

std::shared_ptr<const Actor> as_actor(const State& state) {
    return std::make_shared<const Actor>(
        Actor{state.document, state.clip, state.pose, state.cast.hidden, state.cast.shift});
}

/// Makes an actor the current one; `taken` is the slot that becomes null.
void go_on_with(State& state, const Actor& actor, int taken) {
    Cast& cast = state.cast;
    state.camera.target += (cast.shift - actor.shift).cast<float>();
    cast.actors[static_cast<std::size_t>(taken)] = nullptr;
    cast.active = taken;
    cast.hidden = actor.hidden;
    cast.shift = actor.shift;
    state.document = actor.document;
    state.pose = actor.pose;
    state.painter.reset();
    state.contacts.reset();
    state.motion_tool.pins.clear();
    state.joint_tool.mark = -1;
    const bool playing = state.timeline.playing;
    const double since = state.timeline.time - state.timeline.start;
    settle(state, actor.clip);
    const model::Clip* clip = state.playing_clip();
    seek(state.timeline, clip != nullptr ? time_in_clip(*clip, since) : since);
    state.timeline.playing = playing && !state.timeline.empty();
}

/// Beside all others, on their left.
Vec3d free_position(const State& state, const Document& document) {
    double edge = state.cast.shift.x() + static_cast<double>(state.document.box.high.x());
    for (const auto& actor : state.cast.actors)
        if (actor && !actor->document.box.empty())
            edge = std::max(edge, actor->shift.x() + static_cast<double>(actor->document.box.high.x()));
    const double gap = 0.15 * static_cast<double>(scene_size(document));
    return {edge + gap - static_cast<double>(document.box.low.x()), 0, 0};
}

}  // namespace

double time_in_clip(const model::Clip& clip, double since_start) {
    const model::TimeRange range = model::time_range(clip);
    if (range.duration() <= 0) return range.start;
    return range.start + std::fmod(std::max(since_start, 0.0), range.duration());
}

void add_actor(State& state, Document document) {
    if (state.document.empty()) return show(state, std::move(document));
    remember(state, "add character");
    Actor fresh;
    fresh.clip = document.character->clips.empty() ? -1 : 0;
    fresh.shift = free_position(state, document);
    fresh.document = std::move(document);
    Cast& cast = state.cast;
    if (cast.actors.empty()) cast.actors.push_back(nullptr);
    cast.actors[static_cast<std::size_t>(cast.active)] = as_actor(state);
    cast.actors.push_back(nullptr);
    go_on_with(state, fresh, static_cast<int>(cast.actors.size()) - 1);
    look_at_all(state);
}

void add_file(State& state, const std::filesystem::path& path) {
    const auto work = [path, options = state.read](Monitor& monitor) -> Job::Apply {
        const std::string name = path.string();
        const auto known = sample::list();
        const bool built_in =
            std::ranges::any_of(known, [&](const sample::Sample& sample) { return sample.name == name; });
        Document document;
        if (built_in) {
            model::Character made = sample::make(name);
            made.name = name;
            document = Document(std::move(made));
        } else {
            document = open_document(path, options, monitor);
        }
        return [document = std::move(document)](State& now) { add_actor(now, document); };
    };
    if (!state.job.start("Adding " + path.filename().string(), work))
        state.messages.add(Severity::note, "busy: wait for the running task, or cancel it");
}

void choose_actor(State& state, int index) {
    Cast& cast = state.cast;
    if (index < 0 || index >= static_cast<int>(cast.actors.size()) || index == cast.active) return;
    remember(state, "choose character");
    cast.actors[static_cast<std::size_t>(cast.active)] = as_actor(state);
    const std::shared_ptr<const Actor> next = cast.actors[static_cast<std::size_t>(index)];
    go_on_with(state, *next, index);
}

void remove_actor(State& state) {
    Cast& cast = state.cast;
    if (cast.actors.size() < 2) return;
    remember(state, "remove character");
    cast.actors.erase(cast.actors.begin() + cast.active);
    const int next = std::min(cast.active, static_cast<int>(cast.actors.size()) - 1);
    const std::shared_ptr<const Actor> actor = cast.actors[static_cast<std::size_t>(next)];
    go_on_with(state, *actor, next);
}

void hide_actor(State& state, int index, bool hidden) {
    Cast& cast = state.cast;
    if (index < 0 || index >= actor_count(state)) return;
    remember(state, hidden ? "hide character" : "show character");
    if (index == cast.active) {
        cast.hidden = hidden;
        return;
    }
    auto& slot = cast.actors[static_cast<std::size_t>(index)];
    Actor changed = *slot;
    changed.hidden = hidden;
    slot = std::make_shared<const Actor>(std::move(changed));
}

int actor_count(const State& state) {
    return state.cast.actors.empty() ? (state.document.empty() ? 0 : 1)
                                     : static_cast<int>(state.cast.actors.size());
}

std::string actor_name(const State& state, int index) {
    const auto& actors = state.cast.actors;
    const bool self = index == state.cast.active;
    const Document& document = self ? state.document : actors[static_cast<std::size_t>(index)]->document;
    const std::string& name = document.character->name;
    return fmt::format("{} {}", index + 1, name.empty() ? document.path.filename().string() : name);
}

bool actor_hidden(const State& state, int index) {
    return index == state.cast.active ? state.cast.hidden
                                      : state.cast.actors[static_cast<std::size_t>(index)]->hidden;
}

}  // namespace sinew::studio
