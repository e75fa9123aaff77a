#pragma once
/// \file
/// A character as bones of an ASF skeleton and rows of an AMC motion. See write_asf and write_amc.

#include <string>
#include <string_view>
#include <vector>

#include "sinew/io/acclaim/figure.h"
#include "sinew/io/io.h"

namespace sinew::io::asf {

/// A bone that is written, and its numbers in every frame.
struct WrittenBone {
    std::string name;
    int parent = -1;  ///< index of a bone before it; -1 for the root
    math::Vec3d end = math::Vec3d::Zero();
    math::Quatd axes = math::Quatd::Identity();
    std::vector<Dof> dofs;
    std::vector<std::pair<double, double>> limits;  ///< of the dofs, degrees; may be empty
    std::vector<double> values;                     ///< frame * dofs + dof
};

struct Layout {
    math::Vec3d position = math::Vec3d::Zero();  ///< of the root
    std::vector<WrittenBone> bones;              ///< the root first, parents before children
    std::size_t frames = 1;
    double unit = 1;  ///< metres a number
};

/// \throws Error when there is no skeleton or the rate is none.
Layout lay_out(const Asset& asset, std::string_view file, const WriteOptions& options, Monitor& monitor);

std::string skeleton_text(const Layout& layout);

}  // namespace sinew::io::asf
