// SPDX-License-Identifier: MIT
#include "sinew/pipeline/motion.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/model/channels.h"
#include "sinew/pipeline/detail/clearance.h"
#include "sinew/pipeline/detail/motion_check.h"
#include "sinew/pipeline/detail/stage_clock.h"
#include "sinew/pipeline/publish.h"
#include "sinew/rig/skeletonize.h"

namespace sinew::pipeline {
namespace {

/// A filter needs a rate above twice its cut-off.
motion::CleanResult cleaned(const model::Trial& trial, double cutoff, Monitor& monitor) {
    motion::CleanOptions clean;
    clean.cutoff = trial.rate > 2.5 * cutoff ? cutoff : 0;
    return motion::clean(trial, clean, monitor);
}

/// The subject of the markers and the clip become the character of the motion.
void take_solved(model::Trial& trial, const SolveOptions& options, Motion& motion, Monitor& monitor) {
    const std::string stem = motion.path.stem().string();
    if (trial.name.empty()) trial.name = stem;
    SolvedTrial fit = solve_trial(trial, options, monitor);
    motion.seconds.insert(motion.seconds.end(), fit.seconds.begin(), fit.seconds.end());
    motion.measured = fit.measured;
    motion.character.skeleton = fit.result.skeleton;
    model::Clip clip = std::move(fit.result.clip);
    gait::relax_unmeasured_arms(motion.character.skeleton, motion.measured, clip);
    clip.name = stem;
    motion.character.clips = {std::move(clip)};
    motion.fit = std::move(fit);
}

/// Channels refer to joints by number; they are applied to the skeleton that has these joints.
motion::RetargetResult from_channels(const Motion& motion, const model::Skeleton& target, Monitor& monitor) {
    motion::RetargetResult result;
    result.clip = model::clip_of(motion.channels, target, {}, monitor).clip;
    for (const model::Joint& joint : target.joints) result.mapped.emplace_back(joint.name, joint.name);
    return result;
}

/// Body parts without measurements must not look as if they had not moved.
void show_measured(const Motion& motion, gait::Unmeasured how, AnimateResult& made) {
    if (motion.character.skeleton.empty()) return;
    const model::Skeleton& skeleton = made.character.skeleton;
    const std::vector<bool> measured =
        gait::measured_joints(skeleton, motion.character.skeleton, motion.measured, made.retarget.mapped);
    for (std::size_t j = 0; j < measured.size(); ++j)
        if (!measured[j]) made.unmeasured.push_back(skeleton.joints[j].name);
    if (!made.unmeasured.empty()) gait::show_unmeasured(made.character, measured, how);
}

/// A motion of the same skeleton is used unchanged, as its author intended.
bool same_skeleton(const model::Skeleton& a, const model::Skeleton& b) {
    return std::ranges::equal(a.joints, b.joints, [](const model::Joint& x, const model::Joint& y) {
        const double length = y.rest.translation.norm();
        return x.name == y.name && x.parent == y.parent &&
               (x.rest.translation - y.rest.translation).norm() <= 1e-4 * length;
    });
}

/// Moves the feet apart where the legs intersect each other or the body, step by step up to their distance at
/// rest.
void space_legs(const Motion& motion, const std::string& clip, const BodyClearance& clearance,
                RetargetOptions how, AnimateResult& made) {
    constexpr double step = 0.02, growth = 1.5;  // leg lengths
    constexpr double always = 0.06;  // leg lengths that feet may move apart even if they are closer at rest
    constexpr double few = 0.15;     // fraction of the contacts at the motion's own width that counts as none
    constexpr double worth = 0.5;    // fraction of the contacts that must disappear for a wider step
    const std::size_t before = clearance.leg_contacts(made.retarget.clip);
    if (before == 0 || !how.options.foot_contacts) return;
    auto least = static_cast<double>(before);
    const double most = std::max(always, clearance.stance_width() - clearance.step_width(made.retarget.clip));
    std::optional<motion::RetargetResult> best;
    for (double width = step; width <= most && least > few * static_cast<double>(before); width *= growth) {
        how.options.step_width = width;
        motion::RetargetResult wider = retarget(motion, clip, made.character.skeleton, how);
        const auto contacts = static_cast<double>(clearance.leg_contacts(wider.clip));
        const bool torn = check_motion(made.character, wider.clip, {}, nullptr).stretch > max_stretch;
        if (contacts >= least || torn) continue;
        least = contacts;
        made.space.step_width = width;
        best = std::move(wider);
    }
    if (least <= worth * static_cast<double>(before))
        made.retarget = std::move(*best);
    else
        made.space.step_width = 0;
}

void make_space(const Motion& motion, const std::string& clip, const BodyClearance& clearance,
                const RetargetOptions& how, const std::optional<double>& arm_space, AnimateResult& made,
                Monitor& monitor) {
    step(monitor, "space", 0);
    made.space = {};
    if (motion::stands_on_four(made.character.skeleton)) return;
    if (!arm_space) space_legs(motion, clip, clearance, how, made);
    made.space.arms = clearance.spread_arms(arm_space, made.retarget.clip);
    if (!arm_space) made.space.elbows = clearance.lift_hands(made.retarget.clip);
}

Json slide_report(const motion::FootPlant& foot) {
    return {{"side", fmt::format("{}{}", foot.front ? "Front" : "", model::name_of(foot.side))},
            {"contacts", foot.contacts.size()},
            {"frames", foot.slide.frames},
            {"pinned", foot.pinned},
            {"mean_percent", foot.slide.mean},
            {"max_percent", foot.slide.largest},
            {"unpinned_max_percent", foot.before.largest}};
}

}  // namespace

SolvedTrial solve_trial(const model::Trial& raw, const SolveOptions& options, Monitor& monitor) {
    SolvedTrial solved;
    model::Trial copy;
    const model::Trial* trial = &raw;
    if (options.clean) {
        const StageClock clock(solved.seconds, "clean");
        motion::CleanResult result = cleaned(raw, options.cutoff, monitor);
        solved.cleaned = std::move(result.report);
        copy = std::move(result.trial);
        trial = &copy;
    }
    const StageClock clock(solved.seconds, "solve");
    motion::SolveOptions solve = options.solve;
    // The bones of the user's skeleton keep their lengths; those of the template are scaled.
    if (options.skeleton) solve.keep_bones = true;
    solved.result =
        motion::solve(*trial, options.skeleton ? *options.skeleton : rig::skeleton_template("biped"), solve,
                      options.static_trial ? &*options.static_trial : nullptr, monitor);
    solved.measured = gait::measured_joints(solved.result.skeleton, solved.result.held);
    return solved;
}

Motion load_motion(const std::filesystem::path& path, const MotionOptions& options, Monitor& monitor) {
    StageSeconds seconds;
    io::Asset asset;
    {
        const StageClock clock(seconds, "read");
        asset = io::read(path, options.read, monitor);
    }
    if (asset.character.name.empty()) asset.character.name = path.stem().string();
    Motion motion = load_motion(std::move(asset), path, options, monitor);
    motion.seconds.insert(motion.seconds.begin(), seconds.begin(), seconds.end());
    return motion;
}

Motion load_motion(io::Asset asset, const std::filesystem::path& path, const MotionOptions& options,
                   Monitor& monitor) {
    Motion motion;
    motion.path = path;
    if (!asset.cycle.empty()) make_playable(asset, monitor);
    motion.character = std::move(asset.character);
    motion.channels = std::move(asset.channels);
    motion.guesses = std::move(asset.guesses);
    const bool moves = !motion.character.clips.empty() && motion.character.has_skeleton();
    if (motion.character.clips.empty() && !asset.trial.markers.empty())
        take_solved(asset.trial, options.solve, motion, monitor);
    else if (!moves && motion.channels.empty())
        fail(path.string(), "holds no motion");
    if (motion.measured.empty()) motion.measured.assign(motion.character.skeleton.size(), true);
    return motion;
}

motion::RetargetResult retarget(const Motion& motion, const std::string& clip_name,
                                const model::Skeleton& target, const RetargetOptions& options,
                                Monitor& monitor) {
    const model::Skeleton& from = motion.character.skeleton;
    motion::RetargetResult result;
    if (motion.character.clips.empty()) {
        if (target.empty())
            fail(motion.path.string(), "there is no skeleton to apply this motion to: rig the mesh first");
        result = from_channels(motion, target, monitor);
    } else {
        const model::Clip& clip = *model::find_clip(motion.character, clip_name);
        if (!options.save_map.empty())
            write_file(options.save_map, motion::to_text(motion::match_joints(from, target), from, target));
        std::optional<motion::JointMap> map = options.map;
        if (!options.map_file.empty()) {
            const FileView file(options.map_file);
            map = motion::parse_joint_map(file.text(), options.map_file.string(), from, target);
        }
        // Automatic matching also links spines and tails of different lengths.
        result = map ? motion::retarget(from, clip, target, *map, options.options, monitor)
                     : motion::retarget(from, clip, target, options.options, monitor);
    }
    if (result.clip.name.empty()) result.clip.name = motion.path.stem().string();
    // The file name of a trial often contains the name of a person.
    if (motion.fit) result.clip.name = "motion";
    return result;
}

AnimateResult animate(const model::Character& character, const Motion& motion, const AnimateOptions& options,
                      Monitor& monitor) {
    if (options.rig_mesh && !character.has_mesh()) fail(character.name, "holds no mesh to animate");
    AnimateResult made;
    if (character.has_skin() || !options.rig_mesh) {
        made.character = character;
    } else {
        RigOptions rig = options.rig;
        rig.bind_skin = true;
        made.rig = rig_character(character, rig, monitor);
        made.seconds = made.rig->seconds;
        made.character = std::move(made.rig->character);
    }
    if (!options.keep_clips) made.character.clips.clear();
    std::vector<std::string> names = {options.clip};
    if (options.all_clips && !motion.character.clips.empty()) names.clear();
    for (std::size_t i = 0; options.all_clips && i < motion.character.clips.size(); ++i)
        names.push_back(fmt::format("{}", i));
    const StageClock clock(made.seconds, "retarget");
    const model::Skeleton& source = motion.character.skeleton;
    const bool mapped = options.retarget.map || !options.retarget.map_file.empty();
    const bool bodies = made.character.has_skin() && !source.empty() && !mapped;
    if (bodies)
        check_bodies(source, made.character.skeleton, !made.rig || made.rig->skeleton.kind != "free",
                     character.name, options.force, monitor);
    std::optional<BodyClearance> clearance;
    RetargetOptions how = options.retarget;
    if (made.character.has_skin() && !source.empty() && !same_skeleton(source, made.character.skeleton)) {
        clearance.emplace(made.character);
        how.options.soles = find_soles(made.character);
    }
    for (const std::string& name : names) {
        made.retarget = retarget(motion, name, made.character.skeleton, how, monitor);
        if (clearance) make_space(motion, name, *clearance, how, options.arm_space, made, monitor);
        made.character.clips.push_back(made.retarget.clip);
    }
    if (bodies)
        check_roles(source, made.character.skeleton, made.retarget, character.name, options.force, monitor);
    if (made.character.has_skin()) {
        const model::Clip* clip =
            motion.character.clips.empty() ? nullptr : model::find_clip(motion.character, names.back());
        made.check = check_motion(made.character, made.character.clips.back(), source, clip);
        judge(*made.check, character.name, made.rig.has_value() && !options.force, monitor);
    }
    if (made.character.has_skin()) show_measured(motion, options.unmeasured, made);
    return made;
}

Json report_of(const motion::SolveResult& result) {
    Json json;
    json["frames"] = result.poses.size();
    json["markers"] = result.map.markers.size();
    json["marker_set"] = result.map.set;
    json["rms_mm"] = 1000 * result.rms;
    json["max_mm"] = 1000 * result.max;
    json["noise_mm"] = 1000 * result.noise;
    json["scale"] = result.calibration.scale;
    json["per_marker"] = Json::array();
    for (const motion::MarkerResidual& r : result.residuals) {
        json["per_marker"].push_back({{"label", r.label},
                                      {"place", r.location},
                                      {"joint", r.joint},
                                      {"samples", r.samples},
                                      {"rms_mm", 1000 * r.rms},
                                      {"max_mm", 1000 * r.max},
                                      {"worst_frame", r.worst_frame}});
    }
    json["held"] = result.held;
    json["bridged"] = result.bridged;
    json["partly_measured"] = result.partly;
    json["unsolved_frames"] = result.unsolved;
    json["unlabelled"] = result.map.unlabelled;
    json["unknown"] = result.map.unknown;
    json["computed"] = result.map.computed;
    json["swapped"] = Json::array();
    for (const motion::Swap& swap : result.swapped) json["swapped"].push_back({swap.first, swap.second});
    json["still"] = result.still;
    return json;
}

Json report_of(const motion::CleanReport& cleaned) {
    return {{"spikes", cleaned.spikes},
            {"filled", cleaned.gaps.spline + cleaned.gaps.rigid},
            {"gaps_left", cleaned.gaps.left.size()},
            {"moved_rms_mm", 1000 * cleaned.moved_rms}};
}

Json report_of(const LimbSpace& space) {
    const auto degrees = [](const std::array<double, 2>& angles) {
        return std::array{math::degrees(angles[0]), math::degrees(angles[1])};
    };
    return {
        {"arms", degrees(space.arms)}, {"elbows", degrees(space.elbows)}, {"step_width", space.step_width}};
}

Json report_of(const motion::RetargetResult& result) {
    Json json;
    json["mapped"] = Json::object();
    for (const auto& [from, to] : result.mapped) json["mapped"][to] = from;
    json["unmapped"] = result.unmapped;
    json["scale"] = result.scale;
    json["facing_degrees"] = math::degrees(result.facing);
    json["foot_slide"] = Json::array();
    for (const motion::FootPlant& foot : result.feet) json["foot_slide"].push_back(slide_report(foot));
    return json;
}

}  // namespace sinew::pipeline
