#pragma once
/// \file
/// One instance of a sphere tree in one pose. Balls and vertices are made when they are asked for, and kept
/// until the pose changes; a new pose costs only its joints.

#include <cmath>
#include <span>
#include <vector>

#include "sinew/collide/bounds.h"
#include "sinew/collide/float4.h"
#include "sinew/collide/sphere_tree.h"
#include "sinew/collide/stamps.h"
#include "sinew/collide/triangle_block.h"
#include "sinew/deform/set_coefficients.h"

namespace sinew::collide {

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
    std::size_t vertices = 0;  ///< deformed
    std::size_t triangle_tests = 0;
    std::size_t contacts = 0;

    QueryCounts& operator+=(const QueryCounts& other);
    bool operator==(const QueryCounts&) const = default;
};

/// Four floats: a point and a number that most leave at 0.
struct alignas(16) Point4 {
    float at[4] = {0, 0, 0, 0};

    Vec3f point() const { return {at[0], at[1], at[2]}; }
};

/// An axis-aligned box.
struct Box4 {
    Point4 low, high;
};

/// Some points that are reached from a centre, and how far beyond them.
struct Reach {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    float radius = 0;
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
struct RefitRoom {
    std::vector<Ball> balls;
    std::vector<SphericalCorner> spherical;
    std::vector<DualCorner> dual;
    std::vector<Vec3d> exact_images;
    KeptImages images;
    std::vector<Point4> points, blends;
    std::vector<Reach> reaches, own_reaches;  ///< of the node's ball, and of the sets' own
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
    Ball ball(std::uint32_t node, RefitRoom& room) { return kept_ball(node, room).widen(); }
    /// The same as it is kept.
    const StoredBall& kept_ball(std::uint32_t node, RefitRoom& room) {
        if (!stamps_.ready(node, pose_)) make(node, room);
        return balls_[node];
    }
    /// Makes the vertices and boxes of a leaf, which what follows needs.
    void need_leaf(std::uint32_t leaf, RefitRoom& room) {
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
    Vec3f vertex(std::uint32_t vertex, RefitRoom& room);
    /// Corners of a triangle (in the order of the tree).
    Corners corners(std::uint32_t triangle, RefitRoom& room);
    /// True when the ball was asked for in this pose.
    bool refitted(std::uint32_t node) const { return stamps_.ready(node, pose_); }

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

        float stretch_up() const { return static_cast<float>(stretch) * (1 + 0x1p-22f); }
    };
    /// The same as it is played: columns of the linear part, then the translation.
    struct Columns {
        Point4 at[4];
    };
    /// What centres are solved from: R by rows, t, R^T t and |t|^2 of the rigid part of a joint.
    struct CenterTerms {
        double at[16] = {};
    };
    /// What a set needs besides its joints, once a pose.
    struct Set {
        Point4 pivot;        ///< spherical: rest centre
        float center2 = 0;   ///< its squared distance from the origin
        float gap = 0;       ///< how far apart a pivot that stands for the centre is taken
        float variance = 0;  ///< spherical: of where the joints take the centre
        double least = 1;    ///< exact: smallest <q_i, s>
        double spread = 0;   ///< exact, spherical: how far apart the joints take the centre

        Vec3d center() const { return pivot.point().cast<double>(); }
        float center_size() const { return std::sqrt(center2) * (1 + 0x1p-20f); }
    };
    /// Joint of a set: its quaternion with sign.
    struct SetJoint {
        Quatd q, dual;
        Vec3d moved;  ///< spherical: where it takes the centre
    };
    /// The same as it is played: the quaternion, and its dual or where the centre goes.
    struct PlayedJoint {
        Point4 q, other;
    };
    /// Sets of no more joints are played without looking further than the joints.
    static constexpr std::uint32_t few_joints = 8;
    /// How far the blend of a set is from the linear one at most, from its edges alone: `turn` (D + spread)
    /// where its joints take a point D around their middle. Unbounded where `turn` is infinite.
    struct Bend {
        float turn = 0;
        float spread = 0;  ///< spherical: how far apart they take the centre
        float slack = 0;   ///< for rounding
        float most = 0;    ///< the whole, for the vertex of the set that is farthest from the pivots
    };
    /// What rounding in a leaf depends on.
    struct LeafBlend {
        float length2 = 1;  ///< smallest squared length of a blended quaternion
        float center2 = 0;  ///< spherical: largest squared distance of a rest centre from the origin
        float gap = 0;      ///< spherical: largest of the sets
    };

    void make(std::uint32_t node, RefitRoom& room);
    void make_leaf(std::uint32_t leaf, RefitRoom& room);
    StoredBall refit(const Node& node, RefitRoom& room);
    StoredBall fast_refit(const Node& node, RefitRoom& room);
    Ball joint_hull(const Node& node, RefitRoom& room);
    Ball hull_by_sets(const Node& node, const Ball& hull);
    Ball reference_refit(const Node& node, RefitRoom& room);
    void add_plain_hull(const Record& record, const Ball& ball, RefitRoom& room);
    void add_linear(const Record& record, const Ball& ball, RefitRoom& room);
    void add_spherical(const Record& record, Ball ball, RefitRoom& room);
    void add_dual(const Record& record, Ball ball, RefitRoom& room);
    void reach_both(const Record& record, const Node& node, RefitRoom& room);
    Reach reach_linear(const Record& record, const StoredBall& ball, KeptImages* images, float limit,
                       RefitRoom& room);
    float bend_beyond(const Bend& bend, std::uint32_t joints, const RefitRoom& room) const;
    void reach_spherical(const Record& record, const StoredBall& ball, const StoredBall* own,
                         RefitRoom& room);
    void reach_dual(const Record& record, const StoredBall& ball, const StoredBall* own, RefitRoom& room);
    Point4* blend_corners(const Record& record, RefitRoom& room);
    Ball stretched(const Record& record, const Ball& ball) const;
    double linear_slack(std::size_t joints) const;
    double dual_slack(std::size_t joints, double least, double farther = 0) const;
    double spherical_slack(std::size_t joints, double from_center, double center, double least) const;

    void begin_pose(const Displacements& displacements);
    void end_pose();
    void prepare_joint(std::size_t joint, const deform::Mat34f& matrix);
    bool surely_rigid(const Columns& columns, double departure) const;
    void prepare_motion(std::uint32_t joint) {
        if (!motion_stamps_.ready(joint, pose_))
            motion_stamps_.fill(joint, pose_, [&] { split_motion(joint); });
    }
    bool split_motion(std::uint32_t joint);
    void prepare_set(std::uint32_t set) {
        if (!set_stamps_.ready(set, pose_)) set_stamps_.fill(set, pose_, [&] { fill_set(set); });
    }
    void fill_set(std::uint32_t set);
    const PlayedJoint* played_joints(std::uint32_t set, PlayedJoint (&room)[few_joints]);
    void prepare_centers() {
        if (!center_stamps_.ready(0, pose_)) center_stamps_.fill(0, pose_, [&] { fill_centers(); });
    }
    void fill_centers();
    void fill_terms();
    bool shared_center(std::uint32_t set);
    template <std::uint32_t fixed>
    void fill_two_centers(std::uint32_t first, std::uint32_t second);
    void place_center(std::uint32_t set, Float4 center, double variance);
    Vec3d solved_center(std::uint32_t set);
    void prepare_exact(std::uint32_t set) {
        if (!exact_stamps_.ready(set, pose_)) exact_stamps_.fill(set, pose_, [&] { fill_exact(set); });
    }
    void fill_exact(std::uint32_t set);
    void prepare_turns() {
        if (!turn_stamps_.ready(0, pose_)) turn_stamps_.fill(0, pose_, [&] { fill_turns(); });
    }
    void fill_turns();
    bool signs_agree() const;
    void prepare_edges() {
        if (!edge_stamps_.ready(0, pose_)) edge_stamps_.fill(0, pose_, [&] { fill_edges(); });
    }
    void fill_edges();
    void fill_edge_turns();
    void fill_edge_slack();
    template <bool spherical>
    void fill_wide_bends();
    /// Rounding over |b|^2 >= 1 - H^2 / 2, which is convex in H^2.
    Float4 edge_slack(Float4 bend, Float4 center) const {
        return (all4(near_slack_) + all4(center_slack_) * center) * (all4(1) + all4(0.912f) * bend * bend);
    }
    float bend_of_joint(std::uint32_t joint) const;
    Float4 farthest_centers(const BlendEdges::WideSets& four, Float4 far);
    float farthest_inner(std::size_t widest);
    float nearer_center(std::uint32_t set);
    Float4 axis_of(std::uint32_t edge) const;
    float pivot_spread(std::uint32_t set) const;
    const Bend& bend_of(std::uint32_t set) {
        if (!bend_stamps_.ready(set, pose_)) bend_stamps_.fill(set, pose_, [&] { fill_bend(set); });
        return bends_[set];
    }
    void fill_bend(std::uint32_t set);

    StoredBall leaf_ball(std::uint32_t node, RefitRoom& room);
    void fill_leaf_boxes(std::uint32_t node);
    void copy_leaf(const Node& leaf, std::span<const Vec3f> vertices);
    LeafBlend deform_leaf(const Node& leaf);
    void deform_run(std::uint32_t set, std::uint32_t first, std::uint32_t end, LeafBlend& blend);
    template <std::uint32_t fixed>
    void deform_linear(const TreeSet& set, const float* weights, std::uint32_t first, std::uint32_t end);
    template <bool spherical>
    void deform_blended(std::uint32_t set, const float* weights, std::uint32_t first, std::uint32_t end,
                        LeafBlend& blend);
    template <bool spherical, std::uint32_t fixed>
    void deform_quaternions(std::uint32_t set, const float* weights, std::uint32_t first, std::uint32_t end,
                            LeafBlend& blend);
    template <bool spherical, std::uint32_t fixed>
    static bool blend_four(const PlayedJoint* played, std::uint32_t joints, const float* weights,
                           const Vec3f* positions, const Point4& center, Float4 (&out)[4], float& length2);
    template <std::uint32_t fixed>
    Float4 linear_blend(const TreeSet& set, const float* weights, const Vec3f& rest) const;
    template <bool spherical>
    Float4 quaternion_blend(std::uint32_t set, const PlayedJoint* played, const float* weights,
                            const Vec3f& rest, Float4 center, float& length2);
    double leaf_slack(const LeafBlend& blend) const;
    void displace(const Node& leaf);
    Point4 blended(std::uint32_t set, const float* weights, const Vec3f& rest, float& length2);
    Vec3d deformed(std::uint32_t set, std::span<const float> weights, const Vec3d& rest);
    Vec3d deformed_spherical(std::uint32_t set, std::span<const float> weights, const Vec3d& rest) const;
    Vec3d deformed_dual(std::uint32_t set, std::span<const float> weights, const Vec3d& rest) const;
    Vec3d stretched_point(std::uint32_t set, std::span<const float> weights, const Vec3d& rest,
                          bool degenerate) const;

    const SphereTree* tree_;
    deform::Method method_;
    Refit refit_;
    std::uint32_t pose_ = 0;  ///< even; see Stamps
    bool stretch_ = false;    ///< some joint scales or shears
    double size_ = 0;         ///< largest coordinate size that skinning meets, for rounding slack
    double moved_ = 0;        ///< largest translation
    double departure_ = 0;    ///< largest |A^T A - 1| of a joint
    bool plain_ = false;  ///< all joints are so near to rigid that single precision gives their quaternions
    bool even_ = false;   ///< all joints are so near to rigid that `most_stretch_` serves them all
    float most_stretch_ = 1;
    float linear_slack_ = 0;  ///< of the largest set
    Displacements displacements_;
    std::vector<Joint> joints_;
    std::vector<Columns> columns_;
    std::vector<deform::JointMotion> motions_;
    std::vector<CenterTerms> center_terms_;  ///< beside them; an even number
    std::vector<Point4> turns_, duals_;      ///< dual quaternions in single precision; a multiple of four
    bool turns_agree_ = false;               ///< they need no other signs in any set
    std::vector<Set> sets_;
    std::vector<SetJoint> set_joints_;
    std::vector<PlayedJoint> played_joints_;
    double bend_ = 0;                ///< largest of the joints
    std::vector<float> edge_bends_;  ///< sqrt(1 - cos) of half the angles along edges, at least
    std::vector<float> edge_gaps_;   ///< spherical: between the images of their pivots, at least
    std::vector<float> edge_fars_;  ///< how far they let the centre of more than two joints be from the pivot
    std::vector<float> wide_bends_;            ///< how far from the linear blend the widest sets are at most
    bool edges_bound_ = false;                 ///< these hold in this pose
    float edge_gap_slack_ = 0;                 ///< what a gap counts for rounding
    float farthest_pair_ = 0;                  ///< the same of two joints, the most
    float near_slack_ = 0, center_slack_ = 0;  ///< see edge_slack()
    std::vector<Bend> bends_;
    Stamps motion_stamps_, turn_stamps_, set_stamps_, center_stamps_, exact_stamps_, edge_stamps_,
        bend_stamps_, stamps_, leaf_stamps_;
    std::vector<StoredBall> balls_;
    std::vector<Box4> leaf_boxes_;        ///< of nodes; inner ones have none
    std::vector<LeafBlend> leaf_blends_;  ///< the same
    std::vector<Box4> block_boxes_;
    std::vector<Point4> vertices_;
};

}  // namespace sinew::collide
