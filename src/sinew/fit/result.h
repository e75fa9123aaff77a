#pragma once
/// \file
/// What every fit gives: bones, weights, one transformation for each bone and frame, and corrections.

#include <string>
#include <vector>

#include "sinew/fit/blend_weights.h"
#include "sinew/fit/error.h"
#include "sinew/math/dual_quaternion.h"

namespace sinew::fit {

using math::Vec3d;
using Mat34d = Eigen::Matrix<double, 3, 4>;

/// How the transformations of a vertex are mixed.
enum class Blend {
    linear,  ///< sum of matrices
    dual,    ///< sum of dual quaternions, not normalised before (Kavan et al. 2007)
};

/// How normals follow (Kavan et al. 2007, 4.3, and what came after).
enum class NormalRule {
    shared,      ///< rotation, or inverse transpose, of the position blend: nothing more to store (N5)
    direct,      ///< the linear part of the position blend itself, fitted to both (N1)
    own,         ///< own transformations, applied as they are (N2; quaternions beside matrices: N4)
    inverse,     ///< own matrices, whose inverse transpose is applied (N3)
    recomputed,  ///< from the deformed triangles (N6)
};

/// The transformations of all bones in one frame. `matrices` for linear blending, `duals` for dual
/// quaternions; the other is empty.
struct BonePose {
    std::vector<Mat34d> matrices;
    std::vector<math::DualQuatd> duals;

    std::size_t size() const { return matrices.empty() ? duals.size() : matrices.size(); }
};

/// Eigen-displacements: column j of `shapes` (3N x f, orthonormal) is added to the rest pose times
/// `amounts(j, frame)` (f x F) before the bones move it.
struct Corrections {
    Eigen::MatrixXd shapes;
    Eigen::MatrixXd amounts;
    std::vector<double> singular_values;  ///< all of them, also of the shapes that were not kept

    std::size_t count() const { return static_cast<std::size_t>(shapes.cols()); }
};

/// Frames of a fit that are one motion.
struct ClipRange {
    std::string name;
    std::size_t first = 0;
    std::size_t count = 0;
    double rate = 30;  ///< frames a second
    bool operator==(const ClipRange&) const = default;
};

struct FitResult {
    geometry::Mesh rest;
    double rate = 30;
    Blend blend = Blend::linear;
    bool rigid = true;  ///< every bone is a rotation and a translation
    BlendWeights weights;
    std::vector<Vec3d> centers;    ///< rest position of each bone
    double hat_reach = 0;          ///< weights are hats of this radius around the centers; 0: they are not
    std::vector<BonePose> frames;  ///< position transformations, frame by frame
    std::vector<ClipRange> clips;  ///< one behind the other over all frames; empty: the frames are one clip
    NormalRule normal_rule = NormalRule::shared;
    std::vector<BonePose> normals;       ///< own transformations of the normals, where the rule wants them
    Corrections corrections;             ///< of positions
    Corrections normal_corrections;      ///< of normals
    std::vector<double> history;         ///< E_RMS after every iteration, where the method iterates
    std::vector<std::size_t> ill_posed;  ///< frames whose linear system was nearly singular

    std::size_t bone_count() const { return centers.size(); }
};

/// Positions of one frame, with the first `corrections` corrections (all when negative).
std::vector<Vec3d> deformed(const FitResult& fit, std::size_t frame, int corrections = -1);
/// Unit normals of one frame; those of the rest mesh must be there.
std::vector<Vec3d> deformed_normals(const FitResult& fit, std::size_t frame, int corrections = -1);

/// The whole sequence that the fit plays.
model::MeshSequence decoded(const FitResult& fit, int corrections = -1);

/// How far the fit is from its sequence; frames are decoded one by one.
SequenceError fit_error(const model::MeshSequence& sequence, const FitResult& fit, int corrections = -1);

/// Angles in degrees between the normals that a fit plays and those of the sequence.
struct NormalError {
    double mean = 0;
    double max = 0;
};
NormalError normal_error(const model::MeshSequence& sequence, const FitResult& fit, int corrections = -1);

/// The blended transformation of a vertex.
Mat34d blended_matrix(std::span<const BoneWeight> weights, const BonePose& pose);
/// Sum of the dual quaternions of a vertex, not normalised.
math::DualQuatd blended_dual(std::span<const BoneWeight> weights, const BonePose& pose);
/// v' = vec(A v A* + 2 E A*) / |A|^2 for any dual quaternion A + e E with A not zero (Kavan 2007, 4.3).
Vec3d move(const math::DualQuatd& q, const Vec3d& point);
/// The same as a matrix.
Mat34d to_matrix(const math::DualQuatd& q);
/// Of one bone, whichever way its transformation is kept.
inline Mat34d matrix_of(const BonePose& pose, std::size_t bone) {
    return pose.matrices.empty() ? to_matrix(pose.duals[bone]) : pose.matrices[bone];
}

/// Where the bones are: the mean of the vertices they move, by weight; the middle of the mesh for unused
/// ones.
std::vector<Vec3d> weight_centers(const geometry::Mesh& rest, const BlendWeights& weights, std::size_t bones);

/// \throws Error when there are no frames or vertices, no extent, or a frame is broken (it is named).
void check_sequence(const model::MeshSequence& sequence);

}  // namespace sinew::fit
