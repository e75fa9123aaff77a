#pragma once
/// \file
/// Skinning methods side by side on one pose.

#include <vector>

#include "sinew/deform/method.h"
#include "sinew/model/character.h"

namespace sinew::deform {

/// What one method makes of a pose.
struct MethodMeasure {
    Method method = Method::lbs;
    std::vector<math::Vec3f> positions;
    std::vector<math::Vec3f> normals;
    double nanoseconds = 0;     ///< a vertex, one thread, the fastest of several runs
    double volume_ratio = 1;    ///< to the rest pose
    double longest_edge = 1;    ///< largest ratio of an edge's length to its length at rest
    double shortest_edge = 1;   ///< smallest
    double max_difference = 0;  ///< largest distance from the reference method, in percent of the diagonal
    double rms_difference = 0;  ///< root mean square of it
};

struct CompareOptions {
    Method reference = Method::dqs;  ///< what the differences are taken from
    int repetitions = 5;
};

/// Runs every method on a character at a time of a clip. Morphs keep their rest weights.
/// \throws Error when there is no skin.
std::vector<MethodMeasure> compare_methods(const model::Character& character, const model::Clip* clip,
                                           double time, const CompareOptions& options = {});

}  // namespace sinew::deform
