// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The skin of a character at any time of any clip: `Player` and `Skinner` with what comes before (morphs,
/// shapes made for poses) and after (Delta Mush and the like). Everything that shows or writes a skin uses
/// it.
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
    /// Added to the rest shape of every frame, one for each vertex; empty for none.
    std::vector<math::Vec3d> displacements = {};
    std::vector<PoseExample> examples = {};  ///< shapes that the rest shape follows with the pose
    BasisKind basis = BasisKind::gaussian;   ///< how the examples are blended
    bool normals = true;                     ///< deform normals when the mesh has them
    Threads threads = Threads::one;
};

/// A frame of a skin, one element for each vertex of the mesh.
struct DeformedSkin {
    std::vector<math::Vec3f> positions;
    std::vector<math::Vec3f> normals;  ///< unit; empty when the mesh has none
    DeformCounts counts;
    double seconds = 0;  ///< that blending and corrections took: of `Skinner` alone when there are none
};

/// One character at play. Keeps its state between frames and, where only skinning is needed (with morphs
/// or not), allocates nothing after the first.
class Deformer {
  public:
    /// \param character must outlive this; without a skin it keeps its rest pose, morphs apart
    /// \param options see there
    /// \throws Error when mesh, skin and skeleton do not fit each other, a vertex has no influence, or an
    /// option is out of range
    explicit Deformer(const model::Character& character, const DeformerOptions& options = {});
    Deformer(Deformer&&) noexcept;
    Deformer& operator=(Deformer&&) noexcept;
    ~Deformer();

    /// \param clip of the character, sampled by its own keys; null is the rest pose
    /// \param time seconds
    /// \return the frame, valid until the next call
    /// \throws Error when the pose is not finite
    const DeformedSkin& at(const model::Clip* clip, double time);
    /// \param clip packed for playing
    /// \param time seconds
    /// \param playback what lies beyond its ends
    /// \return the frame; morphs have their rest weights
    /// \throws Error as Player::play does
    const DeformedSkin& at(const model::PackedClip& clip, double time, Playback playback = Playback::clamp);
    /// \param pose local transforms of all joints
    /// \param morph_weights of all morphs; empty for their rest weights
    /// \return the frame
    /// \throws Error when a size does not fit the character, or the pose is not finite
    const DeformedSkin& at(std::span<const math::Transform> pose, std::span<const float> morph_weights = {});

    /// The mesh of the character in a frame: positions and normals replaced, morphs baked, no tangents.
    /// \param clip,time as for `at`
    /// \return a mesh of its own
    /// \throws Error as `at` does
    geometry::Mesh mesh_at(const model::Clip* clip, double time);

    /// The last frame.
    const DeformedSkin& skin() const;
    /// Where each joint of the skin takes the rest mesh in it.
    std::span<const Mat34f> palette() const;
    Method method() const;
    /// Blends by another method from now on. Method::cor computes its centres the first time.
    /// \param method any
    void set_method(Method method);

    /// \return the affine map that blending makes of each vertex in the last frame
    std::vector<math::Mat4d> transforms();
    /// The displacements of the rest shape that let blending put every vertex where a sculpted shape has it
    /// in the last frame: d = T^-1 v - rest with T the map of the vertex. Rigid methods always have an
    /// inverse.
    /// \param sculpted position of every vertex
    /// \return a displacement for every vertex
    /// \throws Error when the sizes differ, or a map has no inverse
    std::vector<math::Vec3d> displacements_to(std::span<const math::Vec3f> sculpted);

  private:
    struct Data;
    std::unique_ptr<Data> data_;
};

/// \param character any
/// \param clip null for the rest weights
/// \param time seconds
/// \return weights of all morphs
std::vector<float> morph_weights(const model::Character& character, const model::Clip* clip, double time);

/// What one method makes of a pose.
struct MethodMeasure {
    Method method = Method::lbs;
    std::vector<math::Vec3f> positions;
    std::vector<math::Vec3f> normals;
    double nanoseconds = 0;        ///< a vertex, one thread, the fastest of several runs
    double volume_ratio = 1;       ///< to the rest pose
    double longest_edge = 1;       ///< largest ratio of an edge's length to its length at rest
    double shortest_edge = 1;      ///< smallest
    double smallest_area = 1;      ///< smallest ratio of a triangle's area to its area at rest
    double max_difference = 0;     ///< largest distance from the reference method, in percent of the diagonal
    double rms_difference = 0;     ///< root mean square of it
    double normal_difference = 0;  ///< largest angle from the normals of the reference method, in radians
    DeformCounts counts;           ///< what it had to decide
};

/// \param a,b results of one mesh
/// \return distance of every vertex between them
/// \throws Error when the sizes differ
std::vector<float> vertex_distances(std::span<const math::Vec3f> a, std::span<const math::Vec3f> b);

/// Runs every method on a character at a time of a clip. Morphs keep their rest weights.
/// \param character with a skin
/// \param clip null for the rest pose
/// \param time seconds
/// \param reference what the differences are taken from
/// \return a measure for each method, in their order
/// \throws Error when there is no skin
std::vector<MethodMeasure> compare_methods(const model::Character& character, const model::Clip* clip,
                                           double time, Method reference = Method::dqs);

/// The part of a skin that one joint moves, in the joint's own frame: to inspect a binding.
struct JointSpace {
    /// The triangles whose corners the joint moves, taken by its inverse bind matrix, so that the joint is at
    /// the origin; the skeleton is the joint alone, with a tip where its first bone ends. No skin, no clips.
    model::Character character;
    std::vector<float> weights;  ///< of the joint, for each vertex
};

/// \param character with a skin
/// \param joint of its skeleton
/// \return what the joint moves
/// \throws Error when there is no skin, or the joint moves no triangle
JointSpace joint_space(const model::Character& character, int joint);

}  // namespace sinew::deform
