// SPDX-License-Identifier: MIT
// Long actions, which run in the background.

#include "actions.h"
#include "motion_import.h"
#include "project.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/sample/samples.h"

namespace sinew::studio {
namespace {

using CharacterPtr = std::shared_ptr<const model::Character>;

/// Until it is bound, a mesh shows the parts from segmentation.
Document rigged_document(const pipeline::RigResult& made, const std::filesystem::path& path) {
    Document document(made.character, path);
    if (made.skeleton.body && !made.bind) {
        const geometry::CutMesh& cut = made.skeleton.body->cut;
        document.parts =
            std::make_shared<const BodyParts>(body_parts(made.character.mesh, cut.part_of, cut.names));
    }
    const auto& fit = made.skeleton.fit;
    if (fit && fit->confidence_of.size() == made.character.skeleton.size())
        document.confidence = std::make_shared<const std::vector<double>>(fit->confidence_of);
    return document;
}

Job::Apply put_rig(Document document, std::string reason, std::string what) {
    return
        [document = std::move(document), reason = std::move(reason), what = std::move(what)](State& state) {
            change(state, what, document);
            state.rig_reason = reason;
            if (state.view.skeleton == SkeletonMode::hidden) state.view.skeleton = SkeletonMode::over;
        };
}

/// Plays a motion that was read, and points the camera at it: its start position may be different.
void show_motion(State& state) {
    choose_clip(state, static_cast<int>(state.document.character->clips.size()) - 1);
    look_at_all(state);
}

/// A motion on the open character: on its skeleton, or on the motion's own one placed inside the bare mesh.
Job::Apply put_motion(const Document& onto, io::Asset motion, const std::filesystem::path& path,
                      Monitor& monitor) {
    std::string reason;
    Document document = with_motion(onto, std::move(motion), path, monitor, &reason);
    if (reason.empty())
        return [document = std::move(document)](State& state) {
            change(state, "add motion", document);
            show_motion(state);
        };
    return [put = put_rig(std::move(document), std::move(reason), "fit motion")](State& state) {
        put(state);
        show_motion(state);
    };
}

/// A joint map for the motion that is on the open character.
Job::Apply put_map(const Document& onto, const std::filesystem::path& path, Monitor& monitor) {
    if (!onto.motion) fail(path.string(), "a joint map needs a motion: open a motion first");
    const FileView file(path);
    Document document = with_joint_map(
        onto,
        motion::parse_joint_map(file.text(), path.filename().string(), onto.motion->source.character.skeleton,
                                onto.character->skeleton),
        monitor);
    return [document = std::move(document)](State& state) { change(state, "joint map", document); };
}

Job::Apply put_file(const Document& onto, const io::ReadOptions& options, const std::filesystem::path& path,
                    Monitor& monitor) {
    if (suffix(path) == project_suffix)
        return [project = load_project(path, monitor, options.allow_outside), path](State& state) {
            ask_before(state, "opening " + path.filename().string(),
                       [project](State& s) { show(s, project); });
        };
    if (suffix(path) == map_suffix) return put_map(onto, path, monitor);
    io::Asset asset = io::read(path, options, monitor);
    std::vector<std::string> guesses;
    for (const io::Guess& guess : asset.guesses)
        guesses.push_back(fmt::format("{}: guessed {}: {} ({})", path.filename().string(), guess.subject,
                                      guess.value, guess.reason));
    const bool takes_motion = onto.character->has_mesh() && !onto.sequence;
    Job::Apply put;
    if (takes_motion && is_motion(asset)) {
        put = put_motion(onto, std::move(asset), path, monitor);
    } else {
        put = [document = document_of(std::move(asset), path, monitor)](State& s) {
            ask_before(s, "opening " + document.path.filename().string(),
                       [document](State& now) { show(now, document); });
        };
    }
    return [put = std::move(put), guesses](State& state) {
        put(state);
        for (const std::string& guess : guesses) state.messages.add(Severity::note, guess);
    };
}

}  // namespace

void open_file(State& state, const std::filesystem::path& path) {
    // The document that is open at the time of the call, not when the file has been read.
    const auto work = [path, open = state.document, options = state.read](Monitor& monitor) -> Job::Apply {
        Job::Apply put = put_file(open, options, path, monitor);
        return [put = std::move(put), path](State& state_now) {
            put(state_now);
            state_now.recent.add(path);
        };
    };
    if (!state.job.start("Opening " + path.filename().string(), work))
        state.messages.add(Severity::note, "busy: wait for the running task, or cancel it");
}

void open_sample(State& state, const std::string& name) {
    const auto work = [name](Monitor&) -> Job::Apply {
        model::Character made = sample::make(name);
        made.name = name;
        return [document = Document(std::move(made)), name](State& state_now) {
            ask_before(state_now, "opening the " + name, [document](State& s) { show(s, document); });
        };
    };
    if (!state.job.start("Making the " + name, work))
        state.messages.add(Severity::note, "busy: wait for the running task, or cancel it");
}

void find_skeleton(State& state) {
    const CharacterPtr open = state.document.character;
    if (!open->has_mesh()) {
        state.messages.add(Severity::error, "there is no mesh to find a skeleton in");
        return;
    }
    const auto work = [open, bind = state.bind, bind_skin = state.bind_after, choice = state.skeleton_choice,
                       path = state.document.path](Monitor& monitor) -> Job::Apply {
        pipeline::RigOptions options = app::rig_options(choice, bind, monitor);
        options.bind_skin = bind_skin;
        const pipeline::RigResult made = pipeline::rig_character(*open, options, monitor);
        return put_rig(rigged_document(made, path), reason_of(made), "find skeleton");
    };
    state.job.start("Finding a skeleton", work);
}

void bind_skin(State& state) {
    const CharacterPtr open = state.document.character;
    if (!open->has_mesh() || !open->has_skeleton()) {
        state.messages.add(Severity::error, "binding needs a mesh and a skeleton");
        return;
    }
    const auto work = [open, bind = state.bind, path = state.document.path](Monitor& monitor) -> Job::Apply {
        model::Character character = *open;
        character.mesh = pipeline::rest_mesh(*open);
        const pipeline::BoundSkin bound =
            pipeline::bind_mesh(character.mesh, character.skeleton, bind, monitor);
        character.skin = bound.result.skin;
        std::string reason =
            fmt::format("bound by {}: {}", rig::name_of(bound.result.method), bound.result.reason);
        return put_rig(Document(std::move(character), path), std::move(reason), "bind");
    };
    state.job.start("Binding the skin", work);
}

}  // namespace sinew::studio
