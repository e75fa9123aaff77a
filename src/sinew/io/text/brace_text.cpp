// SPDX-License-Identifier: MIT
#include "sinew/io/text/brace_text.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"

namespace sinew::io {
namespace {

bool ends_word(std::string_view text, std::size_t at) {
    const char c = text[at];
    return c == '{' || c == '}' || c == '#' || static_cast<unsigned char>(c) <= ' ' ||
           text.substr(at).starts_with("//");
}

}  // namespace

std::string quoted_word(std::string_view word) {
    return word.empty() ? "the end of the file" : fmt::format("\"{}\"", word.substr(0, 40));
}

void BraceText::skip() {
    while (cursor_.skip_space()) {
        const std::string_view rest = cursor_.remaining();
        if (static_cast<unsigned char>(rest[0]) < ' ') {
            cursor_.advance(1);  // other control characters count as space
        } else if (rest.starts_with('#') || rest.starts_with("//")) {
            cursor_.advance(std::min(rest.find_first_of("\r\n"), rest.size()));
        } else {
            return;
        }
    }
}

std::string_view BraceText::peek() {
    skip();
    const std::string_view rest = cursor_.remaining();
    if (rest.empty()) return {};
    std::size_t length = 1;
    if (rest[0] != '{' && rest[0] != '}') {
        while (length < rest.size() && !ends_word(rest, length)) ++length;
    }
    return rest.substr(0, length);
}

std::string_view BraceText::next() {
    const std::string_view word = peek();
    cursor_.advance(word.size());
    return word;
}

bool BraceText::accept(std::string_view word) {
    const bool same = equal_ignoring_case(peek(), word);
    if (same) next();
    return same;
}

void BraceText::expect(std::string_view word, std::string_view where) {
    if (!accept(word)) fail(location(), "expected \"{}\" {}, found {}", word, where, quoted_word(peek()));
}

double BraceText::number(std::string_view what, bool infinite) {
    double value = 0;
    const std::string_view word = peek();
    if (!parse_exact(word, value)) fail(location(), "expected {}, found {}", what, quoted_word(word));
    if (std::isnan(value) || (std::isinf(value) && !infinite)) {
        fail(location(), "{} is not a finite number: {}", what, quoted_word(word));
    }
    next();
    return value;
}

std::size_t BraceText::count(std::string_view what) {
    const std::size_t where = mark();
    const double value = number(what);
    if (value < 0 || value != std::floor(value) || value > 1e9) {
        fail(location(where), "{} must be a whole number from 0, not {}", what, value);
    }
    return static_cast<std::size_t>(value);
}

std::size_t BraceText::mark() {
    skip();
    return cursor_.position();
}

std::string BraceText::location(std::size_t mark) {
    const std::size_t here = cursor_.position();
    cursor_.seek(mark);
    std::string text = cursor_.location();
    cursor_.seek(here);
    return text;
}

}  // namespace sinew::io
