// SPDX-License-Identifier: MIT
#include "project.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "actions.h"
#include "gait_work.h"
#include "motion_import.h"
#include "motion_layer.h"
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

/// Relative to the project, so that a folder can be moved as a whole.
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
            {"names", view.names},
            {"light", view.light},
            {"lamp", view.lamp},
            {"sticks", view.sticks}};
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
    if (found == names.end()) value->fail("\"{}\" is not a valid value", value->text());
    return found->second;
}

/// \throws Error when it is out of range.
double within(const Cursor& slot, double min, double max) {
    const double value = slot.number();
    if (value < min || value > max) slot.fail("{} is not between {} and {}", value, min, max);
    return value;
}
void read_real(const Cursor& from, const char* key, float& value, double min, double max) {
    if (const auto slot = from.find(key)) value = static_cast<float>(within(*slot, min, max));
}

constexpr double far_away = 1e9;  // at which single precision still has useful digits

void read_camera(const Cursor& from, render::OrbitCamera& camera) {
    if (const auto target = from.find("target")) {
        if (target->size() != 3) target->fail("3 numbers are needed");
        for (std::size_t i = 0; i < 3; ++i)
            camera.target[static_cast<int>(i)] =
                static_cast<float>(within(target->at(i), -far_away, far_away));
    }
    read_real(from, "heading", camera.heading, -far_away, far_away);
    read_real(from, "pitch", camera.pitch, -math::pi / 2, math::pi / 2);
    read_real(from, "distance", camera.distance, 1e-9, far_away);
    read_real(from, "fov", camera.fov, 1e-3, 3);
}

void read_view(const Cursor& from, ViewSettings& view) {
    view.mode = chosen(from, "show", render_mode_names(), view.mode);
    view.skeleton = chosen(from, "skeleton", skeleton_mode_names(), view.skeleton);
    view.coloring = chosen(from, "colour", coloring_names(), view.coloring);
    view.transparent = from.boolean("transparent", view.transparent);
    read_real(from, "opacity", view.opacity, 0, 1);
    view.floor = from.boolean("floor", view.floor);
    view.axes = from.boolean("axes", view.axes);
    view.shadows = from.boolean("shadows", view.shadows);
    view.all_boxes = from.boolean("boxes", view.all_boxes);
    view.names = from.boolean("names", view.names);
    view.light = from.boolean("light", view.light);
    read_real(from, "lamp", view.lamp, -far_away, far_away);
    view.sticks = from.boolean("sticks", view.sticks);
}

constexpr std::array key_modes = {"hold", "straight", "smooth"};

template <class Value>
Json to_json(const model::Keys<Value>& keys) {
    Json times = Json::array(), values = Json::array();
    for (std::size_t i = 0; i < keys.times.size(); ++i) times.push_back(keys.times[i]);
    for (const Value& value : keys.values) {
        if constexpr (std::is_same_v<Value, math::Quatf>)
            values.push_back(numbers(value.coeffs()));
        else
            values.push_back(numbers(value));
    }
    return {
        {"between", key_modes[static_cast<std::size_t>(keys.mode)]}, {"times", times}, {"values", values}};
}

/// The clip itself is stored in the character, with the layer applied.
Json to_json(const MotionLayer& layer, const model::Skeleton& skeleton) {
    Json joints = Json::object();
    for (const model::Track& track : layer.keys.tracks) {
        Json& row = joints[skeleton.joints[static_cast<std::size_t>(track.joint)].name];
        if (!track.rotation.empty()) row["rotation"] = to_json(track.rotation);
        if (!track.translation.empty()) row["translation"] = to_json(track.translation);
    }
    return {{"clip", layer.clip}, {"weight", layer.weight}, {"joints", joints}};
}

/// Limits of joints in degrees, which the .glb of the character cannot store; null is no limit.
Json limits_json(const model::Skeleton& skeleton) {
    Json joints = Json::object();
    for (const model::Joint& joint : skeleton.joints) {
        if (!joint.limits) continue;
        Json& row = joints[joint.name];
        row["frame"] = numbers(joint.limits->frame.coeffs());
        for (const auto& [name, bounds] :
             {std::pair("low", joint.limits->low), std::pair("high", joint.limits->high)})
            for (const double bound : bounds)
                row[name].push_back(std::isfinite(bound) ? Json(math::degrees(bound)) : Json());
    }
    return joints;
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
            if (!(offset.rotation.norm() > 0)) joint.fail("a rotation has length 0");
            offset.rotation.normalize();
        }
    }
    return pose;
}

void read_limits(const Cursor& from, model::Skeleton& skeleton) {
    for (const std::string& name : from.keys()) {
        const Cursor row = from.at(name);
        auto& limits = skeleton.joints[static_cast<std::size_t>(joint_named(row, skeleton, name))].limits;
        limits.emplace();
        if (const auto q = row.numbers("frame", 4)) limits->frame = Quatd((*q)[3], (*q)[0], (*q)[1], (*q)[2]);
        if (!(limits->frame.norm() > 0)) row.fail("a rotation has length 0");
        limits->frame.normalize();
        for (const auto& [key, bounds] : {std::pair("low", &limits->low), std::pair("high", &limits->high)}) {
            const Cursor list = row.at(key);
            if (list.size() != 3) list.fail("three numbers or nulls are needed");
            for (std::size_t i = 0; i < 3; ++i)
                if (!list.at(i).is_null())
                    (*bounds)[static_cast<Eigen::Index>(i)] = math::radians(list.at(i).number());
        }
        if ((limits->low.array() > limits->high.array()).any()) row.fail("a low limit is above the high one");
    }
}

template <class Value>
model::Keys<Value> read_keys(const Cursor& from) {
    constexpr std::size_t width = std::is_same_v<Value, math::Quatf> ? 4 : 3;
    model::Keys<Value> keys;
    const std::string between = from.text("between", "straight");
    const auto mode = std::ranges::find(key_modes, between);
    if (mode == key_modes.end()) from.fail("\"{}\" is not a valid value", between);
    keys.mode = static_cast<model::Interpolation>(mode - key_modes.begin());
    const Cursor times = from.at("times"), values = from.at("values");
    std::vector<float> list;
    for (std::size_t i = 0; i < times.size(); ++i)
        list.push_back(static_cast<float>(within(times.at(i), -far_away, far_away)));
    keys.times = model::KeyTimes::listed(std::move(list));
    if (keys.times.empty() || values.size() != keys.times.size() * keys.stride())
        from.fail("{} values do not fit {} times", values.size(), keys.times.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Cursor row = values.at(i);
        if (row.size() != width) row.fail("{} numbers are needed", width);
        Eigen::Matrix<float, static_cast<int>(width), 1> v;
        for (std::size_t c = 0; c < width; ++c)
            v[static_cast<Eigen::Index>(c)] = static_cast<float>(within(row.at(c), -far_away, far_away));
        if constexpr (width == 4)
            keys.values.emplace_back(math::Quatf(v));
        else
            keys.values.emplace_back(v);
    }
    return keys;
}

std::shared_ptr<const MotionLayer> read_layer(const Cursor& from, const model::Character& character) {
    auto layer = std::make_shared<MotionLayer>();
    const std::uint64_t clip = from.at("clip").integer();
    if (clip >= character.clips.size()) from.fail("there is no clip {}", clip);
    layer->clip = static_cast<int>(clip);
    layer->weight = std::clamp(from.number("weight", 1), 0.0, 1.0);
    const Cursor joints = from.at("joints");
    for (const std::string& name : joints.keys()) {
        model::Track track;
        track.joint = joint_named(joints, character.skeleton, name);
        const Cursor row = joints.at(name);
        if (const auto keys = row.find("rotation")) track.rotation = read_keys<math::Quatf>(*keys);
        if (const auto keys = row.find("translation")) track.translation = read_keys<Vec3f>(*keys);
        layer->keys.tracks.push_back(std::move(track));
    }
    std::ranges::sort(layer->keys.tracks, {}, &model::Track::joint);
    model::validate(layer->keys, character.skeleton.size(), 0, from.location());
    layer->base = without_layer(character.skeleton, character.clips[clip], *layer);
    return layer;
}

/// The motion to map again; if its file is missing, or its path is not allowed, only this is lost.
void read_motion(const Cursor& from, const io::Companions& companions, const io::ReadOptions& options,
                 Document& document, Monitor& monitor) {
    auto motion = std::make_shared<ImportedMotion>();
    const fs::path path = companions.root / from.at("file").text();
    if (!companions.may_hold(path)) {
        warn(monitor, "outside-folder",
             "{} lies outside the folder of the project and was not read: its clips are unchanged",
             path.lexically_normal().string());
        return;
    }
    if (!fs::exists(path)) {
        warn(monitor, "motion-missing", "{} does not exist any more: its clips are unchanged", path.string());
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

/// Changes of events by the user: "left foot strike@1.24", and the new time of a moved one.
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

/// The file of a document in a project, written unless the document has its own.
fs::path write_document(const Document& document, const fs::path& path, Monitor& monitor) {
    if (document.trial || document.sequence) {
        if (document.path.empty())
            fail(path.string(), "the open character is not in a file yet: export it first");
        return document.path;
    }
    io::Asset asset;
    asset.character = *document.character;
    io::write(path, asset, {}, monitor);
    return path;
}

/// All characters of the scene, and which of them is the character of the project.
Json write_cast(const Cast& cast, const fs::path& project, Monitor& monitor) {
    Json list = Json::array();
    for (std::size_t i = 0; i < cast.actors.size(); ++i) {
        const Actor* actor = cast.actors[i].get();
        const Vec3d& shift = actor != nullptr ? actor->shift : cast.shift;
        Json row = {{"hidden", actor != nullptr ? actor->hidden : cast.hidden}, {"shift", numbers(shift)}};
        if (actor != nullptr) {
            const fs::path own = fs::path(project).concat(fmt::format(".{}.glb", i + 1));
            row["character"] = relative_to(project, write_document(actor->document, own, monitor));
            row["clip"] = actor->clip;
            row["pose"] = to_json(actor->pose, actor->document.character->skeleton);
        }
        list.push_back(std::move(row));
    }
    return list;
}

fs::path named_file(const Cursor& from, const io::Companions& companions) {
    const fs::path file = companions.root / from.at("character").text();
    if (!companions.may_hold(file))
        from.at("character")
            .fail("{} lies outside the folder of the project: move it there, or open with --allow-outside",
                  file.lexically_normal().string());
    return file;
}

Cast read_cast(const Cursor& from, const io::Companions& companions, const io::ReadOptions& options,
               Monitor& monitor) {
    Cast cast;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const Cursor row = from.at(i);
        Actor actor;
        actor.hidden = row.boolean("hidden", false);
        if (const auto shift = row.numbers("shift", 3))
            actor.shift = Vec3d((*shift)[0], (*shift)[1], (*shift)[2]);
        if (!row.has("character")) {
            cast.active = static_cast<int>(i);
            cast.hidden = actor.hidden;
            cast.shift = actor.shift;
            cast.actors.push_back(nullptr);
            continue;
        }
        actor.document = open_document(named_file(row, companions), options, monitor);
        const auto clips = static_cast<double>(actor.document.character->clips.size());
        actor.clip = static_cast<int>(std::clamp(row.number("clip", -1), -1.0, clips - 1));
        if (const auto pose = row.find("pose"))
            actor.pose = read_pose(*pose, actor.document.character->skeleton);
        cast.actors.push_back(std::make_shared<const Actor>(std::move(actor)));
    }
    if (std::ranges::count_if(cast.actors, [](const auto& actor) { return actor == nullptr; }) != 1)
        from.fail("exactly one of the characters has no file of its own: the one of the project");
    return cast;
}

}  // namespace

Project project_of(const State& state) {
    const model::Clip* clip = state.playing_clip();
    return {state.document,      state.camera,         state.view,
            state.skin,          state.read,           clip != nullptr ? clip->name : "",
            state.timeline.time, state.timeline.speed, state.timeline.loop,
            state.pose,          state.cast,           state.views};
}

void save_project(const Project& project, const fs::path& path, Monitor& monitor) {
    const Document& document = project.document;
    if (document.empty()) fail(path.string(), "nothing is open, so there is nothing to save");
    const fs::path character = write_document(document, fs::path(path).concat(".glb"), monitor);
    Json json = {{"sinew-project", version},
                 {"character", relative_to(path, character)},
                 {"units", project.read.units},
                 {"up", project.read.up},
                 {"fps", project.read.rate},
                 {"camera", to_json(project.camera)},
                 {"view", to_json(project.view)},
                 {"skinning", deform::name(project.skin.method)},
                 {"close-gaps", project.skin.close_gaps},
                 {"correction", deform::name(project.skin.correction)},
                 {"clip", project.clip},
                 {"time", project.time},
                 {"speed", project.speed},
                 {"loop", project.loop},
                 {"pose", to_json(project.pose, document.character->skeleton)}};
    if (!document.path.empty()) json["source"] = fs::absolute(document.path).string();
    if (Json limits = limits_json(document.character->skeleton); !limits.empty()) json["limits"] = limits;
    if (document.layer) json["layer"] = to_json(*document.layer, document.character->skeleton);
    if (document.motion) json["motion"] = to_json(*document.motion, document.character->skeleton, path);
    if (document.gait && !document.gait->edits.empty()) json["gait-events"] = to_json(document.gait->edits);
    if (document.checklist) json["checklist"] = gait::to_text(*document.checklist);
    if (!project.cast.actors.empty()) json["scene"] = write_cast(project.cast, path, monitor);
    for (const SavedView& view : project.views) {
        Json row = to_json(view.camera);
        row["name"] = view.name;
        json["views"].push_back(std::move(row));
    }
    const io::Companions companions = io::companions_of(path, {});
    for (const fs::path& named : {character, document.motion ? document.motion->source.path : fs::path()}) {
        if (!named.empty() && !companions.may_hold(named))
            warn(monitor, "outside-folder",
                 "the project names {}, which lies outside its folder: open it with --allow-outside",
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
    if (tree.is_discarded() || !tree.is_object()) fail(name, "not a studio project: it is not a JSON object");
    const Cursor root(tree, name, "");
    if (!root.has("sinew-project")) fail(name, "not a studio project: \"sinew-project\" is missing");
    if (const auto found = root.at("sinew-project").integer(); found != version)
        fail(name, "project version {} is not supported, only {}", found, version);
    Project project;
    project.read.units = root.text("units");
    project.read.up = root.text("up");
    project.read.rate = root.number("fps", 0);
    project.read.allow_outside = allow_outside;
    const io::Companions companions = io::companions_of(path, project.read);
    project.document = open_document(named_file(root, companions), project.read, monitor);
    if (const auto limits = root.find("limits")) {
        model::Character character = *project.document.character;
        read_limits(*limits, character.skeleton);
        project.document.character = std::make_shared<const model::Character>(std::move(character));
    }
    if (const auto camera = root.find("camera")) read_camera(*camera, project.camera);
    if (const auto view = root.find("view")) read_view(*view, project.view);
    project.skin.method = chosen(root, "skinning", method_names(), project.skin.method);
    project.skin.correction = chosen(root, "correction", correction_names(), project.skin.correction);
    project.skin.close_gaps = root.boolean("close-gaps", false);
    project.clip = root.text("clip");
    if (const auto time = root.find("time")) project.time = within(*time, -far_away, far_away);
    if (const auto speed = root.find("speed")) project.speed = within(*speed, -100, 100);
    project.loop = root.boolean("loop", true);
    if (const auto pose = root.find("pose"))
        project.pose = read_pose(*pose, project.document.character->skeleton);
    if (const auto layer = root.find("layer"))
        project.document.layer = read_layer(*layer, *project.document.character);
    if (const auto events = root.find("gait-events")) {
        auto gait = std::make_shared<GaitWork>();
        gait->edits = read_edits(*events);
        project.document.gait = gait;
    }
    if (const auto sheet = root.find("checklist"))
        project.document.checklist =
            std::make_shared<const gait::Checklist>(gait::parse_checklist(sheet->text(), name));
    if (const auto scene = root.find("scene"))
        project.cast = read_cast(*scene, companions, project.read, monitor);
    if (const auto views = root.find("views"))
        for (std::size_t i = 0; i < views->size(); ++i) {
            SavedView view;
            view.name = views->at(i).text("name");
            read_camera(views->at(i), view.camera);
            project.views.push_back(std::move(view));
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
    state.cast = project.cast;
    state.views = project.views;
    state.frame_wanted = false;
    state.camera_mode = {};
    const auto& clips = state.character().clips;
    const auto found = std::ranges::find(clips, project.clip, &model::Clip::name);
    if (!project.document.sequence)
        choose_clip(state, found == clips.end() ? -1 : static_cast<int>(found - clips.begin()));
    state.timeline.speed = project.speed;
    state.timeline.loop = project.loop;
    seek(state.timeline, project.time);
    mark_saved(state);
}

}  // namespace sinew::studio
