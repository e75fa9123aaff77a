#pragma once
/// \file
/// Corners with separate indices for position, texture coordinate and normal become vertices with one index.

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sinew/geometry/mesh.h"

namespace sinew::io {

/// The first use of position p is vertex p itself; every other combination with p gets the next number behind
/// the positions, in the order of first use. So vertex i < position_count() is position i of the file,
/// whatever the seams.
class CornerTable {
  public:
    static constexpr std::int32_t none = -1;

    /// `plain` are triangles whose corners have neither texture coordinate nor normal.
    CornerTable(std::size_t position_count, std::span<const geometry::Triangle> plain);

    /// The vertex of a corner; `uv` and `normal` are indices or `none`.
    std::uint32_t vertex(std::uint32_t position, std::int32_t uv, std::int32_t normal);

    std::size_t vertex_count() const { return uses_.size(); }
    std::size_t position_count() const { return positions_; }
    /// Position that split vertex position_count() + i repeats.
    const std::vector<std::uint32_t>& sources() const { return sources_; }
    std::vector<std::uint32_t> take_sources() { return std::move(sources_); }
    /// Index or `none`.
    std::int32_t uv(std::size_t vertex) const { return std::max(uses_[vertex].uv, none); }
    std::int32_t normal(std::size_t vertex) const { return std::max(uses_[vertex].normal, none); }

  private:
    struct Use {
        std::int32_t uv;
        std::int32_t normal;
        bool operator==(const Use&) const = default;
    };
    static constexpr std::int32_t unused = -2;

    std::uint32_t split(std::uint32_t position, Use use);
    std::size_t bucket(std::uint32_t position, Use use) const;
    void grow();

    std::vector<Use> uses_;               ///< of every vertex
    std::vector<std::uint32_t> sources_;  ///< of the splits
    std::vector<std::uint32_t> buckets_;  ///< 1 + number of a split, or 0; open addressing, a power of two
    std::size_t positions_ = 0;
};

}  // namespace sinew::io
