// SPDX-License-Identifier: MIT
#include "sinew/deform/corrective/delta_mush.h"

#include <algorithm>
#include <numeric>

#include <Eigen/SparseCholesky>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/math/quaternion.h"
#include "sinew/math/transform.h"

namespace sinew::deform {

using math::Mat3d;
using math::Mat4d;
using math::Vec3d;
using math::Vec3f;

/// I + strength L is not symmetric, but D (I + strength L) = D + strength (D - A) is, with A the adjacency
/// matrix and D the numbers of neighbours on the diagonal.
struct MeshSmoother::Solver {
    Eigen::VectorXd degrees;
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> matrix;

    Solver(const geometry::Rows& neighbors, double strength) {
        const auto count = static_cast<Eigen::Index>(neighbors.size());
        degrees.setOnes(count);
        std::vector<Eigen::Triplet<double>> entries;
        for (Eigen::Index v = 0; v < count; ++v) {
            const std::span<const std::uint32_t> around = neighbors[static_cast<std::size_t>(v)];
            if (!around.empty()) degrees[v] = static_cast<double>(around.size());
            entries.emplace_back(v, v, around.empty() ? 1 : (1 + strength) * degrees[v]);
            for (const std::uint32_t n : around)
                entries.emplace_back(v, static_cast<Eigen::Index>(n), -strength);
        }
        Eigen::SparseMatrix<double> sum(count, count);
        sum.setFromTriplets(entries.begin(), entries.end());
        matrix.compute(sum);
    }
};

namespace {

/// Passes of I - strength L. A width known at compile time halves the time.
template <int Width>
void run_passes(VertexField& values, std::span<const std::uint32_t> rows, const geometry::Rows& neighbors,
                const DeltaMushOptions& options) {
    using Row = Eigen::Matrix<double, Width, 1>;
    const Eigen::Index width = values.cols();
    const auto row = [width](VertexField& field, std::uint32_t v) {
        return Eigen::Map<Row>(field.data() + v * width, width);
    };
    VertexField next = values;
    Row sum(width);
    for (int pass = 0; pass < options.iterations; ++pass) {
        for (const std::uint32_t v : rows) {
            const std::span<const std::uint32_t> around = neighbors[v];
            if (around.empty()) continue;
            sum.setZero();
            for (const std::uint32_t n : around) sum += row(values, n);
            row(next, v) = (1 - options.strength) * row(values, v) +
                           options.strength / static_cast<double>(around.size()) * sum;
        }
        values.swap(next);
    }
}

}  // namespace

MeshSmoother::MeshSmoother(const geometry::Mesh& rest, const DeltaMushOptions& options)
    : options_(options), twin_(geometry::weld_map(rest.positions)) {
    const double strongest = options.implicit ? 1000 : 1;
    if (options.iterations < 0 || options.iterations > 1000 ||
        !(options.strength >= 0 && options.strength <= strongest))
        fail("delta mush", "{} passes of strength {}: 0 to 1000 passes of 0 to {} are possible",
             options.iterations, options.strength, strongest);
    triangles_ = geometry::welded(rest.triangles, twin_);
    neighbors_ = geometry::vertex_neighbors(rest.vertex_count(), triangles_);
    if (options.implicit) solver_ = std::make_shared<const Solver>(neighbors_, options.strength);
}

void MeshSmoother::smooth(VertexField& values) const {
    std::vector<std::uint32_t> all(vertex_count());
    std::iota(all.begin(), all.end(), 0u);
    smooth(values, all);
}

void MeshSmoother::smooth(VertexField& values, std::span<const std::uint32_t> rows) const {
    if (solver_ != nullptr) {
        for (int pass = 0; pass < options_.iterations; ++pass) {
            const VertexField right = solver_->degrees.asDiagonal() * values;
            values = solver_->matrix.solve(right);
        }
        return;
    }
    if (values.cols() == 3)
        run_passes<3>(values, rows, neighbors_, options_);
    else
        run_passes<Eigen::Dynamic>(values, rows, neighbors_, options_);
}

std::vector<std::uint32_t> MeshSmoother::reach(std::span<const std::uint32_t> from) const {
    std::vector<bool> reached(vertex_count(), options_.implicit);
    std::vector<std::uint32_t> front(from.begin(), from.end()), next;
    for (const std::uint32_t v : front) reached[v] = true;
    for (int pass = 0; pass < options_.iterations && !front.empty(); ++pass) {
        next.clear();
        for (const std::uint32_t v : front) {
            for (const std::uint32_t n : neighbors_[v]) {
                if (!reached[n]) next.push_back(n);
                reached[n] = true;
            }
        }
        front.swap(next);
    }
    std::vector<std::uint32_t> vertices;
    for (std::uint32_t v = 0; v < reached.size(); ++v)
        if (reached[v]) vertices.push_back(v);
    return vertices;
}

VertexField field_of(std::span<const math::Vec3f> points) {
    VertexField field(static_cast<Eigen::Index>(points.size()), 3);
    for (std::size_t v = 0; v < points.size(); ++v)
        field.row(static_cast<Eigen::Index>(v)) = points[v].cast<double>().transpose();
    return field;
}

DeltaMush::DeltaMush(const geometry::Mesh& rest, const DeltaMushOptions& options) : smoother_(rest, options) {
    VertexField smooth = field_of(rest.positions);
    smoother_.smooth(smooth);
    const std::vector<Mat3d> frame = frames(smooth);
    for (std::size_t v = 0; v < rest.vertex_count(); ++v) {
        const Vec3d offset =
            rest.positions[v].cast<double>() - smooth.row(static_cast<Eigen::Index>(v)).transpose();
        offsets_.emplace_back(frame[v].transpose() * offset);
    }
}

std::vector<Mat3d> DeltaMush::frames(const VertexField& points) const {
    const auto at = [&](std::uint32_t v) -> Vec3d { return points.row(v).transpose(); };
    std::vector<Vec3d> normals(smoother_.vertex_count(), Vec3d::Zero());
    for (const geometry::Triangle& t : smoother_.triangles()) {
        const Vec3d area = (at(t[1]) - at(t[0])).cross(at(t[2]) - at(t[0]));
        for (const std::uint32_t corner : t) normals[corner] += area;
    }
    std::vector<Mat3d> result(normals.size(), Mat3d::Identity());
    for (std::uint32_t v = 0; v < result.size(); ++v) {
        const std::span<const std::uint32_t> around = smoother_.neighbors()[v];
        if (around.empty() || normals[v].squaredNorm() == 0) continue;
        const Vec3d normal = normals[v].normalized();
        const Vec3d edge = at(around.front()) - at(v);
        const Vec3d tangent = edge - normal * normal.dot(edge);
        if (tangent.norm() <= 1e-12 * edge.norm()) continue;
        const Vec3d along = tangent.normalized();
        result[v] << along, normal.cross(along), normal;
    }
    return result;
}

std::vector<Vec3f> DeltaMush::apply(std::span<const Vec3f> posed) const {
    if (posed.size() != offsets_.size())
        fail("delta mush", "{} positions for a mesh of {} vertices", posed.size(), offsets_.size());
    VertexField smooth = field_of(posed);
    smoother_.smooth(smooth);
    const std::vector<Mat3d> frame = frames(smooth);
    std::vector<Vec3f> result(posed.size());
    for (std::size_t v = 0; v < posed.size(); ++v) {
        const std::uint32_t t = smoother_.twin(v);
        result[v] = (smooth.row(t).transpose() + frame[t] * offsets_[t]).cast<float>();
    }
    return result;
}

namespace {

constexpr double min_weight = 1e-6;  // of a joint that is kept

using Moment10 = Eigen::Matrix<double, 10, 1>;  // weight, first and second moments

/// Sum over vertices is linear in this: 1, v, v v^T.
Moment10 moments_of(const Vec3d& v) {
    Moment10 m;
    m << 1, v, v.x() * v, v.y() * v.y(), v.y() * v.z(), v.z() * v.z();
    return m;
}

/// The moments about another origin p.
Moment10 moved_origin(const Moment10& m, const Vec3d& p) {
    const Vec3d first = m.segment<3>(1), about = first - m[0] * p;
    Moment10 moved = m;
    moved.segment<3>(1) = about;
    // sum (v - p)(v - p)^T = sum v v^T - first p^T - p about^T
    int i = 4;
    for (int r = 0; r < 3; ++r)
        for (int c = r; c < 3; ++c) moved[i++] -= first[r] * p[c] + p[r] * about[c];
    return moved;
}

/// math::nearest_rotation by Newton's iteration on rotations, from a start value. With A = X^T M the trace of
/// (X exp d)^T M is tr A + g d - d^T H d / 2 with g the axial vector of A - A^T and H = tr(A) I - sym(A). Its
/// only maximum is the nearest rotation. Near a single joint, whose rotation is the start value, one step is
/// enough.
Mat3d polar_rotation(const Mat3d& matrix, Mat3d x) {
    for (int step = 0; step < 10; ++step) {
        const Mat3d a = x.transpose() * matrix;
        const Vec3d axial(a(2, 1) - a(1, 2), a(0, 2) - a(2, 0), a(1, 0) - a(0, 1));
        const Mat3d bend = a.trace() * Mat3d::Identity() - 0.5 * (a + a.transpose());
        const double size = bend.trace(), minor = bend(0, 0) * bend(1, 1) - bend(0, 1) * bend(0, 1);
        if (!(bend(0, 0) > 0 && minor > 0 && bend.determinant() > 1e-12 * size * size * size))
            break;  // too far away, or flat: the SVD is used
        const Vec3d rotation_vector = bend.inverse() * axial, half = rotation_vector / 2;
        x = x * math::to_matrix(math::Quatd(1, half.x(), half.y(), half.z()));
        if (rotation_vector.squaredNorm() < 1e-10) return x;  // the remaining error is less than its square
    }
    return math::nearest_rotation(matrix);
}

/// B applied to the weights of one joint times the moments of the vertices, at the vertices it reaches.
struct JointField {
    std::vector<std::uint32_t> vertices;
    std::vector<Moment10> moments;
};

JointField joint_field(const geometry::Mesh& rest, const MeshSmoother& smoother,
                       const std::vector<model::VertexWeight>& weights) {
    VertexField values = VertexField::Zero(static_cast<Eigen::Index>(rest.vertex_count()), 10);
    std::vector<std::uint32_t> support;
    for (const model::VertexWeight& w : weights) {
        values.row(w.vertex) = w.weight * moments_of(rest.positions[w.vertex].cast<double>()).transpose();
        support.push_back(w.vertex);
    }
    JointField field;
    field.vertices = smoother.reach(support);
    smoother.smooth(values, field.vertices);
    std::erase_if(field.vertices, [&](std::uint32_t v) { return values(v, 0) < min_weight; });
    for (const std::uint32_t v : field.vertices) field.moments.emplace_back(values.row(v).transpose());
    return field;
}

}  // namespace

DirectDeltaMush::DirectDeltaMush(const geometry::Mesh& rest, const model::Skin& skin,
                                 const DeltaMushOptions& options)
    : joints_(skin.joints.size()) {
    const std::size_t count = rest.vertex_count();
    if (skin.vertex_count() != count)
        fail("direct delta mush", "the skin has {} vertices, the mesh {}", skin.vertex_count(), count);
    const MeshSmoother smoother(rest, options);
    VertexField smoothed = field_of(rest.positions);
    smoother.smooth(smoothed);
    for (std::size_t v = 0; v < count; ++v) {
        twin_.push_back(smoother.twin(v));
        smoothed_.emplace_back(smoothed.row(static_cast<Eigen::Index>(v)).transpose());
        details_.emplace_back((rest.positions[v].cast<double>() - smoothed_.back()).cast<float>());
    }
    const std::vector<std::vector<model::VertexWeight>> weights = model::weights_by_joint(skin);
    std::vector<JointField> fields(joints_);
    parallel_for(joints_, 1, [&](std::size_t j) { fields[j] = joint_field(rest, smoother, weights[j]); });

    offsets_.resize(count + 1);
    for (const JointField& field : fields)
        for (const std::uint32_t v : field.vertices) ++offsets_[v + 1];
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    moments_.resize(offsets_.back());
    std::vector<std::uint32_t> end = offsets_;
    for (std::uint32_t j = 0; j < joints_; ++j) {
        for (std::size_t i = 0; i < fields[j].vertices.size(); ++i) {
            const std::uint32_t v = fields[j].vertices[i];
            const Moment10 m = moved_origin(fields[j].moments[i], smoothed_[v]);
            moments_[end[v]++] = {j, static_cast<float>(m[0]), m.segment<3>(1).cast<float>(),
                                  m.tail<6>().cast<float>()};
        }
    }
    for (std::size_t v = 0; v < count; ++v)
        finish(std::span(moments_).subspan(offsets_[v], offsets_[v + 1] - offsets_[v]));
}

void DirectDeltaMush::finish(std::span<Moments> list) {
    if (list.empty()) return;
    std::swap(list.front(), *std::ranges::max_element(list, {}, &Moments::weight));
    float weight = 1;
    Vec3f first = Vec3f::Zero();
    for (const Moments& m : list.subspan(1)) {
        weight -= m.weight;
        first -= m.first;
    }
    list.front().weight = weight;
    list.front().first = first;
}

Vec3d DirectDeltaMush::moved(std::uint32_t vertex, std::span<const Mat4d> palette,
                             std::span<const Mat3d> rotations) const {
    const Vec3d& p = smoothed_[vertex];
    const std::span<const Moments> list =
        std::span(moments_).subspan(offsets_[vertex], offsets_[vertex + 1] - offsets_[vertex]);
    if (list.empty()) return p + details_[vertex].cast<double>();
    // First moments sum to 0, so positions may be relative to that of the heaviest joint: less cancellation.
    const Vec3d base = math::transform_point(palette[list.front().joint], p);
    Mat3d sum = Mat3d::Zero();
    Vec3d shifted = base;
    for (const Moments& m : list) {
        const Mat4d& c = palette[m.joint];
        const Mat3d linear = c.topLeftCorner<3, 3>();
        const Vec3d first = m.first.cast<double>(), away = math::transform_point(c, p) - base;
        const Eigen::Matrix<double, 6, 1> s = m.second.cast<double>();
        sum.col(0) += linear * Vec3d(s[0], s[1], s[2]) + first[0] * away;
        sum.col(1) += linear * Vec3d(s[1], s[3], s[4]) + first[1] * away;
        sum.col(2) += linear * Vec3d(s[2], s[4], s[5]) + first[2] * away;
        shifted += linear * first + m.weight * away;
    }
    return polar_rotation(sum, rotations[list.front().joint]) * details_[vertex].cast<double>() + shifted;
}

std::vector<Vec3f> DirectDeltaMush::apply(std::span<const Mat4d> palette) const {
    if (palette.size() != joints_)
        fail("direct delta mush", "the palette has {} matrices, the skin {} joints", palette.size(), joints_);
    std::vector<Mat3d> rotations;
    for (const Mat4d& c : palette) rotations.push_back(math::nearest_rotation(c.topLeftCorner<3, 3>()));
    std::vector<Vec3f> result(twin_.size());
    for (std::size_t v = 0; v < result.size(); ++v)
        result[v] = twin_[v] == v ? moved(twin_[v], palette, rotations).cast<float>() : result[twin_[v]];
    return result;
}

double DirectDeltaMush::mean_influences() const {
    return static_cast<double>(moments_.size()) / static_cast<double>(std::max<std::size_t>(1, twin_.size()));
}

std::size_t DirectDeltaMush::memory() const {
    return moments_.size() * sizeof(Moments) + twin_.size() * (sizeof(Vec3f) + sizeof(Vec3d) + 8);
}

}  // namespace sinew::deform
