// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Labels of faces: by thickness, by a curve skeleton, equal on both sides; and names of the resulting parts.

#include <optional>
#include <string>

#include "sinew/base/monitor.h"
#include "sinew/geometry/cut_mesh.h"
#include "sinew/geometry/mesh.h"
#include "sinew/rig/parts/cut/curve_cuts.h"
#include "sinew/rig/parts/face_graph.h"
#include "sinew/rig/templates/symmetry.h"

namespace sinew::rig {
/// Of each face the mean length of rays into the body, without those that are farther than a deviation from
/// the median, as part of the body's diagonal; 0 where no ray meets the other side.
std::vector<double> face_thickness(const geometry::Mesh& mesh, const FaceGraph& graph, int rays);

/// Shape-diameter function: the same smoothed over neighbours, on a logarithmic scale from 0 to 1 (Shapira,
/// Shamir and Cohen-Or 2008, 3).
std::vector<double> shape_diameters(const geometry::Mesh& mesh, const FaceGraph& graph, int rays);

/// A mixture of Gaussians gives each face a cost for each level; minimum cuts between levels (expansion
/// moves) make borders short and move them into concave regions; connected pieces are the labels.
std::vector<int> diameter_labels(const geometry::Mesh& mesh, const FaceGraph& graph, int rays,
                                 int level_count, Monitor& monitor);

// --- Equal cuts on both sides of a body that is its own mirror image.

/// Which face lies where the mirror image of a face does.
struct FaceMirror {
    MirrorPlane plane;
    std::vector<int> image;  ///< of each face; -1 where the body is not its own image
    std::vector<int> side;   ///< of each face: +1 or -1
};

/// None when the body is not its own mirror image.
std::optional<FaceMirror> face_mirror(const geometry::Mesh& mesh, const FaceGraph& graph);

/// Twins of labels by most of their area: a label in the middle is its own twin, one without any has -1.
std::vector<int> twin_labels(const FaceGraph& graph, const FaceMirror& mirror,
                             const std::vector<int>& labels);

/// Limbs of one side become the images of their twins on the other: the limb with more parts stays, because a
/// part found on one side also exists on the other; then the rest of one side becomes the image of the rest
/// of the other. Limbs in another pose than their twins do not change. Labels must be 0, 1, 2, ...; new ones
/// follow.
void mirror_labels(const FaceGraph& graph, const FaceMirror& mirror, std::vector<int>& labels);

// --- Labels of faces by the cuts of a curve skeleton.

struct SkeletonLabels {
    std::vector<int> of_face;  ///< stretch
    CurveCuts cuts;
    model::Skeleton guide;
};

/// Every face belongs to the stretch whose spheres are nearest to its corners on paths inside the body.
/// Joints stand at bends and necks; elbows, wrists, knees and ankles also where a limb is straight.
SkeletonLabels skeleton_labels(const geometry::Mesh& mesh, Monitor& monitor);

// --- Flat figures cut out of a sheet, as bodies.

/// A flat surface with a border has no inside, but a pillow with this surface on both sides does: as thick as
/// it is wide, closed along the border. Its first triangles are those of the surface, in their order; then
/// the same from the other side. Empty when the surface is closed or not flat.
std::optional<geometry::Mesh> pillow_of(const geometry::CutMesh& surface);

// --- Names of parts by where they are in the body.

/// The role of each part by the shape of the tree of parts, such as "LeftUpperArm"; empty where there is
/// none. Limbs that are cut into unequal numbers of parts are identified by where they start and end.
std::vector<std::string> names_by_shape(const geometry::CutMesh& cut, const geometry::PartTree& tree);

/// Twins, as returned by twin_labels(), get the same name for both sides: that of the one which is nearer to
/// the trunk by its name, unless a third part has it already.
void name_twins(const std::vector<int>& twins, std::vector<std::string>& names);

}  // namespace sinew::rig
