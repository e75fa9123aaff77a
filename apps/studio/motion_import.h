#pragma once
// A motion that goes onto a character, and goes there again when a person changes which joint follows which.

#include "document.h"

#include "sinew/motion/retarget.h"

namespace sinew::studio {

/// What it takes to put a motion onto its character again.
struct ImportedMotion {
    std::filesystem::path path;
    model::Character source;     ///< skeleton and clips
    motion::JointMap map;        ///< for each joint of the character
    std::size_t first_clip = 0;  ///< of the character, where the motion's begin
    bool by_itself = true;       ///< the map is the one that was found
};

/// A document whose character has the clips of a motion behind its own: channels by the numbers of its
/// joints, markers solved, clips of another skeleton retargeted.
/// \throws Error when there is no skeleton to move or the motion has no clip.
Document with_motion(const Document& document, io::Asset motion, const std::filesystem::path& path,
                     Monitor& monitor = silent());

/// The same document with the last motion put on again by another map.
/// \throws Error when there is none, or nothing is mapped.
Document with_joint_map(const Document& document, motion::JointMap map, Monitor& monitor = silent());

/// The map that names and roles give.
motion::JointMap map_by_itself(const Document& document);

}  // namespace sinew::studio
