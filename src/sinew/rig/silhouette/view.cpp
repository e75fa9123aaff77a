// SPDX-License-Identifier: MIT
#include "sinew/rig/silhouette/view.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/base/parallel.h"

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
float double_area(const Corner& a, const Corner& b, const Corner& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

}  // namespace

/// Vertices in units of pixels, with an empty pixel on all sides.
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
                if (double_area(p, a, b) < 0 || double_area(p, b, c) < 0 || double_area(p, c, a) < 0)
                    continue;
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
    // Single precision relative to a point of the body, so that a body far from the origin loses no
    // precision.
    const Vec3d middle = surface.positions[used.front()];
    for (Eigen::Index i = 0; i < count; ++i) {
        const Vec3d p = (surface.positions[used[at(i)]] - middle) / diagonal_;
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
        const float facing = double_area(a, b, c);
        if (facing > 0) picture.cover(a, b, c);
        // A line that enters a closed surface leaves it again: back faces cover no additional pixels.
        if (facing < 0 && !closed_) picture.cover(a, c, b);
    }
    return static_cast<double>(picture.count) * picture.pixel * picture.pixel;
}

namespace {

constexpr std::size_t sphere_directions = 200;
constexpr std::size_t finalists = 20;
constexpr int view_size = 256;

/// Twice the area of a triangle times its normal.
Vec3d area_vector(const WeldedSurface& surface, const Triangle& t) {
    const Vec3d& a = surface.positions[t[0]];
    return (surface.positions[t[1]] - a).cross(surface.positions[t[2]] - a);
}

std::vector<Vec3d> hemisphere(std::size_t count) {
    std::vector<Vec3d> out;
    const double golden = math::pi * (3 - std::sqrt(5.0));
    for (std::size_t i = 0; i < count; ++i) {
        const double z = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
        const double r = std::sqrt(1 - z * z), double_area = golden * static_cast<double>(i);
        out.emplace_back(r * std::cos(double_area), r * std::sin(double_area), z);
    }
    return out;
}

/// A(d) for many directions in one pass over the triangles.
std::vector<double> front_areas(const WeldedSurface& surface, const std::vector<Vec3d>& directions) {
    constexpr std::size_t grain = 2048;
    using Sums = Eigen::ArrayXf;
    Eigen::ArrayXf x(directions.size()), y(directions.size()), z(directions.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        const Vec3d& d = directions[at(i)];
        x[i] = static_cast<float>(d.x());
        y[i] = static_cast<float>(d.y());
        z[i] = static_cast<float>(d.z());
    }
    // Single precision inside a block, relative to the size of the body, so that any scale stays in range.
    const double unit = 1 / (surface.diagonal * surface.diagonal);
    const auto block = [&](std::size_t begin, std::size_t end) {
        Sums sums = Sums::Zero(x.size());
        for (std::size_t t = begin; t < end; ++t) {
            const auto n = (area_vector(surface, surface.triangles[t]) * unit).cast<float>().eval();
            sums += (n.x() * x + n.y() * y + n.z() * z).abs();
        }
        return Eigen::ArrayXd(sums.cast<double>());
    };
    const Eigen::ArrayXd total =
        parallel_sum(surface.triangles.size(), grain, Eigen::ArrayXd(Eigen::ArrayXd::Zero(x.size())), block);
    std::vector<double> out(directions.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = total[static_cast<Eigen::Index>(i)] / 4 / unit;
    return out;
}

struct ViewCandidate {
    Vec3d direction;
    int rank = 0;  ///< 0 a model axis, 1 a principal axis, 2 anything else
    View view;
    double score = 0;
};

std::vector<ViewCandidate> candidates_of(const WeldedSurface& surface,
                                         const std::array<Vec3d, 3>& principal) {
    std::vector<ViewCandidate> out;
    // Z first: where views are equally good, that one is taken.
    for (const Vec3d& axis : {Vec3d(0, 0, 1), Vec3d(1, 0, 0), Vec3d(0, 1, 0)}) out.push_back({axis, 0, {}});
    for (const Vec3d& axis : principal) out.push_back({axis, 1, {}});
    out.push_back({mean_normal_direction(surface), 2, {}});
    for (const Vec3d& direction : hemisphere(sphere_directions)) out.push_back({direction, 2, {}});
    return out;
}

void judge(const Shadow& shadow, const ViewOptions& options, const Vec3d& longest, ViewCandidate& candidate) {
    View& view = candidate.view;
    view.frame = view_frame(candidate.direction, options.up, longest);
    view.outline = shadow.area(view.frame, view_size);
    view.occlusion = view.front_area > 0 ? std::clamp(1 - view.outline / view.front_area, 0.0, 1.0) : 1;
    candidate.score = view.outline * (1 - view.occlusion);
}

/// An axis that reaches this fraction of the best score is used.
constexpr double axis_snap = 0.95;

/// The best view along an axis, if it is nearly as good as the best of all; otherwise the best of all. Pixels
/// resolve scores to about half a thousandth: of equally good views the most level one is used.
const ViewCandidate& pick(const std::vector<ViewCandidate>& judged, const ViewOptions& options) {
    const auto best_of = [&](int max) {
        const ViewCandidate* best = nullptr;
        for (const ViewCandidate& c : judged) {
            if (c.rank <= max && (best == nullptr || c.score > best->score)) best = &c;
        }
        return best;
    };
    const auto [low, high] = std::ranges::minmax_element(judged, {}, &ViewCandidate::score);
    if (low->score >= 0.99 * high->score) return judged.front();
    for (const int rank : {0, 1}) {
        const ViewCandidate* axis = best_of(rank);
        if (axis->score >= axis_snap * high->score) return *axis;
    }
    const double equal = 0.9995 * high->score;
    return *std::ranges::min_element(judged, {}, [&](const ViewCandidate& c) {
        return c.score >= equal ? std::abs(c.direction.dot(options.up)) : 2 * options.up.norm();
    });
}

View max_outline(const WeldedSurface& surface, const ViewOptions& options) {
    const std::array<Vec3d, 3> principal = principal_axes(surface);
    std::vector<ViewCandidate> all = candidates_of(surface, principal);
    std::vector<Vec3d> directions;
    for (const ViewCandidate& c : all) directions.push_back(c.direction);
    const std::vector<double> areas = front_areas(surface, directions);
    for (std::size_t i = 0; i < all.size(); ++i) all[i].view.front_area = areas[i];
    const auto others = std::ranges::find(all, 2, &ViewCandidate::rank);
    std::stable_sort(others, all.end(), [](const ViewCandidate& a, const ViewCandidate& b) {
        return a.view.front_area > b.view.front_area;
    });
    all.resize(std::min(all.size(), static_cast<std::size_t>(others - all.begin()) + finalists));
    const Shadow shadow(surface);
    parallel_for(all.size(), 1, [&](std::size_t i) { judge(shadow, options, principal[0], all[i]); });
    return pick(all, options).view;
}

}  // namespace

ViewFrame view_frame(const Vec3d& direction, const Vec3d& up, const Vec3d& fallback) {
    ViewFrame frame;
    frame.z = direction.normalized();
    for (const Vec3d& candidate :
         {up, fallback, Vec3d(Vec3d::UnitY()), Vec3d(Vec3d::UnitZ()), Vec3d(Vec3d::UnitX())}) {
        const Vec3d upright = candidate - frame.z * frame.z.dot(candidate);
        if (upright.norm() <= 1e-3 * candidate.norm()) continue;
        frame.y = upright.normalized();
        break;
    }
    frame.x = frame.y.cross(frame.z);
    return frame;
}

Vec3d mean_normal_direction(const WeldedSurface& surface) {
    Vec3d sum = Vec3d::Zero();
    for (const Triangle& t : surface.triangles) sum += area_vector(surface, t).cwiseAbs();
    return sum.normalized();
}

double front_area(const WeldedSurface& surface, const Vec3d& direction) {
    double sum = 0;
    for (const Triangle& t : surface.triangles) sum += std::abs(area_vector(surface, t).dot(direction));
    return sum / 4;
}

std::array<Vec3d, 3> principal_axes(const WeldedSurface& surface) {
    double total = 0;
    Vec3d mean = Vec3d::Zero();
    const auto centroid = [&](const Triangle& t) {
        return Vec3d((surface.positions[t[0]] + surface.positions[t[1]] + surface.positions[t[2]]) / 3);
    };
    for (const Triangle& t : surface.triangles) {
        const double weight = area_vector(surface, t).norm();
        total += weight;
        mean += weight * centroid(t);
    }
    mean /= total;
    math::Mat3d spread = math::Mat3d::Zero();
    for (const Triangle& t : surface.triangles) {
        const Vec3d d = (centroid(t) - mean) / surface.diagonal;
        spread += area_vector(surface, t).norm() / total * d * d.transpose();
    }
    const Eigen::SelfAdjointEigenSolver<math::Mat3d> solver(spread);
    std::array<Vec3d, 3> axes;
    for (int i = 0; i < 3; ++i) {
        Vec3d axis = solver.eigenvectors().col(2 - i);
        Eigen::Index largest = 0;
        axis.cwiseAbs().maxCoeff(&largest);
        axes[at(i)] = axis[largest] < 0 ? Vec3d(-axis) : axis;
    }
    return axes;
}

View choose_view(const WeldedSurface& surface, const ViewOptions& options) {
    if (options.mode == ViewMode::max_outline) return max_outline(surface, options);
    ViewCandidate candidate;
    switch (options.mode) {
        case ViewMode::mean_normals:
            candidate.direction = mean_normal_direction(surface);
            break;
        case ViewMode::axis_x:
            candidate.direction = Vec3d::UnitX();
            break;
        case ViewMode::axis_y:
            candidate.direction = Vec3d::UnitY();
            break;
        case ViewMode::axis_z:
            candidate.direction = Vec3d::UnitZ();
            break;
        default:
            candidate.direction = options.direction;
    }
    if (!(candidate.direction.norm() > 0)) fail("", "the direction of the view has no length");
    candidate.direction.normalize();
    candidate.view.front_area = front_area(surface, candidate.direction);
    judge(Shadow(surface), options, principal_axes(surface)[0], candidate);
    return candidate.view;
}

}  // namespace sinew::rig
