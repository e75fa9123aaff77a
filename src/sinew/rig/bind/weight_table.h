#pragma once
/// \file
/// What every way of binding gives: how much each joint moves each vertex, before it is made a skin.

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/geometry/mesh.h"
#include "sinew/model/skin.h"

namespace sinew::rig {

/// A joint of the skeleton and its part in the motion of a vertex.
struct JointWeight {
    int joint = 0;
    double weight = 0;
};

/// One row per vertex, joints rising within a row. Rows are sparse; an empty row says that the method has
/// nothing to say of that vertex. Weights need not sum to 1 before `make_skin`.
struct WeightTable {
    std::vector<std::uint32_t> offsets{0};
    std::vector<JointWeight> entries;

    std::size_t size() const { return offsets.size() - 1; }
    std::span<const JointWeight> operator[](std::size_t vertex) const {
        return {entries.data() + offsets[vertex], entries.data() + offsets[vertex + 1]};
    }
    /// Appends a row: entries that are 0 or less, or not finite, are left out, equal joints are summed.
    void push_row(std::span<const JointWeight> row);
};

using WeightRow = std::vector<JointWeight>;

/// What a joint has in a row; 0 when it is not named there.
double weight_of(std::span<const JointWeight> row, int joint);
WeightTable table_from(const std::vector<WeightRow>& rows);

/// Scales every row that is not empty to the sum 1.
void normalize(WeightTable& table);

/// Rows of a full matrix, `weights[vertex * joints + joint]`; entries not above `least` are left out.
WeightTable sparse_rows(std::span<const double> weights, std::size_t joints, double least = 0);

/// The weights of a skin by joint of its skeleton.
WeightTable table_of(const model::Skin& skin);

struct FinishOptions {
    int max_influences = 4;     ///< keep the heaviest so many; 0 keeps all
    double prune_below = 1e-3;  ///< of a row with sum 1
};

/// A skin whose palette is the skeleton at rest, joint by joint. Rows that are empty take the row of the
/// nearest vertex along the surface that has one, else that of the nearest in space.
/// \throws Error when no row has a weight.
model::Skin make_skin(const WeightTable& table, const model::Skeleton& skeleton, const geometry::Mesh& mesh,
                      const FinishOptions& options = {});

}  // namespace sinew::rig
