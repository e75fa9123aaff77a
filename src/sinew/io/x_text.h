#pragma once
/// \file
/// Words, numbers and braces of a text .x file.

#include <cstdint>
#include <string>
#include <string_view>

namespace sinew::io::x {

struct Token {
    enum class Kind : std::uint8_t { end, open, close, word, string, guid };
    Kind kind = Kind::end;
    std::string_view text;   ///< without quotes
    std::size_t offset = 0;  ///< in the file

    bool is(Kind other) const { return kind == other; }
};

/// Semicolons and commas only separate: extra or missing ones do no harm. // and # start a comment.
class Text {
  public:
    Text(std::string_view text, std::string_view name, std::size_t start)
        : text_(text), name_(name), position_(start) {}

    const Token& peek();
    Token next();
    bool at(Token::Kind kind) { return peek().is(kind); }

    /// \throws Error naming `what` when the next token is no number. "1.#IND" and its like are not a number.
    double number(std::string_view what);
    /// A finite number. \throws Error
    double finite(std::string_view what);
    /// A whole number from 0 to 2^31. \throws Error
    std::uint32_t index(std::string_view what);
    /// A count of items that take at least two bytes each in what follows. \throws Error when they cannot be
    /// there.
    std::size_t count(std::string_view what);
    /// A string, or a word in place of it. \throws Error
    std::string string(std::string_view what);

    /// Skips to behind the brace that closes the object whose opening brace was read.
    void skip_object();

    std::string place(std::size_t offset) const;
    std::string place() { return place(peek().offset); }
    std::string_view name() const { return name_; }

  private:
    void skip_space();
    Token scan();

    std::string_view text_;
    std::string name_;
    std::size_t position_ = 0;
    Token ahead_;
    bool has_ahead_ = false;
};

}  // namespace sinew::io::x
