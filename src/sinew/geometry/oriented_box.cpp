#include "sinew/geometry/part_shape.h"

#include <limits>

namespace sinew::geometry {

OrientedBox box_around(const std::vector<math::Vec3d>& points, const math::Mat3d& axes) {
    OrientedBox box;
    box.axes = axes;
    if (points.empty()) return box;
    math::Vec3d low = math::Vec3d::Constant(std::numeric_limits<double>::infinity()), high = -low;
    for (const math::Vec3d& point : points) {
        const math::Vec3d along = axes.transpose() * point;
        low = low.cwiseMin(along);
        high = high.cwiseMax(along);
    }
    box.half = (high - low) / 2;
    box.centre = axes * ((low + high) / 2);
    return box;
}

}  // namespace sinew::geometry
