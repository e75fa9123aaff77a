#include "sinew/deform/blend.h"

#include "sinew/base/error.h"
#include "sinew/deform/blenders.h"

namespace sinew::deform {

using math::DualQuat;
using math::Mat3;
using math::Mat3d;
using math::Mat4d;
using math::Vec3d;

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
std::unique_ptr<Blender<T>> make_blender(Method method, std::span<const JointFrame> frames,
                                         const BlendSettings& settings) {
    switch (method) {
        case Method::lbs:
            return linear_blender<T>(frames);
        case Method::sbs:
            return centered_blender<T>(frames, settings, CenterRule::set);
        case Method::sbs_weighted:
            return centered_blender<T>(frames, settings, CenterRule::weights);
        case Method::dqs:
            return dual_blender<T>(frames, settings);
        case Method::dib:
            return iterative_blender<T>(frames, settings);
        case Method::log:
            return log_blender<T>(frames, settings);
        case Method::qlb:
            return centered_blender<T>(frames, settings, CenterRule::origin);
        case Method::cor:
            return centered_blender<T>(frames, settings, CenterRule::vertex);
        case Method::rigid:
            return rigid_blender<T>(frames);
    }
    fail("", "this skinning method has no reference");
}

template Mat3<float> cofactor(const Mat3<float>&);
template Mat3<double> cofactor(const Mat3<double>&);
template void align_signs(std::span<DualQuat<float>>, std::span<const std::int32_t>,
                          std::span<const std::uint32_t>);
template void align_signs(std::span<DualQuat<double>>, std::span<const std::int32_t>,
                          std::span<const std::uint32_t>);
template std::unique_ptr<Blender<float>> make_blender(Method, Frames, const BlendSettings&);
template std::unique_ptr<Blender<double>> make_blender(Method, Frames, const BlendSettings&);

}  // namespace sinew::deform
