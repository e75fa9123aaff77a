#pragma once
/// \file
/// The bytes of a C3D file, where they are, and a tally of what was odd in them.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/file.h"
#include "sinew/base/monitor.h"
#include "sinew/io/c3d/numbers.h"

namespace sinew::io::c3d {

inline constexpr std::size_t block_size = 512;

/// Counts oddities by code. A broken file repeats its mistake, so each code is one warning, with the place of
/// the first and the number of all.
class Tally {
  public:
    explicit Tally(std::string name) : name_(std::move(name)) {}

    /// "walk.c3d: byte 1024".
    std::string place(std::size_t offset) const { return fmt::format("{}: byte {}", name_, offset); }
    template <class... Args>
    void note(std::string_view code, std::size_t offset, fmt::format_string<Args...> text, Args&&... args) {
        if (again(code)) return;
        entries_.push_back(
            {std::string(code),
             fmt::format("{}: {}", place(offset), fmt::format(text, std::forward<Args>(args)...)), 1});
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

/// The file from its header on; offsets in messages count from the start of the file itself.
struct Source {
    Bytes bytes;
    std::size_t skipped = 0;  ///< bytes in front of the header
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
