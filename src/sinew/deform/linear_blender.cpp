#include "sinew/deform/blenders.h"

namespace sinew::deform {

using math::Mat3;
using math::Vec3;
using model::InfluenceSet;
using model::InfluenceSets;

namespace {

template <class T>
class LinearBlender : public Blender<T> {
  public:
    explicit LinearBlender(Frames frames) : frames_(frames) {}

    void enter(const InfluenceSets& sets, const InfluenceSet& set) override {
        joints_.clear();
        for (const std::uint32_t joint : sets.joints_of(set)) {
            const math::Mat4d& m = frames_[joint].matrix;
            joints_.push_back(
                {m.topLeftCorner<3, 3>().template cast<T>(), m.topRightCorner<3, 1>().template cast<T>()});
        }
    }

    Blend<T> blend(const VertexWeights<T>& vertex) override {
        Joint sum{Mat3<T>::Zero(), Vec3<T>::Zero()};
        for (std::size_t i = 0; i < joints_.size(); ++i) {
            sum.linear += vertex.weights[i] * joints_[i].linear;
            sum.translation += vertex.weights[i] * joints_[i].translation;
        }
        return {sum.linear, sum.translation, cofactor(sum.linear)};
    }

  protected:
    struct Joint {
        Mat3<T> linear;
        Vec3<T> translation;
    };
    std::vector<Joint> joints_;

  private:
    Frames frames_;
};

template <class T>
class RigidBlender : public LinearBlender<T> {
  public:
    using LinearBlender<T>::LinearBlender;

    Blend<T> blend(const VertexWeights<T>& vertex) override {
        const auto& joint = this->joints_[vertex.heaviest];
        return {joint.linear, joint.translation, cofactor(joint.linear)};
    }
};

}  // namespace

template <class T>
std::unique_ptr<Blender<T>> linear_blender(Frames frames) {
    return std::make_unique<LinearBlender<T>>(frames);
}

template <class T>
std::unique_ptr<Blender<T>> rigid_blender(Frames frames) {
    return std::make_unique<RigidBlender<T>>(frames);
}

template std::unique_ptr<Blender<float>> linear_blender(Frames);
template std::unique_ptr<Blender<double>> linear_blender(Frames);
template std::unique_ptr<Blender<float>> rigid_blender(Frames);
template std::unique_ptr<Blender<double>> rigid_blender(Frames);

}  // namespace sinew::deform
