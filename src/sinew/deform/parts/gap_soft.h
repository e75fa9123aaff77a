#pragma once
/// \file
/// Skin between seams that are too near to each other to be cut: it follows several parts.

#include <span>

#include "sinew/deform/parts/gap.h"

namespace sinew::deform {

/// Where points of a seam may not be removed, parts that go into each other would stay so. There the copies
/// of a point are one, and around them the skin passes from one part to the next as any skin does: a copy
/// that belongs to part a goes to (1 - s) W_a p + s sum D_k W_k p, where softness s falls from 1 at such
/// points to 0 within a few edges, and the shares D are those of the parts around p, spread along the
/// surface. The blend is linear, so that any program shows the exported skin at the same place.
class SoftSeams {
  public:
    struct Share {
        int part = 0;
        double weight = 0;
    };

    SoftSeams() = default;
    /// `reach` is the number of edges over which skin is soft; none when 0.
    SoftSeams(const PartBody& body, const std::vector<Gap>& gaps, int reach);

    /// Of points of the cut mesh.
    bool soft(std::uint32_t point) const { return !softness_.empty() && softness_[point] > 0; }
    /// All copies of the point are always at one place: nothing ends there.
    bool whole(std::uint32_t point) const { return !softness_.empty() && softness_[point] >= 1; }
    bool any() const { return !softness_.empty(); }

    /// Parts that carry a copy of a point which belongs to `part`, in their order, the weights summing to 1.
    std::vector<Share> shares(int part, std::uint32_t point) const;

  private:
    std::vector<double> softness_;
    std::vector<std::vector<Share>> shares_;
};

/// The blend of the transforms of the parts.
struct BlendedPlace {
    math::Mat3d turn = math::Mat3d::Zero();
    Vec3d shift = Vec3d::Zero();

    Vec3d operator*(const Vec3d& p) const { return turn * p + shift; }
};
BlendedPlace blend(std::span<const SoftSeams::Share> shares, std::span<const math::Rigidd> world);

}  // namespace sinew::deform
