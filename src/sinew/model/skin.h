// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Which joints move which vertices, and the grouping of vertices by influence set on which skinning,
/// collision and fitting all rest.
///
/// \code
/// const std::vector<math::Mat4d> matrices = model::palette(character.skin, world);
/// const model::InfluenceSets sets = model::group_by_influences(character.skin, &character.skeleton);
/// \endcode

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/model/skeleton.h"

namespace sinew::model {

/// One entry of the palette: a joint and the matrix that takes a rest vertex into the joint's frame. Several
/// entries may share a joint (several skins of one character with different bind matrices).
struct SkinJoint {
    int joint = 0;
    Mat4d inverse_bind = Mat4d::Identity();
};

struct Influence {
    std::uint32_t joint = 0;  ///< index into Skin::joints
    float weight = 0;
};

/// Influences of vertex v are influences[offsets[v] .. offsets[v+1]), sorted by joint, weights above 0 with
/// sum 1. A joint of the palette is an index into `joints`, not into the skeleton.
struct Skin {
    std::vector<SkinJoint> joints;
    std::vector<std::uint32_t> offsets{0};
    std::vector<Influence> influences;

    bool empty() const { return joints.empty(); }
    std::size_t vertex_count() const { return offsets.size() - 1; }
    std::span<const Influence> of(std::size_t vertex) const {
        return {influences.data() + offsets[vertex], influences.data() + offsets[vertex + 1]};
    }
    /// Appends a vertex. The list is cleaned later by `clean`.
    void push_vertex(std::span<const Influence> list);
};

struct SkinCleanOptions {
    int max_influences = 0;  ///< keep only the heaviest; 0 keeps all
    float prune_below = 0;   ///< drop lighter influences
};

/// What cleaning changed.
struct SkinCleanReport {
    std::size_t dropped = 0;       ///< zero, negative or not finite
    std::size_t merged = 0;        ///< the same joint twice
    std::size_t pruned = 0;        ///< below the limit or beyond the count
    std::size_t renormalized = 0;  ///< vertices whose weights did not sum to 1 within 1e-3
    std::size_t empty = 0;         ///< vertices without any weight, bound to the first joint
};

/// Puts every vertex into canonical form: weights above 0, sum 1, distinct joints in rising order. Vertices
/// without weight go to `fallback(vertex)` (a palette index), or to palette entry 0 when no function is
/// given.
SkinCleanReport clean(Skin& skin, const SkinCleanOptions& options = {},
                      const std::function<std::uint32_t(std::size_t vertex)>& fallback = {});
/// Says on the monitor what cleaning changed.
void warn_about(const SkinCleanReport& report, std::string_view location, Monitor& monitor);

/// \throws Error when an index is out of range or the lists are not in canonical form.
void validate(const Skin& skin, std::size_t vertex_count, std::size_t joint_count, std::string_view location);

/// Palette: where each skin joint takes the rest mesh, C_j = world_j inverse_bind_j.
std::vector<Mat4d> palette(const Skin& skin, std::span<const Mat4d> world);

/// Skin joints at the rest pose of a skeleton: one palette entry per joint.
std::vector<SkinJoint> bind_at_rest(const Skeleton& skeleton);

/// Per-joint view of the weights: for each palette entry the vertices it moves, in rising order.
struct VertexWeight {
    std::uint32_t vertex = 0;
    float weight = 0;
};
std::vector<std::vector<VertexWeight>> weights_by_joint(const Skin& skin);

// --- Influence sets
// ------------------------------------------------------------------------------------------------

/// The vertices that share one set of joints.
struct InfluenceSet {
    std::uint32_t first_joint = 0;  ///< into InfluenceSets::joints
    std::uint32_t joint_count = 0;
    std::uint32_t first_vertex = 0;  ///< into InfluenceSets::vertices and the order of weights
    std::uint32_t vertex_count = 0;
    std::uint32_t first_weight = 0;  ///< into InfluenceSets::weights
    std::uint32_t pivot =
        0;  ///< position in the set of the heaviest joint (largest summed weight, then lowest)
};

/// Vertices grouped by influence set, sets in the order (joint count, joints), vertices rising within a set.
/// Weights of a set are stored joint by joint: weight of its joint i for its vertex k is
/// weights[first_weight + i * vertex_count + k].
struct InfluenceSets {
    std::vector<InfluenceSet> sets;
    std::vector<std::uint32_t> joints;      ///< palette indices, rising within a set
    std::vector<std::int32_t> sign_parent;  ///< beside `joints`: position in the set of the joint its
                                            ///< quaternion sign is aligned with, -1 for the one that leads
    std::vector<std::uint32_t> vertices;    ///< vertex at each position of the grouped order
    std::vector<float> weights;
    std::vector<std::uint32_t> set_of;  ///< set of each vertex

    std::span<const std::uint32_t> joints_of(const InfluenceSet& set) const {
        return {joints.data() + set.first_joint, set.joint_count};
    }
    std::span<const std::int32_t> sign_parents_of(const InfluenceSet& set) const {
        return {sign_parent.data() + set.first_joint, set.joint_count};
    }
    std::span<const std::uint32_t> vertices_of(const InfluenceSet& set) const {
        return {vertices.data() + set.first_vertex, set.vertex_count};
    }
    std::span<const float> weights_of(const InfluenceSet& set, std::size_t joint) const {
        return {weights.data() + set.first_weight + joint * set.vertex_count, set.vertex_count};
    }
};

/// Groups a clean skin. Quaternion signs follow one rule everywhere: inside a set each joint is aligned with
/// its nearest ancestor in the set; a joint without one, with the set's heaviest joint. `skeleton` may be
/// null: then every joint is aligned with the heaviest.
InfluenceSets group_by_influences(const Skin& skin, const Skeleton* skeleton);

/// The order in which signs can be settled within a set: leaders before followers.
std::vector<std::uint32_t> sign_order(const InfluenceSets& sets, const InfluenceSet& set);

}  // namespace sinew::model
