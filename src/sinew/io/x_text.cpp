#include "sinew/io/x_text.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/scan.h"

namespace sinew::io::x {
namespace {

bool separates(char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == ';' || c == ',';
}

bool ends_word(char c) {
    return separates(c) || c == '{' || c == '}' || c == '"' || c == '<';
}

std::string found(const Token& token) {
    return token.is(Token::Kind::end) ? "the end of the file"
                                      : fmt::format("\"{}\"", token.text.substr(0, 40));
}

}  // namespace

void Text::skip_space() {
    while (position_ < text_.size()) {
        const std::string_view rest = text_.substr(position_);
        if (separates(rest[0])) {
            ++position_;
        } else if (rest[0] == '#' || rest.starts_with("//")) {
            position_ += std::min(rest.find_first_of("\r\n"), rest.size());
        } else {
            return;
        }
    }
}

Token Text::scan() {
    skip_space();
    const std::size_t start = position_;
    if (start == text_.size()) return {Token::Kind::end, {}, start};
    const char c = text_[start];
    if (c == '{' || c == '}') {
        ++position_;
        return {c == '{' ? Token::Kind::open : Token::Kind::close, text_.substr(start, 1), start};
    }
    if (c == '"' || c == '<') {
        const std::size_t end = text_.find(c == '"' ? '"' : '>', start + 1);
        if (end == std::string_view::npos)
            fail(place(start), "{} is not closed", c == '"' ? "a string" : "\"<\"");
        position_ = end + 1;
        return {c == '"' ? Token::Kind::string : Token::Kind::guid, text_.substr(start + 1, end - start - 1),
                start};
    }
    while (position_ < text_.size() && !ends_word(text_[position_])) ++position_;
    return {Token::Kind::word, text_.substr(start, position_ - start), start};
}

const Token& Text::peek() {
    if (!has_ahead_) ahead_ = scan();
    has_ahead_ = true;
    return ahead_;
}

Token Text::next() {
    const Token token = peek();
    has_ahead_ = false;
    return token;
}

double Text::number(std::string_view what) {
    const Token token = next();
    double value = 0;
    if (token.is(Token::Kind::word)) {
        if (parse_exact(token.text, value)) return value;
        // What old C libraries print for numbers that are none.
        if (token.text.find("#IND") != std::string_view::npos ||
            token.text.find("#QNAN") != std::string_view::npos ||
            token.text.find("#INF") != std::string_view::npos)
            return std::nan("");
    }
    fail(place(token.offset), "expected {}, found {}", what, found(token));
}

double Text::finite(std::string_view what) {
    const std::size_t offset = peek().offset;
    const double value = number(what);
    if (!std::isfinite(value)) fail(place(offset), "{} is not a finite number", what);
    return value;
}

std::uint32_t Text::index(std::string_view what) {
    const std::size_t offset = peek().offset;
    const double value = number(what);
    if (!(value >= 0 && value <= 2147483647.0) || value != std::floor(value)) {
        fail(place(offset), "{} must be a whole number from 0, not {}", what, value);
    }
    return static_cast<std::uint32_t>(value);
}

std::size_t Text::count(std::string_view what) {
    const std::size_t offset = peek().offset;
    const std::size_t value = index(what);
    if (value > (text_.size() - position_) / 2 + 1) {
        fail(place(offset), "{} is {}, but only {} bytes follow", what, value, text_.size() - position_);
    }
    return value;
}

std::string Text::string(std::string_view what) {
    const Token token = next();
    if (!token.is(Token::Kind::string) && !token.is(Token::Kind::word)) {
        fail(place(token.offset), "expected {}, found {}", what, found(token));
    }
    return std::string(token.text);
}

void Text::skip_object() {
    const std::size_t start = peek().offset;
    for (std::size_t depth = 1; depth > 0;) {
        const Token token = next();
        if (token.is(Token::Kind::end)) fail(place(start), "a closing brace is missing");
        if (token.is(Token::Kind::open)) ++depth;
        if (token.is(Token::Kind::close)) --depth;
    }
}

std::string Text::place(std::size_t offset) const {
    return place_at(text_, offset, name_);
}

}  // namespace sinew::io::x
