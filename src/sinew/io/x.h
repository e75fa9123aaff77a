#pragma once
/// \file
/// DirectX .x files.

#include "sinew/io/io.h"

namespace sinew::io {

/// Text files are read here: frames, meshes with normals, texture coordinates, colours, materials, skin
/// weights and animation sets (each a clip). Binary and compressed ones go to the importer (foreign.h).
///
/// The format is left-handed and multiplies row vectors from the left. With S = diag(1, 1, -1):
///
///     p = S p_file     M = S M_file^T S     q = (w; -x, -y, z) of the conjugate of the stored (w; x y z)
///
/// and faces turn round. Animation keys replace a frame's own matrix. What is broken is repaired by rule:
/// `x-bad-faces` (corners out of range or fewer than three: dropped), `x-normals` (unfit for the faces: left
/// out), `x-materials` (indices out of range or too few), `x-unknown-bone` (weights for a missing frame: a
/// joint is added), `x-weights` (counts or vertices out of range), `x-unknown-frame` (an animation of
/// nothing), `x-reference` (to something missing), `x-key-order` (sorted; of several keys at one time the
/// last stays), `x-keys` (of a type or length that is not known), `x-duplicate-frame` (the first is meant),
/// `x-shear`.
/// \throws Error with the line.
Asset read_x(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

}  // namespace sinew::io
