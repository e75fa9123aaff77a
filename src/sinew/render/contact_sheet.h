#pragma once
/// \file
/// Several pictures in one.

#include <span>

#include "sinew/render/renderer.h"

namespace sinew::render {

struct ContactSheetOptions {
    int columns = 0;                     ///< 0 makes the sheet about as wide as it is high in pictures
    int gap = 4;                         ///< pixels between pictures and around them
    Pixel color = {255, 255, 255, 255};  ///< of the gaps
};

/// Tiles pictures row by row, each centred in a cell as large as the largest picture.
/// \throws Error when there are no pictures or the sheet would exceed Picture::max_side.
Picture contact_sheet(std::span<const Picture> pictures, const ContactSheetOptions& options = {});

}  // namespace sinew::render
