// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Bones and weights that replay a mesh sequence: one call for every method, by the number of bones, by error
/// or by bytes; and what a fit is good for.
///
/// \code
/// fit::FitOptions options;
/// options.bones = 30;
/// const fit::Fitted fitted = fit::fit(sequence, options);
/// io::write("flag.glb", fit::to_character(fitted.fit));
/// \endcode

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "sinew/math/dual_quaternion.h"
#include "sinew/model/character.h"

namespace sinew::fit {

using math::Vec3d;
using Mat34d = Eigen::Matrix<double, 3, 4>;

/// How far a mesh sequence is from another: the measures of the literature. A is the reference and B the
/// approximation, 3N x F matrices of N vertices over F frames.
struct SequenceError {
    double error_percent = 0;  ///< 100 |A - B| / |A - A_mean|, A_mean the mean of each vertex over time
                               ///< (Kavan et al. 2007); infinite when B differs from an A that does not move
    bool still = false;        ///< A does not move: percentages of its motion say nothing
    double kg_percent = 0;     ///< the same against the centroid of each frame (Karni and Gotsman 2004)
    double erms = 0;           ///< 1000 |A - B| / sqrt(3NF) / (half the diagonal of the rest pose's box)
    double rms = 0;            ///< |A - B| / sqrt(NF), in units of the model
    double mean = 0;           ///< mean distance of a vertex
    double max = 0;            ///< largest distance of a vertex
    std::size_t worst_frame = 0;
    std::size_t worst_vertex = 0;
    std::vector<double> frame_rms;   ///< |A_f - B_f| / sqrt(N), frame by frame
    std::vector<double> vertex_rms;  ///< of each vertex over the frames: a heat map
};

/// Gathers the measures frame by frame: first all frames of the reference, for the mean over time, then every
/// frame with its approximation.
class SequenceErrorSum {
  public:
    /// \param rest the rest pose, whose box gives the scale.
    explicit SequenceErrorSum(const geometry::Mesh& rest);
    /// \param frame of the reference.
    void add_reference(const std::vector<math::Vec3f>& frame);
    /// \param reference, other one frame of both.
    void add(const std::vector<math::Vec3f>& reference, const std::vector<Vec3d>& other);
    /// \return the measures over all frames so far.
    SequenceError result() const;

  private:
    double half_diagonal_;
    std::vector<Vec3d> sum_;  ///< of each vertex over the reference
    std::size_t reference_frames_ = 0;
    double difference2_ = 0, over_time2_ = 0, in_space2_ = 0, max2_ = -1;
    SequenceError error_;
};

/// \param reference, other two sequences of one mesh.
/// \return how far they are from each other.
/// \throws Error when there are no frames, or the frame or vertex counts differ.
SequenceError sequence_error(const model::MeshSequence& reference, const model::MeshSequence& other);

struct BoneWeight {
    std::uint32_t bone = 0;
    double weight = 0;
    bool operator==(const BoneWeight&) const = default;
};

/// Skin weights in double precision, at most a fixed number for each vertex.
class BlendWeights {
  public:
    BlendWeights() = default;
    BlendWeights(std::size_t vertices, std::size_t limit)
        : limit_(limit), counts_(vertices, 0), entries_(vertices * limit) {}

    std::size_t vertex_count() const { return counts_.size(); }
    std::size_t limit() const { return limit_; }
    std::span<const BoneWeight> of(std::size_t vertex) const {
        return {entries_.data() + vertex * limit_, counts_[vertex]};
    }
    /// Replaces the weights of a vertex. \pre There are at most limit() of them.
    void set(std::size_t vertex, std::span<const BoneWeight> weights);
    bool operator==(const BlendWeights&) const = default;

  private:
    std::size_t limit_ = 0;
    std::vector<std::uint32_t> counts_;
    std::vector<BoneWeight> entries_;
};

/// \param weights of a fit.
/// \param limit 0 keeps all.
/// \return the largest `limit` weights of every vertex, with sum 1 again.
BlendWeights limited(const BlendWeights& weights, std::size_t limit);

/// \param weights of a fit.
/// \param limit of the result, for solvers that may use all of it.
/// \return the same weights in lists of exactly that length.
BlendWeights with_limit(const BlendWeights& weights, std::size_t limit);

/// \param weights of a fit.
/// \param centers of its bones.
/// \return weights in single precision with one palette entry for each bone, bound at `centers`.
model::Skin to_skin(const BlendWeights& weights, std::span<const Vec3d> centers);

/// How the transformations of a vertex are mixed.
enum class Blend {
    linear,  ///< sum of matrices
    dual,    ///< sum of dual quaternions, not normalised before \cite kavan2007skinning
};

/// How normals follow.
enum class NormalRule {
    shared,      ///< rotation, or inverse transpose, of the position blend: nothing more to store
    direct,      ///< the linear part of the position blend itself, fitted to both
    own,         ///< own transformations, applied as they are
    inverse,     ///< own matrices, whose inverse transpose is applied
    recomputed,  ///< from the deformed triangles
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
    double rate = 30;  ///< frames per second
    bool operator==(const ClipRange&) const = default;
};

/// What every fit gives: bones, weights, one transformation for each bone and frame, and corrections.
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

/// \param fit what is played.
/// \param frame its number.
/// \param corrections how many are played; all when negative.
/// \return positions of one frame.
std::vector<Vec3d> deformed(const FitResult& fit, std::size_t frame, int corrections = -1);
/// \pre The rest mesh has normals.
/// \param fit, frame, corrections as above.
/// \return unit normals of one frame.
std::vector<Vec3d> deformed_normals(const FitResult& fit, std::size_t frame, int corrections = -1);
/// \param fit, corrections as above.
/// \return the whole sequence that the fit plays.
model::MeshSequence decoded(const FitResult& fit, int corrections = -1);
/// \param sequence that was fitted.
/// \param fit, corrections as above; frames are decoded one by one.
/// \return how far the fit is from its sequence.
SequenceError fit_error(const model::MeshSequence& sequence, const FitResult& fit, int corrections = -1);

/// Angles in degrees between the normals that a fit plays and those of the sequence.
struct NormalError {
    double mean = 0;
    double max = 0;
};
/// \param sequence, fit, corrections as above.
/// \return the angles over all frames.
NormalError normal_error(const model::MeshSequence& sequence, const FitResult& fit, int corrections = -1);

/// \param weights of a vertex.
/// \param pose of the bones.
/// \return the blended transformation of the vertex.
Mat34d blended_matrix(std::span<const BoneWeight> weights, const BonePose& pose);
/// \param weights, pose as above.
/// \return the sum of the dual quaternions of the vertex, not normalised.
math::DualQuatd blended_dual(std::span<const BoneWeight> weights, const BonePose& pose);
/// \param q any dual quaternion A + e E with A not zero.
/// \param point a position.
/// \return vec(A v A* + 2 E A*) / |A|^2. \cite kavan2007
Vec3d move(const math::DualQuatd& q, const Vec3d& point);
/// \param q as above.
/// \return the same motion as a matrix.
Mat34d to_matrix(const math::DualQuatd& q);
/// \param pose, bone which transformation.
/// \return it as a matrix, however it is stored.
inline Mat34d matrix_of(const BonePose& pose, std::size_t bone) {
    return pose.matrices.empty() ? to_matrix(pose.duals[bone]) : pose.matrices[bone];
}
/// \param rest, weights, bones of a fit.
/// \return where the bones are: the mean of the vertices they move, by weight; the middle of the mesh for
/// unused ones.
std::vector<Vec3d> weight_centers(const geometry::Mesh& rest, const BlendWeights& weights, std::size_t bones);
/// \param sequence to be fitted.
/// \throws Error when there are no frames or vertices, no extent, or a frame is broken (it is named).
void check_sequence(const model::MeshSequence& sequence);

enum class FitMethod {
    automatic,      ///< a decomposition, started by how rigid the parts are
    decomposition,  ///< bones and weights together
    proxy,          ///< joints spread over the surface, dual quaternions when rigid
    clusters,       ///< parts that move rigidly
};

/// Positions of joints that are spread over the rest pose.
enum class SeedPlacement {
    even,      ///< as far from each other as can be
    relaxed,   ///< each in the middle of its part of the surface
    adaptive,  ///< closer where the surface bends
    surface,   ///< even along the surface: layers and shells stay apart
};

struct FitOptions {
    FitMethod method = FitMethod::automatic;
    int bones = 30;
    bool rigid = true;
    int influences = 4;
    std::size_t corrections = 0;
    double max_error = 0;       ///< % of the motion: as few bones as reach it; 0 does without
    std::size_t max_bytes = 0;  ///< as many bones as fit into it; 0 does without
    int sweeps = 0;             ///< of the decomposition; 0 leaves it to the method
    /// Of the decomposition: 1 one start; 2 also the best of several seeds on a part of the sequence, and the
    /// better of both fits; 3 many seeds.
    int effort = 2;
    int refinements = 1;   ///< of proxy joints: rounds of least-squares weights
    bool normals = false;  ///< of proxy joints: transformations of their own
    /// Of proxy joints, and of bones that start from even joints.
    SeedPlacement placement = SeedPlacement::even;
    double temporal_smoothing = 0;  ///< of proxy joints: pull towards the frame before
    int rounds = 0;  ///< of a source in chunks: weights from all frames, not only from those of one chunk
    const FitResult* start = nullptr;  ///< the decomposition goes on from here
    /// Of the decomposition: called with every iterate that is better than those before.
    std::function<void(const FitResult&)> on_iterate = {};
};

struct Fitted {
    FitResult fit;
    SequenceError error;
    std::string method;      ///< the one that was taken
    double rigidity = -1;    ///< the score that chose it; negative when the method was given
    std::vector<int> tried;  ///< numbers of bones, in the order of the search
};

/// Below this a sequence counts as articulated.
inline constexpr double articulated_score = 0.02;

/// \param sequence at most 12 of its frames are looked at.
/// \param bones how many are wanted.
/// \return squared residual of a hard clustering into min(bones, 30) rigid parts over that of one rigid
/// motion: near 0 for articulated figures, near 1 for what bends everywhere. 0 for a sequence that moves as
/// one.
double rigidity_score(const model::MeshSequence& sequence, int bones);

/// `automatic` looks at the rigidity score: below `articulated_score` bones grow where the motion breaks;
/// otherwise the decomposition starts from joints that are spread evenly over the surface, as cloth wants
/// them. Both blend matrices, which every engine plays. With a target the number of bones is doubled until it
/// is met and then bisected; `fit-target` warns when no number meets it.
/// \param sequence to be fitted.
/// \param options number of bones or target error, and method.
/// \param monitor progress and warnings.
/// \return the fit and how far it is from the sequence.
/// \throws Error naming a broken frame; Cancelled.
Fitted fit(const model::MeshSequence& sequence, const FitOptions& options, Monitor& monitor = silent());

/// Frames that are made on demand: sequences that are larger than memory.
struct FrameSource {
    geometry::Mesh rest;
    double rate = 30;
    std::size_t count = 0;
    std::function<std::vector<math::Vec3f>(std::size_t frame)> frame;
};

/// \param sequence in memory; must outlive the source.
/// \return it as a source.
FrameSource source_of(const model::MeshSequence& sequence);

/// Fits `chunk` frames, spread evenly over the sequence, with all that the options say; then, for all frames,
/// `rounds` of transformations and weights in turn, and transformations at last. With no more frames than
/// `chunk` the fit is the one of fit(). The error is measured frame by frame.
/// \param source the frames.
/// \param options number of bones or target error, and method.
/// \param chunk frames in memory at a time.
/// \param monitor progress and warnings.
/// \return the fit and how far it is from the sequence.
/// \throws Error naming a broken frame; Cancelled.
Fitted fit(const FrameSource& source, const FitOptions& options, std::size_t chunk,
           Monitor& monitor = silent());

/// The first step of the above: bones and weights from `chunk` frames spread evenly over the source.
/// \param source, options, chunk, monitor as above.
/// \return the fit of these frames.
Fitted fit_sample(const FrameSource& source, const FitOptions& options, std::size_t chunk,
                  Monitor& monitor = silent());

/// What the weights of bones depend on, summed over frames: normal equations of linear blending. Sums of
/// parts of a sequence, or of several sequences of one mesh, add up, wherever they were made.
struct WeightSums {
    std::size_t frames = 0;
    Eigen::MatrixXd moments;     ///< of the transformations, 4B x 4B
    Eigen::MatrixXd cross;       ///< of transformations and positions, 4B x N
    Eigen::RowVectorXd squares;  ///< of the positions, N

    /// \throws Error when they are of another number of bones or vertices.
    void add(const WeightSums& other);
};

/// Transformations of a rig for the frames of a source, and what they say about its weights.
struct FitPart {
    std::vector<BonePose> frames;
    WeightSums sums;
};
/// \param source frames of the mesh of the rig.
/// \param rig bones and weights, linear blending without corrections.
/// \param chunk frames in memory at a time.
/// \param monitor progress.
/// \return what another machine, or the same, adds up.
/// \throws Error when the rig has another mesh, dual quaternions or corrections.
FitPart fit_part(const FrameSource& source, const FitResult& rig, std::size_t chunk,
                 Monitor& monitor = silent());

/// \param sums over all frames that count.
/// \param rig whose weights they start from.
/// \param influences for each vertex, at most.
/// \return the weights of least squares.
BlendWeights solved_weights(const WeightSums& sums, const FitResult& rig, int influences);

/// A motion and what it is called.
struct NamedSource {
    std::string name;
    FrameSource source;
};
/// Motions one behind the other, and where each of them lies.
struct JoinedSource {
    FrameSource source;
    std::vector<ClipRange> clips;
};
/// Several motions of one mesh, to be fitted together: one rest pose, one set of bones and weights, and a
/// clip for each motion.
/// \param motions the rest pose is that of the first; names that occur twice get a number.
/// \return all of them as one.
/// \throws Error naming the motion whose vertices or triangles are not those of the first.
JoinedSource joined(std::vector<NamedSource> motions);

/// The same for sequences in memory.
struct JoinedSequence {
    model::MeshSequence sequence;
    std::vector<ClipRange> clips;
};
/// \param motions whose frames are moved.
/// \return all of them as one.
/// \throws Error as above.
JoinedSequence joined(std::vector<std::pair<std::string, model::MeshSequence>> motions);

/// \param fit any fit.
/// \return its clips: those it has, or one named "fit" of all frames.
std::vector<ClipRange> clips_of(const FitResult& fit);
/// \param clips of a fit.
/// \param error of the same fit.
/// \return root mean square distance over the frames of each clip.
std::vector<double> clip_rms(std::span<const ClipRange> clips, const SequenceError& error);

/// A fit as a character that any engine plays. One root with a joint for every bone. A joint has no shear, so
/// an affine bone L = U S V^T becomes two: one that rotates by U and scales by S, and within it one that
/// rotates by V^T; together they are L exactly. Corrections become morphs, which are added before the bones
/// move the vertex, as they should be. A fit for dual quaternions is written with its rigid joints; players
/// that blend matrices show it a little differently (`fit-dual-joints`).
/// \param fit any fit.
/// \param monitor warnings.
/// \return the character with its clips.
model::Character to_character(const FitResult& fit, Monitor& monitor = silent());

/// The fit with another rest mesh: refined, simplified or replaced. Hats are evaluated at the new vertices;
/// solved weights, and all corrections, are interpolated from the nearest position on the old rest mesh. A
/// vertex that is an old one keeps its weights bit for bit.
/// \param fit any fit.
/// \param rest the other mesh.
/// \return the fit on it.
/// \throws Error when the old mesh has no triangles to interpolate on.
FitResult rebound(const FitResult& fit, const geometry::Mesh& rest);

/// How much of a fit is played.
struct DetailLevel {
    std::size_t influences = 0;                              ///< for each vertex, at most; 0 keeps all
    std::size_t corrections = static_cast<std::size_t>(-1);  ///< at most
    bool normals = true;                                     ///< own transformations of normals
};
/// A coarser fit: fewer influences, fewer corrections.
/// \param fit any fit.
/// \param level what is kept.
/// \param sequence if given, the transformations (and the amounts of the corrections) are fitted again to
/// what is left, so that they make up for it.
/// \param monitor progress.
/// \return the coarser fit.
FitResult at_level(const FitResult& fit, const DetailLevel& level,
                   const model::MeshSequence* sequence = nullptr, Monitor& monitor = silent());

/// \param vertices, frames, joints m, n and p.
/// \return 6 m n / (6 m + 12 p n): floats of positions and normals of m vertices over n frames, against the
/// rest pose and a dual quaternion and a quaternion for each of p joints. Weights and corrections are not
/// counted.
/// \cite kavan2007skinning
double published_ratio(std::size_t vertices, std::size_t frames, std::size_t joints);

/// Bytes of a fit in single precision.
struct FitSize {
    std::size_t rest = 0;         ///< positions and normals
    std::size_t weights = 0;      ///< 8 bits a weight, 8 or 16 an index
    std::size_t joints = 0;       ///< their positions
    std::size_t motions = 0;      ///< transformations of positions and normals
    std::size_t corrections = 0;  ///< shapes and amounts

    std::size_t total() const { return rest + weights + joints + motions + corrections; }
};
/// \param fit any fit.
/// \return its bytes.
FitSize size_of(const FitResult& fit);
/// \param vertices, frames of a sequence.
/// \return bytes of its positions and normals.
std::size_t sequence_bytes(std::size_t vertices, std::size_t frames);

}  // namespace sinew::fit
