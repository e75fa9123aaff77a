#pragma once
/// \file
/// One instance of a sphere tree in one pose. Balls and vertices are made when they are asked for, and kept
/// until the pose changes; a new pose costs only its joints.

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "sinew/collide/bounds.h"
#include "sinew/collide/sphere_tree.h"
#include "sinew/collide/triangle_pair.h"
#include "sinew/deform/set_coefficients.h"

namespace sinew::collide {

/// How nodes are bounded.
enum class Refit {
    automatic,      ///< the tightest that is worth its cost
    plain_hull,     ///< linear: hull of the node's ball under all its joints (LBS-0)
    weighted_hull,  ///< linear: the node's ball for every influence set (LBS-1); spherical: the cap
    records,        ///< the ball of each influence set (LBS-2), never joint by joint
};

/// What a query did.
struct QueryCounts {
    std::size_t ball_tests = 0;
    std::size_t refits = 0;
    std::size_t vertices = 0;  ///< deformed
    std::size_t triangle_tests = 0;
    std::size_t contacts = 0;

    QueryCounts& operator+=(const QueryCounts& other);
    bool operator==(const QueryCounts&) const = default;
};

/// Room for refits, one per thread; nothing is allocated once it has grown.
struct RefitRoom {
    std::vector<Ball> balls;
    std::vector<SphericalCorner> spherical;
    std::vector<DualCorner> dual;
    std::vector<Vec3d> images;
    QueryCounts counts;
};

/// Vectors added to the skinned vertices (in mesh order), none longer than `bound`: what a fitted sequence
/// corrects. They must outlive the pose.
struct Displacements {
    std::span<const Vec3f> vectors;
    double bound = 0;
};

/// Any number of threads may query one body, with one RefitRoom each; `set_pose` must be alone.
class Body {
  public:
    /// The tree must outlive the body. Starts in the rest pose.
    /// \throws Error for a method other than lbs, sbs and dqs.
    explicit Body(const SphereTree& tree, deform::Method method = deform::Method::lbs,
                  Refit refit = Refit::automatic);

    /// A new pose: the palette takes rest space to the world.
    /// \throws Error when it is too short or not finite.
    void set_pose(std::span<const deform::Mat34f> palette, const Displacements& displacements = {});

    /// Moves a body by one matrix, all joints alike.
    void set_rigid_pose(const deform::Mat34f& matrix);

    const SphereTree& tree() const { return *tree_; }
    deform::Method method() const { return method_; }

    /// The ball of a node in this pose: contains every vertex of its triangles as skinning computes it, in
    /// single or double precision.
    Ball ball(std::uint32_t node, RefitRoom& room);
    /// A vertex (in the order of the tree) in this pose.
    Vec3f vertex(std::uint32_t vertex, RefitRoom& room);
    /// Corners of a triangle (in the order of the tree).
    Corners corners(std::uint32_t triangle, RefitRoom& room);
    /// True when the ball was asked for in this pose.
    bool refitted(std::uint32_t node) const;

    /// Baselines: all balls of this pose at once, from vertices. Bottom-up: leaves around their vertices,
    /// parents around their children. Best: the smallest ball of each node's vertices. `vertices` are in mesh
    /// order; without any the body deforms its own.
    void fill_bottom_up(RefitRoom& room, std::span<const Vec3f> vertices = {});
    void fill_best(RefitRoom& room, std::span<const Vec3f> vertices = {});

    /// Bytes held besides the tree.
    std::size_t memory() const;

  private:
    struct Joint {
        math::Mat3d linear;
        Vec3d move;
        double stretch = 1;  ///< largest singular value
        double bend = 0;     ///< how far the rigid part may take a vertex from the matrix
    };
    /// What a set needs besides its joints, once a pose.
    struct Set {
        Vec3d center = Vec3d::Zero();  ///< spherical: rest centre
        double least = 1;              ///< smallest <q_i, s>
        double spread = 0;             ///< spherical: how far apart the joints take the centre
    };
    /// Joint of a set: its quaternion with sign.
    struct SetJoint {
        Quatd q, dual;
        Vec3d moved;  ///< spherical: where it takes the centre
    };

    void fill_vertices(RefitRoom& room, std::span<const Vec3f> vertices);
    void keep(std::size_t node, const StoredBall& ball);
    Ball refit(const Node& node, RefitRoom& room);
    Ball leaf_ball(const Node& node, RefitRoom& room);
    Ball joint_hull(const Node& node, RefitRoom& room);
    void add_plain_hull(const Record& record, const Ball& ball, RefitRoom& room);
    void add_linear(const Record& record, const Ball& ball, RefitRoom& room);
    void add_spherical(const Record& record, Ball ball, RefitRoom& room);
    void add_dual(const Record& record, Ball ball, RefitRoom& room);
    Ball stretched(const Record& record, const Ball& ball) const;
    double linear_slack(std::size_t joints) const;
    double dual_slack(std::size_t joints, double least, double farther = 0) const;

    void begin_pose(const Displacements& displacements);
    void prepare_joint(std::size_t joint, const deform::Mat34f& matrix);
    void prepare_set(std::uint32_t set);
    void fill_set(std::uint32_t set);

    Vec3d deformed(std::uint32_t vertex);
    Vec3d deformed_linear(std::uint32_t vertex) const;
    Vec3d deformed_spherical(std::uint32_t vertex) const;
    Vec3d deformed_dual(std::uint32_t vertex) const;
    Vec3d stretched_vertex(std::uint32_t vertex, bool degenerate) const;
    Quatd heaviest(std::uint32_t vertex, std::size_t& place) const;

    const SphereTree* tree_;
    deform::Method method_;
    Refit refit_;
    std::uint32_t pose_ = 0;  ///< even; stamps hold it, and one less while a set is being filled
    bool stretch_ = false;    ///< some joint scales or shears
    double size_ = 0;         ///< largest coordinate size that skinning meets, for rounding slack
    double moved_ = 0;        ///< largest translation
    Displacements displacements_;
    std::vector<Joint> joints_;
    std::vector<deform::JointMotion> motions_;
    std::vector<Set> sets_;
    std::vector<SetJoint> set_joints_;
    std::unique_ptr<std::atomic<std::uint32_t>[]> set_stamps_;
    std::vector<StoredBall> balls_;
    std::vector<std::uint32_t> ball_stamps_;
    std::vector<Vec3f> vertices_;
    std::vector<std::uint32_t> vertex_stamps_;
};

}  // namespace sinew::collide
