// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Warnings of a reader, one per kind, with the first location and the number of occurrences. A file with a
/// million invalid lines gives one warning, and lines are counted once.

#include <map>
#include <string>
#include <string_view>

#include "sinew/base/monitor.h"

namespace sinew::io {

class WarningTally {
  public:
    /// `text()` is called for the first of a code only; `code` must outlive this.
    template <class Text>
    void add(std::string_view code, std::size_t offset, const Text& text) {
        Entry& entry = list_[code];
        if (entry.count++ > 0) return;
        entry.offset = offset;
        entry.text = text();
    }

    /// Warns about all, sorted by code; `location(offset)` gives the location in the file.
    template <class Location>
    void tell(Monitor& monitor, const Location& location) const {
        for (const auto& [code, entry] : list_) {
            const std::string more = entry.count > 1 ? fmt::format(" (and {} more)", entry.count - 1) : "";
            warn(monitor, code, "{}: {}{}", location(entry.offset), entry.text, more);
        }
    }

  private:
    struct Entry {
        std::size_t offset = 0;
        std::string text;
        std::size_t count = 0;
    };
    std::map<std::string_view, Entry> list_;
};

}  // namespace sinew::io
