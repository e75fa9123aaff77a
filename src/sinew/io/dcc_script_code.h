#pragma once
/// \file
/// The Python that is the same in every script.

#include <string_view>

namespace sinew::io {

/// Reads the tables; before them.
extern const std::string_view dcc_script_head;
/// Builds the character; behind them.
extern const std::string_view dcc_script_body;

}  // namespace sinew::io
