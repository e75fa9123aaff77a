// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Tokens of the text formats .skel and .clip: words and braces.

#include <string>
#include <string_view>

#include "sinew/base/text.h"

namespace sinew::io {

/// Words separated by white space; a brace is always a word of its own; # and // start a comment up to the
/// end of the line.
class BraceText {
  public:
    BraceText(std::string_view text, std::string_view name) : cursor_(text, name) {}

    /// The next word, empty at the end.
    std::string_view next();
    std::string_view peek();
    /// True when the next word equals this one, ignoring case; it is then consumed.
    bool accept(std::string_view word);
    /// \throws Error when the next word differs
    void expect(std::string_view word, std::string_view where);
    /// \throws Error when the next word is not a number; infinities only if allowed
    double number(std::string_view what, bool infinite = false);
    /// \throws Error when the next word is not a non-negative integer
    std::size_t count(std::string_view what);

    /// Position of the next word; lines are only counted by `location`, in case of an error.
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
