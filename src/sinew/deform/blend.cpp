#include "sinew/deform/blend.h"

#include "sinew/base/error.h"

namespace sinew::deform {

using math::DualQuat;
using math::Mat3;
using math::Mat3d;
using math::Mat4d;
using math::Vec3;
using math::Vec3d;
using model::InfluenceSet;
using model::InfluenceSets;

namespace {

JointFrame split(const Mat4d& matrix, const Vec3d& center) {
    JointFrame frame;
    frame.matrix = matrix;
    frame.center = center;
    const Mat3d linear = matrix.topLeftCorner<3, 3>();
    frame.rigid = math::is_rigid(matrix, rigid_tolerance);
    const Mat3d rotation = math::is_rigid(matrix, 1e-12) ? linear : math::nearest_rotation(linear);
    if (!frame.rigid) frame.stretch = rotation.transpose() * linear;
    const Vec3d translation = math::transform_point(matrix, center) - rotation * center;
    frame.motion = math::to_dual_quaternion(math::Rigidd{math::from_matrix(rotation), translation});
    return frame;
}

/// Linear part and translation of the set's joints, in the precision of the vertices.
template <class T>
struct Affine {
    Mat3<T> linear;
    Vec3<T> translation;
};

template <class T>
Affine<T> affine(const Mat4d& m) {
    return {m.topLeftCorner<3, 3>().template cast<T>(), m.topRightCorner<3, 1>().template cast<T>()};
}

/// v' = (sum w_i C_i) v (Kavan 2007, 2.1).
template <class T>
class LinearBlender : public Blender<T> {
  public:
    explicit LinearBlender(std::span<const JointFrame> frames) : frames_(frames) {}

    void enter(const InfluenceSets& sets, const InfluenceSet& set) override {
        joints_.clear();
        for (const std::uint32_t joint : sets.joints_of(set))
            joints_.push_back(affine<T>(frames_[joint].matrix));
    }

    Blend<T> blend(std::span<const T> weights, std::size_t) const override {
        Affine<T> sum{Mat3<T>::Zero(), Vec3<T>::Zero()};
        for (std::size_t i = 0; i < weights.size(); ++i) {
            sum.linear += weights[i] * joints_[i].linear;
            sum.translation += weights[i] * joints_[i].translation;
        }
        return {sum.linear, sum.translation, cofactor(sum.linear)};
    }

  private:
    std::span<const JointFrame> frames_;
    std::vector<Affine<T>> joints_;
};

/// v' = C_h v with h the heaviest joint.
template <class T>
class RigidBlender : public LinearBlender<T> {
  public:
    using LinearBlender<T>::LinearBlender;

    Blend<T> blend(std::span<const T> weights, std::size_t heaviest) const override {
        std::vector<T> one(weights.size(), T(0));
        one[heaviest] = 1;
        return LinearBlender<T>::blend(one, heaviest);
    }
};

/// Sum of dual quaternions, made unit (Kavan 2007, 4.3); stretches are blended linearly before.
template <class T>
class DualQuaternionBlender : public Blender<T> {
  public:
    DualQuaternionBlender(std::span<const JointFrame> frames, SignRule signs)
        : frames_(frames), signs_(signs) {}

    void enter(const InfluenceSets& sets, const InfluenceSet& set) override {
        motions_.clear();
        stretches_.clear();
        rigid_ = true;
        for (const std::uint32_t joint : sets.joints_of(set)) {
            const JointFrame& frame = frames_[joint];
            motions_.push_back({frame.motion.real.template cast<T>(), frame.motion.dual.template cast<T>()});
            const Vec3d shift = frame.center - frame.stretch * frame.center;
            stretches_.push_back({frame.stretch.template cast<T>(), shift.template cast<T>()});
            rigid_ = rigid_ && frame.rigid;
        }
        if (signs_ == SignRule::set) {
            align_signs<T>(motions_, sets.sign_parents_of(set), model::sign_order(sets, set));
        }
    }

    Blend<T> blend(std::span<const T> weights, std::size_t heaviest) const override {
        DualQuat<T> sum = weighted_sum(weights, signs_ == SignRule::first ? 0 : heaviest);
        const bool degenerate = sum.real.norm() < T(degenerate_length);
        if (degenerate) sum = motions_[heaviest];
        const DualQuat<T> unit = math::normalized(sum);
        Blend<T> result{math::to_matrix(unit.real), math::translation(unit), math::to_matrix(unit.real),
                        degenerate};
        if (!rigid_) stretch_first(result, weights, heaviest);
        return result;
    }

  private:
    DualQuat<T> weighted_sum(std::span<const T> weights, std::size_t pivot) const {
        if (signs_ == SignRule::set) return math::weighted_sum<T>(weights, motions_);
        std::vector<DualQuat<T>> aligned = motions_;
        for (DualQuat<T>& q : aligned) {
            if (math::dot(q.real, motions_[pivot].real) < 0) q = -q;
        }
        return math::weighted_sum<T>(weights, aligned);
    }

    /// v1 = sum w_i (b_i + P_i (v - b_i)), then the rigid blend (Kavan et al. 2008, two phases).
    void stretch_first(Blend<T>& rigid, std::span<const T> weights, std::size_t heaviest) const {
        Mat3<T> linear = Mat3<T>::Zero();
        Vec3<T> shift = Vec3<T>::Zero();
        for (std::size_t i = 0; i < weights.size(); ++i) {
            // When the rotations cancelled, rotation and stretch must come from the same joint.
            const T w = rigid.degenerate ? T(i == heaviest) : weights[i];
            linear += w * stretches_[i].linear;
            shift += w * stretches_[i].translation;
        }
        rigid.translation += rigid.linear * shift;
        rigid.normals = rigid.linear * cofactor(linear);
        rigid.linear = rigid.linear * linear;
    }

    std::span<const JointFrame> frames_;
    SignRule signs_;
    std::vector<DualQuat<T>> motions_;
    std::vector<Affine<T>> stretches_;
    bool rigid_ = true;
};

}  // namespace

Vec3d rest_center(const Mat4d& inverse_bind) {
    const Mat3d linear = inverse_bind.topLeftCorner<3, 3>();
    const double size = linear.norm();
    if (std::abs(linear.determinant()) <= 1e-12 * size * size * size) return Vec3d::Zero();
    return math::inverse_affine(inverse_bind).topRightCorner<3, 1>();
}

std::vector<JointFrame> joint_frames(const model::Skin& skin, std::span<const Mat4d> palette) {
    std::vector<JointFrame> frames;
    frames.reserve(palette.size());
    for (std::size_t j = 0; j < palette.size(); ++j) {
        frames.push_back(split(palette[j], rest_center(skin.joints[j].inverse_bind)));
    }
    return frames;
}

template <class T>
Mat3<T> cofactor(const Mat3<T>& m) {
    Mat3<T> c;
    c.col(0) = m.col(1).cross(m.col(2));
    c.col(1) = m.col(2).cross(m.col(0));
    c.col(2) = m.col(0).cross(m.col(1));
    return c;
}

template <class T>
void align_signs(std::span<DualQuat<T>> motions, std::span<const std::int32_t> sign_parents,
                 std::span<const std::uint32_t> order) {
    for (const std::uint32_t i : order) {
        if (sign_parents[i] < 0) continue;
        const DualQuat<T>& leader = motions[static_cast<std::size_t>(sign_parents[i])];
        if (math::dot(motions[i].real, leader.real) < 0) motions[i] = -motions[i];
    }
}

template <class T>
std::unique_ptr<Blender<T>> make_blender(Method method, std::span<const JointFrame> frames, SignRule signs) {
    switch (method) {
        case Method::lbs:
            return std::make_unique<LinearBlender<T>>(frames);
        case Method::dqs:
            return std::make_unique<DualQuaternionBlender<T>>(frames, signs);
        case Method::rigid:
            return std::make_unique<RigidBlender<T>>(frames);
        default:
            break;
    }
    fail("", "this skinning method has no reference");
}

template Mat3<float> cofactor(const Mat3<float>&);
template Mat3<double> cofactor(const Mat3<double>&);
template void align_signs(std::span<DualQuat<float>>, std::span<const std::int32_t>,
                          std::span<const std::uint32_t>);
template void align_signs(std::span<DualQuat<double>>, std::span<const std::int32_t>,
                          std::span<const std::uint32_t>);
template std::unique_ptr<Blender<float>> make_blender(Method, std::span<const JointFrame>, SignRule);
template std::unique_ptr<Blender<double>> make_blender(Method, std::span<const JointFrame>, SignRule);

}  // namespace sinew::deform
