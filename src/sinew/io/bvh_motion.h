#pragma once
/// \file
/// The MOTION part of a BVH file: how many frames there really are and where, and the keys that their numbers
/// make.

#include <optional>
#include <string_view>
#include <vector>

#include "sinew/io/bvh/hierarchy.h"
#include "sinew/model/clip.h"

namespace sinew::io::bvh {

/// What stands between MOTION and the numbers.
struct MotionHeader {
    std::optional<double> frames;  ///< as claimed by "Frames:"
    double step = 1.0 / 30;        ///< seconds a frame, repaired
};
MotionHeader read_motion_header(TextCursor& cursor, Tally& tally);

/// Where the frames are. Only every `per_block`-th is known, which is enough to read the blocks
/// independently.
struct FrameIndex {
    std::string_view text;            ///< the numbers
    std::vector<std::size_t> starts;  ///< first byte of each block
    std::size_t channels = 0;
    std::size_t frames = 0;
    std::size_t per_block = 1;
    bool by_line = false;  ///< one frame a line; otherwise line ends mean nothing
    char line_end = '\n';
};

/// Takes every line that is not blank as a frame. Nothing when the text is too short for that to be true.
std::optional<FrameIndex> index_lines(std::string_view text, std::size_t channels);

/// Counts words instead.
struct WordIndex {
    FrameIndex index;
    std::size_t words = 0;
};
WordIndex index_words(std::string_view text, std::size_t channels, std::optional<double> claimed_frames);

/// What reading all frames came across.
struct DecodeResult {
    std::size_t broken = 0;               ///< numbers that were not finite
    std::optional<std::size_t> bad_word;  ///< first byte of the first word that is no number
    bool irregular = false;               ///< a line without exactly one frame
};

/// Fills the tracks of all joints with channels. Position keys hold the plain numbers of the file, and OFFSET
/// where an axis has no channel. `first_row` stands in for broken numbers of frame 0; without it blocks are
/// read in parallel, and broken numbers are only counted.
DecodeResult decode(const FrameIndex& index, const Hierarchy& hierarchy, double step,
                    const std::vector<double>* first_row, std::vector<model::Track>& tracks,
                    Monitor& monitor);

}  // namespace sinew::io::bvh
