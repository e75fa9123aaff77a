// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Retargeting: moving a motion to another skeleton.
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

/// For each joint of the target skeleton the joint of the source that drives it, or -1.
using JointMap = std::vector<int>;

/// Matches joints with the same plain name. A source joint is used once; when several target joints match it,
/// the first gets it.
JointMap match_by_name(const model::Skeleton& source, const model::Skeleton& target);

/// Matches joints with the same role, whatever their names: roles come from names, and from the geometry
/// where names give none.
JointMap match_by_role(const model::Skeleton& source, const model::Skeleton& target);

/// Matches by name when that covers at least four fifths of the target's joints; otherwise by role first,
/// then by name for the remaining joints.
JointMap match_joints(const model::Skeleton& source, const model::Skeleton& target);

/// The map as editable text, with a line "target = source" for each matched joint.
std::string to_text(const JointMap& map, const model::Skeleton& source, const model::Skeleton& target);

/// Parses such text. "#" starts a comment. A target joint without a line, or with nothing after "=", is not
/// matched.
/// \param text lines "target = source"
/// \param name name of the text in errors
/// \param source,target skeletons of the motion and of the character
/// \return the map for these skeletons
/// \throws Error with the line when a joint is unknown or appears twice
JointMap parse_joint_map(std::string_view text, std::string_view name, const model::Skeleton& source,
                         const model::Skeleton& target);

/// A point of the sole, on the skin below a foot.
struct SolePoint {
    int joint = -1;                            ///< joint that it follows: of the foot or the toes
    math::Vec3d offset = math::Vec3d::Zero();  ///< from the joint, in its rest frame
};

struct RetargetOptions {
    std::optional<double>
        scale;                 ///< factor for the travel of the root; by default the ratio of the hip heights
    double rate = 0;           ///< frames per second of the result; 0 keeps the rate of the motion
    bool align_facing = true;  ///< rotate the motion to the facing direction of the target when they differ
                               ///< by more than 30 degrees
    bool foot_contacts = true;  ///< feet that rest on the ground in the motion are pinned to the ground
    bool in_place = false;      ///< remove the travel of the root, but keep its sway
    double forearm_twist = 0;   ///< fraction of the twist of a hand that its forearm takes, 0 to 1
    double step_width = 0;      ///< additional distance between the feet, in leg lengths
    /// Sole points of the left and the right foot, and of the fore feet of quadrupeds. Feet stand on these
    /// points, and neither toes nor heels penetrate the floor. Without them feet stand on the balls of the
    /// feet.
    std::array<std::vector<SolePoint>, 4> soles = {};
};

/// A range of frames with ground contact, both ends included.
struct Contact {
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t frames() const { return last - first + 1; }
    bool operator==(const Contact&) const = default;
};

/// How far a foot slides along the ground during contact, in percent of the leg length per frame.
struct FootSlide {
    std::size_t frames = 0;  ///< number of measured frame-to-frame steps
    double mean = 0;
    double largest = 0;
};

/// Ground contacts of one foot.
struct FootPlant {
    model::Side side = model::Side::none;
    bool front = false;             ///< a fore leg of a quadruped
    std::vector<Contact> contacts;  ///< frames of the result
    FootSlide before;               ///< sliding without pinning
    FootSlide slide;                ///< sliding in the result
    bool pinned = false;            ///< false when pinning is off, or the legs of both skeletons are equal
};

struct RetargetResult {
    model::Clip clip;                                         ///< for the target skeleton
    std::vector<std::pair<std::string, std::string>> mapped;  ///< pairs of source joint and target joint
    std::vector<std::string> unmapped;                        ///< target joints that keep their rest rotation
    std::vector<std::string> unused;                          ///< source joints whose rotation is not used
    double scale = 1;                                         ///< factor applied to the travel of the root
    double facing = 0;            ///< rotation of the motion about +y in radians, see `align_facing`
    std::vector<FootPlant> feet;  ///< for skeletons with legs
};

/// Height of a joint at rest above the lowest point of the skeleton, tips included; +y is up.
double rest_height(const model::Skeleton& skeleton, int joint);

/// True for quadrupeds, whose fore legs have the roles of arms.
/// \param skeleton at rest, with +y up
bool stands_on_four(const model::Skeleton& skeleton);

/// Transfers a motion from one skeleton to another.
///
/// Rotations: let D = S S0^-1 be the world rotation of a source joint relative to rest. Its target joint
/// rotates to T = D C T0. C is the smallest rotation from the target's bone at rest to the source's, so that
/// different rest poses (T-pose and A-pose) are compensated; for feet and collar bones it only corrects the
/// heading, because their slope is body shape. Hips, spine, neck, head and tail have C = 1, so that the
/// posture of the target is kept, unless one of the bodies lies at rest. A joint with several mapped bones,
/// or none, uses the C of its parent. World rotations include those of unmapped source joints; unmapped
/// target joints keep their rest rotation. A joint whose rest frames agree in both skeletons gets the keys of
/// its source unchanged, so that equal skeletons give back the original motion.
///
/// Translation: the topmost mapped joint moves to p_T0 + k (p_S - p_S0), with the ground level of the motion
/// moved to that of the target. When the skeletons face directions more than 30 degrees apart, the motion is
/// first rotated about the vertical.
///
/// Parts that a rig attaches elsewhere (feet on their own control joints, legs beside the hips) follow the
/// joints that carry them in the source (connect_detached_joints).
///
/// Feet that rest on the ground in the motion, of quadrupeds all four, are pinned on the target by two-bone
/// inverse kinematics. Joints named twist or roll share the twist of their limb.
///
/// \param source skeleton of the motion
/// \param motion clip of `source`
/// \param target skeleton that receives the motion
/// \param map for each joint of `target` the joint of `source` that drives it, or -1
/// \param options see RetargetOptions
/// \param monitor receives progress and warnings
/// \return the clip of `target`, with reports on joints and feet
/// \throws Error naming joints of both skeletons when no joint is mapped
RetargetResult retarget(const model::Skeleton& source, const model::Clip& motion,
                        const model::Skeleton& target, const JointMap& map,
                        const RetargetOptions& options = {}, Monitor& monitor = silent());

/// The same with joints matched by name or role (match_joints); spines, necks and tails with different
/// numbers of joints are linked (link_chains).
RetargetResult retarget(const model::Skeleton& source, const model::Clip& motion,
                        const model::Skeleton& target, const RetargetOptions& options = {},
                        Monitor& monitor = silent());

}  // namespace sinew::motion
