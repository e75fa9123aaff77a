#pragma once
/// \file
/// Where two skinning methods differ.

#include "sinew/render/film.h"

namespace sinew::render {

struct DifferencePicture {
    Picture picture;
    double max_percent =
        0;  ///< largest distance between the two, in percent of the diagonal of the rest pose
    double rms_percent = 0;
};

/// The pose under method `b`, each vertex in the colour of its distance from where `a` puts it, with a colour
/// bar. Size and camera are those of the options, whose colouring and method are not looked at.
/// \throws Error when there is no skin.
DifferencePicture render_difference(Renderer& renderer, const model::Character& character,
                                    const model::Clip* clip, double time, deform::Method a, deform::Method b,
                                    const RenderOptions& options = {}, Monitor& monitor = silent());

}  // namespace sinew::render
