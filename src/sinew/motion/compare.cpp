#include "sinew/motion/compare.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/motion/retarget.h"

namespace sinew::motion {
namespace {

std::vector<math::Vec3d> positions_at(const model::Skeleton& skeleton, const model::Clip& clip, double time) {
    return model::joint_positions(model::world_matrices(skeleton, model::sample(clip, skeleton, time)));
}

}  // namespace

MotionDifference compare(const model::Skeleton& reference, const model::Clip& reference_clip,
                         const model::Skeleton& other, const model::Clip& other_clip) {
    const JointMap partner = match_by_name(other, reference);
    MotionDifference result;
    result.joints = static_cast<std::size_t>(std::ranges::count_if(partner, [](int j) { return j >= 0; }));
    if (result.joints == 0) fail("compare", "the skeletons have no joint name in common");
    result.frames = model::sample_count(model::time_range(reference_clip), model::frame_rate(reference_clip));
    for (std::size_t f = 0; f < result.frames; ++f) {
        const double time = model::frame_time(reference_clip, f);
        const auto a = positions_at(reference, reference_clip, time),
                   b = positions_at(other, other_clip, time);
        for (std::size_t j = 0; j < a.size(); ++j) {
            if (partner[j] < 0) continue;
            const double distance = (a[j] - b[static_cast<std::size_t>(partner[j])]).norm();
            result.mean_position_error += distance;
            if (distance > result.max_position_error || result.worst_joint.empty()) {
                result.max_position_error = distance;
                result.worst_joint = reference.joints[j].name;
                result.worst_time = time;
            }
        }
    }
    result.mean_position_error /= static_cast<double>(result.joints * result.frames);
    const double height = model::height(reference);
    if (height > 0) {
        result.mean_percent = 100 * result.mean_position_error / height;
        result.max_percent = 100 * result.max_position_error / height;
    }
    return result;
}

}  // namespace sinew::motion
