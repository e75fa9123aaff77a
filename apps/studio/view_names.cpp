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

}  // namespace sinew::studio
