#pragma once
/// \file
/// A mesh in one piece, cut into the parts that a person would name.

#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/geometry/cut_mesh.h"
#include "sinew/model/character.h"

namespace sinew::rig {

enum class SegmentMethod : std::uint8_t {
    skeleton,  ///< by the joints of a curve skeleton: also where a straight limb shows no joint
    diameter,  ///< by how thick the body is (shape-diameter function; Shapira, Shamir and Cohen-Or 2008)
};
std::string_view name_of(SegmentMethod method);

struct SegmentationOptions {
    SegmentMethod method = SegmentMethod::skeleton;
    double least_area = 0.005;      ///< of the surface: smaller parts join their neighbours
    double least_length = 0.8;      ///< of its thickness: shorter parts between two cuts join; half of
                                    ///< it where more cuts meet
    double least_rig_length = 0.5;  ///< the same of a mesh with a rig
    double least_leaf = 0.015;      ///< of the surface: smaller ends of limbs join them; not with a rig
    double least_reach = 0.7;       ///< of its opening's width: shorter ends join; not with a rig
    double patch = 0.25;  ///< of its border: what a patch has with a second part that touches the first
    double band = 1;      ///< of the radius of a cut: how far it may move to a better place; 0 leaves it
    int border_rays = 5;  ///< a face, of `skeleton`: cuts go to where the thickness changes; 0 does not ask
    int rays = 25;        ///< a face, of `diameter`
    int levels = 4;       ///< of thickness, of `diameter`
    /// A body of several shells is cut as the eye sees it, and a part may have pieces in many of them. Rigid
    /// parts whose joints close need parts in one piece: false.
    bool across_shells = false;
};

struct Segmentation {
    std::vector<int> part_of;        ///< of each triangle
    std::vector<std::string> names;  ///< after the joints where their roles are known
    model::Skeleton guide;           ///< that the mesh was cut by; empty for `diameter`
    std::vector<int> parents;        ///< of each part, -1 for the root; empty without a rig or shells
    bool across_shells = false;      ///< parts have pieces in several shells and need not touch
    double seconds = 0;

    std::size_t part_count() const { return names.size(); }
};

/// Every part is connected over edges; shells that do not hang together with the largest belong to the part
/// that is nearest to them, unless parts may go across shells. Parts meet only their parents and children,
/// each in one line. The same for every thread count.
/// \throws Error when the mesh has no extent.
Segmentation segment(const geometry::Mesh& mesh, const SegmentationOptions& options = {},
                     Monitor& monitor = silent());

/// By the joint with most weight on each face of a character that has a rig; small parts join as above, and
/// names are those of the joints.
Segmentation segment(const model::Character& character, const SegmentationOptions& options = {},
                     Monitor& monitor = silent());

/// The tree of the parts: as the rig has it where its parts touch (see wanted_part_tree), without a rig the
/// automatic one. Of parts across shells, as the segmentation says, without openings.
geometry::PartTree segment_tree(const geometry::CutMesh& cut, const Segmentation& segmentation,
                                Monitor& monitor = silent());

/// The mesh with its triangles sorted by part, each part under its name.
geometry::Mesh with_parts(const geometry::Mesh& mesh, const std::vector<int>& part_of,
                          const std::vector<std::string>& names);

}  // namespace sinew::rig
