// SPDX-License-Identifier: MIT
#include "project.h"

#include "actions.h"
#include "gait_work.h"
#include "motion_import.h"
#include "view_names.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/report.h"
#include "sinew/io/interchange.h"

namespace sinew::studio {
namespace {

namespace fs = std::filesystem;
using Cursor = io::JsonCursor;

constexpr int version = 1;

template <class Vector>
Json numbers(const Vector& v) {
    Json list = Json::array();
    for (Eigen::Index i = 0; i < v.size(); ++i) list.push_back(v[i]);
    return list;
}

/// As seen from the project, so that a folder can be moved as a whole.
std::string relative_to(const fs::path& project, const fs::path& file) {
    const fs::path home = fs::absolute(project).parent_path();
    const fs::path relative = fs::absolute(file).lexically_relative(home);
    return (relative.empty() ? fs::absolute(file) : relative).generic_string();
}

Json to_json(const render::OrbitCamera& camera) {
    return {{"target", numbers(camera.target)},
            {"heading", camera.heading},
            {"pitch", camera.pitch},
            {"distance", camera.distance},
            {"fov", camera.fov}};
}

Json to_json(const ViewSettings& view) {
    return {{"show", name_in(render_mode_names(), view.mode)},
            {"skeleton", name_in(skeleton_mode_names(), view.skeleton)},
            {"colour", name_in(coloring_names(), view.coloring)},
            {"transparent", view.transparent},
            {"opacity", view.opacity},
            {"floor", view.floor},
            {"axes", view.axes},
            {"shadows", view.shadows},
            {"boxes", view.all_boxes},
            {"names", view.names}};
}

Json to_json(const PoseLayer& pose, const model::Skeleton& skeleton) {
    Json joints = Json::object();
    for (const auto& [joint, offset] : pose.offsets) {
        if (static_cast<std::size_t>(joint) >= skeleton.size()) continue;
        joints[skeleton.joints[static_cast<std::size_t>(joint)].name] = {
            {"translation", numbers(offset.translation)},
            {"rotation", numbers(offset.rotation.coeffs())},
            {"scale", numbers(offset.scale)}};
    }
    return joints;
}

Json to_json(const ImportedMotion& motion, const model::Skeleton& skeleton, const fs::path& project) {
    Json map = Json::object();
    for (std::size_t joint = 0; joint < motion.map.size(); ++joint)
        if (motion.map[joint] >= 0)
            map[skeleton.joints[joint].name] =
                motion.source.character.skeleton.joints[static_cast<std::size_t>(motion.map[joint])].name;
    return {
        {"file", relative_to(project, motion.source.path)}, {"first-clip", motion.first_clip}, {"map", map}};
}

Names<deform::Method> method_names() {
    Names<deform::Method> names;
    for (const deform::MethodInfo& info : deform::methods()) names.emplace(info.name, info.method);
    return names;
}

template <class Value>
Value chosen(const Cursor& from, const char* key, const Names<Value>& names, Value fallback) {
    const auto value = from.find(key);
    if (!value) return fallback;
    const auto found = names.find(value->text());
    if (found == names.end()) value->fail("there is no choice \"{}\" here", value->text());
    return found->second;
}

void read_camera(const Cursor& from, render::OrbitCamera& camera) {
    if (const auto target = from.numbers("target", 3))
        for (int i = 0; i < 3; ++i)
            camera.target[i] = static_cast<float>((*target)[static_cast<std::size_t>(i)]);
    camera.heading = static_cast<float>(from.number("heading", camera.heading));
    camera.pitch = static_cast<float>(from.number("pitch", camera.pitch));
    camera.distance = static_cast<float>(from.number("distance", camera.distance));
    camera.fov = static_cast<float>(from.number("fov", camera.fov));
}

void read_view(const Cursor& from, ViewSettings& view) {
    view.mode = chosen(from, "show", render_mode_names(), view.mode);
    view.skeleton = chosen(from, "skeleton", skeleton_mode_names(), view.skeleton);
    view.coloring = chosen(from, "colour", coloring_names(), view.coloring);
    view.transparent = from.boolean("transparent", view.transparent);
    view.opacity = static_cast<float>(from.number("opacity", view.opacity));
    view.floor = from.boolean("floor", view.floor);
    view.axes = from.boolean("axes", view.axes);
    view.shadows = from.boolean("shadows", view.shadows);
    view.all_boxes = from.boolean("boxes", view.all_boxes);
    view.names = from.boolean("names", view.names);
}

int joint_named(const Cursor& from, const model::Skeleton& skeleton, const std::string& name) {
    const int joint = skeleton.find(name);
    if (joint < 0) from.fail("the skeleton has no joint \"{}\"", name);
    return joint;
}

PoseLayer read_pose(const Cursor& from, const model::Skeleton& skeleton) {
    PoseLayer pose;
    for (const std::string& name : from.keys()) {
        const Cursor joint = from.at(name);
        Transform& offset = pose.offsets[joint_named(joint, skeleton, name)];
        if (const auto t = joint.numbers("translation", 3))
            offset.translation = Vec3d((*t)[0], (*t)[1], (*t)[2]);
        if (const auto s = joint.numbers("scale", 3)) offset.scale = Vec3d((*s)[0], (*s)[1], (*s)[2]);
        if (const auto r = joint.numbers("rotation", 4)) {
            offset.rotation = Quatd((*r)[3], (*r)[0], (*r)[1], (*r)[2]);
            if (!(offset.rotation.norm() > 0)) joint.fail("the rotation is 0");
            offset.rotation.normalize();
        }
    }
    return pose;
}

/// The motion to map again; a file that is gone, or lies where it may not, costs only this.
void read_motion(const Cursor& from, const io::Companions& companions, const io::ReadOptions& options,
                 Document& document, Monitor& monitor) {
    auto motion = std::make_shared<ImportedMotion>();
    const fs::path path = companions.root / from.at("file").text();
    if (!companions.may_hold(path)) {
        warn(monitor, "outside-folder",
             "{} lies outside the folder of the project and was left alone: its clips stay as they are",
             path.lexically_normal().string());
        return;
    }
    if (!fs::exists(path)) {
        warn(monitor, "motion-missing", "{} is not there any more: its clips stay as they are",
             path.string());
        return;
    }
    motion->source = pipeline::load_motion(path, {options, {}}, monitor);
    motion->first_clip = from.integer("first-clip", 0);
    motion->map.assign(document.character->skeleton.size(), -1);
    if (const auto map = from.find("map"))
        for (const std::string& target : map->keys())
            motion->map[static_cast<std::size_t>(joint_named(*map, document.character->skeleton, target))] =
                joint_named(*map, motion->source.character.skeleton, map->at(target).text());
    document.motion = motion;
    motion->by_itself = motion->map == map_by_itself(document);
}

/// Changes of events by a person: "left foot strike@1.24", and where a moved one went.
Json to_json(const std::vector<gait::EventEdit>& edits) {
    Json list = Json::array();
    for (const gait::EventEdit& edit : edits) {
        Json row = {{"event", event_text(edit.event)}, {"action", name_of(edit.action)}};
        if (edit.action == gait::EventEdit::Action::move) row["to"] = edit.to;
        list.push_back(std::move(row));
    }
    return list;
}

std::vector<gait::EventEdit> read_edits(const Cursor& from) {
    std::vector<gait::EventEdit> edits;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const Cursor row = from.at(i);
        gait::EventEdit edit;
        edit.event = gait::parse_event(row.at("event").text());
        const std::string action = row.at("action").text();
        using Action = gait::EventEdit::Action;
        for (const Action known : {Action::add, Action::remove, Action::move})
            if (action == name_of(known)) edit.action = known;
        edit.to = row.number("to", 0);
        edits.push_back(edit);
    }
    return edits;
}

}  // namespace

Project project_of(const State& state) {
    const model::Clip* clip = state.playing_clip();
    return {state.document,      state.camera,         state.view,
            state.skin,          state.read,           clip != nullptr ? clip->name : "",
            state.timeline.time, state.timeline.speed, state.timeline.loop,
            state.pose};
}

void save_project(const Project& project, const fs::path& path, Monitor& monitor) {
    const Document& document = project.document;
    if (document.empty()) fail(path.string(), "nothing is open that could be kept");
    const bool own_file = document.trial || document.sequence;
    if (own_file && document.path.empty())
        fail(path.string(), "what is open is in no file yet: export it first");
    const fs::path character = own_file ? document.path : fs::path(path).concat(".glb");
    if (!own_file) {
        io::Asset asset;
        asset.character = *document.character;
        io::write(character, asset, {}, monitor);
    }
    Json json = {{"sinew-project", version},
                 {"character", relative_to(path, character)},
                 {"units", project.read.units},
                 {"up", project.read.up},
                 {"fps", project.read.rate},
                 {"camera", to_json(project.camera)},
                 {"view", to_json(project.view)},
                 {"skinning", deform::name(project.skin.method)},
                 {"close-gaps", project.skin.close_gaps},
                 {"clip", project.clip},
                 {"time", project.time},
                 {"speed", project.speed},
                 {"loop", project.loop},
                 {"pose", to_json(project.pose, document.character->skeleton)}};
    if (!document.path.empty()) json["source"] = fs::absolute(document.path).string();
    if (document.motion) json["motion"] = to_json(*document.motion, document.character->skeleton, path);
    if (document.gait && !document.gait->edits.empty()) json["gait-events"] = to_json(document.gait->edits);
    const io::Companions companions = io::companions_of(path, {});
    for (const fs::path& named : {character, document.motion ? document.motion->source.path : fs::path()}) {
        if (!named.empty() && !companions.may_hold(named))
            warn(monitor, "outside-folder",
                 "the project names {}, which lies outside its folder: it opens only with --allow-outside",
                 fs::absolute(named).string());
    }
    write_file(path, json_text(json) + "\n");
}

fs::path source_of(const fs::path& project) {
    try {
        const FileView file(project);
        const Json json = Json::parse(file.text(), nullptr, false);
        return json.is_object() ? fs::path(json.value("source", std::string())) : fs::path();
    } catch (const std::exception&) {
        return {};
    }
}

Project load_project(const fs::path& path, Monitor& monitor, bool allow_outside) {
    const FileView file(path);
    const Cursor::Tree tree = Cursor::Tree::parse(file.text(), nullptr, false);
    const std::string name = path.string();
    if (tree.is_discarded() || !tree.is_object()) fail(name, "this is no project: no JSON object");
    const Cursor root(tree, name, "");
    if (!root.has("sinew-project")) fail(name, "this is no project: it lacks \"sinew-project\"");
    if (const auto found = root.at("sinew-project").integer(); found != version)
        fail(name, "version {} of projects is not known here, only {}", found, version);
    Project project;
    project.read.units = root.text("units");
    project.read.up = root.text("up");
    project.read.rate = root.number("fps", 0);
    project.read.allow_outside = allow_outside;
    const io::Companions companions = io::companions_of(path, project.read);
    const fs::path character = companions.root / root.at("character").text();
    if (!companions.may_hold(character))
        root.at("character")
            .fail("{} lies outside the folder of the project: move it there, or open with --allow-outside",
                  character.lexically_normal().string());
    project.document = open_document(character, project.read, monitor);
    if (const auto camera = root.find("camera")) read_camera(*camera, project.camera);
    if (const auto view = root.find("view")) read_view(*view, project.view);
    project.skin.method = chosen(root, "skinning", method_names(), project.skin.method);
    project.skin.close_gaps = root.boolean("close-gaps", false);
    project.clip = root.text("clip");
    project.time = root.number("time", 0);
    project.speed = root.number("speed", 1);
    project.loop = root.boolean("loop", true);
    if (const auto pose = root.find("pose"))
        project.pose = read_pose(*pose, project.document.character->skeleton);
    if (const auto events = root.find("gait-events")) {
        auto gait = std::make_shared<GaitWork>();
        gait->edits = read_edits(*events);
        project.document.gait = gait;
    }
    if (const auto motion = root.find("motion"))
        read_motion(*motion, companions, project.read, project.document, monitor);
    return project;
}

void show(State& state, const Project& project) {
    show(state, project.document);
    state.view = project.view;
    state.skin = project.skin;
    state.read = project.read;
    state.pose = project.pose;
    state.camera = project.camera;
    state.frame_wanted = false;
    state.camera_mode = {};
    const auto& clips = state.character().clips;
    const auto found = std::ranges::find(clips, project.clip, &model::Clip::name);
    if (!project.document.sequence)
        choose_clip(state, found == clips.end() ? -1 : static_cast<int>(found - clips.begin()));
    state.timeline.speed = project.speed;
    state.timeline.loop = project.loop;
    seek(state.timeline, project.time);
}

}  // namespace sinew::studio
