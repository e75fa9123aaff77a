#pragma once
/// \file
/// Labels of faces by how thick the body is there.

#include "sinew/base/monitor.h"
#include "sinew/geometry/mesh.h"
#include "sinew/rig/parts/face_graph.h"

namespace sinew::rig {

struct DiameterOptions {
    int rays = 25;   ///< in a cone of 120 degrees about the inner normal
    int levels = 4;  ///< of thickness
};

/// Of each face the mean length of rays into the body, without those that are farther than a deviation from
/// the median, as part of the body's diagonal; 0 where no ray meets the other side.
std::vector<double> face_thickness(const geometry::Mesh& mesh, const FaceGraph& graph, int rays);

/// Shape-diameter function: the same smoothed over neighbours, on a logarithmic scale from 0 to 1 (Shapira,
/// Shamir and Cohen-Or 2008, 3).
std::vector<double> shape_diameters(const geometry::Mesh& mesh, const FaceGraph& graph, int rays);

/// A mixture of Gaussians gives each face a cost for each level; minimum cuts between levels (expansion
/// moves) make borders short and put them into hollows; connected pieces are the labels.
std::vector<int> diameter_labels(const geometry::Mesh& mesh, const FaceGraph& graph,
                                 const DiameterOptions& options, Monitor& monitor);

}  // namespace sinew::rig
