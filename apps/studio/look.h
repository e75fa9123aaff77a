// SPDX-License-Identifier: MIT
#pragma once
// Everything that the picture of the scene depends on: it is drawn again only if some of it changes.

#include "stage.h"

namespace sinew::studio {

struct Look {
    Document document;
    int clip = -1;
    double time = 0;
    PoseLayer pose;
    Selection selection;
    render::OrbitCamera camera;
    ViewSettings view;
    SkinSettings skin;
    CompareSettings compare;
    Page page = Page::body;
    Space space = Space::global;
    GizmoLook gizmo;
    std::set<int> pins;
    std::uint64_t painted = 0;  ///< dabs of the brush
    const ContactTrack* contacts = nullptr;
    Cast cast;
    int width = 0, height = 0;

    bool operator==(const Look& other) const;
};

Look look_of(const State& state, const GizmoLook& gizmo, int width, int height);

}  // namespace sinew::studio
