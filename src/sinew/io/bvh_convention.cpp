#include "sinew/io/bvh/hierarchy.h"

#include <algorithm>

#include "sinew/base/array.h"

namespace sinew::io::bvh {

bool root_replaces(const math::Vec3d& offset, double median_height) {
    if (offset.y() == 0) return false;
    const double ratio = median_height / offset.y();
    return ratio >= 0.5 && ratio <= 1.5;
}

JointConvention joint_convention(std::span<const FirstPosition> joints) {
    std::vector<double> from_offset, from_zero;
    for (const FirstPosition& joint : joints) {
        const double length = joint.offset.norm();
        if (length == 0) continue;  // both conventions agree
        from_offset.push_back((joint.position - joint.offset).norm() / length);
        from_zero.push_back(joint.position.norm() / length);
    }
    if (from_offset.empty() || median(std::move(from_offset)) < 0.05) return {true, true};
    if (median(std::move(from_zero)) < 0.2) return {false, true};
    return {true, false};
}

}  // namespace sinew::io::bvh
