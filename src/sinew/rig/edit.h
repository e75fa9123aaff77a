// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Changing a rig by hand: its joints, and its weights.
///
/// \code
/// model::Character rig = io::read("rig.glb").character;
/// rig = rig::rename_joint(rig, rig::joint_named(rig.skeleton, "Bip01 L Hand"), "LeftHand");
/// rig = rig::delete_joint(rig, rig::joint_named(rig.skeleton, "LeftHandEnd"));
/// rig = rig::smooth_weights(rig, {.passes = 2});
/// \endcode
///
/// Functions of joints keep the skeleton valid: parents first, names unique. Joints that are not named keep
/// their position and their frame in the world, the skin at rest stays as it is, and clips follow. All throw
/// Error for a joint out of range and for what would break the tree; functions of weights also when the
/// character has no skin.

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/model/character.h"
#include "sinew/model/roles.h"

namespace sinew::rig {

using math::Vec3d;

// --- Joints

/// Index of the joint with this name, whatever its case where only one fits.
/// \throws Error that names the nearest names when there is none.
int joint_named(const model::Skeleton& skeleton, std::string_view name);

model::Character rename_joint(const model::Character& character, int joint, const std::string& name);

/// The joint gets another parent and keeps its position; -1 makes it a root. In clips it moves in the
/// world as before.
/// \throws Error when the new parent is below the joint.
model::Character reparent_joint(const model::Character& character, int joint, int parent);

/// A new joint on the bone from a joint's parent to it, at t from 0 (parent) to 1. It moves no skin.
model::Character insert_joint(const model::Character& character, int joint, double t,
                              const std::string& name);

/// Children and weights go to the parent. A root with several children cannot go; one with a single child
/// hands over to it.
model::Character delete_joint(const model::Character& character, int joint);

/// `gone` becomes part of `into`, with its children and its weights. They must be parent and child.
model::Character merge_joints(const model::Character& character, int gone, int into);

/// The bone of a joint, to its only child or its tip, becomes two: a new joint, named after it, at t from 0
/// to
/// 1. The skin of the bone is shared along it, with a soft border half as wide as the shorter of the two.
/// \throws Error when the joint has no bone or several.
model::Character split_joint(const model::Character& character, int joint, double t = 0.5);

/// Another root: links on the path from the old root to the joint change their direction.
model::Character reroot(const model::Character& character, int joint);

enum class MoveMode : std::uint8_t {
    alone,         ///< children stay where they are
    with_children  ///< everything below moves along
};

/// A joint moved at rest to a position in the world. In clips rotations stay relative to the rest pose, so
/// that a longer arm stays longer while it plays.
model::Character move_joint(const model::Character& character, int joint, const Vec3d& position,
                            MoveMode mode = MoveMode::alone);

/// One side becomes the image of the other, joints and weights: twins of the joints on the side `from` move
/// to their images, and joints that have no twin get one, with the mirrored name and below the twin of their
/// parent. Joints in the middle stay.
/// \throws Error when the mesh, or without one the skeleton, has no plane of symmetry.
model::Character mirror_joints(const model::Character& character, model::Side from);

/// Left and right of a character: its plane of symmetry, normal . x = offset, and the joints that are each
/// other's twins in it. A joint in the middle is its own twin; one without any has -1.
struct JointMirror {
    Vec3d normal = Vec3d::UnitX();
    double offset = 0;
    std::vector<int> twin;

    Vec3d reflect(const Vec3d& point) const { return point - 2 * (normal.dot(point) - offset) * normal; }
};
/// The plane of the mesh or, where it has none, of the skeleton; nothing when neither has one.
std::optional<JointMirror> joint_mirror(const model::Character& character);

enum class JointFrames : std::uint8_t {
    bone,  ///< y along the bone, x the axis of the hinge (see OrientOptions of orientation)
    world  ///< no rotation at rest
};

/// Frames of all joints at rest by one convention; positions, limits and motions stay.
model::Character orient_joints(const model::Character& character, JointFrames frames);

/// Naming schemes for the joints of a person.
enum class JointNames : std::uint8_t {
    sinew,   ///< LeftUpperArm, as Unity's humanoid
    mixamo,  ///< mixamorig:LeftArm
    vrm,     ///< leftUpperArm
    unreal,  ///< upperarm_l
};

/// Gives every joint that has a role the name that a program knows it by; others keep theirs.
/// \return how many have such a name
int rename_joints(model::Skeleton& skeleton, JointNames names);

/// Joints that a person has put in their position, by name.
using LockedJoints = std::set<std::string>;

/// A new skeleton with the locked joints of an old one where they were: joints of the same name move there;
/// missing ones are added below their nearest ancestor that is there, and take over the joints that they
/// were above.
/// \throws Error when a locked joint is not in the old skeleton.
model::Skeleton keep_locked(const model::Skeleton& fresh, const model::Skeleton& old,
                            const LockedJoints& locked);

// --- Weights

/// Keeps the heaviest joints of every vertex.
/// \param character with a skin
/// \param max_influences largest number of joints per vertex; 0 keeps all
/// \param prune_below lighter weights are dropped
model::Character limit_influences(const model::Character& character, int max_influences,
                                  double prune_below = 0);

struct SmoothOptions {
    int passes = 3;
    double strength = 0.5;  ///< part of the difference to the mean of the neighbours, in each pass
};

/// Laplacian smoothing over the surface, which keeps locality: a vertex gains only joints that it has, or
/// that are linked to its heaviest. Vertices at the same position stay equal.
model::Character smooth_weights(const model::Character& character, const SmoothOptions& options = {});

/// Bounds the change of a joint's weight along every edge to `most` times the edge over the thickness of the
/// limb there, which is twice the distance to the bone of its heaviest joint (Weber 2000).
model::Character limit_slopes(const model::Character& character, double max = 1);

/// The weights of one side on the other, with left and right joints exchanged.
/// \throws Error when the mesh has no plane of symmetry.
model::Character mirror_weights(const model::Character& character, model::Side from);

/// Per joint of the skeleton: 1 keeps its weights while others are painted. Empty locks nothing.
using JointLocks = std::vector<char>;

enum class BrushMode : std::uint8_t {
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

/// A skin that is painted dab by dab: what lies around the vertices is found once, so that a dab costs what
/// lies under the brush.
class WeightSession {
  public:
    /// \param character with mesh and skin
    /// \param positions of the vertices as they are seen, for distances; where the mesh has them when empty
    explicit WeightSession(const model::Character& character, std::span<const math::Vec3f> positions = {});
    WeightSession(WeightSession&&) noexcept;
    WeightSession& operator=(WeightSession&&) noexcept;
    ~WeightSession();

    /// One dab. The brush reaches only vertices within its radius that are connected to the nearest one
    /// within it, so that it does not paint through to another limb. Other joints that are not locked share
    /// the rest.
    /// \return the vertices that changed
    std::vector<std::uint32_t> dab(int joint, const Brush& brush, const JointLocks& locks = {});
    /// A dab that moves towards weights of another vertex, given by joint; its mode and value do not count.
    std::vector<std::uint32_t> paste(std::span<const std::pair<int, double>> weights, const Brush& brush,
                                     const JointLocks& locks = {});

    double weight(std::uint32_t vertex, int joint) const;
    std::vector<std::pair<int, double>> weights(std::uint32_t vertex) const;
    /// The character with the weights as they are now.
    model::Character finished() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The weight of a joint on some vertices goes from 0 at `from` to 1 at `to`, evenly along the line between.
model::Character gradient_weights(const model::Character& character, int joint,
                                  std::span<const std::uint32_t> vertices, const Vec3d& from, const Vec3d& to,
                                  const JointLocks& locks = {});

}  // namespace sinew::rig
