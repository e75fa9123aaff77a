#pragma once
/// \file
/// When a foot stands on the ground, from the way of one of its points.

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/math/types.h"

namespace sinew::motion {

struct FootContactOptions {
    double slow = 0.5;         ///< leg lengths a second below which a contact begins
    double fast = 1.0;         ///< above which it ends
    double height = 0.12;      ///< leg lengths above the lowest place around that still count as ground
    double around = 0.6;       ///< seconds to both sides in which that place is looked for
    double least = 0.06;       ///< seconds below which a contact is none
    double closed_gap = 0.04;  ///< seconds below which an interruption is none
};

/// Frames of a contact, both included.
struct Contact {
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t frames() const { return last - first + 1; }
    bool operator==(const Contact&) const = default;
};

/// Contacts of a point (the ball of the foot) with places in metres or any unit, +y up. The ground is where
/// the point is lowest nearby, so that stairs and slopes count too; slow and fast differ so that noise does
/// not cut a contact in pieces.
std::vector<Contact> find_contacts(std::span<const math::Vec3d> places, double rate, double leg_length,
                                   const FootContactOptions& options = {});

/// How far a point moves along the ground while in contact, in percent of the leg length a frame.
struct FootSlide {
    std::size_t frames = 0;  ///< steps between frames that were looked at
    double mean = 0;
    double largest = 0;
};
FootSlide measure_slide(std::span<const math::Vec3d> places, std::span<const Contact> contacts,
                        double leg_length);

/// What to add to the way of a point so that it rests in each contact: `rest[i]` is where it rests in contact
/// i. Between contacts the correction goes smoothly from one to the next; before the first and after the last
/// it stays. Empty when there are no contacts.
std::vector<math::Vec3d> contact_corrections(std::span<const math::Vec3d> places,
                                             std::span<const Contact> contacts,
                                             std::span<const math::Vec3d> rest);

}  // namespace sinew::motion
