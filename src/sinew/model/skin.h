// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Skin weights, and the grouping of vertices by influence set that skinning, collision and fitting use.
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

/// One entry of the palette: a joint and the matrix that transforms a rest vertex to the joint's frame.
/// Several entries may refer to the same joint (several skins of one character with different bind matrices).
struct SkinJoint {
    int joint = 0;
    Mat4d inverse_bind = Mat4d::Identity();
};

struct Influence {
    std::uint32_t joint = 0;  ///< index into Skin::joints
    float weight = 0;
};

/// Skin weights. The influences of vertex v are influences[offsets[v] .. offsets[v+1]), sorted by joint, with
/// weights above 0 that sum to 1. `Influence::joint` is an index into `joints`, not into the skeleton.
struct Skin {
    std::vector<SkinJoint> joints;
    std::vector<std::uint32_t> offsets{0};
    std::vector<Influence> influences;

    bool empty() const { return joints.empty(); }
    std::size_t vertex_count() const { return offsets.size() - 1; }
    std::span<const Influence> of(std::size_t vertex) const {
        return {influences.data() + offsets[vertex], influences.data() + offsets[vertex + 1]};
    }
    /// Appends a vertex; call `clean` afterwards to normalise its list.
    void push_vertex(std::span<const Influence> list);
};

struct SkinCleanOptions {
    int max_influences = 0;  ///< number of influences to keep per vertex, heaviest first; 0 keeps all
    float prune_below = 0;   ///< removes influences with less weight than this, 0 to 1
};

/// What `clean` changed.
struct SkinCleanReport {
    std::size_t dropped = 0;       ///< influences with a weight that was zero, negative or not finite
    std::size_t merged = 0;        ///< influences merged because the vertex listed the joint twice
    std::size_t pruned = 0;        ///< influences below `prune_below` or beyond `max_influences`
    std::size_t renormalized = 0;  ///< vertices whose weights did not sum to 1 within 1e-3
    std::size_t empty = 0;         ///< vertices without any weight; bound to the fallback joint
};

/// Brings every vertex to canonical form: weights above 0 that sum to 1, distinct joints in increasing order.
/// \param skin the weights
/// \param options limits on the influences
/// \param fallback gives the palette index for a vertex without weight; palette entry 0 when the function is
/// empty
SkinCleanReport clean(Skin& skin, const SkinCleanOptions& options = {},
                      const std::function<std::uint32_t(std::size_t vertex)>& fallback = {});
/// Sends the changes made by `clean` to the monitor as warnings.
void warn_about(const SkinCleanReport& report, std::string_view location, Monitor& monitor);

/// \throws Error when an index is out of range or a list is not in canonical form
void validate(const Skin& skin, std::size_t vertex_count, std::size_t joint_count, std::string_view location);

/// Palette: the matrices that move the rest mesh, C_j = world_j inverse_bind_j.
std::vector<Mat4d> palette(const Skin& skin, std::span<const Mat4d> world);

/// Palette entries for binding at the rest pose of a skeleton: one per joint.
std::vector<SkinJoint> bind_at_rest(const Skeleton& skeleton);

/// A vertex in the list of a joint.
struct VertexWeight {
    std::uint32_t vertex = 0;
    float weight = 0;
};
std::vector<std::vector<VertexWeight>> weights_by_joint(const Skin& skin);

// --- Influence sets
// ------------------------------------------------------------------------------------------------

/// A group of vertices that share the same set of joints.
struct InfluenceSet {
    std::uint32_t first_joint = 0;  ///< index into InfluenceSets::joints
    std::uint32_t joint_count = 0;
    std::uint32_t first_vertex =
        0;  ///< index into InfluenceSets::vertices, and position in the order of the weights
    std::uint32_t vertex_count = 0;
    std::uint32_t first_weight = 0;  ///< index into InfluenceSets::weights
    std::uint32_t pivot =
        0;  ///< position in the set of the heaviest joint (largest sum of weights; the first of equals)
};

/// Vertices grouped by influence set. Sets are ordered by (joint count, joints); the vertices of a set are in
/// increasing order. The weights of a set are stored joint by joint: the weight of its joint i for its vertex
/// k is weights[first_weight + i * vertex_count + k].
struct InfluenceSets {
    std::vector<InfluenceSet> sets;
    std::vector<std::uint32_t> joints;  ///< palette indices, increasing within a set
    std::vector<std::int32_t>
        sign_parent;  ///< parallel to `joints`: position in the set of the joint that this joint's quaternion
                      ///< sign is aligned with; -1 for the joint that the others follow
    std::vector<std::uint32_t> vertices;  ///< vertex at each position of the grouped order
    std::vector<float> weights;
    std::vector<std::uint32_t> set_of;  ///< index of each vertex's set

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

/// Groups the vertices of a clean skin by influence set. Quaternion signs follow one rule everywhere: in each
/// set a joint is aligned with its nearest ancestor in the set; a joint without one is aligned with the
/// heaviest joint of the set.
/// \param skin in canonical form, see `clean`
/// \param skeleton may be null: then every joint is aligned with the heaviest
InfluenceSets group_by_influences(const Skin& skin, const Skeleton* skeleton);

/// The order in which the signs of a set are computed: each joint after the one that it is aligned with.
std::vector<std::uint32_t> sign_order(const InfluenceSets& sets, const InfluenceSet& set);

}  // namespace sinew::model
