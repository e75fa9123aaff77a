#include "sinew/rig/skeletonize/body_thinning.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

namespace sinew::rig {
namespace {

constexpr std::size_t middle = 13;

struct Offset {
    int i, j, k;
};

constexpr Offset offset_of(std::size_t bit) {
    const int b = static_cast<int>(bit);
    return {b % 3 - 1, b / 3 % 3 - 1, b / 9 - 1};
}

constexpr int size_of(int v) {
    return v < 0 ? -v : v;
}

/// How far two cells are apart: the sum and the largest of the differences.
struct Apart {
    int sum, most;
};
constexpr Apart apart(std::size_t a, std::size_t b) {
    const Offset p = offset_of(a), q = offset_of(b);
    const int i = size_of(p.i - q.i), j = size_of(p.j - q.j), k = size_of(p.k - q.k);
    return {i + j + k, std::max({i, j, k})};
}

/// Which cells of the neighbourhood touch each over a face, or over a corner.
struct Tables {
    std::array<CellBits, 27> face{}, corner{};
    CellBits six = 0, eighteen = 0, all = 0;
};

constexpr Tables make_tables() {
    Tables tables;
    for (std::size_t a = 0; a < 27; ++a) {
        const CellBits bit = CellBits{1} << a;
        const int away = apart(a, middle).sum;
        if (away == 1) tables.six |= bit;
        if (away == 1 || away == 2) tables.eighteen |= bit;
        if (away > 0) tables.all |= bit;
        for (std::size_t b = 0; b < 27; ++b) {
            if (a == b) continue;
            if (apart(a, b).sum == 1) tables.face[a] |= CellBits{1} << b;
            if (apart(a, b).most == 1) tables.corner[a] |= CellBits{1} << b;
        }
    }
    return tables;
}
constexpr Tables tables = make_tables();

/// What can be reached from the lowest of the cells.
CellBits part_of(CellBits cells, CellBits seed, const std::array<CellBits, 27>& touching) {
    CellBits part = seed & (~seed + 1), fresh = part;
    while (fresh != 0) {
        const auto at = static_cast<std::size_t>(std::countr_zero(fresh));
        fresh &= fresh - 1;
        const CellBits added = touching[at] & cells & ~part;
        part |= added;
        fresh |= added;
    }
    return part;
}

class Thinning {
  public:
    explicit Thinning(const geometry::VoxelSolid& solid) : inside_(solid.inside) {
        const auto nx = static_cast<std::ptrdiff_t>(solid.lattice.points[0]);
        const auto nxy = nx * static_cast<std::ptrdiff_t>(solid.lattice.points[1]);
        for (std::size_t bit = 0; bit < 27; ++bit) {
            const Offset offset = offset_of(bit);
            step_[bit] = offset.i + nx * offset.j + nxy * offset.k;
        }
        for (std::size_t cell = 0; cell < inside_.size(); ++cell) {
            if (inside_[cell] != 0) cells_.push_back(cell);
        }
    }

    std::vector<std::size_t> run() {
        for (bool changed = true; changed;) {
            changed = false;
            // Opposite directions after each other, so that the curve stays in the middle.
            for (const std::size_t side : {4u, 22u, 10u, 16u, 12u, 14u}) changed = peel(side) || changed;
        }
        return std::move(cells_);
    }

  private:
    CellBits around(std::size_t cell) const {
        CellBits bits = 0;
        for (std::size_t bit = 0; bit < 27; ++bit) {
            const auto at = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(cell) + step_[bit]);
            bits |= CellBits{inside_[at] != 0} << bit;
        }
        return bits;
    }

    bool can_go(std::size_t cell) const {
        const CellBits bits = around(cell);
        return std::popcount(bits & tables.all) > 1 && is_simple(bits);
    }

    /// Removes the layer whose neighbour on one side is empty.
    bool peel(std::size_t side) {
        std::vector<std::size_t> layer;
        for (const std::size_t cell : cells_) {
            const auto next = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(cell) + step_[side]);
            if (inside_[next] == 0 && can_go(cell)) layer.push_back(cell);
        }
        bool changed = false;
        for (const std::size_t cell : layer) {
            if (!can_go(cell)) continue;
            inside_[cell] = 0;
            changed = true;
        }
        if (changed) std::erase_if(cells_, [&](std::size_t cell) { return inside_[cell] == 0; });
        return changed;
    }

    std::vector<std::uint8_t> inside_;
    std::vector<std::size_t> cells_;
    std::array<std::ptrdiff_t, 27> step_{};
};

}  // namespace

bool is_simple(CellBits solid) {
    const CellBits cells = solid & tables.all, empty = ~solid & tables.eighteen;
    if (cells == 0 || (empty & tables.six) == 0) return false;
    if (part_of(cells, cells, tables.corner) != cells) return false;
    return (empty & tables.six & ~part_of(empty, empty & tables.six, tables.face)) == 0;
}

std::vector<std::size_t> thinned(const geometry::VoxelSolid& solid) {
    return Thinning(solid).run();
}

}  // namespace sinew::rig
