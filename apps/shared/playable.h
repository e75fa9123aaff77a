#pragma once
// What can be played or drawn of a file, whatever it holds.

#include "sinew/deform/method.h"
#include "sinew/io/io.h"

namespace sinew::app {

/// Makes a character of a trial (its markers as joints) or of a gait cycle (a walking lower body) that has
/// none, for everything that plays or draws one.
void make_playable(io::Asset& asset, Monitor& monitor);

/// The mesh of a character as it looks at a time: positions and normals replaced, morphs baked.
geometry::Mesh posed_mesh(const model::Character& character, const model::Clip* clip, double time,
                          deform::Method method);

}  // namespace sinew::app
