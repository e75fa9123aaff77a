// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Manual editing of a rig: its joints and its weights.
///
/// \code
/// model::Character rig = io::read("rig.glb").character;
/// rig = rig::rename_joint(rig, rig::joint_named(rig.skeleton, "Bip01 L Hand"), "LeftHand");
/// rig = rig::delete_joint(rig, rig::joint_named(rig.skeleton, "LeftHandEnd"));
/// rig = rig::smooth_weights(rig, {.passes = 2});
/// \endcode
///
/// Functions for joints keep the skeleton valid (parents first, unique names), keep the world frames of all
/// other joints and the shape of the skin at rest, and adapt the clips. All functions throw Error for a joint
/// out of range or a change that would break the tree; functions for weights also when the character has no
/// skin.

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

/// Index of the joint with this name. Case is ignored when exactly one name matches without it.
/// \throws Error that suggests the most similar names when there is none
int joint_named(const model::Skeleton& skeleton, std::string_view name);

model::Character rename_joint(const model::Character& character, int joint, const std::string& name);

/// Gives a joint another parent; it keeps its position. -1 makes it a root. In clips its world motion is
/// unchanged.
/// \throws Error when the new parent is a descendant of the joint
model::Character reparent_joint(const model::Character& character, int joint, int parent);

/// Inserts a joint without skin weights on the bone from the joint's parent to the joint, at t from 0
/// (parent) to 1.
model::Character insert_joint(const model::Character& character, int joint, double t,
                              const std::string& name);

/// Deletes a joint; its children and weights go to its parent. A root can only be deleted when it has exactly
/// one child, which replaces it.
model::Character delete_joint(const model::Character& character, int joint);

/// Merges joint `gone` into `into`, with its children and weights. They must be parent and child.
model::Character merge_joints(const model::Character& character, int gone, int into);

/// Splits the bone of a joint (to its only child or its tip) at t from 0 to 1; the new joint is named after
/// the old one. The weights of the bone are divided along it, with a soft transition half as wide as the
/// shorter of the two new bones.
/// \throws Error when the joint has no bone or several
model::Character split_joint(const model::Character& character, int joint, double t = 0.5);

/// Makes a joint the root: the links on the path from the old root are reversed.
model::Character reroot(const model::Character& character, int joint);

enum class MoveMode : std::uint8_t {
    alone,         ///< children keep their positions
    with_children  ///< all descendants move along
};

/// Moves a joint of the rest pose to a world position. In clips, rotations stay relative to the rest pose, so
/// that for example a lengthened arm stays longer in every clip.
model::Character move_joint(const model::Character& character, int joint, const Vec3d& position,
                            MoveMode mode = MoveMode::alone);

/// Makes joints and weights symmetric: counterparts of the joints on side `from` move to the mirrored
/// positions; joints without a counterpart get one, with the mirrored name, below the counterpart of their
/// parent. Joints in the middle do not change.
/// \throws Error when the mesh (or the skeleton, if there is no mesh) has no plane of symmetry
model::Character mirror_joints(const model::Character& character, model::Side from);

/// Symmetry of a character: its plane of symmetry, normal . x = offset, and for each joint its counterpart. A
/// joint in the middle is its own counterpart; -1 means none.
struct JointMirror {
    Vec3d normal = Vec3d::UnitX();
    double offset = 0;
    std::vector<int> twin;

    Vec3d reflect(const Vec3d& point) const { return point - 2 * (normal.dot(point) - offset) * normal; }
};
/// Finds the plane of symmetry of the mesh, or of the skeleton if the mesh has none; empty when neither has
/// one.
std::optional<JointMirror> joint_mirror(const model::Character& character);

enum class JointFrames : std::uint8_t {
    bone,  ///< y along the bone, x the hinge axis (see OrientOptions of orientation)
    world  ///< no rotation at rest
};

/// Sets the rest frames of all joints to one convention; positions, limits and motions do not change.
model::Character orient_joints(const model::Character& character, JointFrames frames);

/// Naming schemes for humanoid joints.
enum class JointNames : std::uint8_t {
    sinew,   ///< LeftUpperArm, as in Unity's humanoid
    mixamo,  ///< mixamorig:LeftArm
    vrm,     ///< leftUpperArm
    unreal,  ///< upperarm_l
};

/// Renames every joint with a role to the name of a scheme; other joints keep their names.
/// \return the number of joints with a name of the scheme
int rename_joints(model::Skeleton& skeleton, JointNames names);

/// Names of the joints that a user placed by hand.
using LockedJoints = std::set<std::string>;

/// A new skeleton in which the locked joints have the positions of an old one. Joints of the same name are
/// moved; missing ones are added below their nearest existing ancestor and become the parents of the joints
/// below them.
/// \throws Error when a locked joint is not in the old skeleton
model::Skeleton keep_locked(const model::Skeleton& fresh, const model::Skeleton& old,
                            const LockedJoints& locked);

// --- Weights

/// Keeps the joints with the largest weights of every vertex.
/// \param character with a skin
/// \param max_influences largest number of joints per vertex; 0 keeps all
/// \param prune_below removes smaller weights, 0 to 1
model::Character limit_influences(const model::Character& character, int max_influences,
                                  double prune_below = 0);

struct SmoothOptions {
    int passes = 3;
    double strength =
        0.5;  ///< fraction of the difference to the mean of the neighbours that each pass removes, 0 to 1
};

/// Laplacian smoothing over the surface. It stays local: a vertex can only gain joints adjacent to its
/// heaviest joint. Vertices at the same position keep equal weights.
model::Character smooth_weights(const model::Character& character, const SmoothOptions& options = {});

/// Limits the slope of the weights: along an edge a weight may change by at most `max` times the edge length
/// divided by the local thickness of the limb, which is twice the distance to the bone of the heaviest joint
/// (Weber 2000).
model::Character limit_slopes(const model::Character& character, double max = 1);

/// Copies the weights of one side to the other, with left and right joints exchanged.
/// \throws Error when the mesh has no plane of symmetry
model::Character mirror_weights(const model::Character& character, model::Side from);

/// Per joint of the skeleton: 1 protects its weights while others are painted. Empty protects none.
using JointLocks = std::vector<char>;

enum class BrushMode : std::uint8_t {
    add,      ///< adds value times strength
    replace,  ///< moves the weight towards the value
    scale,    ///< moves the weight towards itself times the value
    smooth,   ///< moves the weight towards the mean of the neighbours
};

struct Brush {
    Vec3d center = Vec3d::Zero();
    double radius = 0.1;
    BrushMode mode = BrushMode::add;
    double value = 1;
    double strength = 1;  ///< at the centre, 0 to 1; decreases to 0 at the radius as (1 - d^2/r^2)^2
};

/// Painting of weights with a brush. Neighbourhoods are computed once, so that the cost of a stroke depends
/// only on the vertices under the brush.
class WeightSession {
  public:
    /// \param character with mesh and skin
    /// \param positions displayed positions of the vertices, for distances; empty uses those of the mesh
    explicit WeightSession(const model::Character& character, std::span<const math::Vec3f> positions = {});
    WeightSession(WeightSession&&) noexcept;
    WeightSession& operator=(WeightSession&&) noexcept;
    ~WeightSession();

    /// Applies the brush once. It affects only vertices within its radius that are connected to the nearest
    /// one within the radius, so that it does not paint through to another limb. Unlocked other joints share
    /// the remaining weight.
    /// \return the changed vertices
    std::vector<std::uint32_t> dab(int joint, const Brush& brush, const JointLocks& locks = {});
    /// Applies the brush with the weights of another vertex, given per joint, as target; mode and value of
    /// the brush are ignored.
    std::vector<std::uint32_t> paste(std::span<const std::pair<int, double>> weights, const Brush& brush,
                                     const JointLocks& locks = {});

    double weight(std::uint32_t vertex, int joint) const;
    std::vector<std::pair<int, double>> weights(std::uint32_t vertex) const;
    /// The character with the current weights.
    model::Character finished() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Sets the weight of a joint on some vertices as a linear gradient from 0 at `from` to 1 at `to`.
model::Character gradient_weights(const model::Character& character, int joint,
                                  std::span<const std::uint32_t> vertices, const Vec3d& from, const Vec3d& to,
                                  const JointLocks& locks = {});

}  // namespace sinew::rig
