// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Tokens of text formats: words and braces; and a tally of problems in a file.

#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/base/text.h"

namespace sinew::io::bvh {

inline constexpr std::size_t max_token = 4096;

/// Counts problems by code. An invalid file often repeats a problem at every joint, so each code gives one
/// warning, with the location of the first and the total number.
class Tally {
  public:
    template <class... Args>
    void note(std::string_view code, const TextCursor& at, fmt::format_string<Args...> text, Args&&... args) {
        if (again(code)) return;
        entries_.push_back(
            {std::string(code),
             fmt::format("{}: {}", at.location(), fmt::format(text, std::forward<Args>(args)...)), 1});
    }
    /// Warns once for each code, in the order of their first appearance.
    void report(Monitor& monitor) const;

  private:
    struct Entry {
        std::string code;
        std::string text;
        std::size_t count;
    };
    bool again(std::string_view code);

    std::vector<Entry> entries_;
};

/// Classification of a word where a number is expected.
enum class Value {
    good,    ///< a finite number of plausible size
    broken,  ///< nan, inf, 1.#QNAN and the like, or beyond 1e15
    none,    ///< not a number at all
};
Value read_value(std::string_view word, double& value);

/// Words and braces. A brace is a token by itself, also when it touches a word.
class Tokens {
  public:
    Tokens(std::string_view text, std::string_view name) : cursor_(text, name) {}

    /// The next token, empty at the end. \throws Error when it is longer than max_token.
    std::string_view next();
    std::string_view peek();
    /// A name: the rest of the line up to an opening brace, trimmed. It may start on the next line.
    std::string_view name();
    /// True when a line ends before the next token.
    bool line_ends() const;
    TextCursor& cursor() { return cursor_; }
    const TextCursor& cursor() const { return cursor_; }

  private:
    TextCursor cursor_;
};

/// Replaces decimal commas by points, in `storage`, if the text has no points at all; otherwise returns the
/// text itself.
std::string_view with_decimal_points(std::string_view text, std::string& storage);

}  // namespace sinew::io::bvh
