#include "sinew/render/contact_sheet.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"

namespace sinew::render {
namespace {

void paste(Picture& sheet, const Picture& picture, int left, int top) {
    for (int y = 0; y < picture.height; ++y)
        std::copy_n(&picture.at(0, y), picture.width, &sheet.at(left, top + y));
}

}  // namespace

Picture contact_sheet(std::span<const Picture> pictures, const ContactSheetOptions& options) {
    if (pictures.empty()) fail("", "a contact sheet needs at least one picture");
    if (options.columns < 0 || options.gap < 0 || options.gap > Picture::max_side)
        fail("", "a contact sheet cannot have {} columns with gaps of {} pixels", options.columns,
             options.gap);
    int cell_width = 0;
    int cell_height = 0;
    for (const Picture& picture : pictures) {
        check_size(picture.width, picture.height);
        cell_width = std::max(cell_width, picture.width);
        cell_height = std::max(cell_height, picture.height);
    }
    const int count = static_cast<int>(std::min<std::size_t>(pictures.size(), Picture::max_side));
    const int square = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count))));
    const int columns = std::min(count, options.columns > 0 ? options.columns : square);
    const int rows = (count + columns - 1) / columns;
    const auto side = [&](int cells, int cell) {
        const std::int64_t length = std::int64_t{cells} * (cell + options.gap) + options.gap;
        return static_cast<int>(std::min<std::int64_t>(length, Picture::max_side + 1));
    };
    Picture sheet(side(columns, cell_width), side(rows, cell_height), options.color);
    for (int i = 0; i < count; ++i) {
        const Picture& picture = pictures[static_cast<std::size_t>(i)];
        const int left = options.gap + (i % columns) * (cell_width + options.gap);
        const int top = options.gap + (i / columns) * (cell_height + options.gap);
        paste(sheet, picture, left + (cell_width - picture.width) / 2,
              top + (cell_height - picture.height) / 2);
    }
    return sheet;
}

}  // namespace sinew::render
