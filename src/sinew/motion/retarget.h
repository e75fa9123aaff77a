// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A motion onto another skeleton.
///
/// \code
/// motion::RetargetOptions options;
/// options.in_place = true;
/// const motion::RetargetResult result = motion::retarget(source, walk, target, options);
/// character.clips.push_back(result.clip);
/// \endcode

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/model/clip.h"
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

/// A map as text, a line "target = source" for each joint that has a partner, to be edited and read again.
std::string to_text(const JointMap& map, const model::Skeleton& source, const model::Skeleton& target);

/// Reads such lines; "#" begins a comment, a joint without a line or with nothing behind "=" has no partner.
/// \param text lines "target = source"
/// \param name of the text, for errors
/// \param source,target skeletons of the motion and of the character
/// \return the map of these two skeletons
/// \throws Error with the line when a joint is not known or is given twice.
JointMap parse_joint_map(std::string_view text, std::string_view name, const model::Skeleton& source,
                         const model::Skeleton& target);

/// A point of the skin below a foot.
struct SolePoint {
    int joint = -1;                            ///< that moves it: of the foot or the toes
    math::Vec3d offset = math::Vec3d::Zero();  ///< from the joint, in its frame at rest
};

struct RetargetOptions {
    std::optional<double> scale;  ///< of the travel of the root; by default the ratio of the hip heights
    double rate = 0;              ///< frames per second of the result; 0 keeps the motion's own
    bool align_facing = true;     ///< rotate the motion to where the target faces, when that differs a lot
    bool foot_contacts = true;    ///< feet that are on the ground in the motion stay on it
    bool in_place = false;        ///< the root stays where it is, but for its sway
    double forearm_twist = 0;     ///< share of the twist of a hand that its forearm takes, 0 to 1
    double step_width = 0;        ///< leg lengths that feet are put farther apart than in the motion
    /// Under the left and the right foot, and under the fore feet of animals: feet stand on these points, and
    /// neither toes nor heels go through the floor. Without them they stand on the balls of their feet.
    std::array<std::vector<SolePoint>, 4> soles = {};
};

/// Frames of a contact, both included.
struct Contact {
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t frames() const { return last - first + 1; }
    bool operator==(const Contact&) const = default;
};

/// How far a point moves along the ground while in contact, in percent of the leg length a frame.
struct FootSlide {
    std::size_t frames = 0;  ///< steps between frames that were looked at
    double mean = 0;
    double largest = 0;
};

/// What became of one foot's contacts.
struct FootPlant {
    model::Side side = model::Side::none;
    bool front = false;             ///< a fore leg of a body on four feet
    std::vector<Contact> contacts;  ///< frames of the result
    FootSlide before;               ///< without pinning
    FootSlide slide;                ///< of the result
    bool pinned = false;            ///< false when it is switched off, or the legs are equal
};

struct RetargetResult {
    model::Clip clip;                                         ///< for the target skeleton
    std::vector<std::pair<std::string, std::string>> mapped;  ///< source joint, target joint
    std::vector<std::string> unmapped;                        ///< target joints that keep their rest rotation
    std::vector<std::string> unused;                          ///< source joints whose rotation is not used
    double scale = 1;                                         ///< factor of the root's travel
    double facing = 0;            ///< radians about +y by which the motion was turned
    std::vector<FootPlant> feet;  ///< of skeletons with legs
};

/// Height of a joint at rest above the lowest point of its skeleton, tips included. +y is up.
double rest_height(const model::Skeleton& skeleton, int joint);

/// True for animals on four feet, whose fore legs have the roles of arms.
/// \param skeleton at rest, with +y up
bool stands_on_four(const model::Skeleton& skeleton);

/// Makes `target` do what `motion` makes `source` do. With D = S S0^-1, the world rotation of a source joint
/// since rest, its target joint rotates to T = D C T0; C is the smallest rotation that takes the target's
/// bone at rest to the source's (of feet and collar bones only their heading: their slope is shape), so that
/// different rest poses (T and A) do not matter. Hips, spine, neck, head and tail have C = 1: a hunched back
/// stays hunched and a level head level, unless one of the bodies lies at rest. A joint with several mapped
/// bones or none has no single direction and takes the C of its parent. World rotations absorb source joints
/// without a partner; target joints without one keep their rest rotation. The topmost mapped joint travels
/// p_T0 + k (p_S - p_S0), with the ground of the motion brought to that of the target. When the skeletons
/// face different ways (more than 30 degrees apart), the motion is turned about the vertical first. A joint
/// whose frames at rest agree in both skeletons gets the keys of its source as they are, so that equal
/// skeletons give back the motion itself.
///
/// Parts that a rig keeps apart (feet on handles of their own, legs beside the hips) go where the joints are
/// that carry them in the source (connect_detached_joints).
///
/// Feet that stand in the motion, of animals all four, are pinned on the target by two-bone inverse
/// kinematics; joints named twist
/// or roll share the twist of their limb.
/// \param source skeleton of the motion
/// \param motion clip of `source`
/// \param target skeleton that is to move
/// \param map for each joint of `target` the joint of `source` that moves it, or -1
/// \param options see RetargetOptions
/// \param monitor hears of progress and warnings
/// \return the clip of `target`, and what became of joints and feet
/// \throws Error when no joint is mapped, naming joints of both skeletons.
RetargetResult retarget(const model::Skeleton& source, const model::Clip& motion,
                        const model::Skeleton& target, const JointMap& map,
                        const RetargetOptions& options = {}, Monitor& monitor = silent());

/// The same with joints matched by name or role (match_joints), and with spines, necks and tails of different
/// lengths linked (link_chains).
RetargetResult retarget(const model::Skeleton& source, const model::Clip& motion,
                        const model::Skeleton& target, const RetargetOptions& options = {},
                        Monitor& monitor = silent());

}  // namespace sinew::motion
