#include "sinew/model/skin.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"

namespace sinew::model {
namespace {

/// Sorts by joint and merges equal joints; returns how many were merged away.
std::size_t merge_equal(std::vector<Influence>& list) {
    std::sort(list.begin(), list.end(),
              [](const Influence& a, const Influence& b) { return a.joint < b.joint; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (kept > 0 && list[kept - 1].joint == list[i].joint) {
            list[kept - 1].weight += list[i].weight;
        } else {
            list[kept++] = list[i];
        }
    }
    const std::size_t merged = list.size() - kept;
    list.resize(kept);
    return merged;
}

double weight_sum(const std::vector<Influence>& list) {
    double sum = 0;
    for (const Influence& influence : list) sum += influence.weight;
    return sum;
}

/// Keeps the heaviest `limit` influences that reach `least`, but always the heaviest of all, and leaves the
/// list sorted by joint.
std::size_t prune(std::vector<Influence>& list, std::size_t limit, float least) {
    const std::size_t before = list.size();
    std::stable_sort(list.begin(), list.end(),
                     [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
    if (limit > 0 && list.size() > limit) list.resize(limit);
    while (list.size() > 1 && list.back().weight < least) list.pop_back();
    std::sort(list.begin(), list.end(),
              [](const Influence& a, const Influence& b) { return a.joint < b.joint; });
    return before - list.size();
}

}  // namespace

void Skin::push_vertex(std::span<const Influence> list) {
    influences.insert(influences.end(), list.begin(), list.end());
    offsets.push_back(static_cast<std::uint32_t>(influences.size()));
}

SkinCleanReport clean(Skin& skin, const SkinCleanOptions& options,
                      const std::function<std::uint32_t(std::size_t)>& fallback) {
    SkinCleanReport report;
    Skin result;
    result.joints = std::move(skin.joints);
    result.offsets.reserve(skin.offsets.size());
    result.influences.reserve(skin.influences.size());
    std::vector<Influence> list;
    for (std::size_t v = 0; v < skin.vertex_count(); ++v) {
        list.clear();
        for (const Influence& influence : skin.of(v)) {
            if (influence.weight > 0 && std::isfinite(influence.weight)) list.push_back(influence);
        }
        // A plain zero is how files pad a list: nothing was dropped.
        for (const Influence& influence : skin.of(v)) {
            report.dropped += !(influence.weight >= 0 && std::isfinite(influence.weight));
        }
        report.merged += merge_equal(list);
        // What pruning takes away is reported as such, not as a list that did not sum to 1.
        report.renormalized += !list.empty() && std::abs(weight_sum(list) - 1) > 1e-3;
        report.pruned +=
            prune(list, static_cast<std::size_t>(std::max(0, options.max_influences)), options.prune_below);
        const double sum = weight_sum(list);
        for (Influence& influence : list) influence.weight = static_cast<float>(influence.weight / sum);
        std::erase_if(list, [](const Influence& influence) { return !(influence.weight > 0); });
        if (list.empty()) {
            ++report.empty;
            list.push_back({fallback ? fallback(v) : 0u, 1});
        }
        result.push_vertex(list);
    }
    skin = std::move(result);
    return report;
}

void warn_about(const SkinCleanReport& report, std::string_view place, Monitor& monitor) {
    if (report.dropped > 0) {
        warn(monitor, "weights-dropped", "{}: {} weights were negative or not finite and were dropped", place,
             report.dropped);
    }
    if (report.merged > 0) {
        warn(monitor, "weights-merged", "{}: {} influences named a joint twice and were merged", place,
             report.merged);
    }
    if (report.renormalized > 0) {
        warn(monitor, "weights-not-normalized",
             "{}: the weights of {} vertices did not sum to 1 and were scaled", place, report.renormalized);
    }
    if (report.empty > 0) {
        warn(monitor, "weights-missing", "{}: {} vertices had no weight and were bound to one joint", place,
             report.empty);
    }
}

void validate(const Skin& skin, std::size_t vertex_count, std::size_t joint_count, std::string_view place) {
    if (skin.offsets.empty() || skin.offsets.front() != 0 || skin.offsets.back() != skin.influences.size() ||
        !std::is_sorted(skin.offsets.begin(), skin.offsets.end())) {
        fail(place, "the skin's lists do not follow each other");
    }
    if (skin.vertex_count() != vertex_count) {
        fail(place, "the skin has {} vertices, the mesh {}", skin.vertex_count(), vertex_count);
    }
    for (const SkinJoint& entry : skin.joints) {
        if (entry.joint < 0 || static_cast<std::size_t>(entry.joint) >= joint_count) {
            fail(place, "the skin names joint {} of {}", entry.joint, joint_count);
        }
        if (!entry.inverse_bind.allFinite())
            fail(place, "joint {} has a bind matrix that is not finite", entry.joint);
    }
    for (std::size_t v = 0; v < vertex_count; ++v) {
        double sum = 0;
        std::int64_t previous = -1;
        for (const Influence& influence : skin.of(v)) {
            if (influence.joint >= skin.joints.size()) {
                fail(place, "vertex {} names skin joint {} of {}", v, influence.joint, skin.joints.size());
            }
            if (std::int64_t{influence.joint} <= previous)
                fail(place, "vertex {}: influences are not sorted", v);
            if (!(influence.weight > 0)) fail(place, "vertex {} has a weight of {}", v, influence.weight);
            previous = influence.joint;
            sum += influence.weight;
        }
        if (std::abs(sum - 1) > 1e-5) fail(place, "the weights of vertex {} sum to {}", v, sum);
    }
}

std::vector<Mat4d> palette(const Skin& skin, std::span<const Mat4d> world) {
    std::vector<Mat4d> result;
    result.reserve(skin.joints.size());
    for (const SkinJoint& entry : skin.joints) {
        result.emplace_back(world[static_cast<std::size_t>(entry.joint)] * entry.inverse_bind);
    }
    return result;
}

std::vector<SkinJoint> bind_at_rest(const Skeleton& skeleton) {
    const std::vector<Mat4d> world = rest_world_matrices(skeleton);
    std::vector<SkinJoint> joints;
    joints.reserve(world.size());
    for (std::size_t j = 0; j < world.size(); ++j) {
        joints.push_back({static_cast<int>(j), math::inverse_affine(world[j])});
    }
    return joints;
}

std::vector<std::vector<JointWeight>> weights_by_joint(const Skin& skin) {
    std::vector<std::vector<JointWeight>> result(skin.joints.size());
    for (std::uint32_t v = 0; v < skin.vertex_count(); ++v) {
        for (const Influence& influence : skin.of(v))
            result[influence.joint].push_back({v, influence.weight});
    }
    return result;
}

}  // namespace sinew::model
