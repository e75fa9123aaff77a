#include "sinew/deform/two_phase.h"
#include "sinew/math/blend.h"

namespace sinew::deform {

using math::DualVector;

namespace {

/// Logarithms are taken once per joint; a vertex costs one sum and one exponential. Signs play no part.
template <class T>
class LogBlender : public TwoPhaseBlender<T> {
  public:
    LogBlender(Frames frames, const BlendSettings& settings) : TwoPhaseBlender<T>(frames, settings) {
        logs_.reserve(frames.size());
        for (const JointFrame& frame : frames) {
            const math::UniqueLog log = math::log_unique(frame.motion);
            logs_.push_back({log.value.real.template cast<T>(), log.value.dual.template cast<T>()});
            this->counts_.half_turns += log.half_turn ? 1 : 0;
        }
    }

  protected:
    void enter_set(std::span<const std::uint32_t> joints) override {
        joints_.assign(joints.begin(), joints.end());
    }

    RigidBlend<T> blend_rigid(const VertexWeights<T>& vertex) override {
        DualVector<T> sum;
        for (std::size_t i = 0; i < joints_.size(); ++i) sum = sum + logs_[joints_[i]] * vertex.weights[i];
        const math::DualQuat<T> unit = math::normalized(math::exp(sum));
        return {unit.real, math::translation(unit)};
    }

  private:
    std::vector<DualVector<T>> logs_;
    std::vector<std::uint32_t> joints_;
};

}  // namespace

template <class T>
std::unique_ptr<Blender<T>> log_blender(Frames frames, const BlendSettings& settings) {
    return std::make_unique<LogBlender<T>>(frames, settings);
}

template std::unique_ptr<Blender<float>> log_blender(Frames, const BlendSettings&);
template std::unique_ptr<Blender<double>> log_blender(Frames, const BlendSettings&);

}  // namespace sinew::deform
