// SPDX-License-Identifier: MIT
#include "sinew/pipeline/detail/clearance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/array.h"
#include "sinew/base/parallel.h"
#include "sinew/collide/query.h"
#include "sinew/deform/deformer.h"
#include "sinew/pipeline/detail/motion_check.h"

namespace sinew::pipeline {

using math::Mat4d;
using math::Quatd;
using math::Vec3d;
using math::Vec3f;
using model::Role;
using model::Side;

namespace {

constexpr std::array<Side, 2> sides = {Side::left, Side::right};

/// Times of a clip that are tested: enough not to miss a swing of an arm; fewer in long clips, to limit the
/// computation time.
std::vector<double> moments_of(const model::Clip& clip, double rate, std::size_t most) {
    const model::TimeRange range = model::time_range(clip);
    const std::size_t count =
        std::clamp<std::size_t>(static_cast<std::size_t>(range.duration() * rate) + 1, 2, most);
    std::vector<double> times(count);
    for (std::size_t i = 0; i < count; ++i)
        times[i] = range.start + range.duration() * static_cast<double>(i) / static_cast<double>(count - 1);
    return times;
}

/// The maximum within `reach` on both sides, then the mean over the same range: smooth, and rarely less than
/// needed.
std::vector<double> envelope(std::span<const double> values, std::size_t reach) {
    std::vector<double> most(values.begin(), values.end()), smooth(values.size());
    const auto around = [&](std::size_t i) {
        return std::pair(i > reach ? i - reach : 0, std::min(values.size() - 1, i + reach));
    };
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto [from, to] = around(i);
        for (std::size_t k = from; k <= to; ++k) most[i] = std::max(most[i], values[k]);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto [from, to] = around(i);
        for (std::size_t k = from; k <= to; ++k) smooth[i] += most[k] / static_cast<double>(to - from + 1);
    }
    return smooth;
}

/// An angle for every time of a clip, smooth over time.
class AngleCurve {
  public:
    AngleCurve(std::vector<double> times, std::span<const double> needed) : times_(std::move(times)) {
        constexpr double seconds = 0.4;  // a third of a stride: nearly one angle for a walk
        const double step = times_.size() > 1 ? times_[1] - times_[0] : 1;
        values_ = envelope(needed, static_cast<std::size_t>(std::max(1.0, std::round(seconds / step))));
    }
    double largest() const { return values_.empty() ? 0 : *std::ranges::max_element(values_); }
    double operator()(double time) const {
        const auto after = std::ranges::lower_bound(times_, time);
        if (after == times_.begin()) return values_.front();
        if (after == times_.end()) return values_.back();
        const auto i = static_cast<std::size_t>(after - times_.begin());
        const double t = (time - times_[i - 1]) / (times_[i] - times_[i - 1]);
        return (1 - t) * values_[i - 1] + t * values_[i];
    }

  private:
    std::vector<double> times_, values_;
};

/// Rotates every key of a joint: `turn(time)` is applied after the joint's own rotation, in its parent's
/// frame.
template <class Rotation>
void rotate_keys(const model::Skeleton& skeleton, int joint, const Rotation& rotation, model::Clip& clip) {
    auto track = std::ranges::lower_bound(clip.tracks, joint, {}, &model::Track::joint);
    if (track == clip.tracks.end() || track->joint != joint)
        track = clip.tracks.insert(track, model::Track{joint, {}, {}, {}});
    auto& keys = track->rotation;
    if (keys.empty()) {
        const model::TimeRange range = model::time_range(clip);
        const double rate = model::frame_rate(clip);
        keys.times = model::KeyTimes::even(range.start, 1 / rate, model::sample_count(range, rate));
        keys.values.assign(keys.times.size(), skeleton.joints[at(joint)].rest.rotation.cast<float>());
        keys.mode = model::Interpolation::linear;
    }
    for (std::size_t k = 0; k < keys.times.size(); ++k) {
        const math::Quatf q = Quatd(rotation(keys.times[k])).cast<float>();
        for (std::size_t i = k * keys.stride(); i < (k + 1) * keys.stride(); ++i)
            keys.values[i] = q * keys.values[i];
    }
}

/// Fraction of each vertex's weight that belongs to some joints.
std::vector<float> share_of(const model::Skin& skin, const std::vector<char>& joints) {
    std::vector<float> share(skin.vertex_count(), 0);
    for (std::size_t v = 0; v < share.size(); ++v) {
        for (const model::Influence& influence : skin.of(v))
            if (joints[at(skin.joints[influence.joint].joint)] != 0) share[v] += influence.weight;
    }
    return share;
}

constexpr float belongs = 0.5f;  // fraction of the weight above which a vertex belongs to a limb

/// The tree of the triangles whose corners all belong to some joints.
collide::SphereTree tree_of(const model::Character& character, const std::vector<char>& joints) {
    const std::vector<float> share = share_of(character.skin, joints);
    geometry::Mesh part;
    part.positions = character.mesh.positions;
    for (const geometry::Triangle& t : character.mesh.triangles) {
        if (share[t[0]] >= belongs && share[t[1]] >= belongs && share[t[2]] >= belongs)
            part.triangles.push_back(t);
    }
    if (part.triangles.empty()) return {};
    return collide::build_tree(part, character.skin, &character.skeleton);
}

/// A joint and its descendants.
std::vector<char> joints_below(const model::Skeleton& skeleton, int joint) {
    std::vector<char> below(skeleton.size(), 0);
    for (std::size_t j = 0; joint >= 0 && j < skeleton.size(); ++j) {
        const int parent = skeleton.joints[j].parent;
        below[j] = static_cast<int>(j) == joint || (parent >= 0 && below[at(parent)] != 0);
    }
    return below;
}

Mat4d rotation_about(const Vec3d& point, const Vec3d& axis, double angle) {
    Mat4d rotation = Mat4d::Identity();
    rotation.topLeftCorner<3, 3>() = math::axis_angle<double>(axis, angle).toRotationMatrix();
    rotation.topRightCorner<3, 1>() = point - rotation.topLeftCorner<3, 3>() * point;
    return rotation;
}

Vec3d position_of(const Mat4d& world) {
    return world.topRightCorner<3, 1>();
}

Quatd rotation_of(const Mat4d& world) {
    return math::decompose(world).transform.rotation;
}

}  // namespace

std::array<std::vector<motion::SolePoint>, 4> find_soles(const model::Character& character) {
    std::array<std::vector<motion::SolePoint>, 4> soles;
    const std::vector<model::JointRole> roles = model::find_roles(character.skeleton);
    const std::vector<Mat4d> rest = model::rest_world_matrices(character.skeleton);
    const std::vector<Vec3f> positions = rest_mesh(character).positions;
    const std::size_t count = motion::stands_on_four(character.skeleton) ? 4 : 2;
    for (std::size_t i = 0; i < count; ++i) {
        const Side side = sides[i % 2];
        const int foot = model::find_role(roles, i < 2 ? Role::foot : Role::hand, side),
                  toe = i < 2 ? model::find_role(roles, Role::toe, side) : -1;
        if (foot < 0) continue;
        const std::vector<float> whole = share_of(character.skin, joints_below(character.skeleton, foot)),
                                 front = share_of(character.skin, joints_below(character.skeleton, toe));
        // Only the farthest vertices in directions below the horizon can touch a floor.
        std::vector<std::uint32_t> found;
        for (const double slope : {-0.2, -0.5, -1.0, -2.0, -8.0}) {
            for (int k = 0; k < 12; ++k) {
                const double angle = 2 * math::pi * k / 12;
                const Vec3f direction =
                    Vec3d(std::cos(angle), slope, std::sin(angle)).normalized().cast<float>();
                std::optional<std::uint32_t> best;
                for (std::uint32_t v = 0; v < positions.size(); ++v) {
                    if (whole[v] < belongs) continue;
                    if (!best || positions[v].dot(direction) > positions[*best].dot(direction)) best = v;
                }
                if (best && std::ranges::find(found, *best) == found.end()) found.push_back(*best);
            }
        }
        for (const std::uint32_t v : found) {
            const int joint = front[v] >= belongs ? toe : foot;
            const Vec3d offset = positions[v].cast<double>() - position_of(rest[at(joint)]);
            soles[i].push_back({joint, rotation_of(rest[at(joint)]).conjugate() * offset});
        }
    }
    return soles;
}

/// Bodies of this thread, and the number of triangles in contact.
class BodyClearance::Counter {
  public:
    Counter(const BodyClearance& owner, const collide::SphereTree& limb, const collide::SphereTree& obstacle)
        : skin_(owner.character_.skin), limb_(limb), obstacle_(obstacle) {}

    /// The obstacle in a pose of the skeleton.
    void set_pose(std::span<const Mat4d> world) {
        palette_ = model::palette(skin_, world);
        obstacle_.set_pose(deform::to_mat34(palette_));
    }
    /// Contacts of the limb in that pose, with some joints rotated by a matrix; `moved` may be empty.
    std::size_t count(std::span<const char> moved = {}, const Mat4d& rotation = Mat4d::Identity()) {
        std::vector<Mat4d> turned = palette_;
        for (std::size_t i = 0; i < turned.size() && !moved.empty(); ++i)
            if (moved[at(skin_.joints[i].joint)] != 0) turned[i] = rotation * turned[i];
        limb_.set_pose(deform::to_mat34(turned));
        collide::find_contacts(limb_, obstacle_, contacts_, scratch_);
        return contacts_.size();
    }

  private:
    const model::Skin& skin_;
    collide::Body limb_, obstacle_;
    std::vector<Mat4d> palette_;
    std::vector<collide::Contact> contacts_;
    collide::QueryScratch scratch_;
};

BodyClearance::BodyClearance(const model::Character& character)
    : character_(character),
      roles_(model::find_roles(character.skeleton)),
      rest_(model::rest_world_matrices(character.skeleton)) {
    const model::Skeleton& skeleton = character.skeleton;
    const int left = model::find_role(roles_, Role::thigh, Side::left),
              right = model::find_role(roles_, Role::thigh, Side::right);
    if (left >= 0 && right >= 0) {
        Vec3d across = position_of(rest_[at(left)]) - position_of(rest_[at(right)]);
        across.y() = 0;
        if (across.norm() > 0) left_ = across.normalized();
    }
    std::vector<char> trunk(skeleton.size(), 1), body;
    const auto leave_out = [&](int joint) {
        const std::vector<char> below = joints_below(skeleton, joint);
        for (std::size_t j = 0; j < trunk.size(); ++j)
            if (below[j] != 0) trunk[j] = 0;
    };
    for (const Side side : sides) {
        for (const Role role : {Role::clavicle, Role::upper_arm})
            leave_out(model::find_role(roles_, role, side));
    }
    leave_out(model::find_role(roles_, Role::head));
    body = trunk;
    for (const Side side : sides) leave_out(model::find_role(roles_, Role::thigh, side));
    body_ = tree_of(character, body);
    trunk_ = tree_of(character, trunk);
    for (std::size_t i = 0; i < sides.size(); ++i) {
        arms_[i] = make_limb(Role::upper_arm, Role::forearm, Role::hand, sides[i]);
        legs_[i] = make_limb(Role::thigh, Role::shin, Role::foot, sides[i]);
        Counter counter(*this, arms_[i].tree, body_);
        counter.set_pose(rest_);
        arms_[i].rest_contacts = counter.count();
    }
    const Limb &a = legs_[0], &b = legs_[1];
    if (a.end >= 0 && b.end >= 0) {
        const auto position = [&](int joint) { return position_of(rest_[at(joint)]); };
        leg_length_ =
            (position(a.upper) - position(a.lower)).norm() + (position(a.lower) - position(a.end)).norm();
        if (leg_length_ > 0)
            stance_width_ = std::abs((position(a.end) - position(b.end)).dot(left_)) / leg_length_;
    }
    const geometry::Box box = geometry::bounds(rest_mesh(character).positions);
    floor_ = static_cast<double>(box.low.y());
    height_ = static_cast<double>(box.size().y());
}

BodyClearance::Limb BodyClearance::make_limb(Role upper, Role lower, Role end, Side side) const {
    Limb limb;
    limb.upper = model::find_role(roles_, upper, side);
    limb.lower = model::find_role(roles_, lower, side);
    limb.end = model::find_role(roles_, end, side);
    if (limb.upper < 0 || limb.lower < 0) return {};
    const std::vector<char> below = joints_below(character_.skeleton, limb.lower);
    limb.moved = joints_below(character_.skeleton, limb.upper);
    limb.tree = tree_of(character_, below);
    const std::vector<float> share = share_of(character_.skin, below);
    for (std::uint32_t v = 0; v < share.size(); ++v)
        if (share[v] >= belongs) limb.vertices.push_back(v);
    return limb;
}

double BodyClearance::step_width(const model::Clip& clip) const {
    if (!(stance_width_ > 0)) return 0;
    const std::vector<double> times = moments_of(clip, 12, 60);
    const std::size_t left = at(legs_[0].upper), right = at(legs_[1].upper);
    double sum = 0;
    for (const double time : times) {
        const std::vector<Mat4d> world =
            model::world_matrices(character_.skeleton, model::sample(clip, character_.skeleton, time));
        Vec3d across = position_of(world[left]) - position_of(world[right]);
        across.y() = 0;
        const Vec3d feet = position_of(world[at(legs_[0].end)]) - position_of(world[at(legs_[1].end)]);
        sum += across.norm() > 0 ? feet.dot(across.normalized()) / leg_length_ : 0;
    }
    return sum / static_cast<double>(times.size());
}

std::size_t BodyClearance::leg_contacts(const model::Clip& clip) const {
    constexpr std::size_t moments = 12;
    const auto pairs = {std::pair(&legs_[0].tree, &legs_[1].tree), std::pair(&legs_[0].tree, &trunk_),
                        std::pair(&legs_[1].tree, &trunk_)};
    std::size_t sum = 0;
    for (const auto& [limb, obstacle] : pairs) {
        Counter counter(*this, *limb, *obstacle);
        counter.set_pose(rest_);
        const std::size_t rest = counter.count();
        for (const double time : moments_of(clip, moments, moments)) {
            counter.set_pose(
                model::world_matrices(character_.skeleton, model::sample(clip, character_.skeleton, time)));
            const std::size_t now = counter.count();
            sum += now > rest ? now - rest : 0;
        }
    }
    return sum;
}

/// Axis in the rest pose about which a hanging arm is raised to its side.
Vec3d BodyClearance::outwards(Side side) const {
    const Vec3d forward = left_.cross(Vec3d::UnitY());
    return side == Side::left ? forward : Vec3d(-forward);
}

std::vector<double> BodyClearance::spread_needed(const Limb& arm, const Vec3d& axis, const model::Clip& clip,
                                                 std::span<const double> times) const {
    constexpr double step = 5, most = 60;  // degrees
    constexpr double few = 0.1;            // fraction of the contacts without spreading that counts as none
    const model::Skeleton& skeleton = character_.skeleton;
    const int parent = skeleton.joints[at(arm.upper)].parent;
    std::vector<double> needed(times.size(), 0);
    parallel_blocks(times.size(), 8, [&](std::size_t begin, std::size_t end) {
        Counter counter(*this, arm.tree, body_);
        for (std::size_t i = begin; i < end; ++i) {
            const std::vector<Mat4d> world =
                model::world_matrices(skeleton, model::sample(clip, skeleton, times[i]));
            counter.set_pose(world);
            const Vec3d shoulder = position_of(world[at(arm.upper)]);
            const Vec3d about = parent < 0 ? axis : rotation_of(world[at(parent)]) * axis;
            std::size_t least = counter.count();
            const double allowed =
                std::max(static_cast<double>(arm.rest_contacts), few * static_cast<double>(least));
            for (double angle = step; angle <= most && static_cast<double>(least) > allowed; angle += step) {
                const std::size_t now =
                    counter.count(arm.moved, rotation_about(shoulder, about, math::radians(angle)));
                // Contacts that a larger angle does not remove have other causes.
                if (now >= least) continue;
                least = now;
                needed[i] = math::radians(angle);
            }
        }
    });
    return needed;
}

std::array<double, 2> BodyClearance::spread_arms(std::optional<double> angle, model::Clip& clip) const {
    std::array<double, 2> largest{};
    const std::vector<double> times = moments_of(clip, 12, 240);
    const model::Skeleton& skeleton = character_.skeleton;
    std::array<std::vector<double>, 2> needed;
    std::array<Vec3d, 2> axes;
    for (std::size_t side = 0; side < sides.size(); ++side) {
        const Limb& arm = arms_[side];
        if (arm.upper < 0) continue;
        const int parent = skeleton.joints[at(arm.upper)].parent;
        axes[side] = outwards(sides[side]);
        if (parent >= 0) axes[side] = rotation_of(rest_[at(parent)]).conjugate() * axes[side];
        needed[side] =
            angle ? std::vector<double>(times.size(), *angle) : spread_needed(arm, axes[side], clip, times);
    }
    const auto none = [](std::span<const double> list) {
        return std::ranges::all_of(list, [](double value) { return value == 0; });
    };
    if (none(needed[0]) && none(needed[1])) return largest;
    const model::Clip before = clip;
    const auto stretch = [&] { return check_motion(character_, clip, {}, nullptr).stretch; };
    const double allowed = angle ? 0 : std::max(max_stretch, stretch());
    // Arms that intersect the body in the mesh itself are spread only as far as the skin does not tear.
    for (const double most : {90.0, 40.0, 25.0, 15.0, 8.0, 0.0}) {
        clip = before;
        for (std::size_t side = 0; side < sides.size(); ++side) {
            for (double& value : needed[side]) value = std::min(value, math::radians(most));
            largest[side] = 0;
            if (none(needed[side])) continue;
            const AngleCurve curve(times, needed[side]);
            largest[side] = curve.largest();
            rotate_keys(
                skeleton, arms_[side].upper,
                [&](double time) { return math::axis_angle<double>(axes[side], curve(time)); }, clip);
        }
        if (angle || stretch() <= allowed) break;
    }
    return largest;
}

/// The axis of an elbow in one pose, and how far it can still bend.
struct BodyClearance::Elbow {
    Vec3d position = Vec3d::Zero();
    Vec3d axis = Vec3d::Zero();  ///< in the world; zero when it cannot be determined
    double most = 0;             ///< angle to the largest bend of an elbow
};

BodyClearance::Elbow BodyClearance::elbow_of(const Limb& arm, std::span<const Mat4d> world) const {
    constexpr double straight = 0.2;  // sine of a bend below which its plane alone is not reliable
    constexpr double most = 150;      // degrees
    Elbow elbow;
    if (arm.end < 0) return elbow;
    elbow.position = position_of(world[at(arm.lower)]);
    const Vec3d upper = elbow.position - position_of(world[at(arm.upper)]),
                lower = position_of(world[at(arm.end)]) - elbow.position;
    if (!(upper.norm() > 0 && lower.norm() > 0)) return elbow;
    const int parent = character_.skeleton.joints[at(arm.upper)].parent;
    const Vec3d forward = left_.cross(Vec3d::UnitY());
    const Vec3d ahead =
        parent < 0
            ? forward
            : Vec3d(rotation_of(world[at(parent)]) * (rotation_of(rest_[at(parent)]).conjugate() * forward));
    const Vec3d own = upper.normalized().cross(lower.normalized());
    const Vec3d hinge = upper.normalized().cross(ahead);
    const Vec3d axis = own.norm() >= straight || !(hinge.norm() > 0.1)
                           ? own
                           : Vec3d(own + 2 * (straight - own.norm()) * hinge.normalized());
    if (!(axis.norm() > 1e-6)) return elbow;
    elbow.axis = axis.normalized();
    const double bent = std::atan2(own.norm(), upper.normalized().dot(lower.normalized()));
    elbow.most = std::max(0.0, math::radians(most) - bent);
    return elbow;
}

std::array<double, 2> BodyClearance::lift_hands(model::Clip& clip) const {
    constexpr double step = 4;          // degrees
    constexpr double tolerance = 0.01;  // fraction of the height
    std::array<double, 2> largest{};
    const std::vector<double> times = moments_of(clip, 12, 240);
    const model::Skeleton& skeleton = character_.skeleton;
    std::array<std::vector<double>, 2> needed;
    for (auto& list : needed) list.assign(times.size(), 0);
    deform::Deformer deformer(character_, {.method = deform::Method::lbs, .normals = false});
    std::vector<char> of_arms(character_.mesh.vertex_count(), 0);
    for (const Limb& arm : arms_)
        for (const std::uint32_t v : arm.vertices) of_arms[v] = 1;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const std::vector<Vec3f>& now = deformer.at(&clip, times[i]).positions;
        // On stairs, the floor is at the lowest point of the rest of the body.
        double floor = floor_;
        for (std::size_t v = 0; v < now.size(); ++v)
            if (of_arms[v] == 0) floor = std::min(floor, static_cast<double>(now[v].y()));
        floor -= tolerance * height_;
        const std::vector<Mat4d> world =
            model::world_matrices(skeleton, model::sample(clip, skeleton, times[i]));
        for (std::size_t side = 0; side < sides.size(); ++side) {
            const Limb& arm = arms_[side];
            const auto lowest = [&](const Mat4d& rotation) {
                double low = std::numeric_limits<double>::infinity();
                for (const std::uint32_t v : arm.vertices)
                    low =
                        std::min(low, rotation.row(1).head<3>().dot(now[v].cast<double>()) + rotation(1, 3));
                return low;
            };
            double best = lowest(Mat4d::Identity());
            if (arm.upper < 0 || best >= floor) continue;
            const Elbow elbow = elbow_of(arm, world);
            for (double angle = math::radians(step); angle <= elbow.most && best < floor;
                 angle += math::radians(step)) {
                const double low = lowest(rotation_about(elbow.position, elbow.axis, angle));
                if (low <= best) continue;
                best = low;
                needed[side][i] = angle;
            }
        }
    }
    for (std::size_t side = 0; side < sides.size(); ++side) {
        const Limb& arm = arms_[side];
        const AngleCurve curve(times, needed[side]);
        largest[side] = curve.largest();
        if (arm.upper < 0 || largest[side] == 0) continue;
        const model::Clip before = clip;
        const auto rotation = [&](double time) {
            const std::vector<Mat4d> world =
                model::world_matrices(skeleton, model::sample(before, skeleton, time));
            const Elbow elbow = elbow_of(arm, world);
            const Quatd above = rotation_of(world[at(skeleton.joints[at(arm.lower)].parent)]);
            const Vec3d axis = above.conjugate() * elbow.axis;
            return axis.norm() > 0 ? math::axis_angle<double>(axis, std::min(curve(time), elbow.most))
                                   : Quatd::Identity();
        };
        rotate_keys(skeleton, arm.lower, rotation, clip);
    }
    return largest;
}

}  // namespace sinew::pipeline
