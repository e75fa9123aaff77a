// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Bounding sphere tree over the triangles of a skinned mesh at rest, built once and shared by all instances;
/// and Body, one instance in one pose. For every influence set among its vertices a node stores a sphere and
/// the range of weights, enough to bound these vertices in any pose without deforming them. Spheres and
/// vertices are computed when a query needs them and kept until the pose changes; setting a pose costs only
/// time for the joints. \cite kavan2007
///
/// \code
/// const collide::SphereTree tree = collide::build_tree(character);
/// collide::Body body(tree, deform::Method::dqs);
/// body.set_pose(palette);
/// collide::QueryScratch scratch;
/// const bool touch = collide::touching(body, other, scratch);
/// \endcode

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/blend.h"
#include "sinew/deform/method.h"
#include "sinew/model/character.h"

namespace sinew::collide {

using math::Vec3d;
using math::Vec3f;

/// A sphere; a rigid motion moves its centre and keeps its radius.
struct Sphere {
    Vec3d center = Vec3d::Zero();
    double radius = 0;  ///< infinity: unbounded

    /// \return false for an infinite radius
    bool bounded() const { return radius < std::numeric_limits<double>::infinity(); }
};

struct BuildOptions {
    /// Triangles per leaf. A leaf is deformed as a whole and searched through boxes of its triangles. 0
    /// chooses 256, or 8 per influence set of the leaf if that is more: deforming its vertices is then
    /// cheaper than refitting smaller nodes.
    int max_leaf_triangles = 0;
};

/// Statistics of a built tree.
struct BuildStatistics {
    std::size_t binary_nodes = 0;  ///< before nodes nearly as large as their parents were merged into them
    std::size_t binary_depth = 0;
    std::size_t nodes = 0;
    std::size_t leaves = 0;
    std::size_t depth = 0;
    std::size_t max_children = 0;
    std::size_t set_bounds = 0;           ///< sphere-and-weight bounds of influence sets, over all nodes
    std::vector<double> radius_by_level;  ///< average radius per level
    std::vector<double> binary_radius_by_level;  ///< the same for the binary tree before merging
};

struct TreeData;
struct MorphData;

/// Handle of an immutable tree; copies share it.
class SphereTree {
  public:
    /// An empty tree.
    SphereTree();

    /// Wraps a tree built by this module.
    explicit SphereTree(std::shared_ptr<const TreeData> data);

    /// \return the number of spheres in the tree
    std::size_t node_count() const { return statistics().nodes; }
    /// \return statistics of the build
    const BuildStatistics& statistics() const;
    /// \return memory in bytes
    std::size_t memory() const;
    /// \return internal data, for queries
    const TreeData& data() const { return *data_; }

  private:
    std::shared_ptr<const TreeData> data_;
};

/// Builds the tree of a skinned mesh.
/// \param mesh the rest mesh
/// \param skin weights of its vertices; an empty skin makes a rigid body with one joint
/// \param skeleton defines the signs of quaternions, see model::group_by_influences; may be null
/// \param options size of the leaves
/// \return the tree
/// \throws Error when mesh and skin are inconsistent or a position is not finite
SphereTree build_tree(const geometry::Mesh& mesh, const model::Skin& skin, const model::Skeleton* skeleton,
                      const BuildOptions& options = {});

/// The same for mesh, skin and skeleton of a character.
/// \param character mesh, skin and skeleton
/// \param options size of the leaves
/// \return the tree
/// \throws Error when mesh and skin are inconsistent or a position is not finite
SphereTree build_tree(const model::Character& character, const BuildOptions& options = {});

/// Bounds of the morphs of a mesh: for each sphere of a tree and each morph a sphere around the offsets of
/// its vertices, so that spheres follow the morph weights without evaluating vertices. Handle of immutable
/// data, shared by all instances. \cite james2004
class MorphBounds {
  public:
    /// Bounds of a mesh without morphs.
    MorphBounds();
    /// \param tree built on `mesh`
    /// \param mesh the mesh with morphs
    /// \throws Error when a morph refers to missing vertices or is not finite, or the tree belongs to another
    /// mesh
    MorphBounds(const SphereTree& tree, const geometry::Mesh& mesh);

    /// \return true when the mesh has no morph
    bool empty() const;
    /// \return internal data, for bodies
    const MorphData& data() const { return *data_; }

  private:
    std::shared_ptr<const MorphData> data_;
};

/// Corners of a triangle.
using Corners = std::array<Vec3d, 3>;

/// Counts of the work that queries did.
struct QueryCounts {
    std::size_t sphere_tests = 0;
    std::size_t refits = 0;
    std::size_t reused = 0;    ///< spheres moved rigidly with the whole body instead of being refitted
    std::size_t vertices = 0;  ///< deformed vertices
    std::size_t triangle_tests = 0;
    std::size_t contacts = 0;

    QueryCounts& operator+=(const QueryCounts& other);
    bool operator==(const QueryCounts&) const = default;
};

struct SearchScratch;
class PosedBody;

/// Working memory of queries, one per thread. It is kept between queries; after it has grown, queries
/// allocate nothing.
class QueryScratch {
  public:
    QueryScratch();
    ~QueryScratch();
    QueryScratch(QueryScratch&&) noexcept;
    QueryScratch& operator=(QueryScratch&&) noexcept;

    /// \return counts of all queries with this scratch; assign {} to reset them
    QueryCounts& counts();
    /// \return internal buffers, for queries
    SearchScratch& buffers() { return *buffers_; }

  private:
    std::unique_ptr<SearchScratch> buffers_;
};

/// Vectors that are added to the skinned vertices (in mesh order), none longer than `bound`: the corrections
/// of a fitted sequence. They must stay valid as long as the pose.
struct Displacements {
    std::span<const Vec3f> vectors;
    double bound = 0;
};

/// One instance of a tree in one pose. Any number of threads may query a body at once, each with its own
/// scratch; no query may run while the pose changes.
class Body {
  public:
    /// Starts in the rest pose.
    /// \param tree shared by all bodies of the mesh
    /// \param method lbs, sbs or dqs
    /// \throws Error for another method
    explicit Body(const SphereTree& tree, deform::Method method = deform::Method::lbs);

    /// A body with morphs: v + sum a_k e_k(v), then skinning. Starts with all weights 0.
    /// \param tree shared by all bodies of the mesh
    /// \param morphs built for the same tree
    /// \param method lbs, sbs or dqs
    /// \throws Error for another method
    Body(const SphereTree& tree, const MorphBounds& morphs, deform::Method method = deform::Method::lbs);

    ~Body();
    Body(Body&&) noexcept;
    Body& operator=(Body&&) noexcept;

    /// Sets a new pose. If it differs from the last pose only by a motion of the whole body, and blending is
    /// linear, spheres that are already computed are moved instead of refitted.
    /// \param palette one matrix per joint of the skin, rest space to world
    /// \param displacements added to the vertices after skinning
    /// \throws Error when the palette is too short or not finite, or the displacements do not match the mesh
    void set_pose(std::span<const deform::Mat34f> palette, const Displacements& displacements = {});

    /// Moves the whole body by one matrix.
    /// \param matrix applied to every joint
    /// \throws Error when it is not finite
    void set_rigid_pose(const deform::Mat34f& matrix);

    /// Changes the rest shape of a body with morphs; set a pose afterwards.
    /// \param weights one per morph
    /// \throws Error when the number of weights differs from that of the morphs, or one is not finite
    void set_morph_weights(std::span<const float> weights);

    /// \param reuse false refits all spheres in every pose, even when the body only moves as a whole
    void reuse_spheres(bool reuse);

    /// \return the tree of the rest mesh
    const SphereTree& tree() const { return tree_; }
    /// \return the skinning method
    deform::Method method() const;

    /// \param node index of a node
    /// \param scratch memory of this thread
    /// \return a sphere that contains all skinned vertices of the node's triangles
    Sphere sphere(std::uint32_t node, QueryScratch& scratch);
    /// \param node index of a node
    /// \return true when a query computed its sphere in this pose
    bool refitted(std::uint32_t node) const;
    /// \param vertex index in the order of the tree
    /// \param scratch memory of this thread
    /// \return its position in this pose
    Vec3f vertex(std::uint32_t vertex, QueryScratch& scratch);
    /// \param triangle index in the order of the tree
    /// \param scratch memory of this thread
    /// \return its corners in this pose
    Corners corners(std::uint32_t triangle, QueryScratch& scratch);

    /// Computes all spheres of this pose from the vertices: leaves around their vertices, parents around
    /// their children. This is the baseline that on-demand refits are compared with. \cite brown2001
    /// \param scratch memory of this thread
    /// \param vertices skinned vertices in mesh order; if empty, the body deforms its own
    void refit_bottom_up(QueryScratch& scratch, std::span<const Vec3f> vertices = {});

    /// \return memory in bytes, without the tree
    std::size_t memory() const;
    /// \return internal data, for queries
    PosedBody& posed() { return *posed_; }

  private:
    SphereTree tree_;
    MorphBounds morphs_;
    std::unique_ptr<PosedBody> posed_;
};

/// \param body a body in a pose
/// \return its triangles in this pose, in the order of the mesh
std::vector<Corners> posed_triangles(Body& body);

/// A sphere of a tree in a pose.
struct PosedSphere {
    Sphere sphere;
    bool refitted = false;  ///< a query computed it in this pose
};
/// \param body a body in a pose
/// \param level 0 is the root; for branches that end above this level their leaves are returned
/// \return the bounded spheres of the level
std::vector<PosedSphere> spheres_of_level(Body& body, int level);

/// Average radii over the nodes of one level; unbounded nodes are counted separately.
struct LevelRadii {
    std::size_t nodes = 0;
    std::size_t unbounded = 0;  ///< nodes whose on-demand sphere is unbounded
    double rest = 0;
    double on_demand = 0;
    double bottom_up = 0;
    double best = 0;  ///< smallest enclosing sphere of the vertices

    /// \return the ratio of on-demand to smallest radius
    double ratio() const { return best > 0 ? on_demand / best : 1; }
};

/// Measures how tight refitted spheres are.
/// \param tree the tree of a body
/// \param palette of the pose
/// \param method the skinning method
/// \return one row per level, the root first
std::vector<LevelRadii> level_radii(const SphereTree& tree, std::span<const deform::Mat34f> palette,
                                    deform::Method method);

}  // namespace sinew::collide
