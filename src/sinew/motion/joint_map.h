#pragma once
/// \file
/// Which joint of one skeleton stands for which joint of another.

#include <string>
#include <string_view>
#include <vector>

#include "sinew/model/roles.h"

namespace sinew::motion {

using model::plain_name;

/// For each joint of the target skeleton the joint of the source that moves it, or -1.
using JointMap = std::vector<int>;

/// Joints with the same plain name. A source joint is used once: when several target joints ask for it, the
/// first has it.
JointMap match_by_name(const model::Skeleton& source, const model::Skeleton& target);

/// Joints with the same role, whatever they are called: roles come from names, and from the shape where names
/// say nothing.
JointMap match_by_role(const model::Skeleton& source, const model::Skeleton& target);

/// By name when that explains four fifths of the target's joints; otherwise by role first, then by name for
/// what is left.
JointMap match_joints(const model::Skeleton& source, const model::Skeleton& target);

/// A target joint of a chain that counts another number of joints in the source: it turns as far as
/// `fraction` of the way from one source joint to another.
struct ChainLink {
    int target = -1;
    int from = -1;  ///< -1: as the source rests
    int to = -1;
    double fraction = 1;
};

/// Links of spine (with chest), neck and tail where both skeletons have them with different numbers of
/// joints: of n target and m source joints, number i turns like number i m / n, counted from the joint that
/// the chain hangs from. The ends of both chains turn alike, so that what they carry does too.
std::vector<ChainLink> link_chains(const model::Skeleton& source, const model::Skeleton& target);

/// A map as text, a line "target = source" for each joint that has a partner, to be edited and read again.
std::string to_text(const JointMap& map, const model::Skeleton& source, const model::Skeleton& target);

/// Reads such lines; "#" begins a comment, a joint without a line or with nothing behind "=" has no partner.
/// \throws Error with the line when a joint is not known or is given twice.
JointMap parse_joint_map(std::string_view text, std::string_view name, const model::Skeleton& source,
                         const model::Skeleton& target);

}  // namespace sinew::motion
