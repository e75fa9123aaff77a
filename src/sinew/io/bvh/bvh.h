// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// BVH (Biovision hierarchy): a skeleton and one evenly sampled motion.

#include <filesystem>
#include <string>

#include "sinew/io/io.h"

namespace sinew::io {

/// Reads a skeleton (rest = OFFSETs without rotation, End Sites as tips) and its motion. Numbers keep the
/// file's unit; a frame time that is a rounded 1/n becomes exactly 1/n. A joint rotates by the product of its
/// rotation channels from left to right, whatever the order; its position channels replace its OFFSET or are
/// added to it (ReadOptions::convention; by default detected from the data). Without frames or channels the
/// result is a skeleton without a clip.
///
/// Many files in archives violate the grammar. Repairable errors give one warning per kind (`bvh-...`) with
/// the first location. \throws Error with file and line for other errors
Asset read_bvh(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Writes the skeleton and the first clip, sampled at its own rate or at WriteOptions::rate; without a clip,
/// the rest pose as one frame. Six channels for roots and for joints that move against their parent, three
/// for the others; angles in WriteOptions::euler_order, without jumps.
///
/// BVH has neither rest rotations nor scale, so poses are written relative to the rest pose. With C_j the
/// rest rotation of joint j in the world, A_j the linear part (with scale) of its rest matrix, B_j of its
/// matrix in the frame, q_j and t_j its local rotation and translation and p its parent:
///
///     OFFSET_j   = A_p t_j(rest)                       the rest pose, upright in the world
///     rotation_j = C_p q_j C_j^-1                      its world products are D_j = Q_j C_j^-1
///     position_j = D_p^-1 B_p t_j                      equals OFFSET_j while nothing but rotations move
///
/// Position of every joint, and its rotation relative to the rest pose, are then preserved in every frame.
/// Warnings: `bvh-one-clip` (further clips are left out), `bvh-scale` (animated scale: joints keep their
/// positions, the scale itself is lost), `bvh-name` (a name the format cannot hold was changed),
/// `bvh-root-rest` and `bvh-position-convention` (readers may take the positions in the other convention).
std::string write_bvh(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

}  // namespace sinew::io
