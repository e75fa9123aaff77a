// A body that only moved as a whole keeps its balls: linear blending commutes with that motion.

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "sinew/collide/body.h"
#include "sinew/collide/float4.h"

namespace sinew::collide {

using deform::Mat34f;
using deform::Method;
using math::Mat3d;

namespace {

/// Joints may be off the common motion by this much of the size of things: what rounding does to a palette.
constexpr double most_departure = 4e-6;

/// Balls grow a little every time they move along; after this many times they are made anew.
constexpr int most_moves = 32;

Vec3d move_of(const Mat34f& matrix) {
    return {static_cast<double>(matrix.rows[0][3]), static_cast<double>(matrix.rows[1][3]),
            static_cast<double>(matrix.rows[2][3])};
}

Mat3d linear_of(const Mat34f& matrix) {
    Mat3d linear;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) linear(r, c) = static_cast<double>(matrix.rows[r][c]);
    }
    return linear;
}

/// Twice the squares of how far C' - U C takes a point within `reach` and 0: at least the square of both
/// together.
float squared_departure(const Point4 (&whole)[4], const Point4 (&before)[4], const Mat34f& after,
                        float reach) {
    Float4 x = load4(after.rows[0]), y = load4(after.rows[1]), z = load4(after.rows[2]), w = all4(0);
    transpose4(x, y, z, w);
    const auto turned = [&](int c) {
        const Float4 p = load4(before[c].at);
        return load4(whole[0].at) * spread4<0>(p) + load4(whole[1].at) * spread4<1>(p) +
               load4(whole[2].at) * spread4<2>(p);
    };
    const Float4 off_x = x - turned(0), off_y = y - turned(1), off_z = z - turned(2),
                 off = w - turned(3) - load4(whole[3].at);
    return 2 * (sum4(off_x * off_x + off_y * off_y + off_z * off_z) * reach * reach + dot4(off, off));
}

}  // namespace

/// The cheap question before the other: a common motion keeps the distance of two translations.
bool Body::may_be_whole(std::span<const Mat34f> palette, const Displacements& displacements) const {
    if (method_ != Method::lbs || tree_->palette_size < 2 || !keep_balls_ || shape_ != nullptr ||
        whole_.count >= most_moves)
        return false;
    const Mat34f &first = palette[0], &last = palette[tree_->palette_size - 1];
    const Float4 before = load4(columns_[tree_->palette_size - 1].at[3].at) - load4(columns_[0].at[3].at),
                 after = make4(last.rows[0][3] - first.rows[0][3], last.rows[1][3] - first.rows[1][3],
                               last.rows[2][3] - first.rows[2][3], 0);
    const float was = dot4(before, before), is = dot4(after, after);
    return std::abs(is - was) <= 1e-4f * was + 1e-12f && displacements.vectors.empty() &&
           displacements_.vectors.empty();
}

/// U = C'_0 C_0^-1, and every other joint must follow it, in single precision. A vertex as computed lies
/// within half the slack of both poses and the largest departure of a joint from where U takes it.
bool Body::find_whole_motion(std::span<const Mat34f> palette) {
    const Mat3d exact = linear_of(palette[0]) * joints_[0].linear.inverse();
    const Vec3d moved = move_of(palette[0]) - exact * joints_[0].move;
    Columns columns;
    for (int c = 0; c < 4; ++c) {
        for (int r = 0; r < 3; ++r) columns.at[c].at[r] = static_cast<float>(c < 3 ? exact(r, c) : moved[r]);
    }
    const auto limit = static_cast<float>(most_departure * size_), reach = static_cast<float>(tree_->reach);
    float most = 0;
    for (std::size_t j = tree_->palette_size; j-- > 0;) {
        const float off = squared_departure(columns.at, columns_[j].at, palette[j], reach);
        if (!(off <= limit * limit)) return false;
        most = std::max(most, off);
    }
    WholeMotion whole;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) whole.linear(r, c) = static_cast<double>(columns.at[c].at[r]);
        whole.move[r] = static_cast<double>(columns.at[3].at[r]);
    }
    const double turned = (whole.linear.transpose() * whole.linear - Mat3d::Identity()).norm();
    whole.stretch = std::sqrt(1 + turned);
    whole.slack = std::sqrt(static_cast<double>(most)) + 48 * roundoff * size_ + half_rounding();
    whole.count = whole_.count + 1;
    whole_ = whole;
    return true;
}

/// Of what linear_slack() has, without what weights may be off their corners: they are the same in all poses.
double Body::half_rounding() const {
    return (2 * static_cast<double>(tree_->max_set_joints) + 8) * roundoff * size_;
}

StoredBall Body::moved_along(const StoredBall& ball) const {
    if (!(ball.radius < std::numeric_limits<float>::infinity())) return ball;
    const Ball wide = ball.widen();
    return stored({whole_.linear * wide.center + whole_.move, whole_.stretch * wide.radius + whole_.slack});
}

}  // namespace sinew::collide
