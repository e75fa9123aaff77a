#include "sinew/io/c3d/parameters.h"

#include <cmath>

#include <fmt/format.h>

namespace sinew::io::c3d {
namespace {

using model::Parameter;

std::string_view trimmed(std::string_view text) {
    const auto blank = [](char c) { return c == ' ' || c == '\0' || c == '\t' || c == '\r' || c == '\n'; };
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    return text;
}

/// Length of the UTF-8 sequence at the start of `text`, 0 when there is none.
std::size_t sequence_length(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (length == 0 || lead > 0xF4 || length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 0;
    }
    const auto second = length > 1 ? static_cast<unsigned char>(text[1]) : 0;
    const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
    const bool beyond = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
    return overlong || beyond ? 0 : length;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = sequence_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

/// Calls `take` with a parameter and its continuations as long as there are any.
template <class Take>
void each_part(const Parameters& parameters, std::string_view group, std::string_view name,
               const Take& take) {
    for (std::size_t i = 0;; ++i) {
        const Parameter* const part = parameters.find(group, continuation(name, i));
        if (part == nullptr) return;
        take(*part);
    }
}

}  // namespace

std::string decoded(std::string_view bytes) {
    bytes = trimmed(bytes);
    std::string text;
    const bool utf8 = is_utf8(bytes);
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20) {
            text += ' ';  // zeros and control characters have no place in a name
        } else if (utf8 || byte < 0x80) {
            text += c;
        } else {
            text += static_cast<char>(0xC0 | byte >> 6);
            text += static_cast<char>(0x80 | (byte & 0x3F));
        }
    }
    return text;
}

std::optional<std::size_t> count_of(const Parameters& parameters, std::string_view group,
                                    std::string_view name) {
    const Parameter* const found = parameters.find(group, name);
    if (found == nullptr || found->empty() || found->is_text()) return std::nullopt;
    if (const auto* words = std::get_if<std::vector<std::int16_t>>(&found->values)) {
        return static_cast<std::uint16_t>(words->front());
    }
    if (const auto* bytes = std::get_if<std::vector<std::int8_t>>(&found->values)) {
        return static_cast<std::uint8_t>(bytes->front());
    }
    const double value = std::round(found->number(0));
    if (!(value >= 0 && value < 1e9)) return std::nullopt;
    return static_cast<std::size_t>(value);
}

std::optional<std::size_t> long_count_of(const Parameters& parameters, std::string_view group,
                                         std::string_view name) {
    const Parameter* const found = parameters.find(group, name);
    const auto* words = found == nullptr ? nullptr : std::get_if<std::vector<std::int16_t>>(&found->values);
    if (words == nullptr || words->size() < 2) return count_of(parameters, group, name);
    return static_cast<std::uint16_t>((*words)[0]) +
           std::size_t{65536} * static_cast<std::uint16_t>((*words)[1]);
}

std::optional<double> number_of(const Parameters& parameters, std::string_view group, std::string_view name) {
    const Parameter* const found = parameters.find(group, name);
    if (found == nullptr || found->empty() || found->is_text()) return std::nullopt;
    const double value = found->number(0);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string text_of(const Parameters& parameters, std::string_view group, std::string_view name) {
    const Parameter* const found = parameters.find(group, name);
    if (found == nullptr || found->empty() || !found->is_text()) return {};
    return decoded(std::get<std::vector<std::string>>(found->values).front());
}

std::vector<std::string> texts_of(const Parameters& parameters, std::string_view group,
                                  std::string_view name) {
    std::vector<std::string> texts;
    each_part(parameters, group, name, [&](const Parameter& part) {
        if (!part.is_text()) return;
        for (const std::string& text : std::get<std::vector<std::string>>(part.values)) {
            texts.push_back(decoded(text));
        }
    });
    return texts;
}

std::vector<double> numbers_of(const Parameters& parameters, std::string_view group, std::string_view name) {
    std::vector<double> numbers;
    each_part(parameters, group, name, [&](const Parameter& part) {
        if (part.is_text()) return;
        for (std::size_t i = 0; i < part.size(); ++i) numbers.push_back(part.number(i));
    });
    return numbers;
}

std::string continuation(std::string_view name, std::size_t index) {
    return index == 0 ? std::string(name) : fmt::format("{}{}", name, index + 1);
}

}  // namespace sinew::io::c3d
