#include <cmath>

#include "sinew/motion/solve.h"

namespace sinew::motion {
namespace {

using math::Vec3d;

/// Standard deviation of the distance between two markers; not finite when too few frames have both.
double unsteadiness(const model::Trial& trial, std::size_t a, std::size_t b) {
    double sum = 0, squares = 0, count = 0;
    const std::size_t stride = std::max<std::size_t>(1, trial.frames / 200);
    for (std::size_t f = 0; f < trial.frames; f += stride) {
        if (!trial.markers.valid(f, a) || !trial.markers.valid(f, b)) continue;
        const double d = (model::world_position(trial, f, a) - model::world_position(trial, f, b)).norm();
        sum += d;
        squares += d * d;
        ++count;
    }
    if (count < 5) return unknown;
    return std::sqrt(std::max(0.0, squares / count - sum * sum / (count * count)));
}

/// Mean unsteadiness of a marker against the markers of a segment, itself and its twin left out.
double against(const model::Trial& trial, const MarkerMap& map, std::size_t marker, std::size_t twin,
               model::Role segment, model::Side side) {
    double sum = 0, count = 0;
    for (std::size_t k = 0; k < map.markers.size(); ++k) {
        const MarkerPlace& place = map.markers[k].place;
        if (k == marker || k == twin || place.segment != segment || place.side != side) continue;
        const double u = unsteadiness(trial, map.markers[marker].point, map.markers[k].point);
        if (!std::isfinite(u)) continue;
        sum += u;
        ++count;
    }
    return count == 0 ? unknown : sum / count;
}

}  // namespace

std::vector<Swap> find_swaps(const model::Trial& trial, const MarkerMap& map) {
    std::vector<Swap> swaps;
    for (std::size_t k = 0; k < map.markers.size(); ++k) {
        const MarkerPlace& left = map.markers[k].place;
        if (left.side != model::Side::left) continue;
        const int other = map.find("R" + left.name.substr(1));
        if (other < 0) continue;
        const auto o = static_cast<std::size_t>(other);
        const MarkerPlace& right = map.markers[o].place;
        const double own = against(trial, map, k, o, left.segment, left.side) +
                           against(trial, map, o, k, right.segment, right.side);
        const double crossed = against(trial, map, k, o, right.segment, right.side) +
                               against(trial, map, o, k, left.segment, left.side);
        // Two centimetres of play for skin, and a clear difference.
        if (own > 0.04 && crossed < own / 2) swaps.push_back({left.name, right.name});
    }
    return swaps;
}

}  // namespace sinew::motion
