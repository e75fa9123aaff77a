#pragma once
/// \file
/// A look at what binding did: the part of a skin that one joint moves, in the joint's own frame.

#include "sinew/model/character.h"

namespace sinew::deform {

struct JointSpace {
    /// The triangles whose corners the joint moves, taken by its inverse bind matrix, so that the joint is at
    /// the origin; the skeleton is the joint alone, with a tip where its first bone ends. No skin, no clips.
    model::Character character;
    std::vector<float> weights;  ///< of the joint, for each vertex
};

/// \throws Error when there is no skin, or the joint moves no triangle.
JointSpace joint_space(const model::Character& character, int joint);

}  // namespace sinew::deform
