#pragma once
/// \file
/// TGF, the trivial graph format in which skeletons of research meshes come: points, "#", edges.

#include "sinew/io/io.h"

namespace sinew::io {

/// Lines `id x y z`, a line `#`, lines `parent child`; further sections and columns are left out. Points
/// become joints named `joint_ID`. An edge that closes a loop is dropped with the warning `tgf-loop`; an edge
/// that enters a point a second time is followed the other way.
Asset read_tgf(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Joints and tips at their places in the rest pose.
std::string write_tgf(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

}  // namespace sinew::io
