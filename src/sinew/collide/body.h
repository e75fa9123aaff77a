#pragma once
/// \file
/// One instance of a sphere tree in one pose. Balls and vertices are made when they are asked for, and kept
/// until the pose changes; a new pose costs only its joints.

#include <span>
#include <vector>

#include "sinew/collide/bounds.h"
#include "sinew/collide/reach.h"
#include "sinew/collide/triangle_block.h"
#include "sinew/collide/vertex_pose.h"

namespace sinew::collide {

class MorphedTree;

/// How nodes are bounded.
enum class Refit {
    automatic,      ///< for every influence set the node's ball or its own, whichever reaches less far
    plain_hull,     ///< linear: hull of the node's ball under all its joints (LBS-0)
    weighted_hull,  ///< linear: the node's ball for every influence set (LBS-1); spherical: the cap
    records,        ///< the ball of each influence set (LBS-2), never joint by joint
    edges,          ///< as automatic, but other blends only by how far they can be from linear ones
};

/// What a query did.
struct QueryCounts {
    std::size_t ball_tests = 0;
    std::size_t refits = 0;
    std::size_t reused = 0;    ///< balls that moved along with the whole body instead
    std::size_t vertices = 0;  ///< deformed
    std::size_t triangle_tests = 0;
    std::size_t contacts = 0;

    QueryCounts& operator+=(const QueryCounts& other);
    bool operator==(const QueryCounts&) const = default;
};

/// Images of one centre under joints, each made when it is asked for.
class KeptImages {
  public:
    /// Forgets all; there are `joints`.
    void start(std::size_t joints) {
        if (marks_.size() < joints) {
            marks_.resize(joints, 0);
            images_.resize(joints);
        }
        if (++mark_ == 0) {
            std::fill(marks_.begin(), marks_.end(), 0);
            mark_ = 1;
        }
    }
    template <class Make>
    Float4 at(std::uint32_t joint, const Make& make) {
        if (marks_[joint] == mark_) return load4(images_[joint].at);
        const Float4 image = make();
        marks_[joint] = mark_;
        store4(images_[joint].at, image);
        return image;
    }

  private:
    std::vector<Point4> images_;
    std::vector<std::uint32_t> marks_;
    std::uint32_t mark_ = 0;
};

/// Room for refits, one per thread; nothing is allocated once it has grown.
struct QueryScratch {
    std::vector<Ball> balls;
    std::vector<SphericalCorner> spherical;
    std::vector<DualCorner> dual;
    std::vector<Vec3d> exact_images;
    KeptImages images;
    std::vector<Point4> points, blends;
    std::vector<float> joint_bends;
    std::vector<Reach> reaches, own_reaches;  ///< of the node's ball, and of the sets' own
    QueryCounts counts;
    bool rough = false;  ///< balls that are made quickly will do
};

/// Any number of threads may query one body, with one QueryScratch each; `set_pose` must be alone.
class Body : private VertexPose {
  public:
    /// The tree must outlive the body. Starts in the rest pose.
    /// \throws Error for a method other than lbs, sbs and dqs.
    explicit Body(const SphereTree& tree, deform::Method method = deform::Method::lbs,
                  Refit refit = Refit::automatic);

    /// A body whose rest shape changes; the only one on this tree, which must outlive it.
    explicit Body(MorphedTree& shape, deform::Method method = deform::Method::lbs,
                  Refit refit = Refit::automatic);

    /// A new pose: the palette takes rest space to the world. Where it is the last one moved as a whole, and
    /// blending is linear, balls that were made in that are kept and move along.
    /// \throws Error when it is too short or not finite.
    void set_pose(std::span<const deform::Mat34f> palette, const Displacements& displacements = {});

    /// False makes all balls anew in every pose, also when the body only moves as a whole.
    void keep_balls(bool keep) { keep_balls_ = keep; }

    /// Moves a body by one matrix, all joints alike.
    void set_rigid_pose(const deform::Mat34f& matrix);

    const SphereTree& tree() const { return *tree_; }
    deform::Method method() const { return method_; }

    /// The ball of a node in this pose: contains every vertex of its triangles as skinning computes it, in
    /// single or double precision.
    Ball ball(std::uint32_t node, QueryScratch& room) { return kept_ball(node, room).widen(); }
    /// The same as it is kept.
    const StoredBall& kept_ball(std::uint32_t node, QueryScratch& room) {
        if (!stamps_.ready(node, pose_)) make(node, room);
        return balls_[node];
    }
    /// Makes the vertices and boxes of a leaf, which what follows needs.
    void need_leaf(std::uint32_t leaf, QueryScratch& room) {
        if (!leaf_stamps_.ready(leaf, pose_)) make_leaf(leaf, room);
    }
    bool leaf_made(std::uint32_t leaf) const { return leaf_stamps_.ready(leaf, pose_); }
    /// Around the vertices of a leaf, exactly.
    const Box4& leaf_box(std::uint32_t node) const { return leaf_boxes_[node]; }
    /// Around a block of a leaf.
    const Box4& block_box(std::uint32_t block) const { return block_boxes_[block]; }
    /// The triangles of block k of a leaf.
    void fill_block(const Node& leaf, std::uint32_t k, TriangleBlock& block) const;
    const Point4& made_vertex(std::uint32_t vertex) const { return vertices_[vertex]; }

    /// A vertex (in the order of the tree) in this pose, whatever was asked for before.
    Vec3f vertex(std::uint32_t vertex, QueryScratch& room);
    /// Corners of a triangle (in the order of the tree).
    Corners corners(std::uint32_t triangle, QueryScratch& room);
    /// True when the ball was asked for in this pose.
    bool refitted(std::uint32_t node) const { return stamps_.ready(node, pose_); }

    /// Baselines: all balls of this pose at once, from vertices. Bottom-up: leaves around their vertices,
    /// parents around their children. Best: the smallest ball of each node's vertices. `vertices` are in mesh
    /// order; without any the body deforms its own.
    void fill_bottom_up(QueryScratch& room, std::span<const Vec3f> vertices = {});
    void fill_best(QueryScratch& room, std::span<const Vec3f> vertices = {});

    /// Bytes held besides the tree.
    std::size_t memory() const;

  private:
    /// One motion that takes all joints from the pose before to this one, and what balls grow by.
    struct WholeMotion {
        math::Mat3d linear = math::Mat3d::Identity();
        Vec3d move = Vec3d::Zero();
        double stretch = 1;
        double slack = 0;
        int count = 0;  ///< of poses that followed one another so
    };

    void make(std::uint32_t node, QueryScratch& room);
    void make_leaf(std::uint32_t leaf, QueryScratch& room);
    StoredBall refit(const Node& node, QueryScratch& room);
    StoredBall fast_refit(const Node& node, QueryScratch& room);
    Ball joint_hull(const Node& node, QueryScratch& room);
    std::span<const float> joint_bends(const Node& node, QueryScratch& room);
    Ball hull_by_sets(const Node& node, const Ball& hull);
    Ball reference_refit(const Node& node, QueryScratch& room);
    void add_plain_hull(const Record& record, const Ball& ball, QueryScratch& room);
    void add_linear(const Record& record, const Ball& ball, QueryScratch& room);
    void add_spherical(const Record& record, Ball ball, QueryScratch& room);
    void add_dual(const Record& record, Ball ball, QueryScratch& room);
    void reach_both(const Record& record, const Node& node, float limit, QueryScratch& room);
    bool reach_less(const Node& node, Float4 center, float radius, QueryScratch& room);
    Reach reach_linear(const Record& record, const StoredBall& ball, KeptImages* images, float limit,
                       QueryScratch& room);
    float bend_beyond(const Bend& bend, std::uint32_t joints, const QueryScratch& room) const;
    void reach_spherical(const Record& record, const StoredBall& ball, const StoredBall* own,
                         QueryScratch& room);
    void reach_dual(const Record& record, const StoredBall& ball, const StoredBall* own, QueryScratch& room);
    template <bool spherical>
    Point4* blend_corners(const Record& record, Float4 center, QueryScratch& room);
    Ball stretched(const Record& record, const Ball& ball) const;
    bool may_be_whole(std::span<const deform::Mat34f> palette, const Displacements& displacements) const;
    bool find_whole_motion(std::span<const deform::Mat34f> palette);
    double half_rounding() const;
    StoredBall moved_along(const StoredBall& ball) const;
    template <class Matrix>
    void pose_joints(const Matrix& matrix_of, const Displacements& displacements);
    StoredBall leaf_ball(std::uint32_t node, QueryScratch& room);
    void fill_leaf_boxes(std::uint32_t node);
    double leaf_slack(const LeafBlend& blend) const;

    MorphedTree* shape_ = nullptr;  ///< whose tree it is, if its rest shape changes
    Refit refit_;
    std::uint32_t last_pose_ = 1;  ///< whose balls move along by `whole_`; odd when there is none
    WholeMotion whole_;
    bool keep_balls_ = true;
    Stamps stamps_, leaf_stamps_;
    std::vector<StoredBall> balls_;
    std::vector<Box4> leaf_boxes_;        ///< of nodes; inner ones have none
    std::vector<LeafBlend> leaf_blends_;  ///< the same
    std::vector<Box4> block_boxes_;
};

}  // namespace sinew::collide
