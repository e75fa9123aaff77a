#pragma once
/// \file
/// Where a surface runs through itself.

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/geometry/mesh.h"
#include "sinew/math/types.h"

namespace sinew::deform {

/// The crossings of a surface whose points move now and then: what is known of triangles that stay is kept.
class SelfCrossings {
  public:
    /// Points and triangles must outlive this.
    SelfCrossings(const std::vector<math::Vec3d>& points, const std::vector<geometry::Triangle>& triangles);

    /// To be told of the points that moved.
    void update(const std::vector<std::uint32_t>& points);

    /// Pairs of triangles that cross and have no corner in common, in rising order.
    const std::vector<std::array<std::uint32_t, 2>>& pairs() const { return pairs_; }

  private:
    /// A triangle and its box.
    struct Boxed {
        std::array<double, 3> low, high;
        std::uint32_t triangle;
        bool moved;

        bool apart(const Boxed& other, std::size_t axis) const {
            return (low[axis] > other.high[axis]) | (other.low[axis] > high[axis]);
        }
    };
    struct Strips;

    Boxed boxed(std::uint32_t triangle) const;
    static Boxed around_moved(const std::vector<Boxed>& boxes);
    static Strips strips_of(const std::vector<Boxed>& boxes, const Boxed& whole, std::size_t across);
    void find();
    void test(const Boxed& a, const Boxed& b);

    const std::vector<math::Vec3d>& points_;
    const std::vector<geometry::Triangle>& triangles_;
    std::vector<std::uint8_t> moved_;  ///< points, while they are looked at
    std::vector<Boxed> boxes_;
    std::vector<std::array<std::uint32_t, 2>> pairs_;
};

}  // namespace sinew::deform
