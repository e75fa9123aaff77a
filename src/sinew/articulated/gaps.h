// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Rigid parts of a body whose joints close: what overlaps is cut away, what comes apart is bridged by smooth
/// surfaces, in every frame. \cite vasilakis2008
///
/// \code
/// const GapDeformer deformer(character, {.lambda = 0.3});
/// const geometry::Mesh mesh = deformer.mesh_at(&character.clips[0], 0.5);
/// \endcode

#include <memory>
#include <optional>
#include <span>

#include "sinew/geometry/cut_mesh.h"
#include "sinew/geometry/part_shape.h"
#include "sinew/math/transform.h"
#include "sinew/model/character.h"

namespace sinew::articulated {

using geometry::Vec3d;

struct Gap;
struct GapPatch;
class SoftSeams;

/// The mesh at rest and its parts. Where two parts meet, they meet in simple loops (see tidy_parts).
struct PartBody {
    geometry::Mesh mesh;
    geometry::CutMesh cut;
    std::vector<int> parent;                 ///< of each part, -1 for a root
    std::vector<Vec3d> pivot;                ///< where each part rotates against its parent
    std::vector<Vec3d> centre;               ///< kernel centre of each part, or its substitute
    std::vector<geometry::OrientedBox> box;  ///< of each part

    std::size_t part_count() const { return parent.size(); }
};

/// A body from a tree of parts and their features: each part rotates about the middle of its opening. Parts
/// that meet in anything but simple loops are tidied (warning `parts-tidied`).
/// \param mesh at rest
/// \param cut its parts
/// \param tree how they are connected
/// \param features of the parts
/// \param monitor that is warned
/// \return the body
PartBody part_body(const geometry::Mesh& mesh, geometry::CutMesh cut, const geometry::PartTree& tree,
                   std::span<const geometry::PartFeatures> features, Monitor& monitor = silent());

/// How many triangles tidying gave to another part, and why.
struct TidyReport {
    std::size_t junctions = 0;  ///< more than two parts met, or two met more than once, at a point
    std::size_t islands = 0;    ///< a small piece stood apart from its part
    std::size_t spikes = 0;     ///< two of three neighbours belonged to one other part
    std::size_t crowded = 0;    ///< two seams of a part were too near to each other

    std::size_t moved() const { return junctions + islands + spikes + crowded; }
};

struct TidyOptions {
    /// Rounds in which seams of a part that are within a few edges of each other move apart, into the
    /// children.
    int spread = 0;
    bool smooth = false;  ///< take off spikes of the cut
    double island_fraction =
        0;  ///< pieces below this fraction of their part's largest one go to the neighbour
};

/// Gives triangles to other parts until every point lies on at most one border of two parts: then all borders
/// are simple loops (or, on an open mesh, chains between borders of the mesh), and whatever is put between
/// two loops keeps the surface closed. Where three parts meet, their triangles go to the part between them
/// in the tree: where two legs meet, to the hips.
/// \param[in,out] cut the mesh and its parts
/// \param parent of each part
/// \param options see there
/// \return what was moved
TidyReport tidy_parts(geometry::CutMesh& cut, std::span<const int> parent, const TidyOptions& options = {});

/// Rigid parts of a rigged character: each triangle follows the joint that moves it most.
struct RigidPartsOfSkin {
    PartBody body;
    std::vector<std::uint32_t> driver;  ///< palette entry of each part
};

/// Parts are cut along edges, tidied, and named after their joints; a joint without triangles has none, and
/// its children are attached to the part above it. Pivots are the joints.
/// \param character with a mesh and a skin
/// \param monitor that is warned
/// \return the parts
/// \throws Error when the character has no mesh or no skin.
RigidPartsOfSkin rigid_parts_of_skin(const model::Character& character, Monitor& monitor = silent());

/// Where a palette takes the parts. What is not rigid in it is left out (`rotation` is the nearest one); the
/// largest such difference of a matrix is added to `stretch` when it is given.
/// \param parts of a character
/// \param palette of its skin
/// \param[in,out] stretch may be null
/// \return a transform for each part
std::vector<math::Rigidd> part_transforms(const RigidPartsOfSkin& parts, std::span<const math::Mat4d> palette,
                                          double* stretch = nullptr);

/// What counts as inside the other part, behind its opening.
enum class InsideTest : std::uint8_t {
    box,    ///< its oriented box and the plane of the opening: seven planes
    hull,   ///< its convex hull and the plane
    exact,  ///< the part itself, its openings closed
};

struct GapOptions {
    InsideTest inside = InsideTest::exact;  ///< boxes are the published rule, and cut away too much
    /// V_m = (1 - lambda) I + lambda Middle: 0 keeps the tangents of both limbs, 1 takes the middle point.
    double lambda = 0.5;
    /// Shoulder of the blending curve between chord (0) and control point (1); an arc of a circle when none.
    std::optional<double> sharpness = {};
    /// Edges around points that may not be cut, because another seam is too near, over which skin follows the
    /// parts on both sides; 0 keeps every part rigid.
    int softness = 4;
    int fairing = 0;                 ///< steps of smoothing of the new points, ends kept
    bool constant_topology = false;  ///< the same triangles in every frame: nothing is removed
    bool parallel = true;            ///< joints at the same time
};

/// Seconds of the four stages.
struct GapSeconds {
    double remove = 0;
    double add = 0;
    double triangulate = 0;
    double normals = 0;

    double total() const { return remove + add + triangulate + normals; }
    void include(const GapSeconds& other);
};

/// One frame: a closed surface of the genus of the input (when that is closed), and how it came about.
struct GapFrame {
    GapFrame();
    GapFrame(const GapFrame&);
    GapFrame(GapFrame&&) noexcept;
    GapFrame& operator=(const GapFrame&);
    GapFrame& operator=(GapFrame&&) noexcept;
    ~GapFrame();

    geometry::Mesh mesh;
    std::vector<GapPatch> patches;  ///< of all gaps; those of joints that did not move are empty
    std::vector<std::uint8_t> removed_triangles;  ///< of the rest mesh
    std::size_t moved_gaps = 0;
    std::size_t removed_vertices = 0;
    std::size_t added_vertices = 0;
    std::size_t patch_triangles = 0;  ///< they come last in the mesh
    GapSeconds seconds;               ///< summed over the gaps
    double skin_seconds = 0;          ///< of moving the parts and putting the mesh together
};

/// Keeps what does not change: neighbours, median edges, seams and what is near them.
class GapCloser {
  public:
    /// \param body the parts at rest
    /// \param options see there
    /// \param monitor that is warned
    /// Warns `short-part` about seams that are so near to each other that nothing may be removed there.
    explicit GapCloser(PartBody body, const GapOptions& options = {}, Monitor& monitor = silent());
    GapCloser(GapCloser&&) noexcept;
    GapCloser& operator=(GapCloser&&) noexcept;
    ~GapCloser();

    /// Parts are moved from their rest positions. When no part has moved against its neighbours, the frame is
    /// the rest mesh itself, moved as a whole: bit for bit the input under identities. Vertices on seams
    /// exist once for each part, at the same position where they need not come apart. Warns `gap-half-turn`
    /// when a joint rotates by 180 degrees, where the shorter path is not defined, and `gap-drawn` when most
    /// of a seam had to be drawn in where it should have been cut.
    /// \param world where each part is
    /// \param monitor that is warned
    /// \return the frame
    /// \throws Error when there are not as many transforms as parts, or one is not finite.
    GapFrame close(std::span<const math::Rigidd> world, Monitor& monitor = silent()) const;

    const PartBody& body() const;
    const GapOptions& options() const;
    const std::vector<Gap>& gaps() const;
    const SoftSeams& soft() const;

  private:
    struct Data;
    std::unique_ptr<Data> data_;
};

/// What one gap of a frame looks like, for pictures of how it is closed. Points are of the cut mesh,
/// triangles of the rest mesh where not said otherwise; directions are in the parent's rest frame.
struct GapView {
    int parent = -1;
    int child = -1;
    Vec3d centre = Vec3d::Zero();                 ///< of the opening
    Vec3d normal = Vec3d::UnitZ();                ///< of the opening, towards the child
    double radius = 0;                            ///< mean distance of the opening from its centre
    Vec3d axis = Vec3d::UnitX();                  ///< about which the joint swings
    std::vector<std::uint32_t> opening;           ///< points of the seam
    std::vector<std::uint8_t> removed_triangles;  ///< by this gap
    std::vector<std::uint32_t> circle[2];         ///< of either part: kept points of the seam
    std::vector<std::uint32_t> bezier[2];         ///< kept points around what was removed
    std::vector<std::uint32_t> neighbours[2];     ///< kept neighbours of both
    std::vector<Vec3d> added;                     ///< new points, in the parent's rest frame
    std::size_t first_triangle = 0;               ///< of the patch in the mesh of the frame
    std::size_t triangle_count = 0;
};

/// \param closer that made the frame
/// \param frame any of its frames
/// \param gap its number; below 0 takes the one that rotates most
/// \return the gap
/// \throws Error when there is no gap, or none of this number
GapView view_gap(const GapCloser& closer, const GapFrame& frame, int gap = -1);

/// The closed skin of a rigged character at any time of any clip, as deform::Deformer has the blended one.
class GapDeformer {
  public:
    /// \param character with a mesh and a skin; must outlive this
    /// \param options see there
    /// \param monitor that is warned
    /// \throws Error when the character has no mesh or no skin
    explicit GapDeformer(const model::Character& character, const GapOptions& options = {},
                         Monitor& monitor = silent());

    /// \param clip of the character; null is the rest pose
    /// \param time seconds
    /// \param monitor that is warned
    /// \return a mesh of its own
    /// \throws Error when the pose is not finite
    geometry::Mesh mesh_at(const model::Clip* clip, double time, Monitor& monitor = silent()) const;
    /// \param palette where each joint of the skin takes the rest mesh
    /// \param monitor that is warned
    /// \return a mesh of its own
    /// \throws Error when the palette is not finite
    geometry::Mesh mesh_at(std::span<const math::Mat4d> palette, Monitor& monitor = silent()) const;

    const RigidPartsOfSkin& parts() const { return parts_; }
    const GapCloser& closer() const { return closer_; }

  private:
    const model::Character& character_;
    RigidPartsOfSkin parts_;
    GapCloser closer_;
};

/// Where the parts of a body are at the frames of a motion.
struct PartMotion {
    std::string name;
    double rate = 30;                               ///< frames per second
    std::vector<std::vector<math::Rigidd>> frames;  ///< each with a transform for every part
};

/// Frames as they are closed, kept as small as they can be told apart. Triangles that no frame changes follow
/// the joint of their part, or where skin is soft those of several. Those near a gap that are whole in some
/// frames only follow it too, in pieces that are shown in these frames. A patch with the triangles around it
/// follows the parent of its joint, and is shown in all frames in which the joint is bent alike. What is in
/// one or two frames only is a piece for each frame. Pieces are attached to joints whose scale is 1 while
/// they are shown and 0 otherwise (stepped keys that change half way between two frames): between two frames
/// the parts move smoothly and the patches wait. At rest the character stands as in the first frame.
class GapRecording {
  public:
    /// The closer must outlive the recording.
    GapRecording(const GapCloser& closer, std::string name, double rate);

    /// The next frame.
    /// \param world where each part is
    /// \param frame what the closer made of it
    /// \throws Error when the transforms do not fit the parts.
    void add(std::span<const math::Rigidd> world, const GapFrame& frame);

    /// \return the character of all frames so far
    /// \throws Error when there are no frames.
    model::Character character() const;

  private:
    /// A patch and the triangles at its ends, in the parent's rest frame.
    struct Bend {
        math::Rigidd relative;
        std::vector<std::uint32_t> loops[2];
        geometry::Mesh mesh;
        std::vector<std::uint32_t> frames;
    };
    bool seen_before(const Gap& gap, const GapPatch& patch, std::span<const math::Rigidd> world);
    bool has_soft_skin(const Gap& gap) const;
    /// Bends of soft skin depend on more than their joint: they are alike when the pieces are.
    void add_soft(const GapPatch& patch, geometry::Mesh piece);

    const GapCloser& closer_;
    PartMotion motion_;
    std::vector<std::vector<Bend>> bends_;          ///< of each gap
    std::vector<geometry::Mesh> mixed_;             ///< of each frame, triangles at the ends of two patches
    std::vector<std::vector<std::uint8_t>> rigid_;  ///< of each frame, triangles of the rest mesh
};

/// Closes all frames of a motion into such a character; with constant topology that of `spread_character`.
/// \param closer of the body
/// \param motion of its parts
/// \param monitor that is warned, and may cancel
/// \return the character
/// \throws Error when there are no frames, or one does not fit the parts.
model::Character gap_character(const GapCloser& closer, const PartMotion& motion,
                               Monitor& monitor = silent());

/// A body closed with constant topology as a plain skinned character: the points of a patch that lie at one
/// part of the path from parent to child rotate as one, so each row of them follows a joint of its own that
/// rotates by this part of it. The file is as small as that of any skinned character.
/// \param closer of the body, with constant topology
/// \param motion of its parts
/// \return the character
/// \throws Error when the closer has no constant topology, or a frame does not fit the parts.
model::Character spread_character(const GapCloser& closer, const PartMotion& motion);

}  // namespace sinew::articulated
