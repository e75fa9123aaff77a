#include "sinew/rig/skeletonize/view_shadow.h"

#include <algorithm>

namespace sinew::rig {
namespace {

struct Range {
    int first, last;
};

/// Whole numbers in [low, high], neither of which is negative.
Range whole_in(float low, float high) {
    const int down = static_cast<int>(low);
    return {down + (low > static_cast<float>(down) ? 1 : 0), static_cast<int>(high)};
}

struct Corner {
    float x, y;
};

/// Twice the area of a triangle, positive when it turns anticlockwise.
float turn(const Corner& a, const Corner& b, const Corner& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

}  // namespace

/// Vertices in units of pixels, with a free pixel all around.
struct Shadow::Picture {
    Eigen::ArrayXf x, y;
    double pixel = 1;
    int width = 0, height = 0;
    std::vector<std::uint8_t> covered;
    std::size_t count = 0;

    Corner corner(std::uint32_t v) const {
        return {x[static_cast<Eigen::Index>(v)], y[static_cast<Eigen::Index>(v)]};
    }

    /// Covers the pixel centres in a triangle that turns anticlockwise.
    void cover(const Corner& a, const Corner& b, const Corner& c) {
        const Range columns = whole_in(std::min({a.x, b.x, c.x}), std::max({a.x, b.x, c.x}));
        if (columns.first > columns.last) return;
        const Range rows = whole_in(std::min({a.y, b.y, c.y}), std::max({a.y, b.y, c.y}));
        for (int row = rows.first; row <= rows.last; ++row) {
            std::uint8_t* const line =
                covered.data() + static_cast<std::size_t>(row) * static_cast<std::size_t>(width);
            for (int column = columns.first; column <= columns.last; ++column) {
                if (line[column] != 0) continue;
                const Corner p{static_cast<float>(column), static_cast<float>(row)};
                if (turn(p, a, b) < 0 || turn(p, b, c) < 0 || turn(p, c, a) < 0) continue;
                line[column] = 1;
                ++count;
            }
        }
    }
};

Shadow::Shadow(const WeldedSurface& surface) : diagonal_(surface.diagonal), closed_(surface.closed) {
    constexpr std::uint32_t unused = 0xffffffff;
    std::vector<std::uint32_t> number(surface.positions.size(), unused), used;
    triangles_.reserve(surface.triangles.size());
    for (Triangle t : surface.triangles) {
        for (std::uint32_t& v : t) {
            if (number[v] == unused) {
                number[v] = static_cast<std::uint32_t>(used.size());
                used.push_back(v);
            }
            v = number[v];
        }
        triangles_.push_back(t);
    }
    const auto count = static_cast<Eigen::Index>(used.size());
    x_.resize(count);
    y_.resize(count);
    z_.resize(count);
    // Single precision about a point of the body, so that one far from the origin loses nothing.
    const Vec3d middle = surface.positions[used.front()];
    for (Eigen::Index i = 0; i < count; ++i) {
        const Vec3d p = (surface.positions[used[static_cast<std::size_t>(i)]] - middle) / diagonal_;
        x_[i] = static_cast<float>(p.x());
        y_[i] = static_cast<float>(p.y());
        z_[i] = static_cast<float>(p.z());
    }
}

Shadow::Picture Shadow::picture_of(const ViewFrame& frame, int size) const {
    const auto along = [&](const Vec3d& axis) {
        const Eigen::Vector3f a = axis.cast<float>();
        return Eigen::ArrayXf(a.x() * x_ + a.y() * y_ + a.z() * z_);
    };
    Picture picture;
    picture.x = along(frame.x);
    picture.y = along(frame.y);
    const float left = picture.x.minCoeff(), right = picture.x.maxCoeff();
    const float low = picture.y.minCoeff(), high = picture.y.maxCoeff();
    float pixel = std::max(right - left, high - low) / static_cast<float>(size - 2);
    if (!(pixel > 0)) pixel = 1;
    picture.pixel = static_cast<double>(pixel) * diagonal_;
    picture.width = static_cast<int>((right - left) / pixel) + 3;
    picture.height = static_cast<int>((high - low) / pixel) + 3;
    // The middle of the shadow is the middle of the picture.
    const auto center = [&](float from, float to, int count) {
        return (static_cast<float>(count - 1) - (from + to) / pixel) / 2;
    };
    picture.x = picture.x / pixel + center(left, right, picture.width);
    picture.y = picture.y / pixel + center(low, high, picture.height);
    picture.covered.assign(static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height),
                           0);
    return picture;
}

double Shadow::area(const ViewFrame& frame, int size) const {
    Picture picture = picture_of(frame, size);
    for (const Triangle& t : triangles_) {
        const Corner a = picture.corner(t[0]), b = picture.corner(t[1]), c = picture.corner(t[2]);
        const float facing = turn(a, b, c);
        if (facing > 0) picture.cover(a, b, c);
        // A line that enters a closed surface leaves it again: the other side covers nothing new.
        if (facing < 0 && !closed_) picture.cover(a, c, b);
    }
    return static_cast<double>(picture.count) * picture.pixel * picture.pixel;
}

}  // namespace sinew::rig
