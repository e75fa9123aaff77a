#include <algorithm>
#include <cmath>

#include "sinew/base/text.h"
#include "sinew/io/bvh_motion.h"

namespace sinew::io::bvh {
namespace {

/// Numbers that are converted together; a block of rows stays in the first-level cache.
constexpr std::size_t block_numbers = 3072;

FrameIndex empty_index(std::string_view text, std::size_t channels) {
    FrameIndex index;
    index.text = text;
    index.channels = channels;
    index.per_block = std::max<std::size_t>(1, block_numbers / channels);
    return index;
}

}  // namespace

std::optional<FrameIndex> index_lines(std::string_view text, std::size_t channels) {
    FrameIndex index = empty_index(text, channels);
    index.by_line = true;
    // A lone CR ends lines only in files that have no LF.
    index.line_end = text.find('\n') == std::string_view::npos ? '\r' : '\n';
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(index.line_end, at), text.size());
        std::size_t first = at;
        while (first < end && is_space(text[first])) ++first;
        if (first < end) {
            if (index.frames % index.per_block == 0) index.starts.push_back(first);
            ++index.frames;
        }
        at = end + 1;
    }
    // A number takes at least a digit and a space: no memory for frames that cannot be there.
    if (index.frames > (text.size() + 1) / (2 * channels)) return std::nullopt;
    return index;
}

WordIndex index_words(std::string_view text, std::size_t channels, std::optional<double> claimed_frames) {
    WordIndex result{empty_index(text, channels), 0};
    FrameIndex& index = result.index;
    const std::size_t words_per_block = index.per_block * channels;
    for (std::size_t at = 0; at < text.size();) {
        while (at < text.size() && is_space(text[at])) ++at;
        if (at == text.size()) break;
        if (result.words % words_per_block == 0) index.starts.push_back(at);
        ++result.words;
        while (at < text.size() && !is_space(text[at])) ++at;
    }
    index.frames = result.words / channels;
    if (claimed_frames && *claimed_frames >= 1 && *claimed_frames < static_cast<double>(index.frames)) {
        index.frames = static_cast<std::size_t>(*claimed_frames);
    }
    return result;
}

}  // namespace sinew::io::bvh
