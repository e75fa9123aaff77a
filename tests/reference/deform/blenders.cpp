// SPDX-License-Identifier: MIT
#include "reference/deform/blenders.h"

#include <type_traits>

#include "sinew/base/error.h"
#include "sinew/math/blend.h"

namespace sinew::deform {

using math::DualQuat;
using math::DualQuatd;
using math::DualVector;
using math::Mat3;
using math::Mat3d;
using math::Mat4d;
using math::Quat;
using math::Rigidd;
using math::Vec3;
using math::Vec3d;
using model::InfluenceSet;
using model::InfluenceSets;

namespace {

using Frames = std::span<const JointFrame>;

JointFrame split_frame(const Mat4d& matrix, const Vec3d& center) {
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

}  // namespace

std::vector<JointFrame> joint_frames(const model::Skin& skin, std::span<const Mat4d> palette) {
    std::vector<JointFrame> frames;
    frames.reserve(palette.size());
    for (std::size_t j = 0; j < palette.size(); ++j) {
        frames.push_back(split_frame(palette[j], rest_center(skin.joints[j].inverse_bind)));
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

namespace {

template <class T>
DualQuat<T> working(const DualQuatd& q) {
    return {q.real.template cast<T>(), q.dual.template cast<T>()};
}

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

template <class T>
void TwoPhaseBlender<T>::enter(const InfluenceSets& sets, const InfluenceSet& set) {
    motions_.clear();
    working_.clear();
    stretches_.clear();
    rigid_ = true;
    for (const std::uint32_t joint : sets.joints_of(set)) {
        const JointFrame& frame = frames_[joint];
        motions_.push_back(frame.motion);
        const Vec3d shift = frame.center - frame.stretch * frame.center;
        stretches_.push_back({frame.stretch.template cast<T>(), shift.template cast<T>()});
        rigid_ = rigid_ && frame.rigid;
    }
    align_signs<double>(motions_, sets.sign_parents_of(set), model::sign_order(sets, set));
    for (const DualQuatd& q : motions_) working_.push_back(working<T>(q));
    enter_set(sets.joints_of(set));
}

template <class T>
Blend<T> TwoPhaseBlender<T>::blend(const VertexWeights<T>& vertex) {
    const RigidBlend<T> rigid = blend_rigid(vertex);
    this->counts_.degenerate_blends += rigid.degenerate ? 1 : 0;
    const Mat3<T> rotation = math::to_matrix(rigid.rotation);
    Blend<T> result{rotation, rigid.translation, rotation, rigid.degenerate};
    if (!rigid_) stretch_first(result, vertex);
    return result;
}

/// v1 = sum w_i (b_i + P_i (v - b_i)), then the rigid blend.
template <class T>
void TwoPhaseBlender<T>::stretch_first(Blend<T>& rigid, const VertexWeights<T>& vertex) const {
    Mat3<T> linear = Mat3<T>::Zero();
    Vec3<T> shift = Vec3<T>::Zero();
    for (std::size_t i = 0; i < stretches_.size(); ++i) {
        // When the rotations cancelled, rotation and stretch must come from the same joint.
        const T w = rigid.degenerate ? T(i == vertex.heaviest) : vertex.weights[i];
        linear += w * stretches_[i].linear;
        shift += w * stretches_[i].shift;
    }
    rigid.translation += rigid.linear * shift;
    rigid.normals = rigid.linear * cofactor(linear);
    rigid.linear = rigid.linear * linear;
}

/// v' = (sum w_i C_i) v (Kavan 2007, 2.1).
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

/// v' = C_h v with h the heaviest joint.
template <class T>
class RigidBlender : public LinearBlender<T> {
  public:
    using LinearBlender<T>::LinearBlender;

    Blend<T> blend(const VertexWeights<T>& vertex) override {
        const auto& joint = this->joints_[vertex.heaviest];
        return {joint.linear, joint.translation, cofactor(joint.linear)};
    }
};

/// Sum of dual quaternions, made unit (Kavan 2007, 4.3).
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

/// Barycentre of screws by iteration (Kavan 2007, 4.4), always in double precision.
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

/// Exponential of the blended logarithms (Alexa 2002). Logarithms are taken once per joint; a vertex costs
/// one sum and one exponential. Signs play no part.
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

/// Where a blended rotation has its centre.
enum class CenterRule {
    origin,   ///< of the world: QLB'_0
    set,      ///< of the influence set, uniform over its joints: spherical blend skinning
    weights,  ///< of each vertex by its weights
    vertex,   ///< of each vertex, given
};

/// v' = Q (v - c) + sum w_i C_i c with Q the linear blend of the quaternions (Kavan 2007, 3.2).
template <class T>
class CenteredBlender : public TwoPhaseBlender<T> {
  public:
    CenteredBlender(Frames frames, const BlendSettings& settings, CenterRule rule)
        : TwoPhaseBlender<T>(frames, settings), rule_(rule) {
        if (rule == CenterRule::vertex && settings.centers.empty())
            fail("deform", "centres of rotation are needed, one per vertex: see optimized_centers");
    }

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
        for (std::size_t i = 0; i < moved_centers_.size(); ++i)
            result.translation += vertex.weights[i] * moved_centers_[i];
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
        moved_centers_.clear();
        for (const Rigidd& rigid : rigids_) moved_centers_.push_back((rigid * rounded).template cast<T>());
    }

    CenterRule rule_;
    std::vector<Rigidd> rigids_;
    Vec3<T> center_ = Vec3<T>::Zero();
    std::vector<Vec3<T>> moved_centers_;
};

}  // namespace

template <class T>
std::unique_ptr<Blender<T>> make_blender(Method method, std::span<const JointFrame> frames,
                                         const BlendSettings& settings) {
    switch (method) {
        case Method::lbs:
            return std::make_unique<LinearBlender<T>>(frames);
        case Method::sbs:
            return std::make_unique<CenteredBlender<T>>(frames, settings, CenterRule::set);
        case Method::sbs_weighted:
            return std::make_unique<CenteredBlender<T>>(frames, settings, CenterRule::weights);
        case Method::dqs:
            return std::make_unique<DualBlender<T>>(frames, settings);
        case Method::dib:
            return std::make_unique<IterativeBlender<T>>(frames, settings);
        case Method::log:
            return std::make_unique<LogBlender<T>>(frames, settings);
        case Method::qlb:
            return std::make_unique<CenteredBlender<T>>(frames, settings, CenterRule::origin);
        case Method::cor:
            return std::make_unique<CenteredBlender<T>>(frames, settings, CenterRule::vertex);
        case Method::rigid:
            return std::make_unique<RigidBlender<T>>(frames);
    }
    fail("", "this skinning method has no reference");
}

template Mat3<float> cofactor(const Mat3<float>&);
template Mat3<double> cofactor(const Mat3<double>&);
template void align_signs(std::span<DualQuat<float>>, std::span<const std::int32_t>,
                          std::span<const std::uint32_t>);
template void align_signs(std::span<DualQuat<double>>, std::span<const std::int32_t>,
                          std::span<const std::uint32_t>);
template std::unique_ptr<Blender<float>> make_blender(Method, std::span<const JointFrame>,
                                                      const BlendSettings&);
template std::unique_ptr<Blender<double>> make_blender(Method, std::span<const JointFrame>,
                                                       const BlendSettings&);

}  // namespace sinew::deform
