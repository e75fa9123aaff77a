#pragma once
/// \file
/// A skeleton into a body as Baran and Popovic published it (2007): what our own template fit is compared
/// with.

#include "sinew/rig/skeletonize/pinocchio_search.h"
#include "sinew/rig/skeletonize/template_fit.h"

namespace sinew::rig {

struct PinocchioOptions {
    BodyOptions body = {};
    double tolerance = 0.003;  ///< of the longest side; spheres thinner than twice this are left out
    EmbeddingOptions embedding = {};
    double asymmetry = 5;     ///< percent: twins that are nearer to images of each other are averaged
    double stiffness = 0.25;  ///< of the template's shape while bones move to the middle of limbs
    int rounds = 15;          ///< of that
};

/// Spheres fill the body; the junctions and ends of the template are embedded in their graph; the joints
/// between follow along the ways by the template's proportions, and all are refined together: bones towards
/// the middle of limbs, lengths and directions as in the template, twins alike. The distance field is that of
/// the voxel solid instead of an octree. As published, the body has to stand as the template does, and
/// skeletons that differ from it too much find no embedding.
/// \throws Error when there is no embedding, or the mesh or the template has no extent.
TemplateFit pinocchio_fit(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                          const PinocchioOptions& options = {}, Monitor& monitor = silent());

}  // namespace sinew::rig
