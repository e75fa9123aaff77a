// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Blending of transformations, plainly from the formulas, in float or double. Every method is a rule that
/// makes one affine map out of weights; the rest of skinning is the same for all of them. For tests and
/// benches.

#include <algorithm>
#include <memory>

#include "sinew/deform/skinner.h"

namespace sinew::deform {

/// A palette entry, prepared once a frame in double precision: M = rigid about its centre, after the stretch.
struct JointFrame {
    math::Mat4d matrix = math::Mat4d::Identity();
    math::DualQuatd motion;                         ///< rigid part
    math::Mat3d stretch = math::Mat3d::Identity();  ///< polar factor, with a reflection if there is one
    math::Vec3d center = math::Vec3d::Zero();       ///< rest position of the joint, which the stretch keeps
    bool rigid = true;
};

/// Splits the palette: C = R P about the rest position b of the joint, so that C v = R (b + P (v - b)) + C b
/// - R b.
std::vector<JointFrame> joint_frames(const model::Skin& skin, std::span<const math::Mat4d> palette);

/// What a deformation had to decide, beyond what `Skinner` tells.
struct BlendCounts : DeformCounts {
    std::size_t degenerate_normals = 0;  ///< vertices whose normal collapsed: it follows a plainer rule
    std::size_t half_turns = 0;      ///< log: palette entries of exactly 180 degrees, whose axis was chosen
    std::size_t unfinished = 0;      ///< dib: vertices that still moved at the last step
    std::size_t not_guaranteed = 0;  ///< dib: vertices whose rotations spread so far that others may fit too
    bool operator==(const BlendCounts&) const = default;
};

/// The work it took.
struct DeformWork {
    std::size_t center_solves = 0;  ///< sbs: least-squares systems solved for centres of rotation
    std::size_t iterations = 0;     ///< dib: steps, summed over the vertices
};

/// The blended map of one vertex: v' = linear v + translation; normals go by `normals` and are normalised
/// after.
template <class T>
struct Blend {
    math::Mat3<T> linear;
    math::Vec3<T> translation;
    math::Mat3<T> normals;
    bool degenerate = false;  ///< the joints cancelled out and the heaviest was taken
};

/// det(M) M^-T, by cross products: how area vectors move. Finite for a singular M too.
template <class T>
math::Mat3<T> cofactor(const math::Mat3<T>& m);

/// Flips the dual quaternions of a set so that each has the sign of the one it follows. `order` puts leaders
/// first.
template <class T>
void align_signs(std::span<math::DualQuat<T>> motions, std::span<const std::int32_t> sign_parents,
                 std::span<const std::uint32_t> order);

/// One vertex as a blender sees it.
template <class T>
struct VertexWeights {
    std::span<const T> weights;  ///< convex, as many as its set has joints
    std::size_t heaviest = 0;    ///< index of the largest
    std::uint32_t vertex = 0;
};

/// One blending method at work on one pose. `enter` takes a set of joints, then `blend` any number of its
/// vertices.
template <class T>
class Blender {
  public:
    Blender() = default;
    Blender(const Blender&) = delete;
    Blender& operator=(const Blender&) = delete;
    virtual ~Blender() = default;
    virtual void enter(const model::InfluenceSets& sets, const model::InfluenceSet& set) = 0;
    virtual Blend<T> blend(const VertexWeights<T>& vertex) = 0;
    /// Of everything blended so far.
    const BlendCounts& counts() const { return counts_; }
    const DeformWork& work() const { return work_; }

  protected:
    BlendCounts counts_;
    DeformWork work_;
};

struct BlendSettings {
    double size = 1;                         ///< of the rest shape: what iterations measure lengths by
    std::span<const math::Vec3f> centers{};  ///< of rotation, one per vertex: needed by Method::cor
};

/// The blender of a method. `frames` and the centres must outlive it.
template <class T>
std::unique_ptr<Blender<T>> make_blender(Method method, std::span<const JointFrame> frames,
                                         const BlendSettings& settings);

/// A vertex and what was blended for it.
template <class T>
struct BlendedVertex {
    std::uint32_t vertex = 0;
    std::uint32_t heaviest = 0;  ///< palette entry of the largest weight
    Blend<T> blend;
};

/// Calls `visit` with every vertex of a set. Weights are made convex in the working precision, because a
/// skin's sum to 1 only as floats.
template <class T, class Visit>
void walk_set(const model::InfluenceSets& sets, const model::InfluenceSet& set, Blender<T>& blender,
              const Visit& visit) {
    blender.enter(sets, set);
    std::vector<T> weights(set.joint_count);
    for (std::size_t k = 0; k < set.vertex_count; ++k) {
        T sum = 0;
        for (std::size_t i = 0; i < weights.size(); ++i)
            sum += weights[i] = static_cast<T>(sets.weights_of(set, i)[k]);
        for (T& w : weights) w /= sum;
        const auto heaviest = static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
        const std::uint32_t vertex = sets.vertices_of(set)[k];
        visit(BlendedVertex<T>{vertex, sets.joints_of(set)[heaviest],
                               blender.blend({weights, heaviest, vertex})});
    }
}

}  // namespace sinew::deform
