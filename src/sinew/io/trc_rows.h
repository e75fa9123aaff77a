#pragma once
/// \file
/// The rows of a TRC file.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/io/text/tokens.h"
#include "sinew/model/trial.h"

namespace sinew::io::trc {

/// A row of the table. Cells are separated by single tabs.
struct Row {
    std::size_t cells;  ///< first byte behind frame and time
    double time;        ///< NaN when it is not given
};

struct Rows {
    std::string_view text;  ///< of the whole file
    std::vector<Row> rows;
    std::int64_t first_frame = 1;
    std::optional<std::size_t> jump;  ///< first row whose frame number does not follow
};

/// Commas, doubled tabs and spaces between the cells of the rows as single tabs: the text itself, or a copy
/// in `storage` whose lines are the same.
std::string_view with_tabs(std::string_view text, std::size_t rows, std::size_t markers, const TextCursor& at,
                           std::string& storage, bvh::Tally& tally);

Rows find_rows(std::string_view text, std::size_t start, TextCursor& cursor, bvh::Tally& tally);

/// Reads row i into frame `frames[i]` of the points, whose other frames stay missing.
void read_cells(const Rows& rows, const std::vector<std::size_t>& frames, TextCursor& cursor,
                bvh::Tally& tally, model::Points& points);

}  // namespace sinew::io::trc
