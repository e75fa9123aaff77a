#include "motion_import.h"

#include "shared/playable.h"

#include "sinew/base/error.h"
#include "sinew/model/channels.h"
#include "sinew/gait/gait.h"
#include "sinew/motion/retarget.h"
#include "sinew/motion/solve.h"
#include "sinew/rig/templates.h"

namespace sinew::studio {
namespace {

/// Skeleton and clip of a subject from the markers on it.
model::Character solved(const model::Trial& trial, Monitor& monitor) {
    motion::SolveResult result =
        motion::solve(trial, rig::skeleton_template("biped"), {}, nullptr, monitor);
    const std::vector<bool> measured = gait::measured_joints(result.skeleton, result.held);
    gait::relax_unmeasured_arms(result.skeleton, measured, result.clip);
    model::Character character;
    character.skeleton = std::move(result.skeleton);
    character.clips = {std::move(result.clip)};
    return character;
}

/// The source's clips on the character's skeleton, named at least by their file.
void add_clips(const ImportedMotion& motion, model::Character& character, Monitor& monitor) {
    character.clips.resize(std::min(character.clips.size(), motion.first_clip));
    for (const model::Clip& clip : motion.source.clips) {
        // Matched by itself, spines and tails of different lengths are linked too.
        character.clips.push_back(
            motion.by_itself
                ? motion::retarget(motion.source.skeleton, clip, character.skeleton, {}, monitor).clip
                : motion::retarget(motion.source.skeleton, clip, character.skeleton, motion.map, {}, monitor)
                      .clip);
        if (character.clips.back().name.empty()) character.clips.back().name = motion.path.stem().string();
    }
}

}  // namespace

Document with_motion(const Document& document, io::Asset asset, const std::filesystem::path& path,
                     Monitor& monitor) {
    const model::Character& character = *document.character;
    if (!character.has_skeleton())
        fail(path.string(), "there is no skeleton yet that could follow this motion: find one first");
    model::Character result = character;
    if (!asset.channels.empty() && asset.character.clips.empty()) {
        result.clips.push_back(model::clip_of(asset.channels, character.skeleton, {}, monitor).clip);
        if (result.clips.back().name.empty()) result.clips.back().name = path.stem().string();
        return document.with(std::move(result));
    }
    if (asset.character.clips.empty() && !asset.trial.markers.empty())
        asset.character = solved(asset.trial, monitor);
    else
        app::make_playable(asset, monitor);
    if (asset.character.clips.empty()) fail(path.string(), "holds no motion");
    auto motion = std::make_shared<ImportedMotion>();
    motion->path = path;
    motion->map = motion::match_joints(asset.character.skeleton, character.skeleton);
    motion->source = std::move(asset.character);
    motion->first_clip = character.clips.size();
    add_clips(*motion, result, monitor);
    Document made = document.with(std::move(result));
    made.motion = std::move(motion);
    return made;
}

Document with_joint_map(const Document& document, motion::JointMap map, Monitor& monitor) {
    if (!document.motion) fail("", "no motion was put onto this character that could be mapped anew");
    auto motion = std::make_shared<ImportedMotion>(*document.motion);
    motion->by_itself = map == map_by_itself(document);
    motion->map = std::move(map);
    model::Character result = *document.character;
    add_clips(*motion, result, monitor);
    Document made = document.with(std::move(result));
    made.motion = std::move(motion);
    return made;
}

motion::JointMap map_by_itself(const Document& document) {
    return motion::match_joints(document.motion->source.skeleton, document.character->skeleton);
}

}  // namespace sinew::studio
