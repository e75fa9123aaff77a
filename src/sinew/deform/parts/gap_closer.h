#pragma once
/// \file
/// A body of rigid parts with its gaps closed, frame after frame.

#include <memory>

#include "sinew/deform/parts/gap_patch.h"
#include "sinew/deform/parts/gap_soft.h"

namespace sinew::deform {

/// One frame: a closed surface of the genus of the input (when that is closed), and how it came about.
struct GapFrame {
    geometry::Mesh mesh;
    std::vector<GapPatch> patches;  ///< of all gaps; those of joints that did not move are empty
    std::vector<std::uint8_t> removed_triangles;  ///< of the rest mesh
    std::size_t moved_gaps = 0;
    std::size_t removed_vertices = 0;
    std::size_t added_vertices = 0;
    std::size_t patch_triangles = 0;  ///< they come last in the mesh
    GapSeconds seconds;               ///< summed over the gaps
    double skin_seconds = 0;          ///< of moving the parts and putting the mesh together
};

/// Keeps what does not change: neighbours, median edges, seams and what is near them.
class GapCloser {
  public:
    /// Warns `short-part` about seams that are so near to each other that nothing may be removed there.
    explicit GapCloser(PartBody body, const GapOptions& options = {}, Monitor& monitor = silent());
    GapCloser(GapCloser&&) noexcept;
    GapCloser& operator=(GapCloser&&) noexcept;
    ~GapCloser();

    /// Parts are moved from their rest places. When no part has moved against its neighbours, the frame is
    /// the rest mesh itself, moved as a whole: bit for bit the input under identities. Vertices on seams
    /// exist once for each part, at the same place where they need not come apart. Warns `gap-half-turn` when
    /// a joint turns by half a turn, where the shorter way is not defined, and `gap-drawn` when most
    /// of a seam had to be drawn in where it should have been cut.
    /// \throws Error when there are not as many transforms as parts, or one is not finite.
    GapFrame close(std::span<const math::Rigidd> world, Monitor& monitor = silent()) const;

    const PartBody& body() const;
    const GapOptions& options() const;
    const std::vector<Gap>& gaps() const;
    const SoftSeams& soft() const;

  private:
    struct Data;
    std::unique_ptr<Data> data_;
};

}  // namespace sinew::deform
