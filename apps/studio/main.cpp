// SPDX-License-Identifier: MIT
#include <cstdio>
#include <exception>

#include "options.h"
#include "window.h"
#include <fmt/format.h>

int main(int argc, char** argv) {
    using namespace sinew::studio;
    const Parsed parsed = parse_options(argc, argv, SINEW_VERSION);
    if (parsed.exit_code >= 0) return parsed.exit_code;
    try {
        return Window(parsed.options).run();
    } catch (const std::exception& error) {
        fmt::print(stderr, "sinew-studio: error: {}\n", error.what());
        return 1;
    }
}
