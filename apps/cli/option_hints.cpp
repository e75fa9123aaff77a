// SPDX-License-Identifier: MIT

#include "option_hints.h"

namespace sinew::cli {
namespace {

struct OptionHint {
    std::string_view message;  ///< a part of it
    std::string_view option;
};

constexpr OptionHint option_hints[] = {
    {"an AMC motion needs its ASF skeleton", "--skeleton-file FILE.asf"},
    {"raw joint text does not say how many joints a frame has", "--joints N"},
};

}  // namespace

std::string with_option_hint(std::string_view message) {
    for (const OptionHint& hint : option_hints) {
        if (message.find(hint.message) != std::string_view::npos)
            return std::string(message) + " (" + std::string(hint.option) + ")";
    }
    return std::string(message);
}

}  // namespace sinew::cli
