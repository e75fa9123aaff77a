// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Numbers in a C3D file: 16-bit integers and 32-bit reals of three processors; the bytes of the file with
/// their offsets; and a tally of problems.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sinew/base/file.h"
#include "sinew/base/monitor.h"

namespace sinew::io::c3d {

/// Values of byte 4 of the parameter section.
enum class Processor : std::uint8_t { intel = 84, dec = 85, mips = 86 };

/// How the data section is stored.
enum class Storage : std::uint8_t { signed_words, unsigned_words, reals };
constexpr std::size_t size_of(Storage storage) {
    return storage == Storage::reals ? 4 : 2;
}

constexpr std::uint16_t swap_bytes(std::uint16_t v) {
    return static_cast<std::uint16_t>(v << 8 | v >> 8);
}
constexpr std::uint32_t swap_bytes(std::uint32_t v) {
    return v << 24 | (v & 0xFF00u) << 8 | (v >> 8 & 0xFF00u) | v >> 24;
}

template <class Word>
Word load_little(const std::byte* p) {
    Word v;
    std::memcpy(&v, p, sizeof v);
    return std::endian::native == std::endian::little ? v : swap_bytes(v);
}
template <class Word>
void store_little(Word v, std::byte* p) {
    if (std::endian::native != std::endian::little) v = swap_bytes(v);
    std::memcpy(p, &v, sizeof v);
}

/// VAX F to IEEE: with the halves swapped it is sign, exponent e, fraction f, and means 1.f 2^(e - 129), a
/// quarter of what the same bits mean in IEEE. e = 0 is zero, or with the sign the reserved operand (NaN).
/// e = 255 is a number in VAX F, so the exponent is lowered in the bits; for e = 1, 2 the result is subnormal
/// and left to the multiplication.
inline float from_vax(std::uint32_t halves) {
    const std::uint32_t bits = std::rotl(halves, 16);
    const std::uint32_t exponent = bits & 0x7F800000u;
    const std::uint32_t lowered = std::bit_cast<std::uint32_t>(std::bit_cast<float>(bits) * 0.25f);
    const std::uint32_t zero = (bits >> 31) * 0x7FC00000u;
    const std::uint32_t number = exponent > 0x01000000u ? bits - 0x01000000u : lowered;
    return std::bit_cast<float>(exponent == 0 ? zero : number);
}

/// IEEE to VAX F; too small becomes 0. `value` is finite and below 2^127.
inline std::uint32_t to_vax(float value) {
    const float size = value < 0 ? -value : value;
    if (!(size >= 0x1p-128f)) return value == value ? 0 : std::rotl(0x80000000u, 16);
    if (size < 0x1p-126f) return std::rotl(std::bit_cast<std::uint32_t>(value * 4), 16);
    return std::rotl(std::bit_cast<std::uint32_t>(value) + 0x01000000u, 16);
}
inline constexpr float vax_limit = 0x1p127f;

template <Processor processor>
std::uint16_t load_word(const std::byte* p) {
    const auto v = load_little<std::uint16_t>(p);
    return processor == Processor::mips ? swap_bytes(v) : v;
}
template <Processor processor>
float load_real(const std::byte* p) {
    const auto v = load_little<std::uint32_t>(p);
    if (processor == Processor::dec) return from_vax(v);
    return std::bit_cast<float>(processor == Processor::mips ? swap_bytes(v) : v);
}

/// Calls `work` with the processor as a compile-time constant.
template <class Work>
decltype(auto) with_processor(Processor processor, const Work& work) {
    switch (processor) {
        case Processor::dec:
            return work(std::integral_constant<Processor, Processor::dec>());
        case Processor::mips:
            return work(std::integral_constant<Processor, Processor::mips>());
        case Processor::intel:
            break;
    }
    return work(std::integral_constant<Processor, Processor::intel>());
}

std::uint16_t read_word(Processor processor, const std::byte* p);
float read_real(Processor processor, const std::byte* p);
void write_word(Processor processor, std::uint16_t value, std::byte* p);
void write_real(Processor processor, float value, std::byte* p);

/// `count` numbers in a row, as floats: words and reals alike are exact in them.
void decode_run(Processor processor, Storage storage, const std::byte* from, std::size_t count, float* to);

inline constexpr std::size_t block_size = 512;

/// Counts problems by code. An invalid file often repeats a problem, so each code gives one warning, with the
/// location of the first and the total number.
class Tally {
  public:
    explicit Tally(std::string name) : name_(std::move(name)) {}

    /// "walk.c3d: byte 1024".
    std::string location(std::size_t offset) const { return fmt::format("{}: byte {}", name_, offset); }
    template <class... Args>
    void note(std::string_view code, std::size_t offset, fmt::format_string<Args...> text, Args&&... args) {
        if (again(code)) return;
        entries_.push_back(
            {std::string(code),
             fmt::format("{}: {}", location(offset), fmt::format(text, std::forward<Args>(args)...)), 1});
    }
    /// Warns once for each code, in the order of their first appearance.
    void report(Monitor& monitor) const {
        for (const Entry& entry : entries_) {
            const std::string more = entry.count == 1 ? "" : fmt::format(" ({} times in all)", entry.count);
            warn(monitor, entry.code, "{}{}", entry.text, more);
        }
    }

  private:
    struct Entry {
        std::string code;
        std::string text;
        std::size_t count;
    };
    bool again(std::string_view code) {
        for (Entry& entry : entries_) {
            if (entry.code == code) return ++entry.count, true;
        }
        return false;
    }

    std::string name_;
    std::vector<Entry> entries_;
};

/// The file from its header on; offsets in messages are counted from the start of the file.
struct Source {
    Bytes bytes;
    std::size_t skipped = 0;  ///< bytes before the header
    Processor processor = Processor::intel;

    std::size_t size() const { return bytes.size(); }
    const std::byte* at(std::size_t offset) const { return bytes.data() + offset; }
    std::uint8_t byte(std::size_t offset) const { return static_cast<std::uint8_t>(bytes[offset]); }
    std::uint16_t word(std::size_t offset) const { return read_word(processor, at(offset)); }
    float real(std::size_t offset) const { return read_real(processor, at(offset)); }
    std::string_view text(std::size_t offset, std::size_t length) const {
        return as_text(bytes.subspan(offset, length));
    }
};

}  // namespace sinew::io::c3d
