#include "sinew/deform/influence_levels.h"

#include <algorithm>

#include "sinew/base/error.h"

namespace sinew::deform {
namespace {

/// What the lighter influences of a vertex weigh together.
float weight_beyond(std::span<const model::Influence> list, int count) {
    std::vector<float> weights;
    for (const model::Influence& influence : list) weights.push_back(influence.weight);
    std::ranges::sort(weights, std::greater{});
    float sum = 0;
    for (std::size_t i = static_cast<std::size_t>(count); i < weights.size(); ++i) sum += weights[i];
    return sum;
}

}  // namespace

std::vector<InfluenceLevel> influence_levels(const model::Skin& skin, std::span<const int> counts) {
    std::vector<InfluenceLevel> levels;
    for (const int count : counts) {
        if (count < 1 || (!levels.empty() && count >= levels.back().influences))
            fail("influence levels", "{} influences: counts must fall and be at least 1", count);
        InfluenceLevel level{count, skin, 0};
        for (std::size_t v = 0; v < skin.vertex_count(); ++v)
            level.pruned = std::max(level.pruned, weight_beyond(skin.of(v), count));
        model::SkinCleanOptions options;
        options.max_influences = count;
        model::clean(level.skin, options);
        levels.push_back(std::move(level));
    }
    return levels;
}

std::size_t choose_level(std::span<const InfluenceLevel> levels, double spread, double tolerance) {
    if (levels.empty()) fail("influence levels", "there are none to choose from");
    for (std::size_t i = levels.size(); i-- > 1;)
        if (static_cast<double>(levels[i].pruned) * spread <= tolerance) return i;
    return 0;
}

double pose_spread(const model::Skin& skin, std::span<const math::Vec3<float>> rest,
                   std::span<const math::Mat4d> palette) {
    if (rest.size() != skin.vertex_count() || palette.size() != skin.joints.size())
        fail("influence levels", "{} points and {} matrices for a skin of {} vertices and {} joints",
             rest.size(), palette.size(), skin.vertex_count(), skin.joints.size());
    double largest = 0;
    std::vector<math::Vec3d> places;
    for (std::size_t v = 0; v < rest.size(); ++v) {
        places.clear();
        for (const model::Influence& influence : skin.of(v)) {
            places.push_back(
                math::transform_point(palette[influence.joint], math::Vec3d(rest[v].cast<double>())));
            for (const math::Vec3d& other : places)
                largest = std::max(largest, (places.back() - other).norm());
        }
    }
    return largest;
}

}  // namespace sinew::deform
