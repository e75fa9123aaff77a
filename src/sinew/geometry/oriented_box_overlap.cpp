#include <cmath>

#include "sinew/geometry/part_shape.h"

namespace sinew::geometry {

using math::Mat3d;
using math::Vec3d;

bool overlap(const OrientedBox& a, const OrientedBox& b) {
    // Everything in the frame of a: the columns of `turn` are the axes of b.
    const Mat3d turn = a.axes.transpose() * b.axes;
    const Vec3d apart = a.axes.transpose() * (b.centre - a.centre);
    const Mat3d size = turn.cwiseAbs();
    const auto separates = [&](const Vec3d& axis) {
        const double reach_a = axis.cwiseAbs().dot(a.half);
        const double reach_b = (turn.transpose() * axis).cwiseAbs().dot(b.half);
        return std::abs(axis.dot(apart)) > reach_a + reach_b;
    };
    for (int i = 0; i < 3; ++i) {
        if (std::abs(apart[i]) > a.half[i] + size.row(i).dot(b.half)) return false;
        if (separates(turn.col(i))) return false;
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const Vec3d axis = Vec3d::Unit(i).cross(turn.col(j));
            if (axis.squaredNorm() < 1e-12) continue;  // parallel: the face axes have settled it
            if (separates(axis)) return false;
        }
    }
    return true;
}

}  // namespace sinew::geometry
