// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Data that all implementations of the skinning methods share (`Skinner`, shaders, collision bounds): the
/// palette in single precision, the rigid part of each joint's motion, rotation centres, and the blended
/// coefficients, computed once per frame for each influence set.
///
/// \code
/// const SkinLayout layout = make_layout(mesh, skin, model::group_by_influences(skin, &skeleton));
/// FrameData frame = make_frame_data(layout, joint_centers, size);   // once per instance
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

/// \param matrix affine matrix; its last row is ignored
/// \return the same matrix in single precision
Mat34f to_mat34(const math::Mat4d& matrix);
/// \param matrix affine matrix
/// \return the same matrix in double precision, with the last row 0 0 0 1
math::Mat4d to_mat4(const Mat34f& matrix);
/// \param palette matrices from rest to posed, one per joint
/// \return the same matrices in single precision, the input of `Skinner` and collision
std::vector<Mat34f> to_mat34(std::span<const math::Mat4d> palette);

/// A palette entry that deviates more than this from orthonormal, as |M^T M - I|, is skinned in two phases by
/// all rigid methods: first its stretch, then its rigid part. \cite kavan2008
inline constexpr double rigid_tolerance = 1e-4;
/// A sum of unit quaternions shorter than this has no reliable direction: the heaviest joint is used.
inline constexpr double degenerate_length = 1e-4;
/// Singular values up to this threshold count as zero in the centre of a set (math::rotation_center). It
/// suits single precision, so that all implementations rotate about the same centre.
inline constexpr double center_threshold = math::rank_threshold_float;

/// \param inverse_bind bind matrix of a joint
/// \return rest position of the joint: the origin of its bind pose, or the world origin when the matrix has
/// no inverse
math::Vec3d rest_center(const math::Mat4d& inverse_bind);

/// A palette entry decomposed into its rigid part and the stretch applied before it.
struct JointMotion {
    math::Rigidd rigid;
    math::DualQuatd dual;
    math::Mat3d stretch = math::Mat3d::Identity();
};

/// Decomposes C v = R (b + P (v - b)) + C b - R b.
/// \param matrix palette entry C
/// \param center rest position b of the joint, a fixed point of the stretch P
/// \param[out] rigid whether P is the identity to within `rigid_tolerance`
/// \return R as `rigid` and `dual`, P as `stretch`
JointMotion split_motion(const math::Mat4d& matrix, const math::Vec3d& center, bool& rigid);
JointMotion split_motion(const Mat34f& matrix, const math::Vec3d& center, bool& rigid);

/// Rotation centre of an influence set in spherical blending: the joint that two neighbouring bones share, or
/// the least-squares solution. \cite kavan2007
/// \param motions rigid parts of the joints of the set
/// \param centers rest positions of the joints
/// \pre There are at least two joints, and as many centres.
/// \return the centre in rest space
math::Vec3d set_center(std::span<const math::Rigidd> motions, std::span<const math::Vec3d> centers);

/// Vertex slots per block in streaming order.
inline constexpr std::size_t layout_block = 16;

/// The blocks of one influence set.
struct LayoutSet {
    std::uint32_t first_joint = 0;  ///< index into SkinLayout::joints and the lists parallel to it
    std::uint32_t joint_count = 0;
    std::uint32_t first_slot = 0;  ///< slot of its first vertex; a multiple of `layout_block`
    std::uint32_t blocks = 0;
    std::size_t data = 0;      ///< offset of its first block in SkinLayout::data, in floats
    std::uint32_t stride = 0;  ///< size of a block in floats
};

/// A joint whose quaternion gets the sign that aligns it with its leader's (see InfluenceSets::sign_parent).
/// Sets in which a joint has the same chain of leaders share one step.
struct SignStep {
    std::uint32_t joint = 0;
    std::uint32_t leader_joint = 0;
    std::uint32_t leader =
        0;  ///< index of the leader's sign; signs with an index below the palette size are 1
    auto operator<=>(const SignStep&) const = default;
};

/// What the blocks contain besides positions and weights.
struct LayoutOptions {
    bool normals = true;                   ///< include normals, if the mesh has them
    bool tangents = false;                 ///< include tangents, if the mesh has normals and tangents
    std::span<const math::Vec3f> centers;  ///< per-vertex centres of rotation; may be empty
};

/// A mesh and its skin in the order in which kernels stream them: by influence set, in blocks of 16 vertices.
/// A slot is a position in this order. Padding slots at the end of a set repeat its last vertex.
struct SkinLayout {
    std::vector<LayoutSet> sets;
    std::vector<std::uint32_t> joints;    ///< palette indices of the joints of all sets
    std::vector<std::uint32_t> signs;     ///< parallel to `joints`: index of the sign of its quaternion
    std::vector<SignStep> sign_steps;     ///< steps that compute the signs of a frame beyond the palette
    std::vector<std::uint32_t> vertices;  ///< vertex of each slot; padding repeats the previous one
    std::vector<std::uint32_t> slots;     ///< slot of each vertex
    std::vector<float> handedness;        ///< sign of each vertex's tangent frame; empty without tangents
    AlignedVector<float> data;
    std::size_t palette_size = 0;
    std::size_t max_set_joints = 0;
    int vectors = 0;
    bool centers = false;

    std::size_t slot_count() const { return vertices.size(); }
    std::size_t vertex_count() const { return slots.size(); }
    /// \return memory in bytes
    std::size_t memory() const;
    /// Replaces the rest shape; allocates nothing.
    /// \param positions of all vertices
    /// \param normals of all vertices; empty keeps the old ones
    /// \pre The sizes are those of the mesh.
    void set_rest(std::span<const math::Vec3f> positions, std::span<const math::Vec3f> normals);
};

/// \param mesh,skin,sets a skinned mesh and the grouping of its skin by influence set
/// \param options what to include besides positions and weights
/// \pre Mesh, skin and sets have the same vertices, and each vertex has an influence.
/// \return the layout
SkinLayout make_layout(const geometry::Mesh& mesh, const model::Skin& skin, const model::InfluenceSets& sets,
                       const LayoutOptions& options = {});

/// Working data of one instance in one pose; created once and reused every frame.
struct FrameData {
    static constexpr std::size_t max_coefficients = 37;

    std::vector<JointMotion> motions;  ///< per palette entry
    std::vector<double>
        joint_coefficients;  ///< per palette entry: coefficients that do not depend on the set
    std::size_t joint_stride = max_coefficients;  ///< stride of joint_coefficients
    std::vector<std::uint8_t> done;               ///< marks joints or sets that were processed in a batch
    std::vector<float> signs;                     ///< 1 for each palette entry, then one per sign step
    std::vector<math::Rigidd> set_rigids;         ///< of the current set
    std::vector<math::Vec3d> set_centers;         ///< of the current set
    std::vector<math::Vec3d> centers;             ///< rest position of each palette entry
    std::vector<float> coefficients;  ///< per set: coefficients of the first joint, then differences to them
    std::vector<float> constants;     ///< three per set: its rest centre, for methods that use one
    std::size_t shared_count = 0;     ///< number of joint_coefficients that the current rule uses
    bool stretch = false;
    std::size_t nonrigid_joints = 0;
    double size = 1;  ///< diagonal of the rest mesh; the length scale of convergence tests
    kernels::Rule rule{};
};

/// Allocates memory for all methods on a layout; filling it later allocates nothing.
/// \param layout the skin
/// \param joint_centers rest position of each palette entry
/// \param size diagonal of the rest mesh
/// \return the working data of one instance
FrameData make_frame_data(const SkinLayout& layout, std::span<const math::Vec3d> joint_centers, double size);

/// Computes the coefficients of all sets for a palette.
/// \param[in,out] frame created for the layout
/// \param layout the skin
/// \param palette matrices from rest to posed, one per joint of the skin
/// \param method skinning method
/// \param exact_normals transform normals of linear blending by cofactors instead of the linear part
/// \throws Error when the palette is too short or not finite
void fill(FrameData& frame, const SkinLayout& layout, std::span<const Mat34f> palette, Method method,
          bool exact_normals);

/// \return number of coefficients per joint of a set, in floats; they are stored in the order of
/// SkinLayout::joints
std::size_t coefficient_stride(const FrameData& frame);

}  // namespace sinew::deform
