// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Keeps the limbs of an animated character out of its body and above the floor, by contacts of its skin.

#include <array>

#include "sinew/collide/body.h"
#include "sinew/pipeline/motion.h"

namespace sinew::pipeline {

/// Sole points for retargeting: points of the skin under the feet.
/// \param character with a skin
std::array<std::vector<motion::SolePoint>, 4> find_soles(const model::Character& character);

/// Detects limbs of a body that intersect it. Created once, for any number of clips.
class BodyClearance {
  public:
    /// \param character with a skin; it must outlive this object
    explicit BodyClearance(const model::Character& character);

    /// Distance of the feet at rest, in leg lengths; 0 for a body without two legs.
    double stance_width() const { return stance_width_; }
    /// Mean distance of the feet, across the body, in leg lengths.
    double step_width(const model::Clip& clip) const;
    /// Number of contacts of shins and feet with each other and with the trunk in a clip, beyond those at
    /// rest.
    std::size_t leg_contacts(const model::Clip& clip) const;

    /// Rotates the upper arms outwards in the frontal plane of the body.
    /// \param angle in radians; if empty, as far as necessary to keep forearms and hands out of trunk and
    /// legs
    /// \param clip is modified
    /// \return the largest angle of the left and the right arm
    std::array<double, 2> spread_arms(std::optional<double> angle, model::Clip& clip) const;

    /// Bends the elbows where hands, or objects that they hold, would penetrate the floor.
    /// \param clip is modified
    /// \return the largest angle of the left and the right arm
    std::array<double, 2> lift_hands(model::Clip& clip) const;

  private:
    /// One limb: the vertices that are tested, and the joints that move with it.
    struct Limb {
        int upper = -1;                       ///< upper arm or thigh
        int lower = -1;                       ///< forearm or shin
        int end = -1;                         ///< hand or foot
        std::vector<char> moved;              ///< marks joints from the upper one outwards
        std::vector<std::uint32_t> vertices;  ///< vertices that follow the lower joint
        collide::SphereTree tree;             ///< tree of these vertices
        std::size_t rest_contacts = 0;        ///< number of allowed contacts: those at rest
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
    collide::SphereTree trunk_;  ///< also without legs
    math::Vec3d left_ = math::Vec3d::UnitX();
    double leg_length_ = 0;
    double stance_width_ = 0;
    double floor_ = 0;
    double height_ = 0;
};

}  // namespace sinew::pipeline
