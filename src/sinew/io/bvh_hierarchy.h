#pragma once
/// \file
/// The HIERARCHY part of a BVH file.

#include <cstdint>
#include <vector>

#include "sinew/io/text/tokens.h"
#include "sinew/model/skeleton.h"

namespace sinew::io::bvh {

inline constexpr std::size_t max_depth = 512;
inline constexpr std::size_t max_joints = 65536;

/// One number of a frame.
struct Channel {
    enum class Kind : std::uint8_t { position, rotation, ignored };
    Kind kind = Kind::ignored;
    std::uint8_t axis = 0;
};

/// The channels of a joint: a range of Hierarchy::channels.
struct ChannelRange {
    std::size_t first = 0;
    std::size_t count = 0;
};

struct Hierarchy {
    model::Skeleton skeleton;
    std::vector<ChannelRange> ranges;  ///< beside skeleton.joints
    std::vector<Channel> channels;     ///< in the order of a frame's numbers
    bool motion = false;               ///< MOTION follows
};

/// Reads from HIERARCHY up to and including MOTION, or to the end of the file. Names are as in the file:
/// possibly empty or doubled. \throws Error with line.
Hierarchy read_hierarchy(Tokens& tokens, Tally& tally);

}  // namespace sinew::io::bvh
