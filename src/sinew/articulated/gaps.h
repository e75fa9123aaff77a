// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Rigid parts with closed joints: in every frame, overlapping geometry at a joint is removed and gaps are
/// bridged by smooth surfaces. \cite vasilakis2008
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

/// A mesh at rest and its parts. Where two parts meet, they meet in simple loops (see tidy_parts).
struct PartBody {
    geometry::Mesh mesh;
    geometry::CutMesh cut;
    std::vector<int> parent;                 ///< of each part; -1 for a root
    std::vector<Vec3d> pivot;                ///< centre of rotation of each part relative to its parent
    std::vector<Vec3d> centre;               ///< kernel centre of each part, or its substitute
    std::vector<geometry::OrientedBox> box;  ///< of each part

    std::size_t part_count() const { return parent.size(); }
};

/// Builds a body from a tree of parts and their features; each part rotates about the centre of its opening.
/// If parts do not meet in simple loops, they are tidied.
/// \param mesh the mesh at rest
/// \param cut its parts
/// \param tree hierarchy of the parts
/// \param features features of the parts
/// \param monitor receives warnings: `parts-tidied` when triangles were moved to other parts
/// \return the body
PartBody part_body(const geometry::Mesh& mesh, geometry::CutMesh cut, const geometry::PartTree& tree,
                   std::span<const geometry::PartFeatures> features, Monitor& monitor = silent());

/// Number of triangles that were moved to other parts, by reason.
struct TidyReport {
    std::size_t junctions = 0;  ///< more than two parts met, or two met more than once, at a point
    std::size_t islands = 0;    ///< a small piece was separate from its part
    std::size_t spikes = 0;     ///< two of three neighbours belonged to one other part
    std::size_t crowded = 0;    ///< two seams of a part were too close

    std::size_t moved() const { return junctions + islands + spikes + crowded; }
};

struct TidyOptions {
    /// Rounds in which seams of a part that are within a few edges of each other are moved apart, into the
    /// children.
    int spread = 0;
    bool smooth = false;  ///< remove spikes along the cut
    double island_fraction =
        0;  ///< pieces smaller than this fraction of their part's largest piece join the neighbour
};

/// Reassigns triangles until every point lies on at most one border of two parts. All borders are then simple
/// loops (or, on an open mesh, chains between borders of the mesh), and any surface between two loops keeps
/// the mesh closed. Where three parts meet, the triangles go to the part between the others in the tree:
/// between two legs, to the hips.
/// \param[in,out] cut the mesh and its parts
/// \param parent parent of each part
/// \param options see TidyOptions
/// \return the number of moved triangles
TidyReport tidy_parts(geometry::CutMesh& cut, std::span<const int> parent, const TidyOptions& options = {});

/// Rigid parts of a rigged character: each triangle belongs to the joint with the largest weight.
struct RigidPartsOfSkin {
    PartBody body;
    std::vector<std::uint32_t> driver;  ///< palette entry of each part
};

/// Cuts a rigged character into rigid parts along edges; parts are tidied and named after their joints. A
/// joint without triangles has no part; its children are attached to the next part above. Pivots are the
/// joints.
/// \param character with a mesh and a skin
/// \param monitor receives warnings
/// \return the parts
/// \throws Error when the character has no mesh or no skin
RigidPartsOfSkin rigid_parts_of_skin(const model::Character& character, Monitor& monitor = silent());

/// Transforms of the parts for a palette. Only the rigid part of each matrix is used (the nearest rotation);
/// the largest deviation of a matrix from it updates `stretch`, if given.
/// \param parts parts of a character
/// \param palette palette of its skin
/// \param[in,out] stretch may be null
/// \return one transform per part
std::vector<math::Rigidd> part_transforms(const RigidPartsOfSkin& parts, std::span<const math::Mat4d> palette,
                                          double* stretch = nullptr);

/// Which points count as inside the other part, behind its opening.
enum class InsideTest : std::uint8_t {
    box,    ///< inside its oriented box and behind the plane of the opening: seven planes
    hull,   ///< inside its convex hull and behind the plane
    exact,  ///< inside the part itself with closed openings
};

struct GapOptions {
    InsideTest inside = InsideTest::exact;  ///< `box` is the published rule, but removes too much
    /// V_m = (1 - lambda) I + lambda Middle: 0 keeps the tangents of both limbs, 1 uses the midpoint.
    double lambda = 0.5;
    /// Shoulder of the blending curve, from chord (0) to control point (1); a circular arc if not set.
    std::optional<double> sharpness = {};
    /// Size in edges of the soft region around points that cannot be cut because another seam is too close;
    /// the skin there blends the parts on both sides. 0 keeps every part rigid.
    int softness = 4;
    int fairing = 0;                 ///< smoothing steps of the new points; their ends stay fixed
    bool constant_topology = false;  ///< keep the same triangles in every frame; nothing is removed
    bool parallel = true;            ///< process joints in parallel
};

/// Time of the four stages in seconds.
struct GapSeconds {
    double remove = 0;
    double add = 0;
    double triangulate = 0;
    double normals = 0;

    double total() const { return remove + add + triangulate + normals; }
    void include(const GapSeconds& other);
};

/// One frame: a closed surface with the genus of the input (if that is closed), and details of its
/// construction.
struct GapFrame {
    GapFrame();
    GapFrame(const GapFrame&);
    GapFrame(GapFrame&&) noexcept;
    GapFrame& operator=(const GapFrame&);
    GapFrame& operator=(GapFrame&&) noexcept;
    ~GapFrame();

    geometry::Mesh mesh;
    std::vector<GapPatch> patches;                ///< of all gaps; empty for joints that did not move
    std::vector<std::uint8_t> removed_triangles;  ///< marks triangles of the rest mesh
    std::size_t moved_gaps = 0;
    std::size_t removed_vertices = 0;
    std::size_t added_vertices = 0;
    std::size_t patch_triangles = 0;  ///< the last triangles of the mesh
    GapSeconds seconds;               ///< summed over all gaps
    double skin_seconds = 0;          ///< time to move the parts and assemble the mesh
};

/// Closes gaps; holds the data that is the same in every frame: neighbourhoods, median edges, seams and their
/// surroundings.
class GapCloser {
  public:
    /// \param body the parts at rest
    /// \param options see GapOptions
    /// \param monitor receives warnings: `short-part` for seams that are so close to each other that nothing
    /// may be removed there
    explicit GapCloser(PartBody body, const GapOptions& options = {}, Monitor& monitor = silent());
    GapCloser(GapCloser&&) noexcept;
    GapCloser& operator=(GapCloser&&) noexcept;
    ~GapCloser();

    /// Moves the parts and closes the gaps. If no part moved relative to its neighbours, the frame is the
    /// rest mesh moved rigidly (for identities, exactly the input). Vertices on seams exist once per part, at
    /// the same position where the parts need not separate.
    /// \param world transform of each part from its rest position
    /// \param monitor receives warnings: `gap-half-turn` when a joint rotates by 180 degrees, where the
    /// shorter path is undefined; `gap-drawn` when most of a seam was pulled in instead of cut
    /// \return the frame
    /// \throws Error when the number of transforms differs from that of the parts, or one is not finite
    GapFrame close(std::span<const math::Rigidd> world, Monitor& monitor = silent()) const;

    const PartBody& body() const;
    const GapOptions& options() const;
    const std::vector<Gap>& gaps() const;
    const SoftSeams& soft() const;

  private:
    struct Data;
    std::unique_ptr<Data> data_;
};

/// One gap of a frame, for visualisation. Points are indices into the cut mesh and triangles indices into the
/// rest mesh unless stated otherwise; directions are in the parent's rest frame.
struct GapView {
    int parent = -1;
    int child = -1;
    Vec3d centre = Vec3d::Zero();                 ///< of the opening
    Vec3d normal = Vec3d::UnitZ();                ///< of the opening, towards the child
    double radius = 0;                            ///< mean distance of the opening from its centre
    Vec3d axis = Vec3d::UnitX();                  ///< axis of the swing of the joint
    std::vector<std::uint32_t> opening;           ///< points of the seam
    std::vector<std::uint8_t> removed_triangles;  ///< removed by this gap
    std::vector<std::uint32_t> circle[2];         ///< of each part: remaining points of the seam
    std::vector<std::uint32_t> bezier[2];      ///< of each part: remaining points around the removed region
    std::vector<std::uint32_t> neighbours[2];  ///< remaining neighbours of both
    std::vector<Vec3d> added;                  ///< new points, in the parent's rest frame
    std::size_t first_triangle = 0;            ///< of the patch in the mesh of the frame
    std::size_t triangle_count = 0;
};

/// \param closer the closer that made the frame
/// \param frame one of its frames
/// \param gap index of the gap; negative selects the one that rotates most
/// \return the gap
/// \throws Error when there is no gap, or none with this index
GapView view_gap(const GapCloser& closer, const GapFrame& frame, int gap = -1);

/// The closed skin of a rigged character at any time of any clip: the counterpart of deform::Deformer.
class GapDeformer {
  public:
    /// \param character with a mesh and a skin; must outlive this object
    /// \param options see GapOptions
    /// \param monitor receives warnings
    /// \throws Error when the character has no mesh or no skin
    explicit GapDeformer(const model::Character& character, const GapOptions& options = {},
                         Monitor& monitor = silent());

    /// \param clip clip of the character; null gives the rest pose
    /// \param time seconds
    /// \param monitor receives warnings
    /// \return an independent mesh
    /// \throws Error when the pose is not finite
    geometry::Mesh mesh_at(const model::Clip* clip, double time, Monitor& monitor = silent()) const;
    /// \param palette matrices from rest to posed, one per joint of the skin
    /// \param monitor receives warnings
    /// \return an independent mesh
    /// \throws Error when the palette is not finite
    geometry::Mesh mesh_at(std::span<const math::Mat4d> palette, Monitor& monitor = silent()) const;

    const RigidPartsOfSkin& parts() const { return parts_; }
    const GapCloser& closer() const { return closer_; }

  private:
    const model::Character& character_;
    RigidPartsOfSkin parts_;
    GapCloser closer_;
};

/// Transforms of the parts of a body in the frames of a motion.
struct PartMotion {
    std::string name;
    double rate = 30;                               ///< frames per second
    std::vector<std::vector<math::Rigidd>> frames;  ///< per frame one transform per part
};

/// Records closed frames compactly as a character with stepped visibility. Triangles that no frame changes
/// follow the joint of their part or, in soft regions, several joints. Triangles near a gap that are complete
/// only in some frames follow it too, in pieces that are visible in these frames. A patch with the triangles
/// around it follows the parent of its joint and is reused in all frames with the same bend of the joint.
/// What occurs in one or two frames only is a piece per frame. Pieces are attached to joints whose scale is 1
/// while they are visible and 0 otherwise (stepped keys that change half-way between two frames): between two
/// frames parts move smoothly and patches do not change. The rest pose is the first frame.
class GapRecording {
  public:
    /// The closer must outlive the recording.
    GapRecording(const GapCloser& closer, std::string name, double rate);

    /// Adds the next frame.
    /// \param world transform of each part
    /// \param frame result of the closer
    /// \throws Error when the transforms do not match the parts
    void add(std::span<const math::Rigidd> world, const GapFrame& frame);

    /// \return the character of all frames added so far
    /// \throws Error when there are no frames
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
    /// Bends of soft skin depend on more than their joint; they are equal when the pieces are.
    void add_soft(const GapPatch& patch, geometry::Mesh piece);

    const GapCloser& closer_;
    PartMotion motion_;
    std::vector<std::vector<Bend>> bends_;          ///< per gap
    std::vector<geometry::Mesh> mixed_;             ///< per frame, triangles at the ends of two patches
    std::vector<std::vector<std::uint8_t>> rigid_;  ///< per frame, triangles of the rest mesh
};

/// Closes all frames of a motion and records them as a character; with constant topology as
/// `spread_character`.
/// \param closer closer of the body
/// \param motion motion of its parts
/// \param monitor receives warnings; can cancel
/// \return the character
/// \throws Error when there are no frames, or one does not match the parts
model::Character gap_character(const GapCloser& closer, const PartMotion& motion,
                               Monitor& monitor = silent());

/// A body closed with constant topology, as an ordinary skinned character: points of a patch at the same
/// fraction of the path from parent to child rotate together, so each row of them follows an additional joint
/// that rotates by this fraction. The file is as small as that of any skinned character.
/// \param closer closer of the body, with constant topology
/// \param motion motion of its parts
/// \return the character
/// \throws Error when the closer does not have constant topology, or a frame does not match the parts
model::Character spread_character(const GapCloser& closer, const PartMotion& motion);

}  // namespace sinew::articulated
