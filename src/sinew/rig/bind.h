// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Binding: computes skin weights for a mesh and a skeleton.
///
/// \code
/// const rig::BindResult bound = rig::bind(mesh, skeleton, {.method = rig::BindMethod::voxel});
/// character.skin = bound.skin;   // bound.reason says why this method was chosen
/// \endcode

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/geometry/mesh.h"
#include "sinew/geometry/topology.h"
#include "sinew/model/character.h"

namespace sinew::geometry {
struct VoxelSolid;
}

namespace sinew::rig {

using math::Vec3d;

enum class BindMethod {
    automatic,
    regions,     ///< each joint moves the skin beyond it, cut where the body is thinnest (Xie 2009)
    distance,    ///< by the distance to the bones, base 100 (Nar 2008)
    nearest,     ///< smooth bind to the nearest joints (Yang and Zhang 2006)
    rigid,       ///< each vertex follows its nearest bone
    heat,        ///< heat diffusion from the nearest visible bone over the skin (Baran and Popović 2007)
    voxel,       ///< geodesic distance through the voxelised interior (Dionne and de Lasa 2013)
    biharmonic,  ///< bounded biharmonic weights in the interior (Jacobson et al. 2011)
};
std::string_view name_of(BindMethod method);

/// All methods except `automatic`, in the order in which they are compared.
std::span<const BindMethod> bind_methods();

struct BindOptions {
    BindMethod method = BindMethod::automatic;
    int max_influences =
        4;  ///< largest number of joints per vertex; 0 means no limit. 4 works in every engine
    double prune_below = 1e-3;  ///< removes smaller weights, 0 to 1
    double softness = 0.5;      ///< 0 rigid to 1 softest; for regions and voxel
    int smoothing = 0;          ///< smoothing passes over the finished weights
};

struct BindResult {
    model::Skin skin;
    BindMethod method = BindMethod::automatic;  ///< the method that was used
    std::string reason;                         ///< why it was used
};

/// Largest allowed distance of a joint from the bounding box of the mesh, in diagonals of the mesh. Small
/// parts are bound to whole skeletons within this limit (glasses to a body), while confused units
/// (centimetres for metres) exceed it by far.
inline constexpr double max_joint_distance = 10;

/// The similarity that moves a skeleton from another file into a mesh, for model::apply. Identity when the
/// skeleton already lies in the mesh, or around a mesh that is only a piece of a body, such as a hat (warning
/// `skeleton-outside`). Other units or another position give a scale and a translation (warning
/// `skeleton-moved`).
/// \param mesh at rest
/// \param skeleton at rest
/// \param monitor receives warnings
/// \throws Error with the sizes of both when they do not fit
model::Similarity skeleton_to_mesh(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                                   Monitor& monitor = silent());

/// Computes weights for every vertex. Weights sum to 1 and use at most `max_influences` joints. The result
/// does not depend on the thread count.
/// \param mesh any mesh; it may be open, have several shells or intersect itself
/// \param skeleton at rest, inside the mesh
/// \param options method, limits and softness
/// \param monitor receives progress and warnings
/// \param solid optional voxels of this mesh in its own space, for methods that use the interior; null
/// computes them. With the resolution of `bind_resolution` the weights are the same as without.
/// \return the skin, with the palette at the rest pose of the skeleton
/// \throws Error when the mesh has no vertices, the skeleton has no joints, or a joint is more than
/// `max_joint_distance` diagonals away from the mesh
BindResult bind(const geometry::Mesh& mesh, const model::Skeleton& skeleton, const BindOptions& options = {},
                Monitor& monitor = silent(), const geometry::VoxelSolid* solid = nullptr);

/// Resolution of the voxelised interior that `BindMethod::voxel` computes: voxels along the longest side. Use
/// it for `voxel_solid` with `with_surface` and `centered` to get the same voxels.
/// \throws Error when the mesh has no extent
int bind_resolution(const geometry::Mesh& mesh);

/// Transfers weights from another mesh of the same body: a different tessellation, a level of detail, or
/// clothes over it. Each vertex takes the weights at the nearest point with a similar normal. Joints are
/// matched by name.
/// \param from character with mesh and skin
/// \param mesh,skeleton the mesh to bind and its skeleton
/// \param options only `max_influences` and `prune_below` apply
/// \throws Error when `from` has no skin or no triangles, or uses a joint that the skeleton lacks
model::Skin transfer_skin(const model::Character& from, const geometry::Mesh& mesh,
                          const model::Skeleton& skeleton, const BindOptions& options = {});

/// The same weights for a skeleton in another pose, which becomes the bind pose.
model::Skin rebound_skin(const model::Skin& skin, const geometry::Mesh& mesh,
                         const model::Skeleton& skeleton);

/// Copies the weights of the left side to the right; vertices on the plane of symmetry get the mean of both.
/// \param skin,mesh,skeleton the bound mesh
/// \param options limits of the finished weights (`max_influences`, `prune_below`)
/// \throws Error when the mesh is not symmetric
model::Skin symmetric_skin(const model::Skin& skin, const geometry::Mesh& mesh,
                           const model::Skeleton& skeleton, const BindOptions& options = {});

// --- Intermediate results of the method `regions`, for figures

/// A joint of the skeleton and its weight on a vertex.
struct JointWeight {
    int joint = 0;
    double weight = 0;
};

/// Sparse weights: one row per vertex, joints increasing within a row. An empty row means that the method
/// gives no weights for this vertex.
struct WeightTable {
    std::vector<std::uint32_t> offsets{0};
    std::vector<JointWeight> entries;

    std::size_t size() const { return offsets.size() - 1; }
    std::span<const JointWeight> operator[](std::size_t vertex) const {
        return {entries.data() + offsets[vertex], entries.data() + offsets[vertex + 1]};
    }
    /// Appends a row. Entries that are not finite or not above 0 are dropped; entries of the same joint are
    /// summed.
    void push_row(std::span<const JointWeight> row);
};

/// How the boundary of a joint's region was constructed.
enum class BoundaryKind {
    none,        ///< no boundary: the root, or a joint without skin
    non_planar,  ///< four planar pieces through the dividing points
    geodesic,    ///< shortest paths between the dividing points
    whole_cut,   ///< everything beyond a planar cut, within the parent's region
    nearest,     ///< the skin that is nearest to the bones beyond the joint
};

/// A fan of rays in a plane: directions cos(t) start + sin(t) toward for 0 < t < sweep. It starts at the bone
/// to the parent, so that both sides of a symmetric joint are searched in the same order.
struct Sector {
    Vec3d start = Vec3d::UnitX();
    Vec3d toward = Vec3d::UnitY();
    double sweep = 0;
};

/// Direction of ray `i` of `rays` evenly spaced rays, strictly inside the sector.
Vec3d ray_direction(const Sector& fan, std::size_t i, std::size_t rays);

/// The point where the skin is nearest to a joint, on one side of it.
struct DividingPoint {
    Vec3d position = Vec3d::Zero();
    std::uint32_t triangle = 0;  ///< index in the welded surface
    double distance = 0;
    int ray = -1;                  ///< index in its fan; -1 when no ray hit the skin
    Vec3d from = Vec3d::Zero();    ///< origin of the rays: the joint, or a point near it inside the body
    Sector fan;                    ///< fan of the rays
    std::vector<double> profile;   ///< distance per ray; infinite where a ray hits nothing
    std::vector<double> smoothed;  ///< the profile, smoothed over neighbouring rays
    std::vector<double>
        judged;  ///< the smoothed profile with a penalty for slanting rays; the decision is based on this
};

/// The boundary of a joint's region, in the space of the mesh.
struct JointBoundary {
    int joint = 0;
    int parent = -1;  ///< joint whose region is on the other side
    BoundaryKind kind = BoundaryKind::none;
    std::vector<DividingPoint> points;  ///< at +Y, +Z, -Y, -Z, and additional points that gaps required
    std::vector<Vec3d> simplified;      ///< the polygon through the points
    std::vector<std::vector<Vec3d>> curve;
    double radius = 0;  ///< mean distance of the curve from its centre
};

struct RegionResult {
    WeightTable weights;                    ///< one row per vertex, sum 1
    std::vector<JointBoundary> boundaries;  ///< joints with a boundary, in joint order
    std::vector<int> region_of_vertex;
    geometry::Rows influenced_by_child;  ///< for each vertex the children whose part of the skin begins here
    std::vector<double>
        own_distance;  ///< distance to the boundary of the vertex's own region; infinite in the root's region
    std::vector<double> child_distance;  ///< distance to the nearest boundary of a child
};

struct RegionOptions {
    double softness = 0.5;  ///< 0 rigid; 1 transitions as wide as the region
};

/// Weights of the method `regions`, with the boundaries they are based on. A joint moves only skin that is
/// connected to it: weights do not cross the gap between arm and trunk. (Xie 2009)
/// \throws Error when the mesh has no surface or the skeleton has no joint
RegionResult region_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                            const RegionOptions& options = {}, Monitor& monitor = silent());

}  // namespace sinew::rig
