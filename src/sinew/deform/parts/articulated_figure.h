#pragma once
/// \file
/// A figure of rigid parts that turn about the middles of their openings (Vasilakis 2008; section 3.6 of the
/// specification): angles in, places of the parts out, with limits and collisions as a veto.

#include "sinew/deform/parts/part_collision.h"
#include "sinew/math/quaternion.h"
#include "sinew/model/skeleton.h"

namespace sinew::deform {

using geometry::Vec3d;

/// What happens to an angle outside its range, and to a motion that ends in a collision.
enum class Veto : std::uint8_t {
    off,
    warn,    ///< it is done, and reported
    clamp,   ///< the last valid angle is taken
    reject,  ///< the joint keeps its angles from before
};

struct FigureOptions {
    math::EulerOrder order = {2, 1, 0};  ///< Q = Q_z Q_y Q_x: x turns first
    Veto limits = Veto::reject;
    Veto collisions = Veto::off;
    bool exact = false;  ///< collisions of triangles, not of boxes
    /// Looks at the way to the new angles too, in steps by which no point of the moving parts goes farther
    /// than the thinnest box is thick: nothing passes through.
    bool continuous = false;
    int bisections = 12;  ///< steps to the last valid angle
};

/// A ball joint in axis-position form: where it stands, the frame in which it turns, how far it may.
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

/// What was asked for and not done as asked.
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
    ArticulatedFigure(const geometry::CutMesh& cut, const geometry::PartTree& tree,
                      std::span<const geometry::PartFeatures> features, const FigureOptions& options = {});

    std::vector<FigureJoint>& joints() { return joints_; }  ///< limits and frames may be changed
    const std::vector<FigureJoint>& joints() const { return joints_; }
    const std::vector<int>& order() const { return order_; }  ///< parents first: the numbering of channels
    const PartCollision& collision() const { return collision_; }
    FigureOptions& options() { return options_; }

    /// Absolute mode: the angles of all joints, from rest. Joints whose angles change are judged one after
    /// the other, parents first; those below still stand as before while their parent is judged.
    FigureReport pose(std::span<const Vec3d> angles, const FigureMover& mover = {},
                      Monitor& monitor = silent());
    /// The same with rotations in the frames of the joints, for channels of quaternions; limits hold for the
    /// angles that they have in the order of the figure.
    FigureReport pose(std::span<const math::Quatd> rotations, const FigureMover& mover = {},
                      Monitor& monitor = silent());
    /// Incremental mode: turns by angles on top of what there is. Limits hold for the sum of the angles.
    FigureReport turn(std::span<const Vec3d> deltas, const FigureMover& mover = {},
                      Monitor& monitor = silent());
    /// Back to rest.
    void reset();

    /// Where each part is taken from its rest place.
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
    void place(std::size_t joint);
    void place_subtree(int joint);

    FigureOptions options_;
    std::vector<FigureJoint> joints_;
    std::vector<int> order_;
    PartCollision collision_;
    math::Rigidd mover_;
    std::vector<Vec3d> angles_;
    std::vector<math::Quatd> rotations_;
    std::vector<math::Rigidd> world_;
};

/// The figure as a skeleton in its rest pose, with limits in the frames of its joints: a channel player makes
/// the same poses of it.
model::Skeleton figure_skeleton(const ArticulatedFigure& figure, const std::vector<std::string>& names);

/// Says on the monitor what was limited (`joint-limit`) and what collided (`part-collision`).
void warn_about(const FigureReport& report, const std::vector<std::string>& names, Monitor& monitor);

}  // namespace sinew::deform
