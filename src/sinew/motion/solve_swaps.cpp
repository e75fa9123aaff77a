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

/// Segments of the same limb that a segment is joined to.
std::initializer_list<model::Role> neighbours(model::Role segment) {
    using enum model::Role;
    static constexpr auto of_thigh = {shin}, of_shin = {thigh, foot}, of_foot = {shin},
                          of_upper_arm = {forearm}, of_forearm = {upper_arm, hand}, of_hand = {forearm};
    switch (segment) {
        case thigh:
            return of_thigh;
        case shin:
            return of_shin;
        case foot:
            return of_foot;
        case upper_arm:
            return of_upper_arm;
        case forearm:
            return of_forearm;
        case hand:
            return of_hand;
        default:
            return {};
    }
}

/// A pair of markers of the same place on both sides.
struct Pair {
    const model::Trial& trial;
    const MarkerMap& map;
    std::size_t left, right;

    /// Mean unsteadiness of both against a segment of their own sides, or crosswise of the other.
    double of(model::Role segment, bool crossed) const {
        return against(trial, map, left, right, segment, crossed ? model::Side::right : model::Side::left) +
               against(trial, map, right, left, segment, crossed ? model::Side::left : model::Side::right);
    }

    /// Of two markers on a segment each blames the other: joined segments tell which one it is.
    bool blamed_by_neighbours() const {
        double own = 0, crossed = 0;
        for (const model::Role role : neighbours(map.markers[left].place.segment)) {
            const double o = of(role, false), c = of(role, true);
            if (!std::isfinite(o + c)) continue;
            own += o;
            crossed += c;
        }
        return crossed <= own;
    }
};

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
        const Pair pair{trial, map, k, o};
        const double own = pair.of(left.segment, false), crossed = pair.of(left.segment, true);
        // Two centimetres of play for skin, and a clear difference.
        if (own > 0.04 && crossed < own / 2 && pair.blamed_by_neighbours())
            swaps.push_back({left.name, right.name});
    }
    return swaps;
}

}  // namespace sinew::motion
