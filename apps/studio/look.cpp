// SPDX-License-Identifier: MIT
#include "look.h"

#include <tuple>

#include "painter.h"

namespace sinew::studio {
namespace {

bool same_document(const Document& a, const Document& b) {
    return a.character == b.character && a.sequence == b.sequence && a.trial == b.trial && a.gait == b.gait &&
           a.confidence == b.confidence && a.parts == b.parts;
}

auto numbers_of(const render::OrbitCamera& c) {
    return std::tuple(c.target.x(), c.target.y(), c.target.z(), c.heading, c.pitch, c.distance, c.fov);
}

}  // namespace

bool Look::operator==(const Look& other) const {
    return same_document(document, other.document) && clip == other.clip && time == other.time &&
           pose == other.pose && selection == other.selection &&
           numbers_of(camera) == numbers_of(other.camera) && view == other.view && skin == other.skin &&
           compare == other.compare && page == other.page && space == other.space &&
           gizmo.active == other.gizmo.active && gizmo.radius == other.gizmo.radius && pins == other.pins &&
           painted == other.painted && contacts == other.contacts && cast == other.cast &&
           width == other.width && height == other.height;
}

Look look_of(const State& state, const GizmoLook& gizmo, int width, int height) {
    Look look{state.document,
              state.clip,
              state.timeline.time,
              state.pose,
              state.selection,
              state.camera,
              state.view,
              state.skin,
              state.compare,
              state.page,
              state.edit.space,
              gizmo,
              state.motion_tool.pins,
              state.painter ? state.painter->dabs() : 0,
              state.contacts.get(),
              state.cast,
              width,
              height};
    return look;
}

}  // namespace sinew::studio
