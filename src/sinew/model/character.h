#pragma once
/// \file
/// A mesh, a skeleton, the skin between them, and motions. Any of them may be missing: a bare mesh, a motion
/// file and a full character are all this type.

#include <string>
#include <vector>

#include "sinew/geometry/mesh.h"
#include "sinew/model/clip.h"
#include "sinew/model/skin.h"

namespace sinew::model {

using geometry::Mesh;

struct Character {
    std::string name;
    Mesh mesh;
    Skeleton skeleton;
    Skin skin;
    std::vector<Clip> clips;
    double unit = 1;  ///< metres a unit of the file it came from, for formats that state none

    bool has_mesh() const { return !mesh.empty(); }
    bool has_skeleton() const { return !skeleton.empty(); }
    bool has_skin() const { return !skin.empty(); }
};

/// \throws Error when a part is broken or the parts do not fit each other.
void validate(const Character& character, std::string_view place);

/// World matrices of a frame: of the clip at a time, or of the rest pose when `clip` is null.
std::vector<Mat4d> world_matrices(const Character& character, const Clip* clip, double time);

/// Clip by name or by number ("walk", "0"), or the first when the text is empty; null when there are no
/// clips. Capitals do not matter where one clip only fits without them.
/// \throws Error that lists the clips when none fits.
const Clip* find_clip(const Character& character, std::string_view name_or_index);

}  // namespace sinew::model
