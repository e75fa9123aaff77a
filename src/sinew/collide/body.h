// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A tree of spheres over the triangles of a skinned mesh at rest, built once and shared by all its
/// instances; and one instance of it in one pose. A node knows, for every influence set among its vertices, a
/// sphere and the range of weights: enough to bound them in any pose without looking at a vertex. Spheres and
/// vertices are made when a query asks for them, and kept until the pose changes; a new pose costs only its
/// joints. \cite kavan2007
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

/// A closed sphere: a rigid motion moves the centre and keeps the radius.
struct Sphere {
    Vec3d center = Vec3d::Zero();
    double radius = 0;  ///< infinity: bounds nothing

    /// \return false for a sphere that bounds nothing.
    bool bounded() const { return radius < std::numeric_limits<double>::infinity(); }
};

struct BuildOptions {
    /// A leaf is deformed as a whole and searched by boxes of its triangles. 0 stands for 256, or 8 for every
    /// influence set of the leaf where that is more: then its vertices cost less than refits of what would be
    /// below.
    int max_leaf_triangles = 0;
};

/// How a tree came out.
struct BuildStatistics {
    std::size_t binary_nodes =
        0;  ///< before children that are nearly as large as their parents were dissolved
    std::size_t binary_depth = 0;
    std::size_t nodes = 0;
    std::size_t leaves = 0;
    std::size_t depth = 0;
    std::size_t max_children = 0;
    std::size_t set_bounds = 0;                  ///< of all nodes
    std::vector<double> radius_by_level;         ///< average
    std::vector<double> binary_radius_by_level;  ///< the same of the binary tree
};

struct TreeData;
struct MorphData;

/// A handle of an immutable tree; copies share it.
class SphereTree {
  public:
    /// A tree without triangles.
    SphereTree();

    /// Takes a tree that a part of the module built.
    explicit SphereTree(std::shared_ptr<const TreeData> data);

    /// \return spheres in the tree.
    std::size_t node_count() const { return statistics().nodes; }
    /// \return how it came out.
    const BuildStatistics& statistics() const;
    /// \return bytes held.
    std::size_t memory() const;
    /// \return the tree as queries see it.
    const TreeData& data() const { return *data_; }

  private:
    std::shared_ptr<const TreeData> data_;
};

/// Builds the tree of a skinned mesh.
/// \param mesh the rest shape.
/// \param skin weights of its vertices; an empty skin makes a rigid body with one joint.
/// \param skeleton settles quaternion signs, as in model::group_by_influences; may be null.
/// \param options how it is built.
/// \return the tree.
/// \throws Error when mesh and skin do not fit each other or a position is not finite.
SphereTree build_tree(const geometry::Mesh& mesh, const model::Skin& skin, const model::Skeleton* skeleton,
                      const BuildOptions& options = {});

/// The same for mesh, skin and skeleton of a character.
/// \param character what is built.
/// \param options how it is built.
/// \return the tree.
/// \throws Error as above.
SphereTree build_tree(const model::Character& character, const BuildOptions& options = {});

/// What the morphs of a mesh do to its tree: every sphere knows a sphere around the offsets of its vertices
/// for each morph, so that it moves and grows with the weights without looking at a vertex. A handle of
/// immutable data, shared by all instances. \cite james2004
class MorphBounds {
  public:
    /// Of a mesh without morphs.
    MorphBounds();
    /// \param tree built on `mesh`.
    /// \param mesh whose morphs are looked at.
    /// \throws Error when a morph leaves the mesh, is not finite, or the tree is of another mesh.
    MorphBounds(const SphereTree& tree, const geometry::Mesh& mesh);

    /// \return true when there is no morph.
    bool empty() const;
    /// \return the bounds as bodies see them.
    const MorphData& data() const { return *data_; }

  private:
    std::shared_ptr<const MorphData> data_;
};

/// Corners of a triangle.
using Corners = std::array<Vec3d, 3>;

/// What queries did.
struct QueryCounts {
    std::size_t sphere_tests = 0;
    std::size_t refits = 0;
    std::size_t reused = 0;    ///< spheres that moved along with the whole body instead
    std::size_t vertices = 0;  ///< deformed
    std::size_t triangle_tests = 0;
    std::size_t contacts = 0;

    QueryCounts& operator+=(const QueryCounts& other);
    bool operator==(const QueryCounts&) const = default;
};

struct SearchScratch;
class PosedBody;

/// Memory of queries, one per thread; kept between queries, nothing is allocated once it has grown.
class QueryScratch {
  public:
    QueryScratch();
    ~QueryScratch();
    QueryScratch(QueryScratch&&) noexcept;
    QueryScratch& operator=(QueryScratch&&) noexcept;

    /// \return what queries with this scratch did; may be set to {}.
    QueryCounts& counts();
    /// \return the buffers as queries see them.
    SearchScratch& buffers() { return *buffers_; }

  private:
    std::unique_ptr<SearchScratch> buffers_;
};

/// Vectors added to the skinned vertices (in mesh order), none longer than `bound`: what a fitted sequence
/// corrects. They must outlive the pose.
struct Displacements {
    std::span<const Vec3f> vectors;
    double bound = 0;
};

/// Any number of threads may query one body, with one scratch each; changes of the pose must be alone.
class Body {
  public:
    /// Starts in the rest pose.
    /// \param tree shared by the body.
    /// \param method lbs, sbs or dqs.
    /// \throws Error for another method.
    explicit Body(const SphereTree& tree, deform::Method method = deform::Method::lbs);

    /// A body whose rest shape changes: v + sum a_k e_k(v), then skinning. Starts with all weights 0.
    /// \param tree shared by the body.
    /// \param morphs made from the same tree.
    /// \param method lbs, sbs or dqs.
    /// \throws Error for another method.
    Body(const SphereTree& tree, const MorphBounds& morphs, deform::Method method = deform::Method::lbs);

    ~Body();
    Body(Body&&) noexcept;
    Body& operator=(Body&&) noexcept;

    /// A new pose. Where it is the last one moved as a whole, and blending is linear, spheres that were made
    /// in that one are kept and move along.
    /// \param palette takes rest space to the world, joint by joint.
    /// \param displacements added to the vertices after skinning.
    /// \throws Error when the palette is too short or not finite, or the displacements do not fit the mesh.
    void set_pose(std::span<const deform::Mat34f> palette, const Displacements& displacements = {});

    /// Moves the whole body by one matrix.
    /// \param matrix of every joint.
    /// \throws Error when it is not finite.
    void set_rigid_pose(const deform::Mat34f& matrix);

    /// A new rest shape of a body with morphs; it needs a new pose afterwards.
    /// \param weights one for each morph.
    /// \throws Error when there are not as many weights as morphs, or one is not finite.
    void set_morph_weights(std::span<const float> weights);

    /// \param reuse false refits all spheres in every pose, also when the body only moves as a whole.
    void reuse_spheres(bool reuse);

    /// \return the tree at rest.
    const SphereTree& tree() const { return tree_; }
    /// \return how the skin follows the joints.
    deform::Method method() const;

    /// \param node of the tree.
    /// \param scratch of this thread.
    /// \return a sphere that contains every vertex of the node's triangles as skinning computes it.
    Sphere sphere(std::uint32_t node, QueryScratch& scratch);
    /// \param node of the tree.
    /// \return true when a query has used its sphere in this pose.
    bool refitted(std::uint32_t node) const;
    /// \param vertex in the order of the tree.
    /// \param scratch of this thread.
    /// \return its position in this pose.
    Vec3f vertex(std::uint32_t vertex, QueryScratch& scratch);
    /// \param triangle in the order of the tree.
    /// \param scratch of this thread.
    /// \return its corners in this pose.
    Corners corners(std::uint32_t triangle, QueryScratch& scratch);

    /// Makes all spheres of this pose at once from the vertices: leaves around their vertices, parents around
    /// their children. What refits on demand are compared with. \cite brown2001
    /// \param scratch of this thread.
    /// \param vertices skinned, in mesh order; without any the body deforms its own.
    void refit_bottom_up(QueryScratch& scratch, std::span<const Vec3f> vertices = {});

    /// \return bytes held besides the tree.
    std::size_t memory() const;
    /// \return the body as queries see it.
    PosedBody& posed() { return *posed_; }

  private:
    SphereTree tree_;
    MorphBounds morphs_;
    std::unique_ptr<PosedBody> posed_;
};

/// \param body in its pose.
/// \return the triangles of its mesh, in the order of the mesh.
std::vector<Corners> posed_triangles(Body& body);

/// A sphere of a tree in a pose.
struct PosedSphere {
    Sphere sphere;
    bool refitted = false;  ///< a query has used it in this pose
};
/// \param body in its pose.
/// \param level 0 is the root; leaves stand for branches that end above it.
/// \return the spheres of one level that are bounded.
std::vector<PosedSphere> spheres_of_level(Body& body, int level);

/// Average radii over the nodes of one level; nodes without bound are counted apart.
struct LevelRadii {
    std::size_t nodes = 0;
    std::size_t unbounded = 0;  ///< on demand
    double rest = 0;
    double on_demand = 0;
    double bottom_up = 0;
    double best = 0;  ///< smallest sphere of the vertices

    /// \return on demand over best.
    double ratio() const { return best > 0 ? on_demand / best : 1; }
};

/// How tight refitted spheres are.
/// \param tree of a body.
/// \param palette of its pose.
/// \param method how the skin follows the joints.
/// \return one row for each level, the root first.
std::vector<LevelRadii> level_radii(const SphereTree& tree, std::span<const deform::Mat34f> palette,
                                    deform::Method method);

}  // namespace sinew::collide
