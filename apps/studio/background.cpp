// Actions that take long: they run in the background.

#include "actions.h"
#include "motion_import.h"
#include "project.h"
#include "shared/playable.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/sample/samples.h"

namespace sinew::studio {
namespace {

using CharacterPtr = std::shared_ptr<const model::Character>;

/// A rest mesh to work on: as it stands, not as its file stores it.
geometry::Mesh mesh_at_rest(const model::Character& character) {
    return character.has_skin() ? app::posed_mesh(character, nullptr, 0, deform::Method::lbs)
                                : character.mesh;
}

/// What each part of a cut mesh follows: its own joint, alone.
model::Skin skin_by_parts(const rig::SkeletonizeResult& found, std::size_t vertices) {
    const geometry::CutMesh& cut = found.body->cut;
    std::vector<int> joint_of_point(cut.points.size(), 0);
    for (std::size_t t = cut.triangles.size(); t-- > 0;)
        for (const std::uint32_t p : cut.triangles[t])
            joint_of_point[p] = found.parts->joint_of_part[static_cast<std::size_t>(cut.part_of[t])];
    model::Skin skin;
    skin.joints = model::bind_at_rest(found.skeleton);
    for (std::size_t v = 0; v < vertices; ++v) {
        const model::Influence whole{static_cast<std::uint32_t>(joint_of_point[cut.point_of[v]]), 1};
        skin.push_vertex({&whole, 1});
    }
    return skin;
}

struct Rigged {
    model::Character character;
    std::shared_ptr<const BodyParts> parts;  ///< that the mesh was cut into; or null
    std::string reason;
};

Rigged rigged(const model::Character& from, const app::SkeletonChoice& choice, const rig::BindOptions* bind,
              Monitor& monitor) {
    Rigged result;
    result.character = from;
    result.character.mesh = mesh_at_rest(from);
    result.character.clips.clear();
    result.character.skin = {};
    const rig::SkeletonizeResult found = app::find_skeleton(result.character.mesh, choice, monitor);
    result.character.skeleton = found.skeleton;
    result.reason = fmt::format("{}: {}", found.method_name, found.reason);
    if (found.body)
        result.parts = std::make_shared<const BodyParts>(
            body_parts(result.character.mesh, found.body->cut.part_of, found.body->cut.names));
    if (bind == nullptr) return result;
    // Rigid parts of a mesh that was cut follow their own joints, whatever bone is nearest.
    if (found.parts && bind->method == rig::BindMethod::rigid) {
        result.character.skin = skin_by_parts(found, result.character.mesh.vertex_count());
        return result;
    }
    const rig::BindResult bound = rig::bind(result.character.mesh, found.skeleton, *bind, monitor);
    result.character.skin = bound.skin;
    result.reason += fmt::format("\nbound by {}: {}", rig::name_of(bound.method), bound.reason);
    return result;
}

Document rigged_document(const Rigged& made, const std::filesystem::path& path) {
    Document document(made.character, path);
    if (made.parts && !document.character->has_skin()) document.parts = made.parts;
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

/// Plays a motion that has come, and looks at it: it may begin elsewhere.
void show_motion(State& state) {
    choose_clip(state, static_cast<int>(state.document.character->clips.size()) - 1);
    look_at_all(state);
}

/// A motion on what is open: on its skeleton, or on the motion's own one placed inside the bare mesh.
Job::Apply put_motion(const Document& onto, io::Asset motion, const std::filesystem::path& path,
                      Monitor& monitor) {
    if (onto.character->has_skeleton()) {
        Document document = with_motion(onto, std::move(motion), path, monitor);
        return [document = std::move(document)](State& state) {
            change(state, "add motion", document);
            show_motion(state);
        };
    }
    if (!motion.character.has_skeleton())
        fail(path.string(), "there is no skeleton yet that could follow this motion: find one first");
    app::SkeletonChoice choice;
    choice.options.template_skeleton = motion.character.skeleton;
    const rig::BindOptions bind;
    const Rigged made = rigged(*onto.character, choice, &bind, monitor);
    Document document = with_motion(rigged_document(made, onto.path), std::move(motion), path, monitor);
    Job::Apply put = put_rig(std::move(document), made.reason, "fit motion");
    return [put = std::move(put)](State& state) {
        put(state);
        show_motion(state);
    };
}

/// A map of joints for the motion that is on what is open.
Job::Apply put_map(const Document& onto, const std::filesystem::path& path, Monitor& monitor) {
    if (!onto.motion) fail(path.string(), "a map of joints needs a motion: open one first, then this");
    const FileView file(path);
    Document document =
        with_joint_map(onto,
                       motion::parse_joint_map(file.text(), path.filename().string(),
                                               onto.motion->source.skeleton, onto.character->skeleton),
                       monitor);
    return [document = std::move(document)](State& state) { change(state, "joint map", document); };
}

Job::Apply put_file(const Document& onto, const io::ReadOptions& options, const std::filesystem::path& path,
                    Monitor& monitor) {
    if (suffix(path) == project_suffix)
        return [project = load_project(path, monitor)](State& state) { show(state, project); };
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
        put = [document = document_of(std::move(asset), path, monitor)](State& s) { show(s, document); };
    }
    return [put = std::move(put), guesses](State& state) {
        put(state);
        for (const std::string& guess : guesses) state.messages.add(Severity::note, guess);
    };
}

}  // namespace

void open_file(State& state, const std::filesystem::path& path) {
    // What is open when it is asked for, not when the file has been read.
    const auto work = [path, open = state.document, options = state.read](Monitor& monitor) -> Job::Apply {
        Job::Apply put = put_file(open, options, path, monitor);
        return [put = std::move(put), path](State& state_now) {
            put(state_now);
            state_now.recent.add(path);
        };
    };
    if (!state.job.start("Opening " + path.filename().string(), work))
        state.messages.add(Severity::note, "busy: wait for the work that runs, or cancel it");
}

void open_sample(State& state, const std::string& name) {
    const auto work = [name](Monitor&) -> Job::Apply {
        model::Character made = sample::make(name);
        made.name = name;
        return [document = Document(std::move(made))](State& state_now) { show(state_now, document); };
    };
    if (!state.job.start("Making the " + name, work))
        state.messages.add(Severity::note, "busy: wait for the work that runs, or cancel it");
}

void find_skeleton(State& state) {
    const CharacterPtr open = state.document.character;
    if (!open->has_mesh()) {
        state.messages.add(Severity::error, "there is no mesh to find a skeleton in");
        return;
    }
    std::optional<rig::BindOptions> bind;
    if (state.bind_after) bind = state.bind;
    const auto work = [open, bind, choice = state.skeleton_choice,
                       path = state.document.path](Monitor& monitor) -> Job::Apply {
        const Rigged made = rigged(*open, choice, bind ? &*bind : nullptr, monitor);
        return put_rig(rigged_document(made, path), made.reason, "find skeleton");
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
        Rigged made;
        made.character = *open;
        made.character.mesh = mesh_at_rest(*open);
        const rig::BindResult bound = rig::bind(made.character.mesh, open->skeleton, bind, monitor);
        made.character.skin = bound.skin;
        made.reason = fmt::format("bound by {}: {}", rig::name_of(bound.method), bound.reason);
        return put_rig(rigged_document(made, path), made.reason, "bind");
    };
    state.job.start("Binding the skin", work);
}

}  // namespace sinew::studio
