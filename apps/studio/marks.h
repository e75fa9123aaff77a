// SPDX-License-Identifier: MIT
#pragma once
// A skeleton from a few clicks: the user marks chin, groin, wrists, elbows and knees, and they position the
// template of a biped. For bodies for which all methods fail.

#include <array>

#include "tools.h"

namespace sinew::studio {

enum class Mark { chin, groin, left_wrist, left_elbow, left_knee, right_wrist, right_elbow, right_knee };
inline constexpr int mark_count = 8;

struct Marks {
    std::array<std::optional<Vec3d>, mark_count> at;
    Vec3d facing = Vec3d::UnitZ();  ///< forward direction of the body: towards the camera of the first mark
    const std::optional<Vec3d>& of(Mark mark) const { return at[static_cast<std::size_t>(mark)]; }
    bool complete() const;
};

std::string_view name_of(Mark mark);
/// The mark of the other side; for chin and groin the mark itself.
Mark twin_of(Mark mark);

/// From now on clicks set marks, starting with the first missing one.
void begin_marks(State& state);
/// Sets a mark; with symmetry its twin as well. `again` continues the last step, for a drag.
void set_mark(State& state, Mark mark, const Vec3d& position, bool again = false);
void clear_marks(State& state);

/// A press in the picture: sets the next mark at the middle depth of the body under the mouse, or begins to
/// drag an existing one. Null when there is nothing to do.
std::unique_ptr<Tool> begin_mark(State& state, const PosedBody& posed, const Vec2f& pixel,
                                 const render::PictureArea& area);

/// The joints of a biped inside a mesh, with y up. Marked joints are at their marks; the height and the width
/// of the others follow from the marks, and their depth is the middle of the volume.
/// \throws Error when a mark is missing, or two have one position.
model::Skeleton skeleton_from_marks(const geometry::Mesh& mesh, const Marks& marks,
                                    const std::string& pattern = "biped");
/// Computes the skeleton and binds the skin to it, in the background, as a step.
void rig_from_marks(State& state);

}  // namespace sinew::studio
