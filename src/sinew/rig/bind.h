// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Skin weights: binds a mesh to a skeleton.
///
/// \code
/// const rig::BindResult bound = rig::bind(mesh, skeleton, {.method = rig::BindMethod::voxel});
/// character.skin = bound.skin;   // bound.reason says why this method was taken
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
    regions,     ///< every joint the skin beyond it, cut where the body is thinnest (Xie 2009)
    distance,    ///< by the distance to the bones, base 100 (Nar 2008)
    nearest,     ///< smooth bind of the nearest joints (Yang and Zhang 2006)
    rigid,       ///< the nearest bone alone
    heat,        ///< heat of the nearest visible bone, spread over the skin (Baran and Popović 2007)
    voxel,       ///< geodesic distance through the interior (Dionne and de Lasa 2013)
    biharmonic,  ///< bounded biharmonic weights in the interior (Jacobson et al. 2011)
};
std::string_view name_of(BindMethod method);

/// All methods but `automatic`, in the order in which they are compared.
std::span<const BindMethod> bind_methods();

struct BindOptions {
    BindMethod method = BindMethod::automatic;
    int max_influences = 4;     ///< joints per vertex; 0 sets no limit
    double prune_below = 1e-3;  ///< lighter weights are dropped
    double softness = 0.5;      ///< 0 rigid, 1 as soft as it gets; of regions and voxels
    int smoothing = 0;          ///< passes over the finished weights
};

struct BindResult {
    model::Skin skin;
    BindMethod method = BindMethod::automatic;  ///< the one that was taken
    std::string reason;                         ///< why it was taken
};

/// A joint farther than this many diagonals of the mesh from the mesh's box cannot be meant: a pair of
/// glasses is bound to a whole body with less, while centimetres taken for metres give a hundred.
inline constexpr double max_joint_distance = 10;

/// What brings a skeleton of another file to where a mesh is: nothing when it lies in the mesh, or around a
/// piece of a body, such as a hat (warning `skeleton-outside`); in other units or elsewhere the scale and
/// translation that bring it into the mesh (warning `skeleton-moved`), for model::apply.
/// \param mesh at rest
/// \param skeleton at rest
/// \param monitor warnings
/// \throws Error with both sizes when it does not fit.
model::Similarity skeleton_to_mesh(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                                   Monitor& monitor = silent());

/// Every vertex gets weights of sum 1 on at most `max_influences` joints. The same for every thread count.
/// \param mesh any mesh: open, of many shells, crossing itself
/// \param skeleton inside the mesh at rest
/// \param options method, limits and softness
/// \param monitor progress and warnings
/// \param solid cells of this mesh, in its own space, for methods that work in the interior; when null they
/// are
///     made here. Give what `bind_resolution` asks for to get the same weights as without.
/// \return the skin, with the palette at the skeleton's rest pose
/// \throws Error when the mesh has no vertices, the skeleton no joints, or a joint lies more than
///     `max_joint_distance` diagonals away from the mesh.
BindResult bind(const geometry::Mesh& mesh, const model::Skeleton& skeleton, const BindOptions& options = {},
                Monitor& monitor = silent(), const geometry::VoxelSolid* solid = nullptr);

/// Cells along the longest side of the interior that `BindMethod::voxel` works in: a `voxel_solid` of so
/// many, with its surface and centred, is what it would make itself.
/// \throws Error when the mesh has no extent.
int bind_resolution(const geometry::Mesh& mesh);

/// The weights of another mesh of the same body: re-tessellated, a level of detail, or clothes over it.
/// Vertices take them from the nearest point with a similar normal; joints go by name.
/// \param from has mesh and skin
/// \param mesh,skeleton what is to be bound
/// \param options `max_influences` and `prune_below` count
/// \throws Error when `from` has no skin or no triangles, or names a joint that the skeleton does not have.
model::Skin transfer_skin(const model::Character& from, const geometry::Mesh& mesh,
                          const model::Skeleton& skeleton, const BindOptions& options = {});

/// The same weights on a skeleton in another pose, which becomes the pose at which the mesh is bound.
model::Skin rebound_skin(const model::Skin& skin, const geometry::Mesh& mesh,
                         const model::Skeleton& skeleton);

/// The weights of the left side on the right as well; vertices on the plane of symmetry get the mean.
/// \param skin,mesh,skeleton what is made symmetric
/// \param options limits of the finished weights (`max_influences`, `prune_below`)
/// \throws Error when the mesh is not symmetric.
model::Skin symmetric_skin(const model::Skin& skin, const geometry::Mesh& mesh,
                           const model::Skeleton& skeleton, const BindOptions& options = {});

// --- How regions come about, for figures

/// A joint of the skeleton and its part in the motion of a vertex.
struct JointWeight {
    int joint = 0;
    double weight = 0;
};

/// One row per vertex, joints rising within a row. Rows are sparse; an empty row says that the method has
/// nothing to say of that vertex.
struct WeightTable {
    std::vector<std::uint32_t> offsets{0};
    std::vector<JointWeight> entries;

    std::size_t size() const { return offsets.size() - 1; }
    std::span<const JointWeight> operator[](std::size_t vertex) const {
        return {entries.data() + offsets[vertex], entries.data() + offsets[vertex + 1]};
    }
    /// Appends a row: entries that are 0 or less, or not finite, are left out, equal joints are summed.
    void push_row(std::span<const JointWeight> row);
};

/// How the boundary of a joint was made.
enum class BoundaryKind {
    none,        ///< it has none: the root, or a joint without skin
    non_planar,  ///< four plane pieces through the dividing points
    geodesic,    ///< shortest paths between the dividing points
    whole_cut,   ///< everything beyond the cut within the parent's region
    nearest,     ///< the skin that is nearest to the bones beyond the joint
};

/// Rays in a plane: cos(t) start + sin(t) turn for 0 < t < sweep. They begin on the bone to the parent, so
/// that both sides of a symmetric joint are searched in the same order.
struct Sector {
    Vec3d start = Vec3d::UnitX();
    Vec3d toward = Vec3d::UnitY();
    double sweep = 0;
};

/// Direction of ray `i` of a fan of `rays`: they are spaced evenly, strictly within the sector.
Vec3d ray_direction(const Sector& fan, std::size_t i, std::size_t rays);

/// Where the skin is nearest to a joint on one side of it.
struct DividingPoint {
    Vec3d position = Vec3d::Zero();
    std::uint32_t triangle = 0;  ///< of the welded surface
    double distance = 0;
    int ray = -1;                  ///< of its fan, -1 when no ray met the skin
    Vec3d from = Vec3d::Zero();    ///< where the rays start: the joint, or a point near it within the body
    Sector fan;                    ///< the rays
    std::vector<double> profile;   ///< distance over ray index; infinite where a ray meets nothing
    std::vector<double> smoothed;  ///< the same over neighbouring rays
    std::vector<double> judged;    ///< smoothed, slanting rays made longer: what the decision was taken on
};

/// The boundary of a joint in the space of the mesh.
struct JointBoundary {
    int joint = 0;
    int parent = -1;  ///< joint whose region lies on the other side
    BoundaryKind kind = BoundaryKind::none;
    std::vector<DividingPoint> points;  ///< +Y, +Z, -Y, -Z and what gaps needed
    std::vector<Vec3d> simplified;      ///< the polygon through the points
    std::vector<std::vector<Vec3d>> curve;
    double radius = 0;  ///< mean distance of the curve from its middle
};

struct RegionResult {
    WeightTable weights;                    ///< every vertex of the mesh, sum 1
    std::vector<JointBoundary> boundaries;  ///< of the joints that have one, by joint
    std::vector<int> region_of_vertex;
    geometry::Rows influenced_by_child;  ///< for each vertex the children whose part of the skin begins here
    std::vector<double> own_distance;    ///< to the boundary of the own region; infinite at the root's
    std::vector<double> child_distance;  ///< to the nearest boundary of a child
};

struct RegionOptions {
    double softness = 0.5;  ///< 0 rigid, 1 as wide as the region
};

/// Weights of the method `regions` with the boundaries that they come from. A joint only moves skin that
/// is connected with it: nothing leaks over the gap between arm and trunk. (Xie 2009)
/// \throws Error when the mesh has no surface or the skeleton no joint.
RegionResult region_weights(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                            const RegionOptions& options = {}, Monitor& monitor = silent());

}  // namespace sinew::rig
