#pragma once
/// \file
/// Painting weights: what a brush, a bucket and a ramp do to the rows of a table. Weights of a row stay at
/// sum 1; joints that are locked keep theirs.

#include <span>
#include <vector>

#include "sinew/math/types.h"
#include "sinew/rig/bind/weight_table.h"

namespace sinew::rig {

using math::Vec3d;

/// Per joint of the skeleton: 1 keeps its weights. Empty locks nothing.
using JointLocks = std::vector<char>;
inline bool is_locked(const JointLocks& locks, int joint) {
    return static_cast<std::size_t>(joint) < locks.size() && locks[static_cast<std::size_t>(joint)] != 0;
}

/// The row with `joint` at `weight` (clamped to what locked joints leave); the other free joints share the
/// rest in proportion, or, when they have nothing, `joint` keeps it.
WeightRow with_weight(std::span<const JointWeight> row, int joint, double weight,
                      const JointLocks& locks = {});

enum class BrushMode {
    add,      ///< value times the brush's strength is added
    replace,  ///< moves towards the value
    scale,    ///< moves towards the weight times the value
    smooth,   ///< moves towards the mean of the neighbours
};

struct Brush {
    Vec3d center = Vec3d::Zero();
    double radius = 0.1;
    BrushMode mode = BrushMode::add;
    double value = 1;
    double strength = 1;  ///< at the centre; it falls off to 0 at the radius as (1 - d^2/r^2)^2
};

/// One dab. The brush reaches only vertices within its radius that are connected to the nearest one within
/// it, so that it does not paint through to another limb. Returns the vertices that changed.
std::vector<std::uint32_t> paint(WeightTable& table, const geometry::Mesh& mesh, int joint,
                                 const Brush& brush, const JointLocks& locks = {});

/// Sets the weight of a joint on all of some vertices.
void flood(WeightTable& table, std::span<const std::uint32_t> vertices, int joint, double weight,
           const JointLocks& locks = {});

/// The weight of a joint goes from 0 at `from` to 1 at `to`, evenly along the line between them.
void gradient(WeightTable& table, const geometry::Mesh& mesh, std::span<const std::uint32_t> vertices,
              int joint, const Vec3d& from, const Vec3d& to, const JointLocks& locks = {});

struct SmoothOptions {
    int passes = 3;
    double strength = 0.5;  ///< part of the way to the mean of the neighbours, in each pass
    /// A vertex may gain joints that none of its weights is on only when they are this many links or fewer
    /// from its heaviest joint; 0 keeps to its own joints. So no arm creeps over to the chest.
    int reach = 1;
};

/// Laplacian smoothing over the surface, which keeps locality; vertices at the same place stay equal.
void smooth_weights(WeightTable& table, const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                    const SmoothOptions& options = {}, const JointLocks& locks = {});

/// Bounds the change of a joint's weight along every edge to `most` times the edge over the thickness of the
/// limb there (twice the distance to the bone of its heaviest joint): Weber 2000.
void limit_slopes(WeightTable& table, const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                  double most = 1, int passes = 50);

/// Weights of one vertex that take it where it was dragged: minimises |sum w_j C_j v - target|^2 over w >= 0
/// with sum 1 (Mohr et al. 2003), and among equals the weights nearest to the old ones. `palette` has the
/// matrices C of the joints of the row, in its order; `size` is a length of the body.
WeightRow dragged_weights(std::span<const JointWeight> row, std::span<const math::Mat4d> palette,
                          const Vec3d& rest, const Vec3d& target, double size);

}  // namespace sinew::rig
