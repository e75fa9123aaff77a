// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// What is to be seen in a picture.

#include <algorithm>
#include <cstddef>

#include "sinew/render/renderer.h"

namespace sinew::test {

/// Pixels that are much more of one colour than of the others.
inline int count_like(const render::Picture& picture, std::size_t channel) {
    return static_cast<int>(
        std::count_if(picture.pixels.begin(), picture.pixels.end(), [&](const render::Pixel& pixel) {
            return pixel[channel] > std::max(pixel[(channel + 1) % 3], pixel[(channel + 2) % 3]) + 80;
        }));
}

}  // namespace sinew::test
