// SPDX-License-Identifier: MIT
#pragma once
// Mouse input of the picture: orbit, pan, zoom, pick, rotate rings, drag joints along an axis.

#include "poser.h"
#include "stage.h"
#include "tools.h"

#include "sinew/render/view.h"

namespace sinew::studio {

/// The mouse over the picture, in its pixels.
struct Pointer {
    Vec2f position = Vec2f::Zero();
    bool inside = false;  ///< over the picture and no other widget
    bool left = false, middle = false, right = false;
    bool shift = false, ctrl = false;
    bool double_click = false;
    float wheel = 0;    ///< notches; away from the user is positive
    int axis_key = -1;  ///< X, Y or Z is held
};

/// The object under a pixel: joints and bones first when they are shown, then parts of the surface.
Selection pick(const State& state, const PosedBody& posed, const Vec2f& pixel,
               const render::PictureArea& area);

class ViewportInput {
  public:
    /// One frame of the mouse.
    void update(State& state, const PosedBody& posed, const render::PictureArea& area,
                const Pointer& pointer);
    /// The highlighted ring, and the size of the rings.
    GizmoLook gizmo(const State& state, const PosedBody& posed) const;
    /// The angle in degrees by which a ring is dragged.
    std::optional<float> rotated() const;
    bool dragging() const { return drag_ != Drag::none && drag_ != Drag::press; }

  private:
    enum class Drag { none, press, orbit, pan, ring, axis, tool };
    void press(State& state, const PosedBody& posed, const render::PictureArea& area, const Pointer& pointer);
    void drag(State& state, const PosedBody& posed, const render::PictureArea& area, const Pointer& pointer);
    void rotation_ring(State& state, const PosedBody& posed, const render::PictureArea& area,
                       const Pointer& pointer);
    void move_along(State& state, const render::PictureArea& area, const Pointer& pointer);
    int ring_at(const State& state, const PosedBody& posed, const render::PictureArea& area,
                const Vec2f& pixel) const;

    Drag drag_ = Drag::none;
    std::unique_ptr<Tool> tool_;
    Vec2f start_ = Vec2f::Zero();
    Vec2f last_ = Vec2f::Zero();
    int axis_ = -1;                 ///< of a ring or a drag
    int hover_ = -1;                ///< ring under the mouse
    Vec3f anchor_ = Vec3f::Zero();  ///< of a drag along an axis: the initial position of the joint
    float moved_ = 0;               ///< its distance from there
    float rotated_ = 0;             ///< radians of a ring, from the mouse
    float applied_ = 0;             ///< radians of the joint: in steps while Ctrl is held
    bool was_down_ = false;
};

}  // namespace sinew::studio
