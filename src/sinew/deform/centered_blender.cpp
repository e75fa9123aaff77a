#include <type_traits>

#include "sinew/base/error.h"
#include "sinew/deform/two_phase.h"
#include "sinew/math/blend.h"

namespace sinew::deform {

using math::Quat;
using math::Rigidd;
using math::Vec3;
using math::Vec3d;

namespace {

template <class T>
class CenteredBlender : public TwoPhaseBlender<T> {
  public:
    CenteredBlender(Frames frames, const BlendSettings& settings, CenterRule rule)
        : TwoPhaseBlender<T>(frames, settings), rule_(rule) {}

  protected:
    void enter_set(std::span<const std::uint32_t> joints) override {
        rigids_.clear();
        for (const std::uint32_t joint : joints) rigids_.push_back(math::to_rigid(this->frame(joint).motion));
        if (rule_ == CenterRule::origin) take(Vec3d::Zero());
        if (rule_ == CenterRule::set) take(set_center(joints));
    }

    RigidBlend<T> blend_rigid(const VertexWeights<T>& vertex) override {
        if (rule_ == CenterRule::weights) take(solved(exact(vertex.weights), weighted_threshold));
        if (rule_ == CenterRule::vertex) {
            take(this->settings().centers[vertex.vertex].template cast<double>());
        }
        RigidBlend<T> result = rotation(vertex);
        result.translation = -(result.rotation * center_);
        for (std::size_t i = 0; i < places_.size(); ++i) result.translation += vertex.weights[i] * places_[i];
        return result;
    }

  private:
    RigidBlend<T> rotation(const VertexWeights<T>& vertex) const {
        const auto motions = this->working_motions();
        Quat<T> sum(0, 0, 0, 0);
        for (std::size_t i = 0; i < motions.size(); ++i) {
            sum.coeffs() += vertex.weights[i] * motions[i].real.coeffs();
        }
        const bool degenerate = sum.norm() < T(degenerate_length);
        if (degenerate) sum = motions[vertex.heaviest].real;
        return {sum.normalized(), {}, degenerate};
    }

    /// Two neighbouring joints turn about the one they share; only others need solving.
    Vec3d set_center(std::span<const std::uint32_t> joints) {
        if (joints.size() == 1) return Vec3d::Zero();
        if (joints.size() == 2) {
            for (const std::uint32_t joint : joints) {
                const Vec3d& shared = this->frame(joint).center;
                if (math::share_point(rigids_[0], rigids_[1], shared)) return shared;
            }
        }
        return solved({}, center_threshold);
    }

    static constexpr double weighted_threshold =
        std::is_same_v<T, float> ? math::rank_threshold_float : math::rank_threshold;

    Vec3d solved(std::span<const double> weights, double threshold) {
        if (rigids_.size() == 1) return Vec3d::Zero();
        ++this->work_.center_solves;
        return math::rotation_center(weights, rigids_, threshold).center;
    }

    /// The centre, and where each joint takes it. Rounded first, so that both speak of the same point.
    void take(const Vec3d& center) {
        center_ = center.template cast<T>();
        const Vec3d rounded = center_.template cast<double>();
        places_.clear();
        for (const Rigidd& rigid : rigids_) places_.push_back((rigid * rounded).template cast<T>());
    }

    CenterRule rule_;
    std::vector<Rigidd> rigids_;
    Vec3<T> center_ = Vec3<T>::Zero();
    std::vector<Vec3<T>> places_;
};

}  // namespace

template <class T>
std::unique_ptr<Blender<T>> centered_blender(Frames frames, const BlendSettings& settings, CenterRule rule) {
    if (rule == CenterRule::vertex && settings.centers.empty()) {
        fail("deform", "centres of rotation are needed, one per vertex: see optimized_centers");
    }
    return std::make_unique<CenteredBlender<T>>(frames, settings, rule);
}

template std::unique_ptr<Blender<float>> centered_blender(Frames, const BlendSettings&, CenterRule);
template std::unique_ptr<Blender<double>> centered_blender(Frames, const BlendSettings&, CenterRule);

}  // namespace sinew::deform
