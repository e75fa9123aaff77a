#include "sinew/deform/mesh_smoother.h"

#include <numeric>

#include <Eigen/SparseCholesky>

#include "sinew/base/error.h"

namespace sinew::deform {

/// I + strength L is not symmetric, D (I + strength L) = D + strength (D - A) is, with A the neighbours and D
/// how many there are.
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

/// Passes of I - strength L. A width that the compiler knows halves the time.
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

}  // namespace sinew::deform
