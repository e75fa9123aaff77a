// SPDX-License-Identifier: MIT
#include "close_gaps.h"

#include <algorithm>
#include <cmath>

#include "sinew/articulated/figure.h"
#include "sinew/articulated/gaps.h"
#include "sinew/base/error.h"
#include "sinew/geometry/mesh.h"
#include "sinew/geometry/topology.h"
#include "sinew/model/channels.h"
#include "sinew/render/figures.h"
#include "sinew/rig/segment.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

bool is_clip_file(const std::string& name) {
    return name.ends_with(".clip") && fs::exists(name);
}

/// A body and the transforms of its parts over time.
struct Moving {
    articulated::PartBody body;
    articulated::PartMotion motion;
};

/// Channels of the file that --clip names.
model::ChannelSet read_channels(Run& run, const CloseGapsJob& job) {
    io::Asset asset = load(run, job.instant.clip, job.read);
    if (asset.channels.empty()) fail(job.instant.clip, "holds no channels");
    return asset.channels;
}

bool wants_all(const CloseGapsJob& job, bool has_motion) {
    const io::Format* const format = io::find_format(job.output);
    const bool animated = format != nullptr && format->family == io::Family::scene &&
                          io::holds(format->writes, io::Content::sequence);
    return has_motion && !job.instant.given() && (!job.output.has_extension() || animated);
}

std::vector<double> times_of(const CloseGapsJob& job, const model::Clip* clip) {
    if (!wants_all(job, clip != nullptr)) return {seconds_of(job.instant, clip)};
    std::vector<double> times;
    for (std::size_t f = 0; f < model::frame_count(*clip); ++f) times.push_back(model::frame_time(*clip, f));
    return times;
}

Moving move_character(Run& run, const model::Character& character, const CloseGapsJob& job) {
    model::Clip from_file;
    const model::Clip* clip = nullptr;
    if (is_clip_file(job.instant.clip)) {
        from_file = model::clip_of(read_channels(run, job), character.skeleton, {}, run.monitor).clip;
        clip = &from_file;
    } else {
        clip = clip_named(character, job.instant.clip);
    }
    articulated::RigidPartsOfSkin parts = articulated::rigid_parts_of_skin(character, run.monitor);
    Moving moving;
    moving.motion.name = clip == nullptr ? "rest" : clip->name;
    moving.motion.rate = clip == nullptr ? 30 : model::frame_rate(*clip);
    double stretch = 0;
    for (const double time : times_of(job, clip)) {
        const auto world = model::world_matrices(character, clip, time);
        moving.motion.frames.push_back(
            articulated::part_transforms(parts, model::palette(character.skin, world), &stretch));
    }
    if (stretch > 1e-3)
        warn(run.monitor, "parts-stretch", "scales of the joints are left out: parts are rigid");
    moving.body = std::move(parts.body);
    return moving;
}

/// The hierarchy file beside a mesh, or the one that was named.
fs::path hierarchy_path(const CloseGapsJob& job) {
    return job.read.skeleton.empty() ? fs::path(job.input).replace_extension(".skel") : job.read.skeleton;
}
io::Asset find_hierarchy(Run& run, const CloseGapsJob& job) {
    const fs::path path = hierarchy_path(job);
    return fs::exists(path) || !job.read.skeleton.empty() ? load(run, path, job.read) : io::Asset{};
}

/// Errors name the hierarchy that does not fit, or the mesh.
rig::PartBody parts_of(Run& run, const geometry::Mesh& mesh, const model::Skeleton& hierarchy,
                       const CloseGapsJob& job) {
    rig::PartBodyOptions options;
    if (!hierarchy.empty()) options.hierarchy = &hierarchy;
    try {
        return rig::part_body(mesh, options, run.monitor);
    } catch (const Error& error) {
        fail(hierarchy.empty() ? job.input.string() : hierarchy_path(job).string(), "{}", error.reason());
    }
}

/// Parts in the order of the joints of a hierarchy file.
std::vector<int> parts_by_number(const geometry::CutMesh& cut, const model::Skeleton& hierarchy) {
    if (hierarchy.empty()) return {};
    const rig::PartHierarchy joined = rig::join_hierarchy(cut, hierarchy);
    const std::vector<int> numbers = model::depth_first_numbers(hierarchy);
    std::vector<int> parts(cut.part_count(), -1);
    for (std::size_t p = 0; p < parts.size(); ++p)
        parts[static_cast<std::size_t>(numbers[static_cast<std::size_t>(joined.joint_of_part[p])])] =
            static_cast<int>(p);
    return parts;
}

/// Times of the frames of channels: all, or the requested one.
std::vector<double> times_of(const CloseGapsJob& job, const articulated::FigurePlayer& player, double rate) {
    std::vector<double> times;
    for (std::size_t f = 0; f < player.frame_count(rate); ++f)
        times.push_back(player.start() + static_cast<double>(f) / rate);
    if (wants_all(job, true)) return times;
    if (job.instant.time) return {*job.instant.time};
    const std::size_t frame = job.instant.frame.value_or(0);
    if (frame >= times.size())
        fail("", "--frame {} is outside the clip, which has {} frames", frame, times.size());
    return {times[frame]};
}

Moving move_figure(Run& run, const geometry::Mesh& mesh, const CloseGapsJob& job,
                   const GapSettings& settings) {
    const io::Asset hierarchy = find_hierarchy(run, job);
    const model::Skeleton& skeleton = hierarchy.character.skeleton;
    const rig::PartBody parts = parts_of(run, mesh, skeleton, job);
    const std::vector<geometry::PartFeatures> features =
        geometry::part_features(parts.cut, parts.tree, run.monitor);
    articulated::ArticulatedFigure figure(parts.cut, parts.tree, features, settings.figure);
    for (std::size_t p = 0; p < parts.limits.size(); ++p) {
        if (!parts.limits[p]) continue;
        figure.joints()[p].low = parts.limits[p]->low;
        figure.joints()[p].high = parts.limits[p]->high;
    }
    model::ChannelSet channels;
    if (is_clip_file(job.instant.clip)) {
        channels = read_channels(run, job);
    } else if (!job.instant.clip.empty()) {
        fail(job.instant.clip,
             "a mesh of parts needs a .clip file for its motion, and there is none of this name");
    }
    articulated::FigurePlayer player(figure, channels, run.monitor, parts_by_number(parts.cut, skeleton));
    Moving moving;
    moving.motion.name = fs::path(job.instant.clip).stem().string();
    moving.motion.rate = job.read.rate > 0 ? job.read.rate : 30;
    std::size_t limited = 0, collided = 0;
    for (const double time : times_of(job, player, moving.motion.rate)) {
        const articulated::FigureReport report = player.play(time, run.monitor);
        if (limited + collided == 0) warn_about(report, parts.cut.names, run.monitor);
        limited += report.limited.size();
        collided += report.collided.size();
        moving.motion.frames.emplace_back(figure.world().begin(), figure.world().end());
    }
    run.report.extra["limited"] = limited;
    run.report.extra["collided"] = collided;
    moving.body = articulated::part_body(mesh, parts.cut, parts.tree, features, run.monitor);
    return moving;
}

/// Sums over all closed frames.
struct Totals {
    std::size_t vertices = 0, removed = 0, added = 0, triangles = 0, moved = 0, open_edges = 0;
    articulated::GapSeconds seconds;
    double skin_seconds = 0;

    void include(const articulated::GapFrame& frame) {
        vertices = frame.mesh.vertex_count();
        removed += frame.removed_vertices;
        added += frame.added_vertices;
        triangles += frame.patch_triangles;
        moved += frame.moved_gaps;
        seconds.include(frame.seconds);
        skin_seconds += frame.skin_seconds;
        open_edges = std::max(open_edges, geometry::topology(frame.mesh).border_edges);
    }
};

void report_totals(Run& run, const Moving& moving, const Totals& totals, double volume_ratio) {
    const std::size_t frames = moving.motion.frames.size();
    const auto each = [&](std::size_t sum) { return static_cast<double>(sum) / static_cast<double>(frames); };
    Json& extra = run.report.extra;
    extra["method"] = "rigid";
    extra["vertices"] = totals.vertices;
    extra["frames"] = frames;
    extra["parts"] = moving.body.part_count();
    extra["ns_per_vertex"] =
        1e9 * totals.skin_seconds / static_cast<double>(frames * moving.body.mesh.vertex_count());
    extra["volume_ratio"] = volume_ratio;
    extra["open_edges"] = totals.open_edges;
    extra["moved_gaps"] = totals.moved;
    extra["removed_vertices"] = totals.removed;
    extra["added_vertices"] = totals.added;
    extra["patch_triangles"] = totals.triangles;
    extra["gap_seconds"] = {{"remove", totals.seconds.remove},
                            {"add", totals.seconds.add},
                            {"triangulate", totals.seconds.triangulate},
                            {"normals", totals.seconds.normals}};
    run.say("{}, {}, {:.1f} gaps moved per frame: {:.0f} vertices removed, {:.0f} added; {:.2f} ms per frame",
            count_of(moving.body.part_count(), "part"), count_of(frames, "frame"), each(totals.moved),
            each(totals.removed), each(totals.added),
            1e3 * totals.seconds.total() / static_cast<double>(frames));
}

void write_stages(Run& run, const articulated::GapCloser& closer, const std::vector<math::Rigidd>& world,
                  const fs::path& path) {
    render::Renderer renderer;
    render::save_png(path, render::step_sheet(render::draw_gap_steps(renderer, closer, world)));
    run.say("wrote {}", path.string());
}

/// The output of the frames: a folder of meshes, a single mesh, an animated character, or none.
struct Outcome {
    Outcome(const articulated::GapCloser& closer, const Moving& moving, const CloseGapsJob& job)
        : path(job.output), recording(closer, moving.motion.name, moving.motion.rate) {
        folder = !path.has_extension() && !path.empty();
        animated = !folder && !path.empty() && moving.motion.frames.size() > 1;
    }

    /// Vertices that have no triangles after a cut are not written: they have no normals.
    void add(Run& run, std::size_t f, const std::vector<math::Rigidd>& world,
             const articulated::GapFrame& frame) {
        if (animated) recording.add(world, frame);
        if (animated || path.empty()) return;
        asset.character.mesh = geometry::without_unused_vertices(frame.mesh);
        if (folder) io::write(path / fmt::format("frame_{:04}.ply", f), asset, {}, run.monitor);
    }

    void finish(Run& run, const articulated::GapCloser& closer, const Moving& moving) {
        if (path.empty()) return;
        io::WriteOptions options;
        if (animated) {
            const bool constant = closer.options().constant_topology;
            asset.character =
                constant ? articulated::spread_character(closer, moving.motion) : recording.character();
            options.compact = !constant;
        }
        if (folder) {
            run.report.output = path.string();
        } else {
            save(run, path, asset, options);
        }
        run.say("wrote {}", path.string());
    }

    fs::path path;
    bool folder = false, animated = false;
    articulated::GapRecording recording;
    io::Asset asset;
};

void close_frames(Run& run, const articulated::GapCloser& closer, const Moving& moving, Outcome& outcome) {
    const StageTimer timer(run.report, "close");
    const std::size_t count = moving.motion.frames.size();
    const double rest = geometry::signed_volume(moving.body.mesh.positions, moving.body.mesh.triangles);
    Totals totals;
    for (std::size_t f = 0; f < count; ++f) {
        const articulated::GapFrame frame = closer.close(moving.motion.frames[f], run.monitor);
        totals.include(frame);
        outcome.add(run, f, moving.motion.frames[f], frame);
        const double volume = geometry::signed_volume(frame.mesh.positions, frame.mesh.triangles);
        if (f + 1 == count) report_totals(run, moving, totals, volume / rest);
        step(run.monitor, "closing gaps", static_cast<double>(f + 1) / static_cast<double>(count));
    }
}

}  // namespace

void close_gaps(Run& run, const io::Asset& asset, const CloseGapsJob& job, const GapSettings& settings) {
    articulated::GapOptions options = settings.gaps;
    if (settings.sharpness >= 0) options.sharpness = settings.sharpness;
    Moving moving;
    {
        const StageTimer timer(run.report, "pose");
        moving = asset.character.has_skin() ? move_character(run, asset.character, job)
                                            : move_figure(run, asset.character.mesh, job, settings);
    }
    const articulated::GapCloser closer(moving.body, options, run.monitor);
    if (!settings.stages.empty()) write_stages(run, closer, moving.motion.frames.front(), settings.stages);
    Outcome outcome(closer, moving, job);
    if (outcome.folder) fs::create_directories(job.output);
    close_frames(run, closer, moving, outcome);
    outcome.finish(run, closer, moving);
}

void add_gap_options(CLI::App& verb, GapSettings& settings) {
    static const std::map<std::string, articulated::InsideTest> tests = {
        {"box", articulated::InsideTest::box},
        {"hull", articulated::InsideTest::hull},
        {"exact", articulated::InsideTest::exact}};
    static const std::map<std::string, articulated::Veto> vetoes = {{"off", articulated::Veto::off},
                                                                    {"warn", articulated::Veto::warn},
                                                                    {"clamp", articulated::Veto::clamp},
                                                                    {"reject", articulated::Veto::reject}};
    constexpr const char* group = "Rigid parts";
    verb.add_flag("--close-gaps", settings.close,
                  "With --method rigid: cut away overlaps at the joints and close the gaps smoothly in every "
                  "frame.\n"
                  "The input is a rigged character, or a mesh with parts (and a .skel beside it, or "
                  "--skeleton-file)")
        ->group(group);
    verb.add_option(
            "--inside", settings.gaps.inside,
            "What is cut: everything inside the other part's bounding box, convex hull, or exact surface")
        ->transform(CLI::CheckedTransformer(tests).description("box|hull|exact"))
        ->group(group);
    verb.add_option("--lambda", settings.gaps.lambda,
                    "Inner side: 0 keeps the directions of both limbs, 1 is hollow")
        ->check(CLI::Range(0.0, 1.0))
        ->group(group);
    verb.add_option("--sharpness", settings.sharpness,
                    "Crease of the inner side from 0 (flat) to 1; round by default")
        ->check(CLI::Range(0.0, 1.0))
        ->group(group);
    verb.add_option(
            "--softness", settings.gaps.softness,
            "Width in edges of the blend between parts whose joints are too close to cut; 0 keeps all rigid")
        ->check(CLI::Range(0, 100))
        ->group(group);
    verb.add_option("--fairing", settings.gaps.fairing, "Smoothing steps of the patches")
        ->check(CLI::Range(0, 1000))
        ->group(group);
    verb.add_flag("--constant-topology", settings.gaps.constant_topology, "The same triangles in every frame")
        ->group(group);
    verb.add_option("--limits", settings.figure.limits,
                    "What to do with angles outside the limits of the .skel file")
        ->transform(CLI::CheckedTransformer(vetoes).description("off|warn|clamp|reject"))
        ->group(group);
    verb.add_option("--collisions", settings.figure.collisions, "What to do with parts that collide")
        ->transform(CLI::CheckedTransformer(vetoes).description("off|warn|clamp|reject"))
        ->group(group);
    verb.add_flag("--exact-collisions", settings.figure.exact,
                  "Test collisions of triangles instead of bounding boxes")
        ->group(group);
    verb.add_option("--stages", settings.stages,
                    "Also draw how the gap of the joint with the largest rotation is closed")
        ->type_name("FILE.png")
        ->group(group);
}

}  // namespace sinew::cli
