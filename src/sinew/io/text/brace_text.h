// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Words and braces of the small text formats .skel and .clip.

#include <string>
#include <string_view>

#include "sinew/base/text.h"

namespace sinew::io {

/// Words separated by white space; a brace is a word by itself, wherever it stands; # and // start a comment
/// that ends with its line.
class BraceText {
  public:
    BraceText(std::string_view text, std::string_view name) : cursor_(text, name) {}

    /// The next word, empty at the end.
    std::string_view next();
    std::string_view peek();
    /// True when the next word is this one, in any case, which is then passed.
    bool accept(std::string_view word);
    /// \throws Error when the next word is another.
    void expect(std::string_view word, std::string_view where);
    /// \throws Error when the next word is not a number; infinities only when allowed.
    double number(std::string_view what, bool infinite = false);
    /// \throws Error when the next word is not a whole number of at least 0.
    std::size_t count(std::string_view what);

    /// Where the next word begins; counting lines is left to `location`, when something is wrong.
    std::size_t mark();
    /// "name:line" of a mark, or of the next word.
    std::string location(std::size_t mark);
    std::string location() { return location(mark()); }

  private:
    void skip();
    TextCursor cursor_;
};

/// `"word"`, or "the end of the file" for an empty one, for messages.
std::string quoted_word(std::string_view word);

}  // namespace sinew::io
