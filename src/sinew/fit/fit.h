// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Fitting: bones and weights that reproduce a mesh sequence. One function for all methods, with a given
/// number of bones, error or size; and tools to evaluate and store fits.
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

/// Error measures of the literature for two mesh sequences. A is the reference and B the approximation, as 3N
/// x F matrices of N vertices over F frames.
struct SequenceError {
    double error_percent = 0;  ///< 100 |A - B| / |A - A_mean|, with A_mean the mean of each vertex over time
                               ///< (Kavan et al. 2007); infinite when A does not move and B differs
    bool still = false;        ///< A does not move, so that percentages of its motion are meaningless
    double kg_percent = 0;     ///< the same, relative to the centroid of each frame (Karni and Gotsman 2004)
    double erms = 0;  ///< 1000 |A - B| / sqrt(3NF) / (half the diagonal of the rest pose's bounding box)
    double rms = 0;   ///< |A - B| / sqrt(NF), in units of the model
    double mean = 0;  ///< mean distance of a vertex, in units of the model
    double max = 0;   ///< largest distance of a vertex, in units of the model
    std::size_t worst_frame = 0;
    std::size_t worst_vertex = 0;
    std::vector<double> frame_rms;   ///< |A_f - B_f| / sqrt(N) per frame
    std::vector<double> vertex_rms;  ///< per vertex over all frames; a heat map
};

/// Accumulates the measures frame by frame: first all frames of the reference, for the mean over time; then
/// every frame with its approximation.
class SequenceErrorSum {
  public:
    /// \param rest the rest pose; its bounding box defines the scale
    explicit SequenceErrorSum(const geometry::Mesh& rest);
    /// \param frame next frame of the reference
    void add_reference(const std::vector<math::Vec3f>& frame);
    /// \param reference, other the same frame of both sequences
    void add(const std::vector<math::Vec3f>& reference, const std::vector<Vec3d>& other);
    /// \return the measures over all frames added so far
    SequenceError result() const;

  private:
    double half_diagonal_;
    std::vector<Vec3d> sum_;  ///< sum of each vertex over the reference
    std::size_t reference_frames_ = 0;
    double difference2_ = 0, over_time2_ = 0, in_space2_ = 0, max2_ = -1;
    SequenceError error_;
};

/// \param reference, other two sequences of one mesh
/// \return the error of `other`
/// \throws Error when there are no frames, or the frame or vertex counts differ
SequenceError sequence_error(const model::MeshSequence& reference, const model::MeshSequence& other);

struct BoneWeight {
    std::uint32_t bone = 0;
    double weight = 0;
    bool operator==(const BoneWeight&) const = default;
};

/// Skin weights in double precision, with a fixed maximum number per vertex.
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

/// \param weights weights of a fit
/// \param limit largest number per vertex; 0 keeps all
/// \return the largest `limit` weights of every vertex, normalised to sum 1
BlendWeights limited(const BlendWeights& weights, std::size_t limit);

/// \param weights weights of a fit
/// \param limit capacity per vertex of the result, for solvers that may use all of it
/// \return the same weights with this capacity
BlendWeights with_limit(const BlendWeights& weights, std::size_t limit);

/// \param weights weights of a fit
/// \param centers rest positions of its bones
/// \return weights in single precision with one palette entry per bone, bound at `centers`
model::Skin to_skin(const BlendWeights& weights, std::span<const Vec3d> centers);

/// How the transformations of a vertex are blended.
enum class Blend {
    linear,  ///< sum of matrices
    dual,    ///< sum of dual quaternions, not normalised before blending \cite kavan2007skinning
};

/// How normals are transformed.
enum class NormalRule {
    shared,      ///< by the rotation, or inverse transpose, of the position blend; needs no additional data
    direct,      ///< by the linear part of the position blend, which is fitted to positions and normals
    own,         ///< by their own transformations, applied directly
    inverse,     ///< by the inverse transpose of their own matrices
    recomputed,  ///< recomputed from the deformed triangles
};

/// The transformations of all bones in one frame: `matrices` for linear blending, `duals` for dual
/// quaternions; the other is empty.
struct BonePose {
    std::vector<Mat34d> matrices;
    std::vector<math::DualQuatd> duals;

    std::size_t size() const { return matrices.empty() ? duals.size() : matrices.size(); }
};

/// Eigen-displacements: column j of `shapes` (3N x f, orthonormal), multiplied by `amounts(j, frame)` (f x
/// F), is added to the rest pose before the bones are applied.
struct Corrections {
    Eigen::MatrixXd shapes;
    Eigen::MatrixXd amounts;
    std::vector<double>
        singular_values;  ///< all singular values, including those of shapes that were dropped

    std::size_t count() const { return static_cast<std::size_t>(shapes.cols()); }
};

/// A range of frames of a fit that is one motion.
struct ClipRange {
    std::string name;
    std::size_t first = 0;
    std::size_t count = 0;
    double rate = 30;  ///< frames per second
    bool operator==(const ClipRange&) const = default;
};

/// Result of every fitting method: bones, weights, one transformation per bone and frame, and corrections.
struct FitResult {
    geometry::Mesh rest;
    double rate = 30;
    Blend blend = Blend::linear;
    bool rigid = true;  ///< all transformations are a rotation and a translation
    BlendWeights weights;
    std::vector<Vec3d> centers;  ///< rest position of each bone
    double hat_reach =
        0;  ///< radius of hat functions around the centers that define the weights; 0 for other weights
    std::vector<BonePose> frames;  ///< transformations of positions, per frame
    std::vector<ClipRange> clips;  ///< consecutive ranges that cover all frames; empty means one clip
    NormalRule normal_rule = NormalRule::shared;
    std::vector<BonePose> normals;       ///< separate transformations of the normals, for rules that use them
    Corrections corrections;             ///< for positions
    Corrections normal_corrections;      ///< for normals
    std::vector<double> history;         ///< E_RMS after every iteration, for iterative methods
    std::vector<std::size_t> ill_posed;  ///< frames with a nearly singular linear system

    std::size_t bone_count() const { return centers.size(); }
};

/// \param fit a fit
/// \param frame frame index
/// \param corrections number of corrections to apply; negative means all
/// \return positions of one frame
std::vector<Vec3d> deformed(const FitResult& fit, std::size_t frame, int corrections = -1);
/// \pre The rest mesh has normals.
/// \param fit, frame, corrections as above
/// \return unit normals of one frame
std::vector<Vec3d> deformed_normals(const FitResult& fit, std::size_t frame, int corrections = -1);
/// \param fit, corrections as above
/// \return the whole sequence
model::MeshSequence decoded(const FitResult& fit, int corrections = -1);
/// \param sequence the sequence that was fitted
/// \param fit, corrections as above; frames are decoded one by one
/// \return the error of the fit
SequenceError fit_error(const model::MeshSequence& sequence, const FitResult& fit, int corrections = -1);

/// Angles in degrees between the normals of a fit and those of its sequence.
struct NormalError {
    double mean = 0;
    double max = 0;
};
/// \param sequence, fit, corrections as above
/// \return the angles over all frames
NormalError normal_error(const model::MeshSequence& sequence, const FitResult& fit, int corrections = -1);

/// \param weights weights of a vertex
/// \param pose transformations of the bones
/// \return the blended transformation of the vertex
Mat34d blended_matrix(std::span<const BoneWeight> weights, const BonePose& pose);
/// \param weights, pose as above
/// \return the sum of the dual quaternions of the vertex, not normalised
math::DualQuatd blended_dual(std::span<const BoneWeight> weights, const BonePose& pose);
/// \param q any dual quaternion A + e E with A not zero
/// \param point a position
/// \return vec(A v A* + 2 E A*) / |A|^2 \cite kavan2007
Vec3d move(const math::DualQuatd& q, const Vec3d& point);
/// \param q as above
/// \return the same transformation as a matrix
Mat34d to_matrix(const math::DualQuatd& q);
/// \param pose, bone a transformation
/// \return its matrix, for both representations
inline Mat34d matrix_of(const BonePose& pose, std::size_t bone) {
    return pose.matrices.empty() ? to_matrix(pose.duals[bone]) : pose.matrices[bone];
}
/// \param rest, weights, bones rest mesh, weights and number of bones of a fit
/// \return bone positions: the weighted mean of the vertices that each bone moves; the centre of the mesh for
/// unused bones
std::vector<Vec3d> weight_centers(const geometry::Mesh& rest, const BlendWeights& weights, std::size_t bones);
/// \param sequence a sequence to be fitted
/// \throws Error when there are no frames or vertices, no extent, or a frame is invalid (it is named)
void check_sequence(const model::MeshSequence& sequence);

enum class FitMethod {
    automatic,      ///< a decomposition, initialised by the rigidity of the parts
    decomposition,  ///< solves bones and weights together
    proxy,          ///< joints distributed over the surface; dual quaternions when rigid
    clusters,       ///< rigidly moving parts
};

/// Positions of joints that are distributed over the rest pose.
enum class SeedPlacement {
    even,      ///< as far from each other as possible
    relaxed,   ///< each at the centre of its part of the surface
    adaptive,  ///< denser where the surface bends
    surface,   ///< evenly by distance along the surface, so that layers and shells stay separate
};

struct FitOptions {
    FitMethod method = FitMethod::automatic;
    int bones = 30;
    bool rigid = true;
    int influences = 4;
    std::size_t corrections = 0;
    double max_error =
        0;  ///< target error in percent of the motion: uses as few bones as possible; 0 means no target
    std::size_t max_bytes = 0;  ///< target size: uses as many bones as possible; 0 means no target
    int sweeps = 0;             ///< sweeps of the decomposition; 0 chooses automatically
    /// Effort of the decomposition. 1: one start. 2: also the best of several seeds on a part of the
    /// sequence; the better fit is kept. 3: many seeds.
    int effort = 2;
    int refinements = 1;   ///< for proxy joints: rounds of least-squares weights
    bool normals = false;  ///< for proxy joints: fit separate transformations of normals
    /// For proxy joints, and for bones that start from evenly distributed joints.
    SeedPlacement placement = SeedPlacement::even;
    double temporal_smoothing =
        0;           ///< for proxy joints: weight that pulls transformations towards the previous frame
    int rounds = 0;  ///< for a source read in chunks: rounds of weights from all frames instead of only those
                     ///< of one chunk
    const FitResult* start = nullptr;  ///< initial fit that the decomposition continues from; may be null
    /// For the decomposition: called with every iterate that is better than all before.
    std::function<void(const FitResult&)> on_iterate = {};
};

struct Fitted {
    FitResult fit;
    SequenceError error;
    std::string method;      ///< the method that was used
    double rigidity = -1;    ///< the score that selected it; negative when the method was given
    std::vector<int> tried;  ///< numbers of bones tried by the search, in order
};

/// A sequence with a rigidity score below this counts as articulated.
inline constexpr double articulated_score = 0.02;

/// \param sequence a sequence; at most 12 of its frames are evaluated
/// \param bones wanted number of bones
/// \return squared residual of a hard clustering into min(bones, 30) rigid parts, divided by that of a single
/// rigid motion: near 0 for articulated figures, near 1 for surfaces that bend everywhere; 0 when everything
/// moves rigidly
double rigidity_score(const model::MeshSequence& sequence, int bones);

/// Fits a sequence. `automatic` uses the rigidity score: below `articulated_score` bones are added where the
/// motion splits; otherwise the decomposition starts from joints distributed evenly over the surface, which
/// suits cloth. Both results use linear blending, which every engine supports. With a target error or size
/// the number of bones is doubled until the target is met, then refined by bisection.
/// \param sequence the sequence
/// \param options number of bones or target, and method
/// \param monitor receives progress and warnings: `fit-target` when no number of bones meets the target
/// \return the fit and its error
/// \throws Error naming an invalid frame
/// \throws Cancelled when the monitor cancels
Fitted fit(const model::MeshSequence& sequence, const FitOptions& options, Monitor& monitor = silent());

/// Frames that are produced on demand, for sequences larger than memory.
struct FrameSource {
    geometry::Mesh rest;
    double rate = 30;
    std::size_t count = 0;
    std::function<std::vector<math::Vec3f>(std::size_t frame)> frame;
};

/// \param sequence in memory; must outlive the source
/// \return a source of its frames
FrameSource source_of(const model::MeshSequence& sequence);

/// Fits a sequence in chunks. First `chunk` frames, evenly distributed over the sequence, are fitted with all
/// options. Then, for all frames, `rounds` alternations of transformations and weights follow, and finally
/// transformations. If the sequence has at most `chunk` frames, the result is that of fit(). The error is
/// measured frame by frame.
/// \param source the frames
/// \param options number of bones or target, and method
/// \param chunk number of frames in memory at a time
/// \param monitor receives progress and warnings
/// \return the fit and its error
/// \throws Error naming an invalid frame
/// \throws Cancelled when the monitor cancels
Fitted fit(const FrameSource& source, const FitOptions& options, std::size_t chunk,
           Monitor& monitor = silent());

/// The first step of the above: bones and weights from `chunk` frames, evenly distributed over the source.
/// \param source, options, chunk, monitor as above
/// \return the fit of these frames
Fitted fit_sample(const FrameSource& source, const FitOptions& options, std::size_t chunk,
                  Monitor& monitor = silent());

/// Normal equations of the weights in linear blending, summed over frames. Sums of parts of a sequence, or of
/// several sequences of one mesh, can be added, even when computed on different machines.
struct WeightSums {
    std::size_t frames = 0;
    Eigen::MatrixXd moments;     ///< products of the transformations, 4B x 4B
    Eigen::MatrixXd cross;       ///< products of transformations and positions, 4B x N
    Eigen::RowVectorXd squares;  ///< squared positions, N

    /// \throws Error when the number of bones or vertices differs
    void add(const WeightSums& other);
};

/// Transformations of a rig for the frames of a source, and the sums for its weights.
struct FitPart {
    std::vector<BonePose> frames;
    WeightSums sums;
};
/// \param source frames of the mesh of the rig
/// \param rig bones and weights; linear blending without corrections
/// \param chunk number of frames in memory at a time
/// \param monitor receives progress
/// \return transformations and sums; add up the sums of all parts
/// \throws Error when the rig has another mesh, dual quaternions or corrections
FitPart fit_part(const FrameSource& source, const FitResult& rig, std::size_t chunk,
                 Monitor& monitor = silent());

/// \param sums sums over all frames
/// \param rig provides the initial weights
/// \param influences largest number per vertex
/// \return the least-squares weights
BlendWeights solved_weights(const WeightSums& sums, const FitResult& rig, int influences);

/// A motion with a name.
struct NamedSource {
    std::string name;
    FrameSource source;
};
/// Several motions joined one after the other, and the range of each.
struct JoinedSource {
    FrameSource source;
    std::vector<ClipRange> clips;
};
/// Joins several motions of one mesh, to be fitted together with one rest pose, one set of bones and weights,
/// and one clip per motion.
/// \param motions the rest pose is that of the first; repeated names get a number
/// \return the joined motions
/// \throws Error naming a motion whose vertices or triangles differ from those of the first
JoinedSource joined(std::vector<NamedSource> motions);

/// The same for sequences in memory.
struct JoinedSequence {
    model::MeshSequence sequence;
    std::vector<ClipRange> clips;
};
/// \param motions their frames are moved into the result
/// \return the joined motions
/// \throws Error as above
JoinedSequence joined(std::vector<std::pair<std::string, model::MeshSequence>> motions);

/// \param fit a fit
/// \return its clips, or a single clip "fit" of all frames
std::vector<ClipRange> clips_of(const FitResult& fit);
/// \param clips clips of a fit
/// \param error error of the same fit
/// \return root mean square distance over the frames of each clip
std::vector<double> clip_rms(std::span<const ClipRange> clips, const SequenceError& error);

/// Converts a fit to a character that any engine can play: one root with a joint per bone. Joints have no
/// shear, so a bone with an affine matrix L = U S V^T becomes two joints: the outer rotates by U and scales
/// by S, the inner rotates by V^T; together they are exactly L. Corrections become morphs, which are applied
/// before skinning. A dual quaternion fit is exported with its rigid joints; players that use linear blending
/// show it slightly differently (`fit-dual-joints`).
/// \param fit a fit
/// \param monitor receives warnings
/// \return the character with its clips
model::Character to_character(const FitResult& fit, Monitor& monitor = silent());

/// Transfers a fit to another rest mesh: refined, simplified or replaced. Hat functions are evaluated at the
/// new vertices; solved weights and all corrections are interpolated from the nearest point of the old rest
/// mesh. Vertices at old positions keep their weights exactly.
/// \param fit a fit
/// \param rest the other mesh
/// \return the fit on the other mesh
/// \throws Error when the old mesh has no triangles to interpolate on
FitResult rebound(const FitResult& fit, const geometry::Mesh& rest);

/// Level of detail of a fit.
struct DetailLevel {
    std::size_t influences = 0;                              ///< largest number per vertex; 0 keeps all
    std::size_t corrections = static_cast<std::size_t>(-1);  ///< largest number of corrections
    bool normals = true;                                     ///< keep separate transformations of normals
};
/// Reduces a fit: fewer influences, fewer corrections.
/// \param fit a fit
/// \param level what to keep
/// \param sequence optional; the transformations and the amounts of the corrections are then refitted to
/// compensate for what was removed
/// \param monitor receives progress
/// \return the reduced fit
FitResult at_level(const FitResult& fit, const DetailLevel& level,
                   const model::MeshSequence* sequence = nullptr, Monitor& monitor = silent());

/// \param vertices, frames, joints m, n and p
/// \return the published compression ratio 6 m n / (6 m + 12 p n): floats of positions and normals of m
/// vertices in n frames, divided by those of the rest pose and of a dual quaternion and a quaternion for each
/// of p joints per frame. Weights and corrections are not counted.
/// \cite kavan2007skinning
double published_ratio(std::size_t vertices, std::size_t frames, std::size_t joints);

/// Size of a fit in single precision, in bytes.
struct FitSize {
    std::size_t rest = 0;         ///< positions and normals
    std::size_t weights = 0;      ///< 8 bits per weight, 8 or 16 per index
    std::size_t joints = 0;       ///< positions of the joints
    std::size_t motions = 0;      ///< transformations of positions and normals
    std::size_t corrections = 0;  ///< shapes and amounts

    std::size_t total() const { return rest + weights + joints + motions + corrections; }
};
/// \param fit a fit
/// \return its size
FitSize size_of(const FitResult& fit);
/// \param vertices, frames size of a sequence
/// \return bytes of its positions and normals
std::size_t sequence_bytes(std::size_t vertices, std::size_t frames);

}  // namespace sinew::fit
