// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Character: a mesh, a skeleton, skin weights and motions. Each may be missing: a static mesh, a motion file
/// and a complete character all have this type.
///
/// \code
/// const model::Character man = io::read("man.glb").character;
/// if (const model::Clip* walk = model::find_clip(man, "walk")) play(*walk);
/// \endcode

#include <string>
#include <string_view>
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
    double unit = 1;  ///< metres per unit of length of the source file; for formats that state no unit

    bool has_mesh() const { return !mesh.empty(); }
    bool has_skeleton() const { return !skeleton.empty(); }
    bool has_skin() const { return !skin.empty(); }
};

/// \throws Error when a part is invalid, or the parts are inconsistent with each other
void validate(const Character& character, std::string_view location);

/// World matrices of all joints: of the clip at `time`, or of the rest pose when `clip` is null.
std::vector<Mat4d> world_matrices(const Character& character, const Clip* clip, double time);

/// Finds a clip by name or by number ("walk", "0"). An empty text gives the first clip. Case is ignored when
/// exactly one name matches without it. Null when the character has no clips.
/// \throws Error that lists the clips when none matches
const Clip* find_clip(const Character& character, std::string_view name_or_index);

struct MeshSequence {
    geometry::Mesh rest;
    double rate = 30;                                  ///< frames per second
    std::vector<std::vector<geometry::Vec3f>> frames;  ///< each as long as rest.positions

    bool empty() const { return frames.empty(); }
};

/// \throws Error naming the first frame with a different vertex count or a position that is not finite
void validate(const MeshSequence& sequence, std::string_view location);

/// A similarity transform: p -> scale * rotation p + translation.
struct Similarity {
    double scale = 1;
    Quatd rotation = Quatd::Identity();
    Vec3d translation = Vec3d::Zero();

    Vec3d operator*(const Vec3d& point) const { return scale * (rotation * point) + translation; }
    Mat4d matrix() const;
};

/// Transforms mesh, skeleton, bind matrices, morphs and clips together: every deformed vertex v becomes S v.
/// Scales of joints do not change.
void apply(Character& character, const Similarity& similarity);
void apply(MeshSequence& sequence, const Similarity& similarity);

}  // namespace sinew::model
