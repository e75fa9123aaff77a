#include "sinew/motion/retarget_loose.h"

#include <algorithm>

#include "sinew/base/array.h"
#include "sinew/motion/retarget.h"

namespace sinew::motion {

using math::Mat4d;
using math::Vec3d;
using model::Skeleton;

namespace {

bool is_below(std::span<const int> parents, int joint, int above) {
    while (joint >= 0 && joint != above) joint = parents[at(joint)];
    return joint >= 0;
}

/// A rig on its way to one tree.
class Gatherer {
  public:
    Gatherer(const Skeleton& source, const Skeleton& rig, JointMap map)
        : source_(source), rig_(rig), map_(std::move(map)) {
        for (const model::Joint& joint : rig.joints) parents_.push_back(joint.parent);
    }

    void run() {
        follow_hips();
        for (const int top : tops()) {
            const int carrier = carrier_of(top);
            if (carrier < 0 || is_below(parents_, carrier, top)) continue;
            parents_[at(top)] = carrier;
        }
    }

    const JointMap& map() const { return map_; }
    const std::vector<int>& parents() const { return parents_; }

  private:
    /// Mapped joints without a mapped joint above.
    std::vector<int> tops() const {
        std::vector<char> below(rig_.size(), 0);
        std::vector<int> found;
        for (std::size_t j = 0; j < rig_.size(); ++j) {
            const int parent = rig_.joints[j].parent;
            below[j] = parent >= 0 && (below[at(parent)] != 0 || map_[at(parent)] >= 0);
            if (map_[j] >= 0 && below[j] == 0) found.push_back(static_cast<int>(j));
        }
        return found;
    }

    /// The joint that follows the nearest mapped ancestor of a joint's source, or -1.
    int carrier_of(int joint) const {
        for (int s = source_.joints[at(map_[at(joint)])].parent; s >= 0; s = source_.joints[at(s)].parent) {
            const auto found = std::ranges::find(map_, s);
            if (found != map_.end()) return static_cast<int>(found - map_.begin());
        }
        return -1;
    }

    int common_ancestor(int a, int b) const {
        while (a >= 0 && !is_below(parents_, b, a)) a = parents_[at(a)];
        return a;
    }

    /// Maps the joint from which the first top and those that it carries hang, when it stands near it: a
    /// root on the ground must not turn with the hips.
    void follow_hips() {
        constexpr double near = 0.25;  // of the height of the hips
        const std::vector<int> all = tops();
        for (const int hips : all) {
            int above = hips;
            for (const int top : all)
                if (top != hips && carrier_of(top) == hips) above = common_ancestor(above, top);
            if (above < 0 || above == hips) continue;
            const std::vector<Vec3d> places = model::joint_positions(model::rest_world_matrices(rig_));
            const double distance = (places[at(above)] - places[at(hips)]).norm();
            if (distance < near * rest_height(rig_, hips)) map_[at(above)] = map_[at(hips)];
        }
    }

    const Skeleton& source_;
    const Skeleton& rig_;
    JointMap map_;
    std::vector<int> parents_;
};

}  // namespace

std::optional<GatheredRig> gather(const Skeleton& source, const Skeleton& rig, const JointMap& map,
                                  std::span<const ChainLink> links) {
    const auto known = [&](int joint) { return joint < static_cast<int>(source.size()); };
    if (map.size() != rig.size() || !std::ranges::all_of(map, known)) return std::nullopt;
    Gatherer gatherer(source, rig, map);
    gatherer.run();
    GatheredRig result;
    result.original = model::parents_first(gatherer.parents(), "retarget");
    std::vector<int> place(rig.size());
    for (std::size_t j = 0; j < rig.size(); ++j) place[at(result.original[j])] = static_cast<int>(j);
    const std::vector<Mat4d> world = model::rest_world_matrices(rig);
    for (std::size_t j = 0; j < rig.size(); ++j) {
        const int old = result.original[j], parent = gatherer.parents()[at(old)];
        model::Joint joint = rig.joints[at(old)];
        if (parent != joint.parent) {
            result.moved.push_back(static_cast<int>(j));
            joint.rest = math::decompose(math::inverse_affine(world[at(parent)]) * world[at(old)]).transform;
        }
        joint.parent = parent < 0 ? -1 : place[at(parent)];
        result.skeleton.joints.push_back(std::move(joint));
        result.map.push_back(gatherer.map()[at(old)]);
    }
    if (result.moved.empty() && gatherer.map() == map) return std::nullopt;
    for (ChainLink link : links) {
        link.target = place[at(link.target)];
        result.links.push_back(link);
    }
    return result;
}

model::Clip scattered(const GatheredRig& gathered, const Skeleton& rig, const model::Clip& clip) {
    model::Clip result = clip;
    for (model::Track& track : result.tracks) track.joint = gathered.original[at(track.joint)];
    std::ranges::sort(result.tracks, {}, &model::Track::joint);
    if (gathered.moved.empty() || clip.tracks.empty()) return result;
    const model::TimeRange range = model::time_range(clip);
    const double rate = model::frame_rate(clip);
    const auto times = model::KeyTimes::even(range.start, 1 / rate, model::sample_count(range, rate));
    std::vector<model::Track> moved(gathered.moved.size());
    for (std::size_t f = 0; f < times.size(); ++f) {
        const std::vector<Mat4d> world =
            model::world_matrices(gathered.skeleton, model::sample(clip, gathered.skeleton, times[f]));
        for (std::size_t i = 0; i < moved.size(); ++i) {
            const int joint = gathered.moved[i], parent = rig.joints[at(gathered.original[at(joint)])].parent;
            const auto above = std::ranges::find(gathered.original, parent);
            const Mat4d frame = above == gathered.original.end()
                                    ? Mat4d(Mat4d::Identity())
                                    : math::inverse_affine(
                                          world[static_cast<std::size_t>(above - gathered.original.begin())]);
            const math::Transform local = math::decompose(frame * world[at(joint)]).transform;
            const math::Quatf turn = local.rotation.cast<float>();
            auto& turns = moved[i].rotation.values;
            turns.push_back(turns.empty() ? turn : math::aligned(turn, turns.back()));
            moved[i].translation.values.emplace_back(local.translation.cast<float>());
        }
    }
    for (std::size_t i = 0; i < moved.size(); ++i) {
        moved[i].joint = gathered.original[at(gathered.moved[i])];
        moved[i].translation.times = moved[i].rotation.times = times;
        const auto old = std::ranges::find(result.tracks, moved[i].joint, &model::Track::joint);
        if (old != result.tracks.end()) {
            *old = std::move(moved[i]);
        } else {
            result.tracks.push_back(std::move(moved[i]));
        }
    }
    std::ranges::sort(result.tracks, {}, &model::Track::joint);
    return result;
}

}  // namespace sinew::motion
