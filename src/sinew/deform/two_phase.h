#pragma once
/// \file
/// What all rigid methods share: the motions of a set with their signs settled, and palettes with scale or
/// shear, which are stretched first and moved rigidly after (Kavan et al. 2008, two phases).

#include "sinew/deform/blenders.h"

namespace sinew::deform {

/// The rigid blend of one vertex.
template <class T>
struct RigidBlend {
    math::Quat<T> rotation;  ///< unit
    math::Vec3<T> translation;
    bool degenerate = false;  ///< the rotations cancelled out and the heaviest was taken
};

/// A method derives from this and says how rigid motions are blended.
template <class T>
class TwoPhaseBlender : public Blender<T> {
  public:
    TwoPhaseBlender(Frames frames, const BlendSettings& settings) : frames_(frames), settings_(settings) {}

    void enter(const model::InfluenceSets& sets, const model::InfluenceSet& set) final;
    Blend<T> blend(const VertexWeights<T>& vertex) final;

  protected:
    /// After the joints of a set are known.
    virtual void enter_set(std::span<const std::uint32_t> /*joints*/) {}
    virtual RigidBlend<T> blend_rigid(const VertexWeights<T>& vertex) = 0;

    /// Motions of the set, signs settled for the vertex at hand.
    std::span<const math::DualQuatd> motions() const { return motions_; }
    /// The same in working precision.
    std::span<const math::DualQuat<T>> working_motions() const { return working_; }
    const JointFrame& frame(std::uint32_t joint) const { return frames_[joint]; }
    const BlendSettings& settings() const { return settings_; }

  private:
    void settle_signs(const VertexWeights<T>& vertex);
    void stretch_first(Blend<T>& rigid, const VertexWeights<T>& vertex) const;

    struct Stretch {
        math::Mat3<T> linear;
        math::Vec3<T> shift;
    };

    Frames frames_;
    BlendSettings settings_;
    std::vector<math::DualQuatd> motions_;
    std::vector<math::DualQuat<T>> working_;
    std::vector<Stretch> stretches_;
    bool rigid_ = true;
};

/// Weights in double precision, for what is solved.
template <class T>
std::vector<double> exact(std::span<const T> weights) {
    return std::vector<double>(weights.begin(), weights.end());
}

extern template class TwoPhaseBlender<float>;
extern template class TwoPhaseBlender<double>;

}  // namespace sinew::deform
