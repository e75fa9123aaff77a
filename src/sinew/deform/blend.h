// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// What every runner of the skinning methods shares, be it `Skinner`, a shader or a collision bound: the
/// palette in single precision, the rigid part of a joint's motion, rotation centres, and the coefficients
/// that are blended, once a frame for each influence set.
///
/// \code
/// const SkinLayout layout = make_layout(mesh, skin, model::group_by_influences(skin, &skeleton));
/// FrameData frame = make_frame_data(layout, joint_centers, size);   // once for each instance
/// fill(frame, layout, palette, Method::dqs, true);                  // every frame; allocates nothing
/// upload(frame.coefficients);
/// \endcode

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/base/array.h"
#include "sinew/deform/method.h"
#include "sinew/geometry/mesh.h"
#include "sinew/math/blend.h"
#include "sinew/math/dual_quaternion.h"
#include "sinew/model/skin.h"

namespace sinew::deform {

namespace kernels {
enum class Rule : std::uint8_t;
}

/// Affine matrix in single precision, three rows of four: linear part and translation.
struct alignas(16) Mat34f {
    float rows[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
};

/// \param matrix affine matrix; its last row is not looked at
/// \return the same in single precision
Mat34f to_mat34(const math::Mat4d& matrix);
/// \param matrix affine matrix
/// \return the same in double precision, with the last row 0 0 0 1
math::Mat4d to_mat4(const Mat34f& matrix);
/// \param palette where each joint takes the rest mesh
/// \return the same in single precision, as `Skinner` and collision take it
std::vector<Mat34f> to_mat34(std::span<const math::Mat4d> palette);

/// A palette entry further than this from orthonormal, as |M^T M - I|, is skinned in two phases by all rigid
/// methods: first its stretch, then its rigid part. \cite kavan2008
inline constexpr double rigid_tolerance = 1e-4;
/// A sum of unit quaternions shorter than this has no direction: the heaviest joint decides.
inline constexpr double degenerate_length = 1e-4;
/// Singular values up to here count as zero in the centre of a set (math::rotation_center): that of single
/// precision, so that all runners rotate about the same position.
inline constexpr double center_threshold = math::rank_threshold_float;

/// \param inverse_bind bind matrix of a joint
/// \return rest position of the joint: the origin of its bind pose, or of the world when the matrix has no
/// inverse
math::Vec3d rest_center(const math::Mat4d& inverse_bind);

/// A palette entry split into its rigid part and the stretch before it.
struct JointMotion {
    math::Rigidd rigid;
    math::DualQuatd dual;
    math::Mat3d stretch = math::Mat3d::Identity();
};

/// Splits C v = R (b + P (v - b)) + C b - R b.
/// \param matrix palette entry C
/// \param center rest position b of the joint, which the stretch P keeps
/// \param[out] rigid whether P is the identity within `rigid_tolerance`
/// \return R as `rigid` and `dual`, P as `stretch`
JointMotion split_motion(const math::Mat4d& matrix, const math::Vec3d& center, bool& rigid);
JointMotion split_motion(const Mat34f& matrix, const math::Vec3d& center, bool& rigid);

/// Rest centre about which a set rotates in spherical blending: the joint that two neighbours share, or the
/// least-squares solution. \cite kavan2007
/// \param motions rigid parts of the joints of the set
/// \param centers rest positions of the joints
/// \pre there are at least two joints, and as many centres
/// \return the centre in rest space
math::Vec3d set_center(std::span<const math::Rigidd> motions, std::span<const math::Vec3d> centers);

/// Slots in a block of the streamed order.
inline constexpr std::size_t layout_block = 16;

/// The blocks of one influence set.
struct LayoutSet {
    std::uint32_t first_joint = 0;  ///< into SkinLayout::joints and the lists beside it
    std::uint32_t joint_count = 0;
    std::uint32_t first_slot = 0;  ///< slot of its first vertex, a multiple of `layout_block`
    std::uint32_t blocks = 0;
    std::size_t data = 0;      ///< float of its first block
    std::uint32_t stride = 0;  ///< floats of a block
};

/// A joint whose quaternion is turned to the side of its leader's (see InfluenceSets::sign_parent). Sets in
/// which a joint has the same leaders share it.
struct SignStep {
    std::uint32_t joint = 0;
    std::uint32_t leader_joint = 0;
    std::uint32_t leader = 0;  ///< sign of the leader; those below the palette's size are 1
    auto operator<=>(const SignStep&) const = default;
};

/// What goes into the blocks besides positions and weights.
struct LayoutOptions {
    bool normals = true;                   ///< when the mesh has them
    bool tangents = false;                 ///< when the mesh has normals and tangents
    std::span<const math::Vec3f> centers;  ///< per-vertex centres of rotation, or none
};

/// A mesh and its skin in the order in which kernels stream them: set by set, in blocks of 16 vertices. A
/// slot is a position in that order. Padding slots at the end of a set repeat its last vertex.
struct SkinLayout {
    std::vector<LayoutSet> sets;
    std::vector<std::uint32_t> joints;    ///< palette indices of the sets
    std::vector<std::uint32_t> signs;     ///< beside `joints`: which sign of a frame its quaternion has
    std::vector<SignStep> sign_steps;     ///< how the signs of a frame that are not 1 follow
    std::vector<std::uint32_t> vertices;  ///< vertex of each slot; padding repeats the one before
    std::vector<std::uint32_t> slots;     ///< slot of each vertex
    std::vector<float> handedness;        ///< of the tangents, per vertex; empty without tangents
    AlignedVector<float> data;
    std::size_t palette_size = 0;
    std::size_t max_set_joints = 0;
    int vectors = 0;
    bool centers = false;

    std::size_t slot_count() const { return vertices.size(); }
    std::size_t vertex_count() const { return slots.size(); }
    /// \return bytes held
    std::size_t memory() const;
    /// Another rest shape on the same skin. Nothing is allocated.
    /// \param positions of all vertices
    /// \param normals of all vertices, or none: then they stay
    /// \pre the sizes are those of the mesh
    void set_rest(std::span<const math::Vec3f> positions, std::span<const math::Vec3f> normals);
};

/// \param mesh,skin,sets a skinned mesh and the grouping of its skin
/// \param options what to stream besides positions and weights
/// \pre mesh, skin and sets have the same vertices, and each has an influence
/// \return the layout
SkinLayout make_layout(const geometry::Mesh& mesh, const model::Skin& skin, const model::InfluenceSets& sets,
                       const LayoutOptions& options = {});

/// What one pose of one instance needs; made once, reused every frame.
struct FrameData {
    static constexpr std::size_t max_coefficients = 37;

    std::vector<JointMotion> motions;             ///< per palette entry
    std::vector<double> joint_coefficients;       ///< per palette entry, what does not depend on the set
    std::size_t joint_stride = max_coefficients;  ///< of joint_coefficients
    std::vector<std::uint8_t> done;               ///< joints or sets that were done several at a time
    std::vector<float> signs;                     ///< 1 for each palette entry, then one for each sign step
    std::vector<math::Rigidd> set_rigids;         ///< of the set at hand
    std::vector<math::Vec3d> set_centers;         ///< of the set at hand
    std::vector<math::Vec3d> centers;             ///< rest position of each palette entry
    std::vector<float> coefficients;              ///< set by set: the first joint's, then differences to it
    std::vector<float> constants;  ///< three per set: its rest centre, where the method has one
    std::size_t shared_count = 0;  ///< of joint_coefficients under the rule
    bool stretch = false;
    std::size_t nonrigid_joints = 0;
    double size = 1;  ///< diagonal of the rest mesh, the yardstick of iterations
    kernels::Rule rule{};
};

/// \param layout the skin
/// \param joint_centers rest position of each palette entry
/// \param size diagonal of the rest mesh
/// \return memory for every method on this layout; nothing is allocated afterwards
FrameData make_frame_data(const SkinLayout& layout, std::span<const math::Vec3d> joint_centers, double size);

/// Fills the coefficients of all sets for a palette.
/// \param[in,out] frame made for the layout
/// \param layout the skin
/// \param palette where each joint takes the rest mesh
/// \param method how the joints are blended
/// \param exact_normals normals of linear blending by cofactors, not by the linear part
/// \throws Error when the palette is too short or not finite
void fill(FrameData& frame, const SkinLayout& layout, std::span<const Mat34f> palette, Method method,
          bool exact_normals);

/// \return floats that the coefficients of one joint of a set take; they lie in the order of
/// SkinLayout::joints
std::size_t coefficient_stride(const FrameData& frame);

}  // namespace sinew::deform
