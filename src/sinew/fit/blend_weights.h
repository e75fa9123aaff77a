#pragma once
/// \file
/// Skin weights while they are solved: in double precision, at most a fixed number for each vertex.

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/model/skin.h"

namespace sinew::fit {

struct BoneWeight {
    std::uint32_t bone = 0;
    double weight = 0;
    bool operator==(const BoneWeight&) const = default;
};

class BlendWeights {
  public:
    BlendWeights() = default;
    BlendWeights(std::size_t vertices, std::size_t limit)
        : limit_(limit), counts_(vertices, 0), entries_(vertices * limit) {}

    std::size_t vertex_count() const { return counts_.size(); }
    std::size_t limit() const { return limit_; }
    std::span<const BoneWeight> of(std::size_t vertex) const {
        return {entries_.data() + vertex * limit_, counts_[vertex]};
    }
    /// Replaces the weights of a vertex; there must be at most `limit` of them.
    void set(std::size_t vertex, std::span<const BoneWeight> weights);
    bool operator==(const BlendWeights&) const = default;

  private:
    std::size_t limit_ = 0;
    std::vector<std::uint32_t> counts_;
    std::vector<BoneWeight> entries_;
};

/// The largest `limit` weights of every vertex, with sum 1 again; 0 keeps all.
BlendWeights limited(const BlendWeights& weights, std::size_t limit);

/// The same with room for exactly `limit` weights, for solvers that may use all of it.
BlendWeights with_room(const BlendWeights& weights, std::size_t limit);

/// Weights in single precision with one palette entry for each bone, bound at `centers`.
model::Skin to_skin(const BlendWeights& weights, std::span<const model::Vec3d> centers);
/// Weights of a skin; palette entries are the bones.
BlendWeights from_skin(const model::Skin& skin);

}  // namespace sinew::fit
