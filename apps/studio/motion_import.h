// SPDX-License-Identifier: MIT
#pragma once
// A motion that goes onto a character, and goes there again when a person changes which joint follows which.

#include "document.h"

#include "sinew/pipeline/motion.h"

namespace sinew::studio {

/// What it takes to put a motion onto its character again.
struct ImportedMotion {
    pipeline::Motion source;
    motion::JointMap map;        ///< for each joint of the character
    std::size_t first_clip = 0;  ///< of the character, where the motion's begin
    bool by_itself = true;       ///< the map is the one that was found
};

/// A document whose character has the clips of a motion behind its own: channels by the numbers of its
/// joints, markers solved, clips of another skeleton retargeted. A mesh without a skeleton is rigged with
/// that of the motion; `reason`, if given, gets what was done.
/// \throws Error when nothing can follow the motion, or it has no clip.
Document with_motion(const Document& document, io::Asset motion, const std::filesystem::path& path,
                     Monitor& monitor = silent(), std::string* reason = nullptr);

/// A skeleton and weights for what is open, in words for a person.
std::string reason_of(const pipeline::RigResult& made);

/// The same document with the last motion put on again by another map.
/// \throws Error when there is none, or nothing is mapped.
Document with_joint_map(const Document& document, motion::JointMap map, Monitor& monitor = silent());

/// The map that names and roles give.
motion::JointMap map_by_itself(const Document& document);

}  // namespace sinew::studio
