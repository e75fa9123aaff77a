// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Fingers for the hands of a fitted skeleton.

#include "sinew/geometry/mesh.h"
#include "sinew/model/skeleton.h"

namespace sinew::rig {

/// Adds three joints for each finger, named as in the template `biped-hands`, when both hands show three to
/// five of them. Other hands (mittens, hooves, an axe in one fist) do not change.
/// \param skeleton with joints LeftHand and RightHand, whose tips lie at the ends of the hands
/// \return how many fingers were found, of both hands
int add_fingers(const geometry::Mesh& mesh, model::Skeleton& skeleton);

/// Changes the fitted template of a hand to the convention of artists: the wrist, named Hand, is the root and
/// lies where the mesh is cut, unless a forearm follows; all names get the prefix Left or Right when the
/// thumb shows the side: it leaves the plane of the fingers on the side of the palm.
/// \param confidence of each joint
void finish_hand(model::Skeleton& skeleton, std::vector<double>& confidence);

}  // namespace sinew::rig
