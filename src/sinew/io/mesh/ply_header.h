// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The header of a PLY file, and access to its values in all encodings.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/io/text/scan.h"

namespace sinew::io {

enum class PlyType : std::uint8_t { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

constexpr std::size_t size_of(PlyType type) {
    constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[static_cast<std::size_t>(type)];
}
constexpr bool is_float(PlyType type) {
    return type >= PlyType::float32;
}

struct PlyProperty {
    std::string name;
    PlyType type = PlyType::float32;    ///< of the value, or of the items of a list
    std::optional<PlyType> count_type;  ///< a list has one
    bool is_list() const { return count_type.has_value(); }
};

struct PlyElement {
    std::string name;
    std::uint64_t count = 0;
    std::vector<PlyProperty> properties;

    bool has_lists() const;
    /// Bytes of a binary row, with empty lists.
    std::size_t min_bytes() const;
    /// Index of a property by any of its names, or -1.
    int find(std::initializer_list<std::string_view> names) const;
    /// Offset of a property in a binary row without lists.
    std::size_t offset(int property) const;
};

enum class PlyEncoding { text, little, big };

struct PlyHeader {
    PlyEncoding encoding = PlyEncoding::text;
    std::vector<PlyElement> elements;
    std::string texture;   ///< of a "comment TextureFile" line
    std::size_t size = 0;  ///< bytes up to the data
};

/// \throws Error with the line of a statement that is not understood.
PlyHeader read_ply_header(std::string_view text, std::string_view name);

/// Text: words between white space.
class PlyTextSource {
  public:
    PlyTextSource(std::string_view text, std::size_t start, std::string_view name)
        : text_(text), at_(text.data() + start), end_(text.data() + text.size()), name_(name) {}

    /// A value as the nearest float.
    double real(PlyType) {
        float value = 0;
        return take([&] { return scan_float(at_, end_, value); }), static_cast<double>(value);
    }
    /// A value as precise as its type.
    double wide(PlyType type) {
        if (type == PlyType::float32) return real(type);
        double value = 0;
        return take([&] { return scan_double(at_, end_, value); }), value;
    }
    std::int64_t integer(PlyType) {
        std::int64_t value = 0;
        return take([&] { return scan_integer(at_, end_, value); }), value;
    }
    void skip(PlyType, std::size_t count) {
        for (; count > 0; --count) take([&] { return skip_word(at_, end_); });
    }

    /// Smallest number of bytes of `count` values.
    static std::size_t min_bytes(PlyType, std::size_t count) { return 2 * count; }
    std::size_t row_bytes(const PlyElement& element) const { return 2 * element.properties.size(); }
    std::size_t bytes_left() const { return static_cast<std::size_t>(end_ - at_) + 1; }
    std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
    void advance(std::size_t bytes) { at_ += bytes; }
    std::string location() const {
        return location_at(text_, static_cast<std::size_t>(at_ - text_.data()), name_);
    }

  private:
    template <class Scan>
    void take(const Scan& scan) {
        at_ = skip_white(at_, end_);
        if (at_ == end_) fail(location(), "the file ends too early");
        const char* const behind = scan();
        if (behind == nullptr || !at_word_end(behind, end_))
            fail(location(), "expected a number, found {}", found_at(at_, end_));
        at_ = behind;
    }

    std::string_view text_;
    const char* at_;
    const char* end_;
    std::string name_;
};

/// Binary, little- or big-endian.
template <bool big>
class PlyBinarySource {
  public:
    PlyBinarySource(std::string_view bytes, std::size_t start, std::string_view name)
        : bytes_(bytes), at_(bytes.data() + start), end_(bytes.data() + bytes.size()), name_(name) {}

    double real(PlyType type) { return value<double>(type); }
    double wide(PlyType type) { return value<double>(type); }
    std::int64_t integer(PlyType type) {
        if (is_float(type)) {
            const double number = value<double>(type);
            return std::abs(number) < 1e15 ? static_cast<std::int64_t>(number)
                                           : std::numeric_limits<std::int64_t>::max();
        }
        return value<std::int64_t>(type);
    }
    void skip(PlyType type, std::size_t count) {
        if (count > bytes_left() / size_of(type)) ends_early();
        at_ += count * size_of(type);
    }

    static std::size_t min_bytes(PlyType type, std::size_t count) { return size_of(type) * count; }
    std::size_t row_bytes(const PlyElement& element) const { return element.min_bytes(); }
    std::size_t bytes_left() const { return static_cast<std::size_t>(end_ - at_); }
    std::string_view rest() const { return {at_, bytes_left()}; }
    void advance(std::size_t bytes) { at_ += bytes; }
    std::size_t position() const { return static_cast<std::size_t>(at_ - bytes_.data()); }
    std::string location() const { return fmt::format("{}: byte {}", name_, position()); }

  private:
    template <class Result>
    Result value(PlyType type) {
        if (bytes_left() < size_of(type)) ends_early();
        switch (type) {
            case PlyType::int8:
                return static_cast<Result>(load<std::int8_t>());
            case PlyType::uint8:
                return static_cast<Result>(load<std::uint8_t>());
            case PlyType::int16:
                return static_cast<Result>(load<std::int16_t>());
            case PlyType::uint16:
                return static_cast<Result>(load<std::uint16_t>());
            case PlyType::int32:
                return static_cast<Result>(load<std::int32_t>());
            case PlyType::uint32:
                return static_cast<Result>(load<std::uint32_t>());
            case PlyType::float32:
                return static_cast<Result>(load<float>());
            case PlyType::float64:
                return static_cast<Result>(load<double>());
        }
        return {};
    }

    template <class Stored>
    Stored load() {
        char raw[sizeof(Stored)];
        for (std::size_t i = 0; i < sizeof(Stored); ++i) raw[i] = at_[big ? sizeof(Stored) - 1 - i : i];
        at_ += sizeof(Stored);
        Stored stored;
        std::memcpy(&stored, raw, sizeof(Stored));
        return stored;
    }

    [[noreturn]] void ends_early() const { fail(location(), "the file ends too early"); }

    std::string_view bytes_;
    const char* at_;
    const char* end_;
    std::string name_;
};

}  // namespace sinew::io
