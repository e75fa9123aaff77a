// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Limbs of an animated character out of its body and above the floor, by the contacts of its skin.

#include <array>

#include "sinew/collide/body.h"
#include "sinew/pipeline/motion.h"

namespace sinew::pipeline {

/// Points of the skin under the feet, as retargeting wants them.
/// \param character with a skin
std::array<std::vector<motion::SolePoint>, 4> find_soles(const model::Character& character);

/// What of a body can be in its way. Made once, for any number of clips.
class BodyClearance {
  public:
    /// \param character with a skin; it must outlive this
    explicit BodyClearance(const model::Character& character);

    /// Distance of the feet at rest, in leg lengths; 0 for a body without two legs.
    double stance_width() const { return stance_width_; }
    /// Mean distance of the feet, across the body, in leg lengths.
    double step_width(const model::Clip& clip) const;
    /// Contacts of the shins and feet with each other and with the trunk in a clip, beyond those at rest.
    std::size_t leg_contacts(const model::Clip& clip) const;

    /// Turns the upper arms outwards in the frontal plane of the body.
    /// \param angle radians; nothing: as far as keeps forearms and hands out of trunk and legs
    /// \param clip is changed
    /// \return the largest angle of the left and the right arm
    std::array<double, 2> spread_arms(std::optional<double> angle, model::Clip& clip) const;

    /// Bends elbows where hands, or what they hold, would go through the floor.
    /// \param clip is changed
    /// \return the largest angle of the left and the right arm
    std::array<double, 2> lift_hands(model::Clip& clip) const;

  private:
    /// One limb: what is counted of it, and what moves with it.
    struct Limb {
        int upper = -1;                       ///< upper arm or thigh
        int lower = -1;                       ///< forearm or shin
        int end = -1;                         ///< hand or foot
        std::vector<char> moved;              ///< joints from the upper one outwards
        std::vector<std::uint32_t> vertices;  ///< that follow the lower joint
        collide::SphereTree tree;             ///< of those
        std::size_t rest_contacts = 0;        ///< with what it may touch
    };
    class Counter;
    struct Elbow;

    Limb make_limb(model::Role upper, model::Role lower, model::Role end, model::Side side) const;
    std::vector<double> spread_needed(const Limb& arm, const math::Vec3d& axis, const model::Clip& clip,
                                      std::span<const double> times) const;
    math::Vec3d outwards(model::Side side) const;
    Elbow elbow_of(const Limb& arm, std::span<const math::Mat4d> world) const;

    const model::Character& character_;
    std::vector<model::JointRole> roles_;
    std::vector<math::Mat4d> rest_;
    std::array<Limb, 2> arms_, legs_;
    collide::SphereTree body_;   ///< all but the arms and the head
    collide::SphereTree trunk_;  ///< without legs, too
    math::Vec3d left_ = math::Vec3d::UnitX();
    double leg_length_ = 0;
    double stance_width_ = 0;
    double floor_ = 0;
    double height_ = 0;
};

}  // namespace sinew::pipeline
