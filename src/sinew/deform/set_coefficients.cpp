#include "sinew/deform/set_coefficients.h"

#include <cmath>

#include "sinew/base/error.h"
#include "sinew/deform/blend.h"
#include "sinew/math/rotation_center.h"
#include "sinew/math/transform.h"

namespace sinew::deform {
namespace {

using kernels::Rule;
using math::DualQuatd;
using math::Mat3d;
using math::Rigidd;
using math::Vec3d;

/// Writes coefficients of a set in the form kernels read: for each the value of joint 0, then differences to it.
class Writer {
  public:
    Writer(float* out, std::size_t joints) : out_(out), joints_(joints) {}

    void joint(std::size_t index) {
        joint_ = index;
        coefficient_ = 0;
    }
    void put(double value) {
        float* const slot = out_ + coefficient_ * joints_;
        if (joint_ == 0) {
            first_[coefficient_] = value;
            slot[0] = static_cast<float>(value);
        } else {
            slot[joint_] = static_cast<float>(value - first_[coefficient_]);
        }
        ++coefficient_;
    }
    void put(const math::Quatd& q) {
        for (int i = 0; i < 4; ++i) put(q.coeffs()[i]);
    }
    void put(const Vec3d& v) {
        for (int i = 0; i < 3; ++i) put(v[i]);
    }
    void put(const Mat3d& linear, const Vec3d& move) {
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) put(linear(r, c));
            put(move[r]);
        }
    }
    void put_upper(const Mat3d& m) {
        for (int r = 0; r < 3; ++r) {
            for (int c = r; c < 3; ++c) put(m(r, c));
        }
    }

  private:
    float* out_;
    std::size_t joints_;
    std::size_t joint_ = 0;
    std::size_t coefficient_ = 0;
    double first_[64] = {};
};

/// A set at work: its joints, their motions with signs settled, and where its coefficients go.
struct SetView {
    FrameData& frame;
    const LayoutSet& set;
    std::span<const std::uint32_t> joints;
    std::span<const DualQuatd> motions;
    float* constants;

    const JointMotion& motion(std::size_t i) const { return frame.motions[joints[i]]; }
};

Mat3d rotation_of(const JointMotion& motion) {
    return math::to_matrix(motion.rigid.rotation);
}

Vec3d mean_center(const SetView& view) {
    Vec3d sum = Vec3d::Zero();
    for (const std::uint32_t joint : view.joints) sum += view.frame.centers[joint];
    return sum / static_cast<double>(view.joints.size());
}

/// The least-squares centre. Motions about one axis have A = s (I - a a^T), whose pseudo-inverse is division by s.
Vec3d fast_center(const math::CenterEquations& system) {
    const double s = system.a.trace() / 2;
    const double cut = math::rank_threshold * math::rank_threshold * system.pair_weight;
    if (s <= cut) return Vec3d::Zero();
    const Vec3d r = system.b / s;
    // For a common axis A r = b again: three products instead of an eigen decomposition.
    if ((system.a * system.a - s * system.a).norm() <= 1e-9 * s * s) return r;
    return math::solve_center(system, math::rank_threshold).center;
}

void write_constants(float* out, const Vec3d& v) {
    for (int i = 0; i < 3; ++i) out[i] = static_cast<float>(v[i]);
}

/// One joint under each rule; `i` is its place in the set.
void write_joint(Writer& writer, const SetView& view, std::size_t i, Rule rule, const Vec3d& center,
                 std::span<const Mat34f> palette) {
    const JointMotion& motion = view.motion(i);
    const DualQuatd& q = view.motions[i];
    switch (rule) {
        case Rule::affine:
        case Rule::affine_exact:
        case Rule::heaviest:
            for (const auto& row : palette[view.joints[i]].rows) {
                for (const float value : row) writer.put(value);
            }
            return;
        case Rule::dual:
        case Rule::iterative:
            writer.put(q.real);
            writer.put(q.dual);
            return;
        case Rule::logarithm: {
            const math::DualVector<double> l = math::log_shortest(motion.dual);
            writer.put(l.real);
            writer.put(l.dual);
            return;
        }
        case Rule::centered:
            writer.put(q.real);
            writer.put(motion.rigid * center);
            return;
        case Rule::own_center:
            writer.put(q.real);
            writer.put(rotation_of(motion), motion.rigid.translation);
            return;
        case Rule::weighted: {
            const JointMotion& first = view.motion(0);
            const Mat3d d = rotation_of(motion) - rotation_of(first);
            const Vec3d tau = motion.rigid.translation - first.rigid.translation;
            writer.put(q.real);
            writer.put(rotation_of(motion), motion.rigid.translation);
            writer.put_upper(d.transpose() * d);
            writer.put(Vec3d(d.transpose() * tau));
            return;
        }
    }
}

/// Rest centre of the set for the rules that have one.
Vec3d center_of(const SetView& view, Method method) {
    if (method == Method::sbs_weighted) return mean_center(view);
    if (method != Method::sbs || view.joints.size() < 2) return Vec3d::Zero();
    if (view.joints.size() == 2) {
        // Neighbouring joints turn about the one they share.
        for (const std::uint32_t joint : view.joints) {
            const Vec3d& shared = view.frame.centers[joint];
            if (math::share_point(view.motion(0).rigid, view.motion(1).rigid, shared)) return shared;
        }
    }
    std::vector<Rigidd>& rigids = view.frame.set_rigids;
    for (std::size_t i = 0; i < view.joints.size(); ++i) rigids[i] = view.motion(i).rigid;
    return fast_center(math::center_equations({}, {rigids.data(), view.joints.size()}));
}

void settle_signs(FrameData& frame, const SkinLayout& layout, const LayoutSet& set) {
    const std::span<DualQuatd> motions(frame.signed_motions.data(), set.joint_count);
    for (std::size_t i = 0; i < motions.size(); ++i) motions[i] = frame.motions[layout.joints[set.first_joint + i]].dual;
    align_signs<double>(motions, {layout.sign_parents.data() + set.first_joint, set.joint_count},
                        {layout.sign_order.data() + set.first_joint, set.joint_count});
}

void fill_set(FrameData& frame, const SkinLayout& layout, std::size_t index, std::span<const Mat34f> palette,
              Method method) {
    const LayoutSet& set = layout.sets[index];
    const bool blends_quaternions = frame.rule != Rule::affine && frame.rule != Rule::affine_exact &&
                                    frame.rule != Rule::heaviest;
    if (blends_quaternions) settle_signs(frame, layout, set);
    const SetView view{frame,
                       set,
                       {layout.joints.data() + set.first_joint, set.joint_count},
                       {frame.signed_motions.data(), set.joint_count},
                       frame.constants.data() + index * 3};
    const Vec3d center = blends_quaternions ? center_of(view, method) : Vec3d(Vec3d::Zero());
    write_constants(view.constants, frame.rule == Rule::iterative ? Vec3d::Constant(frame.size) : center);
    Writer writer(frame.coefficients.data() + coefficients_of(frame, set), set.joint_count);
    for (std::size_t i = 0; i < set.joint_count; ++i) {
        writer.joint(i);
        // One joint alone moves by its matrix under every rule.
        write_joint(writer, view, i, set.joint_count == 1 ? Rule::affine : frame.rule, center, palette);
        if (!frame.stretch || set.joint_count == 1) continue;
        const JointMotion& motion = view.motion(i);
        const Vec3d& b = frame.centers[view.joints[i]];
        writer.put(motion.stretch, b - motion.stretch * b);
    }
}

/// Rigid part and stretch of a palette entry: C v = R (b + P (v - b)) + C b - R b, b the rest place of the joint.
JointMotion split(const Mat34f& matrix, const Vec3d& center, bool& rigid) {
    const math::Mat4d m = to_mat4(matrix);
    const Mat3d linear = m.topLeftCorner<3, 3>();
    JointMotion motion;
    rigid = math::is_rigid(m, rigid_tolerance);
    if (rigid) {
        motion.rigid = {math::from_matrix(linear), m.topRightCorner<3, 1>()};
    } else {
        const Mat3d rotation = math::nearest_rotation(linear);
        motion.stretch = rotation.transpose() * linear;
        motion.rigid = {math::from_matrix(rotation), math::transform_point(m, center) - rotation * center};
    }
    motion.dual = math::to_dual_quaternion(motion.rigid);
    return motion;
}

void check_palette(std::span<const Mat34f> palette, std::size_t needed) {
    if (palette.size() < needed) fail("palette", "{} matrices for {} joints", palette.size(), needed);
    for (std::size_t j = 0; j < needed; ++j) {
        float sum = 0;
        for (const auto& row : palette[j].rows) sum += std::abs(row[0]) + std::abs(row[1]) + std::abs(row[2]) + std::abs(row[3]);
        if (!std::isfinite(sum)) fail("palette", "the matrix of joint {} is not finite", j);
    }
}

}  // namespace

Rule rule_of(Method method, bool exact_normals) {
    switch (method) {
        case Method::lbs:
            return exact_normals ? Rule::affine_exact : Rule::affine;
        case Method::dqs:
            return Rule::dual;
        case Method::sbs:
        case Method::qlb:
            return Rule::centered;
        case Method::sbs_weighted:
            return Rule::weighted;
        case Method::cor:
            return Rule::own_center;
        case Method::log:
            return Rule::logarithm;
        case Method::dib:
            return Rule::iterative;
        case Method::rigid:
            return Rule::heaviest;
    }
    fail("", "this skinning method has no kernel");
}

FrameData make_frame_data(const SkinLayout& layout, std::span<const Vec3d> joint_centers, double size) {
    constexpr std::size_t most = 25 + kernels::stretch_count;
    FrameData frame;
    frame.motions.resize(layout.palette_size);
    frame.signed_motions.resize(layout.max_set_joints);
    frame.set_rigids.resize(layout.max_set_joints);
    frame.centers.assign(joint_centers.begin(), joint_centers.end());
    frame.coefficients.resize(layout.joints.size() * most);
    frame.constants.resize(layout.sets.size() * 3);
    frame.size = size;
    return frame;
}

std::size_t coefficients_of(const FrameData& frame, const LayoutSet& set) {
    const std::size_t per_joint = std::max(kernels::coefficient_count(frame.rule), std::size_t{12}) +
                                  (frame.stretch ? kernels::stretch_count : 0);
    return set.first_joint * per_joint;
}

void fill(FrameData& frame, const SkinLayout& layout, std::span<const Mat34f> palette, Method method,
          bool exact_normals) {
    check_palette(palette, layout.palette_size);
    frame.rule = rule_of(method, exact_normals);
    frame.nonrigid_joints = 0;
    frame.stretch = false;
    if (method != Method::lbs && method != Method::rigid) {
        for (std::size_t j = 0; j < layout.palette_size; ++j) {
            bool rigid = true;
            frame.motions[j] = split(palette[j], frame.centers[j], rigid);
            frame.nonrigid_joints += !rigid;
        }
        frame.stretch = frame.nonrigid_joints > 0;
    }
    for (std::size_t s = 0; s < layout.sets.size(); ++s) fill_set(frame, layout, s, palette, method);
}

}  // namespace sinew::deform
