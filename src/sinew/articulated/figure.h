// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Articulated figure: rigid parts that rotate about the centres of their openings. It converts joint angles
/// to transforms of the parts, with joint limits and collision checks. \cite vasilakis2008
///
/// \code
/// ArticulatedFigure figure(cut, tree, features, {.collisions = Veto::reject});
/// FigurePlayer player(figure, channels);
/// const FigureReport report = player.play(seconds);
/// draw(cut, figure.world());
/// \endcode

#include <limits>
#include <memory>
#include <span>

#include "sinew/geometry/cut_mesh.h"
#include "sinew/geometry/part_shape.h"
#include "sinew/math/quaternion.h"
#include "sinew/model/channels.h"
#include "sinew/model/skeleton.h"

namespace sinew::articulated {

using geometry::Vec3d;

class PartCollision;

struct PartPair {
    int a = -1;
    int b = -1;
    bool operator==(const PartPair&) const = default;
};

/// Reaction to an angle outside its limits, or to a motion that ends in a collision.
enum class Veto : std::uint8_t {
    off,
    warn,    ///< executed and reported
    clamp,   ///< the last valid angle is used
    reject,  ///< the joint keeps its previous angles
};

struct FigureOptions {
    math::EulerOrder order = {2, 1, 0};  ///< Q = Q_z Q_y Q_x: x is applied first
    Veto limits = Veto::reject;
    Veto collisions = Veto::off;
    bool exact = false;  ///< test collisions of triangles instead of boxes
    /// Also test the path to the new angles, in steps in which no point of the moving parts travels farther
    /// than the thickness of the thinnest box, so that nothing tunnels through.
    bool continuous = false;
    int bisections = 12;  ///< bisection steps to find the last valid angle
};

/// A ball joint: its position, its frame of rotation and its limits.
struct FigureJoint {
    int parent = -1;
    Vec3d position = Vec3d::Zero();
    /// Rotates the axis from the joint to the centre of the parent part to +z, by two rotations; identity for
    /// a root. Any frame may be set.
    math::Quatd align = math::Quatd::Identity();
    Vec3d low = Vec3d::Constant(-std::numeric_limits<double>::infinity());  ///< radians, about x, y, z
    Vec3d high = Vec3d::Constant(std::numeric_limits<double>::infinity());
};

/// Moves the whole figure.
struct FigureMover {
    Vec3d translation = Vec3d::Zero();
    Vec3d angles = Vec3d::Zero();  ///< radians about x, y, z of the world
};

/// Requests that were changed or rejected.
struct FigureReport {
    struct Limited {
        int joint = -1;
        int axis = 0;
        double wanted = 0;
    };
    struct Collided {
        int joint = -1;
        PartPair pair;
        double fraction = 0;  ///< fraction of the motion that was executed
    };
    std::vector<Limited> limited;
    std::vector<Collided> collided;

    bool clean() const { return limited.empty() && collided.empty(); }
};

/// A figure that keeps its pose between frames. Joints have the indices of their parts.
class ArticulatedFigure {
  public:
    /// \param cut the mesh and its parts
    /// \param tree hierarchy of the parts and their openings
    /// \param features centres and boxes of the parts
    /// \param options limits and collisions
    ArticulatedFigure(const geometry::CutMesh& cut, const geometry::PartTree& tree,
                      std::span<const geometry::PartFeatures> features, const FigureOptions& options = {});

    std::vector<FigureJoint>& joints() { return joints_; }  ///< limits and frames may be changed
    const std::vector<FigureJoint>& joints() const { return joints_; }
    const std::vector<int>& order() const { return order_; }  ///< parents first; the numbering of channels
    /// \return boxes and tree of the parts
    const PartCollision& collision() const { return *collision_; }
    FigureOptions& options() { return options_; }

    /// Sets the angles of all joints, relative to rest. Joints whose angles change are checked one after the
    /// other, parents first; while a parent is checked, its descendants still have their previous pose.
    /// \param angles of all joints, radians about x, y, z
    /// \param mover moves the whole figure
    /// \param monitor can cancel
    /// \return requests that were changed or rejected
    FigureReport pose(std::span<const Vec3d> angles, const FigureMover& mover = {},
                      Monitor& monitor = silent());
    /// The same with rotations in the frames of the joints, for quaternion channels; limits apply to their
    /// angles in the rotation order of the figure.
    /// \param rotations of all joints
    /// \param mover,monitor as above
    /// \return requests that were changed or rejected
    FigureReport pose(std::span<const math::Quatd> rotations, const FigureMover& mover = {},
                      Monitor& monitor = silent());
    /// Adds rotations to the current pose. Limits apply to the sum of the angles.
    /// \param deltas of all joints, radians
    /// \param mover,monitor as above
    /// \return requests that were changed or rejected
    FigureReport rotate(std::span<const Vec3d> deltas, const FigureMover& mover = {},
                        Monitor& monitor = silent());
    /// Returns to the rest pose.
    void reset();

    /// Transform of each part from its rest position.
    std::span<const math::Rigidd> world() const { return world_; }
    const std::vector<Vec3d>& angles() const { return angles_; }
    /// The rotation of a joint in its own frame.
    const std::vector<math::Quatd>& rotations() const { return rotations_; }

  private:
    struct Wish {
        Vec3d angles;
        math::Quatd rotation;
    };
    FigureReport apply(std::span<const Wish> wishes, const FigureMover& mover, Monitor& monitor);
    bool within_limits(std::size_t joint, Wish& wish, FigureReport& report) const;
    void avoid_collision(std::size_t joint, const Wish& from, const Wish& to, FigureReport& report);
    int steps_of(std::size_t joint, double angle) const;
    void set(std::size_t joint, const Wish& wish);
    void pose_part(std::size_t joint);
    void pose_subtree(int joint);

    FigureOptions options_;
    std::vector<FigureJoint> joints_;
    std::vector<int> order_;
    std::shared_ptr<const PartCollision> collision_;
    math::Rigidd mover_;
    std::vector<Vec3d> angles_;
    std::vector<math::Quatd> rotations_;
    std::vector<math::Rigidd> world_;
};

/// Reports limited angles (`joint-limit`) and collisions (`part-collision`) as warnings.
/// \param report result of a pose
/// \param names names of the parts
/// \param monitor receives the warnings
void warn_about(const FigureReport& report, const std::vector<std::string>& names, Monitor& monitor);

/// Plays channels on a figure. Channel 3 j + axis is an angle of joint number j in depth-first order; the
/// last six are the mover. The clip can be changed at any time; the figure keeps its pose until the next
/// frame or a reset.
class FigurePlayer {
  public:
    /// \param figure the figure to move; must outlive this object
    /// \param set the channels
    /// \param monitor receives the warning `channel-without-joint` for channels that belong to no joint
    /// \param part_of_number part of each joint number, for a hierarchy file with its own order; empty uses
    /// the order of the figure
    FigurePlayer(ArticulatedFigure& figure, const model::ChannelSet& set, Monitor& monitor = silent(),
                 std::vector<int> part_of_number = {});

    /// Loads another clip; the pose does not change.
    /// \param set its channels
    /// \param monitor receives warnings
    void load(const model::ChannelSet& set, Monitor& monitor = silent());
    /// Sets the pose at a time.
    /// \param time seconds
    /// \param monitor can cancel
    /// \return requests that were changed or rejected
    FigureReport play(double time, Monitor& monitor = silent());

    double start() const { return start_; }
    double end() const { return end_; }
    /// Number of frames of the playback interval at a rate, both ends included.
    std::size_t frame_count(double rate) const;

  private:
    struct Played {
        model::ChannelCurve curve;
        model::ChannelCursor cursor;
    };
    ArticulatedFigure* figure_;
    std::vector<int> part_of_number_;
    std::vector<Played> channels_;  ///< by channel number; empty curves are 0
    double start_ = 0, end_ = 0;
};

}  // namespace sinew::articulated
