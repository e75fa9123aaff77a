// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/deform/blend.h"
#include "sinew/deform/skinning/kernels/block_kernels.h"
#include "sinew/deform/skinning/kernels/joint_kernels.h"
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

/// One influence set in the current frame.
struct SetView {
    FrameData& frame;
    std::span<const std::uint32_t> joints;
    const std::uint32_t* signs;

    SetView(FrameData& of, const SkinLayout& layout, const LayoutSet& set)
        : frame(of),
          joints(layout.joints.data() + set.first_joint, set.joint_count),
          signs(layout.signs.data() + set.first_joint) {}
    float sign(std::size_t i) const { return frame.signs[signs[i]]; }
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

/// Data of the joints of a set that does not depend on the set; the quaternion comes first.
const double* shared_of(const SetView& view, std::size_t i) {
    return view.frame.joint_coefficients.data() + view.joints[i] * view.frame.joint_stride;
}

/// Rows of four, linear part and translation, after the quaternion.
const double* rows_of(const SetView& view, std::size_t i) {
    return shared_of(view, i) + 4;
}

/// The equations of math::center_equations from the rows of the joints, as differences from those of the
/// first. Two joints give A = s (I - a a^T), three and more usually a matrix of full rank: both are solved
/// without eigenvalues. False when eigenvalues are needed.
bool plain_center(const SetView& view, Vec3d& center) {
    const std::size_t count = view.joints.size();
    const double share = 1 / static_cast<double>(count);
    const double* const first = rows_of(view, 0);
    const double cut = center_threshold * center_threshold * (1 - share) / 2;
    if (count == 2) {
        const double* const second = rows_of(view, 1);
        double trace = 0, bx = 0, by = 0, bz = 0;
        for (std::size_t r = 0; r < 12; r += 4) {
            const double x = second[r] - first[r], y = second[r + 1] - first[r + 1];
            const double z = second[r + 2] - first[r + 2], t = second[r + 3] - first[r + 3];
            trace += x * x + y * y + z * z;
            bx += t * x, by += t * y, bz += t * z;
        }
        center = Vec3d(bx, by, bz) * (-2 / trace);
        return trace / 8 > cut;
    }
    double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0, bx = 0, by = 0, bz = 0;
    for (std::size_t r = 0; r < 12; r += 4) {
        double sx = 0, sy = 0, sz = 0, st = 0;
        for (std::size_t i = 1; i < count; ++i) {
            const double* const row = rows_of(view, i) + r;
            const double x = row[0] - first[r], y = row[1] - first[r + 1];
            const double z = row[2] - first[r + 2], t = row[3] - first[r + 3];
            sx += x, sy += y, sz += z, st += t;
            xx += x * x, xy += x * y, xz += x * z, yy += y * y, yz += y * z, zz += z * z;
            bx -= t * x, by -= t * y, bz -= t * z;
        }
        const double mx = share * sx, my = share * sy, mz = share * sz;
        xx -= mx * sx, xy -= mx * sy, xz -= mx * sz, yy -= my * sy, yz -= my * sz, zz -= mz * sz;
        bx += mx * st, by += my * st, bz += mz * st;
    }
    const double trace = xx + yy + zz;
    const double cx = yy * zz - yz * yz, cy = xz * yz - xy * zz, cz = xy * yz - xz * yy;
    const double dy = xx * zz - xz * xz, dz = xy * xz - xx * yz, ez = xx * yy - xy * xy;
    const double determinant = xx * cx + xy * cy + xz * cz;
    center = Vec3d(cx * bx + cy * by + cz * bz, cy * bx + dy * by + dz * bz, cz * bx + dz * by + ez * bz) *
             (1 / determinant);
    // The smallest eigenvalue is at least the determinant over the product of the others.
    return 4 * share * determinant > 2 * cut * trace * trace;
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

/// Coefficients of a joint that do not depend on the set, if the rule has any; quaternions come first, so
/// that a sign can be applied to them.
void fill_joint(FrameData& frame, std::size_t joint) {
    double* out = frame.joint_coefficients.data() + joint * frame.joint_stride;
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

/// Number of coefficients that `fill_joint` writes.
std::size_t shared_count(Rule rule) {
    if (rule == Rule::centered) return 4;
    if (rule == Rule::iterative) return kernels::dual_count;
    return rule == Rule::weighted ? 16 : kernels::coefficient_count(rule);
}

/// Number of coefficients of `fill_joint` that change sign with the quaternion.
std::size_t signed_count(Rule rule) {
    if (!blends_quaternions(rule)) return 0;
    return rule == Rule::dual || rule == Rule::iterative ? 8 : 4;
}

/// Coefficients that depend on the set: the moved centre, the products that the weighted centre is solved
/// from, or the dual quaternion a second time, with its sign.
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

/// The signs of the frame, leaders before followers.
void settle_signs(FrameData& frame, const SkinLayout& layout) {
    using Quaternion = Eigen::Map<const Eigen::Vector4d>;
    const double* const shared = frame.joint_coefficients.data();
    const std::size_t stride = frame.joint_stride;
    float* const signs = frame.signs.data();
    float* next = signs + layout.palette_size;
    for (const SignStep& step : layout.sign_steps) {
        const double d =
            Quaternion(shared + step.joint * stride).dot(Quaternion(shared + step.leader_joint * stride));
        *next++ = d < 0 ? -signs[step.leader] : signs[step.leader];
    }
}

/// A set of one joint moves by its matrix under every rule.
void fill_single(FrameData& frame, const LayoutSet& set, const Mat34f& matrix) {
    std::copy(&matrix.rows[0][0], &matrix.rows[0][0] + 12,
              frame.coefficients.data() + set.first_joint * coefficient_stride(frame));
}

/// The first `Count` floats of the joints' dual quaternions with their signs, as the first and the
/// differences from it: all of `dual`, and the beginning of `centered`.
template <int Count>
inline void put_signed(const SetView& view, const float* quaternions, float* out, std::size_t stride) {
    using Values = Eigen::Array<float, Count, 1>;
    // Copies, which no store can change.
    const std::uint32_t *const joints = view.joints.data(), *const which = view.signs;
    const float* const signs = view.frame.signs.data();
    const std::size_t count = view.joints.size();
    const auto value = [=](std::size_t i) -> Values {
        return signs[which[i]] *
               Eigen::Map<const Values>(quaternions + std::size_t{joints[i]} * kernels::dual_count);
    };
    const Values first = value(0);
    Eigen::Map<Values>{out} = first;
    for (std::size_t i = 1; i < count; ++i) Eigen::Map<Values>{out + i* stride} = value(i) - first;
}

/// `centered`: the images of the centre, again as differences.
void put_moved_centers(const SetView& view, const Vec3d& center, float* out, std::size_t stride) {
    const double x = center[0], y = center[1], z = center[2];
    double first[3] = {0, 0, 0};
    for (std::size_t i = 0; i < view.joints.size(); ++i) {
        const double* row = rows_of(view, i);
        for (std::size_t r = 0; r < 3; ++r, row += 4) {
            const double moved = row[0] * x + row[1] * y + row[2] * z + row[3];
            out[i * stride + 4 + r] = static_cast<float>(moved - first[r]);
            if (i == 0) first[r] = moved;
        }
    }
}

/// All sets of `centered`: the centres of sets with equal numbers of joints are solved together, the
/// remaining ones one by one.
void fill_centers(FrameData& frame, const SkinLayout& layout, Method method) {
    const std::size_t stride = coefficient_stride(frame);
    for (std::size_t s = 0; s < layout.sets.size();) {
        const std::size_t begin = s, count = layout.sets[s].joint_count;
        while (s < layout.sets.size() && layout.sets[s].joint_count == count) ++s;
        if (count == 1) continue;
        std::uint8_t* const done = frame.done.data();
        const std::size_t first = layout.sets[begin].first_joint;
        const double share = 1 / static_cast<double>(count);
        std::fill(done, done + (s - begin), std::uint8_t{0});
        if (method == Method::sbs) {
            kernels::solve_centers({frame.joint_coefficients.data(), layout.joints.data() + first, count,
                                    s - begin, center_threshold * center_threshold * (1 - share) / 2,
                                    frame.constants.data() + begin * 3,
                                    frame.coefficients.data() + first * stride + 4, stride, done});
        }
        for (std::size_t k = begin; k < s; ++k) {
            if (done[k - begin] != 0) continue;
            const LayoutSet& set = layout.sets[k];
            const SetView view(frame, layout, set);
            const Vec3d center = center_of(view, method);
            Eigen::Map<math::Vec3f>(frame.constants.data() + k * 3) = center.cast<float>();
            put_moved_centers(view, center, frame.coefficients.data() + set.first_joint * stride, stride);
        }
    }
}

/// All sets of `dual` and `centered` without a stretch: the most frequently used rules have no loop over the
/// optional parts of a rule. After the coefficients come the dual quaternions of the joints in single
/// precision.
void fill_quaternions(FrameData& frame, const SkinLayout& layout, std::span<const Mat34f> palette,
                      Method method) {
    constexpr std::size_t stride = kernels::joint_stride(kernels::dual_count, false);
    const bool dual = frame.rule == Rule::dual;
    float* const quaternions = frame.coefficients.data() + layout.joints.size() * FrameData::max_coefficients;
    for (std::size_t j = 0; j < layout.palette_size; ++j) {
        using Eight = Eigen::Array<double, 8, 1>;
        Eigen::Map<Eigen::Array<float, 8, 1>>{quaternions + j* kernels::dual_count} =
            Eigen::Map<const Eight>(frame.joint_coefficients.data() + j * frame.joint_stride).cast<float>();
    }
    settle_signs(frame, layout);
    for (const LayoutSet& set : layout.sets) {
        const SetView view(frame, layout, set);
        float* const out = frame.coefficients.data() + set.first_joint * stride;
        if (set.joint_count == 1) {
            std::copy_n(&palette[view.joints[0]].rows[0][0], 12, out);
        } else if (dual) {
            put_signed<8>(view, quaternions, out, stride);
        } else {
            put_signed<4>(view, quaternions, out, stride);
        }
    }
    if (!dual) fill_centers(frame, layout, method);
}

void fill_set(FrameData& frame, const SkinLayout& layout, std::size_t index, Method method) {
    const LayoutSet& set = layout.sets[index];
    const SetView view(frame, layout, set);
    const Vec3d center =
        frame.rule == Rule::iterative ? Vec3d(Vec3d::Constant(frame.size)) : center_of(view, method);
    for (std::size_t i = 0; i < 3; ++i) {
        frame.constants[index * 3 + i] = static_cast<float>(center[static_cast<Eigen::Index>(i)]);
    }
    const std::size_t stride = coefficient_stride(frame);
    float* out = frame.coefficients.data() + set.first_joint * stride;
    const std::size_t with_sign = signed_count(frame.rule);
    const std::size_t shared = frame.shared_count;
    double first[FrameData::max_coefficients], value[FrameData::max_coefficients];
    for (std::size_t i = 0; i < set.joint_count; ++i) {
        double* const to = i == 0 ? first : value;
        const double* from = shared_of(view, i);
        for (std::size_t c = 0; c < with_sign; ++c) to[c] = double{view.sign(i)} * from[c];
        for (std::size_t c = with_sign; c < shared; ++c) to[c] = from[c];
        std::size_t count = shared + set_values(view, i, frame.rule, center, to + shared);
        if (frame.stretch) count += stretch_values(view, i, to + count);
        const auto whole = [&](std::size_t c) {  // the iteration uses each joint separately
            return i == 0 || (frame.rule == Rule::iterative && c / kernels::dual_count == 1);
        };
        for (std::size_t c = 0; c < count; ++c) {
            out[c] = static_cast<float>(whole(c) ? to[c] : value[c] - first[c]);
        }
        out += stride;
    }
}

/// The rules that blend the matrices themselves: without quaternions, signs or centres, linear blending saves
/// their cost in every frame.
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
    // Zero times a number that is not finite is not a number.
    using Matrix = Eigen::Array<float, 12, 1>;
    Matrix sum = Matrix::Zero();
    for (std::size_t j = 0; j < needed; ++j) sum += 0.0f * Eigen::Map<const Matrix>(&palette[j].rows[0][0]);
    if ((sum == 0).all()) return;
    for (std::size_t j = 0; j < needed; ++j) {
        bool finite = true;  // an exponent of all ones: infinite or not a number
        for (const auto& row : palette[j].rows) {
            for (const float value : row)
                finite &= (std::bit_cast<std::uint32_t>(value) & 0x7f800000u) != 0x7f800000u;
        }
        if (!finite) fail("palette", "the matrix of joint {} is not finite", j);
    }
}

/// The motion of a palette entry without stretch; false if it has one. A rotation by less than 120 degrees,
/// the usual case, has its quaternion without a search for the largest component.
bool split_rigid(const Mat34f& matrix, JointMotion& motion) {
    const auto m = [&](int r, int c) -> double { return matrix.rows[r][c]; };
    const auto gram = [&](int a, int b) { return m(0, a) * m(0, b) + m(1, a) * m(1, b) + m(2, a) * m(2, b); };
    const double xx = gram(0, 0) - 1, yy = gram(1, 1) - 1, zz = gram(2, 2) - 1;
    const double xy = gram(0, 1), xz = gram(0, 2), yz = gram(1, 2);
    const double determinant = m(0, 0) * (m(1, 1) * m(2, 2) - m(1, 2) * m(2, 1)) +
                               m(0, 1) * (m(1, 2) * m(2, 0) - m(1, 0) * m(2, 2)) +
                               m(0, 2) * (m(1, 0) * m(2, 1) - m(1, 1) * m(2, 0));
    const double error = xx * xx + yy * yy + zz * zz + 2 * (xy * xy + xz * xz + yz * yz);
    if (error > rigid_tolerance * rigid_tolerance || determinant <= 0) return false;
    const double trace = m(0, 0) + m(1, 1) + m(2, 2);
    math::Quatd& q = motion.rigid.rotation;
    if (trace >= m(0, 0) && trace >= m(1, 1) && trace >= m(2, 2)) {
        const double w = 1 + trace, x = m(2, 1) - m(1, 2), y = m(0, 2) - m(2, 0), z = m(1, 0) - m(0, 1);
        const double scale = 1 / std::sqrt(w * w + x * x + y * y + z * z);
        q = math::Quatd(w * scale, x * scale, y * scale, z * scale);
    } else {
        Mat3d linear;
        linear << m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2), m(2, 0), m(2, 1), m(2, 2);
        q = math::from_matrix(linear);
    }
    const double x = m(0, 3), y = m(1, 3), z = m(2, 3);
    motion.rigid.translation = Vec3d(x, y, z);
    motion.dual.real = q;
    motion.dual.dual =
        math::Quatd(-0.5 * (x * q.x() + y * q.y() + z * q.z()), 0.5 * (x * q.w() + y * q.z() - z * q.y()),
                    0.5 * (y * q.w() + z * q.x() - x * q.z()), 0.5 * (z * q.w() + x * q.y() - y * q.x()));
    motion.stretch.setIdentity();
    return true;
}

/// Motions of all joints, and the data that `dual` and `centered` need. False if one has a stretch.
bool fill_rigid(FrameData& frame, std::span<const Mat34f> palette, std::size_t count) {
    const bool rows = frame.rule == Rule::centered;
    frame.joint_stride = kernels::joint_doubles;
    kernels::split_motions({&palette[0].rows[0][0], count, rigid_tolerance, rows,
                            frame.joint_coefficients.data(), frame.done.data()});
    for (std::size_t j = 0; j < count; ++j) {
        JointMotion& motion = frame.motions[j];
        if (frame.done[j] == 0) {
            if (!split_rigid(palette[j], motion)) return false;
            fill_joint(frame, j);
            continue;
        }
        using Four = Eigen::Map<const Eigen::Vector4d>;
        const double* const values = frame.joint_coefficients.data() + j * kernels::joint_doubles;
        motion.dual.real.coeffs() = Four(values);
        if (rows) {
            motion.rigid.rotation.coeffs() = Four(values);
            motion.rigid.translation = {values[7], values[11], values[15]};
        } else {
            motion.dual.dual.coeffs() = Four(values + 4);
        }
    }
    return true;
}

}  // namespace

Vec3d rest_center(const math::Mat4d& inverse_bind) {
    const Mat3d linear = inverse_bind.topLeftCorner<3, 3>();
    const double size = linear.norm();
    if (std::abs(linear.determinant()) <= 1e-12 * size * size * size) return Vec3d::Zero();
    return math::inverse_affine(inverse_bind).topRightCorner<3, 1>();
}

JointMotion split_motion(const Mat34f& matrix, const Vec3d& center, bool& rigid) {
    JointMotion motion;
    rigid = split_rigid(matrix, motion);
    return rigid ? motion : split_motion(to_mat4(matrix), center, rigid);
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
        // Neighbouring joints rotate about the one they share.
        for (const Vec3d& shared : centers) {
            if (math::share_point(motions[0], motions[1], shared)) return shared;
        }
    }
    return fast_center(math::center_equations({}, motions));
}

FrameData make_frame_data(const SkinLayout& layout, std::span<const Vec3d> joint_centers, double size) {
    FrameData frame;
    frame.motions.resize(layout.palette_size);
    frame.signs.assign(layout.palette_size + layout.sign_steps.size(), 1);
    frame.joint_coefficients.resize(layout.palette_size * FrameData::max_coefficients);
    frame.set_rigids.resize(layout.max_set_joints);
    frame.set_centers.resize(layout.max_set_joints);
    frame.centers.assign(joint_centers.begin(), joint_centers.end());
    frame.coefficients.resize(layout.joints.size() * FrameData::max_coefficients +
                              layout.palette_size * kernels::dual_count);
    frame.constants.resize(layout.sets.size() * 3);
    frame.done.resize(std::max(layout.palette_size, layout.sets.size()));
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
    if (frame.stretch) {  // remains of the last frame
        for (JointMotion& motion : frame.motions) motion.stretch.setIdentity();
        frame.stretch = false;
    }
    if (method == Method::lbs || method == Method::rigid) return fill_matrices(frame, layout, palette);
    const bool quaternions = frame.rule == Rule::dual || frame.rule == Rule::centered;
    if (quaternions && fill_rigid(frame, palette, layout.palette_size))
        return fill_quaternions(frame, layout, palette, method);
    frame.joint_stride = FrameData::max_coefficients;
    for (std::size_t j = 0; j < layout.palette_size; ++j) {
        if (split_rigid(palette[j], frame.motions[j])) continue;
        bool rigid = false;
        frame.motions[j] = split_motion(to_mat4(palette[j]), frame.centers[j], rigid);
        frame.nonrigid_joints += !rigid;
    }
    frame.stretch = frame.nonrigid_joints > 0;
    for (std::size_t j = 0; j < layout.palette_size; ++j) fill_joint(frame, j);
    if (blends_quaternions(frame.rule)) settle_signs(frame, layout);
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
