#pragma once
/// \file
/// Units and axes of a whole character: rotate, scale and move everything it is made of.

#include "sinew/model/character.h"

namespace sinew::model {

/// p -> scale * rotation p + translation.
struct Similarity {
    double scale = 1;
    Quatd rotation = Quatd::Identity();
    Vec3d translation = Vec3d::Zero();

    Vec3d operator*(const Vec3d& point) const { return scale * (rotation * point) + translation; }
    Mat4d matrix() const;
};

/// Moves mesh, skeleton, bind matrices, morphs and clips together: every deformed vertex v becomes S v, and
/// joint frames keep their own scale.
void apply(Character& character, const Similarity& similarity);
void apply(MeshSequence& sequence, const Similarity& similarity);

}  // namespace sinew::model
