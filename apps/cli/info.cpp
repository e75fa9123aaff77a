// SPDX-License-Identifier: MIT
// sinew info: the content of a file.

#include <algorithm>

#include "common.h"

#include "sinew/base/error.h"
#include "sinew/deform/deformer.h"
#include "sinew/geometry/topology.h"

namespace sinew::cli {
namespace {

std::string kind_of(const io::Asset& asset) {
    if (!asset.sequence.empty()) return "sequence";
    if (!asset.trial.empty()) return "trial";
    if (!asset.cycle.empty()) return "gait cycle";
    const model::Character& c = asset.character;
    if (c.has_mesh()) return c.has_skin() ? "character" : "mesh";
    if (!c.clips.empty()) return "motion";
    if (!asset.channels.empty()) return "channels";
    return c.has_skeleton() ? "skeleton" : "empty";
}

/// The box that a viewer shows: if the rest pose differs from the bind pose, the numbers of the mesh itself
/// are not useful.
geometry::Box box_at_rest(const model::Character& character) {
    const geometry::Box own = geometry::bounds(character.mesh.positions);
    if (!character.has_skin()) return own;
    try {
        deform::Deformer deformer(character, {.method = deform::Method::lbs, .normals = false});
        const geometry::Box seen = geometry::bounds(deformer.at(nullptr, 0).positions);
        const float far = std::max((seen.low - own.low).norm(), (seen.high - own.high).norm());
        return far > 1e-4f * own.diagonal() ? seen : own;
    } catch (const Error&) {
        return own;  // no joint moves the vertices
    }
}

void describe_surface(Json& json, const geometry::Mesh& mesh, const geometry::Box& box) {
    const geometry::Topology t = geometry::topology(mesh);
    json["closed"] = t.closed;
    json["manifold"] = t.manifold;
    json["oriented"] = t.oriented;
    json["genus"] = t.genus ? Json(*t.genus) : Json(nullptr);
    json["components"] = t.components;
    json["border_loops"] = t.border_loops;
    json["nonmanifold_vertices"] = t.nonmanifold_vertices.size();
    json["nonmanifold_edges"] = Json::array();
    for (const auto& [a, b] : t.nonmanifold_edges) json["nonmanifold_edges"].push_back({a, b});
    json["duplicate_vertices"] = t.duplicate_vertices;
    json["isolated_vertices"] = t.isolated_vertices;
    json["degenerate_faces"] = t.degenerate_faces;
    json["volume"] = geometry::signed_volume(mesh.positions, mesh.triangles);
    json["low"] = {box.low.x(), box.low.y(), box.low.z()};
    json["high"] = {box.high.x(), box.high.y(), box.high.z()};
}

void describe_skin(Json& json, const model::Character& character) {
    const model::Skin& skin = character.skin;
    std::size_t largest = 0;
    for (std::size_t v = 0; v < skin.vertex_count(); ++v) largest = std::max(largest, skin.of(v).size());
    json["influence_sets"] = character.has_skin() ? model::group_by_influences(skin, nullptr).sets.size() : 0;
    json["max_influences"] = largest;
}

void describe_clips(Json& json, const model::Character& character) {
    json["clips"] = character.clips.size();
    json["clip_list"] = Json::array();
    for (const model::Clip& clip : character.clips) {
        json["clip_list"].push_back({{"name", clip.name},
                                     {"frames", model::frame_count(clip)},
                                     {"fps", model::frame_rate(clip, 0)},
                                     {"seconds", model::time_range(clip).duration()}});
    }
    json["frames"] = character.clips.empty() ? 0 : model::frame_count(character.clips[0]);
    json["fps"] = character.clips.empty() ? 0.0 : model::frame_rate(character.clips[0], 0);
}

/// Percentage of missing marker samples.
double gaps(const model::Points& points) {
    if (points.residuals.empty()) return 0;
    const auto missing = std::count_if(points.residuals.begin(), points.residuals.end(),
                                       [](float residual) { return residual < 0; });
    return 100.0 * static_cast<double>(missing) / static_cast<double>(points.residuals.size());
}

void describe_trial(Json& json, const model::Trial& trial) {
    json["markers"] = trial.markers.count();
    if (trial.empty()) return;
    json["frames"] = trial.frames;
    json["fps"] = trial.rate;
    json["first_frame"] = trial.first_frame;
    json["unit"] = trial.unit;
    json["gap_percent"] = gaps(trial.markers);
    json["marker_list"] = Json::array();
    for (const model::PointInfo& info : trial.markers.info) json["marker_list"].push_back(info.label);
    json["model_outputs"] = Json::array();
    for (const model::PointInfo& info : trial.outputs.info) {
        json["model_outputs"].push_back(
            {{"label", info.label}, {"kind", name_of(info.kind)}, {"unit", info.unit}});
    }
    json["analog_channels"] = Json::array();
    for (const model::AnalogChannel& channel : trial.analog.channels) {
        json["analog_channels"].push_back({{"label", channel.label}, {"unit", channel.unit}});
    }
    json["analog_fps"] =
        trial.analog.empty() ? 0 : trial.rate * static_cast<double>(trial.analog.samples_per_frame);
    json["force_platforms"] = trial.platforms.size();
    json["rotations"] = trial.rotations.labels.size();
    json["events"] = Json::array();
    for (const model::Event& event : trial.events) {
        json["events"].push_back({{"label", event.label}, {"context", event.context}, {"time", event.time}});
    }
}

Json describe(const io::Asset& asset) {
    const model::Character& character = asset.character;
    const bool sequence = !asset.sequence.empty();
    const geometry::Mesh& mesh = sequence ? asset.sequence.rest : character.mesh;
    Json json;
    json["kind"] = kind_of(asset);
    json["vertices"] = mesh.vertex_count();
    json["triangles"] = mesh.triangles.size();
    json["parts"] = mesh.empty() ? 0 : geometry::parts_of(mesh).size();
    json["materials"] = mesh.materials.size();
    json["images"] = mesh.images.size();
    json["morphs"] = mesh.morphs.size();
    json["joints"] = character.skeleton.size();
    describe_clips(json, character);
    if (sequence) {
        json["frames"] = asset.sequence.frames.size();
        json["fps"] = asset.sequence.rate;
    }
    describe_trial(json, asset.trial);
    if (!asset.cycle.empty()) {
        json["variables"] = Json::array();
        for (const model::GaitVariable& variable : asset.cycle.variables) {
            json["variables"].push_back(fmt::format("{}{}", name_of(variable.side), variable.name));
        }
    }
    json["channels"] = asset.channels.channels.size();
    describe_skin(json, character);
    if (!mesh.empty())
        describe_surface(json, mesh, sequence ? geometry::bounds(mesh.positions) : box_at_rest(character));
    json["guesses"] = Json::array();
    for (const io::Guess& guess : asset.guesses) {
        json["guesses"].push_back(
            {{"subject", guess.subject}, {"value", guess.value}, {"reason", guess.reason}});
    }
    return json;
}

void print_trial(const Run& run, const Json& json, const model::Trial& trial) {
    run.say("  trial       {} at {:.6g} Hz, {:.3f} s, first frame {}", count_of(trial.frames, "frame"),
            trial.rate, trial.duration(), trial.first_frame);
    run.say("  markers     {} in {}, {:.3g} % of the samples missing", trial.markers.count(), trial.unit,
            json["gap_percent"].get<double>());
    if (!trial.outputs.empty()) run.say("  outputs     {} curves of a model", trial.outputs.count());
    if (!trial.analog.empty()) {
        run.say("  analog      {} at {:.6g} Hz", count_of(trial.analog.count(), "channel"),
                json["analog_fps"].get<double>());
    }
    if (!trial.platforms.empty()) run.say("  force       {}", count_of(trial.platforms.size(), "platform"));
    for (const model::Event& event : trial.events) {
        run.say("  event       {:8.3f} s  {} {}", event.time, event.context, event.label);
    }
}

void print(const Run& run, const std::string& file, const Json& json, const io::Asset& asset) {
    run.say("{}: {}", file, json["kind"].get<std::string>());
    if (json["vertices"] > 0) {
        run.say("  surface     {}, {}, {}", count_of(json["vertices"], "vertex"),
                count_of(json["triangles"], "triangle"), count_of(json["components"], "shell"));
        const std::size_t nonmanifold = json["nonmanifold_edges"].size();
        const std::string why = nonmanifold > 0 ? count_of(nonmanifold, "edge")
                                                : count_of(json["nonmanifold_vertices"], "vertex");
        run.say("              {}, {}{}",
                json["closed"].get<bool>() ? "closed" : count_of(json["border_loops"], "border loop"),
                json["manifold"].get<bool>() ? "manifold" : fmt::format("not manifold ({})", why),
                json["genus"].is_null() ? "" : fmt::format(", genus {}", json["genus"].get<int>()));
        for (std::size_t i = 0; i < std::min<std::size_t>(3, nonmanifold); ++i) {
            run.say("              non-manifold edge between vertices {} and {}",
                    json["nonmanifold_edges"][i][0].get<int>(), json["nonmanifold_edges"][i][1].get<int>());
        }
        const auto corner = [&](const char* name) {
            const Json& at = json[name];
            return geometry::Vec3f(at[0], at[1], at[2]);
        };
        const geometry::Vec3f low = corner("low"), high = corner("high"), size = high - low;
        run.say(
            "  size        {:.4g} x {:.4g} x {:.4g}, from ({:.4g}, {:.4g}, {:.4g}) to ({:.4g}, {:.4g}, "
            "{:.4g})",
            size.x(), size.y(), size.z(), low.x(), low.y(), low.z(), high.x(), high.y(), high.z());
    }
    if (json["joints"] > 0) run.say("  skeleton    {}", count_of(json["joints"], "joint"));
    if (json["influence_sets"] > 0) {
        run.say("  skin        {}, at most {} per vertex", count_of(json["influence_sets"], "influence set"),
                count_of(json["max_influences"], "joint"));
    }
    for (const Json& clip : json["clip_list"]) {
        const double rate = clip["fps"].get<double>();  // a single pose has none
        run.say("  clip        \"{}\": {}{}, {:.3f} s", clip["name"].get<std::string>(),
                count_of(clip["frames"], "frame"), rate > 0 ? fmt::format(" at {:.6g} fps", rate) : "",
                clip["seconds"].get<double>());
    }
    if (!asset.trial.empty()) print_trial(run, json, asset.trial);
    if (!asset.cycle.empty()) run.say("  variables   {}", asset.cycle.variables.size());
    if (!asset.sequence.empty()) {
        run.say("  sequence    {} at {:.6g} fps", count_of(json["frames"], "frame"),
                json["fps"].get<double>());
    }
    for (const io::Guess& guess : asset.guesses) {
        run.say("  guessed     {}: {}, because {}; --{} overrides", guess.subject, guess.value, guess.reason,
                guess.subject);
    }
    for (const geometry::Material& material : asset.character.mesh.materials) {
        run.say("  material    \"{}\"{}", material.name,
                material.base_color_texture.used() ? ", textured" : "");
    }
}

}  // namespace

void add_info(Program& program) {
    struct Options {
        std::vector<std::filesystem::path> files;
        io::ReadOptions read;
    };
    auto options = std::make_shared<Options>();
    CLI::App& verb =
        program.verb("info", "Show what files contain: mesh, skeleton, skin, clips, markers, events, sizes",
                     "  sinew info character.glb walk.bvh\n"
                     "  sinew info scan.ply --units mm --up z\n"
                     "  sinew info character.glb --json",
                     [options](Run& run) {
                         Json files = Json::array();
                         for (const std::filesystem::path& path : options->files) {
                             const io::Asset asset = load(run, path, options->read);
                             Json json = describe(asset);
                             print(run, path.string(), json, asset);
                             if (options->files.size() == 1) run.report.extra = json;
                             Json named{{"file", path.string()}};
                             named.update(json);
                             files.push_back(std::move(named));
                         }
                         run.report.extra["files"] = std::move(files);
                     });
    verb.add_option("files", options->files, "Meshes, characters, motions, trials or folders of frames")
        ->required()
        ->type_name("FILE...");
    add_read_options(verb, options->read);
}

}  // namespace sinew::cli
