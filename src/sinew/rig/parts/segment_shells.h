#pragma once
/// \file
/// Bodies of several shells (clothes, eyes, plates of a robot) cut as the eye sees them.

#include "sinew/rig/parts/face_graph.h"
#include "sinew/rig/parts/segment.h"

namespace sinew::rig {

/// Whether shells other than the largest are more than trimmings: a twentieth of the surface.
bool has_many_shells(const FaceGraph& graph);

/// Labels by shell: one that lies mostly (0.7 of it) in one label, or is smaller than `least_area` of the
/// surface, gets that label as a whole; in others, pieces smaller than a tenth of the shell join the label
/// with the longest border. Labels that have less than `least_area` in all stay: see drop_small.
void settle_shells(const FaceGraph& graph, std::vector<int>& labels, double least_area);

/// Labels with less than `least_area` of the surface become their parents' (-1 ends a way up).
void drop_small(const FaceGraph& graph, const std::vector<int>& parents, double least_area,
                std::vector<int>& labels);

/// Cuts the surface of the solid that the shells make together, and gives every face the part that is
/// nearest to it. Parts may have pieces in many shells; their tree is that of the solid's parts.
Segmentation segment_solid(const geometry::Mesh& mesh, const FaceGraph& graph,
                           const SegmentationOptions& options, Monitor& monitor);

}  // namespace sinew::rig
