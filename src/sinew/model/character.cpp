#include "sinew/model/character.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/base/text.h"

namespace sinew::model {

void validate(const Character& character, std::string_view place) {
    geometry::validate(character.mesh, place);
    validate(character.skeleton, place);
    if (character.has_skin()) {
        validate(character.skin, character.mesh.vertex_count(), character.skeleton.size(), place);
    }
    for (const Clip& clip : character.clips) {
        validate(clip, character.skeleton.size(), character.mesh.morphs.size(), place);
    }
}

std::vector<Mat4d> world_matrices(const Character& character, const Clip* clip, double time) {
    if (clip == nullptr) return rest_world_matrices(character.skeleton);
    return world_matrices(character.skeleton, sample(*clip, character.skeleton, time));
}

const Clip* find_clip(const Character& character, std::string_view name_or_index) {
    if (name_or_index.empty()) return character.clips.empty() ? nullptr : &character.clips.front();
    for (const Clip& clip : character.clips) {
        if (clip.name == name_or_index) return &clip;
    }
    std::int64_t index = -1;
    if (parse_exact(name_or_index, index) && index >= 0 &&
        index < static_cast<std::int64_t>(character.clips.size())) {
        return &character.clips[static_cast<std::size_t>(index)];
    }
    // "dance" for "Dance", where that is clear.
    const auto like = [&](const Clip& clip) { return to_lower(clip.name) == to_lower(name_or_index); };
    if (std::ranges::count_if(character.clips, like) == 1)
        return &*std::ranges::find_if(character.clips, like);
    std::string names;
    for (std::size_t i = 0; i < character.clips.size(); ++i) {
        names += fmt::format("{}{} \"{}\"", i > 0 ? ", " : "", i, character.clips[i].name);
    }
    fail(character.name, "no clip \"{}\": {}", name_or_index,
         names.empty() ? "it has none" : "it has " + names);
}

}  // namespace sinew::model
