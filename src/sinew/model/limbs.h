#pragma once
/// \file
/// A skeleton without its small print: the trunk and the limbs that hang from it. Fingers, eyes and the like
/// count as the end of their limb.

#include "sinew/model/skeleton.h"

namespace sinew::model {

/// A run of joints from a junction outwards to a free end.
struct Limb {
    int junction = -1;        ///< joint that it hangs from; -1 for a tree without one
    std::vector<int> joints;  ///< without the junction; the last is a leaf
    std::vector<Vec3d> line;  ///< the junction, the joints, and the tip when the last joint has one
    double length = 0;        ///< of the line
};

struct Limbs {
    std::vector<Limb> limbs;     ///< in the order of their first joints
    std::vector<int> junctions;  ///< joints with limbs or further junctions on at least three sides, rising
    std::vector<int> trunk;      ///< joints on ways between junctions, both included, rising
};

/// At a joint with several children, branches below a tenth of the longest go; where all are short against
/// the way that leads there (half of it), as fingers are, only the longest stays.
/// `ignored`, when given, marks joints that are no limbs at all, whatever their length, with what hangs
/// below.
Limbs limbs_of(const Skeleton& skeleton, std::span<const char> ignored = {});

}  // namespace sinew::model
