// SPDX-License-Identifier: MIT
#pragma once
// A motion that is applied to a character, and applied again when the user changes which joint follows which.

#include "document.h"

#include "sinew/pipeline/motion.h"

namespace sinew::studio {

/// Data for applying a motion to its character again.
struct ImportedMotion {
    pipeline::Motion source;
    motion::JointMap map;        ///< for each joint of the character
    std::size_t first_clip = 0;  ///< of the character: index of the first clip of the motion
    bool by_itself = true;       ///< the map was found automatically
};

/// A document whose character has the clips of a motion after its own: channels by the numbers of its joints,
/// markers solved, clips of another skeleton retargeted. A mesh without a skeleton is rigged with that of the
/// motion; `reason`, if given, receives a description of the result.
/// \throws Error when nothing can follow the motion, or it has no clip.
Document with_motion(const Document& document, io::Asset motion, const std::filesystem::path& path,
                     Monitor& monitor = silent(), std::string* reason = nullptr);

/// A skeleton and weights for the open mesh, described for the user.
std::string reason_of(const pipeline::RigResult& made);

/// The same document with the last motion applied again with another map.
/// \throws Error when there is none, or nothing is mapped.
Document with_joint_map(const Document& document, motion::JointMap map, Monitor& monitor = silent());

/// The map that follows from names and roles.
motion::JointMap map_by_itself(const Document& document);

}  // namespace sinew::studio
