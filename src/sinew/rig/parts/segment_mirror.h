#pragma once
/// \file
/// Both sides of a body that is its own mirror image, cut alike.

#include <optional>

#include "sinew/geometry/mesh.h"
#include "sinew/rig/parts/face_graph.h"
#include "sinew/rig/symmetry.h"

namespace sinew::rig {

/// Which face lies where the mirror image of a face does.
struct FaceMirror {
    MirrorPlane plane;
    std::vector<int> image;  ///< of each face; -1 where the body is not its own image
    std::vector<int> side;   ///< of each face: +1 or -1
};

struct FaceMirrorOptions {
    double residual = 0.3;  ///< percent: bodies that are less alike, such as posed ones, have no mirror
    double away = 0.01;     ///< of the size: how far an image may be from its face
};

/// None when the body is not its own mirror image.
std::optional<FaceMirror> face_mirror(const geometry::Mesh& mesh, const FaceGraph& graph,
                                      const FaceMirrorOptions& options = {});

/// Twins of labels by most of their area: a label in the middle is its own twin, one without any has -1.
std::vector<int> twin_labels(const FaceGraph& graph, const FaceMirror& mirror,
                             const std::vector<int>& labels);

/// Limbs of one side become the images of their twins on the other: those that are cut into more parts stay,
/// because what one side shows is there on the other too; then the rest of one side becomes the image of the
/// rest of the other. Limbs that are posed otherwise than their twins stay as they are. Labels must be 0, 1,
/// 2, ...; new ones follow.
void mirror_labels(const FaceGraph& graph, const FaceMirror& mirror, std::vector<int>& labels);

}  // namespace sinew::rig
