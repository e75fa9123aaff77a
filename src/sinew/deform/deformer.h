// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Deformer: the skin of a character at any time of a clip. It combines `Player` and `Skinner` with what
/// comes before (morphs, pose-space shapes) and after (Delta Mush and other corrections). Everything that
/// displays or writes a skin uses it.
///
/// \code
/// Deformer deformer(character, {.method = Method::dqs});
/// for (double time = 0; time < 2; time += 1.0 / 30) {
///     const DeformedSkin& skin = deformer.at(&character.clips[0], time);
///     draw(skin.positions, skin.normals, character.mesh.triangles);
/// }
/// \endcode

#include <memory>

#include "sinew/deform/corrective.h"
#include "sinew/deform/player.h"
#include "sinew/deform/skinner.h"
#include "sinew/model/character.h"

namespace sinew::deform {

struct DeformerOptions {
    Method method = Method::dqs;
    CorrectiveOptions corrective = {};
    /// Added to the rest shape in every frame, one per vertex; may be empty.
    std::vector<math::Vec3d> displacements = {};
    std::vector<PoseExample> examples =
        {};  ///< sculpted shapes that the rest shape follows, depending on the pose
    BasisKind basis = BasisKind::gaussian;  ///< interpolation of the examples
    bool normals = true;                    ///< deform normals, if the mesh has them
    Threads threads = Threads::one;
};

/// One frame of a skin, with one element per vertex of the mesh.
struct DeformedSkin {
    std::vector<math::Vec3f> positions;
    std::vector<math::Vec3f> normals;  ///< unit length; empty when the mesh has none
    DeformCounts counts;
    double seconds = 0;  ///< time of blending and corrections; without corrections that of `Skinner` alone
};

/// The skin of one animated character. It keeps its state between frames. If only morphs and skinning are
/// used, it allocates nothing after the first frame.
class Deformer {
  public:
    /// \param character must outlive this object; without a skin only its morphs are animated
    /// \param options see DeformerOptions
    /// \throws Error when mesh, skin and skeleton are inconsistent, a vertex has no influence, or an option
    /// is out of range
    explicit Deformer(const model::Character& character, const DeformerOptions& options = {});
    Deformer(Deformer&&) noexcept;
    Deformer& operator=(Deformer&&) noexcept;
    ~Deformer();

    /// \param clip clip of the character, sampled from its own keys; null gives the rest pose
    /// \param time seconds
    /// \return the frame, valid until the next call
    /// \throws Error when the pose is not finite
    const DeformedSkin& at(const model::Clip* clip, double time);
    /// \param clip clip packed for playback
    /// \param time seconds
    /// \param playback behaviour beyond the ends of the clip
    /// \return the frame; morphs have their rest weights
    /// \throws Error as Player::play
    const DeformedSkin& at(const model::PackedClip& clip, double time, Playback playback = Playback::clamp);
    /// \param pose local transforms of all joints
    /// \param morph_weights weights of all morphs; empty uses their rest weights
    /// \return the frame
    /// \throws Error when a size does not match the character, or the pose is not finite
    const DeformedSkin& at(std::span<const math::Transform> pose, std::span<const float> morph_weights = {});

    /// The mesh of the character in one frame: positions and normals replaced, morphs applied, no tangents.
    /// \param clip,time as for `at`
    /// \return an independent mesh
    /// \throws Error as `at`
    geometry::Mesh mesh_at(const model::Clip* clip, double time);

    /// The last frame.
    const DeformedSkin& skin() const;
    /// Matrices of the last frame from rest to posed, one per joint of the skin.
    std::span<const Mat34f> palette() const;
    Method method() const;
    /// Changes the skinning method. Method::cor computes its centres at first use.
    /// \param method any method
    void set_method(Method method);

    /// \return the affine map of each vertex by blending in the last frame
    std::vector<math::Mat4d> transforms();
    /// Computes the displacements of the rest shape for which blending moves every vertex to its sculpted
    /// position in the last frame: d = T^-1 v - rest, with the map T of the vertex. For rigid methods T
    /// always has an inverse.
    /// \param sculpted position of every vertex
    /// \return one displacement per vertex
    /// \throws Error when the sizes differ, or a map has no inverse
    std::vector<math::Vec3d> displacements_to(std::span<const math::Vec3f> sculpted);

  private:
    struct Data;
    std::unique_ptr<Data> data_;
};

/// \param character any character
/// \param clip null gives the rest weights
/// \param time seconds
/// \return weights of all morphs
std::vector<float> morph_weights(const model::Character& character, const model::Clip* clip, double time);

/// Result of one skinning method for a pose.
struct MethodMeasure {
    Method method = Method::lbs;
    std::vector<math::Vec3f> positions;
    std::vector<math::Vec3f> normals;
    double nanoseconds = 0;     ///< per vertex on one thread; the fastest of several runs
    double volume_ratio = 1;    ///< enclosed volume relative to the rest pose
    double longest_edge = 1;    ///< largest ratio of an edge's length to its rest length
    double shortest_edge = 1;   ///< smallest ratio of an edge's length to its rest length
    double smallest_area = 1;   ///< smallest ratio of a triangle's area to its rest area
    double max_difference = 0;  ///< largest distance from the reference method, in percent of the diagonal
    double rms_difference = 0;  ///< the same, root mean square
    double normal_difference =
        0;                ///< largest angle between normals and those of the reference method, in radians
    DeformCounts counts;  ///< special cases that occurred
};

/// \param a,b results on the same mesh
/// \return distance between the two positions of every vertex
/// \throws Error when the sizes differ
std::vector<float> vertex_distances(std::span<const math::Vec3f> a, std::span<const math::Vec3f> b);

/// Runs every method on a character at one time of a clip. Morphs keep their rest weights.
/// \param character with a skin
/// \param clip null gives the rest pose
/// \param time seconds
/// \param reference the method that others are compared with
/// \return one result per method, in the order of the methods
/// \throws Error when there is no skin
std::vector<MethodMeasure> compare_methods(const model::Character& character, const model::Clip* clip,
                                           double time, Method reference = Method::dqs);

/// The part of a skin that one joint influences, in the joint's frame; for inspection of a binding.
struct JointSpace {
    /// The triangles whose corners the joint influences, transformed by its inverse bind matrix, so that the
    /// joint is at the origin. The skeleton has only this joint, with a tip at the end of its first bone. No
    /// skin and no clips.
    model::Character character;
    std::vector<float> weights;  ///< weight of the joint, per vertex
};

/// \param character with a skin
/// \param joint index in its skeleton
/// \return the part that the joint influences
/// \throws Error when there is no skin, or the joint influences no triangle
JointSpace joint_space(const model::Character& character, int joint);

}  // namespace sinew::deform
