// SPDX-License-Identifier: MIT

#include "sinew/io/interchange.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/error.h"

namespace sinew::io {
namespace {

void check(const NumberArray& array) {
    std::size_t count = 1;
    for (const std::size_t side : array.shape) {
        if (side != 0 && count > array.values.size() / side + 1) fail("", "an array's shape is too large");
        count *= side;
    }
    if (count != array.values.size())
        fail("", "an array of shape ({}) cannot hold {} numbers", fmt::join(array.shape, ", "),
             array.values.size());
}

}  // namespace

std::string encode_npy(const NumberArray& array) {
    static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");
    check(array);
    std::string header = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}{}), }}",
                                     fmt::join(array.shape, ", "), array.shape.size() == 1 ? "," : "");
    // Magic, version, two bytes of length, header, line end: a multiple of 64, so that the data is aligned.
    constexpr std::size_t lead = 10;
    const std::size_t total = (lead + header.size() + 1 + 63) / 64 * 64;
    header.resize(total - lead - 1, ' ');
    header += '\n';
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size() & 0xffU);
    bytes += static_cast<char>(header.size() >> 8U);
    bytes += header;
    bytes.append(reinterpret_cast<const char*>(array.values.data()), array.values.size() * sizeof(float));
    return bytes;
}

std::string encode_csv(const NumberArray& array, std::string_view first, std::string_view second) {
    check(array);
    if (array.shape.size() < 2) fail("", "a table needs two axes, not {}", array.shape.size());
    const std::size_t rows = array.shape[0] * array.shape[1],
                      width = rows == 0 ? 0 : array.values.size() / rows;
    std::string text = fmt::format("{},{}", first, second);
    for (std::size_t c = 0; c < width; ++c) text += fmt::format(",v{}", c);
    text += '\n';
    for (std::size_t r = 0; r < rows; ++r) {
        text += fmt::format("{},{}", r / array.shape[1], r % array.shape[1]);
        for (std::size_t c = 0; c < width; ++c) text += fmt::format(",{}", array.values[r * width + c]);
        text += '\n';
    }
    return text;
}

namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t not_a_digit = 255;

constexpr std::array<std::uint8_t, 256> make_digits() {
    std::array<std::uint8_t, 256> digits{};
    for (auto& digit : digits) digit = not_a_digit;
    for (std::size_t i = 0; i < alphabet.size(); ++i) {
        digits[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
    }
    return digits;
}
constexpr std::array<std::uint8_t, 256> digits = make_digits();

}  // namespace

std::string encode_base64(Bytes bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            group = group << 8 | (k < left ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0u);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            text += k <= left ? alphabet[group >> (18 - 6 * k) & 63] : '=';
        }
    }
    return text;
}

std::optional<std::vector<std::byte>> decode_base64(std::string_view text) {
    while (!text.empty() && text.back() == '=') text.remove_suffix(1);
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 4 * 3 + 3);
    std::uint32_t group = 0;
    int bits = 0;
    for (const char c : text) {
        const std::uint8_t digit = digits[static_cast<unsigned char>(c)];
        if (digit == not_a_digit) return std::nullopt;
        group = group << 6 | digit;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes.push_back(static_cast<std::byte>(group >> bits & 255));
        }
    }
    return bytes;
}

std::optional<JsonCursor> JsonCursor::find(std::string_view key) const {
    if (!value_->is_object()) fail("expected an object, found {}", value_->type_name());
    const auto member = value_->find(key);
    if (member == value_->end()) return std::nullopt;
    return JsonCursor(*member, *file_, fmt::format("{}/{}", pointer_, key));
}

JsonCursor JsonCursor::at(std::string_view key) const {
    if (std::optional<JsonCursor> member = find(key)) return *std::move(member);
    fail("\"{}\" is missing", key);
}

JsonCursor JsonCursor::at(std::size_t index) const {
    if (index >= size()) fail("element {} of {}", index, size());
    return JsonCursor((*value_)[index], *file_, fmt::format("{}/{}", pointer_, index));
}

std::size_t JsonCursor::size() const {
    if (!value_->is_array()) fail("expected an array, found {}", value_->type_name());
    return value_->size();
}

std::vector<JsonCursor> JsonCursor::list(std::string_view key) const {
    std::vector<JsonCursor> elements;
    if (const std::optional<JsonCursor> array = find(key)) {
        elements.reserve(array->size());
        for (std::size_t i = 0; i < array->size(); ++i) elements.push_back(array->at(i));
    }
    return elements;
}

std::vector<std::string> JsonCursor::keys() const {
    if (!value_->is_object()) fail("expected an object, found {}", value_->type_name());
    std::vector<std::string> names;
    for (const auto& [name, member] : value_->items()) names.push_back(name);
    return names;
}

bool JsonCursor::is_object() const {
    return value_->is_object();
}

bool JsonCursor::is_null() const {
    return value_->is_null();
}

std::uint64_t JsonCursor::integer() const {
    if (value_->is_number_unsigned()) return value_->get<std::uint64_t>();
    if (value_->is_number_float()) {
        // The format allows integers to be written with a point or an exponent.
        const double number = value_->get<double>();
        if (number >= 0 && number < 0x1p53 && number == std::floor(number))
            return static_cast<std::uint64_t>(number);
    }
    fail("expected an integer of at least 0, found {}",
         value_->is_number() ? value_->dump() : value_->type_name());
}

double JsonCursor::number() const {
    if (!value_->is_number()) fail("expected a number, found {}", value_->type_name());
    return value_->get<double>();
}

bool JsonCursor::boolean() const {
    if (!value_->is_boolean()) fail("expected true or false, found {}", value_->type_name());
    return value_->get<bool>();
}

const std::string& JsonCursor::text() const {
    if (!value_->is_string()) fail("expected a string, found {}", value_->type_name());
    return value_->get_ref<const std::string&>();
}

std::uint64_t JsonCursor::integer(std::string_view key, std::uint64_t fallback) const {
    const std::optional<JsonCursor> member = find(key);
    return member ? member->integer() : fallback;
}

double JsonCursor::number(std::string_view key, double fallback) const {
    const std::optional<JsonCursor> member = find(key);
    return member ? member->number() : fallback;
}

bool JsonCursor::boolean(std::string_view key, bool fallback) const {
    const std::optional<JsonCursor> member = find(key);
    return member ? member->boolean() : fallback;
}

std::string JsonCursor::text(std::string_view key, std::string_view fallback) const {
    const std::optional<JsonCursor> member = find(key);
    return member ? member->text() : std::string(fallback);
}

std::optional<std::vector<double>> JsonCursor::numbers(std::string_view key, std::size_t count) const {
    const std::optional<JsonCursor> member = find(key);
    if (!member) return std::nullopt;
    if (member->size() != count) member->fail("expected {} numbers, found {}", count, member->size());
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(member->at(i).number());
    return values;
}

bool Companions::may_hold(const std::filesystem::path& path) const {
    if (allow_outside) return true;
    std::error_code code;
    const std::filesystem::path home = std::filesystem::weakly_canonical(root, code);
    if (code) return false;
    const std::filesystem::path real = std::filesystem::weakly_canonical(path, code);
    return !code && std::mismatch(home.begin(), home.end(), real.begin(), real.end()).first == home.end();
}

Companions companions_of(const std::filesystem::path& file, const ReadOptions& options) {
    std::error_code code;
    return {std::filesystem::absolute(file, code).parent_path(), options.allow_outside};
}

std::filesystem::path find_companion(const Companions& companions, const std::filesystem::path& folder,
                                     std::string_view name, std::string_view location, Monitor& monitor) {
    std::string slashed(name);
    std::replace(slashed.begin(), slashed.end(), '\\', '/');
    std::error_code code;
    bool outside = false;
    for (const std::filesystem::path& candidate :
         {folder / name, folder / slashed, folder / std::filesystem::path(slashed).filename()}) {
        if (!std::filesystem::is_regular_file(candidate, code)) continue;
        if (companions.may_hold(candidate)) return candidate;
        outside = true;
    }
    if (outside)
        warn(monitor, "outside-folder", "{}: \"{}\" lies outside the folder of the file and was not read",
             location, name);
    return {};
}

}  // namespace sinew::io
