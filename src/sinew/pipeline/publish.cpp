// SPDX-License-Identifier: MIT
#include "sinew/pipeline/publish.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <zlib.h>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/text.h"
#include "sinew/gait/report.h"
#include "sinew/io/interchange.h"
#include "sinew/model/roles.h"
#include "sinew/pipeline/detail/stage_clock.h"

namespace sinew::pipeline {
namespace {

constexpr int page_influences = 4;  // per vertex: the limit of the page's shader

void keep_clips(model::Character& character, const std::string& chosen) {
    if (!chosen.empty()) {
        const model::Clip* clip = model::find_clip(character, chosen);
        if (clip == nullptr) fail(character.name, "clip {}: there are no clips", chosen);
        character.clips = {model::Clip(*clip)};
    }
    std::erase_if(character.clips, [](const model::Clip& clip) { return model::frame_count(clip) == 0; });
}

/// The page blends at most four joints.
void limit_influences(model::Character& character, Monitor& monitor) {
    if (!character.has_skin()) return;
    const model::SkinCleanReport report = model::clean(character.skin, {.max_influences = page_influences});
    if (report.pruned > 0)
        warn(monitor, "page-influences", "{}: {} weights beyond the {} largest of a vertex were dropped",
             character.name, report.pruned, page_influences);
}

bool has_bones(const model::Skeleton& skeleton) {
    return std::any_of(skeleton.joints.begin(), skeleton.joints.end(),
                       [](const model::Joint& joint) { return joint.parent >= 0 || joint.tip.has_value(); });
}

Json clips_of(const io::Asset& asset, bool sequence) {
    Json clips = Json::array();
    if (sequence) {
        const std::size_t frames = asset.sequence.frames.size();
        clips.push_back({{"name", "sequence"},
                         {"start", 0},
                         {"end", static_cast<double>(frames - 1) / asset.sequence.rate},
                         {"frames", frames},
                         {"rate", asset.sequence.rate}});
        return clips;
    }
    for (const model::Clip& clip : asset.character.clips) {
        const model::TimeRange range = model::time_range(clip);
        const double start = std::max(0.0, range.start);  // glTF has no times before 0
        clips.push_back({{"name", clip.name.empty() ? fmt::format("clip {}", clips.size()) : clip.name},
                         {"start", start},
                         {"end", start + range.duration()},
                         {"frames", model::frame_count(clip)},
                         {"rate", model::frame_rate(clip)}});
    }
    return clips;
}

/// The texts and data of the page besides the model.
Json about_page(const io::Asset& asset, const PublishOptions& options) {
    const model::Character& character = asset.character;
    const bool sequence = !asset.sequence.empty() && !character.has_mesh();
    const geometry::Mesh& mesh = sequence ? asset.sequence.rest : character.mesh;
    const bool bones = has_bones(character.skeleton);
    const std::size_t sets = character.has_skin()
                                 ? model::group_by_influences(character.skin, &character.skeleton).sets.size()
                                 : 0;
    return {{"title", options.title},
            {"source", options.anonymous ? "withheld" : options.source},
            {"version", version()},
            {"method", options.method == deform::Method::lbs ? "lbs" : "dqs"},
            {"joints", sequence ? 0 : character.skeleton.size()},
            {"bones", bones},
            {"anchor", sequence || !bones ? -1 : camera_joint(character.skeleton)},
            {"vertices", mesh.vertex_count()},
            {"triangles", mesh.triangles.size()},
            {"influence_sets", sets},
            {"clips", clips_of(asset, sequence)}};
}

/// JSON that is safe inside a script element: no "<" that could end it.
std::string script_json(const Json& json) {
    std::string out;
    for (const char c : json_text(json, -1)) {
        if (c == '<')
            out += "\\u003c";
        else
            out += c;
    }
    return out;
}

/// Compression level by size: best for small pages; for large ones, fast enough to take less time than
/// writing.
int compression_level(std::size_t bytes) {
    constexpr std::size_t megabyte = 1 << 20;
    return bytes <= 4 * megabyte ? 9 : bytes <= 16 * megabyte ? 6 : 1;
}

/// gzip without a name or a time, so that equal data give equal pages.
std::string gzip(Bytes bytes) {
    constexpr int with_gzip_header = 15 + 16;
    z_stream stream{};
    if (deflateInit2(&stream, compression_level(bytes.size()), Z_DEFLATED, with_gzip_header, 9,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        fail("", "the page cannot be packed: no memory");
    std::string out;
    std::string block(1 << 16, '\0');
    const auto* next = reinterpret_cast<const Bytef*>(bytes.data());
    std::size_t left = bytes.size();
    int state = Z_OK;
    while (state == Z_OK) {
        constexpr std::size_t most = std::numeric_limits<uInt>::max();
        if (stream.avail_in == 0 && left > 0) {
            stream.next_in = const_cast<Bytef*>(next);
            stream.avail_in = static_cast<uInt>(std::min(left, most));
            next += stream.avail_in;
            left -= stream.avail_in;
        }
        stream.next_out = reinterpret_cast<Bytef*>(block.data());
        stream.avail_out = static_cast<uInt>(block.size());
        state = deflate(&stream, left == 0 ? Z_FINISH : Z_NO_FLUSH);
        out.append(block, 0, block.size() - stream.avail_out);
    }
    deflateEnd(&stream);
    if (state != Z_STREAM_END) fail("", "the page cannot be packed (zlib: {})", state);
    return out;
}

/// Fills the slots of the shell; the model is packed and written as base64.
std::string fill_page(std::string_view shell, std::string_view title, const Json& about, Bytes model) {
    const std::string packed = gzip(model);
    const std::string values[] = {markup_text(title), script_json(about),
                                  io::encode_base64(as_bytes(packed))};
    constexpr std::string_view slots[] = {"%TITLE%", "%ABOUT%", "%MODEL%"};
    std::string page;
    page.reserve(shell.size() + values[1].size() + values[2].size() + 1024);
    // All in one pass, so that a slot inside an inserted name is not filled.
    for (std::size_t at = 0; at < shell.size();) {
        const std::size_t sign = shell.find('%', at);
        page.append(shell.substr(at, sign - at));
        if (sign == std::string_view::npos) break;
        at = sign;
        std::size_t slot = 0;
        while (slot < std::size(slots) && !shell.substr(at).starts_with(slots[slot])) ++slot;
        if (slot < std::size(slots)) {
            page += values[slot];
            at += slots[slot].size();
        } else {
            page += shell[at++];
        }
    }
    return page;
}

/// The motion of another solver, or the solved markers; without either, the reason is stored.
void solve_gait(const model::Trial& trial, const std::filesystem::path& path,
                const GaitReportOptions& options, GaitReport& report, Monitor& monitor) {
    if (options.motion) {
        report.motion.emplace();
        report.motion->character = *options.motion;
        report.motion->measured.assign(options.motion->skeleton.size(), true);
        return;
    }
    try {
        io::Asset markers;
        markers.trial = trial;
        report.motion = load_motion(std::move(markers), path, {{}, options.solve}, monitor);
        report.seconds = report.motion->seconds;
    } catch (const Error& error) {
        report.unsolved = error.reason();
        warn(monitor, "gait-unsolved", "the markers were not solved: {}", error.reason());
    }
}

/// Whether a static trial has markers at positions on the body that the walk does not have.
bool adds_markers(const model::Trial& standing, const model::Trial& walk) {
    const motion::MarkerMap own = motion::map_markers(walk.markers);
    return std::ranges::any_of(motion::map_markers(standing.markers).markers,
                               [&](const motion::MappedMarker& m) { return own.find(m.location.name) < 0; });
}

/// A static trial gives a fit its zeros of tilt and flexion. For sideways angles and rotations about the long
/// axes it makes the fit worse, because the skin has a different position on a standing body; for these the
/// walk itself is the reference.
void follow_static(const model::Trial& trial, const std::filesystem::path& path,
                   const GaitReportOptions& options, const gait::GaitOptions& how, GaitReport& report) {
    using enum gait::GaitCurve;
    GaitReport standing;
    solve_gait(trial, path, options, standing, silent());
    if (!standing.motion || !report.motion) return;
    const gait::GaitAnalysis other = gait::analyse_gait(trial, how, silent(), &standing.motion->character);
    const auto fit_of = [](const std::vector<gait::ModelAgreement>& all) {
        return std::ranges::find(all, gait::AngleModel::fit, &gait::ModelAgreement::model);
    };
    gait::GaitAnalysis& a = report.analysis;
    const auto mine = fit_of(a.agreement), its = fit_of(other.agreement);
    for (const std::size_t s : {0u, 1u})
        for (const gait::GaitCurve curve : {pelvic_tilt, pelvic_rotation, hip_flexion, knee_flexion}) {
            const auto i = static_cast<std::size_t>(curve);
            if (mine != a.agreement.end() && its != other.agreement.end())
                a.agreement[static_cast<std::size_t>(mine - a.agreement.begin())].rms[s][i] = its->rms[s][i];
            if (!a.traces.source.starts_with("the fitted skeleton")) continue;
            a.traces.traces[s][i] = other.traces.traces[s][i];
            a.curves[s][i] = other.curves[s][i];
            a.doubts[s][i] = other.doubts[s][i];
        }
}

/// Angle curves of the joints at both ends of a segment.
std::vector<gait::GaitCurve> curves_about(model::Role segment) {
    using enum gait::GaitCurve;
    switch (segment) {
        case model::Role::hips:
            return {pelvic_tilt, pelvic_obliquity, pelvic_rotation, hip_flexion, hip_adduction, hip_rotation};
        case model::Role::thigh:
            return {hip_flexion, hip_adduction, hip_rotation, knee_flexion, knee_adduction, knee_rotation};
        case model::Role::shin:
            return {knee_flexion, knee_adduction, knee_rotation, ankle_dorsiflexion, ankle_rotation};
        case model::Role::foot:
            return {ankle_dorsiflexion, ankle_rotation, foot_progression};
        case model::Role::upper_chest:
            return {trunk_tilt, trunk_obliquity, trunk_rotation};
        default:
            return {};
    }
}

/// Markers that the body cannot follow: their label, their position or the fit is wrong.
void doubt_fit(GaitReport& report, bool static_trial, Monitor& monitor) {
    constexpr double far = 0.02;  // metres
    if (!report.motion || !report.motion->fit) return;
    const motion::SolveResult& fit = report.motion->fit->result;
    const std::string& source = report.analysis.traces.source;
    const bool computed =
        source.starts_with("the fitted skeleton") || source.starts_with("the conventional gait model");
    const auto note = [&](std::string text) {
        report.analysis.notes.push_back(std::move(text));
        warn(monitor, "gait-residual", "{}", report.analysis.notes.back());
    };
    std::string list, moments;
    for (std::size_t m = 0; m < fit.residuals.size(); ++m) {
        const motion::MarkerResidual& each = fit.residuals[m];
        if (each.rms <= far) {
            if (each.max > far)
                moments += fmt::format("{}{} by {:.0f} mm at {:.2f} s", moments.empty() ? "" : ", ",
                                       each.label, 1000 * each.max,
                                       static_cast<double>(each.worst_frame) / report.analysis.rate);
            continue;
        }
        const std::string off = fmt::format("{} by {:.0f} mm", each.label, 1000 * each.rms);
        list += (list.empty() ? "" : ", ") + off;
        if (!computed) continue;
        const motion::MarkerLocation& location = fit.map.markers[m].location;
        for (const gait::GaitCurve curve : curves_about(location.segment))
            for (const std::size_t s : {0u, 1u}) {
                const model::Side side = s == 0 ? model::Side::left : model::Side::right;
                if (location.side != model::Side::none && location.side != side) continue;
                std::string& doubt = report.analysis.doubts[s][static_cast<std::size_t>(curve)];
                if (doubt.empty()) doubt = "the fitted body misses " + off;
            }
    }
    if (!list.empty())
        note(fmt::format("markers far from the body that was fitted to them: {} (rms). Check their labels{}",
                         list, static_trial ? ", and whose the static trial is" : ""));
    if (!moments.empty())
        note(
            fmt::format("markers that are at times far from the body that was fitted to them: {}. Check the "
                        "curves there",
                        moments));
}

}  // namespace

void make_playable(io::Asset& asset, Monitor& monitor) {
    if (asset.character.has_mesh() || asset.character.has_skeleton()) return;
    const std::string name = asset.character.name;
    if (!asset.trial.markers.empty()) {
        asset.character = model::markers_as_joints(asset.trial);
    } else if (!asset.cycle.empty()) {
        asset.character = gait::play_cycle(asset.cycle, {}, monitor);
    }
    asset.character.name = name;
}

int camera_joint(const model::Skeleton& skeleton) {
    if (skeleton.empty()) return -1;
    return std::max(model::find_role(model::find_roles(skeleton), model::Role::hips), 0);
}

void anonymise(io::Asset& asset) {
    gait::anonymise(asset.trial);
    gait::anonymise(asset.cycle);
    gait::anonymise(asset.character);
}

Published publish(io::Asset asset, const PublishOptions& options, Monitor& monitor) {
    if (options.shell.empty())
        fail("",
             "this build cannot write pages: install node and npm (apt-get install nodejs npm) and build "
             "again with a network, for three.js");
    if (options.method != deform::Method::dqs && options.method != deform::Method::lbs)
        warn(monitor, "page-method", "pages support dqs and lbs only: {} is played as dqs",
             deform::name(options.method));
    if (options.anonymous) {
        anonymise(asset);
        asset.character.name = "subject";
    }
    make_playable(asset, monitor);
    model::Character& character = asset.character;
    const bool sequence = !asset.sequence.empty() && !character.has_mesh();
    if (!sequence && !character.has_mesh() && !character.has_skeleton())
        fail(options.source, "holds nothing to show: no mesh, skeleton, markers or sequence");
    keep_clips(character, options.clip);
    limit_influences(character, monitor);
    Published published;
    std::string model;
    {
        const StageClock clock(published.seconds, "model");
        io::WriteOptions compact;
        compact.compact = true;
        model = io::encode(asset, "page.glb", compact, monitor);
    }
    const StageClock clock(published.seconds, "page");
    published.page = fill_page(options.shell, options.title, about_page(asset, options), as_bytes(model));
    return published;
}

Json GaitReport::fit() const {
    return motion && motion->fit ? report_of(motion->fit->result) : Json();
}

GaitReport gait_report(io::Asset asset, const std::filesystem::path& path, const GaitReportOptions& options,
                       Monitor& monitor) {
    if (options.anonymous) anonymise(asset);
    GaitReport report;
    const bool trial = !asset.trial.empty() || asset.trial.frames > 0;
    const bool markers = trial && !asset.trial.markers.empty() && asset.trial.frames > 0;
    const auto& still = options.solve.static_trial;
    const bool twice = markers && still && !options.motion && !adds_markers(*still, asset.trial);
    GaitReportOptions alone = options;
    if (twice) alone.solve.static_trial.reset();
    if (markers) solve_gait(asset.trial, path, alone, report, monitor);
    const StageClock clock(report.seconds, "analyse");
    if (trial) {
        gait::GaitOptions how = options.gait;
        if (!how.standing) how.standing = options.solve.static_trial;
        const std::string name = std::exchange(asset.trial.name, path.string());  // for errors
        report.analysis = gait::analyse_gait(asset.trial, how, monitor,
                                             report.motion ? &report.motion->character : nullptr);
        if (twice) follow_static(asset.trial, path, options, how, report);
        if (!report.unsolved.empty())
            report.analysis.notes.push_back("the markers were not solved: " + report.unsolved);
        doubt_fit(report, still.has_value(), monitor);
        report.trial = std::move(asset.trial);
        report.trial.name = name;
    } else if (!asset.cycle.empty()) {
        report.analysis = gait::analyse_gait(asset.cycle);
    } else {
        if (asset.character.clips.empty()) fail(path.string(), "holds no trial, motion or gait cycle");
        report.analysis =
            gait::analyse_gait(asset.character, asset.character.clips[0], options.gait, monitor);
        report.motion.emplace();
        report.motion->measured.assign(asset.character.skeleton.size(), true);
        report.motion->character = std::move(asset.character);
    }
    return report;
}

}  // namespace sinew::pipeline
