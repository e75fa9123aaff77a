#include "sinew/rig/bind/region_weights.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/types.h"

namespace sinew::rig {
namespace {

using math::infinity;

/// Distance to the nearest boundary of the region except one (`skip` = -1 skips the own one).
double nearest_other(const RegionSides& sides, int skip) {
    double least = skip == -1 ? infinity : sides.own.distance;
    for (std::size_t k = 0; k < sides.children.size(); ++k)
        if (static_cast<int>(k) != skip) least = std::min(least, sides.children[k].distance);
    return least;
}

/// How far through the band, from 0 on the boundary to 1 at its end; a rigid one has no band.
double through(const BandSide& side, double other) {
    if (!(side.softness > 0)) return 1;
    return std::min(1.0, band_fraction(side.distance, other, side.limit) / side.softness);
}

/// D_i of a child: from the own boundary to the child's (or the length of the bone, where there is none).
double stretch(const RegionSides& sides, const BandSide& child) {
    const double sum = sides.own.distance + child.distance;
    return std::isfinite(sum) ? sum : child.limit;
}

}  // namespace

double ease(Ease kind, double x) {
    switch (kind) {
        case Ease::linear:
            return x;
        case Ease::quintic:
            return x * x * x * (x * (6 * x - 15) + 10);
        case Ease::smooth:
            break;
    }
    return x * x * (3 - 2 * x);
}

double band_fraction(double distance, double other, double limit) {
    if (!(distance > 0)) return 0;
    if (!std::isfinite(distance)) return 1;
    const double whole = std::min(distance + other, limit);
    return std::isfinite(whole) ? std::min(1.0, distance / whole) : 0;
}

void band_weights(const RegionSides& sides, Ease kind, std::vector<JointWeight>& row) {
    const double t =
        sides.parent < 0 ? 1 : ease(kind, 0.5 + 0.5 * through(sides.own, nearest_other(sides, -1)));
    double left = t;
    for (std::size_t k = 0; k < sides.children.size(); ++k) {
        const double other = nearest_other(sides, static_cast<int>(k));
        const double child = ease(kind, 0.5 - 0.5 * through(sides.children[k], other));
        left *= 1 - child;
        row.push_back({sides.children[k].joint, t * child});
    }
    row.push_back({sides.joint, left});
    if (sides.parent >= 0) row.push_back({sides.parent, 1 - t});
}

void continuous_shepard(const RegionSides& sides, double alpha, std::vector<JointWeight>& row) {
    // Only children whose shadow is here: with the others the product would overflow or vanish.
    std::vector<const BandSide*> near;
    for (const BandSide& child : sides.children)
        if (child.distance < child.softness * stretch(sides, child)) near.push_back(&child);
    double all = 1;
    for (const BandSide* child : near) all *= std::pow(child->distance, alpha);
    row.push_back({sides.joint, all});
    for (const BandSide* child : near) {
        double odds = std::pow(child->softness * stretch(sides, *child) - child->distance, alpha);
        for (const BandSide* other : near)
            if (other != child) odds *= std::pow(other->distance, alpha);
        row.push_back({child->joint, odds});
    }
}

void source_shepard(const RegionSides& sides, double alpha, std::vector<JointWeight>& row) {
    std::vector<std::pair<int, double>> near;
    double left = 0;
    for (const BandSide& child : sides.children) {
        if (!(child.distance < child.softness * stretch(sides, child))) continue;
        near.emplace_back(child.joint, child.distance);
        left = std::max(left, stretch(sides, child) - child.distance);
    }
    // The root has no boundary: what is left of its bone stands for the distance.
    const double own = std::isfinite(sides.own.distance) ? sides.own.distance : left;
    near.emplace_back(sides.joint, near.empty() ? 1 : own);
    for (const auto& [joint, d] : near) {
        double product = 1;
        for (const auto& [other, distance] : near)
            if (other != joint) product *= std::pow(distance, alpha);
        row.push_back({joint, product});
    }
}

void shadows_of(const RegionSides& sides, std::vector<std::uint32_t>& joints) {
    for (const BandSide& child : sides.children)
        if (child.distance < child.softness * stretch(sides, child))
            joints.push_back(static_cast<std::uint32_t>(child.joint));
}

}  // namespace sinew::rig
