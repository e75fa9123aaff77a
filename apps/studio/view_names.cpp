// SPDX-License-Identifier: MIT
#include "view_names.h"

namespace sinew::studio {

const Names<RenderMode>& render_mode_names() {
    static const Names<RenderMode> names = {{"points", RenderMode::points},
                                            {"wire", RenderMode::wire},
                                            {"solid", RenderMode::solid},
                                            {"edges", RenderMode::solid_wire}};
    return names;
}

const Names<SkeletonMode>& skeleton_mode_names() {
    static const Names<SkeletonMode> names = {
        {"hidden", SkeletonMode::hidden}, {"over", SkeletonMode::over}, {"inside", SkeletonMode::inside}};
    return names;
}

const Names<Coloring>& coloring_names() {
    static const Names<Coloring> names = {{"materials", Coloring::material},
                                          {"clay", Coloring::clay},
                                          {"parts", Coloring::parts},
                                          {"weights", Coloring::weights},
                                          {"joint-weights", Coloring::joint_weights}};
    return names;
}

const Names<deform::Corrective>& correction_names() {
    using deform::Corrective;
    static const Names<Corrective> names = [] {
        Names<Corrective> list;
        for (const Corrective kind : {Corrective::none, Corrective::delta_mush, Corrective::direct_delta_mush,
                                      Corrective::swing_twist, Corrective::limit_bulge})
            list.emplace(deform::name(kind), kind);
        return list;
    }();
    return names;
}

}  // namespace sinew::studio
