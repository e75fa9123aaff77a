#include "sinew/motion/retarget.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/math/quaternion.h"

namespace sinew::motion {

using math::Mat4d;
using math::Quatd;
using math::Vec3d;
using model::Clip;
using model::Joint;
using model::Skeleton;
using model::Track;
using model::Transform;

namespace {

std::size_t index(int joint) {
    return static_cast<std::size_t>(joint);
}

/// World rotations by the rotations alone: scale must not shear them.
std::vector<Quatd> world_rotations(const Skeleton& skeleton, std::span<const Transform> local) {
    std::vector<Quatd> world;
    world.reserve(local.size());
    for (std::size_t j = 0; j < local.size(); ++j) {
        const int parent = skeleton.joints[j].parent;
        const Quatd product = parent < 0 ? local[j].rotation : world[index(parent)] * local[j].rotation;
        world.push_back(product.normalized());
    }
    return world;
}

/// Everything about a skeleton at rest.
struct RestPose {
    explicit RestPose(const Skeleton& skeleton) : world(model::rest_world_matrices(skeleton)) {
        std::vector<Transform> local;
        for (const Joint& joint : skeleton.joints) local.push_back(joint.rest);
        rotations = world_rotations(skeleton, local);
        positions = model::joint_positions(world);
        height = model::height(skeleton);
    }
    std::vector<Mat4d> world;
    std::vector<Quatd> rotations;
    std::vector<Vec3d> positions;
    double height = 0;
};

/// How one target joint is moved.
struct Part {
    int source = -1;
    Quatd correction = Quatd::Identity();  ///< C
    bool same = false;                     ///< both frames agree at rest: keys can be copied
    bool top = false;                      ///< mapped, but no joint above it is
};

struct Retargeter {
    const Skeleton& source;
    const Skeleton& target;
    RestPose source_rest;
    RestPose target_rest;
    std::vector<Part> parts;  ///< by target joint
};

/// The first mapped joints below a joint, on every branch.
std::vector<int> mapped_below(const std::vector<std::vector<int>>& children, const JointMap& map, int joint) {
    std::vector<int> found, open = children[index(joint)];
    while (!open.empty()) {
        const int next = open.back();
        open.pop_back();
        if (map[index(next)] >= 0) {
            found.push_back(next);
        } else {
            open.insert(open.end(), children[index(next)].begin(), children[index(next)].end());
        }
    }
    return found;
}

/// Bone of a mapped joint in both skeletons, at rest: to its only mapped child, else to its tip.
struct BonePair {
    Vec3d source = Vec3d::Zero();
    Vec3d target = Vec3d::Zero();
};

std::optional<BonePair> bone_pair(const Retargeter& r, const JointMap& map,
                                  const std::vector<std::vector<int>>& children, int joint) {
    const int from = map[index(joint)];
    const std::vector<int> below = mapped_below(children, map, joint);
    BonePair pair;
    if (below.size() == 1) {
        pair.source =
            r.source_rest.positions[index(map[index(below[0])])] - r.source_rest.positions[index(from)];
        pair.target = r.target_rest.positions[index(below[0])] - r.target_rest.positions[index(joint)];
    } else {
        const auto& source_tip = r.source.joints[index(from)].tip;
        const auto& target_tip = r.target.joints[index(joint)].tip;
        if (!below.empty() || !source_tip || !target_tip) return std::nullopt;
        pair.source = r.source_rest.world[index(from)].topLeftCorner<3, 3>() * *source_tip;
        pair.target = r.target_rest.world[index(joint)].topLeftCorner<3, 3>() * *target_tip;
    }
    // A bone without length has no direction.
    if (pair.source.norm() <= 1e-6 * r.source_rest.height ||
        pair.target.norm() <= 1e-6 * r.target_rest.height) {
        return std::nullopt;
    }
    return pair;
}

bool near_identity(const Quatd& q) {
    return math::log_shortest(q).norm() < 1e-9;
}

/// True when keys of the source joint mean the same in the target joint.
bool same_frames(const Retargeter& r, const JointMap& map, int joint) {
    const Part& part = r.parts[index(joint)];
    const int parent = r.target.joints[index(joint)].parent;
    const int source_parent = r.source.joints[index(part.source)].parent;
    const auto agree = [&](int a, int b) {
        return math::angle_between(r.source_rest.rotations[index(a)], r.target_rest.rotations[index(b)]) <
               1e-9;
    };
    if (!near_identity(part.correction) || !agree(part.source, joint)) return false;
    if (parent < 0 || source_parent < 0) return parent < 0 && source_parent < 0;
    return map[index(parent)] == source_parent && near_identity(r.parts[index(parent)].correction) &&
           agree(source_parent, parent);
}

/// Corrections and copies of all joints, parents first.
void plan(Retargeter& r, const JointMap& map) {
    const auto children = model::children(r.target);
    std::vector<bool> below_mapped(r.target.size(), false);
    for (std::size_t j = 0; j < r.target.size(); ++j) {
        Part part;
        const int parent = r.target.joints[j].parent;
        part.source = map[j];
        if (parent >= 0) {
            part.correction = r.parts[index(parent)].correction;
            below_mapped[j] = below_mapped[index(parent)] || map[index(parent)] >= 0;
        }
        if (part.source >= 0) {
            part.top = !below_mapped[j];
            if (const auto pair = bone_pair(r, map, children, static_cast<int>(j))) {
                part.correction =
                    math::rotation_between<double>(pair->target.normalized(), pair->source.normalized());
            }
        }
        r.parts.push_back(part);
        if (part.source >= 0) r.parts[j].same = same_frames(r, map, static_cast<int>(j));
    }
}

/// Ratio of the hip heights; of the skeletons' sizes when a hip lies on the ground.
double travel_scale(const Retargeter& r) {
    for (std::size_t j = 0; j < r.parts.size(); ++j) {
        if (!r.parts[j].top) continue;
        const double from = rest_height(r.source, r.parts[j].source),
                     to = rest_height(r.target, static_cast<int>(j));
        if (from > 0.05 * r.source_rest.height && to > 0.05 * r.target_rest.height) return to / from;
        break;
    }
    const bool sized = r.source_rest.height > 0 && r.target_rest.height > 0;
    return sized ? r.target_rest.height / r.source_rest.height : 1;
}

/// Local transforms of the target for a pose of the source.
std::vector<Transform> transfer(const Retargeter& r, std::span<const Transform> pose, double scale) {
    const std::vector<Quatd> turned = world_rotations(r.source, pose);
    const std::vector<Vec3d> places = model::joint_positions(model::world_matrices(r.source, pose));
    std::vector<Quatd> world(r.target.size());
    std::vector<Transform> local;
    for (std::size_t j = 0; j < r.target.size(); ++j) {
        const Part& part = r.parts[j];
        Transform transform = r.target.joints[j].rest;
        const int parent = r.target.joints[j].parent;
        const Quatd above = parent < 0 ? Quatd::Identity() : world[index(parent)];
        if (part.source >= 0) {
            const std::size_t s = index(part.source);
            const Quatd since_rest = turned[s] * r.source_rest.rotations[s].conjugate();
            transform.rotation =
                (above.conjugate() * since_rest * part.correction * r.target_rest.rotations[j]).normalized();
            if (part.top) {
                const Vec3d place =
                    r.target_rest.positions[j] + scale * (places[s] - r.source_rest.positions[s]);
                const Mat4d frame =
                    parent < 0 ? Mat4d(Mat4d::Identity()) : r.target_rest.world[index(parent)];
                transform.translation = math::transform_point(math::inverse_affine(frame), place);
            }
        }
        world[j] = (above * transform.rotation).normalized();
        local.push_back(transform);
    }
    return local;
}

const Track* find_track(const Clip& clip, int joint) {
    for (const Track& track : clip.tracks) {
        if (track.joint == joint) return &track;
    }
    return nullptr;
}

/// Sampled tracks of all mapped joints.
std::vector<Track> sampled_tracks(const Retargeter& r, const Clip& motion, double rate, double scale,
                                  Monitor& monitor) {
    const model::TimeRange range = model::time_range(motion);
    const std::size_t count = model::sample_count(range, rate);
    const model::KeyTimes times = model::KeyTimes::even(range.start, 1 / rate, count);
    std::vector<Track> tracks(r.target.size());
    for (std::size_t f = 0; f < count; ++f) {
        if (f % 64 == 0) step(monitor, "retarget", static_cast<double>(f) / static_cast<double>(count));
        const std::vector<Transform> local = transfer(r, model::sample(motion, r.source, times[f]), scale);
        for (std::size_t j = 0; j < local.size(); ++j) {
            if (r.parts[j].source < 0) continue;
            auto& turns = tracks[j].rotation.values;
            const math::Quatf turn = local[j].rotation.cast<float>();
            turns.push_back(turns.empty() ? turn : math::aligned(turn, turns.back()));
            if (r.parts[j].top) tracks[j].translation.values.emplace_back(local[j].translation.cast<float>());
        }
    }
    for (std::size_t j = 0; j < tracks.size(); ++j) {
        tracks[j].joint = static_cast<int>(j);
        if (!tracks[j].rotation.values.empty()) tracks[j].rotation.times = times;
        if (!tracks[j].translation.values.empty()) tracks[j].translation.times = times;
    }
    return tracks;
}

/// Puts the source's own keys where they mean the same; true when translation or scale keys had no place to
/// go.
bool copy_keys(const Retargeter& r, const Clip& motion, double scale, bool keep_keys, Track& track) {
    const Part& part = r.parts[index(track.joint)];
    const Track* from = find_track(motion, part.source);
    if (part.same && keep_keys)
        track.rotation = from == nullptr ? model::Keys<math::Quatf>{} : from->rotation;
    const Transform& a = r.source.joints[index(part.source)].rest;
    const Transform& b = r.target.joints[index(track.joint)].rest;
    const bool same_rest = (a.translation - b.translation).norm() <= 1e-9 * r.target_rest.height &&
                           (a.scale - b.scale).norm() <= 1e-9 && std::abs(scale - 1) <= 1e-9;
    if (part.same && same_rest && keep_keys) {
        track.translation = from == nullptr ? model::Keys<math::Vec3f>{} : from->translation;
        track.scale = from == nullptr ? model::Keys<math::Vec3f>{} : from->scale;
        return false;
    }
    const auto moves = [](const model::Keys<math::Vec3f>& keys) {
        return std::ranges::any_of(keys.values,
                                   [&](const math::Vec3f& v) { return v != keys.values.front(); });
    };
    return from != nullptr && ((!part.top && moves(from->translation)) || moves(from->scale));
}

std::string some_names(const Skeleton& skeleton) {
    std::string names;
    for (std::size_t j = 0; j < std::min<std::size_t>(skeleton.size(), 6); ++j) {
        names += (j > 0 ? ", " : "") + skeleton.joints[j].name;
    }
    return names + (skeleton.size() > 6 ? ", ..." : "");
}

void list_joints(const Retargeter& r, RetargetResult& result) {
    std::vector<bool> used(r.source.size(), false);
    for (std::size_t j = 0; j < r.parts.size(); ++j) {
        const int from = r.parts[j].source;
        if (from < 0) {
            result.unmapped.push_back(r.target.joints[j].name);
        } else {
            result.mapped.emplace_back(r.source.joints[index(from)].name, r.target.joints[j].name);
            used[index(from)] = true;
        }
    }
    for (std::size_t s = 0; s < used.size(); ++s) {
        if (!used[s]) result.unused.push_back(r.source.joints[s].name);
    }
}

}  // namespace

double rest_height(const Skeleton& skeleton, int joint) {
    const std::vector<Mat4d> world = model::rest_world_matrices(skeleton);
    double lowest = world[index(joint)](1, 3);
    for (std::size_t j = 0; j < world.size(); ++j) {
        lowest = std::min(lowest, world[j](1, 3));
        const auto& tip = skeleton.joints[j].tip;
        if (tip) lowest = std::min(lowest, math::transform_point(world[j], *tip).y());
    }
    return world[index(joint)](1, 3) - lowest;
}

RetargetResult retarget(const Skeleton& source, const Clip& motion, const Skeleton& target,
                        const JointMap& map, const RetargetOptions& options, Monitor& monitor) {
    if (map.size() != target.size())
        fail("retarget", "the map has {} joints, the skeleton {}", map.size(), target.size());
    for (const int joint : map) {
        if (joint >= static_cast<int>(source.size()))
            fail("retarget", "the map names joint {} of {}", joint, source.size());
    }
    if (std::ranges::none_of(map, [](int joint) { return joint >= 0; })) {
        fail("retarget", "no joint of the motion ({}) fits one of the character ({})", some_names(source),
             some_names(target));
    }
    Retargeter r{source, target, RestPose(source), RestPose(target), {}};
    plan(r, map);
    RetargetResult result;
    list_joints(r, result);
    result.scale = options.scale.value_or(travel_scale(r));
    const double own_rate = model::frame_rate(motion);
    const double rate = options.rate > 0 ? options.rate : own_rate;
    result.clip.name = motion.name;
    if (model::time_range(motion).duration() <= 0 && motion.tracks.empty()) return result;
    std::size_t dropped = 0;
    for (Track& track : sampled_tracks(r, motion, rate, result.scale, monitor)) {
        if (r.parts[index(track.joint)].source < 0) continue;
        dropped += copy_keys(r, motion, result.scale, options.rate <= 0, track) ? 1 : 0;
        if (!track.translation.empty() || !track.rotation.empty() || !track.scale.empty()) {
            result.clip.tracks.push_back(std::move(track));
        }
    }
    if (dropped > 0) {
        warn(monitor, "retarget-stretch",
             "{} joints stretch or scale in the motion: only their turns were kept", dropped);
    }
    return result;
}

RetargetResult retarget(const Skeleton& source, const Clip& motion, const Skeleton& target,
                        const RetargetOptions& options, Monitor& monitor) {
    return retarget(source, motion, target, match_joints(source, target), options, monitor);
}

}  // namespace sinew::motion
