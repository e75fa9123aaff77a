#include "sinew/motion/solve_bones.h"

#include <algorithm>
#include <limits>

#include "sinew/base/array.h"
#include "sinew/motion/calibrate_body.h"
#include "sinew/motion/positions.h"

namespace sinew::motion {
namespace {

using math::Vec3d;

std::vector<Vec3d> places_of(const model::Skeleton& skeleton, const Pose& pose) {
    std::vector<model::Transform> local;
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        local.push_back(skeleton.joints[j].rest);
        local.back().rotation = pose.rotation[j];
        local.back().translation = pose.translation[j];
    }
    return model::joint_positions(model::world_matrices(skeleton, local));
}

/// Height of the lower ankle, or of the lowest joint of a body without.
double lowest(const std::vector<Vec3d>& places, int left, int right) {
    if (left >= 0 && right >= 0)
        return std::min(places[static_cast<std::size_t>(left)].y(),
                        places[static_cast<std::size_t>(right)].y());
    double low = std::numeric_limits<double>::infinity();
    for (const Vec3d& place : places) low = std::min(low, place.y());
    return low;
}

}  // namespace

void lend_turns(const model::Skeleton& bones, SolveResult& result) {
    const auto roles = model::find_roles(bones);
    const int hips = std::max(0, model::find_role(roles, model::Role::hips));
    const int left = model::find_role(roles, model::Role::foot, model::Side::left);
    const int right = model::find_role(roles, model::Role::foot, model::Side::right);
    std::vector<double> heights;
    for (Pose& pose : result.poses) {
        const std::vector<Vec3d> before = places_of(result.skeleton, pose);
        for (std::size_t j = 0; j < bones.size(); ++j)
            if (bones.joints[j].parent >= 0) pose.translation[j] = bones.joints[j].rest.translation;
        const std::vector<Vec3d> after = places_of(bones, pose);
        const Vec3d shift = before[static_cast<std::size_t>(hips)] - after[static_cast<std::size_t>(hips)];
        pose.translation[0] += shift;
        heights.push_back(lowest(before, left, right) - lowest(after, left, right) - shift.y());
    }
    const double raise = median(std::move(heights));
    for (Pose& pose : result.poses) pose.translation[0].y() += raise;
    std::string name = std::move(result.clip.name);
    const double rate = model::frame_rate(result.clip);
    result.clip = clip_of_poses(bones, result.poses, rate);
    result.clip.name = std::move(name);
    result.skeleton = bones;
}

}  // namespace sinew::motion
