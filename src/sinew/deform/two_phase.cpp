#include "sinew/deform/two_phase.h"

#include "sinew/math/blend.h"

namespace sinew::deform {

using math::DualQuat;
using math::DualQuatd;
using math::Mat3;
using math::Vec3;
using math::Vec3d;
using model::InfluenceSet;
using model::InfluenceSets;

namespace {

template <class T>
DualQuat<T> working(const DualQuatd& q) {
    return {q.real.template cast<T>(), q.dual.template cast<T>()};
}

template <class T>
math::Signs vertex_signs(SignRule rule, std::span<const DualQuatd> motions, const VertexWeights<T>& vertex) {
    std::vector<math::Quatd> rotations;
    for (const DualQuatd& q : motions) rotations.push_back(q.real);
    if (rule == SignRule::first) return math::first_signs(rotations);
    if (rule == SignRule::heaviest) return math::signs_like(rotations, rotations[vertex.heaviest]);
    return math::principal_signs(exact(vertex.weights), rotations);
}

}  // namespace

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
    if (settings_.signs == SignRule::set) {
        align_signs<double>(motions_, sets.sign_parents_of(set), model::sign_order(sets, set));
    }
    for (const DualQuatd& q : motions_) working_.push_back(working<T>(q));
    enter_set(sets.joints_of(set));
}

template <class T>
Blend<T> TwoPhaseBlender<T>::blend(const VertexWeights<T>& vertex) {
    if (settings_.signs != SignRule::set) settle_signs(vertex);
    const RigidBlend<T> rigid = blend_rigid(vertex);
    this->counts_.degenerate_blends += rigid.degenerate ? 1 : 0;
    const Mat3<T> rotation = math::to_matrix(rigid.rotation);
    Blend<T> result{rotation, rigid.translation, rotation, rigid.degenerate};
    if (!rigid_) stretch_first(result, vertex);
    return result;
}

template <class T>
void TwoPhaseBlender<T>::settle_signs(const VertexWeights<T>& vertex) {
    const math::Signs signs = vertex_signs(settings_.signs, motions_, vertex);
    motions_ = math::with_signs(motions_, signs);
    for (std::size_t i = 0; i < motions_.size(); ++i) working_[i] = working<T>(motions_[i]);
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

template class TwoPhaseBlender<float>;
template class TwoPhaseBlender<double>;

}  // namespace sinew::deform
