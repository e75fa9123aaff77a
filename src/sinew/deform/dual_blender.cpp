#include "sinew/deform/two_phase.h"
#include "sinew/math/blend.h"

namespace sinew::deform {

using math::DualQuat;
using math::DualQuatd;

namespace {

template <class T>
class DualBlender : public TwoPhaseBlender<T> {
  public:
    using TwoPhaseBlender<T>::TwoPhaseBlender;

  protected:
    RigidBlend<T> blend_rigid(const VertexWeights<T>& vertex) override {
        const auto motions = this->working_motions();
        DualQuat<T> sum = math::weighted_sum<T>(vertex.weights, motions);
        const bool degenerate = sum.real.norm() < T(degenerate_length);
        if (degenerate) sum = motions[vertex.heaviest];
        const DualQuat<T> unit = math::normalized(sum);
        return {unit.real, math::translation(unit), degenerate};
    }
};

/// At most this many steps (two to four are usual).
constexpr int max_steps = 10;

template <class T>
class IterativeBlender : public TwoPhaseBlender<T> {
  public:
    using TwoPhaseBlender<T>::TwoPhaseBlender;

  protected:
    RigidBlend<T> blend_rigid(const VertexWeights<T>& vertex) override {
        const std::vector<double> weights = exact(vertex.weights);
        const auto motions = this->motions();
        const DualQuatd sum = math::weighted_sum<double>(weights, motions);
        if (sum.real.norm() < degenerate_length) return whole(motions[vertex.heaviest], true);
        const math::IterationLimits limits{1e-6, 1e-6, this->settings().size, max_steps};
        const math::IterativeBlend blend = math::blend_dual_iterative(weights, motions, limits);
        this->work_.iterations += static_cast<std::size_t>(blend.iterations);
        this->counts_.unfinished += blend.converged ? 0 : 1;
        this->counts_.not_guaranteed += blend.unique ? 0 : 1;
        return whole(blend.motion, false);
    }

  private:
    static RigidBlend<T> whole(const DualQuatd& unit, bool degenerate) {
        return {unit.real.template cast<T>(), math::translation(unit).template cast<T>(), degenerate};
    }
};

}  // namespace

template <class T>
std::unique_ptr<Blender<T>> dual_blender(Frames frames, const BlendSettings& settings) {
    return std::make_unique<DualBlender<T>>(frames, settings);
}

template <class T>
std::unique_ptr<Blender<T>> iterative_blender(Frames frames, const BlendSettings& settings) {
    return std::make_unique<IterativeBlender<T>>(frames, settings);
}

template std::unique_ptr<Blender<float>> dual_blender(Frames, const BlendSettings&);
template std::unique_ptr<Blender<double>> dual_blender(Frames, const BlendSettings&);
template std::unique_ptr<Blender<float>> iterative_blender(Frames, const BlendSettings&);
template std::unique_ptr<Blender<double>> iterative_blender(Frames, const BlendSettings&);

}  // namespace sinew::deform
