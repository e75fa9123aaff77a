#pragma once
/// \file
/// The walk of a blender over the vertices of an influence set.

#include <algorithm>

#include "sinew/deform/blend.h"

namespace sinew::deform {

/// A vertex and what was blended for it.
template <class T>
struct BlendedVertex {
    std::uint32_t vertex = 0;
    std::uint32_t heaviest = 0;  ///< palette entry of the largest weight
    Blend<T> blend;
};

/// Calls `visit` with every vertex of a set. Weights are made convex in the working precision, because a
/// skin's sum to 1 only as floats.
template <class T, class Visit>
void walk_set(const model::InfluenceSets& sets, const model::InfluenceSet& set, Blender<T>& blender,
              const Visit& visit) {
    blender.enter(sets, set);
    std::vector<T> weights(set.joint_count);
    for (std::size_t k = 0; k < set.vertex_count; ++k) {
        T sum = 0;
        for (std::size_t i = 0; i < weights.size(); ++i)
            sum += weights[i] = static_cast<T>(sets.weights_of(set, i)[k]);
        for (T& w : weights) w /= sum;
        const auto heaviest = static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
        const std::uint32_t vertex = sets.vertices_of(set)[k];
        visit(BlendedVertex<T>{vertex, sets.joints_of(set)[heaviest],
                               blender.blend({weights, heaviest, vertex})});
    }
}

}  // namespace sinew::deform
