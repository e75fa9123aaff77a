// SPDX-License-Identifier: MIT
#include "sinew/fit/decomposition/start_search.h"

#include <algorithm>

#include "sinew/fit/decomposition/bone_seeds.h"

namespace sinew::fit {
namespace {

constexpr std::size_t few_vertices = 600, few_frames = 16;
/// Per seed: cheap on a part of a sequence, and they leave local minima.
constexpr int exchanges = 8;

/// A part of a sequence: every n-th vertex and frame. The samples next to each other are neighbours.
struct Thinned {
    model::MeshSequence sequence;
    std::vector<std::uint32_t> nearest;  ///< of each vertex: the nearest sample along the edges
};

/// Sample of each vertex, spread from the samples outwards; vertices of shells without a sample take one by
/// their relative position in the list.
std::vector<std::uint32_t> nearest_samples(const geometry::Rows& neighbors,
                                           std::span<const std::uint32_t> samples) {
    constexpr auto none = static_cast<std::uint32_t>(-1);
    std::vector<std::uint32_t> nearest(neighbors.size(), none), queue(samples.begin(), samples.end());
    for (std::uint32_t s = 0; s < samples.size(); ++s) nearest[samples[s]] = s;
    for (std::size_t next = 0; next < queue.size(); ++next) {
        for (const std::uint32_t other : neighbors[queue[next]]) {
            if (nearest[other] != none) continue;
            nearest[other] = nearest[queue[next]];
            queue.push_back(other);
        }
    }
    for (std::size_t v = 0; v < nearest.size(); ++v) {
        if (nearest[v] == none) nearest[v] = static_cast<std::uint32_t>(v * samples.size() / nearest.size());
    }
    return nearest;
}

Thinned thinned(const model::MeshSequence& whole) {
    Thinned part;
    const std::size_t vertices = whole.rest.positions.size(), count = std::min(few_vertices, vertices);
    std::vector<std::uint32_t> samples;
    for (std::size_t s = 0; s < count; ++s)
        samples.push_back(static_cast<std::uint32_t>(s * vertices / count));
    const geometry::Rows neighbors = fit_neighbors(whole.rest);
    part.nearest = nearest_samples(neighbors, samples);
    part.sequence.rate = whole.rate;
    for (const std::uint32_t v : samples) part.sequence.rest.positions.push_back(whole.rest.positions[v]);
    for (std::uint32_t v = 0; v < vertices; ++v) {
        for (const std::uint32_t other : neighbors[v]) {
            const std::uint32_t a = part.nearest[v], b = part.nearest[other];
            if (a < b) part.sequence.rest.triangles.push_back({a, b, b});
        }
    }
    const std::size_t frames = std::min(few_frames, whole.frames.size());
    for (std::size_t f = 0; f < frames; ++f) {
        const auto& from = whole.frames[f * whole.frames.size() / frames];
        auto& to = part.sequence.frames.emplace_back();
        for (const std::uint32_t v : samples) to.push_back(from[v]);
    }
    return part;
}

/// Applies the bones of a part to the whole: weights of the nearest sample, and for each bone the motion of
/// the vertices on which it has the largest weight.
FitResult carried_over(const model::MeshSequence& whole, const Thinned& part, const FitResult& found,
                       int influences) {
    FitResult fit;
    fit.rest = whole.rest;
    fit.rate = whole.rate;
    fit.rigid = found.rigid;
    const std::size_t vertices = whole.rest.positions.size(), bones = found.bone_count();
    fit.weights = BlendWeights(vertices, static_cast<std::size_t>(influences));
    std::vector<std::vector<std::uint32_t>> regions(bones);
    for (std::uint32_t v = 0; v < vertices; ++v) {
        const auto weights = found.weights.of(part.nearest[v]);
        fit.weights.set(v, weights);
        const auto heaviest =
            std::max_element(weights.begin(), weights.end(),
                             [](const BoneWeight& a, const BoneWeight& b) { return a.weight < b.weight; });
        if (heaviest != weights.end()) regions[heaviest->bone].push_back(v);
    }
    const Target target = make_target(whole);
    Motions motions(3 * target.frames(), 4 * static_cast<Eigen::Index>(bones));
    for (std::size_t b = 0; b < bones; ++b) {
        // A bone that improves nothing has the motion of the whole mesh.
        if (regions[b].empty()) {
            for (std::uint32_t v = 0; v < vertices; ++v) regions[b].push_back(v);
        }
        motions.middleCols<4>(4 * static_cast<Eigen::Index>(b)) = region_motion(target, regions[b]);
    }
    fit.frames = to_poses(target, motions);
    fit.centers = weight_centers(fit.rest, fit.weights, bones);
    return fit;
}

}  // namespace

bool can_search(const model::MeshSequence& sequence, int bones) {
    return bones > 1 &&
           static_cast<std::size_t>(bones) * 8 <= std::min(few_vertices, sequence.rest.positions.size());
}

FitResult searched_start(const model::MeshSequence& sequence, const DecompositionOptions& options, int starts,
                         Monitor& monitor) {
    const Thinned part = thinned(sequence);
    DecompositionOptions how;
    how.bones = options.bones;
    how.rigid = options.rigid;
    how.influences = options.influences;
    how.exchanges = exchanges;
    FitResult best;
    for (int s = 0; s < starts; ++s) {
        step(monitor, "searching", static_cast<double>(s) / starts);
        how.seed = static_cast<unsigned>(s);  // 0 starts where the error is largest
        FitResult found = fit_decomposition(part.sequence, how);
        if (best.history.empty() || found.history.back() < best.history.back()) best = std::move(found);
    }
    return carried_over(sequence, part, best, options.influences);
}

}  // namespace sinew::fit
