// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/deform/blend.h"
#include "sinew/deform/skinning/kernels/block_kernels.h"
#include "sinew/math/blend.h"
#include "sinew/math/transform.h"

namespace sinew::deform {

using kernels::Rule;
using math::Mat3d;
using math::Rigidd;
using math::Vec3d;

Mat34f to_mat34(const math::Mat4d& matrix) {
    Mat34f result;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 4; ++c) result.rows[r][c] = static_cast<float>(matrix(r, c));
    }
    return result;
}

math::Mat4d to_mat4(const Mat34f& matrix) {
    math::Mat4d result = math::Mat4d::Identity();
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 4; ++c) result(r, c) = matrix.rows[r][c];
    }
    return result;
}

std::vector<Mat34f> to_mat34(std::span<const math::Mat4d> palette) {
    std::vector<Mat34f> result;
    result.reserve(palette.size());
    for (const math::Mat4d& matrix : palette) result.push_back(to_mat34(matrix));
    return result;
}

namespace {

static_assert(FrameData::max_coefficients == 25 + kernels::stretch_count);
static_assert(layout_block == kernels::block);

/// A set at work.
struct SetView {
    FrameData& frame;
    std::span<const std::uint32_t> joints;

    const JointMotion& motion(std::size_t i) const { return frame.motions[joints[i]]; }
};

Vec3d mean_center(const SetView& view) {
    Vec3d sum = Vec3d::Zero();
    for (const std::uint32_t joint : view.joints) sum += view.frame.centers[joint];
    return sum / static_cast<double>(view.joints.size());
}

/// The least-squares centre. Motions about one axis have A = s (I - a a^T), whose pseudo-inverse is division
/// by s: three products instead of an eigen decomposition.
Vec3d fast_center(const math::CenterEquations& system) {
    const double s = system.a.trace() / 2;
    const double cut = center_threshold * center_threshold * system.pair_weight;
    if (s <= cut) return Vec3d::Zero();
    if ((system.a * system.a - s * system.a).norm() <= 1e-9 * s * s) return system.b / s;
    return math::solve_center(system, center_threshold).center;
}

/// Rows of four, linear part and translation, that `fill_joint` leaves behind the quaternion.
const double* rows_of(const SetView& view, std::size_t i) {
    return view.frame.joint_coefficients.data() + view.joints[i] * FrameData::max_coefficients + 4;
}

/// The equations of math::center_equations from the rows of the joints. Two joints give A = s (I - a a^T),
/// three and more a matrix of full rank as a rule: both are solved without eigenvalues. False when they have
/// to be looked at.
bool plain_center(const SetView& view, Vec3d& center) {
    using Rows = Eigen::Array<double, 12, 1>;
    const std::size_t count = view.joints.size();
    const double share = 1 / static_cast<double>(count);
    Rows mean = Rows::Zero();
    for (std::size_t i = 0; i < count; ++i) mean += share * Eigen::Map<const Rows>(rows_of(view, i));
    double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
    Vec3d b = Vec3d::Zero();
    for (std::size_t i = 0; i < count; ++i) {
        const Rows d = Eigen::Map<const Rows>(rows_of(view, i)) - mean;
        for (Eigen::Index r = 0; r < 12; r += 4) {
            const double x = d[r], y = d[r + 1], z = d[r + 2], t = d[r + 3];
            xx += share * x * x, xy += share * x * y, xz += share * x * z;
            yy += share * y * y, yz += share * y * z, zz += share * z * z;
            b -= share * t * Vec3d(x, y, z);
        }
    }
    const double trace = xx + yy + zz;
    const double cut = center_threshold * center_threshold * (1 - share) / 2;
    if (count == 2) {
        center = 2 / trace * b;
        return trace / 2 > cut;
    }
    const double cx = yy * zz - yz * yz, cy = xz * yz - xy * zz, cz = xy * yz - xz * yy;
    const double determinant = xx * cx + xy * cy + xz * cz;
    const Mat3d adjugate{
        {cx, cy, cz}, {cy, xx * zz - xz * xz, xy * xz - xx * yz}, {cz, xy * xz - xx * yz, xx * yy - xy * xy}};
    center = adjugate * b / determinant;
    // The smallest eigenvalue is at least the determinant over the product of the others.
    return 4 * determinant > 2 * cut * trace * trace;
}

/// Rest centre of the set for the rules that have one.
Vec3d center_of(const SetView& view, Method method) {
    if (method == Method::sbs_weighted) return mean_center(view);
    if (method != Method::sbs || view.joints.size() < 2) return Vec3d::Zero();
    Vec3d center;
    if (plain_center(view, center)) return center;
    std::vector<Rigidd>& rigids = view.frame.set_rigids;
    std::vector<Vec3d>& centers = view.frame.set_centers;
    for (std::size_t i = 0; i < view.joints.size(); ++i) {
        rigids[i] = view.motion(i).rigid;
        centers[i] = view.frame.centers[view.joints[i]];
    }
    return set_center({rigids.data(), view.joints.size()}, {centers.data(), view.joints.size()});
}

/// The kernel rule of a method. `exact_normals` decides between cofactors and the linear part for linear
/// blending.
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

bool blends_quaternions(Rule rule) {
    return rule != Rule::logarithm;
}

/// Coefficients of a joint that do not depend on the set, as far as the rule has such; quaternions come
/// first, so that a sign can be put on them.
void fill_joint(FrameData& frame, std::size_t joint) {
    double* out = frame.joint_coefficients.data() + joint * FrameData::max_coefficients;
    const auto put = [&](const auto& values) {
        for (Eigen::Index i = 0; i < values.size(); ++i) *out++ = values[i];
    };
    const auto put_rows = [&](const Mat3d& linear, const Vec3d& move) {
        for (int r = 0; r < 3; ++r) {
            put(Vec3d(linear.row(r)));
            *out++ = move[r];
        }
    };
    const JointMotion& motion = frame.motions[joint];
    if (frame.rule == Rule::logarithm) {
        const math::DualVector<double> l = math::log_shortest(motion.dual);
        put(l.real);
        put(l.dual);
    } else {
        put(motion.dual.real.coeffs());
        if (frame.rule == Rule::dual || frame.rule == Rule::iterative) put(motion.dual.dual.coeffs());
        if (frame.rule == Rule::own_center || frame.rule == Rule::weighted || frame.rule == Rule::centered) {
            put_rows(math::to_matrix(motion.rigid.rotation), motion.rigid.translation);
        }
    }
}

/// How many coefficients `fill_joint` gives.
std::size_t shared_count(Rule rule) {
    if (rule == Rule::centered) return 4;
    if (rule == Rule::iterative) return kernels::dual_count;
    return rule == Rule::weighted ? 16 : kernels::coefficient_count(rule);
}

/// How many coefficients of `fill_joint` change sign with the quaternion.
std::size_t signed_count(Rule rule) {
    if (!blends_quaternions(rule)) return 0;
    return rule == Rule::dual || rule == Rule::iterative ? 8 : 4;
}

/// What depends on the set: the moved centre, the products that the weighted centre is solved from, or the
/// dual quaternion with its sign once more.
std::size_t set_values(const SetView& view, std::size_t i, Rule rule, const Vec3d& center, double* out) {
    const JointMotion& motion = view.motion(i);
    if (rule == Rule::centered) {
        const Vec3d moved = motion.rigid * center;
        std::copy(moved.data(), moved.data() + 3, out);
        return 3;
    }
    if (rule == Rule::iterative) {
        std::copy(out - kernels::dual_count, out, out);
        return kernels::dual_count;
    }
    if (rule != Rule::weighted) return 0;
    const JointMotion& first = view.motion(0);
    const Mat3d d = math::to_matrix(motion.rigid.rotation) - math::to_matrix(first.rigid.rotation);
    const Mat3d square = d.transpose() * d;
    const Vec3d product = d.transpose() * (motion.rigid.translation - first.rigid.translation);
    const double values[9] = {square(0, 0), square(0, 1), square(0, 2), square(1, 1), square(1, 2),
                              square(2, 2), product[0],   product[1],   product[2]};
    std::copy(std::begin(values), std::end(values), out);
    return 9;
}

std::size_t stretch_values(const SetView& view, std::size_t i, double* out) {
    const JointMotion& motion = view.motion(i);
    const Vec3d& b = view.frame.centers[view.joints[i]];
    const Vec3d move = b - motion.stretch * b;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) *out++ = motion.stretch(r, c);
        *out++ = move[r];
    }
    return kernels::stretch_count;
}

/// Sign of each joint's quaternion in the set.
void settle_signs(FrameData& frame, const SkinLayout& layout, const LayoutSet& set) {
    for (std::size_t k = 0; k < set.joint_count; ++k) {
        const std::uint32_t i = layout.sign_order[set.first_joint + k];
        const std::int32_t leader = layout.sign_parents[set.first_joint + i];
        frame.signs[i] = 1;
        if (leader < 0) continue;
        const auto& own = frame.motions[layout.joints[set.first_joint + i]].dual.real;
        const auto& other =
            frame.motions[layout.joints[set.first_joint + static_cast<std::size_t>(leader)]].dual.real;
        frame.signs[i] = math::dot(own, other) * frame.signs[static_cast<std::size_t>(leader)] < 0 ? -1 : 1;
    }
}

/// One joint alone moves by its matrix under every rule.
void fill_single(FrameData& frame, const LayoutSet& set, const Mat34f& matrix) {
    std::copy(&matrix.rows[0][0], &matrix.rows[0][0] + 12,
              frame.coefficients.data() + set.first_joint * coefficient_stride(frame));
}

/// Quaternions with their signs, as the first and differences to it: all of `dual`, and what `centered`
/// begins with.
template <int Count>
void put_signed(const SetView& view, float* out, std::size_t stride) {
    using Values = Eigen::Array<double, Count, 1>;
    const auto value = [&](std::size_t i) -> Values {
        const double* const from =
            view.frame.joint_coefficients.data() + view.joints[i] * FrameData::max_coefficients;
        return view.frame.signs[i] * Eigen::Map<const Values>(from);
    };
    using Out = Eigen::Map<Eigen::Array<float, Count, 1>>;
    const Values first = value(0);
    Out{out} = first.template cast<float>();
    for (std::size_t i = 1; i < view.joints.size(); ++i)
        Out{out + i* stride} = (value(i) - first).template cast<float>();
}

/// `centered`: where the centre goes, again as differences.
void put_moved_centers(const SetView& view, const Vec3d& center, float* out, std::size_t stride) {
    const auto moved = [&](std::size_t i, std::size_t r) {
        const double* const row = rows_of(view, i) + 4 * r;
        return row[0] * center[0] + row[1] * center[1] + row[2] * center[2] + row[3];
    };
    for (std::size_t r = 0; r < 3; ++r) {
        const double first = moved(0, r);
        out[4 + r] = static_cast<float>(first);
        for (std::size_t i = 1; i < view.joints.size(); ++i)
            out[i * stride + 4 + r] = static_cast<float>(moved(i, r) - first);
    }
}

void fill_set(FrameData& frame, const SkinLayout& layout, std::size_t index, Method method) {
    const LayoutSet& set = layout.sets[index];
    const SetView view{frame, {layout.joints.data() + set.first_joint, set.joint_count}};
    if (blends_quaternions(frame.rule)) settle_signs(frame, layout, set);
    const Vec3d center =
        frame.rule == Rule::iterative ? Vec3d(Vec3d::Constant(frame.size)) : center_of(view, method);
    for (std::size_t i = 0; i < 3; ++i) {
        frame.constants[index * 3 + i] = static_cast<float>(center[static_cast<Eigen::Index>(i)]);
    }
    const std::size_t stride = coefficient_stride(frame);
    float* out = frame.coefficients.data() + set.first_joint * stride;
    if (!frame.stretch && frame.rule == Rule::dual) return put_signed<8>(view, out, stride);
    if (!frame.stretch && frame.rule == Rule::centered) {
        put_signed<4>(view, out, stride);
        return put_moved_centers(view, center, out, stride);
    }
    const std::size_t with_sign = signed_count(frame.rule);
    const std::size_t shared = frame.shared_count;
    double first[FrameData::max_coefficients], value[FrameData::max_coefficients];
    for (std::size_t i = 0; i < set.joint_count; ++i) {
        double* const to = i == 0 ? first : value;
        const double* from = frame.joint_coefficients.data() + view.joints[i] * FrameData::max_coefficients;
        for (std::size_t c = 0; c < with_sign; ++c) to[c] = frame.signs[i] * from[c];
        for (std::size_t c = with_sign; c < shared; ++c) to[c] = from[c];
        std::size_t count = shared + set_values(view, i, frame.rule, center, to + shared);
        if (frame.stretch) count += stretch_values(view, i, to + count);
        const auto whole = [&](std::size_t c) {  // the iteration meets each joint by itself
            return i == 0 || (frame.rule == Rule::iterative && c / kernels::dual_count == 1);
        };
        for (std::size_t c = 0; c < count; ++c) {
            out[c] = static_cast<float>(whole(c) ? to[c] : value[c] - first[c]);
        }
        out += stride;
    }
}

/// The rules that blend the matrices themselves: no quaternions, signs or centres, so every frame of linear
/// blending saves their cost.
void fill_matrices(FrameData& frame, const SkinLayout& layout, std::span<const Mat34f> palette) {
    using Matrix = Eigen::Array<float, 12, 1>;
    const auto matrix = [&](std::uint32_t joint) {
        return Eigen::Map<const Matrix>(&palette[joint].rows[0][0]);
    };
    float* out = frame.coefficients.data();
    for (const LayoutSet& set : layout.sets) {
        const std::uint32_t* const joints = layout.joints.data() + set.first_joint;
        const Matrix first = matrix(joints[0]);
        Eigen::Map<Matrix>{out} = first;
        for (std::size_t i = 1; i < set.joint_count; ++i) {
            Eigen::Map<Matrix>{out + i* 12} = matrix(joints[i]) - first;
        }
        out += set.joint_count * 12;
    }
}

void check_palette(std::span<const Mat34f> palette, std::size_t needed) {
    if (palette.size() < needed) fail("palette", "{} matrices for {} joints", palette.size(), needed);
    for (std::size_t j = 0; j < needed; ++j) {
        bool finite = true;  // an exponent of all ones is infinite or not a number
        for (const auto& row : palette[j].rows) {
            for (const float value : row)
                finite &= (std::bit_cast<std::uint32_t>(value) & 0x7f800000u) != 0x7f800000u;
        }
        if (!finite) fail("palette", "the matrix of joint {} is not finite", j);
    }
}

}  // namespace

Vec3d rest_center(const math::Mat4d& inverse_bind) {
    const Mat3d linear = inverse_bind.topLeftCorner<3, 3>();
    const double size = linear.norm();
    if (std::abs(linear.determinant()) <= 1e-12 * size * size * size) return Vec3d::Zero();
    return math::inverse_affine(inverse_bind).topRightCorner<3, 1>();
}

JointMotion split_motion(const Mat34f& matrix, const Vec3d& center, bool& rigid) {
    Mat3d linear;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) linear(r, c) = matrix.rows[r][c];
    }
    const Mat3d gram = linear.transpose().lazyProduct(linear);
    rigid = (gram - Mat3d::Identity()).squaredNorm() <= rigid_tolerance * rigid_tolerance &&
            linear.determinant() > 0;
    if (!rigid) return split_motion(to_mat4(matrix), center, rigid);
    JointMotion motion;
    motion.rigid = {math::from_matrix(linear),
                    Vec3d(matrix.rows[0][3], matrix.rows[1][3], matrix.rows[2][3])};
    motion.dual = math::to_dual_quaternion(motion.rigid);
    return motion;
}

JointMotion split_motion(const math::Mat4d& m, const Vec3d& center, bool& rigid) {
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

Vec3d set_center(std::span<const Rigidd> motions, std::span<const Vec3d> centers) {
    if (motions.size() == 2) {
        // Neighbouring joints turn about the one they share.
        for (const Vec3d& shared : centers) {
            if (math::share_point(motions[0], motions[1], shared)) return shared;
        }
    }
    return fast_center(math::center_equations({}, motions));
}

FrameData make_frame_data(const SkinLayout& layout, std::span<const Vec3d> joint_centers, double size) {
    FrameData frame;
    frame.motions.resize(layout.palette_size);
    frame.signs.resize(layout.max_set_joints);
    frame.joint_coefficients.resize(layout.palette_size * FrameData::max_coefficients);
    frame.set_rigids.resize(layout.max_set_joints);
    frame.set_centers.resize(layout.max_set_joints);
    frame.centers.assign(joint_centers.begin(), joint_centers.end());
    frame.coefficients.resize(layout.joints.size() * FrameData::max_coefficients);
    frame.constants.resize(layout.sets.size() * 3);
    frame.size = size;
    return frame;
}

std::size_t coefficient_stride(const FrameData& frame) {
    return kernels::joint_stride(kernels::coefficient_count(frame.rule), frame.stretch);
}

void fill(FrameData& frame, const SkinLayout& layout, std::span<const Mat34f> palette, Method method,
          bool exact_normals) {
    check_palette(palette, layout.palette_size);
    frame.rule = rule_of(method, exact_normals);
    frame.nonrigid_joints = 0;
    frame.stretch = false;
    if (method == Method::lbs || method == Method::rigid) return fill_matrices(frame, layout, palette);
    for (std::size_t j = 0; j < layout.palette_size; ++j) {
        bool rigid = true;
        frame.motions[j] = split_motion(palette[j], frame.centers[j], rigid);
        frame.nonrigid_joints += !rigid;
    }
    frame.stretch = frame.nonrigid_joints > 0;
    for (std::size_t j = 0; j < layout.palette_size; ++j) fill_joint(frame, j);
    frame.shared_count = shared_count(frame.rule);
    for (std::size_t s = 0; s < layout.sets.size(); ++s) {
        const LayoutSet& set = layout.sets[s];
        if (set.joint_count == 1) {
            fill_single(frame, set, palette[layout.joints[set.first_joint]]);
        } else {
            fill_set(frame, layout, s, method);
        }
    }
}

}  // namespace sinew::deform
