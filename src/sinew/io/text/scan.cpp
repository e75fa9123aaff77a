// SPDX-License-Identifier: MIT
#include "sinew/io/text/scan.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "sinew/base/text.h"

namespace sinew::io {

std::string location_at(std::string_view text, std::size_t offset, std::string_view name) {
    const char line_end = text.find('\n') == std::string_view::npos ? '\r' : '\n';
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    return fmt::format("{}:{}", name, 1 + std::count(before.begin(), before.end(), line_end));
}

std::string_view with_line_feeds(std::string_view text, std::string& storage) {
    const bool only_cr =
        text.find('\n') == std::string_view::npos && text.find('\r') != std::string_view::npos;
    if (!only_cr) return text;
    storage = text;
    std::replace(storage.begin(), storage.end(), '\r', '\n');
    return storage;
}

std::string found_at(const char* at, const char* end) {
    at = skip_blanks(at, end);
    if (at == end) return "the end of the file";
    if (*at == '\n') return "the end of the line";
    std::string word(at, std::min(skip_word(at, end), at + 40));
    for (char& c : word) {
        if (c < ' ' || c > '~') c = '?';
    }
    return fmt::format("\"{}\"", word);
}

}  // namespace sinew::io

namespace sinew::io::detail {
namespace {

std::string_view without_plus(const char* at, const char* end) {
    if (at < end && *at == '+') ++at;
    return {at, static_cast<std::size_t>(end - at)};
}

}  // namespace

const char* scan_float_slowly(const char* at, const char* end, float& value) {
    const std::string_view text = without_plus(at, end);
    const auto [behind, code] = std::from_chars(text.data(), end, value);
    if (code == std::errc()) return behind;
    if (code == std::errc::invalid_argument) return nullptr;
    // Outside the range of normal floats: the double distinguishes zero, subnormal numbers and infinity.
    double wide = 0;
    const char* const wide_behind = scan_double_slowly(at, end, wide);
    value = static_cast<float>(wide);
    return wide_behind;
}

const char* scan_double_slowly(const char* at, const char* end, double& value) {
    std::string_view text = without_plus(at, end);
    const std::optional<double> parsed = parse_number(text);
    if (!parsed) return nullptr;
    value = *parsed;
    return text.data();
}

}  // namespace sinew::io::detail
