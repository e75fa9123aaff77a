// SPDX-License-Identifier: MIT
#include "sinew/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "sinew/base/error.h"

namespace sinew {
namespace {

bool is_line_end(char c) {
    return c == '\n' || c == '\r';
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// A decimal without exponent whose digits fit 53 bits is one exact integer divided by one exact power of
/// ten, hence correctly rounded by a single division (Clinger 1990).
std::optional<double> parse_simple(std::string_view text, std::size_t& used) {
    std::size_t i = 0;
    const bool negative = i < text.size() && text[i] == '-';
    if (negative) ++i;
    std::uint64_t digits = 0;
    const std::size_t first = i;
    while (i < text.size() && static_cast<unsigned char>(text[i] - '0') < 10) {
        digits = digits * 10 + static_cast<std::uint64_t>(text[i++] - '0');
    }
    std::size_t count = i - first;
    std::size_t decimals = 0;
    if (i < text.size() && text[i] == '.') {
        const std::size_t point = ++i;
        while (i < text.size() && static_cast<unsigned char>(text[i] - '0') < 10) {
            digits = digits * 10 + static_cast<std::uint64_t>(text[i++] - '0');
        }
        decimals = i - point;
        count += decimals;
    }
    const bool more = i < text.size() && (lower(text[i]) == 'e' || text[i] == '#');
    if (count == 0 || count > 19 || digits >> 53 != 0 || more) return std::nullopt;
    used = i;
    const double value = static_cast<double>(digits) / detail::exact_powers[decimals];
    return negative ? -value : value;
}

/// True when a number is outside the range of double because it is too small, not too large: its first
/// nonzero digit is far behind the decimal point.
bool is_tiny(std::string_view number) {
    const std::size_t e = number.find_first_of("eE");
    const std::string_view mantissa = number.substr(0, e);
    const std::size_t first = std::min(mantissa.find_first_of("123456789"), mantissa.size());
    const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
    if (e == std::string_view::npos) return first > point;
    std::string_view digits = number.substr(e + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    std::int64_t exponent = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (code == std::errc::result_out_of_range) return digits.starts_with('-');
    return exponent + static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) < 0;
}

/// Parses numbers that are not plain decimals: exponents, many digits, nan and inf.
std::optional<double> parse_general(std::string_view text, std::size_t& used) {
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code == std::errc::invalid_argument) return std::nullopt;
    used = static_cast<std::size_t>(end - text.data());
    if (code == std::errc::result_out_of_range) {
        // In this case the standard leaves the value unchanged.
        value = is_tiny(text.substr(0, used)) ? 0.0 : std::numeric_limits<double>::infinity();
        if (text[0] == '-') value = -value;
    }
    return value;
}

}  // namespace

std::optional<double> parse_number(std::string_view& text) {
    std::size_t used = 0;
    std::string_view rest = text;
    if (rest.starts_with('+')) {
        rest.remove_prefix(1);
        if (rest.starts_with('-')) return std::nullopt;
    }
    std::optional<double> value = parse_simple(rest, used);
    if (!value) value = parse_general(rest, used);
    if (value) text = rest.substr(used);
    return value;
}

bool parse_exact(std::string_view word, double& value) {
    const std::optional<double> parsed = parse_number(word);
    if (!parsed || !word.empty()) return false;
    value = *parsed;
    return true;
}

bool parse_exact(std::string_view word, std::int64_t& value) {
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    return code == std::errc() && end == word.data() + word.size();
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return lower(x) == lower(y); });
}

std::string to_lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), lower);
    return result;
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

TextCursor::TextCursor(std::string_view text, std::string_view name) : text_(text), name_(name) {}

bool TextCursor::skip_space() {
    while (position_ < text_.size() && is_space(text_[position_])) ++position_;
    return position_ < text_.size();
}

std::string_view TextCursor::word() {
    skip_space();
    const std::size_t start = position_;
    while (position_ < text_.size() && !is_space(text_[position_])) ++position_;
    return text_.substr(start, position_ - start);
}

std::string_view TextCursor::peek() {
    skip_space();
    const std::size_t start = position_;
    const std::string_view result = word();
    position_ = start;
    return result;
}

std::string_view TextCursor::word_on_line() {
    while (position_ < text_.size() && is_space(text_[position_]) && !is_line_end(text_[position_]))
        ++position_;
    if (position_ == text_.size() || is_line_end(text_[position_])) return {};
    return word();
}

std::string_view TextCursor::rest_of_line() {
    const std::size_t start = position_;
    while (position_ < text_.size() && !is_line_end(text_[position_])) ++position_;
    const std::string_view line = trim(text_.substr(start, position_ - start));
    if (position_ < text_.size()) {
        const bool pair =
            text_[position_] == '\r' && position_ + 1 < text_.size() && text_[position_ + 1] == '\n';
        position_ += pair ? 2 : 1;
    }
    return line;
}

std::optional<double> TextCursor::try_number() {
    skip_space();
    std::string_view rest = text_.substr(position_);
    const std::optional<double> value = parse_number(rest);
    if (!value || (!rest.empty() && !is_space(rest[0]))) return std::nullopt;
    position_ = text_.size() - rest.size();
    return value;
}

double TextCursor::number(std::string_view what) {
    if (const std::optional<double> value = try_number()) return *value;
    const std::string_view found = peek();
    if (found.empty()) fail(location(), "expected {}, but the file ends here", what);
    fail(location(), "expected {}, found \"{}\"", what, found.substr(0, 40));
}

std::size_t TextCursor::line() const {
    // Lines are counted only on demand: errors and warnings are rare, words are not.
    std::size_t count = 1;
    for (std::size_t i = 0; i < position_; ++i) {
        if (text_[i] == '\n' || (text_[i] == '\r' && (i + 1 >= text_.size() || text_[i + 1] != '\n')))
            ++count;
    }
    return count;
}

std::string TextCursor::location() const {
    return fmt::format("{}:{}", name_, line());
}

namespace {

void append_utf8(std::string& text, std::uint32_t code) {
    const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (code < 0x80) {
        put(code);
        return;
    }
    if (code < 0x800) {
        put(0xC0 | code >> 6);
    } else {
        if (code < 0x10000) {
            put(0xE0 | code >> 12);
        } else {
            put(0xF0 | code >> 18);
            put(0x80 | (code >> 12 & 0x3F));
        }
        put(0x80 | (code >> 6 & 0x3F));
    }
    put(0x80 | (code & 0x3F));
}

}  // namespace

std::string_view as_utf8(std::string_view text, std::string& storage) {
    if (text.starts_with("\xEF\xBB\xBF")) return text.substr(3);
    const bool little = text.starts_with("\xFF\xFE");
    if (!little && !text.starts_with("\xFE\xFF")) return text;
    const auto unit = [&](std::size_t i) {
        const auto low = static_cast<unsigned char>(text[little ? i : i + 1]);
        const auto high = static_cast<unsigned char>(text[little ? i + 1 : i]);
        return static_cast<std::uint32_t>(high << 8 | low);
    };
    const auto is_low_half = [](std::uint32_t code) { return code >= 0xDC00 && code < 0xE000; };
    storage.clear();
    storage.reserve(text.size() / 2);
    for (std::size_t i = 2; i + 1 < text.size(); i += 2) {
        std::uint32_t code = unit(i);
        if (code >= 0xD800 && code < 0xDC00 && i + 3 < text.size() && is_low_half(unit(i + 2))) {
            code = 0x10000 + ((code - 0xD800) << 10) + (unit(i + 2) - 0xDC00);
            i += 2;
        } else if (code >= 0xD800 && code < 0xE000) {
            code = 0xFFFD;
        }
        append_utf8(storage, code);
    }
    return storage;
}

std::string markup_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '&':
                out += "&amp;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\'':
                out += "&#39;";
                break;
            default:
                out += c;
        }
    }
    return out;
}

}  // namespace sinew
