// SPDX-License-Identifier: MIT
#include "sinew/motion/retarget/frames.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/array.h"
#include "sinew/base/parallel.h"

namespace sinew::motion {

using math::Mat4d;
using math::Quatd;
using math::Vec3d;
using model::Keys;
using model::KeyTimes;
using model::Track;

namespace {

constexpr std::size_t grain = 256;  // frames per block

/// A key list at the times of the frames: used directly when these are its own times, otherwise sampled.
template <class Stored, class Value>
class FrameKeys {
  public:
    FrameKeys(const Keys<Stored>* keys, const KeyTimes& times, const Value& rest)
        : keys_(keys == nullptr || keys->empty() ? nullptr : keys), times_(times), rest_(rest) {
        if (keys_ == nullptr || keys_->mode == model::Interpolation::step) return;
        direct_ = keys_->times.is_even() && times.size() == keys_->times.size() &&
                  std::abs(keys_->times.front() - times.front()) < 1e-9 &&
                  std::abs(keys_->times.back() - times.back()) < 1e-6 * (1 + times.back());
    }
    bool moves() const { return keys_ != nullptr; }
    Value at(std::size_t f) const {
        if (keys_ == nullptr) return rest_;
        if (direct_) return keys_->at_key(f).template cast<double>();
        return model::sample(*keys_, times_[f]);
    }

  private:
    const Keys<Stored>* keys_;
    const KeyTimes& times_;
    Value rest_;
    bool direct_ = false;
};

struct JointKeys {
    FrameKeys<math::Vec3f, Vec3d> translation;
    FrameKeys<math::Quatf, Quatd> rotation;
    FrameKeys<math::Vec3f, Vec3d> scale;
    int parent = -1;
};

/// The source skeleton, frame by frame.
class SourceFrames {
  public:
    SourceFrames(const RetargetPlan& plan, const model::Clip& motion, const KeyTimes& times)
        : skeleton_(plan.source) {
        std::vector<const Track*> tracks(plan.source.size(), nullptr);
        for (const Track& track : motion.tracks) tracks[at(track.joint)] = &track;
        for (std::size_t j = 0; j < plan.source.size(); ++j) {
            const model::Transform& rest = plan.source.joints[j].rest;
            const Track* const t = tracks[j];
            joints_.push_back({{t ? &t->translation : nullptr, times, rest.translation},
                               {t ? &t->rotation : nullptr, times, rest.rotation},
                               {t ? &t->scale : nullptr, times, rest.scale},
                               plan.source.joints[j].parent});
            scaled_ = scaled_ || rest.scale != Vec3d::Ones() || joints_.back().scale.moves();
        }
    }
    std::size_t size() const { return joints_.size(); }

    /// World rotations and positions of one frame.
    void pose(std::size_t f, std::span<Quatd> rotations, std::span<Vec3d> positions) const {
        for (std::size_t j = 0; j < joints_.size(); ++j) {
            const JointKeys& joint = joints_[j];
            const Quatd local = joint.rotation.at(f).normalized();
            const Vec3d offset = joint.translation.at(f);
            if (joint.parent < 0) {
                rotations[j] = local;
                positions[j] = offset;
            } else {
                rotations[j] = rotations[at(joint.parent)] * local;
                positions[j] = positions[at(joint.parent)] + rotations[at(joint.parent)] * offset;
            }
        }
        if (scaled_) scaled_positions(f, positions);
    }

  private:
    void scaled_positions(std::size_t f, std::span<Vec3d> positions) const {
        std::vector<model::Transform> local;
        for (const JointKeys& joint : joints_)
            local.push_back({joint.translation.at(f), joint.rotation.at(f), joint.scale.at(f)});
        const std::vector<Vec3d> found = model::joint_positions(model::world_matrices(skeleton_, local));
        std::copy(found.begin(), found.end(), positions.begin());
    }

    const model::Skeleton& skeleton_;
    std::vector<JointKeys> joints_;
    bool scaled_ = false;
};

/// World rotations of the target from those of the source.
void rotate_target(const RetargetPlan& plan, std::span<const Quatd> source, std::span<Quatd> target) {
    for (std::size_t j = 0; j < target.size(); ++j) {
        const RetargetPart& part = plan.parts[j];
        const int parent = plan.target.joints[j].parent;
        if (part.source < 0) {
            const Quatd& rest = plan.target.joints[j].rest.rotation;
            target[j] = parent < 0 ? rest : target[at(parent)] * rest;
            continue;
        }
        Quatd rotation = source[at(part.source)] * part.after;
        if (part.second >= 0)
            rotation = math::slerp(part.blend, rotation, source[at(part.second)] * part.after_second);
        target[j] = plan.turned ? plan.facing * rotation : rotation;
    }
}

/// Horizontal moving mean of a path over `reach` frames before and after. Beyond its ends the path continues
/// by point reflection, so that the mean of a uniform walk is the walk itself.
std::vector<Vec3d> smooth_path(std::span<const Vec3d> path, std::size_t reach) {
    const auto count = static_cast<std::ptrdiff_t>(path.size());
    const auto at = [&](std::ptrdiff_t f) {
        const auto last = count - 1;
        const auto inside = [&](std::ptrdiff_t i) {
            return path[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(i, 0, last))];
        };
        if (f < 0) return Vec3d(2 * path.front() - inside(-f));
        if (f > last) return Vec3d(2 * path.back() - inside(2 * last - f));
        return inside(f);
    };
    const auto r = static_cast<std::ptrdiff_t>(std::min(reach, path.size() - 1));
    std::vector<Vec3d> mean(path.size());
    Vec3d sum = Vec3d::Zero();
    for (std::ptrdiff_t f = -r; f <= r; ++f) sum += at(f);
    for (std::ptrdiff_t f = 0; f < count; ++f) {
        mean[static_cast<std::size_t>(f)] = sum / static_cast<double>(2 * r + 1);
        sum += at(f + r + 1) - at(f - r);
    }
    return mean;
}

/// Twist of a joint relative to another since rest, about an axis in the frame of `above`.
double twist_below(const RestPose& rest, std::span<const Quatd> rotations, int above, int below,
                   const Vec3d& axis) {
    const Quatd at_rest = rest.rotations[at(above)].conjugate() * rest.rotations[at(below)];
    return twist_angle(rotations[at(above)].conjugate() * rotations[at(below)] * at_rest.conjugate(), axis);
}

/// Twist of a joint relative to its parent since rest, about an axis in its own frame.
double own_twist(const RetargetPlan& plan, std::span<const Quatd> rotations, int joint, const Vec3d& axis) {
    const int parent = plan.target.joints[at(joint)].parent;
    const Quatd above = parent < 0 ? Quatd::Identity() : rotations[at(parent)];
    const Quatd& rest = plan.target.joints[at(joint)].rest.rotation;
    return twist_angle(rest.conjugate() * above.conjugate() * rotations[at(joint)], axis);
}

/// A forearm that takes a share of its hand's twist.
struct SharedBone {
    int bone;
    int hand;
    Vec3d axis;
};

std::vector<SharedBone> forearms(const RetargetPlan& plan) {
    std::vector<SharedBone> found;
    for (const model::Side side : {model::Side::left, model::Side::right}) {
        const int arm = model::find_role(plan.target_roles, model::Role::forearm, side);
        const int hand = model::find_role(plan.target_roles, model::Role::hand, side);
        if (arm < 0 || hand < 0) continue;
        const Vec3d bone = plan.target_rest.positions[at(hand)] - plan.target_rest.positions[at(arm)];
        if (bone.norm() > 0)
            found.push_back({arm, hand, plan.target_rest.rotations[at(arm)].conjugate() * bone.normalized()});
    }
    return found;
}

/// The inner loop runs over the times of one joint; neighbouring quaternions lie in the same hemisphere.
void fill_rotations(const RetargetPlan& plan, const RetargetFrames& frames, int joint, model::Track& track) {
    const int parent = plan.target.joints[at(joint)].parent;
    track.rotation.values.resize(frames.frames());
    for (std::size_t f = 0; f < frames.frames(); ++f) {
        const Quatd* const rotations = frames.rotations.data() + f * frames.joints;
        const Quatd local =
            parent < 0 ? rotations[joint] : Quatd(rotations[parent].conjugate() * rotations[joint]);
        const math::Quatf rotation = local.normalized().cast<float>();
        track.rotation.values[f] = f == 0 ? rotation : math::aligned(rotation, track.rotation.values[f - 1]);
    }
    track.rotation.times = frames.times;
}

/// Unmapped joints keep their rest pose, so the frame above a top is that of the rest pose.
void fill_positions(const RetargetPlan& plan, const RetargetFrames& frames, std::size_t top,
                    model::Track& track) {
    const int parent = plan.target.joints[at(frames.roots[top])].parent;
    const Mat4d frame =
        parent < 0 ? Mat4d(Mat4d::Identity()) : math::inverse_affine(plan.target_rest.world[at(parent)]);
    for (std::size_t f = 0; f < frames.frames(); ++f) {
        const Vec3d position = math::transform_point(frame, frames.positions[f * frames.roots.size() + top]);
        track.translation.values.emplace_back(position.cast<float>());
    }
    track.translation.times = frames.times;
}

}  // namespace

RetargetFrames rotate_frames(const RetargetPlan& plan, const model::Clip& motion, double rate,
                             Monitor& monitor) {
    const model::TimeRange range = model::time_range(motion);
    RetargetFrames frames;
    frames.rate = rate;
    frames.joints = plan.target.size();
    frames.times = KeyTimes::even(range.start, 1 / rate, model::sample_count(range, rate));
    for (std::size_t j = 0; j < plan.parts.size(); ++j)
        if (plan.parts[j].top) frames.roots.push_back(static_cast<int>(j));
    const std::size_t count = frames.frames();
    frames.rotations.resize(count * frames.joints);
    frames.source_positions.resize(count * frames.roots.size());
    frames.lowest.resize(count);
    std::array<std::optional<LegJoints>, leg_names.size()> legs;
    for (std::size_t i = 0; i < legs.size(); ++i) {
        if (leg_names[i].front && !plan.four_feet) continue;
        legs[i] = find_leg(plan.source, plan.source_rest, plan.source_roles, leg_names[i]);
        if (legs[i]) frames.metatarsals[i].resize(count);
    }
    const SourceFrames source(plan, motion, frames.times);
    step(monitor, "retarget", 0);
    parallel_blocks(count, grain, [&](std::size_t begin, std::size_t end) {
        std::vector<Quatd> rotations(source.size());
        std::vector<Vec3d> positions(source.size());
        for (std::size_t f = begin; f < end; ++f) {
            source.pose(f, rotations, positions);
            rotate_target(plan, rotations, frames.frame(f));
            for (std::size_t i = 0; i < frames.roots.size(); ++i)
                frames.source_positions[f * frames.roots.size() + i] =
                    positions[at(plan.parts[at(frames.roots[i])].source)];
            double lowest = positions[0].y();
            for (const Vec3d& position : positions) lowest = std::min(lowest, position.y());
            frames.lowest[f] = lowest;
            for (std::size_t i = 0; i < legs.size(); ++i) {
                if (!legs[i]) continue;
                const std::size_t foot = at(legs[i]->foot);
                frames.metatarsals[i][f] = legs[i]->toe >= 0
                                               ? positions[at(legs[i]->toe)]
                                               : positions[foot] + rotations[foot] * legs[i]->metatarsal;
            }
        }
    });
    return frames;
}

double ground_difference(const RestPose& rest, std::span<const double> lowest) {
    if (lowest.empty()) return 0;
    const double ground = quantile(std::vector<double>(lowest.begin(), lowest.end()), 0.05);
    return std::abs(ground) < std::abs(ground - rest.lowest) ? -rest.lowest : 0;
}

void set_roots(const RetargetPlan& plan, RetargetFrames& frames) {
    const double up = ground_difference(plan.source_rest, frames.lowest);
    frames.positions.resize(frames.source_positions.size());
    for (std::size_t i = 0; i < frames.roots.size(); ++i) {
        const int top = frames.roots[i];
        Vec3d from = plan.source_rest.positions[at(plan.parts[at(top)].source)];
        Vec3d to = plan.target_rest.positions[at(top)];
        // When the target also rests with its hips at the origin, it stands on y = 0 as the motion does.
        const bool alike = std::abs(to.y()) < 0.02 * plan.target_rest.height;
        from.y() += up;
        if (up != 0 && alike) to.y() -= plan.target_rest.lowest;
        for (std::size_t f = 0; f < frames.frames(); ++f) {
            const std::size_t at = f * frames.roots.size() + i;
            frames.positions[at] = to + plan.scale * (plan.facing * (frames.source_positions[at] - from));
        }
    }
}

void hold_root(RetargetFrames& frames) {
    if (frames.roots.empty() || frames.frames() < 2) return;
    const auto reach = static_cast<std::size_t>(std::max(1.0, std::round(0.5 * frames.rate)));
    std::vector<Vec3d> path;
    for (std::size_t f = 0; f < frames.frames(); ++f)
        path.push_back(frames.positions[f * frames.roots.size()]);
    const std::vector<Vec3d> mean = smooth_path(path, reach);
    for (std::size_t f = 0; f < frames.frames(); ++f) {
        const Vec3d away(mean[f].x() - mean[0].x(), 0, mean[f].z() - mean[0].z());
        for (std::size_t i = 0; i < frames.roots.size(); ++i)
            frames.positions[f * frames.roots.size() + i] -= away;
    }
}

void share_twists(const RetargetPlan& plan, double forearm_share, RetargetFrames& frames) {
    const std::vector<SharedBone> arms = forearm_share > 0 ? forearms(plan) : std::vector<SharedBone>{};
    if (arms.empty() && plan.twists.empty()) return;
    parallel_for(frames.frames(), 256, [&](std::size_t f) {
        const std::span<Quatd> rotations = frames.frame(f);
        for (const TwistJoint& twist : plan.twists) {
            const double angle =
                twist.driver == twist.bone
                    ? own_twist(plan, rotations, twist.bone, twist.axis)
                    : twist_below(plan.target_rest, rotations, twist.bone, twist.driver, twist.axis);
            rotations[at(twist.joint)] = rotations[at(twist.bone)] *
                                         math::axis_angle<double>(twist.axis, twist.share * angle) *
                                         plan.target.joints[at(twist.joint)].rest.rotation;
        }
        for (const SharedBone& arm : arms) {
            const double angle = twist_below(plan.target_rest, rotations, arm.bone, arm.hand, arm.axis);
            rotations[at(arm.bone)] =
                rotations[at(arm.bone)] * math::axis_angle<double>(arm.axis, forearm_share * angle);
        }
    });
}

std::vector<model::Track> tracks_of(const RetargetPlan& plan, const RetargetFrames& frames) {
    std::vector<bool> keyed(frames.joints, false);
    for (std::size_t j = 0; j < frames.joints; ++j) keyed[j] = plan.parts[j].source >= 0;
    for (const TwistJoint& twist : plan.twists) keyed[at(twist.joint)] = true;
    std::vector<model::Track> tracks;
    for (std::size_t j = 0; j < frames.joints; ++j) {
        if (!keyed[j]) continue;
        tracks.emplace_back();
        tracks.back().joint = static_cast<int>(j);
    }
    parallel_for(tracks.size(), 1,
                 [&](std::size_t i) { fill_rotations(plan, frames, tracks[i].joint, tracks[i]); });
    for (std::size_t i = 0; i < frames.roots.size(); ++i) {
        const auto at = std::find_if(tracks.begin(), tracks.end(), [&](const model::Track& track) {
            return track.joint == frames.roots[i];
        });
        fill_positions(plan, frames, i, *at);
    }
    return tracks;
}

}  // namespace sinew::motion
