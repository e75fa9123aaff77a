#include "sinew/geometry/cut_mesh.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "sinew/base/error.h"

namespace sinew::geometry {
namespace {

/// Welds points within a distance: each goes to the first earlier one that is near enough. Cells are much
/// wider than the distance, so that a point mostly looks into its own cell only.
class Welder {
  public:
    Welder(double distance, std::size_t expected) : distance_(distance), cell_(64 * distance) {
        cells_.reserve(expected);
    }

    std::uint32_t add(const Vec3d& point, std::vector<Vec3d>& points) {
        const std::uint32_t found = find(point, points);
        if (found != none) return found;
        const auto index = static_cast<std::uint32_t>(points.size());
        const auto [at, fresh] = cells_.try_emplace(key_of(cell_of(point)), index);
        next_.push_back(fresh ? none : at->second);  // the newest of a cell leads to the older ones
        at->second = index;
        points.push_back(point);
        return index;
    }

  private:
    static constexpr std::uint32_t none = 0xffffffff;
    using Cell = Eigen::Matrix<std::int64_t, 3, 1>;

    Cell cell_of(const Vec3d& point) const {
        return (point / cell_).array().floor().matrix().cast<std::int64_t>();
    }
    static std::uint64_t key_of(const Cell& cell) {
        const auto part = [&](int i) { return static_cast<std::uint64_t>(cell[i]) & 0x1fffff; };
        return part(0) | part(1) << 21 | part(2) << 42;
    }

    std::uint32_t find(const Vec3d& point, const std::vector<Vec3d>& points) const {
        const Cell low = cell_of(point - Vec3d::Constant(distance_));
        const Cell high = cell_of(point + Vec3d::Constant(distance_));
        std::uint32_t best = none;
        for (std::int64_t i = low[0]; i <= high[0]; ++i)
            for (std::int64_t j = low[1]; j <= high[1]; ++j)
                for (std::int64_t k = low[2]; k <= high[2]; ++k)
                    best = std::min(best, find_in(key_of({i, j, k}), point, points));
        return best;
    }

    std::uint32_t find_in(std::uint64_t key, const Vec3d& point, const std::vector<Vec3d>& points) const {
        const auto cell = cells_.find(key);
        std::uint32_t best = none;
        for (std::uint32_t i = cell == cells_.end() ? none : cell->second; i != none; i = next_[i])
            if ((points[i] - point).squaredNorm() <= distance_ * distance_) best = i;
        return best;  // lists run from the newest to the oldest: the last hit is the first point
    }

    double distance_, cell_;
    std::unordered_map<std::uint64_t, std::uint32_t> cells_;
    std::vector<std::uint32_t> next_;
};

CutMesh weld(const Mesh& mesh) {
    CutMesh cut;
    const double diagonal = static_cast<double>(bounds(mesh.positions).diagonal());
    Welder welder(std::max(1e-6 * diagonal, 1e-30), mesh.positions.size());
    cut.point_of.reserve(mesh.positions.size());
    for (const Vec3f& position : mesh.positions)
        cut.point_of.push_back(welder.add(position.cast<double>(), cut.points));
    cut.triangles.reserve(mesh.triangles.size());
    for (const Triangle& t : mesh.triangles)
        cut.triangles.push_back({cut.point_of[t[0]], cut.point_of[t[1]], cut.point_of[t[2]]});
    return cut;
}

}  // namespace

CutMesh cut_mesh(const Mesh& mesh) {
    CutMesh cut = weld(mesh);
    cut.part_of.resize(mesh.triangles.size());
    std::unordered_map<std::string, int> known;
    for (const Part& part : parts_of(mesh)) {
        const std::string name = part.name.empty() ? "part" : part.name;
        if (part.count == 0) fail(mesh.name, "part \"{}\" has no triangle: leave it out", name);
        const auto [at, fresh] = known.try_emplace(name, static_cast<int>(cut.names.size()));
        if (fresh) cut.names.push_back(name);
        std::fill_n(cut.part_of.begin() + part.first, part.count, at->second);
    }
    return cut;
}

CutMesh cut_mesh(const Mesh& mesh, std::vector<int> part_of, std::vector<std::string> names) {
    if (part_of.size() != mesh.triangles.size())
        fail(mesh.name, "{} parts are given for {} triangles", part_of.size(), mesh.triangles.size());
    std::vector<std::size_t> counts(names.size(), 0);
    for (const int part : part_of) {
        if (part < 0 || static_cast<std::size_t>(part) >= names.size())
            fail(mesh.name, "there is no part {}: {} have names", part, names.size());
        ++counts[static_cast<std::size_t>(part)];
    }
    for (std::size_t p = 0; p < names.size(); ++p)
        if (counts[p] == 0) fail(mesh.name, "part \"{}\" has no triangle: leave it out", names[p]);
    CutMesh cut = weld(mesh);
    cut.part_of = std::move(part_of);
    cut.names = std::move(names);
    return cut;
}

}  // namespace sinew::geometry
