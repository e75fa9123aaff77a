// SPDX-License-Identifier: MIT
#include "motion_import.h"

#include "motion_layer.h"
#include "shared/rig_choice.h"

#include "sinew/base/error.h"

namespace sinew::studio {

std::string reason_of(const pipeline::RigResult& made) {
    std::string text = fmt::format("{}: {}", made.skeleton.method_name, made.skeleton.reason);
    if (made.bind)
        text += fmt::format("\nbound by {}: {}", rig::name_of(made.bind->result.method),
                            made.bind->result.reason);
    return text;
}

Document with_motion(const Document& document, io::Asset asset, const std::filesystem::path& path,
                     Monitor& monitor, std::string* reason) {
    const model::Character& character = *document.character;
    auto motion = std::make_shared<ImportedMotion>();
    motion->source = pipeline::load_motion(std::move(asset), path, {}, monitor);
    const bool moves = !motion->source.character.clips.empty();
    if (!character.has_skeleton() && (!moves || !character.has_mesh()))
        fail(path.string(), "there is no skeleton for this motion: find one first");
    pipeline::AnimateOptions options;
    options.rig = app::rig_options({}, {}, monitor);
    options.rig_mesh = !character.has_skeleton();
    options.keep_clips = options.all_clips = true;
    pipeline::AnimateResult made = pipeline::animate(character, motion->source, options, monitor);
    if (made.rig && reason != nullptr) *reason = reason_of(*made.rig);
    Document result = document.with(std::move(made.character));
    if (!moves) return result;
    motion->map = motion::match_joints(motion->source.character.skeleton, result.character->skeleton);
    motion->first_clip = made.rig ? 0 : character.clips.size();
    result.motion = std::move(motion);
    return result;
}

Document with_joint_map(const Document& document, motion::JointMap map, Monitor& monitor) {
    if (!document.motion) fail("", "this character has no motion yet, so there is no joint map to change");
    auto motion = std::make_shared<ImportedMotion>(*document.motion);
    motion->by_itself = map == map_by_itself(document);
    motion->map = std::move(map);
    model::Character result = *document.character;
    result.clips.resize(std::min(result.clips.size(), motion->first_clip));
    pipeline::RetargetOptions options;
    if (!motion->by_itself) options.map = motion->map;
    for (std::size_t i = 0; i < motion->source.character.clips.size(); ++i)
        result.clips.push_back(
            pipeline::retarget(motion->source, fmt::format("{}", i), result.skeleton, options, monitor).clip);
    // A layer is applied to the clip with its present map.
    std::shared_ptr<MotionLayer> layer;
    if (document.layer && static_cast<std::size_t>(document.layer->clip) < result.clips.size()) {
        layer = std::make_shared<MotionLayer>(*document.layer);
        model::Clip& clip = result.clips[static_cast<std::size_t>(layer->clip)];
        if (static_cast<std::size_t>(layer->clip) >= motion->first_clip) layer->base = clip;
        clip = combined(result.skeleton, *layer);
    }
    Document made = document.with(std::move(result));
    made.layer = std::move(layer);
    made.motion = std::move(motion);
    return made;
}

motion::JointMap map_by_itself(const Document& document) {
    return motion::match_joints(document.motion->source.character.skeleton, document.character->skeleton);
}

}  // namespace sinew::studio
