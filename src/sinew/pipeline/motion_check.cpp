// SPDX-License-Identifier: MIT
#include "sinew/pipeline/detail/motion_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/deform/deformer.h"

namespace sinew::pipeline {
namespace {

using model::Role;
using model::Side;

/// Roles that a walk needs. Fingers, toes and the number of joints in a spine do not count.
std::vector<model::JointRole> body_roles(const std::vector<model::JointRole>& roles) {
    std::vector<model::JointRole> found;
    for (const Role role : {Role::hips, Role::head}) {
        if (model::find_role(roles, role) >= 0) found.push_back({role, Side::none, 0});
    }
    for (const Role role :
         {Role::upper_arm, Role::forearm, Role::hand, Role::thigh, Role::shin, Role::foot}) {
        for (const Side side : {Side::left, Side::right}) {
            if (model::find_role(roles, role, side) >= 0) found.push_back({role, side, 0});
        }
    }
    return found;
}

enum class Stance : std::uint8_t { unknown, two_feet, four_feet, hand };

/// Orientation of a body at rest, by its roles.
Stance stance_of(const model::Skeleton& skeleton) {
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    if (model::find_role(roles, Role::foot, Side::left) >= 0)
        return motion::stands_on_four(skeleton) ? Stance::four_feet : Stance::two_feet;
    const bool headless = model::find_role(roles, Role::head) < 0;
    return headless && model::find_role(roles, Role::index, Side::left) >= 0 ? Stance::hand : Stance::unknown;
}

std::string_view words_for(Stance stance) {
    constexpr std::string_view words[] = {"no known kind of body", "a body on two feet",
                                          "a body on four feet", "a hand"};
    return words[static_cast<std::size_t>(stance)];
}

/// A skeleton in a pose, with the data for its orientation.
struct Standing {
    double height = 0;
    double slope = 0;  ///< radians between the direction from the hips to the head and the horizontal plane
};

Standing standing_of(const model::Skeleton& skeleton, const std::vector<model::JointRole>& roles,
                     std::span<const math::Mat4d> world) {
    Standing standing;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const model::Bone& bone : model::bones(skeleton, world)) {
        low = std::min({low, bone.start.y(), bone.end.y()});
        high = std::max({high, bone.start.y(), bone.end.y()});
    }
    standing.height = std::max(0.0, high - low);
    const int hips = model::find_role(roles, Role::hips), head = model::find_role(roles, Role::head);
    if (hips < 0 || head < 0) return standing;
    const math::Vec3d trunk = (world[at(head)] - world[at(hips)]).topRightCorner<3, 1>();
    standing.slope = std::atan2(trunk.y(), std::hypot(trunk.x(), trunk.z()));
    return standing;
}

/// Orientation of a skeleton in a clip, relative to its rest pose.
class Stander {
  public:
    Stander(const model::Skeleton& skeleton, const model::Clip* clip)
        : skeleton_(skeleton), clip_(clip), roles_(model::find_roles(skeleton)) {
        rest_ = standing_of(skeleton, roles_, model::rest_world_matrices(skeleton));
    }
    Standing at_time(double time) const {
        if (clip_ == nullptr || !(rest_.height > 0)) return {1, 0};
        const Standing now = standing_of(
            skeleton_, roles_, model::world_matrices(skeleton_, model::sample(*clip_, skeleton_, time)));
        return {now.height / rest_.height, now.slope - rest_.slope};
    }

  private:
    const model::Skeleton& skeleton_;
    const model::Clip* clip_;
    std::vector<model::JointRole> roles_;
    Standing rest_;
};

template <class... Words>
void refuse_or_warn(bool force, Monitor& monitor, const std::string& name, std::string_view code,
                    fmt::format_string<Words...> text, Words&&... words) {
    if (!force) fail(name, text, std::forward<Words>(words)...);
    warn(monitor, code, text, std::forward<Words>(words)...);
}

}  // namespace

void check_bodies(const model::Skeleton& source, const model::Skeleton& target, bool known,
                  const std::string& name, bool force, Monitor& monitor) {
    const Stance from = stance_of(source), to = known ? stance_of(target) : Stance::unknown;
    if (from == Stance::unknown || from == to) return;
    if (to == Stance::unknown)
        refuse_or_warn(force, monitor, name, "unknown-body",
                       "its joints have no known roles (hips, legs, arms), so the motion of {} cannot be "
                       "matched. Rename the joints, give a joint map, or give a template when rigging",
                       words_for(from));
    else
        refuse_or_warn(force, monitor, name, "other-body",
                       "it is {}, and the motion is that of {}: use a motion of the same kind of body",
                       words_for(to), words_for(from));
}

void check_roles(const model::Skeleton& source, const model::Skeleton& target,
                 const motion::RetargetResult& result, const std::string& name, bool force,
                 Monitor& monitor) {
    const std::vector<model::JointRole> from = model::find_roles(source), to = model::find_roles(target);
    const std::vector<model::JointRole> wanted = body_roles(from);
    if (wanted.size() < 4) return;
    std::size_t matched = 0;
    for (const model::JointRole& role : wanted) {
        const int joint = model::find_role(to, role.role, role.side);
        if (joint < 0) continue;
        const std::string& mine = target.joints[at(joint)].name;
        matched += std::ranges::any_of(result.mapped, [&](const auto& pair) { return pair.second == mine; });
    }
    const double share = static_cast<double>(matched) / static_cast<double>(wanted.size());
    if (share >= min_well_matched) return;
    if (share < min_matched)
        refuse_or_warn(force, monitor, name, "few-roles",
                       "only {} of the {} joints that the motion needs were found in it", matched,
                       wanted.size());
    else
        warn(monitor, "few-roles",
             "only {} of the {} joints that the motion needs were found in {}: check the result", matched,
             wanted.size(), name);
}

MotionCheck check_motion(const model::Character& character, const model::Clip& clip,
                         const model::Skeleton& source, const model::Clip* motion) {
    constexpr int moments = 12;
    constexpr double counted = 0.999;  // fraction of the edges: single slivers are not visible
    constexpr float min_edge = 1e-4f;  // of the diagonal: shorter edges are not visible either
    MotionCheck check;
    const geometry::Mesh& mesh = character.mesh;
    deform::Deformer deformer(character, {.method = deform::Method::lbs, .normals = false});
    const std::vector<math::Vec3f> rest = deformer.at(nullptr, 0).positions;
    const geometry::Box box = geometry::bounds(rest);
    if (box.empty() || !(box.size().y() > 0)) return check;
    std::vector<std::array<std::uint32_t, 2>> edges;
    for (const geometry::Triangle& t : mesh.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = t[k], b = t[(k + 1) % 3];
            if ((rest[a] - rest[b]).norm() > min_edge * box.diagonal()) edges.push_back({a, b});
        }
    }
    const Stander theirs(source, motion), ours(character.skeleton, motion == nullptr ? nullptr : &clip);
    const model::TimeRange range = model::time_range(clip);
    std::vector<float> lows;
    std::vector<float> growth(edges.size());
    for (int i = 0; i < moments; ++i) {
        const double time = range.start + range.duration() * i / (moments - 1);
        const std::vector<math::Vec3f>& now = deformer.at(&clip, time).positions;
        for (std::size_t e = 0; e < edges.size(); ++e) {
            const auto [a, b] = edges[e];
            growth[e] = (now[a] - now[b]).norm() / (rest[a] - rest[b]).norm();
        }
        check.stretch = std::max(check.stretch, static_cast<double>(quantile(growth, counted)));
        const geometry::Box moved = geometry::bounds(now);
        const Standing wanted = theirs.at_time(time), found = ours.at_time(time);
        const double height = static_cast<double>(moved.size().y() / box.size().y());
        check.height = std::min(check.height, height / std::clamp(wanted.height, 0.1, 1.0));
        check.tilt = std::max(check.tilt, wanted.slope - found.slope);
        lows.push_back(moved.low.y());
    }
    const float floor = median(lows);
    for (const float low : lows)
        check.off_floor =
            std::max(check.off_floor, static_cast<double>(std::abs(low - floor) / box.size().y()));
    return check;
}

void judge(const MotionCheck& check, const std::string& name, bool refuse, Monitor& monitor) {
    constexpr double min_height = 0.6, max_off_floor = 0.15, max_tilt = 45;
    if (check.stretch > max_stretch)
        refuse_or_warn(!refuse, monitor, name, "torn",
                       "the skin tears in this motion: edges stretch to {:.1f} times their length. Check the "
                       "joints and weights of the rig",
                       check.stretch);
    if (check.height < min_height)
        warn(monitor, "fallen", "the body of {} is only {:.0f} % as high as the motion makes it", name,
             100 * check.height);
    if (math::degrees(check.tilt) > max_tilt)
        warn(monitor, "not-upright", "the trunk of {} leans by {:.0f} degrees more than in the motion", name,
             math::degrees(check.tilt));
    if (check.off_floor > max_off_floor)
        warn(monitor, "off-floor", "the lowest point of {} moves up and down by {:.0f} % of its height", name,
             100 * check.off_floor);
}

}  // namespace sinew::pipeline
