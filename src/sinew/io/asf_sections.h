#pragma once
/// \file
/// The sections of an ASF file as they stand there, before the bones are joined to a tree.

#include <string>
#include <string_view>
#include <vector>

#include "sinew/io/acclaim/figure.h"
#include "sinew/io/asf_text.h"

namespace sinew::io::asf {

struct Limit {
    double low;
    double high;
};

struct Bone {
    std::string_view name;
    math::Vec3d direction = math::Vec3d::Zero();
    double length = 0;
    math::Quatd axes = math::Quatd::Identity();
    std::vector<Dof> dofs;
    std::vector<Limit> limits;  ///< as many as dofs, or none; radians for rotations
};

/// A parent and one of its children, as a line of :hierarchy names them.
struct Link {
    std::string_view parent;
    std::string_view child;
    std::size_t position;  ///< in the text
};

struct Sections {
    double unit = 1;
    bool degrees = true;
    Bone root;
    math::Vec3d position = math::Vec3d::Zero();  ///< of the root
    std::vector<Bone> bones;
    std::vector<Link> links;
};

Sections read_sections(Words& words, bvh::Tally& tally);

}  // namespace sinew::io::asf
