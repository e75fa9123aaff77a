#pragma once
/// \file
/// A body that is cut into rigid parts: what closing the gaps between them needs to know.

#include <span>

#include "sinew/geometry/cut_mesh.h"
#include "sinew/geometry/part_shape.h"
#include "sinew/math/transform.h"

namespace sinew::deform {

using geometry::Vec3d;

/// The mesh at rest and its parts. Where two parts meet, they meet in simple loops (see tidy_parts).
struct PartBody {
    geometry::Mesh mesh;
    geometry::CutMesh cut;
    std::vector<int> parent;                 ///< of each part, -1 for a root
    std::vector<Vec3d> pivot;                ///< where each part turns against its parent
    std::vector<Vec3d> centre;               ///< KC of each part, or what stands for it
    std::vector<geometry::OrientedBox> box;  ///< of each part

    std::size_t part_count() const { return parent.size(); }
};

/// A body from a tree of parts and their features: each part turns about the middle of its opening. Parts
/// that meet in anything but simple loops are tidied (warning `parts-tidied`).
PartBody part_body(const geometry::Mesh& mesh, geometry::CutMesh cut, const geometry::PartTree& tree,
                   std::span<const geometry::PartFeatures> features, Monitor& monitor = silent());

/// Centres and boxes from the points of the parts alone, for bodies whose features nobody asked for.
void add_plain_features(PartBody& body);

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
TidyReport tidy_parts(geometry::CutMesh& cut, std::span<const int> parent, const TidyOptions& options = {});

}  // namespace sinew::deform
