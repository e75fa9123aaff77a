// SPDX-License-Identifier: MIT
#pragma once
// A skeleton from a few clicks: chin, groin, wrists, elbows and knees are marked, and the template of a biped
// is placed by them. For bodies that no method understands.

#include <array>

#include "tools.h"

namespace sinew::studio {

enum class Mark { chin, groin, left_wrist, left_elbow, left_knee, right_wrist, right_elbow, right_knee };
inline constexpr int mark_count = 8;

struct Marks {
    std::array<std::optional<Vec3d>, mark_count> at;
    Vec3d facing = Vec3d::UnitZ();  ///< where the body looks: towards the camera of the first mark
    const std::optional<Vec3d>& of(Mark mark) const { return at[static_cast<std::size_t>(mark)]; }
    bool complete() const;
};

std::string_view name_of(Mark mark);
/// The mark of the other side; of chin and groin the same.
Mark twin_of(Mark mark);

/// Clicks place marks from now on, from the first that is missing.
void begin_marks(State& state);
/// Puts a mark somewhere; with symmetry its twin as well. `again` goes on with the last step, for a drag.
void set_mark(State& state, Mark mark, const Vec3d& position, bool again = false);
void clear_marks(State& state);

/// A press in the picture: places the next mark in the middle of the body under it, or takes hold of one that
/// is there. Null when there is nothing to do.
std::unique_ptr<Tool> begin_mark(State& state, const PosedBody& posed, const Vec2f& pixel,
                                 const render::PictureArea& area);

/// The joints of a biped inside a mesh, with y up. Marked joints are where their marks are; of the others the
/// height and the width follow from them, and the depth is the middle of the volume.
/// \throws Error when a mark is missing, or two are in one place.
model::Skeleton skeleton_from_marks(const geometry::Mesh& mesh, const Marks& marks,
                                    const std::string& pattern = "biped");
/// Makes it and binds the skin to it, in the background, as a step.
void rig_from_marks(State& state);

}  // namespace sinew::studio
