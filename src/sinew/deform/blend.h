#pragma once
/// \file
/// Blending of transformations, plainly from the formulas. Every method is a rule that makes one affine map
/// out of weights; the rest of skinning is the same for all of them.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/method.h"
#include "sinew/math/dual_quaternion.h"
#include "sinew/math/blend.h"
#include "sinew/model/skin.h"

namespace sinew::deform {

/// A palette entry further than this from orthonormal, as |M^T M - I|, is skinned in two phases by all rigid
/// methods: first its stretch, then its rigid part (Kavan et al. 2008).
inline constexpr double rigid_tolerance = 1e-4;

/// A sum of unit quaternions shorter than this has no direction: the heaviest joint decides.
inline constexpr double degenerate_length = 1e-4;
/// Singular values up to here count as zero in the centre of a set (math::rotation_center): that of single
/// precision, whatever the precision, so that kernels and reference turn about the same place.
inline constexpr double center_threshold = math::rank_threshold_float;

/// Which of q and -q enters a sum of quaternions (both are the same transformation).
enum class SignRule {
    set,    ///< per influence set, along the hierarchy (InfluenceSets::sign_parent): the rule of the library
    first,  ///< per vertex, like its first influence (Kavan 2007); depends on the order of the joints
    heaviest,   ///< per vertex, like its heaviest influence
    principal,  ///< per vertex, like the principal axis of its quaternions (Johnson 2003)
};

/// A palette entry, prepared once a frame in double precision: M = rigid about its centre, after the stretch.
struct JointFrame {
    math::Mat4d matrix = math::Mat4d::Identity();
    math::DualQuatd motion;                         ///< rigid part
    math::Mat3d stretch = math::Mat3d::Identity();  ///< polar factor, with a reflection if there is one
    math::Vec3d center = math::Vec3d::Zero();       ///< rest position of the joint, which the stretch keeps
    bool rigid = true;
};

/// Rest place of a joint: the origin of its bind matrix, or the world's when that matrix has no inverse.
math::Vec3d rest_center(const math::Mat4d& inverse_bind);

/// Splits the palette: C = R P about the rest place b of the joint, so that C v = R (b + P (v - b)) + C b - R
/// b.
std::vector<JointFrame> joint_frames(const model::Skin& skin, std::span<const math::Mat4d> palette);

/// What a deformation had to decide.
struct DeformCounts {
    std::size_t degenerate_blends = 0;  ///< vertices whose rotations cancelled: the heaviest joint moved them
    std::size_t degenerate_normals = 0;  ///< vertices whose normal collapsed: it follows a plainer rule
    std::size_t nonrigid_joints = 0;     ///< palette entries with scale or shear
    std::size_t half_turns = 0;      ///< log: palette entries of exactly 180 degrees, whose axis was chosen
    std::size_t unfinished = 0;      ///< dib: vertices that still moved at the last step
    std::size_t not_guaranteed = 0;  ///< dib: vertices whose rotations spread so far that others may fit too
    bool operator==(const DeformCounts&) const = default;
};

/// The work it took.
struct DeformWork {
    std::size_t center_solves = 0;  ///< sbs: least-squares systems solved for centres of rotation
    std::size_t iterations = 0;     ///< dib: steps, summed over the vertices
};

/// The blended map of one vertex: v' = linear v + translation; normals go by `normals` and are normalised
/// after.
template <class T>
struct Blend {
    math::Mat3<T> linear;
    math::Vec3<T> translation;
    math::Mat3<T> normals;
    bool degenerate = false;  ///< the joints cancelled out and the heaviest was taken
};

/// det(M) M^-T, by cross products: how area vectors move. Finite for a singular M too.
template <class T>
math::Mat3<T> cofactor(const math::Mat3<T>& m);

/// Flips the dual quaternions of a set so that each has the sign of the one it follows. `order` puts leaders
/// first.
template <class T>
void align_signs(std::span<math::DualQuat<T>> motions, std::span<const std::int32_t> sign_parents,
                 std::span<const std::uint32_t> order);

/// One vertex as a blender sees it.
template <class T>
struct VertexWeights {
    std::span<const T> weights;  ///< convex, as many as its set has joints
    std::size_t heaviest = 0;    ///< place of the largest
    std::uint32_t vertex = 0;
};

/// One blending method at work on one pose. `enter` takes a set of joints, then `blend` any number of its
/// vertices.
template <class T>
class Blender {
  public:
    Blender() = default;
    Blender(const Blender&) = delete;
    Blender& operator=(const Blender&) = delete;
    virtual ~Blender() = default;
    virtual void enter(const model::InfluenceSets& sets, const model::InfluenceSet& set) = 0;
    virtual Blend<T> blend(const VertexWeights<T>& vertex) = 0;
    /// Of everything blended so far.
    const DeformCounts& counts() const { return counts_; }
    const DeformWork& work() const { return work_; }

  protected:
    DeformCounts counts_;
    DeformWork work_;
};

struct BlendSettings {
    SignRule signs = SignRule::set;
    double size = 1;                         ///< of the rest shape: what iterations measure lengths by
    std::span<const math::Vec3f> centers{};  ///< of rotation, one per vertex: needed by Method::cor
};

/// The blender of a method. `frames` and the centres must outlive it.
template <class T>
std::unique_ptr<Blender<T>> make_blender(Method method, std::span<const JointFrame> frames,
                                         const BlendSettings& settings);

}  // namespace sinew::deform
