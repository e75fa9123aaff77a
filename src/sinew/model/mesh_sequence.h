#pragma once
/// \file
/// A mesh whose vertices move from frame to frame, with fixed connectivity: cloth, soft bodies, captured
/// surfaces.

#include <string_view>
#include <vector>

#include "sinew/geometry/mesh.h"

namespace sinew::model {

struct MeshSequence {
    geometry::Mesh rest;
    double rate = 30;                                  ///< frames a second
    std::vector<std::vector<geometry::Vec3f>> frames;  ///< each as long as rest.positions

    bool empty() const { return frames.empty(); }
};

/// \throws Error naming the first frame with another vertex count or a position that is not finite.
void validate(const MeshSequence& sequence, std::string_view place);

}  // namespace sinew::model
