// SPDX-License-Identifier: MIT
// Any bytes as a fit: one that plays or an Error, and what was read can be written and read again.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "sinew/base/error.h"
#include "sinew/fit/fit_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const sinew::Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
    try {
        const sinew::fit::FitResult fit = sinew::fit::read_fit(bytes, "/nowhere/fuzz.fit");
        if (!fit.frames.empty() && sinew::fit::deformed(fit, 0).size() != fit.rest.positions.size())
            std::abort();
        const std::string content =
            sinew::fit::write_fit(fit, {.precision = sinew::fit::FitPrecision::exact});
        const sinew::fit::FitResult again =
            sinew::fit::read_fit(sinew::as_bytes(content), "/nowhere/fuzz.fit");
        if (!(again.weights == fit.weights)) std::abort();
    } catch (const sinew::Error&) {
    }
    return 0;
}
