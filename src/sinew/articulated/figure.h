// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A figure of rigid parts that rotate about the middles of their openings: angles in, positions of the parts
/// out, with limits and collisions as a veto. \cite vasilakis2008
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

/// What happens to an angle outside its range, and to a motion that ends in a collision.
enum class Veto : std::uint8_t {
    off,
    warn,    ///< it is done, and reported
    clamp,   ///< the last valid angle is taken
    reject,  ///< the joint keeps its angles from before
};

struct FigureOptions {
    math::EulerOrder order = {2, 1, 0};  ///< Q = Q_z Q_y Q_x: x rotates first
    Veto limits = Veto::reject;
    Veto collisions = Veto::off;
    bool exact = false;  ///< collisions of triangles, not of boxes
    /// Looks at the path to the new angles too, in steps by which no point of the moving parts goes farther
    /// than the thinnest box is thick: nothing passes through.
    bool continuous = false;
    int bisections = 12;  ///< steps to the last valid angle
};

/// A ball joint in axis-position form: its position, the frame in which it rotates, its limits.
struct FigureJoint {
    int parent = -1;
    Vec3d position = Vec3d::Zero();
    /// Takes the axis from the joint to the centre of the parent part to +z, by two rolls; identity for a
    /// root. May be set to any frame.
    math::Quatd align = math::Quatd::Identity();
    Vec3d low = Vec3d::Constant(-std::numeric_limits<double>::infinity());  ///< radians, about x, y, z
    Vec3d high = Vec3d::Constant(std::numeric_limits<double>::infinity());
};

/// Places the whole figure.
struct FigureMover {
    Vec3d translation = Vec3d::Zero();
    Vec3d angles = Vec3d::Zero();  ///< about x, y, z of the world
};

/// Requests that were changed or refused.
struct FigureReport {
    struct Limited {
        int joint = -1;
        int axis = 0;
        double wanted = 0;
    };
    struct Collided {
        int joint = -1;
        PartPair pair;
        double fraction = 0;  ///< of the motion that was done
    };
    std::vector<Limited> limited;
    std::vector<Collided> collided;

    bool clean() const { return limited.empty() && collided.empty(); }
};

/// Keeps the pose between frames. Joints have the numbers of their parts.
class ArticulatedFigure {
  public:
    /// \param cut the mesh and its parts
    /// \param tree how the parts are connected, and their openings
    /// \param features centres and boxes of the parts
    /// \param options limits and collisions
    ArticulatedFigure(const geometry::CutMesh& cut, const geometry::PartTree& tree,
                      std::span<const geometry::PartFeatures> features, const FigureOptions& options = {});

    std::vector<FigureJoint>& joints() { return joints_; }  ///< limits and frames may be changed
    const std::vector<FigureJoint>& joints() const { return joints_; }
    const std::vector<int>& order() const { return order_; }  ///< parents first: the numbering of channels
    /// \return boxes and tree of the parts
    const PartCollision& collision() const { return *collision_; }
    FigureOptions& options() { return options_; }

    /// Absolute mode: the angles of all joints, from rest. Joints whose angles change are judged one after
    /// the other, parents first; those below still stand as before while their parent is judged.
    /// \param angles of all joints, radians about x, y, z
    /// \param mover moves the whole figure
    /// \param monitor may cancel
    /// \return what was not done as asked
    FigureReport pose(std::span<const Vec3d> angles, const FigureMover& mover = {},
                      Monitor& monitor = silent());
    /// The same with rotations in the frames of the joints, for channels of quaternions; limits hold for the
    /// angles that they have in the order of the figure.
    /// \param rotations of all joints
    /// \param mover,monitor as above
    /// \return what was not done as asked
    FigureReport pose(std::span<const math::Quatd> rotations, const FigureMover& mover = {},
                      Monitor& monitor = silent());
    /// Incremental mode: adds rotations to the current pose. Limits hold for the sum of the angles.
    /// \param deltas of all joints, radians
    /// \param mover,monitor as above
    /// \return what was not done as asked
    FigureReport rotate(std::span<const Vec3d> deltas, const FigureMover& mover = {},
                        Monitor& monitor = silent());
    /// Back to rest.
    void reset();

    /// Where each part is taken from its rest position.
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

/// Warns of what was limited (`joint-limit`) and what collided (`part-collision`).
/// \param report of a pose
/// \param names of the parts
/// \param monitor that is told
void warn_about(const FigureReport& report, const std::vector<std::string>& names, Monitor& monitor);

/// Channel 3 j + axis is an angle of the joint with number j, depth first; behind them six for the mover.
/// The clip can be changed at any time; the figure stays as it is until the next frame or a reset.
class FigurePlayer {
  public:
    /// Warns `channel-without-joint` about channels that belong to no joint.
    /// \param figure that is moved; must outlive this
    /// \param set the channels
    /// \param monitor gets the warnings
    /// \param part_of_number part of each joint number where a hierarchy file has its own order; empty uses
    /// the order of the figure
    FigurePlayer(ArticulatedFigure& figure, const model::ChannelSet& set, Monitor& monitor = silent(),
                 std::vector<int> part_of_number = {});

    /// Loads another clip. The pose stays.
    /// \param set its channels
    /// \param monitor that is warned
    void load(const model::ChannelSet& set, Monitor& monitor = silent());
    /// Poses the figure as at a time.
    /// \param time seconds
    /// \param monitor may cancel
    /// \return what was not done as asked
    FigureReport play(double time, Monitor& monitor = silent());

    double start() const { return start_; }
    double end() const { return end_; }
    /// Number of frames of the interval at a rate, both ends included.
    std::size_t frame_count(double rate) const;

  private:
    struct Played {
        model::ChannelCurve curve;
        model::ChannelCursor cursor;
    };
    ArticulatedFigure* figure_;
    std::vector<int> part_of_number_;
    std::vector<Played> channels_;  ///< by number; empty curves are 0
    double start_ = 0, end_ = 0;
};

}  // namespace sinew::articulated
