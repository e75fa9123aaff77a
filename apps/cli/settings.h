#pragma once
// A file of settings instead of a long command line.

#include <string>
#include <vector>

namespace sinew::cli {

/// Replaces `--settings FILE` by the options in the file, one a line: `max-influences = 8`; a switch is
/// `name` or `name = true`; `#` starts a comment. What the command line says itself counts more.
/// \throws Error with the line.
std::vector<std::string> with_settings(std::vector<std::string> arguments);

}  // namespace sinew::cli
