#pragma once
/// \file
/// The words of an ASF file.

#include <string_view>

#include "sinew/io/text/tokens.h"
#include "sinew/math/types.h"

namespace sinew::io::asf {

/// White space, commas and parentheses separate words; # starts a comment.
class Words {
  public:
    Words(std::string_view text, std::string_view name) : text_(text), cursor_(text, name) { find(0); }

    /// The next word, empty at the end, without consuming it.
    std::string_view peek() const { return word_; }
    /// True when the next word is the first on its line.
    bool starts_line() const { return starts_line_; }
    /// True at the end of the file and before a word such as ":root".
    bool section_ends() const { return word_.empty() || (starts_line_ && word_.starts_with(':')); }
    std::string_view next();
    /// \throws Error naming `what` when the next word is no number; one that is not finite is 0, and noted.
    double number(std::string_view what, bvh::Tally& tally);
    math::Vec3d vector(std::string_view what, bvh::Tally& tally);
    /// At the next word.
    const TextCursor& cursor() const { return cursor_; }

  private:
    void find(std::size_t from);

    std::string_view text_;
    TextCursor cursor_;
    std::string_view word_;
    bool starts_line_ = true;
};

}  // namespace sinew::io::asf
