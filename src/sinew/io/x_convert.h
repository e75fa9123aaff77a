#pragma once
/// \file
/// From the axes of a .x file to ours.

#include <filesystem>

#include "sinew/io/interchange.h"
#include "sinew/io/scene/x_file.h"

namespace sinew::io::x {

/// M = S M_file^T S with S = diag(1, 1, -1, 1): row vectors to column vectors, left-handed to right-handed.
math::Mat4d to_matrix(const Matrix& matrix);
/// The way back.
Matrix from_matrix(const math::Mat4d& matrix);

/// A mesh with one index for each corner; positions come first and in the order of the file.
SceneMesh convert_mesh(const MeshObject& object, const File& file, Oddities& oddities);

/// Clips of the animation sets; tracks name frames. Keys in matrices are taken apart.
std::vector<model::Clip> convert_animations(const File& file, Oddities& oddities);

}  // namespace sinew::io::x
