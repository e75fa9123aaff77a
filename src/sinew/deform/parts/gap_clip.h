#pragma once
/// \file
/// Closed gaps over a whole motion as one animated character that any program can play.

#include "sinew/deform/parts/gap_closer.h"
#include "sinew/model/character.h"

namespace sinew::deform {

/// Where the parts of a body are at the frames of a motion.
struct PartMotion {
    std::string name;
    double rate = 30;                               ///< frames a second
    std::vector<std::vector<math::Rigidd>> frames;  ///< each with a transform for every part
};

/// Frames as they are closed, kept as small as they can be told apart. Triangles that no frame changes follow
/// the joint of their part, or where skin is soft those of several. Those near a gap that are whole in some
/// frames only follow it too, in pieces that are shown in these frames. A patch with the triangles around it
/// follows the parent of its joint, and is shown in all frames in which the joint is bent alike. What is in
/// one or two frames only is a piece for each frame. Pieces hang on joints whose scale is 1 while they are
/// shown and 0 otherwise (stepped keys that change half way between two frames): between two frames the parts
/// move smoothly and the patches wait. At rest the character stands as in the first frame.
class GapRecording {
  public:
    /// The closer must outlive the recording.
    GapRecording(const GapCloser& closer, std::string name, double rate);

    /// The next frame. \throws Error when the transforms do not fit the parts.
    void add(std::span<const math::Rigidd> world, const GapFrame& frame);

    /// \throws Error when there are no frames.
    model::Character character() const;

  private:
    /// A patch and the triangles at its ends, in the parent's rest frame.
    struct Bend {
        math::Rigidd relative;
        std::vector<std::uint32_t> loops[2];
        geometry::Mesh mesh;
        std::vector<std::uint32_t> frames;
    };
    bool seen_before(const Gap& gap, const GapPatch& patch, std::span<const math::Rigidd> world);
    bool has_soft_skin(const Gap& gap) const;
    /// Bends of soft skin depend on more than their joint: they are alike when the pieces are.
    void add_soft(const GapPatch& patch, geometry::Mesh piece);

    const GapCloser& closer_;
    PartMotion motion_;
    std::vector<std::vector<Bend>> bends_;          ///< of each gap
    std::vector<geometry::Mesh> mixed_;             ///< of each frame, triangles at the ends of two patches
    std::vector<std::vector<std::uint8_t>> rigid_;  ///< of each frame, triangles of the rest mesh
};

/// Closes all frames of a motion into such a character; with constant topology that of `spread_character`.
/// \throws Error when there are no frames, or one does not fit the parts.
model::Character gap_character(const GapCloser& closer, const PartMotion& motion,
                               Monitor& monitor = silent());

/// A body closed with constant topology as a plain skinned character: the points of a patch that lie at one
/// part of the way from parent to child turn as one, so each row of them follows a joint of its own that
/// turns by this part of the way. The file is as small as that of any skinned character.
/// \throws Error when the closer has no constant topology, or a frame does not fit the parts.
model::Character spread_character(const GapCloser& closer, const PartMotion& motion);

}  // namespace sinew::deform
