// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// One instance of a sphere tree in one pose. Spheres and vertices are made when a query asks for them, and
/// kept until the pose changes; a new pose costs only its joints.
///
/// \code
/// collide::Body body(tree, deform::Method::dqs);
/// body.set_pose(palette);
/// collide::QueryScratch scratch;
/// const bool touch = collide::touching(body, other, scratch);
/// \endcode

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sinew/collide/sphere_tree.h"
#include "sinew/deform/blend.h"
#include "sinew/deform/method.h"

namespace sinew::collide {

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

    /// Moves a body by one matrix, all joints alike.
    /// \param matrix of every joint.
    /// \throws Error when it is not finite.
    void set_rigid_pose(const deform::Mat34f& matrix);

    /// A new rest shape of a body with morphs; it needs a new pose afterwards.
    /// \param weights one for each morph.
    /// \throws Error when there are not as many weights as morphs, or one is not finite.
    void set_morph_weights(std::span<const float> weights);

    /// \param reuse false makes all spheres anew in every pose, also when the body only moves as a whole.
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
    /// \return true when its sphere was asked for in this pose.
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
    bool refitted = false;  ///< some query had asked for it in this pose
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
