#pragma once
/// \file
/// Skinning methods side by side on one pose.

#include <vector>

#include "sinew/deform/cost.h"
#include "sinew/deform/reference.h"

namespace sinew::deform {

/// What one method makes of a pose.
struct MethodMeasure {
    Method method = Method::lbs;
    std::vector<math::Vec3f> positions;
    std::vector<math::Vec3f> normals;
    double nanoseconds = 0;        ///< a vertex, one thread, the fastest of several runs
    double volume_ratio = 1;       ///< to the rest pose
    double longest_edge = 1;       ///< largest ratio of an edge's length to its length at rest
    double shortest_edge = 1;      ///< smallest
    double smallest_area = 1;      ///< smallest ratio of a triangle's area to its area at rest
    double max_difference = 0;     ///< largest distance from the reference method, in percent of the diagonal
    double rms_difference = 0;     ///< root mean square of it
    double normal_difference = 0;  ///< largest angle from the normals of the reference method, in radians
    DeformCounts counts;           ///< what it had to decide
    DeformWork work;               ///< of the plain code on the same pose
    MethodCost cost;               ///< by the formulas, for the mean influences and the measured iterations
};

/// Distance of every vertex between two results of one mesh. \throws Error when the sizes differ.
std::vector<float> vertex_distances(std::span<const math::Vec3f> a, std::span<const math::Vec3f> b);

struct CompareOptions {
    Method reference = Method::dqs;  ///< what the differences are taken from
    int repetitions = 5;
};

/// Runs every method on a character at a time of a clip. Morphs keep their rest weights.
/// \throws Error when there is no skin.
std::vector<MethodMeasure> compare_methods(const model::Character& character, const model::Clip* clip,
                                           double time, const CompareOptions& options = {});

}  // namespace sinew::deform
