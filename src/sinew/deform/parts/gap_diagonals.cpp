#include "sinew/deform/parts/gap_diagonals.h"

#include <algorithm>
#include <cmath>

namespace sinew::deform {
namespace {

using geometry::Triangle;

/// 4 sqrt(3) area / sum of squared sides: 1 for an equilateral triangle.
double quality(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const double sides = (b - a).squaredNorm() + (c - b).squaredNorm() + (a - c).squaredNorm();
    return sides > 0 ? 2 * std::sqrt(3.0) * (b - a).cross(c - a).norm() / sides : 0;
}

/// Sides of triangles, as lists of those that start at a point; side 3 t + k goes from corner k of triangle t
/// to the next one.
class Sides {
  public:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    Sides(std::size_t points, std::vector<Triangle>& triangles)
        : triangles_(triangles), first_(points, none), next_(3 * triangles.size(), none) {
        for (std::size_t t = 0; t < triangles.size(); ++t) link(t);
    }

    /// The triangle on the left of the way from one point to another.
    std::size_t triangle_of(std::uint32_t from, std::uint32_t to) const {
        for (std::size_t side = first_[from]; side != none; side = next_[side])
            if (triangles_[side / 3][(side + 1) % 3] == to) return side / 3;
        return none;
    }

    void change(std::size_t t, const Triangle& corners) {
        for (std::size_t k = 0; k < 3; ++k) {
            std::size_t* at = &first_[triangles_[t][k]];
            while (*at != 3 * t + k) at = &next_[*at];
            *at = next_[3 * t + k];
        }
        triangles_[t] = corners;
        link(t);
    }

  private:
    void link(std::size_t t) {
        for (std::size_t k = 0; k < 3; ++k) {
            std::size_t& first = first_[triangles_[t][k]];
            next_[3 * t + k] = first;
            first = 3 * t + k;
        }
    }

    std::vector<Triangle>& triangles_;
    std::vector<std::size_t> first_, next_;
};

}  // namespace

double worst_quality(const StripPatch& patch) {
    double worst = 1;
    for (const Triangle& t : patch.triangles)
        worst = std::min(worst, quality(patch.points[t[0]], patch.points[t[1]], patch.points[t[2]]));
    return worst;
}

std::size_t turn_diagonals(StripPatch& patch, double least_quality) {
    if (worst_quality(patch) >= least_quality) return 0;
    Sides sides(patch.points.size(), patch.triangles);
    const auto at = [&](std::uint32_t p) -> const Vec3d& { return patch.points[p]; };
    std::size_t turns = 0;
    const auto turn = [&](std::size_t t, std::size_t k) {
        const std::uint32_t a = patch.triangles[t][k], b = patch.triangles[t][(k + 1) % 3],
                            c = patch.triangles[t][(k + 2) % 3];
        const std::size_t u = sides.triangle_of(b, a);
        if (u == Sides::none) return false;
        const Triangle& o = patch.triangles[u];
        const std::uint32_t d = o[0] + o[1] + o[2] - a - b;
        // An edge between two points of one loop may exist in a part.
        const bool loops = c < patch.loop_points() && d < patch.loop_points();
        if (loops || c == d || sides.triangle_of(c, d) != Sides::none ||
            sides.triangle_of(d, c) != Sides::none)
            return false;
        const double before = std::min(quality(at(a), at(b), at(c)), quality(at(b), at(a), at(d)));
        const double after = std::min(quality(at(a), at(d), at(c)), quality(at(d), at(b), at(c)));
        const Vec3d n = (at(d) - at(a)).cross(at(c) - at(a)), m = (at(b) - at(d)).cross(at(c) - at(d));
        const Vec3d old = (at(b) - at(a)).cross(at(c) - at(a)) + (at(a) - at(b)).cross(at(d) - at(b));
        if (after <= before || n.dot(m) <= 0 || n.dot(old) <= 0) return false;
        sides.change(t, {a, d, c});
        sides.change(u, {d, b, c});
        ++turns;
        return true;
    };
    // Every turn makes the worse of two triangles better: it ends, and mostly at once.
    for (std::size_t before = turns + 1, round = 0; before != turns && round < 8; ++round) {
        before = turns;
        for (std::size_t t = 0; t < patch.triangles.size(); ++t) {
            const Triangle c = patch.triangles[t];
            if (quality(at(c[0]), at(c[1]), at(c[2])) >= least_quality) continue;
            for (std::size_t k = 0; k < 3; ++k)
                if (turn(t, k)) break;
        }
    }
    return turns;
}

}  // namespace sinew::deform
