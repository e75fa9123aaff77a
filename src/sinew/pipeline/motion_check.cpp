// SPDX-License-Identifier: MIT
#include "sinew/pipeline/detail/motion_check.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/deform/deformer.h"

namespace sinew::pipeline {
namespace {

using model::Role;
using model::Side;

/// What a walk needs. Fingers, toes and the number of joints in a spine do not count.
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

/// How a body stands at rest, by its roles.
Stance stance_of(const model::Skeleton& skeleton) {
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    const int foot = model::find_role(roles, Role::foot, Side::left),
              hand = model::find_role(roles, Role::hand, Side::left),
              head = model::find_role(roles, Role::head);
    if (foot < 0)
        return model::find_role(roles, Role::index, Side::left) >= 0 && head < 0 ? Stance::hand
                                                                                 : Stance::unknown;
    if (hand < 0 || head < 0) return Stance::two_feet;
    // A hand that is as low as a foot stands on the floor.
    const double reach = motion::rest_height(skeleton, head);
    return motion::rest_height(skeleton, hand) < 0.25 * reach ? Stance::four_feet : Stance::two_feet;
}

std::string_view words_for(Stance stance) {
    constexpr std::string_view words[] = {"no known kind of body", "a body on two feet",
                                          "a body on four feet", "a hand"};
    return words[static_cast<std::size_t>(stance)];
}

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

MotionCheck check_motion(const model::Character& character, const model::Clip& clip) {
    constexpr int moments = 12;
    constexpr double counted = 0.999;  // share of the edges: single slivers do not show
    constexpr float min_edge = 1e-4f;  // of the diagonal: shorter edges do not show either
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
        check.height = std::min(check.height, static_cast<double>(moved.size().y() / box.size().y()));
        lows.push_back(moved.low.y());
    }
    const float floor = median(lows);
    for (const float low : lows)
        check.off_floor =
            std::max(check.off_floor, static_cast<double>(std::abs(low - floor) / box.size().y()));
    return check;
}

void judge(const MotionCheck& check, const std::string& name, bool refuse, Monitor& monitor) {
    constexpr double min_height = 0.6, max_off_floor = 0.15;
    if (check.stretch > max_stretch)
        refuse_or_warn(!refuse, monitor, name, "torn",
                       "the skin tears in this motion: edges stretch to {:.1f} times their length. Check the "
                       "joints and weights of the rig",
                       check.stretch);
    if (check.height < min_height)
        warn(monitor, "fallen", "the body of {} is only {:.0f} % of its height in the motion", name,
             100 * check.height);
    if (check.off_floor > max_off_floor)
        warn(monitor, "off-floor", "the lowest point of {} moves up and down by {:.0f} % of its height", name,
             100 * check.off_floor);
}

}  // namespace sinew::pipeline
