// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The HIERARCHY section of a BVH file, and whether position channels replace OFFSET or are added to it:
/// files do not state this, and both conventions are common.

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/io/text/tokens.h"
#include "sinew/math/types.h"
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
    std::vector<ChannelRange> ranges;  ///< parallel to skeleton.joints
    std::vector<Channel> channels;     ///< in the order of a frame's numbers
    bool motion = false;               ///< MOTION follows
};

/// Reads from HIERARCHY up to and including MOTION, or to the end of the file. Names are as in the file; they
/// may be empty or repeated. \throws Error with the line
Hierarchy read_hierarchy(Tokens& tokens, Tally& tally);

/// For roots: in the classic definition positions are added, but many exporters write a root OFFSET and
/// absolute positions. Returns true (replace) when OFFSET has a height and the median height of the motion is
/// within half of it.
bool root_replaces(const math::Vec3d& offset, double median_height);

/// OFFSET of a joint and its position channels in frame 0.
struct FirstPosition {
    math::Vec3d offset;
    math::Vec3d position;
};

struct JointConvention {
    bool replaces = true;
    bool sure = true;  ///< determined by the data; otherwise it is the default
};

/// For all other joints together: positions that start at OFFSET replace it (median distance below 5 % of the
/// bone length); positions that start near zero (median below 20 %) are added; otherwise they replace it.
JointConvention joint_convention(std::span<const FirstPosition> joints);

}  // namespace sinew::io::bvh
